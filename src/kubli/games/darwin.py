"""Darwin's Dice, for 2 to 4 players: in every trick two dice say which of all the animals is the fittest.

Source: the rulebook that comes in the box (English part); it names no edition. Rule ids (DD-…) are those of
docs/rules/darwins-dice.md, which marks rulings and what is reconstructed. The file reads as the rulebook does.
A card is known by its kind: animal * 8 + number - 1, then the owls and the scorpion. Sets are bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from kubli.games import kit
from kubli.games.contract import Event, Option, Refused, Shown, fault, parts, take
from kubli.games.kit import CHANCE, EVERYONE, OWNER, Fact, Field, members, nth, number, numbers, put_all, size, tell

NAME, TITLE, PREFIX, RULES, PLAYERS = "darwins-dice", "Darwin's Dice", "DD", "1", range(2, 5)
OPTIONS, MEMORY = (Option("first", rule=5, start=0, most=None),), ()  # viewers remember no more than is public

# --- The cards and the dice -------------------------------------------------------------------------------------------

ANIMALS, BEAR, LION, FOX, SNAKE, OTHER = ("bear", "lion", "fox", "snake"), 0, 1, 2, 3, 4
NAMES = (*(f"{animal} {n}" for animal in ANIMALS for n in range(1, 9)), "owl 0", "owl 9", "scorpion 4.5")  # DD-1
COLOURS, NUMBERS, SIGNS, FACES = ANIMALS[:3], range(1, 9), ("+", "-"), 48  # DD-2
KINDS, SCORPION, FIGHT, FLIGHT = 35, 34, 0, 1
VALUE = [float(name.split()[1]) for name in NAMES]  # DD-15: owls and scorpions have numbers like all others
CHAIN = [[BEAR, LION, FOX, SNAKE, OTHER], [FOX, LION, BEAR, SNAKE, OTHER]]  # DD-13 and DD-14, on equal numbers
BEST = [sorted(range(KINDS), key=lambda kind: (-VALUE[kind], CHAIN[FIGHT].index(kind // 8)))]  # DD-13: highest first
BEST += [sorted(range(KINDS), key=lambda kind: (VALUE[kind], CHAIN[FLIGHT].index(kind // 8)))]  # DD-14: lowest first
RANK = [[best.index(kind) for kind in range(KINDS)] for best in BEST]

ACTIONS, CHANCE_ACTIONS, DEALS, THROWS = KINDS, KINDS * 4 + FACES, KINDS, KINDS * 5  # choices, then deals, then throws
PHASES, DEAL, THROW, CHOOSE, OVER = ("deal", "throw", "choose", "over"), 0, 1, 2, 3
SEATS, MIDDLE, NOBODY, NONE_YET = 4, 4, -1, -2
MOST_CARDS, MOST_HAND, MOST_POINTS, WORD = 124, 36, 99, 62  # a deck is two sets of WORD cards
MOST_SCORE, ALL_CARDS, ALL_TRICKS = MOST_CARDS * MOST_POINTS, (1 << WORD) - 1, (1 << MOST_HAND) - 1


@dataclass(slots=True)
class Variant:
    """What a table sets."""

    players: int = number(least=2, most=SEATS, start=2)
    first: int = number(most=SEATS - 1)  # the first Darwin
    cards: int = number(least=1, most=MOST_HAND, start=1)  # that a seat gets in a round: so many tricks it has
    rounds: int = number(least=1, most=MOST_CARDS, start=1)
    copies: list[int] = numbers(KINDS, most=MOST_CARDS)  # of each kind
    points: list[int] = numbers(KINDS, most=MOST_POINTS)
    lowest: list[int] = numbers(KINDS, most=MOST_CARDS)  # the first card of each kind; its other copies follow
    kind: list[int] = numbers(MOST_CARDS, most=KINDS - 1)  # of each card
    whole: list[int] = numbers(2, most=ALL_CARDS)  # all cards
    names: tuple[str, ...] = kit.words(NAMES)
    deck: Mapping[str, Any] = kit.words()


def variant(players: int, options: Mapping[str, Any], deck: Mapping[str, Any]) -> Variant:
    """The Variant of a table."""
    dealt, none = deck["sizes"][str(players)], {"copies": 0, "points": 0}  # DD-4
    v = Variant(players, options["first"], dealt["cards"], dealt["rounds"], deck=deck)
    items = [deck["kinds"].get(name, none) for name in NAMES]
    v.copies, v.points = [one["copies"] for one in items], [one["points"] for one in items]  # DD-1, DD-3
    v.lowest = [sum(v.copies[:kind]) for kind in range(KINDS)]
    cards = [kind for kind in range(KINDS) for _ in range(v.copies[kind])]
    v.kind[: len(cards)] = cards
    v.whole = [(1 << len(cards)) - 1 & ALL_CARDS, (1 << len(cards)) - 1 >> WORD]
    return v


@dataclass(slots=True)
class Public:
    """What everybody sees: whatever was turned over, or is counted."""

    phase: int = number(most=OVER, known=EVERYONE)
    round: int = number(most=MOST_CARDS, known=EVERYONE)  # counted from 1
    tricks: int = number(most=MOST_HAND, known=EVERYONE)  # turned over in this round
    darwin: int = number(most=SEATS - 1, known=EVERYONE)
    trump: int = number(most=KINDS - 1, known=EVERYONE)  # the kind thrown last
    sign: int = number(most=FLIGHT, known=EVERYONE)
    waiting: int = number(most=(1 << SEATS) - 1, known=EVERYONE)  # the seats that lack cards, or have yet to choose
    dealt: list[int] = numbers(SEATS, most=MOST_HAND, known=EVERYONE)  # how many cards each seat got in this round
    pile: list[int] = numbers(SEATS + 1, most=MOST_SCORE, known=EVERYONE)  # points of each pile, and in the middle
    score: list[int] = numbers(SEATS, most=MOST_SCORE, known=EVERYONE)  # points that are safe
    stack: list[int] = numbers(SEATS + 1, most=ALL_TRICKS, known=EVERYONE)  # the tricks in each pile, and in the middle
    played: list[list[int]] = numbers(MOST_HAND, SEATS, most=KINDS - 1, known=EVERYONE)  # kinds by trick of a round
    winner: int = number(least=NONE_YET, most=SEATS - 1, start=NONE_YET, known=EVERYONE)  # of the trick before
    seen: list[int] = numbers(KINDS, most=MOST_CARDS, known=EVERYONE)  # how many cards of each kind were turned over


@dataclass(slots=True)
class State(Public):
    """One game: all that is true."""

    stock: int = number(most=MOST_CARDS, known=EVERYONE)  # how many cards are undealt
    left: list[int] = numbers(KINDS, most=MOST_CARDS)  # how many cards of each kind are undealt
    undealt: list[int] = numbers(2, most=ALL_CARDS)  # which: a kind's lowest, so that any order of deals is the same
    hand: list[list[int]] = numbers(SEATS, KINDS, most=MOST_HAND, known=OWNER)  # how many cards of each kind
    held: list[int] = numbers(SEATS, most=(1 << KINDS) - 1, known=OWNER)  # which kinds these are
    chosen: list[int] = numbers(SEATS, most=KINDS - 1, known=OWNER)
    facts: list[kit.Told] = kit.facts()


def seats_in(bits: int) -> list[int]:
    """A set of seats, as a list."""
    return [seat for seat in range(SEATS) if bits >> seat & 1]


def cards_in(v: Variant, s: Public, where: int) -> list[str]:
    """The cards of a seat's pile, or those in the middle."""
    return sorted(NAMES[kind] for i in range(v.cards) if s.stack[where] >> i & 1 for kind in s.played[i][: v.players])


