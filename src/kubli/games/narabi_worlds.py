"""What a viewer of Narabi knows, for learners and for search: a vector, a key, and worlds that fit.

All see all stones and hear all talk, so nothing is hidden but which sleeve has which condition: a world is a way to
give each sleeve a condition of its own, and all that fit are equally likely. Rule ids (NA-…) are those of
docs/rules/narabi.md. Sets are bits.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubli.games.kit import CHANCE, Luck, Part, fair, flags, further, length, nth, one_of, size, weighed
from kubli.games.narabi import ACTIONS, ASK, COUNTERCLOCKWISE, NOWHERE, OVER, STUCK, State, View, bar, proved, targets
from kubli.games.narabi_set import ALL, MOST, MOST_EXCHANGES, MOST_PLAYERS, NONE, Variant

__all__ = ["OBSERVATION", "Known", "Matchings", "encode", "known", "redeal"]

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
    one_of(
        out, ON_TURN, MOST_PLAYERS, further(view.on_turn, v.players, v.players - first) if view.on_turn >= 0 else NONE
    )
    for place in range(v.places):
        encode_place(v, view, place, first * v.row, out)
    one_of(out, ENDED, STUCK, view.how - 1)
    one_of(out, DIRECTION, COUNTERCLOCKWISE, view.direction - 1)


def encode_place(v: Variant, view: View, place: int, first: int, out: list[int]) -> None:
    """Write what a View has of one place; `first` is the viewer's first place."""
    at, goes = further(place, v.places, v.places - first), view.barred[place]
    one_of(out, STONE + at * MOST, MOST, view.stone[place])
    flags(out, POSSIBLE + at * MOST, MOST, view.possible[place])
    out[SEEN + at] = view.seen >> place & 1
    one_of(out, BARRED + at * MOST, MOST, further(goes, v.places, v.places - first) if goes != NOWHERE else NONE)


# --- What is certain --------------------------------------------------------------------------------------------------
Fact = Mapping[str, Any]  # as a viewer was told it


class Known(NamedTuple):
    """What is certain of a world.

    Conditions are drawn for one sleeve after the other, along nodes: each says for which sleeve, and has some ways on.
    The last node is where it begins, with a way for each of the `cases`. Each world is one way of one case.

    Attributes:
        by: who acted in each event; first of all come the deals.
        actions: what was done; each sleeve has the first condition.
        sleeve: by node, the event that dealt the sleeve, or NONE where there is none to draw for.
        first: by node, where its ways begin, and at last where they end.
        weight: by way, in how many worlds it is taken from there on; all are less than 2**63, for 15 sleeves have 15!.
        alike: by way, conditions of which the sleeve gets any that is left.
        then: by way, the node that comes next, or NONE.
    """

    by: list[int]
    actions: list[int]
    sleeve: list[int]
    first: list[int]
    weight: list[int]
    alike: list[int]
    then: list[int]

    def add(self, sleeve: int, ways: Sequence[tuple[int, int, int]]) -> int:
        """Add a node; returns its number. Ways are weight, conditions and the next node."""
        self.sleeve.append(sleeve)
        for weight, alike, then in ways:
            self.weight.append(weight)
            self.alike.append(alike)
            self.then.append(then)
        self.first.append(len(self.weight))
        return len(self.sleeve) - 1


def known(v: Variant, told: Sequence[Fact], viewer: int) -> Known:
    """What a viewer's facts leave open: it has read backs (NA-5), and exchanges, answers and turns prove something."""
    out, s, dealt = Known([], [], [], [0], [], [], []), State(), list[int]()
    for fact in told:
        read(v, s, fact)
        if fact["what"] == "sleeve_dealt":
            dealt.append(v.stone_names.index(fact["stone"]))
            s.stone[fact["place"]] = dealt[-1]
            out.by.append(CHANCE)
            out.actions.append(ACTIONS + (fact["place"] * MOST + dealt[-1]) * MOST)
        elif fact["what"] in ("answered", "exchanged"):
            out.by.append(fact["seat"])
            out.actions.append(answered(v, s, fact) if fact["what"] == "answered" else exchanged(v, s, fact))
        elif fact["what"] in ("turn", "no_exchange"):
            s.on_turn, s.how = fact["seat"], STUCK if fact["what"] == "no_exchange" else 0
    found = [Matchings([case[i] for i in dealt]) for case in cases(v, s)]
    out.add(NONE, [(case.count(), 0, case.write(out)) for case in found if case.count()])
    return out


