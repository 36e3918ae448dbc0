"""What a table of Narabi sets: players, options, and the tables in which the rules look up its stones and conditions.

Rule ids (NA-…) are those of docs/rules/narabi.md. Sets of stones, conditions and places are bits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kubli.games.kit import bits_of, number, numbers, words

__all__ = ["ALL", "MOST", "MOST_EXCHANGES", "MOST_PLAYERS", "NONE", "Variant", "variant"]

MOST_PLAYERS, MOST, MOST_EXCHANGES = 5, 15, 999  # MOST: of stones, of conditions and of places
ALL, NONE = (1 << MOST) - 1, -1

Item = Mapping[str, Any]
"""A stone or a condition as a deck has it."""


@dataclass(slots=True)
class Variant:
    """What a table sets, and what its set of stones and conditions says."""

    players: int = number(least=3, most=MOST_PLAYERS, start=3)
    row: int = number(most=MOST)  # places of each player
    places: int = number(most=MOST)
    owner: list[int] = numbers(MOST, least=NONE, start=NONE, most=MOST_PLAYERS - 1)  # by place; NONE: no such place
    limit: int = number(most=MOST_EXCHANGES)
    questions: int = number(most=12)
    silent: int = number(most=1)
    no_return: int = number(most=1)
    stones: int = number(most=ALL)  # in play; of the blanks of a colour the first
    alike: list[int] = numbers(MOST, most=ALL)  # by stone: itself, or the blanks of its colour
    zero: int = number(most=MOST - 1)  # the stone that decides who begins
    after: list[int] = numbers(MOST, least=NONE, start=NONE, most=MOST - 1)  # by stone: the next in order; NONE: blank
    conditions: int = number(most=ALL)
    allows: list[list[int]] = numbers(MOST, MOST, most=ALL)  # by condition and own stone: which stones …
    reaches: list[list[int]] = numbers(MOST, MOST_PLAYERS, most=ALL)  # … and by condition and seat: at which places
    lets: list[list[int]] = numbers(MOST, MOST, most=ALL)  # by own stone and the other: which conditions allow it …
    lead: list[list[int]] = numbers(MOST_PLAYERS, MOST, most=ALL)  # … and by seat and place: which reach there
    stone_names: list[str] = words()
    condition_names: list[str] = words()
    deck: dict[str, Any] = words()


def variant(players: int, options: Mapping[str, Any], deck: Mapping[str, Any]) -> Variant:
    """The Variant of a table."""
    size, stones, conditions = deck["sizes"][str(players)], deck["stones"], deck["conditions"]
    v = Variant(players, size["row"], players * size["row"], limit=deck["exchanges"], deck=dict(deck))
    v.owner[: v.places] = [place // v.row for place in range(v.places)]  # NA-4
    v.silent, v.no_return = int(options["silent"]), int(options["no_return"])
    v.questions = 0 if v.silent else options["questions"]  # NA-18
    v.stone_names, v.condition_names = [one["id"] for one in stones], [one["id"] for one in conditions]
    v.conditions = (1 << len(conditions)) - 1  # NA-2
    sort(v, [kind(stone) for stone in stones], size["out"])
    for i, condition in enumerate(conditions):
        v.allows[i][: len(stones)] = [bits_of(allowed(condition, stone, stones)) for stone in stones]
        v.reaches[i][:players] = [bits_of(reached(v, condition, seat)) for seat in range(players)]
    v.lets = [[having(column, other) for other in range(MOST)] for column in zip(*v.allows, strict=True)]
    v.lead = [[having(column, place) for place in range(MOST)] for column in zip(*v.reaches, strict=True)]
    return v


def having(sets: Sequence[int], one: int) -> int:
    """Which of these sets have a member."""
    return bits_of(i for i, bits in enumerate(sets) if bits >> one & 1)


# --- Stones -----------------------------------------------------------------------------------------------------------


def kind(stone: Item) -> str:
    """A stone's number, or what sort of blank it is: nothing else tells stones apart (NA-1)."""
    return f"blank_{stone['colour']}" if stone["number"] is None else str(stone["number"])


def sort(v: Variant, kinds: Sequence[str], out: Mapping[str, int]) -> None:
    """Which stones are in play, and which follows which in order around the ring."""
    for i, one in enumerate(kinds):
        v.alike[i] = bits_of(j for j, other in enumerate(kinds) if other == one)
        v.stones |= (kinds[:i].count(one) < kinds.count(one) - out.get(one, 0)) << i  # NA-3
    numbered = sorted((int(one), i) for i, one in enumerate(kinds) if v.stones >> i & 1 and one.isdecimal())
    ring = [i for _, i in numbered]
    v.zero = ring[0]  # NA-6
    for stone, after in zip(ring, [*ring[1:], ring[0]], strict=True):  # NA-12: the order has no beginning
        v.after[stone] = after


# --- Conditions -------------------------------------------------------------------------------------------------------


def value(stone: Item) -> int:
    """What a stone counts for conditions: a blank counts as 0 (NA-9), and it has its colour."""
    return stone["number"] or 0


MEANS: dict[str, Callable[[Any, Item, Item], bool]] = {
    "colour": lambda want, own, other: want in (other["colour"], ("other", "same")[other["colour"] == own["colour"]]),
    "parity": lambda want, own, other: value(other) % 2 == ("even", "odd").index(want),
    "at_least": lambda want, own, other: value(other) >= want,
    "at_most": lambda want, own, other: value(other) <= want,
    "compared": lambda want, own, other: value(other) > value(own) if want == "higher" else value(other) < value(own),
    "distance_at_least": lambda want, own, other: abs(value(other) - value(own)) >= want,
    "distance_at_most": lambda want, own, other: abs(value(other) - value(own)) <= want,
}
"""What each field of a condition but `whose` asks of the stone that one would get for one's own (NA-8)."""


def allowed(condition: Item, own: Item, stones: Sequence[Item]) -> list[int]:
    """The stones for which a condition lets one's own go: all fields that it has must hold (NA-8)."""
    wanted = [(MEANS[name], want) for name, want in condition.items() if name in MEANS]
    return [i for i, other in enumerate(stones) if all(means(want, own, other) for means, want in wanted)]


def reached(v: Variant, condition: Item, seat: int) -> list[int]:
    """The places that a condition lets a seat exchange with: of others (NA-7), and only of those it speaks of."""
    whose = [away % v.players for away in condition.get("whose", range(v.players))]
    away = [(owner - seat) % v.players for owner in v.owner[: v.places]]
    return [place for place in range(v.places) if away[place] > 0 and away[place] in whose]
