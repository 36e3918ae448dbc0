"""The law of both carriers for what a seat knows: after every step, compiled and plain vectors and keys are equal."""

from random import Random

import numpy as np
import pytest

from batch.plain import COUNTS
from kubli.batch import Batch
from kubli.games import GAMES, WORLDS
from kubli.games.kit import length
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table
from laws.worlds import choose, options_of, sizes


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_compiled_and_plain_vectors_and_keys_are_equal_after_every_step(game: str, players: int) -> None:
    random = Random(f"observe {game} {players}")
    for _ in range(sizes(2, 20)):
        seed, size, options = random.getrandbits(64), sizes(4, 20), options_of(game, players, random)
        batch = Batch(game, players, size, seed, options)
        tables = [Table(game, players, options, chance=Seeded(seed, i)) for i in range(size)]
        for table in tables:
            table.advance()
        compare(batch, tables)
        while not batch.over.all():
            actions, seats = np.full(size, -1), np.zeros(size, np.int64)
            for i, table in enumerate(tables):
                if not table.over:
                    event = choose(table, random)
                    table.act(event["by"], event)
                    seats[i], actions[i] = event["by"], table.game.action(table.variant, event)
            batch.step(actions, seats)
            compare(batch, tables)


def compare(batch: Batch, tables: list[Table]) -> None:
    out = np.full((batch.size, batch.width), -7, np.int16)
    for viewer in range(batch.players + 1):
        assert batch.observe(np.full(batch.size, viewer), out) is out
        number = SPECTATOR if viewer == batch.players else viewer
        assert out.tolist() == [table.observation(number) for table in tables]
        assert batch.keys(np.full(batch.size, viewer)).tolist() == [table.key(number) for table in tables]
    acting, keys = batch.observe(), batch.keys()
    for i, table in enumerate(tables):
        assert acting[i].tolist() == (table.observation(table.to_act[0]) if table.to_act else [0] * batch.width)
        assert keys[i] == (table.key(table.to_act[0]) if table.to_act else 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_vector_is_as_wide_for_every_number_of_players(game: str) -> None:
    widths = {Batch(game, players, 1).observe().shape for players in GAMES[game].PLAYERS}
    assert widths == {(1, length(WORLDS[game].OBSERVATION))}