def read(v: Variant, s: State, fact: Fact) -> None:
    """The viewer reads what this fact shows it of the backs of sleeves."""
    for stone, condition in (("stone", "condition"), ("gave", "gave_condition"), ("took", "took_condition")):
        if condition in fact:
            s.condition[v.stone_names.index(fact[stone])] = v.condition_names.index(fact[condition])


def answered(v: Variant, s: State, fact: Fact) -> int:
    """All heard an answer, which proves nothing where NA-19 says no."""
    if s.barred[fact["place"]] != fact["for"]:
        proved(v, s, fact["place"], fact["for"], int(fact["answer"] == "yes"))
    return ASK + int(fact["place"] * MOST + fact["for"])


def exchanged(v: Variant, s: State, fact: Fact) -> int:
    """Two sleeves changed places, which was allowed and ended the turn."""
    own, other = int(fact["own"]), int(fact["other"])
    proved(v, s, own, other, 1)
    s.stone[own], s.stone[other], s.on_turn = s.stone[other], s.stone[own], NONE
    bar(v, s, fact["seat"], own, other)
    return own * MOST + other


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
        self.written: dict[tuple[int, ...], int] = {}

    def count(self, turn: int = 0, left: int = ALL) -> int:
        """How many there are for the sleeves from this turn on, if these conditions are left."""
        if turn == len(self.order):
            return 1
        at = self.place(turn, left)
        if at not in self.counted:
            self.counted[at] = sum(self.weights(turn, left))
        return self.counted[at]

    def place(self, turn: int, left: int) -> tuple[int, ...]:
        """All that matters of the conditions left: how many are alike."""
        return (turn, *[size(one & left) for one in self.alike[turn]])

    def weights(self, turn: int, left: int) -> list[int]:
        """By conditions alike: in how many the sleeve whose turn it is has one of those."""
        left_to_it = [one & left & self.sets[self.order[turn]] for one in self.alike[turn]]
        return [size(one) and size(one) * self.count(turn + 1, left & ~(one & -one)) for one in left_to_it]

    def write(self, out: Known, turn: int = 0, left: int = ALL) -> int:
        """Add the nodes of the sleeves from this turn on; returns the first of them."""
        if turn == len(self.order):
            return NONE
        at = self.place(turn, left)
        if at not in self.written:
            sleeve, ways = self.order[turn], list[tuple[int, int, int]]()
            for one, weight in zip(self.alike[turn], self.weights(turn, left), strict=True):
                if weight:
                    gone = one & left & self.sets[sleeve]
                    ways.append((weight, one & self.sets[sleeve], self.write(out, turn + 1, left & ~(gone & -gone))))
            self.written[at] = out.add(sleeve, ways)
        return self.written[at]


def redeal(v: Variant, world: Known, luck: Luck, out: Any) -> None:
    """Write the actions of a game that tells the viewer just the same. All are as likely: only chance was hidden.

    Raises:
        ValueError: no game can have told this.
    """
    for i in range(len(world.actions)):
        out[i] = world.actions[i]
    node, left = len(world.sleeve) - 1, ALL
    while node != NONE:
        way = weighed(luck, world.weight, world.first[node], world.first[node + 1])
        if world.sleeve[node] != NONE:
            alike = world.alike[way] & left
            condition = nth(alike, fair(luck, size(alike)))
            out[world.sleeve[node]] += condition
            left ^= 1 << condition
        node = world.then[way]
