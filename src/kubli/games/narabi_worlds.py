"""What a viewer of Narabi knows, for learners and for search: a vector, a key, and worlds that fit.

All see all stones and hear all talk, so nothing is hidden but which sleeve has which condition: a world is a way to
give each sleeve a condition of its own, and all that fit are equally likely. Rule ids (NA-…) are those of
docs/rules/narabi.md. Sets are bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kubli.games.contract import Event
from kubli.games.kit import Luck, Part, fair, flags, key_of, length, nth, one_of, size, weighed
from kubli.games.narabi import COUNTERCLOCKWISE, NOWHERE, OVER, STUCK, State, View, bar, proved, targets
from kubli.games.narabi_set import ALL, MOST, MOST_EXCHANGES, MOST_PLAYERS, NONE, Variant

__all__ = ["OBSERVATION", "Known", "Matchings", "encode", "key", "known", "redeal"]

# --- What a learner sees ----------------------------------------------------------------------------------------------
OBSERVATION = (
    Part("phase", OVER + 1, 1, "deal, exchange, over"),
    Part("viewer", MOST_PLAYERS + 1, 1, "the viewer's own seat, for actions name places as they are; last a spectator"),
    Part("exchanges", 1, MOST_EXCHANGES, "exchanges so far"),
    Part("on_turn", MOST_PLAYERS, 1, "by seat from the viewer on: on turn"),
    Part("questions_left", 1, 12, "questions that this turn may still have"),
    Part("stone", MOST * MOST, 1, "by place from the viewer's first on, then by stone of the deck: it lies there"),
    Part("possible", MOST * MOST, 1, "by place, then by condition of the deck: the sleeve there may have it"),
    Part("seen", MOST, 1, "by place: the viewer read the condition of the sleeve there"),
    Part("barred", MOST * MOST, 1, "by place, then by place: the sleeve at the first may not go to the second (NA-19)"),
    Part("how", STUCK, 1, "how the game ended: order, limit, no_exchange"),
    Part("direction", COUNTERCLOCKWISE, 1, "the way round in which the order stands: clockwise, counterclockwise"),
)
STARTS = [length(OBSERVATION[:i]) for i in range(len(OBSERVATION))]
PHASE, VIEWER, EXCHANGES, ON_TURN, QUESTIONS_LEFT, STONE, POSSIBLE, SEEN, BARRED, ENDED, DIRECTION = STARTS


def encode(v: Variant, view: View, viewer: int, out: list[int]) -> None:
    """Write a View as numbers; seats and places count from the viewer's on, a spectator's from seat 0's."""
    first = viewer if viewer < v.players else 0
    one_of(out, PHASE, OVER + 1, view.phase)
    one_of(out, VIEWER, MOST_PLAYERS + 1, viewer if viewer < v.players else MOST_PLAYERS)
    out[EXCHANGES], out[QUESTIONS_LEFT] = view.exchanges, view.questions_left
    one_of(out, ON_TURN, MOST_PLAYERS, (view.on_turn + v.players - first) % v.players if view.on_turn >= 0 else NONE)
    for place in range(v.places):
        encode_place(v, view, place, first * v.row, out)
    one_of(out, ENDED, STUCK, view.how - 1)
    one_of(out, DIRECTION, COUNTERCLOCKWISE, view.direction - 1)


def encode_place(v: Variant, view: View, place: int, first: int, out: list[int]) -> None:
    """Write what a View has of one place; `first` is the viewer's first place."""
    at, goes = place - first if place >= first else place - first + v.places, view.barred[place]
    one_of(out, STONE + at * MOST, MOST, view.stone[place])
    flags(out, POSSIBLE + at * MOST, MOST, view.possible[place])
    out[SEEN + at] = view.seen >> place & 1
    one_of(out, BARRED + at * MOST, MOST, (goes + v.places - first) % v.places if goes != NOWHERE else NONE)


# --- What is certain --------------------------------------------------------------------------------------------------
Fact = Mapping[str, Any]  # as a viewer was told it


def key(v: Variant, told: Sequence[Fact], viewer: int) -> int:
    """64 bits of all that a viewer was told: no choice in Narabi is sealed, so every order is part of it."""
    return key_of(viewer, told)


@dataclass(slots=True)
class Known:
    """What is certain of a world.

    Attributes:
        sleeves: the facts of the deal.
        events: what happened since, as a record has it.
        cases: the ways to give each of these sleeves a condition of its own. Each world is one way of one case.
    """

    sleeves: list[Fact]
    events: list[Event]
    cases: list["Matchings"]


def known(v: Variant, told: Sequence[Fact], viewer: int) -> Known:
    """What a viewer's facts leave open: it has read backs (NA-5), and exchanges, answers and turns prove something."""
    s, sleeves, events = State(), [], []
    for fact in told:
        read(v, s, fact)
        if fact["what"] == "sleeve_dealt":
            s.stone[fact["place"]] = v.stone_names.index(fact["stone"])
            sleeves.append(fact)
        elif fact["what"] in ("answered", "exchanged"):
            events.append(answered(v, s, fact) if fact["what"] == "answered" else exchanged(v, s, fact))
        elif fact["what"] in ("turn", "no_exchange"):
            s.on_turn, s.how = fact["seat"], STUCK if fact["what"] == "no_exchange" else 0
    dealt = [v.stone_names.index(fact["stone"]) for fact in sleeves]
    return Known(sleeves, events, [Matchings([case[i] for i in dealt]) for case in cases(v, s)])


