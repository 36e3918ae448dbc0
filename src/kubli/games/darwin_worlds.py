"""What a seat at Darwin's Dice knows, for learning and search.

A learner's vector is made of a View; keys and worlds of the facts that a viewer was told. What is hidden: which cards
others hold and laid face down, and in which order each was dealt its cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, NamedTuple

from kubli.games.darwin import (
    DEALS,
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
)
from kubli.games.kit import CHANCE, Luck, Part, around, fair, flags, further, one_of, put, put_all

__all__ = ["OBSERVATION", "Known", "encode", "known", "redeal"]

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
    at = one_of(out, at, SEATS, further(view.darwin, n, n - first))
    at = put(out, one_of(out, at, TRUMPS, view.trump), view.sign)
    at = flags(out, at, SEATS, around(view.waiting, n, first))
    for i in range(n):
        seat = further(first, n, i)
        out[at + i], out[at + SEATS + i] = view.dealt[seat], view.pile[seat]
        out[at + SEATS + MIDDLE + 1 + i] = view.score[seat]
    at = put(out, at + SEATS + MIDDLE, view.pile[MIDDLE]) + SEATS
    at = one_of(
        out, at, 1 + SEATS, 1 + further(view.winner, n, n - first) if view.winner >= 0 else view.winner - NOBODY
    )
    at = one_of(out, put_all(out, at, view.hand, KINDS), KINDS, view.chosen)
    encode_tricks(v, view, first, out, put_all(out, at, view.seen, KINDS))


def encode_tricks(v: Variant, view: View, first: int, out: Any, at: int) -> None:
    """Where each trick of the round lies, and what was played in it."""
    tricks = view.tricks if view.tricks > 0 else v.cards if view.winner >= NOBODY else 0
    for i in range(v.players):
        seat = further(first, v.players, i)
        flags(out, at + i * MOST_HAND, MOST_HAND, view.stack[seat])
        for trick in range(tricks):
            out[at + (MIDDLE + 1) * MOST_HAND + trick * SEATS + i] = view.played[trick][seat] + 1
    flags(out, at + MIDDLE * MOST_HAND, MOST_HAND, view.stack[MIDDLE])


# --- Worlds -----------------------------------------------------------------------------------------------------------


NONE = -1
WAYS = [[comb(n, k) for k in range(MOST_HAND + 1)] for n in range(MOST_HAND + 1)]
"""In how many ways k of n cards may be taken."""


class Known(NamedTuple):
    """What is certain of the world.

    What one of the others got in one round is a hand: its deals, what it played of them, and what it holds.

    Attributes:
        by: who acted in each event.
        actions: what was done; a card that the viewer was not told is of the first kind. Behind the events stand the
            kinds of all cards that others hold or that are undealt.
        deals: the events that dealt each hand's cards, hand after hand …
        first_deal: … and where those of each hand begin, and at last end.
        played: the kinds that each hand turned over …
        first_played: … and where those of each hand begin, and at last end.
        times: how often the hand turned this kind over; 0 where it did so before.
        least: the fewest ways in which cards may stand for this kind (see `may_stay`).
        down: by hand, the event of the choice that lies face down, or NONE.
    """

    by: list[int]
    actions: list[int]
    deals: list[int]
    first_deal: list[int]
    played: list[int]
    first_played: list[int]
    times: list[int]
    least: list[int]
    down: list[int]


@dataclass(slots=True)
class Hand:
    """One hand, as it is put together."""

    deals: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    down: int = NONE


def known(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int) -> Known:
    """What is certain of the world, by all that a viewer was told."""
    by, actions, unseen = list[int](), list[int](), v.kind[: sum(v.copies)]
    past, now = list[Hand](), [Hand() for _ in range(SEATS)]
    for fact in told:
        what, seat, kind = fact["what"], fact.get("seat", NONE), NAMES.index(fact.get("card", NAMES[0]))
        if what == "dealt" and "card" in fact:
            unseen.remove(kind)
        elif what == "dealt":
            now[seat].deals.append(len(by))
        elif what == "chose" and "card" not in fact:
            now[seat].down = len(by)
        elif what == "turned":
            note_turned(actions, unseen, now, [NAMES.index(card) for card in fact["cards"]], viewer)
        elif what == "round_over":
            past, now = past + now, [Hand() for _ in range(SEATS)]
        if what in ("dealt", "thrown", "chose"):
            by.append(seat if what == "chose" else CHANCE)
            actions.append(action_of(fact, kind))
    return laid_out(by, actions, unseen, past + now)


def action_of(fact: Mapping[str, Any], kind: int) -> int:
    """The action that a fact tells of."""
    if fact["what"] == "thrown":
        return THROWS + NAMES.index(fact["trump"]) * 2 + SIGNS.index(fact["sign"])
    return kind if fact["what"] == "chose" else DEALS + (kind << 2) + int(fact["seat"])


def note_turned(actions: list[int], unseen: list[int], now: list[Hand], kinds: list[int], viewer: int) -> None:
    """All see what was chosen."""
    for seat, kind in enumerate(kinds):
        if seat != viewer:
            actions[now[seat].down], now[seat].down = kind, NONE
            now[seat].played.append(kind)
            unseen.remove(kind)


def laid_out(by: list[int], actions: list[int], unseen: list[int], hands: list[Hand]) -> Known:
    """The same as lists of numbers."""
    out = Known(by, actions + unseen, [], [0], [], [0], [], [], [hand.down for hand in hands])
    for hand in hands:
        for i, kind in enumerate(hand.played):
            many, held = hand.played.count(kind), len(hand.deals) - len(hand.played)
            sure = max(0, held - len(unseen) + unseen.count(kind))  # more than 0 where few other kinds are left
            out.times.append(0 if kind in hand.played[:i] else many)
            out.least.append(WAYS[many + sure][many])
        out.deals.extend(hand.deals)
        out.played.extend(hand.played)
        out.first_deal.append(len(out.deals))
        out.first_played.append(len(out.played))
    return out


def redeal(v: Variant, world: Known, luck: Luck, out: Any) -> None:
    """Write the actions of a game that tells the viewer just the same, drawn as `Worlds.redeal` says.

    What the others hold is drawn from all unseen cards, what lies face down first. It is drawn again as often as
    `may_stay` says: a world has kinds, not cards, so one in which a seat played a kind and holds more of it counts
    once, and not for each of the cards that it may have been.
    """
    n, held = len(world.by), len(world.deals) - len(world.played)
    for i in range(len(world.actions)):
        out[i] = world.actions[i]
    while True:
        for i in range(held):
            k = i + fair(luck, len(world.actions) - n - i)
            out[n + i], out[n + k] = out[n + k], out[n + i]
        if may_stay(world, luck, out, n):
            break
    at = n
    for hand in range(len(world.down)):
        at = lay(world, hand, luck, out, at)


def may_stay(world: Known, luck: Luck, out: Any, at: int) -> bool:
    """Whether a draw counts: one in so many as there are ways to tell which cards stand for the kinds in it."""
    for hand in range(len(world.down)):
        first, end = world.first_played[hand], world.first_played[hand + 1]
        after = at + world.first_deal[hand + 1] - world.first_deal[hand] - (end - first)
        for i in range(first, end):
            if world.times[i] > 0:
                more = count(out, at, after, world.played[i])
                if fair(luck, WAYS[world.times[i] + more][more]) >= world.least[i]:
                    return False
        if world.down[hand] != NONE and fair(luck, count(out, at, after, out[at])) > 0:
            return False
        at = after
    return True


def count(out: Any, at: int, end: int, kind: int) -> int:
    """How many of these are of a kind."""
    found = 0
    for i in range(at, end):
        found += out[i] == kind
    return found


def lay(world: Known, hand: int, luck: Luck, out: Any, at: int) -> int:
    """A hand's cards were dealt in any order, all as likely; what it holds stands from `at` on. Returns its end."""
    first, played = world.first_deal[hand], world.first_played[hand]
    many, shown = world.first_deal[hand + 1] - first, world.first_played[hand + 1] - played
    if world.down[hand] != NONE:
        out[world.down[hand]] = out[at]
    for i in range(many):
        kind = world.played[played + i] if i < shown else out[at + i - shown]
        k = fair(luck, i + 1)  # the card takes the place of one before it, which goes to its own
        last, there = world.deals[first + i], world.deals[first + k]
        base = out[last]
        out[last] = out[there]
        out[there] = base + (kind << 2)
    return at + many - shown
