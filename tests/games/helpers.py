"""A game played event by event on its rules alone, without a table: for tests of what a rule says."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from kubli.games import decks
from kubli.games.contract import Event, Refused
from kubli.games.kit import CHANCE, Told


@dataclass
class Match:
    """A Variant, a State and every fact told so far; `do` and `deal` give the match back."""

    rules: Any
    players: int
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: str | Mapping[str, Any] = "standard"
    told: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        options = {one.name: one.start for one in self.rules.OPTIONS} | dict(self.options)
        self.v = self.rules.variant(self.players, options, decks.read(self.rules.NAME, self.deck))
        self.s = self.rules.State()
        self.rules.setup(self.v, self.s)

    def do(self, *events: Event) -> "Match":
        """Play these events, each of which must be allowed."""
        for event in events:
            by, action = self.read(event)
            if rule := self.rules.refusal(self.v, self.s, by, action):
                raise Refused(f"{self.rules.PREFIX}-{rule}", event=event)
            self.step(by, action)
        return self

    def read(self, event: Event) -> tuple[int, int]:
        return CHANCE if event["by"] == "chance" else event["by"], self.rules.action(self.v, event)

    def step(self, by: int, action: int) -> None:
        self.rules.step(self.v, self.s, by, action)
        self.told += self.s.facts
        self.s.facts.clear()

    def deal(self, random: Random) -> "Match":
        """Let chance act until a seat must."""
        while n := self.rules.outcomes(self.v, self.s):
            self.step(CHANCE, self.rules.draw(self.v, self.s, random.randrange(n)))
        return self

    def again(self) -> "Match":
        """The same game once more, to try something out."""
        other = copy.copy(self)
        other.s, other.told = copy.deepcopy(self.s), list(self.told)
        return other

    def refused(self, event: Event) -> str:
        """The id of the rule that forbids this event ("" if none does)."""
        try:
            by, action = self.read(event)
        except Refused as why:
            return why.rule
        rule = self.rules.refusal(self.v, self.s, by, action)
        return f"{self.rules.PREFIX}-{rule}" if rule else ""

    def actions(self, seat: int) -> list[int]:
        out = [0] * self.rules.ACTIONS
        return out[: self.rules.legal(self.v, self.s, seat, out)]

    def legal(self, seat: int) -> list[Event]:
        return [{"by": seat, **self.rules.event(self.v, action)} for action in self.actions(seat)]

    def facts(self, viewer: int | None = None) -> list[dict[str, Any]]:
        """All that was told, whole or as a viewer got it."""
        return [{"what": one.fact.what, "rule": one.rule, **one.fields_for(self.v, viewer)} for one in self.told]

    def view(self, viewer: int) -> dict[str, Any]:
        out = self.rules.View()
        self.rules.view(self.v, self.s, viewer, out)
        return dict(self.rules.show(self.v, out))

    def utilities(self) -> list[float]:
        out = [0.0] * self.players
        self.rules.utilities(self.v, self.s, out)
        return out
