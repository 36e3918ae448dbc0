"""What a seat at Darna knows, for learning and search.

A learner's vector is made of a View; keys and worlds of the facts that a viewer was told. What is hidden: where the
Puting Bato lay at first, whether others' hidings swapped (DA-13), and which cards others drew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kubli.games.contract import Event
from kubli.games.darna import EITHER, FACES, HOW, STONES, View
from kubli.games.darna_set import CARDS, DIRECTIONS, PAIRS, PLACES, SEATS, TO, Variant
from kubli.games.kit import Luck, Part, around, fair, flags, one_of, put, weighed

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
    at = one_of(out, at, SEATS, (view.on_turn - first) % n)
    at = put(out, one_of(out, at, CARDS, view.card), view.half)
    at = flags(out, at, PLACES, around(view.peeked, n, first))
    at = flags(out, at, PLACES, around(view.may, n, first))
    at = flags(out, at, PLACES, around(view.face_up, n, first))
    at = flags(out, at, SEATS, around(view.out, n, first))
    at = one_of(out, at, SEATS, (view.winner - first) % n if view.winner >= 0 else view.winner)
    at = one_of(out, at, WAYS, view.how)
    at = flags(out, flags(out, at, CARDS, view.hand), CARDS, view.played)
    for i in range(n):
        flags(out, at + i * CARDS, CARDS, view.last[(first + i) % n])


# --- Worlds -----------------------------------------------------------------------------------------------------------

ACTS: dict[str, tuple[str, ...]] = {"shouted": ("shout",), "played": ("play", "card"), "peeked": ("peek", "place")}
ACTS |= {"swapped": ("swap", "places"), "hid": ("hide", "places", "swapped"), "guessed": ("guess", "place")}
ACTS |= {"rotated": ("rotate", "direction")}


@dataclass(slots=True)
class Known:
    """What is certain of the world.

    Attributes:
        events: all that happened; what the viewer was not told is None.
        unseen: numbers of the cards that others hold or that are in the Deck.
        revealed: by seat, the number of the card that it laid open in the end (DA-18).
        may: by place, how the chances stand that the Puting Bato lies there.
        trail: each move of Stones: `may` before it, where it takes the Stones, and the event if it may not have been.
    """

    events: list[Event]
    unseen: list[int]
    revealed: dict[int, int]
    may: list[int]
    trail: list[tuple[list[int], list[int], Event | None]]


def known(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int) -> Known:
    """What is certain of the world, by all that a viewer was told."""
    out = Known([], [*v.names], {}, [1] * PLACES, [])  # DA-4: any place, equally likely
    for fact in told:
        out.events += events_of(fact)
        if "card" in fact and (fact["what"] != "played" or fact["seat"] != viewer):
            out.unseen.remove(fact["card"])
        if fact["what"] == "cards_revealed":
            out.revealed = {int(seat): card for seat, card in fact["cards"].items()}
        elif fact["what"] in ("swapped", "hid", "rotated"):
            moved(v, out, fact)
        elif "face" in fact:
            looked(out, fact["place"], FACES.index(fact["face"]))
    return out


def events_of(fact: Mapping[str, Any]) -> list[Event]:
    """The events that such a fact tells of."""
    what, seat = fact["what"], fact.get("seat")
    if what == "stones_dealt":
        return [{"by": "chance", "deal_stone": None}]
    if what == "card_dealt":
        return [{"by": "chance", "deal_card": fact.get("card"), "to": seat}]
    if what == "drew":
        return [{"by": seat, "act": "draw"}, {"by": "chance", "draw": fact.get("card")}]
    if what not in ACTS or fact["rule"] in ("DA-14", "DA-15"):  # these rotations happen of themselves
        return []
    act, *names = ACTS[what]
    return [{"by": seat, "act": act, **{name: fact.get(name) for name in names}}]


def moved(v: Variant, out: Known, fact: Mapping[str, Any]) -> None:
    """Stones change places, or may have."""
    if fact["what"] == "rotated":
        to = TO[len(PAIRS) + 2 * (v.players - 2) + DIRECTIONS.index(fact["direction"])]
    else:
        to = TO[PAIRS.index(fact["places"])]
    hidden = fact["what"] == "hid" and "swapped" not in fact
    if hidden or fact.get("swapped", True):
        out.trail.append((out.may, to, out.events[-1] if hidden else None))
        came = [out.may[to.index(place)] for place in range(PLACES)]
        # DA-13: swapped or not, one half each; the halves are left out, for all places have them alike
        out.may = [stayed + swapped for stayed, swapped in zip(out.may, came, strict=True)] if hidden else came


def looked(out: Known, place: int, bato: int) -> None:
    """The viewer sees a Stone's face."""
    out.may = [chance if (i == place) == bato else 0 for i, chance in enumerate(out.may)]


def redeal(v: Variant, told: Sequence[Mapping[str, Any]], viewer: int, luck: Luck) -> list[Event]:
    """All events of a game that tells this viewer just the same, drawn as `Worlds.redeal` says."""
    world = known(v, told, viewer)
    lay_stones(world, luck)
    deal_cards(world, luck)
    return world.events


def lay_stones(world: Known, luck: Luck) -> None:
    """Where the Puting Bato lies now, and from there backwards where it came from."""
    at = weighed(luck, world.may)
    for before, to, hiding in reversed(world.trail):
        if hiding is not None:
            hiding["swapped"] = bool(weighed(luck, [before[at], before[to.index(at)]]))
        if hiding is None or hiding["swapped"]:
            at = to.index(at)
    for event in world.events:
        if "deal_stone" in event:
            event["deal_stone"] = at


def deal_cards(world: Known, luck: Luck) -> None:
    """Each card that was played had been kept, or had just been drawn: both are as likely. The rest are any cards."""
    kept: dict[int, Event] = {}
    for event in world.events:
        if "deal_card" in event:
            kept[event["to"]] = event
        elif "draw" in event:
            drawn = event
        elif event.get("act") == "play":
            kept[event["by"]] = play(kept[event["by"]], drawn, event["card"], luck)
    for seat, card in world.revealed.items():
        name_card(kept[seat], card)
    for event in world.events:
        if is_open(event):
            name_card(event, world.unseen.pop(fair(luck, len(world.unseen))))


def is_open(event: Event) -> bool:
    """Whether an event brought a card that nobody has named yet."""
    return None in (event.get("deal_card", 0), event.get("draw", 0))


def play(kept: Event, drawn: Event, card: int, luck: Luck) -> Event:
    """One of two cards is played; returns the event that brought the other."""
    if not is_open(drawn):  # the viewer's own
        return kept if drawn["draw"] == card else drawn
    played, other = (kept, drawn) if fair(luck, 2) else (drawn, kept)
    name_card(played, card)
    return other


def name_card(event: Event, card: int) -> None:
    """This card came then."""
    event["deal_card" if "deal_card" in event else "draw"] = card
