"""The little that every game stands on: fields of a State, facts, sets as bits, chance, and what a seat knows.

Rules are plain functions on ints and fixed-shape lists of ints. The primitives `tell`, `below`, `mix`, `nth`, `size`,
`members` and `where` are here in plain Python; compiled play puts its own in their place, and everything else of a
rules module runs unchanged. So rules keep to ints, loops and scalar element writes, and no set of bits reaches past
bit 61.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

__all__ = [
    "CHANCE",
    "EVERYONE",
    "NOBODY",
    "OWNER",
    "Audience",
    "Fact",
    "Field",
    "Luck",
    "Part",
    "Told",
    "around",
    "below",
    "bits_of",
    "facts",
    "fair",
    "flags",
    "key_of",
    "known_to",
    "known_to_others",
    "length",
    "members",
    "mix",
    "nth",
    "number",
    "numbers",
    "one_of",
    "put",
    "put_all",
    "shuffled",
    "size",
    "tell",
    "weighed",
    "where",
    "words",
]

T = TypeVar("T")

CHANCE = -1  # who acts when dice are thrown or cards are dealt; seats are 0 to players - 1, a spectator is `players`
MASK = (1 << 64) - 1

# --- Fields of a State, a View or a Variant ---------------------------------------------------------------------------

NOBODY, EVERYONE, OWNER = "nobody", "everyone", "owner"
"""Who may know an entry of a State: nobody, everyone, or the viewer that the first index numbers. A rules module may
name a function of its own instead, `known="place_owner"`, called as `place_owner(v, s, viewer, *index) -> bool`."""


def number(*, most: int, least: int = 0, start: int = 0, known: str = NOBODY) -> Any:
    """A dataclass field that is one int from `least` to `most`, `start` at first, which `known` may know."""
    return field(default=start, metadata={"shape": (), "least": least, "most": most, "start": start, "known": known})


def numbers(*shape: int, most: int, least: int = 0, start: int = 0, known: str = NOBODY) -> Any:
    """A dataclass field of nested lists of ints of this shape, each from `least` to `most` and `start` at first."""
    meta = {"shape": shape, "least": least, "most": most, "start": start, "known": known}
    return field(default_factory=lambda: filled(shape, start), metadata=meta)


def filled(shape: tuple[int, ...], value: int) -> Any:
    """Nested lists of this shape with `value` everywhere."""
    if len(shape) < 2:
        return [value] * shape[0] if shape else value
    return [filled(shape[1:], value) for _ in range(shape[0])]


def words(default: Any = ()) -> Any:
    """A dataclass field that is not a number (names of stones, a deck as read): never in a compiled row."""
    return field(default=default, metadata={"words": True})


def facts() -> Any:
    """The dataclass field where `tell` puts what happened, until the table takes it: never in a compiled row."""
    return field(default_factory=list, metadata={"words": True}, compare=False, repr=False)


# --- Facts ------------------------------------------------------------------------------------------------------------

Audience = Callable[[int, Mapping[str, int]], int]
"""From the number of players and a fact's values by name: the viewers who may know a field, as bits (bit `players` is
the spectators')."""


def known_to(*names: str) -> Audience:
    """The seats that these fields of the fact name, and nobody else."""

    def audience(_players: int, values: Mapping[str, int]) -> int:
        return sum({1 << values[name] for name in names if values[name] >= 0})

    return audience


