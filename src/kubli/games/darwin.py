"""Darwin's Dice, for 2 to 4 players: in every trick two dice say which of all the animals is the fittest.

Source: the rulebook that comes in the box (English part); it names no edition. Rule ids (DD-…) are those of
docs/rules/darwins-dice.md, which marks rulings and what is reconstructed. The file reads as the rulebook does.

A card is known by its kind: animal * 8 + number - 1, then owl 0, owl 9 and scorpion. A seat's action is the kind that
it chooses; chance's are a kind dealt to a seat, in any order, and a throw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kubli.games import kit
from kubli.games.contract import Event, Option, Refused, Shown, fault, take
from kubli.games.kit import CHANCE, EVERYONE, OWNER, Fact, Field, members, nth, number, numbers, size, tell, words

NAME, TITLE, PREFIX, RULES, PLAYERS = "darwins-dice", "Darwin's Dice", "DD", "1", range(2, 5)
OPTIONS = (Option("first", rule=5, start=0, most=None),)
MEMORY = ("remember", "move")  # which cards lie where: for facts and views; the rules need only points

# --- The cards and the dice -------------------------------------------------------------------------------------------

ANIMALS, BEAR, LION, FOX, SNAKE, OTHER = ("bear", "lion", "fox", "snake"), 0, 1, 2, 3, 4
NAMES = (*(f"{animal} {n}" for animal in ANIMALS for n in range(1, 9)), "owl 0", "owl 9", "scorpion 4.5")  # DD-1
KINDS, SCORPION = 35, 34
COLOURS, NUMBERS, SIGNS, FACES = ANIMALS[:3], range(1, 9), ("+", "-"), 48  # DD-2
FIGHT, FLIGHT = 0, 1

VALUE = [float(name.split()[1]) for name in NAMES]  # DD-15: owls and scorpions have numbers like all others
CHAIN = [[BEAR, LION, FOX, SNAKE, OTHER], [FOX, LION, BEAR, SNAKE, OTHER]]  # DD-13 and DD-14, on equal numbers
BEST = [
    sorted(range(KINDS), key=lambda kind: (-VALUE[kind], CHAIN[FIGHT].index(kind // 8))),  # DD-13: the highest first
    sorted(range(KINDS), key=lambda kind: (VALUE[kind], CHAIN[FLIGHT].index(kind // 8))),  # DD-14: the lowest first
]
RANK = [[best.index(kind) for kind in range(KINDS)] for best in BEST]

ACTIONS, CHANCE_ACTIONS, DEALS, THROWS = KINDS, KINDS * 4 + FACES, KINDS, KINDS * 5
PHASES, DEAL, THROW, CHOOSE, OVER = ("deal", "throw", "choose", "over"), 0, 1, 2, 3
SEATS, MIDDLE, GONE = 4, 4, 5  # a trick lies before a seat or in the middle, or has left the game
MOST_CARDS, MOST_HAND, MOST_POINTS, WORD = 124, 36, 99, 62  # a deck is two sets of WORD cards
ALL_CARDS, MOST_SCORE = (1 << WORD) - 1, MOST_CARDS * MOST_POINTS


@dataclass(slots=True)
class Variant:
    """What a table sets."""

    players: int = number(least=2, most=SEATS, start=2)
    first: int = number(most=SEATS - 1)  # the first Darwin
    cards: int = number(least=1, most=MOST_HAND, start=1)  # a seat gets in a round: so many tricks it has
    rounds: int = number(least=1, most=MOST_CARDS, start=1)
    copies: list[int] = numbers(KINDS, most=MOST_CARDS)  # of each kind
    points: list[int] = numbers(KINDS, most=MOST_POINTS)
    lowest: list[int] = numbers(KINDS, most=MOST_CARDS)  # the first card of each kind; its other copies follow
    kind: list[int] = numbers(MOST_CARDS, most=KINDS - 1)  # of each card
    whole: list[int] = numbers(2, most=ALL_CARDS)  # all cards, as sets
    names: Sequence[str] = words(NAMES)
    deck: Mapping[str, Any] = words()


def variant(players: int, options: Mapping[str, Any], deck: Mapping[str, Any]) -> Variant:
    """The Variant of a table."""
    dealt = deck["sizes"][str(players)]  # DD-4
    v = Variant(players, options["first"], dealt["cards"], dealt["rounds"], deck=deck)
    items = [deck["kinds"].get(name, {"copies": 0, "points": 0}) for name in NAMES]
    v.copies, v.points = [one["copies"] for one in items], [one["points"] for one in items]  # DD-1, DD-3
    v.lowest = [sum(v.copies[:kind]) for kind in range(KINDS)]
    cards = [kind for kind in range(KINDS) for _ in range(v.copies[kind])]
    v.kind[: len(cards)] = cards
    v.whole = [(1 << len(cards)) - 1 & ALL_CARDS, (1 << len(cards)) - 1 >> WORD]
    return v


@dataclass(slots=True)
class State:
    """One game: all that is true."""

    phase: int = number(most=OVER, known=EVERYONE)
    round: int = number(most=MOST_CARDS, known=EVERYONE)  # counted from 1
    tricks: int = number(most=MOST_HAND, known=EVERYONE)  # turned over in this round
    darwin: int = number(most=SEATS - 1, known=EVERYONE)
    trump: int = number(most=KINDS - 1, known=EVERYONE)  # the kind thrown last
    sign: int = number(most=FLIGHT, known=EVERYONE)
    waiting: int = number(most=(1 << SEATS) - 1, known=EVERYONE)  # the seats that lack cards, or have yet to choose
    dealt: list[int] = numbers(SEATS, most=MOST_HAND, known=EVERYONE)  # how many cards each seat got in this round
    left: list[int] = numbers(KINDS, most=MOST_CARDS)  # how many cards of each kind are undealt
    undealt: list[int] = numbers(2, most=ALL_CARDS)  # which: a kind's lowest, so that any order of deals is the same
    hand: list[list[int]] = numbers(SEATS, KINDS, most=MOST_HAND, known=OWNER)  # how many cards of each kind
    held: list[int] = numbers(SEATS, most=(1 << KINDS) - 1, known=OWNER)  # which kinds these are
    chosen: list[int] = numbers(SEATS, most=KINDS - 1, known=OWNER)
    middle: int = number(most=MOST_SCORE, known=EVERYONE)  # points
    pile: list[int] = numbers(SEATS, most=MOST_SCORE, known=EVERYONE)  # points won in this round
    score: list[int] = numbers(SEATS, most=MOST_SCORE, known=EVERYONE)  # points that are safe
    seen: list[int] = numbers(KINDS, most=MOST_CARDS, known=EVERYONE)  # how many cards of each kind were turned over
    played: list[list[int]] = numbers(MOST_HAND, SEATS, most=KINDS - 1, known=EVERYONE)  # by trick of this round, seat
    taker: list[int] = numbers(MOST_HAND, most=GONE, known=EVERYONE)  # by trick of this round
    latest: int = number(least=-1, most=MOST_HAND - 1, start=-1, known=EVERYONE)  # the trick turned over last
    facts: list[kit.Told] = kit.facts()


def seats_in(bits: int) -> list[int]:
    """A set of seats, as a list."""
    return [seat for seat in range(SEATS) if bits >> seat & 1]


def cards_of(v: Variant, s: "State | View", who: int) -> list[str]:
    """The cards turned over in this round that a seat, or the middle, has now."""
    tricks = [s.played[trick] for trick in range(s.tricks) if s.taker[trick] == who]
    return sorted(NAMES[kind] for trick in tricks for kind in trick[: v.players])


ANY, CARD = Field(EVERYONE), Field(EVERYONE, lambda _v, kind: NAMES[kind])
OWN_CARD = Field(kit.known_to("seat"), lambda _v, kind: NAMES[kind])
SEAT_SET, SIGN = Field(EVERYONE, lambda _v, bits: seats_in(bits)), Field(EVERYONE, lambda _v, sign: SIGNS[sign])
ALL_CHOSEN = Field(EVERYONE, derive=lambda v, s, _: [NAMES[kind] for kind in s.chosen[: v.players]])
IN_MIDDLE = Field(EVERYONE, derive=lambda v, s, _: cards_of(v, s, MIDDLE))
LOST = Field(EVERYONE, derive=lambda v, s, fact: {str(seat): cards_of(v, s, seat) for seat in seats_in(fact["seats"])})
PILES = Field(EVERYONE, derive=lambda v, s, _: s.pile[: v.players])
SCORES = Field(EVERYONE, derive=lambda v, s, _: s.score[: v.players])
WINNERS = Field(EVERYONE, derive=lambda v, s, _: result(v, s)["winners"])
FACTS = (
    ROUND_BEGINS := Fact("round_begins", round=ANY, darwin=ANY),
    DEALT := Fact("dealt", seat=ANY, card=OWN_CARD),
    THROWN := Fact("thrown", darwin=ANY, trump=CARD, sign=SIGN, round=ANY, trick=ANY),
    CHOSE := Fact("chose", seat=ANY, card=OWN_CARD),
    TURNED := Fact("turned", cards=ALL_CHOSEN, best=CARD, by=SEAT_SET),
    PILES_LOST := Fact("piles_lost", seats=SEAT_SET, lost=LOST),
    TRICK_WON := Fact("trick_won", seat=ANY, cards=IN_MIDDLE, darwin=ANY),
    NO_WINNER := Fact("no_winner", kind=CARD, middle=IN_MIDDLE, darwin=ANY),
    MIDDLE_REMOVED := Fact("middle_removed", cards=IN_MIDDLE),
    ROUND_OVER := Fact("round_over", round=ANY, gained=PILES, score=SCORES),
    GAME_OVER := Fact("game_over", points=SCORES, winners=WINNERS),
)

# --- Preparation ------------------------------------------------------------------------------------------------------


def setup(v: Variant, s: State) -> None:
    """The whole deck, and the first Darwin."""
    s.darwin = v.first  # DD-5
    s.undealt[0], s.undealt[1] = v.whole[0], v.whole[1]
    for kind in range(KINDS):
        s.left[kind] = v.copies[kind]
    begin_round(v, s)


def begin_round(v: Variant, s: State) -> None:
    """All wait for their cards; who is Darwin stays it (DD-8)."""
    s.phase, s.waiting = DEAL, (1 << v.players) - 1
    s.round += 1
    for seat in range(v.players):
        s.dealt[seat] = 0
    tell(v, s, ROUND_BEGINS, 5 if s.round == 1 else 8, s.round, s.darwin)


# --- Who may do what --------------------------------------------------------------------------------------------------


def to_act(_v: Variant, s: State) -> int:
    """The seats that have yet to choose, in any order."""
    return s.waiting if s.phase == CHOOSE else 0


def refusal(v: Variant, s: State, by: int, action: int) -> int:
    """0, or the rule that forbids it now."""
    if s.phase == OVER:
        return 9  # DD-9
    if action < DEALS:
        may = by != CHANCE and to_act(v, s) >> by & 1  # DD-6: after the throw, and once
        return 0 if may and s.hand[by][action] > 0 else 6  # DD-6: any card in hand
    if action >= THROWS:
        return 0 if by == CHANCE and s.phase == THROW else 6  # DD-6: one throw a trick
    kind, seat = (action - DEALS) >> 2, (action - DEALS) & 3
    if by != CHANCE or seat >= v.players or s.dealt[seat] == v.cards:
        return 4  # DD-4
    return 0 if s.left[kind] > 0 else 1  # DD-1


def legal(v: Variant, s: State, seat: int, out: list[int]) -> int:
    """Write the kinds that a seat may choose to `out`; returns how many."""
    return members(s.held[seat], out) if to_act(v, s) >> seat & 1 else 0


def outcomes(_v: Variant, s: State) -> int:
    """How many cards are undealt, or faces the dice have; 0 if it is not chance's turn."""
    if s.phase == DEAL:
        return size(s.undealt[0]) + size(s.undealt[1])
    return FACES if s.phase == THROW else 0  # DD-2


