"""PettingZoo's own tests, and what they don't look at: masks, refusals, seeds, secrets."""

import copy
import pickle
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from envs.seats import SEATS
from kubli.envs import pettingzoo
from kubli.envs.shared import EnvError, IllegalActionError
from kubli.play.chance import Seeded
from kubli.play.table import Table
from laws.worlds import pairs, sizes

AT_ONCE = [(game, players) for game, players in SEATS if game == "darwins-dice"]
SAID = {  # observations are dicts, as those of PettingZoo's own games with masks, which it knows by name
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


def quietly(test: Callable[..., None], *arguments: Any) -> None:
    """Run one of PettingZoo's tests; it may warn of nothing else."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        test(*arguments)
    assert {str(one.message) for one in said} <= SAID


# --- PettingZoo's own -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), SEATS)
def test_api(game: str, players: int) -> None:
    quietly(api_test, pettingzoo.env(game, players), sizes(200, 5000))


@pytest.mark.parametrize(("game", "players"), SEATS)
def test_seeds(game: str, players: int) -> None:
    quietly(seed_test, lambda: pettingzoo.env(game, players), sizes(200, 5000))


@pytest.mark.parametrize(("game", "players"), SEATS)
def test_rendering(game: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    shown = {"ansi": lambda text: "player_" in text and text.endswith("\n")}
    quietly(lambda: render_test(lambda **more: pettingzoo.env(game, players, **more), custom_tests=shown))
    assert "player_0" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "players"), AT_ONCE)
def test_parallel_api(game: str, players: int) -> None:
    quietly(parallel_api_test, pettingzoo.parallel_env(game, players), sizes(100, 2000))


@pytest.mark.parametrize(("game", "players"), AT_ONCE)
def test_parallel_seeds(game: str, players: int) -> None:
    quietly(parallel_seed_test, lambda: pettingzoo.parallel_env(game, players), sizes(100, 2000))


# --- Agent by agent ---------------------------------------------------------------------------------------------------


def played(env: pettingzoo.AgentByAgent, random: Random, look: Callable[[], None] = lambda: None) -> dict[str, float]:
    """Play a game at random; what each agent got."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        look()
        observation, reward, termination, _, _ = env.last()
        got[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if termination else random.choice(legal.tolist()))
    return got


@pytest.mark.parametrize(("game", "players"), SEATS)
def test_masks_are_exact_the_same_in_both_places_and_there_for_all(game: str, players: int) -> None:
    env = pettingzoo.env(game, players)

    def look() -> None:
        table = env._dealer.table
        for seat, agent in enumerate(env.agents if len(env.agents) == players else []):
            mask = env.observe(agent)["action_mask"]
            assert mask.dtype == np.int8
            assert np.array_equal(mask, env.infos[agent]["action_mask"])
            legal = table.actions(seat) if agent == env.agent_selection else []
            assert np.flatnonzero(mask).tolist() == legal
            assert env.observation_space(agent).contains(env.observe(agent))

    for seed in range(sizes(2, 50)):
        env.reset(seed=seed)
        played(env, Random(seed), look)


@pytest.mark.parametrize(("game", "players"), SEATS)
def test_a_game_is_the_one_that_its_seed_deals_and_pays_its_utilities(game: str, players: int) -> None:
    env = pettingzoo.env(game, players)
    env.reset(seed=5)
    for number in range(2):
        got = played(env, Random(number))
        events = env._dealer.table.events
        table = Table(game, players, chance=Seeded(5, number))
        table.advance()
        for event in events:
            if event["by"] != "chance":
                table.act(event["by"], event)
        assert table.events == events
        assert list(got.values()) == table.result["utilities"]  # type: ignore[index]
        env.reset()


@pytest.mark.parametrize(("game", "players"), SEATS)
def test_an_agent_observes_no_more_than_its_seat_may_know(game: str, players: int) -> None:
    compared = 0
    for table, twin, viewer in pairs(game, players, sizes(20, 500)):
        if isinstance(viewer, int) and table.to_act:  # not in mid-deal
            one, other = pettingzoo.env(game, players), pettingzoo.env(game, players)
            for env, place in ((one, table), (other, twin)):
                env.reset(seed=0)
                env._dealer.table = place
                env._look()
            agent = f"player_{viewer}"
            mine, same = one.observe(agent), other.observe(agent)
            assert all(np.array_equal(mine[name], same[name]) for name in mine)
            assert np.array_equal(one.infos[agent]["action_mask"], other.infos[agent]["action_mask"])
            compared += 1
    assert compared > 5


def test_environments_are_copied_and_written_whole() -> None:
    env = pettingzoo.env("darna", 3)
    env.reset(seed=3)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert played(twin, Random(1)) == played(copy.deepcopy(env), Random(1))
    assert len(env._dealer.table.events) < 10


# --- All at once ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), AT_ONCE)
def test_a_parallel_game_is_the_same_as_one_agent_by_agent(game: str, players: int) -> None:
    one, other = pettingzoo.parallel_env(game, players), pettingzoo.env(game, players)
    observations, infos = one.reset(seed=4)
    other.reset(seed=4)
    random = Random(0)
    while one.agents:
        for agent, seen in observations.items():
            assert np.array_equal(seen["action_mask"], infos[agent]["action_mask"])
            assert one.observation_space(agent).contains(seen)
        actions = {
            agent: random.choice(np.flatnonzero(observations[agent]["action_mask"]).tolist()) for agent in one.agents
        }
        observations, rewards, terminations, truncations, infos = one.step(actions)
        for action in actions.values():
            other.step(action)
    assert one._dealer.table.events == other._dealer.table.events
    assert rewards == other.rewards
    assert all(terminations.values())
    assert not any(truncations.values())


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "poker"}, "poker"),
        ({"game": 3}, "3"),
        ({"players": 6}, "2 to 5"),
        ({"players": 2.0}, "whole number"),
        ({"players": True}, "whole number"),
        ({"deck": "huge"}, "huge"),
        ({"deck": {"cards": []}}, "DA-2"),
        ({"speed": 3}, "speed"),
        ({"max_turns": 0}, "max_turns"),
        ({"max_turns": "9"}, "whole number"),
        ({"first": 2}, "first"),
        ({"render_mode": "rgb_array"}, "human"),
    ],
)
def test_no_environment_is_made_of_what_may_not_be(change: dict[str, Any], said: str) -> None:
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        with pytest.raises(EnvError, match=said):
            make(**{"game": "darna", "players": 2, **change})


