"""What a seat at Darwin's Dice knows, for learning and search.

A learner's vector is made of a View; keys and worlds of the facts that a viewer was told. What is hidden: which cards
others hold and laid face down, and in which order each was dealt its cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, prod
from typing import Any

from kubli.games import kit
from kubli.games.contract import Event
from kubli.games.darwin import (
    KINDS,
    MIDDLE,
    MOST_CARDS,
    MOST_HAND,
    MOST_SCORE,
    NAMES,
    NOBODY,
    NUMBERS,
    OVER,
    SEATS,
    SIGNS,
    THROWS,
    Variant,
    View,
    event,
)
from kubli.games.kit import Luck, Part, around, fair, flags, one_of, put, put_all, shuffled

__all__ = ["OBSERVATION", "Known", "encode", "key", "known", "redeal"]

TRUMPS = 3 * len(NUMBERS)  # DD-2: kinds that the dice may name, the first of all

OBSERVATION = (
    Part("phase", OVER + 1, 1, "deal, throw, choose, over"),
    Part("round", 1, MOST_CARDS, "which round, counted from 1"),
    Part("tricks", 1, MOST_HAND, "tricks turned over in this round"),
    Part("darwin", SEATS, 1, "which seat is the Darwin"),
    Part("trump", TRUMPS, 1, "the kind thrown last: bears 1 to 8, lions 1 to 8, foxes 1 to 8 (a bear 1 before any)"),
    Part("flight", 1, 1, "whether flight (-) was thrown last"),
    Part("waiting", SEATS, 1, "seats that lack cards, or have yet to choose"),
    Part("dealt", SEATS, MOST_HAND, "cards that each seat got in this round"),
    Part("pile", SEATS + 1, MOST_SCORE, "points of each seat's pile, and in the middle"),
    Part("score", SEATS, MOST_SCORE, "each seat's points that are safe"),
    Part("winner", 1 + SEATS, 1, "of the trick before: nobody, or which seat; all 0 before the first"),
    Part("hand", KINDS, MOST_HAND, "own cards of each kind"),
    Part("chosen", KINDS, 1, "the kind of the own card that lies face down"),
    Part("seen", KINDS, MOST_CARDS, "cards of each kind that were turned over"),
    Part("stack", (SEATS + 1) * MOST_HAND, 1, "by seat, then the middle: which tricks of the round lie in the pile"),
    Part("played", MOST_HAND * SEATS, KINDS, "each trick of the round, or of the one before: each seat's kind plus 1"),
)


def encode(v: Variant, view: View, viewer: int, out: Any) -> None:
    """Fill a learner's vector from a View. Kinds are in the order of NAMES."""
    n, first = v.players, viewer % v.players
    at = put(out, put(out, one_of(out, 0, OVER + 1, view.phase), view.round), view.tricks)
    at = one_of(out, at, SEATS, (view.darwin - first) % n)
    at = put(out, one_of(out, at, TRUMPS, view.trump), view.sign)
    at = flags(out, at, SEATS, around(view.waiting, n, first))
    for i in range(n):
        out[at + i] = view.dealt[(first + i) % n]
        out[at + SEATS + i] = view.pile[(first + i) % n]
        out[at + SEATS + MIDDLE + 1 + i] = view.score[(first + i) % n]
    at = put(out, at + SEATS + MIDDLE, view.pile[MIDDLE]) + SEATS
    at = one_of(out, at, 1 + SEATS, 1 + (view.winner - first) % n if view.winner >= 0 else view.winner - NOBODY)
    at = one_of(out, put_all(out, at, view.hand, KINDS), KINDS, view.chosen)
    encode_tricks(v, view, first, out, put_all(out, at, view.seen, KINDS))


def encode_tricks(v: Variant, view: View, first: int, out: Any, at: int) -> None:
    """Where each trick of the round lies, and what was played in it."""
    n = v.players
    for i in range(n):
        flags(out, at + i * MOST_HAND, MOST_HAND, view.stack[(first + i) % n])
    at = flags(out, at + MIDDLE * MOST_HAND, MOST_HAND, view.stack[MIDDLE])
    for trick in range(view.tricks if view.tricks > 0 else v.cards if view.winner >= NOBODY else 0):
        for i in range(n):
            out[at + trick * SEATS + i] = view.played[trick][(first + i) % n] + 1