def known_to_others(name: str) -> Audience:
    """All seats but the one that this field names, and no spectator."""

    def audience(players: int, values: Mapping[str, int]) -> int:
        return (1 << players) - 1 & ~(1 << values[name])

    return audience


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a fact.

    Attributes:
        known: EVERYONE, an Audience, or NOBODY, which is the default.
        form: how the int reads in a record, `form(v, value)`; the int itself if None.
        derive: for a field that no int is given for, `derive(v, s, values)`, read from the State when it is told.
    """

    known: Audience | str = NOBODY
    form: Callable[[Any, int], Any] | None = None
    derive: Callable[[Any, Any, Mapping[str, int]], Any] | None = None


class Fact:
    """What a kind of fact is called and who may know which of its fields (record.md, "Facts").

    The fields without `derive` are given to `tell` as ints, in the order in which they stand here.
    """

    __slots__ = ("derived", "fields", "given", "what")

    def __init__(self, what: str, /, **fields: Field) -> None:
        """Name the fact and its fields; a field called `for` or `with` is passed as `**{"for": Field(...)}`."""
        self.what = what
        self.fields = fields
        self.given = [name for name, one in fields.items() if one.derive is None]
        self.derived = [name for name, one in fields.items() if one.derive is not None]


@dataclass(slots=True)
class Told:
    """A fact that happened.

    Attributes:
        fact: its kind.
        rule: the number of the rule that says so.
        values: the ints given, by field.
        derived: the fields read from the State at that moment.
    """

    fact: Fact
    rule: int
    values: dict[str, int]
    derived: dict[str, Any]

    def fields_for(self, v: Any, viewer: int | None) -> dict[str, Any]:
        """The fields that a viewer may know (None: all of them), as they stand in a record."""
        return {
            name: self.derived[name]
            if one.derive is not None
            else (self.values[name] if one.form is None else one.form(v, self.values[name]))
            for name, one in self.fact.fields.items()
            if viewer is None or self.may_know(v.players, viewer, one.known)
        }

    def numbers_for(self, players: int, viewer: int) -> list[int | None]:
        """The ints given, in their order; None for those that a viewer may not know."""
        known = (self.may_know(players, viewer, self.fact.fields[name].known) for name in self.fact.given)
        return [value if one else None for value, one in zip(self.values.values(), known, strict=True)]

    def may_know(self, players: int, viewer: int, known: Audience | str) -> bool:
        """Whether a viewer (a seat, or `players` for spectators) belongs to a field's audience."""
        if known == EVERYONE:
            return True
        return not isinstance(known, str) and bool(known(players, self.values) >> viewer & 1)


def tell(v: Any, s: Any, fact: Fact, rule: int, *values: int) -> None:
    """Say what a rule has just decided: `tell(v, s, PEEKED, 10, seat, place, face)`.

    Nothing is kept where nobody asks for facts (`s.facts` is None); compiled, it is nothing at all.
    """
    if s.facts is None:
        return
    given = dict(zip(fact.given, values, strict=True))
    s.facts.append(Told(fact, rule, given, {name: fact.fields[name].derive(v, s, given) for name in fact.derived}))  # type: ignore[misc]


# --- Sets of small numbers, as bits -----------------------------------------------------------------------------------


def size(bits: int) -> int:
    """How many members a set has."""
    return bits.bit_count()


def nth(bits: int, k: int) -> int:
    """The k-th smallest member of a set, counted from 0; `k` is below its size."""
    for _ in range(k):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def where(values: Sequence[int], n: int, bits: int) -> int:
    """The set of those places among the first n of a list whose number is in a set.

    Numbers there are from 0 to 31, for compiled code looks at all places at a time.
    """
    found = 0
    for i in range(n):
        found |= (bits >> values[i] & 1) << i
    return found


def members(bits: int, out: list[int], at: int = 0, more: int = 0) -> int:
    """Write the members of a set, each plus `more`, to `out` in ascending order from place `at` on; returns its end."""
    while bits:
        out[at] = (bits & -bits).bit_length() - 1 + more
        bits &= bits - 1
        at += 1
    return at


# --- Chance -----------------------------------------------------------------------------------------------------------


