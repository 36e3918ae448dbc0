"""Secrets leave by one door: what a seat may not know makes no difference to anything that it gets.

Two laws. Overwriting what a viewer may not know leaves its View as it was. And two whole games that differ only in that
give the viewer equal bytes at every exit of the engine; for each exit a leak is planted, which the law must catch.
"""

import json
from collections.abc import Callable
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from kubli import words
from kubli.bots import BOTS
from kubli.games.contract import Refused
from kubli.games.kit import EVERYONE, NOBODY, OWNER, Luck
from kubli.play.record import parse, write
from kubli.play.replay import answer
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.worlds import COUNTS, clone, games, pairs, sizes

# --- Overwriting ------------------------------------------------------------------------------------------------------


def entries(state: Any) -> list[tuple[str, tuple[int, ...], dict[str, Any]]]:
    """Every int of a State: its field, its index, and what the field's definition says."""
    found = []
    for field in fields(state):
        meta = dict(field.metadata)
        if "shape" in meta:
            found += [(field.name, index, meta) for index in indices(meta["shape"])]
    return found


def indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [()] if not shape else [(i, *rest) for i in range(shape[0]) for rest in indices(shape[1:])]


def may_know(table: Table, viewer: int, known: str, index: tuple[int, ...]) -> bool:
    if known in (EVERYONE, NOBODY):
        return known == EVERYONE
    if known == OWNER:
        return index[0] == viewer
    return bool(getattr(table.game, known)(table.variant, table.state, viewer, *index))


def put(state: Any, name: str, index: tuple[int, ...], value: int) -> None:
    if not index:
        setattr(state, name, value)
        return
    row = getattr(state, name)
    for i in index[:-1]:
        row = row[i]
    row[index[-1]] = value


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_overwriting_what_a_viewer_may_not_know_leaves_its_view(game: str, players: int) -> None:
    random, tried = Random(f"overwrite {game} {players}"), 0
    while tried < sizes(1000, 20_000):
        for steps in games(game, players, 1, seed=tried):
            for table in steps:
                for viewer in range(players + 1):
                    tried += 1
                    overwrite(table, viewer, random)


def overwrite(table: Table, viewer: int, random: Random) -> None:
    who: Viewer = viewer if viewer < table.players else SPECTATOR
    before, honest, hidden = write(table.view(who)), table.state, 0
    table.state = clone(honest)
    for name, index, meta in entries(honest):
        if not may_know(table, viewer, meta["known"], index):
            put(table.state, name, index, random.randint(meta["least"], min(meta["most"], meta["least"] + 10**6)))
            hidden += 1
    try:
        assert hidden > 0
        assert write(table.view(who)) == before
    finally:
        table.state = honest


# --- Pairs ------------------------------------------------------------------------------------------------------------


def refusals(table: Table, viewer: Viewer) -> list[str]:
    """The rule that answers this seat whatever it tries: all that the sentence of a refusal is made from."""
    if viewer == SPECTATOR:
        return []
    said = []
    v, s, game = table.variant, table.state, table.game
    for action in range(0, game.ACTIONS, 3):
        try:
            event = {"by": viewer, **game.event(v, action)}
            rule = game.refusal(v, s, int(viewer), game.action(v, event))
            said.append(f"{game.PREFIX}-{rule}")
        except (Refused, IndexError) as why:
            said.append(repr(why))
    return said


def hints(table: Table, viewer: Viewer) -> list[Any]:
    """What the bots would do in this seat, and why: they know what the seat knows."""
    if viewer == SPECTATOR or not table.legal(int(viewer)):
        return []
    seen, told, legal = table.seen(int(viewer)), table.told(viewer), table.legal(int(viewer))
    return [bot(seen, told, legal, Luck(7), 0.0) for bot in BOTS.values()]


def replayed(table: Table, viewer: Viewer) -> Any:
    return answer(parse(write(table.record()).encode()), viewer)


def sentences(table: Table, viewer: Viewer) -> list[str]:
    teller = words.Teller(table.game.NAME, viewer, [f"P{seat}" for seat in range(table.players)])
    return [words.text(teller.say(fact)) for fact in table.told(viewer)]


def legal(table: Table, viewer: Viewer) -> list[Any]:
    return [] if viewer == SPECTATOR else table.legal(int(viewer))


EXITS: dict[str, Callable[[Table, Viewer], Any]] = {
    "view": lambda table, viewer: table.view(viewer),
    "told": lambda table, viewer: table.told(viewer),
    "legal": legal,
    "to_act": lambda table, _viewer: [table.to_act, table.over, table.result],
    "refusals": refusals,
    "hints": hints,
    "replay": replayed,
    "words": sentences,
}


def secret(table: Table) -> Any:
    """Something that no viewer knows whole: what a leak would carry."""
    return [event for event in table.events if event["by"] == "chance"] + [
        event for event in table.events if "swapped" in event or event.get("act") == "choose"
    ]


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_pairs_that_a_viewer_cannot_tell_apart_get_equal_bytes(game: str, players: int) -> None:
    differ = count = 0
    for table, twin, viewer in pairs(game, players, sizes(200, 10_000 // 3)):
        count += 1
        differ += table.events != twin.events
        for name, out in EXITS.items():
            here, there = json.dumps(out(table, viewer)), json.dumps(out(twin, viewer))
            assert here == there, f"{name} tells viewer {viewer} which world it is in"
    assert differ >= 0.8 * count, f"only {differ} of {count} pairs differ"


@pytest.mark.parametrize("name", EXITS)
@pytest.mark.parametrize(("game", "players"), [("darna", 3), ("narabi", 3), ("darwins-dice", 3)])
def test_a_planted_leak_is_caught(game: str, players: int, name: str) -> None:
    """A leak of one bit of the secret, at this exit, is seen among a few pairs."""

    def leaky(table: Table, viewer: Viewer) -> list[Any]:
        return [EXITS[name](table, viewer), hash(str(secret(table))) & 1]

    caught = [leaky(table, viewer) != leaky(twin, viewer) for table, twin, viewer in pairs(game, players, 30)]
    assert any(caught)
