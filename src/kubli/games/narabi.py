"""Narabi, for 3 to 5 players, who win or lose together: put the stones of the ring in order.

Source: Narabi by Daniel Fehr, the Dutch rulebook, which names no edition. Rule ids (NA-…) are those of
docs/rules/narabi.md. The file reads as the rulebook does; what stones there are and what a condition allows is in
narabi_set.py. A stone and its condition never part, so a sleeve is known by its stone. Sets are bits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kubli.games import kit
from kubli.games.contract import Event, Option, Refused, Shown, fault, parts, take
from kubli.games.kit import CHANCE, EVERYONE, Fact, Field, known_to, members, nth, number, numbers, size, tell, where
from kubli.games.narabi_set import ALL, MOST, MOST_EXCHANGES, MOST_PLAYERS, NONE, Variant, variant

__all__ = ["Variant", "variant"]

NAME, TITLE, PREFIX, RULES, PLAYERS = "narabi", "Narabi", "NA", "1", range(3, 6)
OPTIONS = (Option("questions", 16, 3, 0, 12), Option("silent", 18, False), Option("no_return", 19, False))
MEMORY = ("looked", "proved")  # what viewers remember: no rule reads it, so fast play may leave it out

# Exchanges are own place, other place; then come questions, place, other place; then deals, place, stone, condition.
ASK = MOST * MOST
ACTIONS, CHANCE_ACTIONS = 2 * ASK, MOST * ASK

DEAL, EXCHANGE, OVER = range(3)
PHASES, HOW = ["deal", "exchange", "over"], [None, "order", "limit", "no_exchange"]
IN_ORDER, AT_LIMIT, STUCK, ENDED_BY = 1, 2, 3, [0, 12, 14, 10]  # ENDED_BY: the rule, by how the game ended
DIRECTIONS, CLOCKWISE, COUNTERCLOCKWISE = [None, "clockwise", "counterclockwise"], 1, 2
NOWHERE = MOST


@dataclass(slots=True)
class State:
    """One game: all that is true."""

    empty: int = number(most=ALL, known=EVERYONE)  # places without a sleeve
    stones: int = number(most=ALL, known=EVERYONE)  # still to be dealt …
    conditions: int = number(most=ALL)  # … with some of these
    stone: list[int] = numbers(MOST, least=NONE, start=NONE, most=MOST - 1, known=EVERYONE)  # by place
    condition: list[int] = numbers(MOST, least=NONE, start=NONE, most=MOST - 1, known="has_seen")  # by stone
    starter: int = number(most=MOST_PLAYERS - 1, known=EVERYONE)
    on_turn: int = number(least=CHANCE, start=CHANCE, most=MOST_PLAYERS - 1, known=EVERYONE)
    asked: int = number(most=12, known=EVERYONE)  # questions in this turn
    exchanges: int = number(most=MOST_EXCHANGES, known=EVERYONE)
    barred: list[int] = numbers(MOST, start=NOWHERE, most=NOWHERE, known=EVERYONE)  # by place: where it may not send to
    how: int = number(most=STUCK, known=EVERYONE)
    direction: int = number(most=COUNTERCLOCKWISE, known=EVERYONE)
    seen: list[int] = numbers(MOST_PLAYERS + 1, most=ALL, known=EVERYONE)  # by viewer: stones whose back it has read
    ruled_out: list[int] = numbers(MOST, most=ALL, known=EVERYONE)  # by stone: conditions that all know it has not
    facts: list[kit.Told] = kit.facts()


def has_seen(v: Variant, s: State, viewer: int, stone: int) -> bool:
    """Whether a viewer once had this sleeve before it; what it read there it remembers (NA-5)."""
    return bool(s.seen[viewer] >> stone & 1)


# --- Facts ------------------------------------------------------------------------------------------------------------

SEAT = PLACE = COUNT = Field(EVERYONE)
STONE = Field(EVERYONE, lambda v, stone: v.stone_names[stone])
OWN = Field(known_to("seat"), lambda v, condition: v.condition_names[condition])
BOTH = Field(known_to("seat", "with"), lambda v, condition: v.condition_names[condition])
ANSWER, WON = Field(EVERYONE, lambda v, yes: "yes" if yes else "no"), Field(EVERYONE, lambda v, won: bool(won))
WHY, WAY = Field(EVERYONE, lambda v, how: HOW[how]), Field(EVERYONE, lambda v, way: DIRECTIONS[way])

SLEEVE_DEALT = Fact("sleeve_dealt", place=PLACE, seat=SEAT, stone=STONE, condition=OWN)
TURN, NO_EXCHANGE = Fact("turn", seat=SEAT, number=COUNT), Fact("no_exchange", seat=SEAT)
ANSWERED = Fact("answered", **{"seat": SEAT, "place": PLACE, "for": PLACE, "owner": SEAT, "answer": ANSWER})
TRADE = {"seat": SEAT, "own": PLACE, "other": PLACE, "with": SEAT, "number": COUNT, "gave": STONE, "took": STONE}
EXCHANGED = Fact("exchanged", **TRADE, gave_condition=BOTH, took_condition=BOTH)
GAME_OVER = Fact("game_over", won=WON, how=WHY, direction=WAY, exchanges=COUNT)
FACTS = (SLEEVE_DEALT, TURN, ANSWERED, EXCHANGED, NO_EXCHANGE, GAME_OVER)


# --- Preparation ------------------------------------------------------------------------------------------------------
def setup(v: Variant, s: State) -> None:
    """Nothing lies yet: a sleeve is to be dealt to each place, in any order."""
    s.empty, s.stones, s.conditions = (1 << v.places) - 1, v.stones, v.conditions


def outcomes(v: Variant, s: State) -> int:
    """How many pairs of a stone and a condition the next sleeve may be, all equally likely; or 0."""
    return size(s.stones) * size(s.conditions) if s.empty else 0


def draw(v: Variant, s: State, k: int) -> int:
    """The k-th of them, for the lowest empty place: by stone (of blanks alike the first, NA-3), then by condition."""
    n = size(s.conditions)
    return ACTIONS + (nth(s.empty, 0) * MOST + nth(s.stones, k // n)) * MOST + nth(s.conditions, k % n)


def deal(v: Variant, s: State, place: int, stone: int, condition: int) -> None:
    """A sleeve is laid stone side up (NA-4); only its owner may look at the back (NA-5)."""
    alike = s.stones & v.alike[stone]
    s.stones ^= 1 << (stone if alike >> stone & 1 else nth(alike, size(alike) - 1))  # NA-3: one of its kind less
    s.conditions ^= 1 << condition
    s.empty ^= 1 << place
    s.stone[place], s.condition[stone] = stone, condition
    if stone == v.zero:
        s.starter = v.owner[place]  # NA-6
    looked(v, s, v.owner[place], stone)
    tell(v, s, SLEEVE_DEALT, 4, place, v.owner[place], stone, condition)
    if s.empty == 0:
        settle(v, s, s.starter)


# --- What is allowed --------------------------------------------------------------------------------------------------
def to_act(v: Variant, s: State) -> int:
    """The seat on turn, as a set."""
    return 1 << s.on_turn if s.on_turn >= 0 else 0


def targets(v: Variant, s: State, own: int) -> int:
    """The places to which the sleeve at a place may go when its owner is on turn, as a set (NA-7, NA-8, NA-19)."""
    condition = s.condition[s.stone[own]]
    places = where(s.stone, v.places, v.allows[condition][s.stone[own]])
    return places & v.reaches[condition][v.owner[own]] & ~(1 << s.barred[own])


def refusal(v: Variant, s: State, by: int, action: int) -> int:
    """0, or the rule that forbids this."""
    first, second, third = action // ASK, action // MOST % MOST, action % MOST
    if s.how > 0:
        return ENDED_BY[s.how]
    if action >= ACTIONS:
        return refusal_of_deal(v, s, by, first - 2, second, third)
    if s.empty > 0:
        return 4  # NA-4: first all sleeves are dealt
    return refusal_of_question(v, s, by, second, third) if first else refusal_of_exchange(v, s, by, second, third)


def refusal_of_deal(v: Variant, s: State, by: int, place: int, stone: int, condition: int) -> int:
    """0, or the rule that forbids to lay this sleeve there."""
    if by != CHANCE or not s.empty >> place & 1:
        return 4  # NA-4: one sleeve on each place
    if s.condition[stone] >= 0:
        return 1  # NA-1: each stone once
    if not s.conditions >> condition & 1:
        return 2  # NA-2: each condition once
    return 0 if s.stones & v.alike[stone] else 3  # NA-3: no more of a kind than are in play


def refusal_of_exchange(v: Variant, s: State, by: int, own: int, other: int) -> int:
    """0, or the rule that forbids to give one sleeve for the other."""
    if by != s.on_turn:
        return 6  # NA-6
    if v.owner[own] != by or v.owner[other] == by or v.owner[other] == NONE:
        return 7  # NA-7
    if s.barred[own] == other:
        return 19  # NA-19
    return 0 if targets(v, s, own) >> other & 1 else 8  # NA-8: as the condition of one's own says, not of the other


def refusal_of_question(v: Variant, s: State, by: int, place: int, other: int) -> int:
    """0, or the rule that forbids to ask whether one sleeve could be exchanged for the other."""
    if v.silent:
        return 18  # NA-18
    if by != s.on_turn or s.asked >= v.questions or v.owner[place] == by:
        return 16  # NA-16
    return 16 if v.owner[place] == v.owner[other] or v.owner[place] == NONE or v.owner[other] == NONE else 0  # NA-16


def legal(v: Variant, s: State, seat: int, out: list[int]) -> int:
    """Write what this seat may do, ascending; returns how many."""
    n = 0
    if seat == s.on_turn:
        for own in range(seat * v.row, seat * v.row + v.row):
            n = members(targets(v, s, own), out, n, own * MOST)
        for place in range(v.places if s.asked < v.questions else 0):
            for other in range(v.places if v.owner[place] != seat else 0):
                out[n] = ASK + place * MOST + other
                n += v.owner[other] != v.owner[place]
    return n


# --- The course of the game -------------------------------------------------------------------------------------------
def step(v: Variant, s: State, by: int, action: int) -> None:
    """What happens now, by chance or by choice."""
    first, second, third = action // ASK, action // MOST % MOST, action % MOST
    if action >= ACTIONS:
        deal(v, s, first - 2, second, third)
    elif action >= ASK:
        ask(v, s, by, second, third)
    else:
        exchange(v, s, by, second, third)


def begin_turn(v: Variant, s: State, seat: int) -> None:
    """The player on turn must exchange; if nothing is allowed all have lost, before any question (NA-10)."""
    s.on_turn, s.asked = seat, 0
    tell(v, s, TURN, 6, seat, s.exchanges + 1)
    for own in range(seat * v.row, seat * v.row + v.row):
        if targets(v, s, own) > 0:
            return
    tell(v, s, NO_EXCHANGE, 10, seat)
    finish(v, s, STUCK, 0)


def ask(v: Variant, s: State, by: int, place: int, other: int) -> None:
    """The owner of a sleeve says whether the exchange would be allowed; all hear it, and it takes no turn (NA-16)."""
    answer = targets(v, s, place) >> other & 1
    s.asked += 1
    if s.barred[place] != other:  # where NA-19 says no, the answer shows nothing of the condition
        proved(v, s, place, other, answer)
    tell(v, s, ANSWERED, 16, by, place, other, v.owner[place], answer)


def exchange(v: Variant, s: State, seat: int, own: int, other: int) -> None:
    """Two sleeves change places, each with its condition (NA-2), and the next player is on turn (NA-6)."""
    gave, took, partner = s.stone[own], s.stone[other], v.owner[other]
    proved(v, s, own, other, 1)
    s.stone[own], s.stone[other] = took, gave
    s.exchanges += 1  # NA-11
    bar(v, s, seat, own, other)
    looked(v, s, seat, took)
    looked(v, s, partner, gave)
    tell(v, s, EXCHANGED, 7, seat, own, other, partner, s.exchanges, gave, took, s.condition[gave], s.condition[took])
    settle(v, s, seat + 1 if seat + 1 < v.players else 0)


def bar(v: Variant, s: State, seat: int, own: int, other: int) -> None:
    """What was barred in this turn no longer is; neither sleeve may go straight back on its new holder's next turn."""
    if v.no_return:
        for place in range(seat * v.row, seat * v.row + v.row):
            s.barred[place] = NOWHERE
        s.barred[own], s.barred[other] = other, own  # NA-19