class Luck:
    """A stream of random numbers: SplitMix64 over a counter, so it depends on nothing but its start.

    Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
    """

    __slots__ = ("state",)

    def __init__(self, *start: int) -> None:
        """Start from any ints, each taken modulo 2**64: (seed, game) for a deal, (seed, game, seat) for a bot."""
        self.state = 0
        for one in start:
            self.state = mix(self.state, one & MASK)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely but for a bias under n / 2**32."""
        return below(self, n)

    def pick(self, choices: Sequence[T]) -> T:
        """One of these, all equally likely."""
        return choices[below(self, len(choices))]


def below(luck: Luck, n: int) -> int:
    """A number from 0 to n - 1 off the stream (n at most 2**32)."""
    luck.state = z = (luck.state + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return ((z ^ (z >> 31)) >> 32) * n >> 32


def mix(h: int, what: int) -> int:
    """Stir one more number into a 64-bit hash."""
    h = (h ^ (what + 1)) * 0xBF58476D1CE4E5B9 & MASK
    return h ^ (h >> 32)


def bits_of(numbers: Iterable[int]) -> int:
    """The set of these numbers, as bits."""
    return sum({1 << one for one in numbers})


# --- What a seat knows, for learning and search -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A run of whole numbers in a learner's vector.

    Attributes:
        name: what it is called.
        size: how many numbers.
        most: the largest that any of them may be.
        text: what they mean, for docs/guides/observations.md.
        least: the smallest that any of them may be.
    """

    name: str
    size: int
    most: int
    text: str
    least: int = 0


def length(parts: Iterable[Part]) -> int:
    """How many numbers these parts have together."""
    return sum(part.size for part in parts)


def put(out: Any, at: int, value: int) -> int:
    """Write one number of a learner's vector; returns where the next part begins, as the next ones do."""
    out[at] = value
    return at + 1


def put_all(out: Any, at: int, values: Sequence[int], n: int) -> int:
    """Write the first n numbers of a list."""
    for i in range(n):
        out[at + i] = values[i]
    return at + n


def one_of(out: Any, at: int, size: int, which: int) -> int:
    """Write 1 for one of `size` things and leave 0 for the others; nothing if it is none of them."""
    if 0 <= which < size:
        out[at + which] = 1
    return at + size


def flags(out: Any, at: int, size: int, bits: int) -> int:
    """Write a set as one 0 or 1 for each that may be in it."""
    for i in range(size):
        out[at + i] = bits >> i & 1
    return at + size


def around(bits: int, n: int, first: int) -> int:
    """A set of n seats, or of places of which the first n lie before seats, counted from seat `first` on."""
    low = bits & (1 << n) - 1
    return bits ^ low | (low >> first | low << n - first) & (1 << n) - 1


def key_of(viewer: int, told: Iterable[Mapping[str, Any]]) -> int:
    """A 64-bit key of a viewer and what it was told, in order; the numbers of the events do not enter."""
    said = [{name: value for name, value in fact.items() if name != "event"} for fact in told]
    text = json.dumps([viewer, said], sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def fair(luck: Luck, n: int) -> int:
    """A number from 0 to n - 1, all exactly equally likely, for n of any size.

    Raises:
        ValueError: n is below 1.
    """
    if n < 1:
        raise ValueError("nothing to draw from")
    wide = (n - 1).bit_length()
    while True:
        drawn = 0
        for _ in range(0, wide, 32):
            drawn = drawn << 32 | luck.below(1 << 32)
        drawn >>= -wide % 32
        if drawn < n:
            return drawn


def shuffled(things: Sequence[T], count: int, luck: Luck) -> list[T]:
    """So many of these in random order, all equally likely."""
    pool = [*things]
    for i in range(count):
        k = i + fair(luck, len(pool) - i)
        pool[i], pool[k] = pool[k], pool[i]
    return pool[:count]


def weighed(luck: Luck, weights: Sequence[int]) -> int:
    """The index of one of these weights, each as likely as it is large; at least one is not 0."""
    rest = fair(luck, sum(weights))
    for index, weight in enumerate(weights):
        if rest < weight:
            return index
        rest -= weight
    raise ValueError("no weights")
