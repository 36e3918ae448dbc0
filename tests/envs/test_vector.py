"""The vector environment: equal to single ones, Gymnasium's semantics of autoreset, arrays, refusals."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import NormalizeReward, RecordEpisodeStatistics

from envs.seats import SEATS
from kubli.batch import BatchError, IllegalActionError, Learner
from kubli.envs.gymnasium import Env, VectorEnv
from kubli.envs.shared import EnvError
from laws.worlds import sizes

every = pytest.mark.parametrize(("game", "players"), SEATS)


def picks(mask: Any, random: Random) -> list[int]:
    """A legal action in each game; 0 where there is none."""
    return [random.choice(np.flatnonzero(row).tolist() or [0]) for row in mask]


@every
def test_each_place_is_a_single_environment(game: str, players: int) -> None:
    """Place i plays games i, i + n, ... of the seed, just as Env does with the random bot beside it."""
    seat, n, random = players - 1, 4, Random(2)
    env = VectorEnv(game, num_envs=n, players=players, seat=seat)
    singles = [Env(game, players, seat=seat) for _ in range(n)]
    observation, info = env.reset(seed=9)
    fresh = [True] * n

    def dealt(single: Env, number: int) -> dict[str, Any]:
        single.reset(seed=9)
        single._number = int(number) - 1
        return single.reset()[0]

    for _ in range(sizes(150, 5000)):
        for i, single in enumerate(singles):
            if fresh[i]:
                expected = dealt(single, info["game"][i])
                assert info["game"][i] % n == i
                for name, value in expected.items():
                    assert np.array_equal(observation[name][i], value)
        actions = picks(observation["action_mask"], random)
        ended = [not single._going for single in singles]
        observation, rewards, terminations, truncations, info = env.step(actions)
        assert not truncations.any()
        for i, single in enumerate(singles):
            if ended[i]:
                assert (rewards[i], terminations[i]) == (0, False)
                continue
            expected, reward, over, _, _ = single.step(actions[i])
            assert (rewards[i], terminations[i]) == (reward, over)
            for name, value in expected.items():
                assert np.array_equal(observation[name][i], value)
        fresh = ended


@every
def test_spaces_hold_what_comes(game: str, players: int) -> None:
    env, random = VectorEnv(game, num_envs=3, players=players), Random(1)
    observation, info = env.reset(seed=1)
    assert env.single_observation_space == Env(game, players).observation_space
    assert env.observation_space == batch_space(env.single_observation_space, 3)
    assert env.action_space == batch_space(env.single_action_space, 3)
    for _ in range(60):
        assert observation in env.observation_space
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        actions = np.array(picks(observation["action_mask"], random))
        assert actions in env.action_space
        observation, rewards, terminations, truncations, info = env.step(actions)
        assert [one.dtype.name for one in (rewards, terminations, truncations)] == ["float64", "bool", "bool"]
        assert {one.shape for one in (rewards, terminations, truncations)} == {(3,)}


def test_gymnasiums_wrappers_take_it_as_it_takes_its_own() -> None:
    """The same episodes are counted as over a SyncVectorEnv of single environments in the same mode."""
    assert VectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    n, random = 3, Random(0)
    ours = RecordEpisodeStatistics(NormalizeReward(VectorEnv("darwins-dice", num_envs=n, players=2)))
    singles = gymnasium.vector.SyncVectorEnv([lambda: Env("darwins-dice", 2)] * n)
    theirs = RecordEpisodeStatistics(NormalizeReward(singles))
    one, _ = ours.reset(seed=3)
    theirs.reset(seed=3)
    lengths: list[list[int]] = [[], []]
    for _ in range(120):
        one, _, _, _, info = ours.step(np.array(picks(one["action_mask"], random)))
        mask = [env.get_wrapper_attr("_seen")()[1]["action_mask"] for env in singles.envs]
        _, _, _, _, other = theirs.step(np.array(picks(mask, random)))
        for found, said in zip(lengths, (info, other), strict=True):
            if "episode" in said:
                found += said["episode"]["l"][said["_episode"]].tolist()
    assert lengths[0] == lengths[1]
    assert len(lengths[0]) >= n


def test_copies_are_the_callers_and_views_are_the_batchs() -> None:
    for copy in (True, False):
        env = VectorEnv("darna", num_envs=8, players=2, copy=copy)
        first, info = env.reset(seed=1)
        before = {name: value.copy() for name, value in first.items()}
        second, reward, over, _, _ = env.step(first["action_mask"].argmax(axis=1))
        for name in first:
            assert np.array_equal(first[name], before[name]) == copy
            assert np.shares_memory(first[name], second[name]) != copy
        assert np.shares_memory(reward, env._learner.reward) != copy
        assert np.shares_memory(over, env._learner.over) != copy
        assert np.shares_memory(info["game"], env._learner.games) != copy


def test_games_in_which_the_seat_never_acts_are_an_error() -> None:
    for opponents in ("random", first):
        with pytest.raises(BatchError, match="place 0, seat 1 never had a turn"):
            VectorEnv("narabi", num_envs=1, players=3, seat=1, opponents=opponents, deck="tiny").reset(seed=1)


def first(_observation: Any, mask: Any, _seats: Any) -> Any:
    return mask.argmax(axis=1)


@every
def test_a_function_plays_the_other_seats(game: str, players: int) -> None:
    """One that takes the first of all legal actions does as a bot that does so at single tables."""

    def bot(_seen: Any, _told: Any, legal: list[Any], _rng: Any, _budget: float) -> Any:
        return legal[0], {"code": "by_lot"}

    seat, random = 1, Random(3)
    asked: list[int] = []

    def others(observation: Any, mask: Any, seats: Any) -> Any:
        assert observation.shape == (len(seats), env._learner.batch.width)
        assert mask.any(axis=1).all()
        asked.extend(seats)
        return first(observation, mask, seats)

    env = VectorEnv(game, num_envs=2, players=players, seat=seat, opponents=others)
    singles = [Env(game, players, seat=seat, opponents=bot) for _ in range(2)]
    observation, info = env.reset(seed=2)
    for single, number in zip(singles, info["game"], strict=True):
        single.reset(seed=2)
        single._number = int(number) - 1
        single.reset()
    for _ in range(40):
        if not all(single._going for single in singles):
            break
        actions = picks(observation["action_mask"], random)
        observation, rewards, terminations, _, _ = env.step(actions)
        for i, single in enumerate(singles):
            expected, reward, over, _, _ = single.step(actions[i])
            assert (rewards[i], terminations[i]) == (reward, over)
            assert np.array_equal(observation["observation"][i], expected["observation"])
    assert set(asked) == set(range(players)) - {seat}


def test_without_a_seed_the_next_games_are_dealt() -> None:
    env = VectorEnv("darwins-dice", num_envs=3, players=2)
    env.reset(seed=1)
    assert env.reset()[1]["game"].tolist() == [3, 4, 5]
    assert env.reset(seed=1)[1]["game"].tolist() == [0, 1, 2]
    unseeded = [VectorEnv("darwins-dice", num_envs=3, players=2).reset()[0]["observation"] for _ in range(2)]
    assert not np.array_equal(unseeded[0], unseeded[1])


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "poker"}, "poker"),
        ({"players": 6}, "2 to 5"),
        ({"num_envs": 0}, "size"),
        ({"num_envs": 2.0}, "whole number"),
        ({"seat": 2}, "seat"),
        ({"opponents": "simple"}, "random"),
        ({"opponents": None}, "random"),
        ({"deck": "huge"}, "huge"),
        ({"speed": 1}, "speed"),
    ],
)
def test_no_environment_is_made_of_what_may_not_be(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BatchError, match=said):
        VectorEnv(**{"game": "darna", "num_envs": 2, "players": 2, **change})


def kept(env: VectorEnv) -> list[Any]:
    learner = env._learner
    parts = (learner.batch.states, learner.batch._luck, learner.observation, learner.mask, learner.games, learner.over)
    return [part.copy() for part in parts]


def unchanged(env: VectorEnv, before: list[Any], wrong: Callable[[], Any], said: str, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=said):
        wrong()
    assert all(np.array_equal(one, other) for one, other in zip(kept(env), before, strict=True))


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 0, 0], "shape"),
        (0, "shape"),
        ([0.0, 0.0], "float64"),
        ([True, True], "bool"),
        ([0, 76], "0 to 75"),
        ([-1, 0], "0 to 75"),
        (None, "shape"),
    ],
)
def test_actions_that_may_not_be_change_nothing(actions: Any, said: str) -> None:
    env = VectorEnv("darna", num_envs=2, players=2)
    env.reset(seed=1)
    unchanged(env, kept(env), lambda: env.step(actions), said, BatchError)


def test_an_illegal_action_in_one_game_changes_none() -> None:
    for opponents in ("random", first):
        env = VectorEnv("darwins-dice", num_envs=2, players=2, opponents=opponents)
        mask = env.reset(seed=1)[0]["action_mask"]
        wrong = [int(mask[0].argmax()), int(mask[1].argmin())]
        step = partial(env.step, wrong)
        unchanged(env, kept(env), step, "Game 1, seat 0.*DD-6", IllegalActionError)


@pytest.mark.parametrize(
    ("answer", "said", "kind"),
    [
        (lambda o, m, s: m.argmin(axis=1), "DD-6", IllegalActionError),
        (lambda o, m, s: [0], "shape", BatchError),
        (lambda o, m, s: m.argmax(axis=1) / 1, "float64", BatchError),
        (lambda o, m, s: 1 // 0, "zero", ZeroDivisionError),
    ],
)
def test_opponents_that_do_what_may_not_be_change_nothing(answer: Any, said: str, kind: type[Exception]) -> None:
    now: list[Any] = [first]
    env = VectorEnv("darwins-dice", num_envs=2, players=3, opponents=lambda *seen: now[0](*seen))
    mask = env.reset(seed=1)[0]["action_mask"]
    before, now[0] = kept(env), answer
    unchanged(env, before, lambda: env.step(mask.argmax(axis=1)), said, kind)
    now[0] = first
    env.step(mask.argmax(axis=1))


@pytest.mark.parametrize("seed", [None, 9])
def test_opponents_that_fail_while_games_are_dealt_change_nothing(seed: int | None) -> None:
    now: list[Any] = [first]
    env = VectorEnv("darna", num_envs=4, players=3, seat=1, opponents=lambda *seen: now[0](*seen))
    twin = VectorEnv("darna", num_envs=4, players=3, seat=1, opponents=first)
    mask = env.reset(seed=5)[0]["action_mask"]
    twin.reset(seed=5)
    before, now[0] = kept(env), lambda o, m, s: 1 // 0
    unchanged(env, before, lambda: env.reset(seed=seed), "zero", ZeroDivisionError)
    now[0] = first
    for _ in range(5):
        one, other = env.step(mask.argmax(axis=1)), twin.step(mask.argmax(axis=1))
        assert np.array_equal(one[0]["observation"], other[0]["observation"])
        assert np.array_equal(one[4]["game"], other[4]["game"])
        mask = one[0]["action_mask"]


def test_where_a_game_is_over_the_action_is_not_looked_at() -> None:
    learner = Learner("darna", 2, 8)
    learner.step(np.full(8, -1))  # nothing is dealt yet
    assert not learner.over.any()
    with pytest.raises(BatchError, match=r"actions\[0\] must be from 0 to 75, not -1"):
        learner.step(np.full(8, -1))


def test_the_batch_of_a_learner_is_up_to_date() -> None:
    learner = Learner("darna", 3, 50, seat=1)
    learner.deal(3)
    assert learner.batch.to_act.tolist() == [1] * 50
    for _ in range(20):
        learner.step(learner.mask.argmax(axis=1))
        assert np.array_equal(learner.batch.over, learner.over)
        assert np.array_equal(learner.batch.to_act, np.where(learner.over, -1, 1))


@pytest.mark.parametrize("seed", [1.5, "x", True, [1, 2]])
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    env = VectorEnv("darna", num_envs=2, players=2)
    env.reset(seed=1)
    unchanged(env, kept(env), lambda: env.reset(seed=seed), "seed", EnvError)


def test_calls_out_of_order_are_refused() -> None:
    env = VectorEnv("darna", num_envs=2, players=2)
    unchanged(env, kept(env), lambda: env.step([0, 0]), "reset", EnvError)
    reset = {"reset_mask": np.array([True, False])}
    unchanged(env, kept(env), lambda: env.reset(options=reset), "reset_mask", EnvError)