def looked(v: Variant, s: State, viewer: int, stone: int) -> None:
    """A viewer has read the condition of a sleeve before it (NA-5)."""
    s.seen[viewer] |= 1 << stone


def proved(v: Variant, s: State, own: int, other: int, answer: int) -> None:
    """All know now whether the sleeve at one place may go to the other: some conditions it can't have (NA-8)."""
    allow = v.lets[s.stone[own]][s.stone[other]] & v.lead[v.owner[own]][other]
    s.ruled_out[s.stone[own]] |= v.conditions & ~allow if answer else allow


# --- The end ----------------------------------------------------------------------------------------------------------
def settle(v: Variant, s: State, seat: int) -> None:
    """After the deal and after each exchange: do the stones stand in order, was it the last, and who is next?"""
    direction = order(v, s)
    if direction > 0:
        finish(v, s, IN_ORDER, direction)  # NA-12
    elif s.exchanges == v.limit:
        finish(v, s, AT_LIMIT, 0)  # NA-14
    else:
        begin_turn(v, s, seat)


def order(v: Variant, s: State) -> int:
    """The direction in which the numbers stand in order around the ring, wherever they begin; 0 if they do not."""
    before, directions = NONE, CLOCKWISE | COUNTERCLOCKWISE
    for place in range(v.places):
        stone = s.stone[place]
        if v.after[stone] != NONE:  # NA-9: blanks are passed over
            if before != NONE:
                directions &= (v.after[before] == stone) | (v.after[stone] == before) << 1  # NA-12
            before = stone
            if directions == 0:
                return 0
    return CLOCKWISE if directions & CLOCKWISE else COUNTERCLOCKWISE  # one or two numbers stand so both ways round


