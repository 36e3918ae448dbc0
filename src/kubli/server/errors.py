"""How the server says no: a status, a code, the rule if there is one, and one sentence."""

import json
import math
from typing import Any

from starlette.responses import Response

from kubli import words
from kubli.games.contract import FORMAT, Refused

__all__ = ["Json", "Problem", "dump", "refused"]

SHOWN = 80
"""The most characters of what somebody sent that are sent back to them."""


class Problem(Exception):  # noqa: N818 - refusing is not failing
    """A request that is not answered as asked.

    Attributes:
        status: the HTTP status.
        code: a key of the catalogue: of "errors", or of "refusals" where a rule refuses.
        rule: the id of the rule that refuses, if one does.
        values: what the sentence needs.
        more: further fields of the answer, such as `now`.
    """

    def __init__(
        self, status: int, code: str, *, rule: str | None = None, more: dict[str, Any] | None = None, **values: Any
    ) -> None:
        """Say no."""
        super().__init__(code)
        self.status, self.code, self.rule = status, code, rule
        self.values = {name: shortened(value) for name, value in values.items()}
        self.more = more or {}

    @property
    def say(self) -> str:
        """The sentence, in English."""
        if self.code in words.catalogue()["errors"]:
            return words.error(self.code, self.values)
        return words.refusal(self.rule or FORMAT, self.code, self.values)

    def response(self) -> Response:
        """The answer over HTTP."""
        body = {"error": self.code, "rule": self.rule, "values": self.values, "say": self.say, **self.more}
        wait = {"Retry-After": str(self.values["seconds"])} if "seconds" in self.values else None
        return Json(body, self.status, headers=wait)


def refused(why: Refused) -> Problem:
    """What the rules, or the format of events and decks, refuse."""
    rule = None if why.rule == FORMAT else why.rule
    return Problem(422, why.code, rule=rule, **why.values)


def shortened(value: Any) -> Any:
    """A value as it may be sent back: no long text, nothing that JSON has not."""
    if isinstance(value, str):
        return value if len(value) <= SHOWN else value[:SHOWN] + "…"
    if isinstance(value, dict):
        return {shortened(str(key)): shortened(one) for key, one in list(value.items())[:SHOWN]}
    if isinstance(value, list | tuple):
        return [shortened(one) for one in value[:SHOWN]]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return shortened(f"{value:#x}")
    return value


def dump(value: Any) -> bytes:
    """JSON as bytes, compact. Half a surrogate pair, which no UTF-8 has, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")


class Json(Response):
    """An answer in JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return dump(content)
