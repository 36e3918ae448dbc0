"""Darna at ang Nawawalang Bato, for 2 to 5 players: find the Puting Bato among five Stones that never lie still.

Source: the rulebook of Mars Ravelo's Darna at ang Nawawalang Bato, which names no edition. Rule ids (DA-…) are those of
docs/rules/darna.md. The file reads as the rulebook does; what cards there are, where moves take Stones and the names of
actions are in darna_set.py. Place i lies before seat i, the others in the centre. Cards, places and viewers are bits.
"""

from dataclasses import dataclass
from typing import Any

from kubli.games import darna_set, kit
from kubli.games.contract import Option, Shown
from kubli.games.darna_set import CARDS, INSTRUCTIONS, PLACES, SEATS, SET_TO, TO, Variant, action, event, variant
from kubli.games.kit import CHANCE, EVERYONE, OWNER, Fact, Field, members, nth, number, numbers, tell

__all__ = ["INSTRUCTIONS", "Variant", "action", "event", "variant"]

NAME, TITLE, PREFIX, RULES, PLAYERS = "darna", "Darna at ang Nawawalang Bato", "DA", "1", range(2, 6)
OPTIONS = (Option("first", 6, 0, most=None), Option("max_turns", 21, 200, least=1, most=1000))
MEMORY = ("moved", "saw")  # what viewers remember: no rule reads it, so fast play may leave these functions out

NONE, ALL_PLACES, ALL_CARDS, EVERYBODY = -1, (1 << PLACES) - 1, (1 << CARDS) - 1, (1 << SEATS + 1) - 1
STONES = 1 << SEATS  # in `dealt`, beside the seats that have their card

# What is due: from chance, from nobody, from the seat on turn. An instruction that leaves a choice is due as itself, …
DEAL, DRAW, OVER, TURN, PLAY, GUESS, PEEK, PEEK_TWO, SWAP, HIDE, EITHER = range(11)
SHOW, CLOCKWISE = 11, 12  # … these happen of themselves; counterclockwise is 13
PHASES = ["deal", "play", "over", "turn", "play", "guess", *["instruction"] * 5]
# Its actions: how many, the first of them, and the rule that forbids those of them that may not be.
COUNT = [PLACES + SEATS * CARDS, CARDS, 0, 2, CARDS, PLACES, PLACES, PLACES, 10, 20, 2]
FIRST = [76, 241, 0, 0, 2, 71, 34, 34, 39, 49, 69]
FORBIDS = [5, 7, 22, 7, 7, 19, 10, 11, 12, 13, 16]
ACTIONS, CHANCE_ACTIONS, TO_DRAW, TO_SHOUT = 76, 197, 0, 1


@dataclass(slots=True)
class Public:
    """What everybody knows of a game."""

    due: int = number(most=EITHER, known=EVERYONE)
    dealt: int = number(most=2 * STONES - 1, known=EVERYONE)  # the seats that have their card, and the STONES
    left: int = number(most=CARDS, known=EVERYONE)  # how many cards the Deck has
    played: int = number(most=ALL_CARDS, known=EVERYONE)
    turn: int = number(most=1000, known=EVERYONE)  # counted from 1
    on_turn: int = number(most=SEATS - 1, known=EVERYONE)  # whose turn or guess it is
    card: int = number(least=NONE, most=CARDS - 1, start=NONE, known=EVERYONE)  # the last one played
    half: int = number(most=1, known=EVERYONE)  # which of its instructions
    peeked: int = number(most=ALL_PLACES, known=EVERYONE)  # the first place of a peek_two
    face_up: int = number(most=ALL_PLACES, known=EVERYONE)  # turned up by guesses
    out: int = number(most=(1 << SEATS) - 1, known=EVERYONE)
    winner: int = number(least=NONE, most=SEATS - 1, start=NONE, known=EVERYONE)
    how: int = number(most=3, known=EVERYONE)
    last: list[int] = numbers(SEATS, most=ALL_CARDS, known=EVERYONE)  # the hand that each seat laid open in the end


@dataclass(slots=True)
class State(Public):
    """One game: all that is true."""

    bato: int = number(most=PLACES - 1)  # where the Puting Bato lies
    deck: int = number(most=ALL_CARDS)
    hand: list[int] = numbers(SEATS, most=ALL_CARDS, known=OWNER)
    may: list[int] = numbers(SEATS + 1, most=ALL_PLACES, start=ALL_PLACES, known=OWNER)  # by viewer: see `saw`
    facts: list[kit.Told] = kit.facts()


