"""What lies on a table of Darna: places, cards, where moves take the Stones, and the names of actions.

Rule ids (DA-…) are those of docs/rules/darna.md. A card is known by its slot, which ascends with the number printed on
it; sets of places are bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kubli.games.contract import Event, Refused, fault, take
from kubli.games.kit import bits_of, number, numbers, words

__all__ = [
    "CARDS",
    "DIRECTIONS",
    "INSTRUCTIONS",
    "PAIRS",
    "PLACES",
    "SEATS",
    "SET_TO",
    "TO",
    "Variant",
    "action",
    "event",
]
__all__ += ["variant"]

SEATS, PLACES, CARDS = 5, 5, 32  # DA-1: five Stones; DA-2: a deck file may have other cards; DA-3: at five places
CHOICES = ["peek", "peek_two", "swap", "hide", "rotate_either"]  # instructions that leave something to choose (DA-9) …
INSTRUCTIONS = [
    *CHOICES,
    "show",
    "rotate_clockwise",
    "rotate_counterclockwise",
]  # … and those that happen of themselves
DIRECTIONS = ["clockwise", "counterclockwise"]

# Where a move takes the Stone at each place: ten swaps of two, then both rotations for 2 to 5 players (DA-14, DA-15).
PAIRS = [[low, high] for low in range(PLACES) for high in range(low + 1, PLACES)]
SWAPS = [[high if i == low else low if i == high else i for i in range(PLACES)] for low, high in PAIRS]
TO = SWAPS + [[(i + way) % n if i < n else i for i in range(PLACES)] for n in range(2, SEATS + 1) for way in (1, -1)]
# And where it may lie then, if it may lie at a set of places now.
SET_TO = [[bits_of(to[i] for i in range(PLACES) if which >> i & 1) for which in range(1 << PLACES)] for to in TO]


@dataclass(slots=True)
class Variant:
    """What a table sets."""

    players: int = number(least=2, most=SEATS, start=2)
    first: int = number(most=SEATS - 1)  # DA-6
    max_turns: int = number(least=1, most=1000, start=200)  # DA-21
    cards: int = number(most=CARDS)
    instructions: list[list[int]] = numbers(CARDS, 2, most=len(INSTRUCTIONS) - 1)  # of each card, first and second
    names: list[int] = words()  # the number printed on each card
    events: list[Event] = words()  # by action
    actions: dict[Any, int] = words()  # by what an event says
    deck: dict[str, Any] = words()


def variant(players: int, options: Mapping[str, Any], deck: Mapping[str, Any]) -> Variant:
    """The Variant of a table.

    Raises:
        Refused: DA-2; the deck has no more cards than there are players.
    """
    cards = sorted(deck["cards"], key=lambda card: card["number"])
    if len(cards) <= players:
        raise Refused("DA-2", "too_few_cards", cards=len(cards), players=players, least=players + 1)
    v = Variant(players, options["first"], options["max_turns"], len(cards), deck=dict(deck))
    for row, card in zip(v.instructions, cards, strict=False):
        row[:] = INSTRUCTIONS.index(card["first"]), INSTRUCTIONS.index(card["second"])
    v.names = [card["number"] for card in cards]
    v.events = every_event(v.names)
    v.actions = {said(event): action for action, event in enumerate(v.events)}
    return v


# --- Names of actions -------------------------------------------------------------------------------------------------

FIELDS = {"draw": [], "shout": [], "play": ["card"], "peek": ["place"], "swap": ["places"], "guess": ["place"]}
FIELDS |= {"hide": ["places", "swapped"], "rotate": ["direction"]}
DEALS = [["deal_stone"], ["deal_card", "to"], ["draw"]]
TYPES: dict[str, type] = {"act": str, "places": list, "swapped": bool, "direction": str}  # of the others: int
KNOWN_BY = {"deal_stone": "DA-3", "place": "DA-3", "deal_card": "DA-2", "draw": "DA-2", "card": "DA-2", "to": "DA-5"}


def every_event(names: list[int]) -> list[Event]:
    """All events in the order of their actions, a seat's and then chance's. A slot without a card has no number."""
    cards, places = [*names, *[None] * (CARDS - len(names))], range(PLACES)
    events: list[Event] = [{"act": "draw"}, {"act": "shout"}, *({"act": "play", "card": card} for card in cards)]
    events += [{"act": "peek", "place": place} for place in places]
    events += [{"act": "swap", "places": pair} for pair in PAIRS]
    events += [{"act": "hide", "places": pair, "swapped": swapped} for pair in PAIRS for swapped in (False, True)]
    events += [{"act": "rotate", "direction": direction} for direction in DIRECTIONS]
    events += [{"act": "guess", "place": place} for place in places]
    events += [{"deal_stone": place} for place in places]
    events += [{"deal_card": card, "to": seat} for seat in range(SEATS) for card in cards]
    return events + [{"draw": card} for card in cards]


def event(v: Variant, action: int) -> Event:
    """The event that an action is."""
    return {name: [*value] if name == "places" else value for name, value in v.events[action].items()}


def action(v: Variant, event: Event) -> int:
    """The action that an event names; two places may come in either order.

    Raises:
        Refused: FORMAT, or the rule that says which places, cards, pairs and directions there are.
    """
    take(event, **{name: TYPES.get(name, int) for name in fields_of(event)})
    if any(type(place) is not int for place in event.get("places", ())):
        raise fault("wrong_type", field="places", wanted="two whole numbers", where="event")
    which = v.actions.get(said(event))
    if which is None:
        raise no_such(v, event)
    return which


def fields_of(event: Event) -> list[str]:
    """The fields that such an event has."""
    if "act" in event:
        [act] = take({"act": event["act"]}, act=str)
        if act not in FIELDS:
            raise fault("unknown_act", act=act, acts=list(FIELDS))
        if event.get("by") == "chance":
            raise fault("seat_only")
        return ["act", *FIELDS[act]]
    for fields in DEALS:
        if fields[0] in event:
            if event.get("by", "chance") != "chance":
                raise fault("chance_only")
            return fields
    raise fault("unknown_event")


def said(event: Event) -> Any:
    """What an event says, in whatever order it says it."""
    said = [(name, tuple(sorted(value)) if name == "places" else value) for name, value in event.items()]
    return tuple(sorted(one for one in said if one[0] != "by"))


def no_such(v: Variant, event: Event) -> Refused:
    """Why no action is named so."""
    for name, rule in KNOWN_BY.items():
        if name in event and all(one.get(name) != event[name] for one in v.events):
            return Refused(rule, **{name: event[name]})
    if "direction" in event:
        return Refused("DA-16", direction=event["direction"])
    if any(place not in range(PLACES) for place in event["places"]):
        return Refused("DA-3", places=event["places"])
    return Refused("DA-12" if event["act"] == "swap" else "DA-13", places=event["places"])
