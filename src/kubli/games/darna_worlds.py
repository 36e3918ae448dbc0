"""What a seat at Darna knows, for learning and search.

A learner's vector is made of a View; keys and worlds of the facts that a viewer was told. What is hidden: where the
Puting Bato lay at first, whether others' hidings swapped (DA-13), and which cards others drew.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubli.games.contract import Event
from kubli.games.darna import EITHER, FACES, HOW, NONE, STONES, View
from kubli.games.darna_set import CARDS, DIRECTIONS, PAIRS, PLACES, SEATS, TO, Variant, action
from kubli.games.kit import CHANCE, Luck, Part, around, fair, flags, further, nth, one_of, put, size, weighed

__all__ = ["OBSERVATION", "Known", "encode", "known", "redeal"]

WAYS = len(HOW)

OBSERVATION = (
    Part("due", EITHER + 1, 1, "deal, draw, over, turn, play, guess, peek, peek_two, swap, hide, rotate_either"),
    Part("viewer", SEATS + 1, 1, "the viewer's own seat, for actions name places as they are; last a spectator"),
    Part("dealt", SEATS, 1, "seats that have their card"),
    Part("stones", 1, 1, "whether the Stones are dealt"),
    Part("left", 1, CARDS, "cards in the Deck"),
    Part("turn", 1, 1000, "which turn, counted from 1"),
    Part("on_turn", SEATS, 1, "whose turn or guess it is"),
    Part("card", CARDS, 1, "the card played last"),
    Part("half", 1, 1, "which of its instructions is due"),
    Part("peeked", PLACES, 1, "the first place of a peek_two"),
    Part("may", PLACES, 1, "where the Puting Bato may lie, for all that the viewer was told"),
    Part("face_up", PLACES, 1, "places turned up by guesses"),
    Part("out", SEATS, 1, "seats that guessed wrong"),
    Part("winner", SEATS, 1, "who won"),
    Part("how", WAYS, 1, "if the game is over: by a shout, by a guess, all guesses wrong, at the limit of turns"),
    Part("hand", CARDS, 1, "own cards"),
    Part("played", CARDS, 1, "cards played"),
    Part("last", SEATS * CARDS, 1, "for each seat: the card that it laid open in the end"),
)


def encode(v: Variant, view: View, viewer: int, out: Any) -> None:
    """Fill a learner's vector from a View. Places before seats count from the viewer, cards are as their numbers."""
    n, first = v.players, viewer % v.players
    at = one_of(out, 0, EITHER + 1, view.due)
    at = one_of(out, at, SEATS + 1, viewer if viewer < n else SEATS)
    at = flags(out, at, SEATS, around(view.dealt & STONES - 1, n, first))
    at = put(out, put(out, put(out, at, view.dealt // STONES), view.left), view.turn)
    at = one_of(out, at, SEATS, further(view.on_turn, n, n - first))
    at = put(out, one_of(out, at, CARDS, view.card), view.half)
    at = flags(out, at, PLACES, around(view.peeked, n, first))
    at = flags(out, at, PLACES, around(view.may, n, first))
    at = flags(out, at, PLACES, around(view.face_up, n, first))
    at = flags(out, at, SEATS, around(view.out, n, first))
    at = one_of(out, at, SEATS, further(view.winner, n, n - first) if view.winner >= 0 else view.winner)
    at = one_of(out, at, WAYS, view.how)
    at = flags(out, flags(out, at, CARDS, view.hand), CARDS, view.played)
    for i in range(n):
        flags(out, at + i * CARDS, CARDS, view.last[further(first, n, i)])


# --- Worlds -----------------------------------------------------------------------------------------------------------

ACTS: dict[str, tuple[str, ...]] = {"shouted": ("shout",), "played": ("play", "card"), "peeked": ("peek", "place")}
ACTS |= {"swapped": ("swap", "places"), "hid": ("hide", "places", "swapped"), "guessed": ("guess", "place")}
ACTS |= {"rotated": ("rotate", "direction")}


class Known(NamedTuple):
    """What is certain of the world.

    Attributes:
        by: who acted in each event.
        actions: what was done; what the viewer was not told is the first place, the first card, no swap.
        stones: the event that dealt the Stones, if it has come.
        may: by place, how the chances stand that the Puting Bato lies there. They double with each hidden hiding; 30
            cards can bring 60 of them, so all together are below 2**63.
        moves: which of TO it was, for each move of Stones that was made or may have been made …
        hidden: … the event if it is not known which, else NONE …
        before: … and `may` before it, PLACES numbers each.
        deals: for each other seat that has its card: the event that brought it …
        last: … and the card that it laid open in the end (DA-18), or NONE.
        draws: for each card that others drew: the event that brought it …
        drawer: … whose, as a place in `deals` …
        played: … and which of the two in hand was played then, or NONE.
        unseen: the cards that others hold or that are in the Deck, as one set.
    """

    by: list[int]
    actions: list[int]
    stones: list[int]
    may: list[int]
    moves: list[int]
    hidden: list[int]
    before: list[int]
    deals: list[int]
    last: list[int]
    draws: list[int]
    drawer: list[int]
    played: list[int]
    unseen: list[int]


def known(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int) -> Known:
    """What is certain of the world, by all that a viewer was told."""
    out, owners = Known(*([] for _ in Known._fields)), list[int]()
    out.may[:], out.unseen[:] = [1] * PLACES, [(1 << v.cards) - 1]  # DA-4: any place, equally likely
    for fact in told:
        what, card = fact["what"], v.names.index(fact["card"]) if "card" in fact else NONE
        for event in events_of(v, fact):
            out.by.append(CHANCE if event["by"] == "chance" else event["by"])
            out.actions.append(action(v, event))
        if card != NONE:
            out.unseen[0] &= ~(1 << card)
        if what == "stones_dealt":
            out.stones.append(len(out.by) - 1)
        elif fact.get("seat") != viewer and what in ("card_dealt", "drew", "played"):
            note_card(out, owners, fact, card)
        elif what == "cards_revealed":
            out.last[:] = [v.names.index(fact["cards"][str(seat)]) for seat in owners]
        elif what in ("swapped", "hid", "rotated"):
            note_move(v, out, fact)
        elif "face" in fact:
            bato = FACES.index(fact["face"])
            out.may[:] = [chance * ((place == fact["place"]) == bato) for place, chance in enumerate(out.may)]
    return out


def events_of(v: Variant, fact: Mapping[str, Any]) -> list[Event]:
    """The events that such a fact tells of, with something in place of what it does not tell."""
    what, seat, card = fact["what"], fact.get("seat"), fact.get("card", v.names[0])
    if what == "stones_dealt":
        return [{"by": "chance", "deal_stone": 0}]
    if what == "card_dealt":
        return [{"by": "chance", "deal_card": card, "to": seat}]
    if what == "drew":
        return [{"by": seat, "act": "draw"}, {"by": "chance", "draw": card}]
    if what not in ACTS or fact["rule"] in ("DA-14", "DA-15"):  # these rotations happen of themselves
        return []
    act, *names = ACTS[what]
    return [{"by": seat, "act": act, **{name: fact.get(name, False) for name in names}}]


def note_card(out: Known, owners: list[int], fact: Mapping[str, Any], card: int) -> None:
    """Another seat gets a card or plays one of two."""
    if fact["what"] == "card_dealt":
        owners.append(fact["seat"])
        out.deals.append(len(out.by) - 1)
        out.last.append(NONE)
    elif fact["what"] == "drew":
        out.draws.append(len(out.by) - 1)
        out.drawer.append(owners.index(fact["seat"]))
        out.played.append(NONE)
    else:
        out.played[-1] = card


def note_move(v: Variant, out: Known, fact: Mapping[str, Any]) -> None:
    """Stones change places, or may have."""
    if fact["what"] == "rotated":
        move = len(PAIRS) + 2 * (v.players - 2) + DIRECTIONS.index(fact["direction"])
    else:
        move = PAIRS.index(fact["places"])
    hidden, before = fact["what"] == "hid" and "swapped" not in fact, out.may[:]
    if hidden or fact.get("swapped", True):
        out.moves.append(move)
        out.hidden.append(len(out.by) - 1 if hidden else NONE)
        out.before.extend(before)
        # DA-13: swapped or not, one half each; the halves are left out, for all places have them alike
        out.may[:] = [before[TO[move].index(place)] + hidden * before[place] for place in range(PLACES)]


def redeal(v: Variant, world: Known, luck: Luck, out: Any) -> None:
    """Write the actions of a game that tells the viewer just the same, drawn as `Worlds.redeal` says."""
    for i in range(len(world.actions)):
        out[i] = world.actions[i]
    if len(world.stones) > 0:
        lay_stones(world, luck, out)
    deal_cards(world, luck, out)


def lay_stones(world: Known, luck: Luck, out: Any) -> None:
    """Where the Puting Bato lies now, and from there backwards where it came from."""
    at = weighed(luck, world.may, 0, PLACES)
    for i in range(len(world.moves) - 1, -1, -1):
        came, event, first = at, world.hidden[i], i * PLACES
        for place in range(PLACES):
            if TO[world.moves[i]][place] == at:
                came = place
        swap = world.before[first + came]
        done = event == NONE or fair(luck, world.before[first + at] + swap) < swap
        if done:
            at = came
            if event != NONE:
                out[event] += 1  # the next action: the same places, swapped
    out[world.stones[0]] += at


def deal_cards(world: Known, luck: Luck, out: Any) -> None:
    """Each card that was played had been kept, or had just been drawn: both are as likely. The rest are any cards."""
    unseen = world.unseen[0]
    for i in range(len(world.deals)):
        kept = world.deals[i]
        for j in range(len(world.draws)):
            if world.drawer[j] == i:
                other = world.draws[j]
                if world.played[j] == NONE:  # two are in hand
                    unseen = name_card(unseen, other, luck, out)
                elif fair(luck, 2):
                    out[other] += world.played[j]
                else:
                    out[kept] += world.played[j]
                    kept = other
        if world.last[i] == NONE:
            unseen = name_card(unseen, kept, luck, out)
        else:
            out[kept] += world.last[i]


def name_card(unseen: int, event: int, luck: Luck, out: Any) -> int:
    """Any card that was not seen came then; returns the others."""
    card = nth(unseen, fair(luck, size(unseen)))
    out[event] += card
    return unseen & ~(1 << card)
