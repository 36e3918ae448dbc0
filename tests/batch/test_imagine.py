"""Games imagined in a batch: those of the table one by one, and as likely as they should be."""

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from batch.plain import COUNTS
from games.test_darna_worlds import most_hidings
from kubli.batch import Batch, BatchError, records
from kubli.games import GAMES
from kubli.games.kit import Luck
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.exact import deviation, number_of, telling
from laws.test_worlds import small, viewers
from laws.worlds import again, cut, sizes, steps

LEAST = [(name, game.PLAYERS[0]) for name, game in GAMES.items()]


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_imagined_games_are_those_of_the_table(game: str, players: int) -> None:
    random, other = Random(f"imagine {game} {players}"), 0
    for number in range(sizes(12, 200)):
        table = cut(game, players, random) if number % 6 else list(steps(game, players, random))[-1]
        seed = random.getrandbits(64)
        for viewer in viewers(table):
            batch = Batch.imagine(table, viewer, 3, seed)
            compare(batch, table, viewer, seed)
            other += sum(batch.state(i) != table.state for i in range(3))
    assert other > 20


def compare(batch: Batch, table: Table, viewer: Viewer, seed: int) -> None:
    """Every game of the batch against the world that the table imagines, and all that the viewer knows in it."""
    for i in range(batch.size):
        luck = Luck(seed, i)
        world = table.imagine(viewer, luck)
        assert batch.state(i) == world.state
        assert batch._luck[i, 0] == luck.state  # so chance goes on as well
        assert [int(key) for key in batch.states["key"][i][: table.players + 1]] == [
            world.key(one) for one in viewers(world)
        ]
    who = np.full(batch.size, number_of(table, viewer))
    assert set(batch.keys(who).tolist()) == {table.key(viewer)}
    assert {tuple(row) for row in batch.observe(who).tolist()} == {tuple(table.observation(viewer))}
    assert batch.over.tolist() == [table.over] * batch.size


def test_the_largest_weights_that_there_can_be_are_the_tables() -> None:
    table = most_hidings(2)
    for viewer in viewers(table):
        compare(Batch.imagine(table, viewer, 20, 7), table, viewer, 7)


@pytest.mark.parametrize(("game", "players"), LEAST)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_and_sizes_change_nothing(game: str, players: int, threads: int) -> None:
    table = cut(game, players, Random(8))
    whole, part = Batch.imagine(table, 0, 41, -3, threads), Batch.imagine(table, 0, 17, -3)
    assert np.array_equal(whole.states[:17], part.states)
    assert np.array_equal(whole._luck[:17], part._luck)
    assert not np.array_equal(whole.states, Batch.imagine(table, 0, 41, -2).states)
    assert whole.rollout() > 0
    assert whole.over.all()


class Going:
    """Chance that goes on with some luck."""

    def __init__(self, luck: Luck) -> None:
        self.luck = luck

    def below(self, k: int, n: int) -> int:
        return self.luck.below(n)


def going_on(table: Table, viewer: Viewer, luck: Luck) -> Table:
    """A world that the table imagines, in which chance acts."""
    world = table.imagine(viewer, luck)
    world._chance = Going(luck)
    return world


def test_a_spectator_is_numbered_as_elsewhere() -> None:
    table = cut("darna", 3, Random(4))
    spectators: list[Any] = [SPECTATOR, np.int64(3)]
    named, numbered = (Batch.imagine(table, viewer, 5, 1) for viewer in spectators)
    assert np.array_equal(named.states, numbered.states)


@pytest.mark.parametrize(("game", "players"), LEAST)
def test_an_imagined_game_is_played_on_like_any_other(game: str, players: int) -> None:
    table = Table(game, players, chance=Seeded(3))
    table.advance()
    seat = table.to_act[0]
    batch, worlds = Batch.imagine(table, seat, 5, 9), [going_on(table, seat, Luck(9, i)) for i in range(5)]
    for _ in range(20):
        actions = np.where(batch.over, -1, batch.mask().argmax(axis=1))
        for world, who, action in zip(worlds, batch.to_act, actions, strict=True):
            if action >= 0:
                world.do(int(who), int(action))
                world.advance()
        batch.step(actions)
        assert [batch.state(i) for i in range(5)] == [world.state for world in worlds]
        assert batch.keys(np.full(5, seat)).tolist() == [world.key(seat) for world in worlds]
    batch.reset()
    assert np.array_equal(batch.states, Batch(game, players, 5, 9).states)


@pytest.mark.parametrize("game", GAMES)
def test_imagined_games_are_as_likely_as_they_should_be(game: str) -> None:
    told_apart = 0
    for seed in range(sizes(4, 24)):
        table = small(game, seed, end=seed % 8 == 7)
        for viewer in viewers(table):
            batch = Batch.imagine(table, viewer, sizes(20_000, 100_000), seed)
            weights, found = rows_of(table, viewer), Counter(row.tobytes() for row in batch.states)
            assert set(found) <= set(weights)
            assert deviation(weights, found) < 3.72  # p > 1e-4
            told_apart += len(weights) > 1
    assert told_apart > 4


def rows_of(table: Table, viewer: Viewer) -> dict[bytes, Fraction]:
    """The row of every world that tells this viewer just the same, with its chance."""
    found: dict[bytes, Fraction] = {}
    for text, weight in telling(table, viewer).items():
        events = json.loads(text)
        world = again(table, events + table.events[len(events) :])  # and what nobody was told of yet
        row = records.row_of(world.state, table.game.PLAYERS.stop)
        row["key"][0, : table.players + 1] = [world.key(one) for one in viewers(world)]
        found[row.tobytes()] = found.get(row.tobytes(), Fraction(0)) + weight
    return found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"table": "darna"}, "must be a Table, not str"),
        ({"table": None}, "must be a Table, not NoneType"),
        ({"viewer": 3}, "viewer"),
        ({"viewer": -1}, "viewer"),
        ({"viewer": 1.0}, "viewer"),
        ({"viewer": True}, "viewer"),
        ({"viewer": "me"}, "viewer"),
        ({"size": 0}, "from 1 to"),
        ({"size": "9"}, "whole number"),
        ({"seed": 1.5}, "whole number"),
        ({"threads": 0}, "from 1 to"),
    ],
)
def test_nothing_is_imagined_of_what_may_not_be(change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"table": Table("darna", 2), "viewer": SPECTATOR, "size": 2, **change}
    with pytest.raises(BatchError, match=said):
        Batch.imagine(**given)


def test_where_chance_is_due_it_acts_in_the_first_step() -> None:
    table = Table("darna", 3, chance=Seeded(1))
    table.advance()
    table.happen({"by": 0, "act": "draw"})
    batch = Batch.imagine(table, 1, 5, 9)
    assert batch.to_act.tolist() == [-1] * 5
    assert not batch.over.any()
    assert not batch.mask().any()
    assert not batch.keys().any()
    batch.step(np.full(5, -1))
    assert batch.to_act.tolist() == [0] * 5
    assert (batch.mask().sum(axis=1) == 2).all()  # DA-7: one of two cards
    assert batch.keys(np.full(5, 1)).tolist() == [int(batch.keys(np.full(5, 1))[0])] * 5
