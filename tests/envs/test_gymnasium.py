"""Gymnasium's own check, and what it doesn't look at: bots, masks, refusals, seeds."""

import copy
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from envs.seats import SEATS
from kubli.bots import BOTS
from kubli.bots import random as by_lot
from kubli.envs.gymnasium import Env
from kubli.envs.shared import EnvError, IllegalActionError
from kubli.play.simulate import simulate
from laws.worlds import sizes

every = pytest.mark.parametrize(("game", "players"), SEATS)


def choice(observation: dict[str, Any], random: Random) -> int:
    return int(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))


@every
@pytest.mark.parametrize("opponents", ["random", "simple"])
def test_check_env(game: str, players: int, opponents: str) -> None:
    asked: dict[str, Any] = {
        "game": game,
        "players": players,
        "illegal": "penalty",
        "opponents": opponents,
        "render_mode": "ansi",
    }
    for seat in (0, players - 1):
        env = Env(**asked, seat=seat)
        env.spec = EnvSpec("Kubli-v0", entry_point="kubli.envs.gymnasium:Env", kwargs={**asked, "seat": seat})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env)


def by_seat(events: list[dict[str, Any]]) -> dict[Any, list[Any]]:
    """What each did, and chance: where several choose at once, the learner may be asked first."""
    return {by: [event for event in events if event["by"] == by] for by in ("chance", *range(5))}


@every
def test_a_game_is_that_of_simulate(game: str, players: int) -> None:
    """With the random bot in the learner's place too, and its stream, all is the same."""
    seat = players - 1
    env = Env(game, players, seat=seat)
    env.reset(seed=5)
    for record in simulate(game, players, sizes(3, 50), 5, [("random", by_lot.choose)] * players):
        if all(event["by"] != seat for event in record["events"]):
            continue  # it ended before the learner's first turn
        over, got = False, 0.0
        while not over:
            event, _ = by_lot.choose(env._table.seen(seat), [], env._table.legal(seat), env._luck[seat], 0.0)
            _, reward, over, _, _ = env.step(env._table.game.action(env._table.variant, event))
            got += reward
        assert by_seat(env._table.events) == by_seat(record["events"])
        assert got == record["result"]["utilities"][seat]
        env.reset()


@every
def test_masks_are_exact_and_the_same_in_both_places(game: str, players: int) -> None:
    env, random = Env(game, players, seat=1, opponents="simple"), Random(1)
    observation, info = env.reset(seed=1)
    for _ in range(sizes(60, 3000)):
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        assert np.flatnonzero(info["action_mask"]).tolist() == env._table.actions(1)
        assert observation in env.observation_space
        observation, _, over, truncated, info = env.step(choice(observation, random))
        assert not truncated
        assert info["action_mask"].any() != over
        if over:
            observation, info = env.reset()


def test_games_that_end_before_the_first_turn_are_passed_over() -> None:
    env = Env("darna", 5, seat=4)
    numbers = [env.reset(seed=1)[1]["game"], *(env.reset()[1]["game"] for _ in range(40))]
    assert numbers == sorted(set(numbers))
    assert len(numbers) <= numbers[-1]
    with pytest.raises(EnvError, match="never had a turn"):
        Env("narabi", 3, deck="tiny").reset(seed=1)


def test_bots_are_named_listed_or_handed_in() -> None:
    def last(_seen: Any, _told: Any, legal: list[Any], _rng: Any, _budget: float) -> Any:
        asked.append(len(legal))
        return legal[-1], {"code": "by_lot"}

    asked: list[int] = []
    env = Env("darwins-dice", 3, seat=1, opponents=[last, "simple"])
    observation, _ = env.reset(seed=1)
    env.step(choice(observation, Random(0)))
    assert len(asked) == 1  # in the next trick the learner may choose at once
    assert env._bots[2] is BOTS["simple"]


