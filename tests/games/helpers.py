"""Play events straight against a rules module, without a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from kubli.games import decks
from kubli.games.contract import Event, Refused
from kubli.games.kit import CHANCE, Luck


@dataclass
class Play:
    """A game of a rules module: its Variant, its State, and what has been told."""

    rules: Any
    v: Any
    s: Any
    told: list[tuple[int, Any]] = field(default_factory=list)
    count: int = 0

    def do(self, by: int, action: int) -> None:
        self.rules.step(self.v, self.s, by, action)
        self.take()
        self.count += 1

    def take(self) -> None:
        self.told += [(self.count, told) for told in self.s.facts]
        self.s.facts.clear()

    def facts(self, viewer: int | None = None) -> list[dict[str, Any]]:
        """What this viewer was told, or (None) every fact whole."""
        return [
            {"what": told.fact.what, "rule": told.rule, "event": index, **told.fields_for(self.v, viewer)}
            for index, told in self.told
        ]

    def legal(self, seat: int) -> list[Event]:
        out = [0] * self.rules.ACTIONS
        return [self.rules.event(self.v, action) for action in out[: self.rules.legal(self.v, self.s, seat, out)]]

    def legal_for_chance(self) -> list[Event]:
        first = self.rules.ACTIONS
        every = range(first, first + self.rules.CHANCE_ACTIONS)
        return [self.rules.event(self.v, one) for one in every if not self.rules.refusal(self.v, self.s, CHANCE, one)]

    def view(self, viewer: int) -> dict[str, Any]:
        out = self.rules.View()
        self.rules.view(self.v, self.s, viewer, out)
        shown: dict[str, Any] = self.rules.show(self.v, out)
        return shown

    def utilities(self) -> list[float]:
        out = [0.0] * self.v.players
        self.rules.utilities(self.v, self.s, out)
        return out


def begin(rules: Any, players: int, deck: Any = "standard", **options: Any) -> Play:
    """A game with nothing dealt."""
    whole = {one.name: one.start for one in rules.OPTIONS} | options
    v = rules.variant(players, whole, decks.read(rules.NAME, deck))
    play = Play(rules, v, rules.State())
    rules.setup(v, play.s)
    play.take()
    return play


def happen(play: Play, events: Sequence[Event]) -> Play:
    """These events, one after the other.

    Raises:
        Refused: the first that may not be, with its rule and its index in `values`.
    """
    for index, event in enumerate(events):
        by = CHANCE if event["by"] == "chance" else event["by"]
        try:
            action = play.rules.action(play.v, event)
        except Refused as why:
            raise Refused(why.rule, why.code, **{**why.values, "index": index}) from None
        if rule := play.rules.refusal(play.v, play.s, by, action):
            raise Refused(f"{play.rules.PREFIX}-{rule}", index=index)
        play.do(by, action)
    return play


def at_random(rules: Any, players: int, seed: int, deck: Any = "standard", **options: Any) -> Iterator[Play]:
    """A random game, after set-up and after each event."""
    play, luck, out = begin(rules, players, deck, **options), Luck(seed, players), [0] * rules.ACTIONS
    yield play
    while not rules.over(play.v, play.s):
        if n := rules.outcomes(play.v, play.s):
            play.do(CHANCE, rules.draw(play.v, play.s, luck.below(n)))
        else:
            seats = rules.to_act(play.v, play.s)
            seat = luck.pick([one for one in range(players) if seats >> one & 1])
            play.do(seat, out[luck.below(rules.legal(play.v, play.s, seat, out))])
        yield play
