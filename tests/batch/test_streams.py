"""One stream a game: the same deals and the same random games as `simulate`, for any size and number of threads."""

import numpy as np
import pytest

from batch.plain import COUNTS, Plain
from kubli.batch import Batch, native, random_play
from kubli.batch.batch import luck_for
from kubli.bots import BOTS
from kubli.games import GAMES, kit
from kubli.play import simulate

SEEDS = [0, 1, -1, 2**63, 2**64 - 1, 2**64, 10**30]
LEAST = [(name, game.PLAYERS[0]) for name, game in GAMES.items()]


def test_the_seats_streams_begin_where_simulates_do() -> None:
    text = (native.__file__.rpartition("native")[0]) + "loops.py"
    with open(text, encoding="utf-8") as source:  # noqa: PTH123
        assert f"0x{simulate.BOT:X}".lower() in source.read().lower()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("game", "players"), LEAST)
def test_game_i_deals_as_seeded_does(game: str, players: int, seed: int) -> None:
    batch = Batch(game, players, 7, seed)
    assert [batch.state(i) for i in range(7)] == [Plain(batch, seed, i).state for i in range(7)]
    batch.reset(first=5)
    assert batch.state(0) == Plain(batch, seed, 5).state
    assert Batch(game, players, 1, seed).state(0) == Plain(batch, seed, 0).state


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_a_rollout_is_what_simulate_plays_with_random_bots(game: str, players: int) -> None:
    seats = [("random", BOTS["random"])] * players
    played = list(simulate.simulate(game, players, 12, 9, seats))
    batch = Batch(game, players, 12, 9)
    decisions = batch.rollout()
    assert batch.utilities().tolist() == [one["result"]["utilities"] for one in played]
    assert decisions == sum(event["by"] != "chance" for one in played for event in one["events"])
    found = random_play(game, players, 12, 9)
    assert (found.games, found.decisions) == (12, decisions)
    assert found.utilities == pytest.approx(batch.utilities().mean(axis=0).tolist())


@pytest.mark.parametrize(("game", "players"), LEAST)
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_and_sizes_change_nothing(game: str, players: int, threads: int) -> None:
    one, more, single = Batch(game, players, 101, 4), Batch(game, players, 101, 4), Batch(game, players, 1, 4)
    assert one.rollout() == more.rollout(threads=threads)
    assert np.array_equal(one.states, more.states)
    assert random_play(game, players, 101, 4).decisions == random_play(game, players, 101, 4, threads=threads).decisions
    single.reset(first=100)
    single.rollout()
    assert single.states[0] == one.states[100]


def test_a_rollout_goes_on_from_where_the_games_stand() -> None:
    batch = Batch("darna", 2, 50, 1)
    first = batch.rollout()
    assert first > 0
    assert batch.over.all()
    assert batch.rollout() == 0
    batch.reset()
    assert batch.rollout() == first


# --- The primitives ---------------------------------------------------------------------------------------------------

SETS = [0, 1, 2, 3, 7, 31, (1 << 35) - 1, (1 << 62) - 1, 0b1011010, 1 << 61, 0x2AAA_AAAA_AAAA_AAAA, 5 << 40]


def test_sets_are_as_in_the_kit() -> None:
    out, plain = np.zeros(64, np.int64), [0] * 64
    for bits in SETS:
        assert size(bits) == kit.size(bits)
        n = native.members(bits, out)
        assert n == kit.members(bits, plain)
        assert out[:n].tolist() == plain[:n]
        for k in range(kit.size(bits)):
            assert native.nth(bits, k) == native.nth_halved(bits, k) == kit.nth(bits, k)
    assert native.nth(~3, 0) == native.nth_halved(~3, 0) == 2
    with pytest.raises(IndexError):
        native.members(7, np.zeros(2, np.int64))


def size(bits: int) -> int:
    return int(counted(bits))


@native.compiled
def counted(bits):  # type: ignore[no-untyped-def]
    return native.size(bits)


@pytest.mark.parametrize("seed", SEEDS)
def test_chance_is_as_in_the_kit(seed: int) -> None:
    luck, plain = luck_for(1)[0], kit.Luck(seed, 3)
    luck[0] = native.mix(np.uint64(native.mix(0, np.uint64(seed & kit.MASK))), 3)
    assert [int(native.below(luck, n)) for n in range(1, 400)] == [plain.below(n) for n in range(1, 400)]


@pytest.mark.parametrize("n", [1, 2, 6, 48, 1 << 32, (1 << 32) + 1, 5 << 60, (1 << 63) - 1])
def test_exact_draws_are_as_in_the_kit(n: int) -> None:
    luck, plain, weights = luck_for(1)[0], kit.Luck(n), [9, n // 2, 0, n - n // 2, 9]
    luck[0] = plain.state
    assert [int(native.fair(luck, n)) for _ in range(50)] == [kit.fair(plain, n) for _ in range(50)]
    drawn = [int(native.weighed(luck, np.array(weights), 1, 4)) for _ in range(50)]
    assert drawn == [kit.weighed(plain, weights, 1, 4) for _ in range(50)]
    with pytest.raises(ValueError, match="nothing to draw from"):
        native.fair(luck, 0)