def finish(v: Variant, s: State, how: int, direction: int) -> None:
    """All have won, or all have lost."""
    s.how, s.direction, s.on_turn = how, direction, CHANCE
    tell(v, s, GAME_OVER, ENDED_BY[how], how == IN_ORDER, how, direction, s.exchanges)


def over(v: Variant, s: State) -> bool:
    """Whether the game is over."""
    return s.how > 0


def utilities(v: Variant, s: State, out: list[float]) -> None:
    """The same for all: with 24 exchanges allowed, 1 for none or one down to 1/24 for the last; 0 for a loss."""
    for seat in range(v.players):
        out[seat] = min(1.0, (v.limit + 1 - s.exchanges) / v.limit) if s.how == IN_ORDER else 0.0  # NA-20


def result(v: Variant, s: "State | View") -> dict[str, Any]:
    """The result of a game that is over, as a record has it: the fewer exchanges the better (NA-13)."""
    won, how, direction = s.how == IN_ORDER, HOW[s.how], DIRECTIONS[s.direction]
    return {"won": won, "exchanges": s.exchanges, "how": how, "direction": direction}


# --- Who knows what ---------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class View:
    """What a seat, or a spectator, may know now; lists are by place."""

    phase: int = number(most=OVER)
    exchanges: int = number(most=MOST_EXCHANGES)
    on_turn: int = number(least=NONE, start=NONE, most=MOST_PLAYERS - 1)
    questions_left: int = number(most=12)
    stone: list[int] = numbers(MOST, least=NONE, start=NONE, most=MOST - 1)
    possible: list[int] = numbers(MOST, most=ALL)  # conditions; one alone is certain
    seen: int = number(most=ALL)  # the places whose condition was read
    barred: list[int] = numbers(MOST, start=NOWHERE, most=NOWHERE)
    how: int = number(most=STUCK)
    direction: int = number(most=COUNTERCLOCKWISE)


