"""The little that every game stands on: fields of a State, facts, sets as bits, chance, and what a seat knows.

Rules are plain functions on ints and fixed-shape lists of ints. The primitives `tell`, `below`, `mix`, `nth`, `size`,
`members` and `where` are here in plain Python; compiled play puts its own in their place, and everything else of a
rules module runs unchanged. So rules keep to ints, loops and scalar element writes, and no set of bits reaches past
bit 61.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

__all__ = [
    "ALL",
    "CHANCE",
    "EVERYONE",
    "HIDDEN",
    "NOBODY",
    "OTHERS",
    "OWNER",
    "SEALED",
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
    "fresh_keys",
    "further",
    "heard",
    "knowers",
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

ALL, OTHERS, HIDDEN = -1, 1 << 30, 1 << 62
"""In a fact's `who`: everyone, and all seats but those named. In a key: what its viewer may not know."""

SEALED = True
"""Said of a fact: it is a choice that shall look the same made sooner or later."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may know a field of a fact: the seats that other fields of it name, or all other seats and no spectator.

    Attributes:
        names: the fields that name seats.
        others: whether it is all seats but those.
    """

    names: tuple[str, ...]
    others: bool = False


def known_to(*names: str) -> Audience:
    """The seats that these fields of the fact name, and nobody else."""
    return Audience(names)


