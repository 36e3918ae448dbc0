"""What may be wrong with a set of Narabi (NA-1 to NA-4): stones, conditions, how many play with how many of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from kubli.games.contract import FORMAT
from kubli.games.faults import (
    Fault,
    each,
    fields,
    inside,
    item,
    mistyped,
    most,
    named,
    or_null,
    outside,
    text,
    unique,
    unknown_key,
    whole,
    word,
)
from kubli.games.narabi import PLAYERS, Variant

__all__ = ["OWN", "OWN_SIZE", "at_table", "complete", "faults"]

OWN: tuple[str, ...] = ("stones", "conditions", "exchanges")
"""The keys that only a deck of this game has."""

OWN_SIZE: tuple[str, ...] = ("row", "out")
"""The keys that only a size of this game has."""

SEATS = tuple(map(str, PLAYERS))
MOST_NUMBER = 99
MOST_STONES = most(Variant, "places")


def away(path: str, value: Any) -> Iterator[Fault]:
    """How many seats away clockwise, or counterclockwise if below 0: nobody sits 0 away but this seat itself."""
    yield from whole(-4, 4)(path, value)
    if type(value) is int and value == 0:
        yield Fault(path, "seat_itself", FORMAT, {"least": -4, "most": 4})


def counts(path: str, value: Any) -> Iterator[Fault]:
    """How many stones of which kinds are taken out; which kinds there are is looked at with the stones."""
    if type(value) is not dict:
        yield mistyped(path, value, "an object")
        return
    for key, count in value.items():
        yield from whole(0, MOST_STONES)(inside(path, key), count)


NUMBER = whole(0, MOST_NUMBER)
STONE = item({"id": text(40), "colour": word("white", "black", rule="NA-1")}, {"number": or_null(NUMBER)})
CONDITION = item(
    {"id": text(40)},
    {
        "colour": word("white", "black", "same", "other"),
        "parity": word("even", "odd"),
        "at_least": NUMBER,
        "at_most": NUMBER,
        "compared": word("higher", "lower"),
        "distance_at_least": NUMBER,
        "distance_at_most": NUMBER,
        "whose": each(away, 1, 8),
    },
)
SIZE = item({"row": whole(1, MOST_STONES // PLAYERS[0])}, {"out": counts})
STONES = each(STONE, 3, MOST_STONES)
DECK = fields(
    {
        "stones": STONES,
        "conditions": each(CONDITION, 3, MOST_STONES),
        "sizes": named(SEATS, SIZE, least=1),
        "exchanges": whole(1, most(Variant, "limit")),
    }
)


def faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """All that is wrong with a whole set, at whatever table."""
    yield from DECK("", deck)
    stones, conditions, sizes = deck["stones"], deck["conditions"], deck["sizes"]
    yield from unique("stones", stones, "id", str, "NA-1")
    yield from unique("stones", stones, "number", int, "NA-1")
    yield from unique("conditions", conditions, "id", str, "NA-2")
    if type(stones) is type(conditions) is list and len(stones) != len(conditions):
        values = {"conditions": len(conditions), "stones": len(stones)}
        yield Fault("conditions", "conditions_not_as_stones", "NA-2", values)
    if type(sizes) is dict and not any(STONES("stones", stones)):
        kinds = Counter(kind(one) for one in stones)
        for players in SEATS:
            path = inside("sizes", players)
            if players in sizes and not any(SIZE(path, sizes[players])):
                yield from at_size(path, int(players), sizes[players], kinds)


def at_size(path: str, players: int, size: Mapping[str, Any], kinds: Counter[str]) -> Iterator[Fault]:
    """What is wrong with the stones that so many players play with."""
    out = size.get("out", {})
    for key, count in out.items():
        if key not in kinds:
            yield unknown_key(inside(path, "out"), key, list(kinds), "NA-3")
        elif count > kinds[key]:
            yield outside(inside(inside(path, "out"), key), count, 0, kinds[key], "NA-3")
    needed, left = players * size["row"], kinds.total() - sum(out.values())
    if needed != left:
        values = {"players": players, "row": size["row"], "needed": needed, "left": left}
        yield Fault(path, "stones_in_play", "NA-4", values)
    if not any(kinds[key] > out.get(key, 0) for key in kinds if key.isdecimal()):
        yield Fault(path, "no_number", "NA-6", {"players": players})


def kind(stone: Mapping[str, Any]) -> str:
    """How `out` names a stone: its number, or what sort of blank it is."""
    number = stone.get("number")
    return f"blank_{stone['colour']}" if number is None else f"{number}"


def at_table(deck: Mapping[str, Any], players: int) -> Iterator[Fault]:
    """What is wrong with a right set when so many play it: it must say how."""
    if str(players) not in deck["sizes"]:
        yield Fault("sizes", "no_size", "NA-4", {"players": players, "known": sorted(map(int, deck["sizes"]))})


def complete(deck: dict[str, Any]) -> None:
    """Write out what a right set may leave unsaid: that a stone has no number, and that none is taken out."""
    for stone in deck["stones"]:
        stone.setdefault("number", None)
    for size in deck["sizes"].values():
        size.setdefault("out", {})
