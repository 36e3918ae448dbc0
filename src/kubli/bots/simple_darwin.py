"""Rules of thumb for Darwin's Dice: weigh each card against what the others may hold, and let the rules decide.

A trick is imagined many times over with cards that this seat has not seen in the others' places; the rules say who
takes it and who is poisoned. What a card brings now is weighed against what it could bring later.
"""

from typing import Any

from kubli.bots import kept
from kubli.games import darwin
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["choose"]

SAMPLES = 24  # imagined tricks a card
KEEP = 3.5  # what a card could bring in another trick weighs so much against what it brings now
SNAKE = 3  # the animal that poisons


def choose(
    seen: Seen, _told: list[dict[str, Any]], legal: list[Event], rng: Luck, _budget: float
) -> tuple[Event, dict[str, Any]]:
    """The card that brings most, now and later, against what the others may play."""
    if len(legal) == 1:
        return legal[0], {"code": "only_card", "card": legal[0]["card"]}
    table = Trick(seen)
    worlds = [table.others(rng) for _ in range(SAMPLES)]
    worth = [table.worth(darwin.NAMES.index(event["card"]), worlds) for event in legal]
    best = max(range(len(legal)), key=lambda i: (worth[i].total, -i))
    return legal[best], reason(seen, legal[best]["card"], worth[best])


class Worth:
    """What a card brings: how often it wins the trick, and its gain less what it is worth to keep."""

    __slots__ = ("total", "wins")

    def __init__(self, wins: float, total: float) -> None:
        self.wins, self.total = wins, total


class Trick:
    """The trick that is to be played, as one seat may imagine it."""

    def __init__(self, seen: Seen) -> None:
        self.seat, self.players, view = seen.seat, seen.players, seen.view
        self.v: darwin.Variant = kept.variant(seen)
        self.s = darwin.State(round=1)
        self.s.facts = None  # type: ignore[assignment]  # nobody is told of what is only imagined
        self.trump = darwin.NAMES.index(view["throw"]["trump"])
        self.sign = darwin.SIGNS.index(view["throw"]["sign"])
        self.piles = list(view["pile_points"])
        self.middle = sum(self.v.points[darwin.NAMES.index(kind)] for kind in view["middle"])
        self.unseen = [k for k, name in enumerate(darwin.NAMES) for _ in range(view["unseen"].get(name, 0))]
        self.left = len(view["hand"])

    def others(self, rng: Luck) -> list[int]:
        """A card for every seat out of those not seen: the better of two, as others choose too."""
        pool, cards = list(self.unseen), [0] * self.players
        for seat in range(self.players):
            if seat != self.seat:
                two = [pool.pop(rng.below(len(pool))) for _ in range(min(2, len(pool)))]
                cards[seat] = max(two, key=self.strength)
        return cards

    def strength(self, kind: int) -> int:
        """How a card ranks in this trick, if it is alone."""
        return 1 if kind == self.trump else -darwin.RANK[self.sign][kind]

    def worth(self, kind: int, worlds: list[list[int]]) -> Worth:
        """The mean gain of playing this card in these worlds, against the mean of all players, less what keeping is."""
        wins, gain = 0, 0.0
        for cards in worlds:
            winner, change = self.played([kind if seat == self.seat else card for seat, card in enumerate(cards)])
            wins += winner == self.seat
            gain += change[self.seat] - sum(change) / self.players
        return Worth(wins / len(worlds), gain / len(worlds) - KEEP * self.later(kind))

    def played(self, cards: list[int]) -> tuple[int, list[int]]:
        """Who takes the trick (-1: nobody), and by how much each pile changes, by the rules."""
        s = self.s
        s.trump, s.sign, s.tricks, s.winner = self.trump, self.sign, 0, darwin.NOBODY
        for seat in range(self.players):
            s.chosen[seat], s.pile[seat] = cards[seat], self.piles[seat]
        s.pile[darwin.MIDDLE] = self.middle
        darwin.turn_over(self.v, s)
        return s.winner, [s.pile[seat] - self.piles[seat] for seat in range(self.players)]

    def later(self, kind: int) -> float:
        """What this card could bring in a trick to come: extremes win one way or the other, a scorpion beats trumps."""
        if self.left <= 2:
            return 0.0
        ranks: list[int] = [sum(table[other] > table[kind] for other in self.unseen) for table in darwin.RANK]
        share = max(ranks) / max(1, len(self.unseen))
        chance = 0.7 if kind // 8 != SNAKE else 0.8
        for _ in range(self.players - 1):  # no power: its last digit is not the same on every machine
            chance *= share
        middle: int = self.middle
        return (6.0 + middle * 0.2) * chance


def reason(seen: Seen, card: str, worth: Worth) -> dict[str, Any]:
    """Why, in a word of the catalogue."""
    animal = card.split(" ", maxsplit=1)[0]
    if card == seen.view["throw"]["trump"]:
        return {"code": "trump", "card": card}
    if animal == "scorpion" and worth.wins > 0.2:
        return {"code": "scorpion", "card": card}
    if worth.wins >= 0.35:
        return {"code": "snake" if animal == "snake" else "win_with", "card": card}
    return {"code": "dump_low", "card": card}