def view(v: Variant, s: State, viewer: int, out: View) -> None:
    """All see all stones; a condition is known to those who read it, and to others by what was shown (NA-5)."""
    out.phase = OVER if s.how > 0 else DEAL if s.empty > 0 else EXCHANGE
    out.exchanges, out.on_turn, out.how, out.direction = s.exchanges, s.on_turn, s.how, s.direction
    out.questions_left = v.questions - s.asked if out.phase == EXCHANGE else 0
    for place in range(v.places):
        stone = s.stone[place]
        if stone != NONE:
            read = s.seen[viewer] >> stone & 1
            out.stone[place], out.barred[place] = stone, s.barred[place]
            out.seen |= read << place
            out.possible[place] = 1 << s.condition[stone] if read else v.conditions & ~s.ruled_out[stone]
    conclude(v, out)


def conclude(v: Variant, out: View) -> None:
    """Each condition is there once (NA-2): what one sleeve certainly has no other has, and so on."""
    certain, before = 0, NONE
    while certain != before:
        before = certain
        for place in range(v.places):
            if size(out.possible[place]) > 1:
                out.possible[place] &= ~certain
            if size(out.possible[place]) == 1:
                certain |= out.possible[place]


def show(v: Variant, view: View) -> Shown:
    """A View in the words of a record."""
    counts = {"exchanges": view.exchanges, "limit": v.limit, "questions_left": view.questions_left, "row": v.row}
    turn = {"on_turn": None, "to_act": []} if view.on_turn < 0 else {"on_turn": view.on_turn, "to_act": [view.on_turn]}
    ring = [show_place(v, view, place) for place in range(v.places)]
    ended = result(v, view) if view.phase == OVER else None
    return {"phase": PHASES[view.phase], **counts, **turn, "ring": ring, "result": ended}