ANY, SIGN = Field(EVERYONE), Field(EVERYONE, lambda _v, sign: SIGNS[sign])
CARD, OWN_CARD = [Field(who, lambda _v, kind: NAMES[kind]) for who in (EVERYONE, kit.known_to("seat"))]
BY = Field(EVERYONE, lambda _v, seats: seats_in(seats))
CHOICES = Field(EVERYONE, lambda v, kinds: [NAMES[kinds // KINDS**seat % KINDS] for seat in range(v.players)])
IN_MIDDLE = Field(EVERYONE, derive=lambda v, s, _: cards_in(v, s, MIDDLE))
LOST = Field(EVERYONE, derive=lambda v, s, fact: {str(seat): cards_in(v, s, seat) for seat in seats_in(fact["seats"])})
PILES = Field(EVERYONE, derive=lambda v, s, _: s.pile[: v.players])
SCORES = Field(EVERYONE, derive=lambda v, s, _: s.score[: v.players])
WINNERS = Field(EVERYONE, derive=lambda v, s, _: result(v, s)["winners"])
FACTS = (
    ROUND_BEGINS := Fact("round_begins", round=ANY, darwin=ANY),
    DEALT := Fact("dealt", seat=ANY, card=OWN_CARD),
    THROWN := Fact("thrown", darwin=ANY, trump=CARD, sign=SIGN, round=ANY, trick=ANY),
    CHOSE := Fact("chose", kit.SEALED, seat=ANY, card=OWN_CARD),
    TURNED := Fact("turned", cards=CHOICES, best=CARD, by=BY),
    PILES_LOST := Fact("piles_lost", seats=BY, lost=LOST),
    TRICK_WON := Fact("trick_won", seat=ANY, cards=IN_MIDDLE, darwin=ANY),
    NO_WINNER := Fact("no_winner", kind=CARD, middle=IN_MIDDLE, darwin=ANY),
    MIDDLE_REMOVED := Fact("middle_removed", cards=IN_MIDDLE),
    ROUND_OVER := Fact("round_over", round=ANY, gained=PILES, score=SCORES),
    GAME_OVER := Fact("game_over", points=SCORES, winners=WINNERS),
)


# --- Preparation ------------------------------------------------------------------------------------------------------
def setup(v: Variant, s: State) -> None:
    """The whole deck, and the first Darwin."""
    s.darwin, s.undealt[0], s.undealt[1] = v.first, v.whole[0], v.whole[1]  # DD-5
    for kind in range(KINDS):
        s.left[kind] = v.copies[kind]
    s.stock = size(s.undealt[0]) + size(s.undealt[1])
    s.round, s.waiting = 1, (1 << v.players) - 1
    tell(v, s, ROUND_BEGINS, 5, s.round, s.darwin)


def to_act(v: Variant, s: Public) -> int:
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


def outcomes(v: Variant, s: State) -> int:
    """How many cards are undealt, or faces the dice have; 0 if it is not chance's turn."""
    return s.stock if s.phase == DEAL else FACES if s.phase == THROW else 0  # DD-2


def draw(v: Variant, s: State, k: int) -> int:
    """The k-th undealt card, by kind, to the lowest seat that lacks one; or the k-th throw: colour, number, sign."""
    if s.phase == THROW:
        return THROWS + k
    low = size(s.undealt[0])
    card = nth(s.undealt[0], k) if k < low else WORD + nth(s.undealt[1], k - low)
    return DEALS + (v.kind[card] << 2) + nth(s.waiting, 0)


# --- The course of a round --------------------------------------------------------------------------------------------
def step(v: Variant, s: State, by: int, action: int) -> None:
    """Do what `refusal` lets through: a seat chooses, or chance deals or throws."""
    if action < DEALS:
        choose(v, s, by, action)
    elif action < THROWS:
        deal(v, s, (action - DEALS) >> 2, (action - DEALS) & 3)
    else:
        s.phase, s.waiting = CHOOSE, (1 << v.players) - 1
        s.trump, s.sign = (action - THROWS) >> 1, (action - THROWS) & 1  # DD-10
        tell(v, s, THROWN, 6, s.darwin, s.trump, s.sign, s.round, s.tricks + 1)


def deal(v: Variant, s: State, kind: int, seat: int) -> None:
    """A card; when all hands are full, the Darwin throws."""
    s.left[kind] -= 1
    s.stock -= 1
    card = v.lowest[kind] + s.left[kind]
    word = 1 if card >= WORD else 0
    s.undealt[word] ^= 1 << card - word * WORD
    s.hand[seat][kind] += 1
    s.held[seat] |= 1 << kind
    s.dealt[seat] += 1
    tell(v, s, DEALT, 4, seat, kind)
    if s.dealt[seat] == v.cards:  # DD-4
        s.waiting ^= 1 << seat
        s.phase = DEAL if s.waiting else THROW


def choose(v: Variant, s: State, seat: int, kind: int) -> None:
    """A card face down."""
    s.hand[seat][kind] -= 1
    if s.hand[seat][kind] == 0:
        s.held[seat] ^= 1 << kind
    s.chosen[seat], s.waiting = kind, s.waiting ^ 1 << seat
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
    by, laid = who_played(v, s, best), s.chosen[0] + KINDS * (s.chosen[1] + KINDS * (s.chosen[2] + KINDS * s.chosen[3]))
    tell(v, s, TURNED, rule, laid, best, by)
    if rule == 11:
        lose(v, s, 17, trumps)  # DD-17, even if the scorpions tie
    elif best // 8 == SNAKE and size(by) == 1:
        lose(v, s, 18, who_played(v, s, BEST[s.sign][nth(ranks, 1)]))  # DD-18
    take_trick(v, s, best, by)  # DD-19


def lay_down(v: Variant, s: State) -> int:
    """The cards lie in the middle for all to see; returns their ranks, as a set."""
    s.stack[MIDDLE] |= 1 << s.tricks
    ranks = 0
    for seat in range(v.players):
        kind = s.chosen[seat]
        s.played[s.tricks][seat] = kind
        s.seen[kind] += 1
        s.pile[MIDDLE] += v.points[kind]
        ranks |= 1 << RANK[s.sign][kind]
    s.tricks += 1
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
    for seat in range(v.players):
        if seats >> seat & 1:
            s.pile[seat], s.stack[seat] = 0, 0


def take_trick(v: Variant, s: State, best: int, by: int) -> None:
    """If one seat alone played the best kind, it takes all that lies in the middle and is the new Darwin."""
    s.phase, s.winner = THROW, NOBODY
    if size(by) == 1:
        s.winner = s.darwin = nth(by, 0)  # DD-7
        tell(v, s, TRICK_WON, 7, s.winner, s.darwin)
        s.pile[s.winner] += s.pile[MIDDLE]  # DD-7
        s.stack[s.winner] |= s.stack[MIDDLE]
        s.pile[MIDDLE], s.stack[MIDDLE] = 0, 0
    else:  # DD-16: the cards wait for the next winner, and the Darwin stays
        tell(v, s, NO_WINNER, 16, best, s.darwin)
    if s.tricks == v.cards:
        end_round(v, s)


def end_round(v: Variant, s: State) -> None:
    """The piles are counted and leave the game; then comes the next round, or the end."""
    if s.stack[MIDDLE]:
        tell(v, s, MIDDLE_REMOVED, 16)
    for seat in range(v.players):
        s.score[seat] += s.pile[seat]  # DD-8
        s.dealt[seat] = 0
    tell(v, s, ROUND_OVER, 8, s.round)
    for where in range(SEATS + 1):
        s.pile[where], s.stack[where] = 0, 0  # DD-8, DD-16
    s.tricks = 0
    if s.round == v.rounds:
        s.phase = OVER  # DD-9
        tell(v, s, GAME_OVER, 9)
    else:
        s.phase, s.waiting, s.round = DEAL, (1 << v.players) - 1, s.round + 1
        tell(v, s, ROUND_BEGINS, 8, s.round, s.darwin)  # DD-8: who is Darwin stays it


def over(v: Variant, s: State) -> bool:
    """Whether the last round is over."""
    return s.phase == OVER


def utilities(v: Variant, s: State, out: list[float]) -> None:
    """Each seat's points minus the mean."""
    for seat in range(v.players):
        out[seat] = s.score[seat] - sum(s.score) / v.players  # DD-20


def result(v: Variant, s: Public) -> dict[str, Any]:
    """The result as a record has it: all who have the most points have won."""
    winners = [seat for seat in range(v.players) if s.score[seat] == max(s.score)]  # DD-9
    return {"points": s.score[: v.players], "winners": winners, "how": "points"}


# --- Who knows what ---------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class View(Public):
    """What one viewer may know: what is public, and of what is not, its own."""

    hand: list[int] = numbers(KINDS, most=MOST_HAND)  # how many cards of each kind
    chosen: int = number(least=NOBODY, most=KINDS - 1, start=NOBODY)  # and not yet turned over


def view(v: Variant, s: State, viewer: int, out: View) -> None:
    """Fill a fresh View with what this viewer may know now."""
    out.phase, out.round, out.tricks, out.darwin, out.waiting = s.phase, s.round, s.tricks, s.darwin, s.waiting
    out.trump, out.sign, out.winner = s.trump, s.sign, s.winner
    put_all(out.dealt, 0, s.dealt, v.players)
    put_all(out.score, 0, s.score, v.players)
    put_all(out.pile, 0, s.pile, SEATS + 1)
    put_all(out.stack, 0, s.stack, SEATS + 1)
    put_all(out.seen, 0, s.seen, KINDS)
    for trick in range(s.tricks if s.tricks > 0 else v.cards):  # between rounds the last one's: all were turned over
        put_all(out.played[trick], 0, s.played[trick], v.players)
    if viewer < v.players:
        put_all(out.hand, 0, s.hand[viewer], KINDS)
    if viewer < v.players and s.phase == CHOOSE and not s.waiting >> viewer & 1:
        out.chosen = s.chosen[viewer]


def show(v: Variant, view: View) -> Shown:
    """A View in the words of a record."""
    n, choosing, over = v.players, view.phase == CHOOSE, view.phase == OVER
    trick = v.cards if over else 0 if view.phase == DEAL else view.tricks + 1
    shown: Shown = {"phase": PHASES[view.phase], "round": view.round, "rounds": v.rounds, "trick": trick}
    throw = event(v, THROWS + view.trump * 2 + view.sign)["throw"] | {"trump": NAMES[view.trump]}
    shown |= {"tricks": v.cards, "darwin": view.darwin, "throw": throw if choosing else None}
    shown["hand"] = [NAMES[kind] for kind in range(KINDS) for _ in range(view.hand[kind])]
    has_chosen = [choosing and not view.waiting >> seat & 1 for seat in range(n)]
    shown["hands"] = [view.dealt[seat] - view.tricks - has_chosen[seat] for seat in range(n)]
    shown |= {"chosen": None if view.chosen == NOBODY else NAMES[view.chosen], "has_chosen": has_chosen}
    shown |= {"to_act": seats_in(to_act(v, view)), "middle": cards_in(v, view, MIDDLE)}
    shown |= {"piles": [cards_in(v, view, seat) for seat in range(n)], "pile_points": view.pile[:n]}
    unseen = [v.copies[kind] - view.seen[kind] - view.hand[kind] - (kind == view.chosen) for kind in range(KINDS)]
    shown |= {"score": view.score[:n], "unseen": {NAMES[kind]: left for kind, left in enumerate(unseen) if left}}
    cards = [NAMES[kind] for kind in view.played[(view.tricks or v.cards) - 1][:n]]
    last = {"cards": cards, "winner": None if view.winner == NOBODY else view.winner}
    return shown | {"last": None if view.winner == NONE_YET else last, "result": result(v, view) if over else None}


# --- Names of actions -------------------------------------------------------------------------------------------------

KEYS: list[Any] = [*NAMES, *product(NAMES, range(SEATS)), *product(COLOURS, NUMBERS, SIGNS)]
ACTION = {key: action for action, key in enumerate(KEYS)}


def action(v: Variant, event: Event) -> int:
    """The action that an event names."""
    if "throw" in event:
        key, rule = tuple(parts(take(event, throw=dict)[0], colour=str, number=int, sign=str)), "DD-2"
    elif "deal" in event:
        key, rule = tuple(take(event, deal=str, to=int)), "DD-4" if event["deal"] in NAMES else "DD-1"
    else:
        act, key, rule = *take(event, act=str, card=str), "DD-1"
        if act != "choose":
            raise fault("unknown_act", act=act, acts=["choose"])
    if key not in ACTION:
        raise Refused(rule)
    return ACTION[key]


def event(v: Variant, action: int) -> Event:
    """The event that an action is."""
    key = KEYS[action]
    if action < DEALS:
        return {"act": "choose", "card": key}
    if action < THROWS:
        return {"deal": key[0], "to": key[1]}
    return {"throw": {"colour": key[0], "sign": key[2], "number": key[1]}}