def read(v: Variant, s: State, fact: Fact) -> None:
    """The viewer reads what this fact shows it of the backs of sleeves."""
    for stone, condition in (("stone", "condition"), ("gave", "gave_condition"), ("took", "took_condition")):
        if condition in fact:
            s.condition[v.stone_names.index(fact[stone])] = v.condition_names.index(fact[condition])


def answered(v: Variant, s: State, fact: Fact) -> Event:
    """All heard an answer, which proves nothing where NA-19 says no."""
    if s.barred[fact["place"]] != fact["for"]:
        proved(v, s, fact["place"], fact["for"], int(fact["answer"] == "yes"))
    return {"by": fact["seat"], "act": "ask", "place": fact["place"], "for": fact["for"]}


def exchanged(v: Variant, s: State, fact: Fact) -> Event:
    """Two sleeves changed places, which was allowed and ended the turn."""
    own, other = fact["own"], fact["other"]
    proved(v, s, own, other, 1)
    s.stone[own], s.stone[other], s.on_turn = s.stone[other], s.stone[own], NONE
    bar(v, s, fact["seat"], own, other)
    return {"by": fact["seat"], "act": "exchange", "own": own, "other": other}


def cases(v: Variant, s: State) -> list[list[int]]:
    """The conditions that each stone may have, split into cases by what a turn without an exchange yet says (NA-10).

    If the game goes on, one of the row's sleeves is the first that may go somewhere; if it ended so, none may.
    """
    none = [1 << has if has != NONE else v.conditions & ~s.ruled_out[i] for i, has in enumerate(s.condition)]
    if s.on_turn == NONE:
        return [none]
    found = []
    for own in range(s.on_turn * v.row, s.on_turn * v.row + v.row):
        stone, still = s.stone[own], stays(v, s, own)
        found.append([*none[:stone], none[stone] & ~still, *none[stone + 1 :]])
        none[stone] &= still
    return [none] if s.how == STUCK else found


def stays(v: Variant, s: State, own: int) -> int:
    """The conditions with which the sleeve at a place of the seat on turn could go nowhere."""
    found = 0
    for condition in range(size(v.conditions)):
        s.condition[s.stone[own]] = condition
        found |= (targets(v, s, own) == 0) << condition
    return found


# --- Worlds -----------------------------------------------------------------------------------------------------------
class Matchings:
    """All ways to give each of some sleeves a condition of its own, out of those that each may have.

    Sleeves come in turn, those of few conditions first. Conditions that the same sleeves may have from some turn on are
    then alike: only how many of them are left counts. So some thousand sums are much, and most games take a few dozen.
    """

    def __init__(self, sets: Sequence[int]) -> None:
        """Of the set of conditions that each sleeve may have."""
        self.sets, self.order = sets, sorted(range(len(sets)), key=lambda i: (size(sets[i]), sets[i]))
        self.alike: list[list[int]] = [[]]  # by turn
        for one in [sets[i] for i in reversed(self.order)]:
            later = [*self.alike[0], one & ~sum(self.alike[0])]
            self.alike.insert(0, [part for old in later for part in (old & one, old & ~one) if part])
        self.counted: dict[tuple[int, ...], int] = {}

    def count(self, turn: int = 0, left: int = ALL) -> int:
        """How many there are for the sleeves from this turn on, if these conditions are left."""
        if turn == len(self.order):
            return 1
        at = (turn, *[size(one & left) for one in self.alike[turn]])
        if at not in self.counted:
            self.counted[at] = sum(self.weights(turn, left))
        return self.counted[at]

    def weights(self, turn: int, left: int) -> list[int]:
        """By conditions alike: in how many the sleeve whose turn it is has one of those."""
        left_to_it = [one & left & self.sets[self.order[turn]] for one in self.alike[turn]]
        return [size(one) and size(one) * self.count(turn + 1, left & ~(one & -one)) for one in left_to_it]

    def draw(self, luck: Luck) -> list[int]:
        """One of them, all equally likely: the condition of each sleeve. There must be one."""
        given, left = [NONE] * len(self.sets), ALL
        for turn, sleeve in enumerate(self.order):
            one = left & self.alike[turn][weighed(luck, self.weights(turn, left))]
            given[sleeve] = nth(one, fair(luck, size(one)))
            left ^= 1 << given[sleeve]
        return given


def redeal(v: Variant, told: Sequence[Fact], viewer: int, luck: Luck) -> list[Event]:
    """A world that tells this viewer just the same. All are equally likely: all deals are, and no choice was secret.

    Raises:
        ValueError: no game can have told this.
    """
    certain = known(v, told, viewer)
    case = certain.cases[weighed(luck, [case.count() for case in certain.cases])]
    events: list[Event] = []
    for fact, has in zip(certain.sleeves, case.draw(luck), strict=True):
        sleeve = {"stone": fact["stone"], "condition": v.condition_names[has]}
        events.append({"by": "chance", "sleeve": sleeve, "place": fact["place"]})
    return events + certain.events
