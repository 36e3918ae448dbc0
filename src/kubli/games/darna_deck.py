"""What may be wrong with a deck of Darna (DA-2): cards with a number of their own and two instructions each."""

from collections.abc import Iterator, Mapping
from typing import Any

from kubli.games.darna import INSTRUCTIONS, Variant
from kubli.games.faults import Fault, each, fields, item, most, unique, whole, word

__all__ = ["OWN", "OWN_SIZE", "at_table", "complete", "faults"]

OWN: tuple[str, ...] = ("cards",)
"""The keys that only a deck of this game has."""

OWN_SIZE: tuple[str, ...] = ()
"""The keys that only a size of this game has."""

INSTRUCTION = word(*INSTRUCTIONS, rule="DA-2")
CARD = item({"number": whole(1, 999), "first": INSTRUCTION, "second": INSTRUCTION})
DECK = fields({"cards": each(CARD, 3, most(Variant, "cards"), rule="DA-2")})


def faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """All that is wrong with a whole deck, at whatever table."""
    yield from DECK("", deck)
    yield from unique("cards", deck["cards"], "number", int, "DA-2")


def at_table(deck: Mapping[str, Any], players: int) -> Iterator[Fault]:
    """What is wrong with a right deck when so many play it: there must be more cards than players."""
    cards = len(deck["cards"])
    if cards <= players:
        yield Fault("cards", "too_few_cards", "DA-2", {"cards": cards, "players": players, "least": players + 1})


def complete(deck: dict[str, Any]) -> None:
    """Write out what a right deck may leave unsaid: nothing, here."""
