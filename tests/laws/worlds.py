"""Random games, and for a viewer of one a second world that this viewer cannot tell apart.

The second world is built by hand for each game, from the rules of who knows what, never by comparing what was told:
that is what the laws are to find out.
"""

import os
from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

from kubli.games import GAMES
from kubli.games.contract import Event, Refused
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table, Viewer

LONG = os.environ.get("KUBLI_LONG") == "1"
COUNTS = [(name, players) for name, game in GAMES.items() for players in game.PLAYERS]


def sizes(ci: int, long: int) -> int:
    """How many: in CI, or with --long."""
    return long if LONG else ci


def options_of(game: str, players: int, random: Random) -> dict[str, Any]:
    """Some options that a table may set."""
    if game == "narabi":
        choice = random.random
        return {"questions": random.choice([0, 3, 12]), "silent": choice() < 0.1, "no_return": choice() < 0.5}
    if game == "darna":
        return {"first": random.randrange(players), "max_turns": random.choice([200, 200, 7])}
    return {"first": random.randrange(players)}


def choose(table: Table, random: Random) -> Event:
    """A seat's random choice; it shouts and asks less often than by lot, so that games get on."""
    legal = table.legal(random.choice(table.to_act))
    often = [event for event in legal if event["act"] not in ("shout", "ask")]
    return random.choice(often if often and random.random() < 0.8 else legal)


def games(game: str, players: int, count: int, seed: int = 0) -> Iterator[Iterator[Table]]:
    """Random games, each as the table after set-up and after every choice."""
    for number in range(count):
        yield steps(game, players, Random(f"{game} {players} {seed} {number}"))


def steps(game: str, players: int, random: Random) -> Iterator[Table]:
    table = Table(game, players, options_of(game, players, random), chance=Seeded(random.getrandbits(64)))
    table.advance()
    yield table
    while not table.over:
        event = choose(table, random)
        table.act(event["by"], event)
        yield table


def cut(game: str, players: int, random: Random) -> Table:
    """A random game stopped at a random moment before its end, perhaps in the middle of a deal."""
    whole = list(steps(game, players, random))[-1]
    return again(whole, whole.events[: random.randrange(1, len(whole.events))])


def again(table: Table, events: list[Event]) -> Table:
    """Another table of the same variant after these events."""
    other = table.anew()
    for event in events:
        other.happen(event)
    return other


def clone(state: Any) -> Any:
    """A State of its own, equal to this one."""
    other = object.__new__(type(state))
    for field in fields(state):
        setattr(other, field.name, copied(getattr(state, field.name)))
    return other


def copied(value: Any) -> Any:
    return [copied(one) for one in value] if isinstance(value, list) else value


def pairs(game: str, players: int, count: int, seed: int = 1) -> Iterator[tuple[Table, Table, Viewer]]:
    """Tables, each with a twin that this viewer cannot tell apart from it, most of them different in truth."""
    random = Random(f"{game} {players} {seed}")
    while count:
        table = cut(game, players, random)
        viewer = random.choice([*range(players), SPECTATOR])
        if not table.over:
            twin = OTHER[game](table, viewer, random)
            yield table, twin, viewer
            count -= 1


# --- Darwin's Dice ----------------------------------------------------------------------------------------------------


def darwin(table: Table, viewer: Viewer, random: Random) -> Table:
    """The cards that others hold, and those still to be dealt, are shuffled among themselves."""
    events = [dict(event) for event in table.events]
    slots = [event for event in events if "deal" in event]
    turned = [fact for fact in table.facts if fact["what"] == "turned"]
    played = [[fact["cards"][seat] for fact in turned] for seat in range(table.players)]
    hidden = []
    for event in slots:
        seen = played[event["to"]]
        if event["deal"] in seen:
            seen.remove(event["deal"])
        elif event["to"] != viewer:
            hidden.append(event)
    kinds = table.variant.deck["kinds"]
    left = [kind for kind, one in kinds.items() for _ in range(one["copies"])]
    for event in slots:
        left.remove(event["deal"])
    pool = [event["deal"] for event in hidden] + left
    random.shuffle(pool)
    for event, kind in zip(hidden, pool, strict=False):
        event["deal"] = kind
    for event in events[after_last(table, "turned") :]:  # chosen and not yet turned
        if event.get("act") == "choose" and event["by"] != viewer:
            hand = [slot["deal"] for slot in hidden if slot["to"] == event["by"]]
            event["card"] = random.choice(hand)
    return again(table, events)


def after_last(table: Table, what: str) -> int:
    return max((fact["event"] + 1 for fact in table.facts if fact["what"] == what), default=0)


# --- Darna ------------------------------------------------------------------------------------------------------------