def draw(v: Variant, s: State, k: int) -> int:
    """The k-th undealt card, by kind, to the lowest seat that lacks one; or the k-th throw: colour, number, sign."""
    if s.phase == THROW:
        return THROWS + k
    low = size(s.undealt[0])
    card = nth(s.undealt[0], k) if k < low else WORD + nth(s.undealt[1], k - low)
    return DEALS + (v.kind[card] << 2) + nth(s.waiting, 0)


# --- The course of a round --------------------------------------------------------------------------------------------


def step(v: Variant, s: State, by: int, action: int) -> None:
    """Do what `refusal` lets through."""
    if action < DEALS:
        choose(v, s, by, action)
    elif action < THROWS:
        deal(v, s, (action - DEALS) >> 2, (action - DEALS) & 3)
    else:
        throw(v, s, (action - THROWS) >> 1, (action - THROWS) & 1)


def deal(v: Variant, s: State, kind: int, seat: int) -> None:
    """A card; when all hands are full, the Darwin throws."""
    s.left[kind] -= 1
    card = v.lowest[kind] + s.left[kind]
    s.undealt[card // WORD] ^= 1 << card % WORD
    s.hand[seat][kind] += 1
    s.held[seat] |= 1 << kind
    s.dealt[seat] += 1
    tell(v, s, DEALT, 4, seat, kind)
    if s.dealt[seat] == v.cards:  # DD-4
        s.waiting ^= 1 << seat
        s.phase = DEAL if s.waiting else THROW


def throw(v: Variant, s: State, trump: int, sign: int) -> None:
    """The dice name the trump (DD-10) and the sign; now all choose."""
    s.phase, s.waiting, s.trump, s.sign = CHOOSE, (1 << v.players) - 1, trump, sign
    tell(v, s, THROWN, 6, s.darwin, trump, sign, s.round, s.tricks + 1)


def choose(v: Variant, s: State, seat: int, kind: int) -> None:
    """A card face down."""
    s.hand[seat][kind] -= 1
    if s.hand[seat][kind] == 0:
        s.held[seat] ^= 1 << kind
    s.chosen[seat] = kind
    s.waiting ^= 1 << seat
    tell(v, s, CHOSE, 6, seat, kind)
    if not s.waiting:  # DD-6: all at once
        turn_over(v, s)


def turn_over(v: Variant, s: State) -> None:
    """Who wins the trick, who loses a pile, and only then who takes the cards."""
    ranks, trumps, rule = lay_down(v, s), who_played(v, s, s.trump), 13 + s.sign
    best = BEST[s.sign][nth(ranks, 0)]  # DD-13, DD-14
    if trumps and who_played(v, s, SCORPION):
        best, rule = SCORPION, 11  # DD-11
    elif trumps:
        best, rule = s.trump, 12  # DD-12
    by = who_played(v, s, best)
    tell(v, s, TURNED, rule, best, by)
    if rule == 11:
        lose(v, s, 17, trumps)  # DD-17, even if the scorpions tie
    elif best // 8 == SNAKE and size(by) == 1:
        lose(v, s, 18, who_played(v, s, BEST[s.sign][nth(ranks, 1)]))  # DD-18
    take_trick(v, s, best, by)  # DD-19


def lay_down(v: Variant, s: State) -> int:
    """The cards chosen lie in the middle; returns their ranks, as a set."""
    remember(v, s)
    s.tricks += 1
    ranks = 0
    for seat in range(v.players):
        ranks |= 1 << RANK[s.sign][s.chosen[seat]]
        s.middle += v.points[s.chosen[seat]]
    return ranks


def who_played(v: Variant, s: State, kind: int) -> int:
    """The seats whose card in the trick is of this kind."""
    seats = 0
    for seat in range(v.players):
        seats |= (s.chosen[seat] == kind) << seat
    return seats


def lose(v: Variant, s: State, rule: int, seats: int) -> None:
    """What these seats won in earlier tricks of the round leaves the game; the middle stays (DD-19)."""
    tell(v, s, PILES_LOST, rule, seats)
    move(s, seats, GONE)
    for seat in range(v.players):
        if seats >> seat & 1:
            s.pile[seat] = 0


def take_trick(v: Variant, s: State, best: int, by: int) -> None:
    """The one who played the best kind takes all that lies in the middle and is the new Darwin."""
    s.phase = THROW
    if size(by) == 1:
        s.darwin = nth(by, 0)  # DD-7
        tell(v, s, TRICK_WON, 7, s.darwin, s.darwin)
        move(s, 1 << MIDDLE, s.darwin)
        s.pile[s.darwin] += s.middle  # DD-7
        s.middle = 0
    else:  # DD-16: the cards wait for the next winner, and the Darwin stays
        tell(v, s, NO_WINNER, 16, best, s.darwin)
    if s.tricks == v.cards:
        end_round(v, s, size(by) > 1)


def end_round(v: Variant, s: State, tied: bool) -> None:
    """The piles are counted and leave the game; then comes the next round, or the end."""
    if tied:
        tell(v, s, MIDDLE_REMOVED, 16)
    for seat in range(v.players):
        s.score[seat] += s.pile[seat]  # DD-8
    tell(v, s, ROUND_OVER, 8, s.round)
    s.tricks, s.middle = 0, 0  # DD-16
    for seat in range(v.players):
        s.pile[seat] = 0
    if s.round < v.rounds:
        begin_round(v, s)
    else:
        s.phase = OVER  # DD-9
        tell(v, s, GAME_OVER, 9)


def remember(v: Variant, s: State) -> None:
    """One more trick lies in the middle."""
    s.latest = s.tricks
    s.taker[s.tricks] = MIDDLE
    for seat in range(v.players):
        s.played[s.tricks][seat] = s.chosen[seat]
        s.seen[s.chosen[seat]] += 1


def move(s: State, takers: int, to: int) -> None:
    """The tricks of all these takers pass to another."""
    for trick in range(s.tricks):
        if takers >> s.taker[trick] & 1:
            s.taker[trick] = to


# --- The end ----------------------------------------------------------------------------------------------------------


def over(_v: Variant, s: State) -> bool:
    """Whether the last round is over."""
    return s.phase == OVER


def utilities(v: Variant, s: State, out: list[float]) -> None:
    """Each seat's points minus the mean."""
    total = 0
    for seat in range(v.players):
        total += s.score[seat]
    for seat in range(v.players):
        out[seat] = s.score[seat] - total / v.players  # DD-20


def result(v: Variant, s: "State | View") -> dict[str, Any]:
    """The result as a record has it: all who have the most points have won."""
    points = s.score[: v.players]
    winners = [seat for seat in range(v.players) if points[seat] == max(points)]  # DD-9
    return {"points": points, "winners": winners, "how": "points"}


# --- Who knows what ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class View:
    """What one viewer may know: what State has under these names, but for what is said here."""

    phase: int = number(most=OVER)
    round: int = number(most=MOST_CARDS)
    tricks: int = number(most=MOST_HAND)
    darwin: int = number(most=SEATS - 1)
    trump: int = number(most=KINDS - 1)
    sign: int = number(most=FLIGHT)
    to_act: int = number(most=(1 << SEATS) - 1)  # the seats that have yet to choose
    hand: list[int] = numbers(KINDS, most=MOST_HAND)  # the viewer's own
    hands: list[int] = numbers(SEATS, most=MOST_HAND)  # how many cards each seat holds
    chosen: int = number(least=-1, most=KINDS - 1, start=-1)  # the viewer's own in this trick, or -1
    unseen: list[int] = numbers(KINDS, most=MOST_CARDS)  # how many cards of each kind the viewer has not seen
    pile: list[int] = numbers(SEATS, most=MOST_SCORE)
    score: list[int] = numbers(SEATS, most=MOST_SCORE)
    played: list[list[int]] = numbers(MOST_HAND, SEATS, most=KINDS - 1)
    taker: list[int] = numbers(MOST_HAND, most=GONE)
    latest: int = number(least=-1, most=MOST_HAND - 1, start=-1)


def view(v: Variant, s: State, viewer: int, out: View) -> None:
    """Fill a fresh View with what this viewer may know now."""
    out.phase, out.round, out.tricks, out.latest = s.phase, s.round, s.tricks, s.latest
    out.darwin, out.trump, out.sign, out.to_act = s.darwin, s.trump, s.sign, to_act(v, s)
    for seat in range(v.players):
        face_down = s.phase == CHOOSE and not s.waiting >> seat & 1
        out.hands[seat] = s.dealt[seat] - s.tricks - face_down
        out.pile[seat], out.score[seat] = s.pile[seat], s.score[seat]
        if face_down and seat == viewer:
            out.chosen = s.chosen[viewer]
    view_cards(v, s, viewer, out)


def view_cards(v: Variant, s: State, viewer: int, out: View) -> None:
    """Cards once turned over are public; a seat knows its own besides."""
    for trick in range(s.latest + 1):
        out.taker[trick] = s.taker[trick]
        for seat in range(v.players):
            out.played[trick][seat] = s.played[trick][seat]
    for kind in range(KINDS):
        if viewer < v.players:
            out.hand[kind] = s.hand[viewer][kind]
        out.unseen[kind] = v.copies[kind] - s.seen[kind] - out.hand[kind] - (kind == out.chosen)


def show(v: Variant, view: View) -> Shown:
    """A View in the words of a record."""
    seats, chosen, cards, winner = range(v.players), view.chosen, view.played[view.latest], view.taker[view.latest]
    throw = {**event(v, THROWS + view.trump * 2 + view.sign)["throw"], "trump": NAMES[view.trump]}
    last = {"cards": [NAMES[kind] for kind in cards[: v.players]], "winner": winner if winner < MIDDLE else None}
    return {
        "phase": PHASES[view.phase],
        "round": view.round,
        "rounds": v.rounds,
        "trick": (0, view.tricks + 1, view.tricks + 1, v.cards)[view.phase],
        "tricks": v.cards,
        "darwin": view.darwin,
        "throw": throw if view.phase == CHOOSE else None,
        "hand": [NAMES[kind] for kind in range(KINDS) for _ in range(view.hand[kind])],
        "hands": view.hands[: v.players],
        "chosen": NAMES[chosen] if chosen >= 0 else None,
        "has_chosen": [view.phase == CHOOSE and not view.to_act >> seat & 1 for seat in seats],
        "to_act": seats_in(view.to_act),
        "middle": cards_of(v, view, MIDDLE),
        "piles": [cards_of(v, view, seat) for seat in seats],
        "pile_points": view.pile[: v.players],
        "score": view.score[: v.players],
        "unseen": {name: copies for name, copies in zip(NAMES, view.unseen, strict=True) if copies},
        "last": last if view.latest >= 0 else None,
        "result": result(v, view) if view.phase == OVER else None,
    }


# --- Names of actions -------------------------------------------------------------------------------------------------


def place(names: Sequence[Any], name: Any, rule: str) -> int:
    """Where a name stands among those that a rule knows."""
    if name not in names:
        raise Refused(rule, "unknown_name", name=name, names=list(names))
    return names.index(name)


def action(v: Variant, event: Event) -> int:
    """The action that an event names."""
    if "throw" in event:
        colour, sign, n = take(take(event, throw=dict)[0], colour=str, sign=str, number=int)
        return THROWS + place(COLOURS, colour, "DD-2") * 16 + place(NUMBERS, n, "DD-2") * 2 + place(SIGNS, sign, "DD-2")
    if "deal" in event:
        name, seat = take(event, deal=str, to=int)
        return DEALS + place(NAMES, name, "DD-1") * 4 + place(range(v.players), seat, "DD-4")
    act, name = take(event, act=str, card=str)
    if act != "choose":
        raise fault("unknown_act", act=act, acts=["choose"])
    return place(NAMES, name, "DD-1")


def event(_v: Variant, action: int) -> Event:
    """The event that an action is."""
    if action < DEALS:
        return {"act": "choose", "card": NAMES[action]}
    if action < THROWS:
        return {"deal": NAMES[(action - DEALS) >> 2], "to": (action - DEALS) & 3}
    animal, n, sign = (action - THROWS) // 16, (action - THROWS) // 2 % 8, (action - THROWS) % 2
    return {"throw": {"colour": COLOURS[animal], "sign": SIGNS[sign], "number": n + 1}}