def show_place(v: Variant, view: View, place: int) -> dict[str, Any]:
    """One place of the ring."""
    stone = v.deck["stones"][view.stone[place]] if view.stone[place] != NONE else {}
    sleeve = {"stone": stone.get("id"), "number": stone.get("number"), "colour": stone.get("colour")}
    possible = [name for i, name in enumerate(v.condition_names) if view.possible[place] >> i & 1]
    known = {"condition": possible[0] if len(possible) == 1 else None, "seen": bool(view.seen >> place & 1)}
    barred = view.barred[place] if view.barred[place] != NOWHERE else None
    return {"place": place, "seat": v.owner[place], **sleeve, **known, "possible": possible, "barred": barred}


# --- Names of actions -------------------------------------------------------------------------------------------------
def action(v: Variant, event: Event) -> int:
    """The action that an event names: to ask is all the talk there is, no event states a condition (NA-15, NA-17)."""
    ring = range(v.places)
    if "sleeve" in event:
        sleeve, place = take(event, sleeve=dict, place=int)
        return ACTIONS + one_of(ring, place, "place", "NA-4") * ASK + sleeve_of(v, sleeve)
    if event.get("act") == "ask":
        _, place, other = take(event, act=str, place=int, for_=int)
        return ASK + one_of(ring, place, "place", "NA-4") * MOST + one_of(ring, other, "for", "NA-4")
    if event.get("act") == "exchange":
        _, own, other = take(event, act=str, own=int, other=int)
        return one_of(ring, own, "own", "NA-4") * MOST + one_of(ring, other, "other", "NA-4")
    raise fault("unknown_act", act=str(event.get("act", "")), acts=["ask", "exchange"])


def sleeve_of(v: Variant, sleeve: dict[str, Any]) -> int:
    """A stone and a condition as one number."""
    stone, condition = parts(sleeve, stone=str, condition=str)
    which = one_of(v.stone_names, stone, "stone", "NA-1")
    return which * MOST + one_of(v.condition_names, condition, "condition", "NA-2")


def one_of(known: Sequence[Any], value: Any, field: str, rule: str) -> int:
    """Which of those that there are, or a refusal."""
    if value not in known:
        raise Refused(rule, "unknown_word", field=field, value=value, known=list(known))
    return known.index(value)


def event(v: Variant, action: int) -> Event:
    """The event that an action is."""
    first, second, third = action // ASK, action // MOST % MOST, action % MOST
    if action >= ACTIONS:
        return {"sleeve": {"stone": v.stone_names[second], "condition": v.condition_names[third]}, "place": first - 2}
    if action >= ASK:
        return {"act": "ask", "place": second, "for": third}
    return {"act": "exchange", "own": second, "other": third}