def test_only_games_that_are_played_at_once_are_parallel() -> None:
    for game in ("darna", "narabi"):
        with pytest.raises(EnvError, match="env"):
            pettingzoo.parallel_env(game, 3)
        assert not pettingzoo.env(game, 3).metadata["is_parallelizable"]
    assert pettingzoo.env("darwins-dice", 3).metadata["is_parallelizable"]


@pytest.mark.parametrize("seed", [1.5, "x", False, [1]])
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        env = make("darwins-dice", 2)
        env.reset(seed=1)
        before = copy.deepcopy(env._dealer.table.state)
        with pytest.raises(EnvError, match="seed"):
            env.reset(seed=seed)
        assert env._dealer.table.state == before


@pytest.mark.parametrize("seed", [0, -1, 2**70, np.uint64(2**64 - 1), np.int8(-1)])
def test_any_whole_number_is_a_seed(seed: Any) -> None:
    one, other = pettingzoo.env("darna", 2), pettingzoo.env("darna", 2)
    one.reset(seed=seed)
    other.reset(seed=int(seed) % 2**64)
    assert one._dealer.table.events == other._dealer.table.events


def test_without_a_seed_games_differ() -> None:
    envs = [pettingzoo.env("darwins-dice", 4) for _ in range(2)]
    for env in envs:
        env.reset()
    assert envs[0]._dealer.table.events != envs[1]._dealer.table.events


def test_an_illegal_action_is_refused_with_its_rule_and_nothing_changes() -> None:
    env = pettingzoo.env("darwins-dice", 2)
    env.reset(seed=1)
    forbidden = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    before = copy.deepcopy(env._dealer.table.state)
    with pytest.raises(IllegalActionError, match="DD-6") as refused:
        env.step(forbidden)
    assert (refused.value.rule, refused.value.seat, refused.value.action) == ("DD-6", 0, forbidden)
    assert (env.agent_selection, env._dealer.table.state) == ("player_0", before)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (35, "0 to 34"),
        (-1, "0 to 34"),
        (0.0, "whole"),
        (None, "whole"),
        (True, "whole"),
        ("0", "whole"),
        ([0], "whole"),
    ],
)
def test_what_is_no_action_is_refused(action: Any, said: str) -> None:
    env, both = pettingzoo.env("darwins-dice", 2), pettingzoo.parallel_env("darwins-dice", 2)
    env.reset(seed=1)
    both.reset(seed=1)
    legal = int(env.last()[0]["action_mask"].argmax())
    with pytest.raises(EnvError, match=said):
        env.step(action)
    with pytest.raises(EnvError, match=said):
        both.step({"player_0": legal, "player_1": action})
    assert both._dealer.table.events == env._dealer.table.events


@pytest.mark.parametrize("actions", [{}, {"player_0": 0}, {"player_0": 0, "player_1": 0, "player_2": 0}, [0, 0], None])
def test_a_parallel_step_takes_a_choice_of_each_agent(actions: Any) -> None:
    env = pettingzoo.parallel_env("darwins-dice", 2)
    env.reset(seed=1)
    with pytest.raises(EnvError, match="player_0, player_1"):
        env.step(actions)


def test_a_parallel_step_is_refused_whole() -> None:
    env = pettingzoo.parallel_env("darwins-dice", 2)
    observations, _ = env.reset(seed=1)
    legal = int(observations["player_0"]["action_mask"].argmax())
    forbidden = int(observations["player_1"]["action_mask"].argmin())
    before = copy.deepcopy(env._dealer.table.state)
    with pytest.raises(IllegalActionError, match="DD-6"):
        env.step({"player_0": legal, "player_1": forbidden})
    assert env._dealer.table.state == before


def test_steps_before_a_game_and_after_its_end_are_refused() -> None:
    env = pettingzoo.env("darna", 2, max_turns=1)
    for wrong in (lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(EnvError, match="reset"):
            wrong()
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    with pytest.raises(EnvError, match="None"):
        env.step(0)
    for _ in range(2):
        env.step(None)
    with pytest.raises(EnvError, match="reset"):
        env.step(None)
    with pytest.raises(EnvError, match="No agent"):
        env.observe("player_7")
    both = pettingzoo.parallel_env("darwins-dice", 2, deck="tiny")
    with pytest.raises(EnvError, match="reset"):
        both.step({})
    with pytest.raises(EnvError, match="render_mode"):
        both.render()