def test_rendering_shows_what_the_seat_was_told(capsys: pytest.CaptureFixture[str]) -> None:
    env = Env("darna", 2, seat=1, render_mode="human")
    env.reset(seed=3)
    env.render()
    assert "ours" in capsys.readouterr().out
    with pytest.raises(EnvError, match="render_mode"):
        Env("darna", 2).render()


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "poker"}, "poker"),
        ({"players": 6}, "2 to 5"),
        ({"players": 2.0}, "whole number"),
        ({"seat": 2}, "0 to 1"),
        ({"seat": -1}, "0 to 1"),
        ({"seat": "0"}, "whole number"),
        ({"opponents": "best"}, "simple"),
        ({"opponents": ["random", "random"]}, "not 2"),
        ({"opponents": [3]}, "simple"),
        ({"opponents": None}, "simple"),
        ({"illegal": "ignore"}, "penalty"),
        ({"render_mode": "rgb_array"}, "human"),
        ({"deck": "huge"}, "huge"),
        ({"speed": 1}, "speed"),
        ({"max_turns": 0}, "max_turns"),
    ],
)
def test_no_environment_is_made_of_what_may_not_be(change: dict[str, Any], said: str) -> None:
    with pytest.raises(EnvError, match=said):
        Env(**{"game": "darna", "players": 2, **change})


@pytest.mark.parametrize("seed", [1.5, "x", True, [1]])
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    env = Env("darna", 2)
    env.reset(seed=1)
    before = copy.deepcopy(env._table.state)
    with pytest.raises(EnvError, match="seed"):
        env.reset(seed=seed)
    assert env._table.state == before


@pytest.mark.parametrize("seed", [0, -1, 2**70, np.uint64(2**64 - 1), np.int8(-1)])
def test_any_whole_number_is_a_seed(seed: Any) -> None:
    one, other = Env("darna", 2), Env("darna", 2)
    one.reset(seed=seed)
    other.reset(seed=int(seed) % 2**64)
    assert one._table.events == other._table.events


@pytest.mark.parametrize(("action", "said"), [(76, "0 to 75"), (-1, "0 to 75"), (0.0, "whole"), (True, "whole")])
def test_what_is_no_action_is_refused(action: Any, said: str) -> None:
    env = Env("darna", 2, illegal="penalty")
    env.reset(seed=1)
    before = copy.deepcopy(env._table.state)
    with pytest.raises(EnvError, match=said):
        env.step(action)
    assert env._table.state == before


@every
def test_an_illegal_action_is_refused_or_ends_the_game(game: str, players: int) -> None:
    strict, mild = Env(game, players), Env(game, players, illegal="penalty")
    observation, _ = strict.reset(seed=1)
    mild.reset(seed=1)
    forbidden = int(observation["action_mask"].argmin())
    before = copy.deepcopy(strict._table.state)
    with pytest.raises(IllegalActionError) as refused:
        strict.step(forbidden)
    assert strict._table.state == before == mild._table.state
    last, reward, terminated, truncated, info = mild.step(forbidden)
    assert (reward, terminated, truncated, info["rule"]) == (mild.penalty, True, False, refused.value.rule)
    assert last in mild.observation_space
    with pytest.raises(EnvError, match="reset"):
        mild.step(int(observation["action_mask"].argmax()))
    strict.step(int(observation["action_mask"].argmax()))


def test_a_penalty_is_worse_than_any_end() -> None:
    for game, players in SEATS:
        env = Env(game, players, illegal="penalty")
        for record in simulate(game, players, sizes(5, 100), 1, [("random", by_lot.choose)] * players):
            assert min(record["result"]["utilities"]) > env.penalty


def test_steps_before_a_game_and_after_its_end_are_refused() -> None:
    env = Env("darna", 2)
    with pytest.raises(EnvError, match="reset"):
        env.step(0)
    observation, _ = env.reset(seed=1)
    over, random = False, Random(1)
    while not over:
        observation, _, over, _, _ = env.step(choice(observation, random))
    with pytest.raises(EnvError, match="reset"):
        env.step(0)