def darna(table: Table, viewer: Viewer, random: Random) -> Table:
    """Another place of the Stone and other hidings that show the viewer the same faces; others' cards shuffled."""
    events = [dict(event) for event in table.events]
    swap_cards(table, viewer, random, events)
    start = next((event for event in events if "deal_stone" in event), None)
    hides = [event for event in events if event.get("act") == "hide" and event["by"] != viewer]
    for _ in range(60):
        if start is None:
            break
        trial = {id(start): random.randrange(5), **{id(event): random.random() < 0.5 for event in hides}}
        if faces(table, viewer, events, trial) == faces(table, viewer, events, {}):
            start["deal_stone"] = trial[id(start)]
            for event in hides:
                event["swapped"] = trial[id(event)]
            if events != table.events:
                break
    return again(table, events)


def faces(table: Table, viewer: Viewer, events: list[Event], trial: dict[int, Any]) -> list[bool]:
    """Whether each look that this viewer gets, in order, is at the Puting Bato; `trial` has other truths by event."""
    at, seen, n = -1, [], table.players
    for fact in table.facts:
        event, what, by = events[fact["event"]], fact["what"], fact.get("seat")
        if what == "stones_dealt":
            at = trial.get(id(event), event["deal_stone"])
        elif what == "swapped" or (what == "hid" and trial.get(id(event), event["swapped"])):
            p, q = fact["places"]
            at = q if at == p else p if at == q else at
        elif what == "rotated" and at < n:
            at = (at + (1 if fact["direction"] == "clockwise" else -1)) % n
        elif what in ("shouted", "guessed") or (what == "peeked" and by == viewer):
            seen.append(at == fact["place"])
        elif what == "showed" and viewer not in (by, SPECTATOR):
            seen.append(at == by)
    return seen


def swap_cards(table: Table, viewer: Viewer, random: Random, events: list[Event]) -> None:
    """The cards in others' hands and in the Deck, shuffled among themselves (not once all hands are revealed)."""
    if any(fact["what"] == "cards_revealed" for fact in table.facts):
        return
    played = {event["card"] for event in events if event.get("act") == "play"}
    slots: list[tuple[Event, str]] = []
    drawer = -1
    for event in events:
        drawer = event["by"] if event.get("act") == "draw" else drawer
        name = "deal_card" if "deal_card" in event else "draw" if "draw" in event else ""
        if name and event[name] not in played and viewer != (event["to"] if name == "deal_card" else drawer):
            slots.append((event, name))
    out = {event.get("deal_card", event.get("draw")) for event in events}
    pool = [event[name] for event, name in slots]
    pool += [card["number"] for card in table.variant.deck["cards"] if card["number"] not in out]
    random.shuffle(pool)
    for (event, name), number in zip(slots, pool, strict=False):
        event[name] = number


# --- Narabi -----------------------------------------------------------------------------------------------------------


def narabi(table: Table, viewer: Viewer, random: Random) -> Table:
    """Two conditions that this viewer never read trade sleeves, if every exchange and answer stays as it was."""
    slots = [event for event in table.events if "sleeve" in event]
    read = {
        fact["stone"] if fact["what"] == "sleeve_dealt" else fact[one]
        for fact in table.facts
        for one in ("stone", "gave", "took")
        if (fact["what"] == "sleeve_dealt" and fact["seat"] == viewer and one == "stone")
        or (fact["what"] == "exchanged" and viewer in (fact["seat"], fact["with"]) and one != "stone")
    }
    hidden = [event for event in slots if event["sleeve"]["stone"] not in read]
    dealt = {event["sleeve"]["condition"] for event in slots}
    out = [one["id"] for one in table.variant.deck["conditions"] if one["id"] not in dealt]
    pool = [event["sleeve"]["condition"] for event in hidden] + out
    for _ in range(40):
        trial = list(pool)
        i, j = (random.sample(range(len(pool)), 2)) if len(pool) > 1 and hidden else (0, 0)
        if i != j and min(i, j) < len(hidden):
            trial[i], trial[j] = trial[j], trial[i]
            given = dict(zip([event["place"] for event in hidden], trial, strict=False))
            events = [with_condition(event, given) for event in table.events]
            try:
                twin = again(table, events)
            except Refused:
                continue
            if public(twin) == public(table):
                return twin
    return again(table, table.events)


def with_condition(event: Event, given: dict[int, str]) -> Event:
    if "sleeve" not in event or event["place"] not in given:
        return event
    return {**event, "sleeve": {**event["sleeve"], "condition": given[event["place"]]}}


def public(table: Table) -> list[Any]:
    """What every person at the table hears: answers, and whether the game is over."""
    answers = [fact["answer"] for fact in table.facts if fact["what"] == "answered"]
    return [answers, table.over]


OTHER = {"darna": darna, "narabi": narabi, "darwins-dice": darwin}
