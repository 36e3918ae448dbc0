"""What may be wrong with a deck, and the small checks of which the check of each game's deck is made.

A check is given a path of keys and a value and yields every fault that it finds there; nothing is raised. Codes and
their values, beside `key`, where in the deck (`cards[3].first`; empty for the deck as a whole):

| code | values |
|---|---|
| unknown_field, unknown_field_like | field, where, known (names); like |
| missing_field | field, where |
| wrong_type | field, where, wanted, got |
| out_of_range | field, value, least, most |
| unknown_word, unknown_word_like | field, value, known (names); like |
| bad_text | most |
| too_few, too_many | count, least or most |
| same_twice | value, first (the key of the one before) |
| conditions_not_as_stones | conditions, stones |
| stones_in_play | players, row, needed, left |
| seat_itself | least, most |
| no_number | players |
| not_used_up | players, cards, rounds, needed, total |
| no_size | players, known (numbers of players) |
| too_few_cards | cards, players, least |
"""

import dataclasses
import difflib
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from kubli.games.contract import FORMAT, NAMES, Refused

__all__ = [
    "Check",
    "Fault",
    "each",
    "field_of",
    "fields",
    "inside",
    "item",
    "kind_of",
    "like",
    "mistyped",
    "most",
    "named",
    "or_null",
    "outside",
    "shown",
    "text",
    "unique",
    "unknown_key",
    "whole",
    "word",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a deck.

    Attributes:
        key: where, as `cards[3].first`; empty for the deck as a whole.
        code: the key of its sentence in the catalogue (words/en.json, "faults").
        rule: the id of the rule that says so, or FORMAT.
        values: what the sentence needs, what would be right included.
    """

    key: str
    code: str
    rule: str
    values: dict[str, Any]

    def refused(self) -> Refused:
        """The same as an exception, with `key` among its values."""
        return Refused(self.rule, self.code, key=self.key, **self.values)


Check = Callable[[str, Any], Iterator[Fault]]
"""A check: from the path and the value to all that is wrong there."""


# --- Values -----------------------------------------------------------------------------------------------------------


def whole(least: int, greatest: int, rule: str = FORMAT) -> Check:
    """A whole number from `least` to `greatest`; `true` is none, nor is `3.0`."""

    def check(path: str, value: Any) -> Iterator[Fault]:
        if type(value) is not int:
            yield mistyped(path, value, NAMES[int])
        elif not least <= value <= greatest:
            yield outside(path, value, least, greatest, rule)

    return check


def word(*known: str, rule: str = FORMAT) -> Check:
    """One of these words."""

    def check(path: str, value: Any) -> Iterator[Fault]:
        if type(value) is not str:
            yield mistyped(path, value, NAMES[str])
        elif value not in known:
            yield unknown(path, "unknown_word", value, known, rule, field=field_of(path), value=shown(value))

    return check


def text(longest: int) -> Check:
    """Words of one's own: not empty, not too long, and nothing that cannot be printed."""

    def check(path: str, value: Any) -> Iterator[Fault]:
        if type(value) is not str:
            yield mistyped(path, value, NAMES[str])
        elif not (0 < len(value) <= longest and value.isprintable() and value == value.strip()):
            yield Fault(path, "bad_text", FORMAT, {"most": longest})

    return check


def or_null(check: Check) -> Check:
    """What `check` lets through, or null."""
    return lambda path, value: iter(()) if value is None else check(path, value)


# --- Lists and objects ------------------------------------------------------------------------------------------------


def fields(needed: Mapping[str, Check], may: Mapping[str, Check] | None = None) -> Check:
    """An object with the fields `needed`, perhaps some of `may`, and no others."""
    known = {**needed, **(may or {})}

    def check(path: str, value: Any) -> Iterator[Fault]:
        if type(value) is not dict:
            yield mistyped(path, value, NAMES[dict])
            return
        for key in value:
            if key not in known:
                yield unknown(inside(path, key), "unknown_field", key, known, field=f"{shown(key)}", where="deck")
        for key, one in known.items():
            if key in value:
                yield from one(inside(path, key), value[key])
            elif key in needed:
                yield Fault(inside(path, key), "missing_field", FORMAT, {"field": key, "where": "deck"})

    return check


def item(needed: Mapping[str, Check], may: Mapping[str, Check] | None = None) -> Check:
    """An object as `fields` has it, that may also say its `name` and its `source`."""
    return fields(needed, {**(may or {}), "name": text(80), "source": text(200)})


def named(known: Collection[str], one: Check, least: int = 0, rule: str = FORMAT) -> Check:
    """An object whose keys are among `known`, at least `least` of them, each value as `one` has it."""

    def check(path: str, value: Any) -> Iterator[Fault]:
        if type(value) is not dict:
            yield mistyped(path, value, NAMES[dict])
            return
        if len(value) < least:
            yield Fault(path, "too_few", rule, {"count": len(value), "least": least})
        for key, entry in value.items():
            if key in known:
                yield from one(inside(path, key), entry)
            else:
                yield unknown_key(path, key, known, rule)

    return check


def each(one: Check, least: int, longest: int, rule: str = FORMAT) -> Check:
    """A list of `least` to `longest` values, each as `one` has it; those past `longest` are not looked at."""

    def check(path: str, value: Any) -> Iterator[Fault]:
        if type(value) is not list:
            yield mistyped(path, value, NAMES[list])
            return
        if len(value) < least:
            yield Fault(path, "too_few", rule, {"count": len(value), "least": least})
        if len(value) > longest:
            yield Fault(path, "too_many", FORMAT, {"count": len(value), "most": longest})
        for i, entry in enumerate(value[:longest]):
            yield from one(f"{path}[{i}]", entry)

    return check


def unique(path: str, items: Any, field: str, kind: type, rule: str) -> Iterator[Fault]:
    """Every item of a list that has the same value in `field` as one before it."""
    seen: dict[Any, str] = {}
    for i, one in enumerate(items if type(items) is list else ()):
        value = one.get(field) if type(one) is dict else None
        if type(value) is kind:
            here = f"{path}[{i}].{field}"
            if value in seen:
                yield Fault(here, "same_twice", rule, {"value": shown(value), "first": seen[value]})
            seen.setdefault(value, here)


def most(variant: type, field: str) -> int:
    """The largest number that a field of a game's Variant may have, and so a deck's."""
    return next(int(one.metadata["most"]) for one in dataclasses.fields(variant) if one.name == field)


# --- How faults say it ------------------------------------------------------------------------------------------------


def mistyped(path: str, value: Any, wanted: str) -> Fault:
    """A value of another type than wanted."""
    values = {"field": field_of(path), "where": "deck", "wanted": wanted, "got": kind_of(value)}
    return Fault(path, "wrong_type", FORMAT, values)


def outside(path: str, value: int, least: int, greatest: int, rule: str) -> Fault:
    """A number out of its range."""
    values = {"field": field_of(path), "value": shown(value), "least": least, "most": greatest}
    return Fault(path, "out_of_range", rule, values)


def unknown(path: str, code: str, got: Any, known: Collection[str], rule: str = FORMAT, **values: Any) -> Fault:
    """A word that is not among those known, with the nearest of them if one is near."""
    if nearest := like(got, known):
        return Fault(path, f"{code}_like", rule, {**values, "like": nearest, "known": list(known)})
    return Fault(path, code, rule, {**values, "known": list(known)})


def unknown_key(path: str, key: Any, known: Collection[str], rule: str) -> Fault:
    """A key of an object whose keys are words of the game, not fields: it is not among those known."""
    here = inside(path, key)
    return unknown(here, "unknown_word", key, known, rule, field=field_of(path), value=f"{shown(key)}")


def like(got: Any, known: Collection[str]) -> str | None:
    """The word among `known` that was probably meant."""
    near = difflib.get_close_matches(f"{shown(got)}"[:40].lower(), known, n=1)
    return near[0] if near else None


def kind_of(value: Any) -> str:
    """What a value is, in words for people."""
    if value is None:
        return "null"
    if type(value) is float:
        return "a number with a point"
    if isinstance(value, date | time):
        return "a date or time"
    return NAMES.get(type(value), type(value).__name__)


def shown(value: Any) -> Any:
    """A value as a sentence may have it: a word or a number, and not a long one."""
    if type(value) is int:
        return value if abs(value) < 10**15 else f"{value:#x}"[:20] + "…"
    if type(value) is float:
        return value if math.isfinite(value) else f"{value}"
    said = "".join(one if one.isprintable() else "?" for one in f"{value}"[:61])
    return said if len(said) <= 60 else said[:60] + "…"


def inside(path: str, key: Any) -> str:
    """The path of a key of the object at `path`."""
    said = f"{shown(key)}"
    plain = said.replace("_", "").isalnum()
    return (f"{path}.{said}" if path else said) if plain else f'{path}["{said}"]'


def field_of(path: str) -> str:
    """The last key of a path."""
    return path[path.rindex('["') + 2 : -2] if path.endswith('"]') else path.rpartition(".")[2]