def known_to_others(name: str) -> Audience:
    """All seats but the one that this field names, and no spectator."""
    return Audience((name,), others=True)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a fact.

    Attributes:
        known: EVERYONE, an Audience, or NOBODY, which is the default.
        form: how the int reads in a record, `form(v, value)`; the int itself if None.
        derive: for a field that no int is given for, `derive(v, s, values)`, read from the State when it is told. It
            brings no news: whoever may know it could say it already, for all that the ints of facts have told.
    """

    known: Audience | str = NOBODY
    form: Callable[[Any, int], Any] | None = None
    derive: Callable[[Any, Any, Mapping[str, int]], Any] | None = None


class Fact:
    """What a kind of fact is called and who may know which of its fields (record.md, "Facts").

    The fields without `derive` are given to `tell` as ints, in the order in which they stand here.

    Attributes:
        what: what it is called.
        fields: by name.
        given: names of those given as ints.
        derived: names of the others.
        audience: who may know each field, by name: see `knowers`.
        who: the same for the fact itself, and then for each int given.
        sealed: whether it is SEALED: then it enters only the keys of those who may know all of it.
    """

    __slots__ = ("audience", "derived", "fields", "given", "sealed", "what", "who")

    def __init__(self, what: str, sealed: bool = False, /, **fields: Field) -> None:
        """Name the fact and its fields; a field called `for` or `with` is passed as `**{"for": Field(...)}`."""
        self.what, self.sealed, self.fields = what, sealed, fields
        self.given = [name for name, one in fields.items() if one.derive is None]
        self.derived = [name for name, one in fields.items() if one.derive is not None]
        self.audience = {name: self.number_of(one.known) for name, one in fields.items()}
        self.who = [ALL, *(self.audience[name] for name in self.given)]

    def number_of(self, known: Audience | str) -> int:
        """An audience as a number, for `knowers`."""
        if isinstance(known, str):
            return ALL if known == EVERYONE else 0
        return bits_of(1 + self.given.index(name) for name in known.names) | (OTHERS if known.others else 0)


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
            if viewer is None or self.may_know(v.players, viewer, self.fact.audience[name])
        }

    def numbers_for(self, players: int, viewer: int) -> list[int | None]:
        """The ints given, in their order; None for those that a viewer may not know."""
        known = (self.may_know(players, viewer, who) for who in self.fact.who[1:])
        return [value if one else None for value, one in zip(self.values.values(), known, strict=True)]

    def may_know(self, players: int, viewer: int, who: int) -> bool:
        """Whether a viewer (a seat, or `players` for spectators) belongs to an audience."""
        return who == ALL or bool(knowers(players, who, [0, *self.values.values()]) >> viewer & 1)


def tell(v: Any, s: Any, fact: Fact, rule: int, *values: int) -> None:
    """Say what a rule has just decided: `tell(v, s, PEEKED, 10, seat, place, face)`.

    Nothing is kept where nobody asks for facts (`s.facts` is None). Compiled, it is `heard` where keys are kept, and
    else nothing at all.
    """
    if s.facts is None:
        return
    given = dict(zip(fact.given, values, strict=True))
    s.facts.append(Told(fact, rule, given, {name: fact.fields[name].derive(v, s, given) for name in fact.derived}))  # type: ignore[misc]


def knowers(players: int, who: int, numbers: Sequence[int]) -> int:
    """The viewers who may know a number of a fact, as bits; bit `players` is the spectators'.

    Args:
        players: how many play.
        who: ALL, or as bits which of the fact's numbers name those seats, with OTHERS: name all seats but those.
        numbers: which of the game's FACTS it is, from 1, then the ints given.
    """
    if who == ALL:
        return (1 << players + 1) - 1
    named = 0
    for i in range(1, len(numbers)):
        if who >> i & 1 and numbers[i] >= 0:
            named |= 1 << numbers[i]
    return (1 << players) - 1 & ~named if who & OTHERS else named


# --- Keys: what a viewer was told, in 64 bits -------------------------------------------------------------------------


def fresh_keys(players: int) -> list[int]:
    """The key of each viewer that was told nothing yet."""
    return [mix(0, viewer) for viewer in range(players + 1)]


def heard(keys: Any, players: int, sealed: bool, who: Sequence[int], numbers: Sequence[int]) -> None:
    """Stir a fact into the key of each viewer: what everyone may know as one word, then each other int or HIDDEN.

    Args:
        keys: of each viewer, the spectators' last.
        players: how many play.
        sealed: whether only those who may know all of it hear of it.
        who: the fact's.
        numbers: which of the game's FACTS it is, from 1, then the ints given.
    """
    hear, word = (1 << players + 1) - 1, mix(0, numbers[0])
    for i in range(1, len(numbers)):
        if who[i] == ALL:
            word = mix(word, numbers[i])
        elif sealed:
            hear &= knowers(players, who[i], numbers)
    for viewer in range(players + 1):
        if hear >> viewer & 1:
            keys[viewer] = mix(keys[viewer], word)
    for i in range(1, len(numbers)):
        if who[i] != ALL:
            know = knowers(players, who[i], numbers)
            for viewer in range(players + 1):
                if hear >> viewer & 1:
                    keys[viewer] = mix(keys[viewer], numbers[i] if know >> viewer & 1 else HIDDEN)


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


def further(seat: int, n: int, i: int) -> int:
    """The seat, or the place, that comes i after another one in a ring of n; i is at most n."""
    return seat + i if seat + i < n else seat + i - n


def around(bits: int, n: int, first: int) -> int:
    """A set of n seats, or of places of which the first n lie before seats, counted from seat `first` on."""
    low = bits & (1 << n) - 1
    return bits ^ low | (low >> first | low << n - first) & (1 << n) - 1


def fair(luck: Luck, n: int) -> int:
    """A number from 0 to n - 1, all exactly equally likely, for n up to 2**63.

    Raises:
        ValueError: n is below 1.
    """
    if n < 1:
        raise ValueError("nothing to draw from")
    mask = n - 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        high = below(luck, 1 << 31) if mask >> 32 else 0
        drawn = (high << 32 | below(luck, 1 << 32)) & mask
        if drawn < n:
            return drawn


def weighed(luck: Luck, weights: Sequence[int], first: int, end: int) -> int:
    """A place from `first` to `end` - 1, each as likely as the weight there is large; all together are below 2**63.

    Raises:
        ValueError: they are all 0, or there are none.
    """
    whole = 0
    for i in range(first, end):
        whole += weights[i]
    rest, at = fair(luck, whole), first
    while rest >= weights[at]:
        rest -= weights[at]
        at += 1
    return at
