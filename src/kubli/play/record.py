"""The game record: read it strictly, and write it (the format is docs/guides/record.md).

Reading never trusts: a record is checked field by field before any rule sees it, and the first thing wrong is reported
with the index of the event (-1 for the header), a rule id and a sentence.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from kubli.games.contract import Refused, fault
from kubli.games.setting import rules_of
from kubli.play.table import SPECTATOR

__all__ = ["HEADER", "LIMIT", "Illegal", "Record", "lines", "parse", "write"]

LIMIT = 8_000_000
"""The longest line that is read, in bytes."""

HEADER = -1
"""The index of an error that is in no event."""


class Illegal(Refused):
    """A record that may not be.

    Attributes:
        index: the index of the first event that may not be, or -1 for the header (and for the result).
    """

    def __init__(self, index: int, why: Refused) -> None:
        """The refusal of one event, or of the header."""
        super().__init__(why.rule, why.code, **why.values)
        self.index = index


@dataclass(slots=True)
class Record:
    """A record as read: well formed, not yet replayed.

    Attributes:
        game: a game's name.
        players: how many.
        events: what happened.
        options: what the table set.
        deck: a shipped deck's name or a deck as an object; None: the standard one.
        seats: the players' names, or none.
        result: what the record says of the end; `said` tells whether it says anything.
        viewer: for what one viewer was told during play, that viewer; such a record has no events.
        told: the facts of that viewer.
        rest: the remarks: seed, fairness, notes.
    """

    game: str
    players: int
    events: list[Any]
    options: dict[str, Any]
    deck: str | dict[str, Any] | None
    seats: list[str]
    result: Any
    said: bool
    viewer: int | str | None
    told: list[Any]
    rest: dict[str, Any]


# --- From bytes -------------------------------------------------------------------------------------------------------


def lines(path: str | Path) -> Iterator[bytes | Refused]:
    """The records of a file as bytes, one after the other; a line over LIMIT comes as a Refused, unread.

    A file is JSON Lines (blank lines skipped), or one object over several lines. "-" is standard input.

    Raises:
        OSError: the file cannot be read.
    """
    if str(path) == "-":
        with os.fdopen(os.dup(0), "rb") as file:
            yield from _lines(file, whole=True)
        return
    with Path(path).open("rb") as file:
        yield from _lines(file, whole=os.fstat(file.fileno()).st_size <= LIMIT)


def _lines(file: BinaryIO, whole: bool) -> Iterator[bytes | Refused]:
    read = _bounded(file)
    first = next(read, None)
    if whole and isinstance(first, bytes) and not _is_json(first):
        rest = list(read)
        short = [one for one in rest if isinstance(one, bytes)]
        text = b"".join((first, *short))
        records = any(b'"game"' in one and _is_json(one) for one in short)
        if len(short) == len(rest) and (_is_json(text) or (first.strip() == b"{" and not records)):
            yield text  # one object over several lines, be it broken
            return
        read = iter(rest)
    for one in (first, *read) if first is not None else ():
        if isinstance(one, Refused) or one.strip():
            yield one


def _bounded(file: BinaryIO) -> Iterator[bytes | Refused]:
    """Lines of at most LIMIT bytes; what is longer is passed over."""
    blank = True
    while line := file.readline(LIMIT + 1):
        if len(line) > LIMIT and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(LIMIT)
            yield fault("line_too_long", limit=LIMIT)
            blank = False
        elif not blank or line.strip():  # blank lines before the first record say nothing
            blank = False
            yield line


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def parse(line: bytes) -> Record:
    """One record from its bytes.

    Raises:
        Illegal: not UTF-8, not JSON, a doubled key, nested too deep, or a header that may not be; its index is -1.
    """
    try:
        return _header(_json(line))
    except Refused as why:
        raise Illegal(HEADER, why) from None


def _json(line: bytes) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise fault("duplicate_key", key=name)
            found[name] = value
        return found

    def constant(name: str) -> None:
        raise fault("not_json", why=f"{name} is no JSON number", line=1, column=1)

    def decimal(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):  # 1e999 can be read but not written
            raise fault("number_too_long")
        return number

    try:
        text = line.decode("utf-8").rstrip(" \t\r\n")  # a line cut short ends where it was cut, not on the next
        found = json.loads(text, object_pairs_hook=once, parse_constant=constant, parse_float=decimal)
        if "\\u" in text:  # half of a surrogate pair can be read but not written
            json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise fault("lone_surrogate") from None
    except UnicodeDecodeError as error:
        raise fault("not_utf8", byte=error.start) from None
    except json.JSONDecodeError as error:
        raise fault("not_json", why=error.msg, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise fault("too_deep") from None
    except ValueError:
        raise fault("number_too_long") from None
    return found


# --- The header -------------------------------------------------------------------------------------------------------

OPTIONAL: dict[str, tuple[type, ...]] = {
    "kubli": (int,),
    "game": (str,),
    "rules": (str,),
    "players": (int,),
    "options": (dict,),
    "deck": (str, dict),
    "seats": (list,),
    "seed": (int,),
    "fairness": (dict,),
    "events": (list,),
    "notes": (list,),
    "result": (dict, type(None)),
    "as": (int, str),
    "told": (list,),
}
WANTED = {int: "a whole number", str: "a word", dict: "an object", list: "a list", type(None): "null"}


def _header(found: Any) -> Record:
    if type(found) is not dict:
        raise fault("wrong_type", field="record", wanted="an object", where="header")
    for name, value in found.items():
        if name not in OPTIONAL:
            raise fault("unknown_field", field=name, where="header")
        _typed(name, value, *OPTIONAL[name])
    one_viewer = "told" in found or "as" in found
    for name in ("game", "players", *(("as", "told") if one_viewer else ("events",))):
        if name not in found:
            raise fault("missing_field", field=name, where="header")
    if one_viewer and {"events", "result", "fairness"} & found.keys():
        raise fault("told_and_events")
    rules = rules_of(found["game"])
    if found.get("kubli", 1) != 1:
        raise fault("unknown_version", version=found["kubli"])
    if found.get("rules", rules.RULES) != rules.RULES:
        raise fault("unknown_rules", rules=found["rules"], game=rules.TITLE, known=rules.RULES)
    players = found["players"]
    if players not in rules.PLAYERS:
        least, most = rules.PLAYERS[0], rules.PLAYERS[-1]
        raise fault("players_out_of_range", game=rules.TITLE, players=players, least=least, most=most)
    _seats(found.get("seats", []), players)
    if one_viewer:
        _viewer(found["as"], players)
        _told(found["told"], {fact.what: fact.fields for fact in rules.FACTS})
    _fairness(found.get("fairness", {}), players)
    _notes(found.get("notes", []), players, len(found.get("events", ())))
    return Record(
        game=found["game"],
        players=players,
        events=found.get("events", []),
        options=found.get("options", {}),
        deck=found.get("deck"),
        seats=found.get("seats", []),
        result=found.get("result"),
        said="result" in found,
        viewer=found.get("as"),
        told=found.get("told", []),
        rest={name: found[name] for name in ("seed", "fairness", "notes") if name in found},
    )


def _typed(field: str, value: Any, *kinds: type) -> None:
    if type(value) not in kinds:
        raise fault("wrong_type", field=field, wanted=" or ".join(WANTED[kind] for kind in kinds), where="header")


def _known(field: str, value: Mapping[str, Any], names: set[str]) -> None:
    for name in value:
        if name not in names:
            raise fault("unknown_field", field=f"{field}.{name}", where="header")


def _viewer(viewer: Any, players: int) -> None:
    if viewer != SPECTATOR and not (type(viewer) is int and 0 <= viewer < players):
        raise fault("viewer", viewer=str(viewer), most=players - 1)


def _told(told: list[Any], kinds: Mapping[str, Mapping[str, Any]]) -> None:
    for i, one in enumerate(told):
        field = f"told[{i}]"
        _typed(field, one, dict)
        for name, kind in (("what", str), ("event", int), ("rule", str)):
            if name not in one:
                raise fault("missing_field", field=f"{field}.{name}", where="header")
            _typed(f"{field}.{name}", one[name], kind)
        if one["what"] not in kinds:
            raise fault("unknown_word", field=f"{field}.what", value=one["what"], known=list(kinds))
        _known(field, one, {"what", "event", "rule", *kinds[one["what"]]})


def _seats(seats: list[Any], players: int) -> None:
    for i, name in enumerate(seats):
        _typed(f"seats[{i}]", name, str)
    if seats and len(seats) != players:
        raise fault("seats_count", seats=len(seats), players=players)


def _hex(field: str, value: Any) -> None:
    _typed(field, value, str)
    if len(value) % 2 or not set(value) <= set("0123456789abcdef"):
        raise fault("not_hex", field=field)


def _fairness(fairness: dict[str, Any], players: int) -> None:
    _known("fairness", fairness, {"commitment", "secret", "entropy", "draws"})
    for name in ("commitment", "secret"):
        if name in fairness:
            _hex(f"fairness.{name}", fairness[name])
    _typed("fairness.entropy", fairness.get("entropy", []), list)
    for i, one in enumerate(fairness.get("entropy", [])):
        if one is not None:
            _hex(f"fairness.entropy[{i}]", one)
    if fairness.get("entropy") and len(fairness["entropy"]) != players:
        raise fault("entropy_count", entropy=len(fairness["entropy"]), players=players)
    _typed("fairness.draws", fairness.get("draws", []), list)
    for i, one in enumerate(fairness.get("draws", [])):
        _typed(f"fairness.draws[{i}]", one, list)
        if [type(x) for x in one] != [int, int] or not 0 <= one[1] < one[0]:
            raise fault("draw", field=f"fairness.draws[{i}]")


def _notes(notes: list[Any], players: int, events: int) -> None:
    for i, note in enumerate(notes):
        _typed(f"notes[{i}]", note, dict)
        for name, kinds in (("at", (int,)), ("by", (int, type(None))), ("what", (str,))):
            if name not in note:
                raise fault("missing_field", field=f"notes[{i}].{name}", where="header")
            _typed(f"notes[{i}].{name}", note[name], *kinds)
        if not -1 <= note["at"] <= events:
            raise fault("note_at", field=f"notes[{i}].at", events=events)
        if note["by"] is not None and not 0 <= note["by"] < players:
            raise fault("by", most=players - 1)


def write(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON, without the line's end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