def key(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int) -> int:
    """A 64-bit key of what a viewer was told; who of the others has chosen already does not enter."""
    return kit.key_of(viewer, (fact for fact in told if fact["what"] != "chose" or "card" in fact))


# --- Worlds -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Round:
    """What one of the others got in a round: its deals, those cards turned over, and its choice that lies face down."""

    deals: list[Event] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    down: Event | None = None


@dataclass(slots=True)
class Known:
    """What is certain of the world.

    Attributes:
        events: all that happened; a card that the viewer was not told is None.
        unseen: cards that others hold or that are undealt, by name, each as often as there is one.
        now: by seat, what it got in this round (of the viewer nothing, for it is known).
        past: the same of rounds that are over.
    """

    events: list[Event]
    unseen: list[str]
    now: list[Round] = field(default_factory=lambda: [Round() for _ in range(SEATS)])
    past: list[Round] = field(default_factory=list)


def known(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int) -> Known:
    """What is certain of the world, by all that a viewer was told."""
    out, trick = Known([], [NAMES[kind] for kind in v.kind[: sum(v.copies)]]), list[Event]()
    for fact in told:
        what, seat, card = fact["what"], fact.get("seat", viewer), fact.get("card")
        if what == "dealt":
            out.events.append({"by": "chance", "deal": card, "to": seat})
            if card:
                out.unseen.remove(card)
            else:
                out.now[seat].deals.append(out.events[-1])
        elif what == "thrown":
            throw = THROWS + NAMES.index(fact["trump"]) * 2 + SIGNS.index(fact["sign"])
            out.events.append({"by": "chance", **event(v, throw)})
        elif what == "chose":
            choice = {"by": seat, "act": "choose", "card": card}
            trick, out.now[seat].down = [*trick, choice], None if card else choice
            out.events.append(choice)
        elif what == "turned":
            note_turned(out, trick, fact["cards"], viewer)
            trick = []
        elif what == "round_over":
            out.past, out.now = out.past + out.now, [Round() for _ in range(SEATS)]
    return out


def note_turned(out: Known, trick: list[Event], cards: list[str], viewer: int) -> None:
    """All see what was chosen."""
    for choice in trick:
        seat = choice["by"]
        choice["card"], out.now[seat].down = cards[seat], None
        if seat != viewer:
            out.now[seat].played.append(cards[seat])
            out.unseen.remove(cards[seat])


def redeal(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int, luck: Luck) -> list[Event]:
    """All events of a game that tells this viewer just the same, drawn as `Worlds.redeal` says."""
    world = known(v, told, viewer)
    for one, hand in zip(world.now, hands_of(world, luck), strict=True):
        lay(one, one.played + hand, luck)
        if one.down is not None:
            one.down["card"] = hand[0]
    for one in world.past:
        lay(one, one.played, luck)
    return world.events


def hands_of(world: Known, luck: Luck) -> list[list[str]]:
    """What each of the others still holds; what lies face down comes first.

    Cards are drawn from all unseen ones, and drawn again as often as `ways` says: a world has kinds, not cards, so one
    in which a seat played a kind and holds more of it counts once, and not for each of the cards that it may have been.
    """
    held = [len(one.deals) - len(one.played) for one in world.now]
    least = prod(fewest(one, many, world.unseen) for one, many in zip(world.now, held, strict=True))
    while True:
        pool = shuffled(world.unseen, sum(held), luck)
        hands = [[pool.pop() for _ in range(many)] for many in held]
        if fair(luck, prod(ways(one, hand) for one, hand in zip(world.now, hands, strict=True))) < least:
            return hands


def ways(one: Round, hand: list[str]) -> int:
    """In how many ways cards may stand for the kinds that a seat played and laid down, of those that it was dealt."""
    played = prod(comb(one.played.count(card) + hand.count(card), hand.count(card)) for card in {*one.played})
    return played * hand.count(hand[0]) if one.down else played


def fewest(one: Round, held: int, unseen: list[str]) -> int:
    """The least that `ways` can be for a hand of so many cards: more than 1 where few other kinds are left."""
    sure = {card: max(0, held - len(unseen) + unseen.count(card)) for card in {*one.played}}
    return prod(comb(one.played.count(card) + many, many) for card, many in sure.items())


def lay(one: Round, cards: list[str], luck: Luck) -> None:
    """These cards were dealt there, in any order: all orders are equally likely."""
    for deal, card in zip(one.deals, shuffled(cards, len(one.deals), luck), strict=True):
        deal["deal"] = card