FACES, HOW, ENDED_BY = ["plain", "puting_bato"], ["shout", "guess", "all_wrong", "turn_limit"], [8, 20, 20, 21]
BY_SHOUT, BY_GUESS, ALL_WRONG, TURN_LIMIT = range(4)

ALL, AUDIENCES = Field(EVERYONE), (EVERYONE, kit.known_to("seat"), kit.known_to_others("seat"))
CARD, OWN_CARD = [Field(who, lambda v, card: v.names[card]) for who in AUDIENCES[:2]]
FACE, OWN_LOOK, LOOK_OF_OTHERS = [Field(who, lambda _v, face: FACES[face]) for who in AUDIENCES]
PAIR = Field(EVERYONE, lambda _v, pair: [*darna_set.PAIRS[pair]])
SECRET = Field(kit.known_to("seat"), lambda _v, swapped: bool(swapped))
LAST_CARDS = Field(EVERYONE, lambda v, cards: {str(i): v.names[cards // CARDS**i % CARDS] for i in range(v.players)})
ORDER = Field(EVERYONE, derive=lambda v, s, _: sorted(range(v.players), key=s.last.__getitem__))
WINNER = Field(EVERYONE, lambda _v, seat: None if seat == NONE else seat)
FACTS = (
    STONES_DEALT := Fact("stones_dealt", place=Field()),
    CARD_DEALT := Fact("card_dealt", seat=ALL, card=OWN_CARD),
    NEXT_TURN := Fact("turn", seat=ALL, number=ALL),
    DREW := Fact("drew", seat=ALL, card=OWN_CARD, left=ALL),
    SHOUTED := Fact("shouted", seat=ALL, place=ALL, face=FACE),
    PLAYED := Fact("played", seat=ALL, card=CARD),
    PEEKED := Fact("peeked", seat=ALL, place=ALL, face=OWN_LOOK),
    SWAPPED := Fact("swapped", seat=ALL, places=PAIR),
    HID := Fact("hid", seat=ALL, places=PAIR, swapped=SECRET),
    ROTATED := Fact("rotated", seat=ALL, direction=Field(EVERYONE, lambda _v, way: darna_set.DIRECTIONS[way])),
    SHOWED := Fact("showed", seat=ALL, place=ALL, face=LOOK_OF_OTHERS),
    CARDS_REVEALED := Fact("cards_revealed", cards=LAST_CARDS, order=ORDER),
    LIMIT_REACHED := Fact("turn_limit", turns=ALL),
    GUESSED := Fact("guessed", seat=ALL, place=ALL, face=FACE),
    OUT := Fact("out", seat=ALL),
    GAME_OVER := Fact("game_over", winner=WINNER, how=Field(EVERYONE, lambda _v, how: HOW[how])),
)


# --- The set-up: the Stones and a card for each seat, in any order; the engine deals the Stones, then seat 0 and so on
def setup(v: Variant, s: State) -> None:
    """All cards are in the Deck."""
    s.due, s.left, s.deck = DEAL, v.cards, (1 << v.cards) - 1


def outcomes(v: Variant, s: State) -> int:
    """How many equally likely things chance may bring: places for the Puting Bato (DA-4), cards of the Deck (DA-5)."""
    return 0 if s.due >= OVER else s.left if s.dealt & STONES else PLACES


def draw(v: Variant, s: State, k: int) -> int:
    """The k-th of them, in ascending order."""
    if not s.dealt & STONES:
        return FIRST[DEAL] + k
    return nth(s.deck, k) + (FIRST[DRAW] if s.due == DRAW else FIRST[DEAL] + PLACES + nth(~s.dealt, 0) * CARDS)


# --- What is allowed
def to_act(v: Variant, s: Public) -> int:
    """The seat whose turn or guess it is."""
    return 1 << s.on_turn if s.due > OVER else 0


def choices(v: Variant, s: State, seat: int) -> int:
    """Which of the actions that are due the seat on turn may choose."""
    if s.due == PLAY:
        return s.hand[seat]  # DA-7: either card
    if s.due == PEEK or s.due == PEEK_TWO:
        return ALL_PLACES & ~(1 << seat | s.peeked)  # DA-10, DA-11: not your own, and not the same again
    return ALL_PLACES & ~s.face_up if s.due == GUESS else (1 << COUNT[s.due]) - 1  # DA-19: your own too; DA-9


def refusal(v: Variant, s: State, by: int, action: int) -> int:
    """0, or the rule that forbids this."""
    if by == CHANCE and s.due != OVER:
        return refusal_of_deal(v, s, action - ACTIONS)
    if s.due <= OVER or by != s.on_turn:
        return 6 if s.due > OVER and s.due != GUESS else FORBIDS[s.due]  # DA-6, DA-19: one after the other
    which = action - FIRST[s.due]
    if 0 <= which < COUNT[s.due]:
        return 0 if choices(v, s, by) >> which & 1 else FORBIDS[s.due]
    if s.due == GUESS or action >= FIRST[GUESS]:
        return 18  # DA-18: guesses, and nothing else, once the Deck has run out
    return 8 if action == TO_SHOUT else 7  # DA-8: only as a turn begins; DA-7: in the order of the card


def refusal_of_deal(v: Variant, s: State, which: int) -> int:
    """0, or the rule that forbids chance to bring this: one Puting Bato, each card once, a card for each seat."""
    seat, card = (which - PLACES) // CARDS, (which - PLACES) % CARDS
    if which < PLACES:
        return 1 if which < 0 or s.dealt & STONES else 0
    if not s.deck >> card & 1:
        return 2
    if which >= COUNT[DEAL]:
        return 0 if s.due == DRAW else 7
    return 5 if seat >= v.players or s.dealt >> seat & 1 else 0


def legal(v: Variant, s: State, seat: int, out: list[int]) -> int:
    """Write what this seat may do, ascending; returns how many."""
    return members(choices(v, s, seat), out, 0, FIRST[s.due]) if to_act(v, s) >> seat & 1 else 0


def step(v: Variant, s: State, by: int, action: int) -> None:
    """What is due is done, and the rest follows."""
    which = action - FIRST[s.due]
    if s.due == TURN and which == TO_DRAW:
        s.due = DRAW  # DA-7
    elif s.due == TURN:
        shout(v, s, by)
    elif s.due == DRAW:
        draw_card(v, s, s.on_turn, which)
    elif s.due == PLAY:
        play(v, s, by, which)
    elif s.due == DEAL:
        deal(v, s, which)
    elif s.due == GUESS:
        guess(v, s, by, which)
    else:
        choose(v, s, by, which)


def deal(v: Variant, s: State, which: int) -> None:
    """The Stones, or a seat's first card; once all lie, the first turn begins."""
    seat, card = (which - PLACES) // CARDS, (which - PLACES) % CARDS
    if which < PLACES:
        s.bato, s.dealt = which, s.dealt | STONES
        tell(v, s, STONES_DEALT, 4, which)
    else:
        s.deck, s.left, s.dealt = s.deck ^ 1 << card, s.left - 1, s.dealt | 1 << seat
        s.hand[seat] = 1 << card
        tell(v, s, CARD_DEALT, 5, seat, card)
    if s.dealt == STONES | (1 << v.players) - 1:
        next_turn(v, s, v.first)  # DA-6


def next_turn(v: Variant, s: State, seat: int) -> None:
    """A turn begins."""
    s.due, s.on_turn, s.turn = TURN, seat, s.turn + 1
    tell(v, s, NEXT_TURN, 6, seat, s.turn)


# --- The turn: shout; or draw a card, play one of two, and carry out its instructions
def shout(v: Variant, s: State, seat: int) -> None:
    """Everybody sees the Stone before the seat; a plain one is turned back, and that was the turn."""
    tell(v, s, SHOUTED, 8, seat, seat, s.bato == seat)
    saw(v, s, EVERYBODY, seat)
    if s.bato == seat:
        end(v, s, seat, BY_SHOUT)
    else:
        end_turn(v, s)  # DA-8: not out of the game


def draw_card(v: Variant, s: State, seat: int, card: int) -> None:
    """There are two cards to choose from."""
    s.due, s.deck, s.left = PLAY, s.deck ^ 1 << card, s.left - 1
    s.hand[seat] |= 1 << card
    tell(v, s, DREW, 7, seat, card, s.left)


def play(v: Variant, s: State, seat: int, card: int) -> None:
    """One is laid open, the other is kept."""
    s.hand[seat] ^= 1 << card
    s.played, s.card = s.played | 1 << card, card
    tell(v, s, PLAYED, 7, seat, card)
    carry_out(v, s, seat, 0)


def carry_out(v: Variant, s: State, seat: int, half: int) -> None:
    """The instructions from this one on, up to one that leaves a choice; after the second the turn is over (DA-7)."""
    while half < 2:
        s.half, due = half, PEEK + v.instructions[s.card][half]
        if due <= EITHER:
            s.due = due
            return
        if due == SHOW:
            tell(v, s, SHOWED, 17, seat, seat, s.bato == seat)
            saw(v, s, (1 << v.players) - 1 & ~(1 << seat), seat)  # DA-17: no spectator, and not its owner
        else:
            rotate(v, s, seat, due - CLOCKWISE, 14 + due - CLOCKWISE)  # DA-14, DA-15
        half += 1
    end_turn(v, s)


def choose(v: Variant, s: State, seat: int, which: int) -> None:
    """What an instruction left to choose is chosen."""
    if s.due <= PEEK_TWO:
        tell(v, s, PEEKED, FORBIDS[s.due], seat, which, s.bato == which)  # DA-10, DA-11
        saw(v, s, 1 << seat, which)
        s.peeked = 1 << which if s.due == PEEK_TWO and s.peeked == 0 else 0
    elif s.due == SWAP:
        s.bato = TO[which][s.bato]
        tell(v, s, SWAPPED, 12, seat, which)
        moved(v, s, which, 1, NONE)
    elif s.due == HIDE:
        hide(v, s, seat, which >> 1, which & 1)
    else:
        rotate(v, s, seat, which, 16)
    if s.peeked == 0:  # DA-11: else the first of two was seen, and the second is chosen now
        carry_out(v, s, seat, s.half + 1)


def hide(v: Variant, s: State, seat: int, pair: int, swapped: int) -> None:
    """Two Stones change places or not, and one seat knows (DA-13)."""
    if swapped:
        s.bato = TO[pair][s.bato]
    tell(v, s, HID, 13, seat, pair, swapped)
    moved(v, s, pair, swapped, seat)


def rotate(v: Variant, s: State, seat: int, way: int, rule: int) -> None:
    """The Stones of the players go round, those in the centre stay (DA-14 to DA-16)."""
    which = 10 + 2 * (v.players - 2) + way
    s.bato = TO[which][s.bato]
    tell(v, s, ROTATED, rule, seat, way)
    moved(v, s, which, 1, NONE)


def end_turn(v: Variant, s: State) -> None:
    """The guesses, if the last card was drawn (DA-18); else another turn, unless there were enough (DA-21)."""
    if s.left == 0:
        cards = 0
        for seat in range(v.players):
            s.last[seat] = s.hand[seat]
            cards += nth(s.hand[seat], 0) * CARDS**seat
        tell(v, s, CARDS_REVEALED, 18, cards)
        next_guess(v, s)
    elif s.turn == v.max_turns:
        tell(v, s, LIMIT_REACHED, 21, s.turn)
        end(v, s, NONE, TURN_LIMIT)
    else:
        next_turn(v, s, s.on_turn + 1 if s.on_turn + 1 < v.players else 0)  # DA-6


# --- When the Deck has run out
def next_guess(v: Variant, s: State) -> None:
    """The lowest card among those who have not guessed (DA-19); if all have, nobody wins (DA-20)."""
    lowest = NONE
    for seat in range(v.players):
        if not s.out >> seat & 1 and (lowest == NONE or s.last[seat] < s.last[lowest]):
            lowest = seat
    if lowest == NONE:
        end(v, s, NONE, ALL_WRONG)
    else:
        s.due, s.on_turn = GUESS, lowest


def guess(v: Variant, s: State, seat: int, place: int) -> None:
    """A Stone is turned up for good (DA-19): its finder wins, anybody else is out (DA-20)."""
    s.face_up |= 1 << place
    tell(v, s, GUESSED, 19, seat, place, s.bato == place)
    saw(v, s, EVERYBODY, place)
    if s.bato == place:
        end(v, s, seat, BY_GUESS)
    else:
        s.out |= 1 << seat
        tell(v, s, OUT, 20, seat)
        next_guess(v, s)


def end(v: Variant, s: State, winner: int, how: int) -> None:
    """One winner or none."""
    s.due, s.winner, s.how = OVER, winner, how
    tell(v, s, GAME_OVER, ENDED_BY[how], winner, how)


def over(v: Variant, s: State) -> bool:
    """Whether the game is over."""
    return s.due == OVER


def utilities(v: Variant, s: State, out: list[float]) -> None:
    """The winner takes one from each of the others (DA-22)."""
    for seat in range(v.players):
        out[seat] = 0.0 if s.winner == NONE else v.players - 1.0 if seat == s.winner else -1.0


def result(v: Variant, s: Public) -> dict[str, Any]:
    """The result as a record has it."""
    return {"winner": None if s.winner == NONE else s.winner, "how": HOW[s.how]}


# --- Who knows what
def saw(v: Variant, s: State, viewers: int, place: int) -> None:
    """Of the places where the Puting Bato may lie, for these viewers, none or all others drop out."""
    for viewer in range(v.players + 1):
        if viewers >> viewer & 1:
            s.may[viewer] &= 1 << place if s.bato == place else ~(1 << place)


def moved(v: Variant, s: State, move: int, done: int, hider: int) -> None:
    """It may lie where the move takes it; after a hiding, for all but the hider, where it lay too (DA-13)."""
    for viewer in range(v.players + 1):
        if hider != NONE and viewer != hider:
            s.may[viewer] |= SET_TO[move][s.may[viewer]]
        elif done:
            s.may[viewer] = SET_TO[move][s.may[viewer]]


@dataclass(slots=True)
class View(Public):
    """What one viewer may know."""

    viewer: int = number(most=SEATS)
    hand: int = number(most=ALL_CARDS)  # the viewer's own
    may: int = number(most=ALL_PLACES)  # where the Puting Bato may lie, for all the viewer was told


def view(v: Variant, s: State, viewer: int, out: View) -> None:
    """Fill a fresh View."""
    out.due, out.dealt, out.left, out.played, out.turn = s.due, s.dealt, s.left, s.played, s.turn
    out.on_turn, out.card, out.half, out.peeked, out.face_up = s.on_turn, s.card, s.half, s.peeked, s.face_up
    out.out, out.winner, out.how, out.viewer, out.may = s.out, s.winner, s.how, viewer, s.may[viewer]
    out.hand = s.hand[viewer] if viewer < v.players else 0
    for seat in range(v.players):
        out.last[seat] = s.last[seat]


def show(v: Variant, view: View) -> Shown:
    """A View in the words of a record."""
    seats, on_turn = range(v.players), None if view.due in (DEAL, OVER) else view.on_turn
    shown: Shown = {"phase": PHASES[view.due], "turn": view.turn, "max_turns": v.max_turns, "on_turn": on_turn}
    shown |= {"to_act": listed(to_act(v, view)), "hand": [v.names[card] for card in listed(view.hand)]}
    shown["hands"] = [(view.dealt >> i & 1) + (view.due == PLAY and i == view.on_turn) for i in seats]
    shown |= {"deck": view.left, "played": [v.names[card] for card in listed(view.played)]}
    shown |= {"last_played": None if view.card == NONE else v.names[view.card], "doing": None}
    if view.due >= PEEK:
        doing = {"card": v.names[view.card], "instruction": INSTRUCTIONS[view.due - PEEK], "half": view.half}
        shown["doing"] = {**doing, "peeked": listed(view.peeked)}
    guessers = [i for i in seats if view.due == GUESS and not view.out >> i & 1]
    shown |= {"may": listed(view.may), "face_up": listed(view.face_up)}
    shown |= {"guessers": sorted(guessers, key=view.last.__getitem__), "out": listed(view.out)}
    shown["revealed"] = {str(i): v.names[nth(view.last[i], 0)] for i in seats} if view.last[0] else None
    return shown | {"result": result(v, view) if view.due == OVER else None}


def listed(bits: int) -> list[int]:
    """A set as a list, ascending."""
    return [one for one in range(bits.bit_length()) if bits >> one & 1]
