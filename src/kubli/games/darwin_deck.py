"""What may be wrong with a deck of Darwin's Dice (DD-1 to DD-4): cards of each kind, points, sizes."""

from collections.abc import Iterator, Mapping
from typing import Any

from kubli.games.contract import FORMAT
from kubli.games.darwin import NAMES, PLAYERS, Variant
from kubli.games.faults import Fault, fields, inside, item, most, named, whole

__all__ = ["OWN", "OWN_SIZE", "at_table", "complete", "faults"]

OWN: tuple[str, ...] = ("kinds",)
"""The keys that only a deck of this game has."""

OWN_SIZE: tuple[str, ...] = ("cards", "rounds")
"""The keys that only a size of this game has."""

SEATS = tuple(map(str, PLAYERS))
MOST_CARDS = most(Variant, "copies")

KIND = item({"copies": whole(0, MOST_CARDS), "points": whole(0, most(Variant, "points"))})
KINDS = named(NAMES, KIND, least=1, rule="DD-1")
SIZE = item({"cards": whole(1, most(Variant, "cards")), "rounds": whole(1, MOST_CARDS)})
DECK = fields({"kinds": KINDS, "sizes": named(SEATS, SIZE, least=1)})


def faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """All that is wrong with a whole deck, at whatever table."""
    yield from DECK("", deck)
    kinds, sizes = deck["kinds"], deck["sizes"]
    if any(KINDS("kinds", kinds)):
        return
    total = sum(kind["copies"] for kind in kinds.values())
    if total > MOST_CARDS:
        yield Fault("kinds", "too_many", FORMAT, {"count": total, "most": MOST_CARDS})
    for players in SEATS:
        path = inside("sizes", players)
        if type(sizes) is dict and players in sizes and not any(SIZE(path, sizes[players])):
            yield from at_size(path, int(players), sizes[players], total)


def at_size(path: str, players: int, size: Mapping[str, Any], total: int) -> Iterator[Fault]:
    """What is wrong with how so many players are dealt to: the whole deck must be used up."""
    cards, rounds = size["cards"], size["rounds"]
    needed = players * cards * rounds
    if needed != total:
        values = {"players": players, "cards": cards, "rounds": rounds, "needed": needed, "total": total}
        yield Fault(path, "not_used_up", "DD-4", values)


def at_table(deck: Mapping[str, Any], players: int) -> Iterator[Fault]:
    """What is wrong with a right deck when so many play it: it must say how."""
    if str(players) not in deck["sizes"]:
        yield Fault("sizes", "no_size", "DD-4", {"players": players, "known": sorted(map(int, deck["sizes"]))})


def complete(deck: dict[str, Any]) -> None:
    """Write out what a right deck may leave unsaid: nothing, here."""
