"""OpenSpiel's own tests and algorithms on the three games, and what its tests don't look at."""

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.observation import make_observation

from envs.seats import SEATS
from kubli.envs import openspiel
from kubli.envs.shared import EnvError, IllegalActionError
from kubli.games import GAMES
from kubli.play.table import SPECTATOR
from laws.worlds import LONG, clone, pairs, sizes

SHORT = {"darna": ",max_turns=12", "narabi": ",questions=1", "darwins-dice": ""}
KINDS = [
    pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=private)
    for recall in (False, True)
    for public in (False, True)
    for private in (
        pyspiel.PrivateInfoType.NONE,
        pyspiel.PrivateInfoType.SINGLE_PLAYER,
        pyspiel.PrivateInfoType.ALL_PLAYERS,
    )
]
every = pytest.mark.parametrize(("game", "players"), SEATS)


def load(game: str, players: int, more: str | None = None) -> Any:
    return pyspiel.load_game(f"{openspiel.name_of(game)}(players={players}{SHORT[game] if more is None else more})")


def walk(game: Any, random: Random) -> Any:
    """The states of a random game, one after the other; each is the same state, a step further."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(random.choice(state.legal_actions()))
    yield state


# --- OpenSpiel's own --------------------------------------------------------------------------------------------------


@every
def test_random_simulation(game: str, players: int) -> None:
    more = "" if LONG else None
    pyspiel.random_sim_test(load(game, players, more), num_sims=sizes(1, 20), serialize=True, verbose=False)


@every
def test_a_resampled_state_is_one_that_the_player_cannot_tell_apart(game: str, players: int) -> None:
    """As ResampleInfostateTest of OpenSpiel's basic_tests.cc, which reaches no Python game; at chance nodes too."""
    sampler, changed = pyspiel.UniformProbabilitySampler(0.0, 1.0), 0
    for number in range(sizes(1, 20)):
        for step, state in enumerate(walk(load(game, players), Random(number))):
            for player in range(players if LONG or step % 5 == 0 else 0):
                other = state.resample_from_infostate(player, sampler)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.information_state_tensor(player) == state.information_state_tensor(player)
                assert other.observation_string(player) == state.observation_string(player)
                assert other.current_player() == state.current_player()
                if state.current_player() == player:
                    assert other.legal_actions(player) == state.legal_actions(player)
                changed += other.history() != state.history()
    assert changed > 5


def test_the_same_sample_gives_the_same_state() -> None:
    state = list(walk(load("darwins-dice", 3), Random(0)))[-1]
    one, two, other = (state.resample_from_infostate(1, lambda x=x: x) for x in (0.25, 0.25, 0.75))
    assert one.history() == two.history() != other.history()


# --- Algorithms -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_ismcts_plays(game: str) -> None:
    players = GAMES[game].PLAYERS[0]
    loaded = load(game, players)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(loaded, evaluator, 2.0, sizes(4, 50), random_state=np.random.RandomState(2))
    state = loaded.new_initial_state()
    moves = 0
    random = Random(1)
    while not state.is_terminal() and moves < sizes(3, 1000):
        if state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        moves += 1
    assert moves


@pytest.mark.parametrize(("game", "more"), [("darna", ",max_turns=2"), ("darwins-dice", ",deck=tiny"), ("narabi", "")])
def test_outcome_sampling_mccfr_learns(game: str, more: str) -> None:
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(load(game, GAMES[game].PLAYERS[0], more))
    for _ in range(sizes(5, 1000)):
        solver.iteration()
    state = next(one for one in walk(load(game, GAMES[game].PLAYERS[0], more), Random(1)) if not one.is_chance_node())
    found = solver.average_policy().action_probabilities(state)
    assert sum(found.values()) == pytest.approx(1)
    assert set(found) <= set(state.legal_actions())


def test_exploitability_of_chance_play_on_tiny() -> None:
    game = load("darna", 2, ",deck=tiny,max_turns=1")
    found = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    assert found == pytest.approx(0.074)


# --- States -----------------------------------------------------------------------------------------------------------


@every
def test_a_state_is_the_same_game_as_at_a_table(game: str, players: int) -> None:
    for state in walk(load(game, players), Random(7)):
        table = state.table
        assert state.is_terminal() == table.over
        if state.is_chance_node():
            chances = dict(state.chance_outcomes())
            assert sum(chances.values()) == pytest.approx(1)
            legal = {table.game.action(table.variant, event) for event in table.legal_for_chance()}
            assert {action + table.game.ACTIONS for action in chances} <= legal
        elif not state.is_terminal():
            assert state.current_player() == table.to_act[0]
            assert state.legal_actions() == table.actions(table.to_act[0])
    assert state.returns() == table.result["utilities"]
    assert len(state.history()) == len(table.events)


@every
def test_copies_are_whole_and_apart(game: str, players: int) -> None:
    for state in walk(load(game, players), Random(3)):
        before = clone(state.table.state)
        twin = state.clone()
        again = pickle.loads(pickle.dumps(state))
        for other in (twin, again):
            assert other.table.state == before
            assert other.table.told(0) == state.table.told(0)
        if not state.is_terminal():
            twin.apply_action(twin.legal_actions()[0])
            assert twin.table.state != before
        assert state.table.state == before


@every
def test_no_game_is_longer_than_it_says(game: str, players: int) -> None:
    for number in range(sizes(10, 500)):
        loaded = load(game, players, "")
        state = list(walk(loaded, Random(number)))[-1]
        chances = sum(event["by"] == "chance" for event in state.table.events)
        assert len(state.history()) - chances <= loaded.max_game_length()
        assert chances <= loaded.max_chance_nodes_in_history()
        assert len(state.table.facts) <= loaded.facts
        assert all(loaded.min_utility() <= one <= loaded.max_utility() for one in state.returns())


# --- What is observed -------------------------------------------------------------------------------------------------


def seen(kind: Any, table: Any, player: int) -> tuple[Any, Any]:
    """What an observer of this kind shows of a table: its numbers and its text."""
    game = load(table.game.NAME, table.players, options_of(table))
    state = game.new_initial_state()
    state._table, state._player = table, None
    observer = make_observation(game, kind)
    observer.set_from(state, player)
    return observer.tensor.copy(), observer.string_from(state, player)


def options_of(table: Any) -> str:
    return "".join(f",{name}={value}" for name, value in table.options.items())


@every
def test_an_observer_tells_worlds_apart_just_if_its_viewer_may(game: str, players: int) -> None:
    own, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    changed = 0
    for table, twin, viewer in pairs(game, players, sizes(12, 300)):
        player, spectates = (0, True) if viewer == SPECTATOR else (int(viewer), False)
        for kind in KINDS:
            if kind.private_info == (none if spectates else own) or (kind.private_info == none and kind.public_info):
                (numbers, text), (others, other) = (seen(kind, one, player) for one in (table, twin))
                assert np.array_equal(numbers, others)
                assert text == other
            elif kind.private_info not in (own, none) and kind.public_info and kind.perfect_recall:
                changed += seen(kind, table, player)[1] != seen(kind, twin, player)[1]
    assert changed > 3


@every
def test_with_perfect_recall_numbers_and_text_tell_the_same_states_apart(game: str, players: int) -> None:
    loaded = load(game, players)
    for player in range(2):
        by_text: dict[str, bytes] = {}
        for number in range(sizes(4, 50)):
            for state in walk(loaded, Random(number)):
                text = state.information_state_string(player)
                tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
                assert by_text.setdefault(text, tensor) == tensor
        assert len(set(by_text.values())) == len(by_text) > 20


@every
def test_keys_agree_with_information_states(game: str, players: int) -> None:
    keys: dict[str, int] = {}
    for number in range(sizes(4, 50)):
        for state in walk(load(game, players), Random(number)):
            if state.current_player() == 0:  # else a key leaves out who else has chosen
                key = state.table.key(0)
                assert keys.setdefault(state.information_state_string(0), key) == key
    assert len(set(keys.values())) == len(keys) > 10


def test_darwins_dice_hides_earlier_choices() -> None:
    state = load("darwins-dice", 3).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    worlds = [state.child(action) for action in state.legal_actions()]
    assert len(worlds) > 1
    assert {world.current_player() for world in worlds} == {1}
    for player in (1, 2):
        assert len({world.information_state_string(player) for world in worlds}) == 1
        assert len({tuple(world.information_state_tensor(player)) for world in worlds}) == 1
    assert len({world.information_state_string(0) for world in worlds}) == len(worlds)


@every
def test_pieces_of_observers_lie_in_their_tensors(game: str, players: int) -> None:
    loaded = load(game, players)
    states = (state for number in range(100) for state in walk(loaded, Random(number)))
    state = next(state for state in states if state.current_player() == 1)
    for kind in KINDS:
        observer = make_observation(loaded, kind)
        observer.set_from(state, 1)
        assert sum(piece.size for piece in observer.dict.values()) == observer.tensor.size
        assert ("told" in observer.dict) == kind.perfect_recall
        nothing = not kind.public_info and kind.private_info == pyspiel.PrivateInfoType.NONE
        assert observer.tensor.any() != nothing
        assert bool(observer.string_from(state, 1)) != nothing


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "parameters"),
    [("2 to 5", "players=6"), ("first", "first=2"), ("max_turns", "max_turns=0"), ("huge", "deck=huge")],
)
def test_no_game_is_loaded_of_what_may_not_be(said: str, parameters: str) -> None:
    with pytest.raises(EnvError, match=said):
        pyspiel.load_game(f"python_kubli_darna({parameters})")


@pytest.mark.parametrize("parameters", ["speed=3", "players=2.5", "players=two"])
def test_openspiel_itself_refuses_what_is_no_parameter(parameters: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=parameters.split("=")[0]):
        pyspiel.load_game(f"python_kubli_darna({parameters})")


def test_an_illegal_action_is_refused_and_nothing_changes() -> None:
    state = load("darwins-dice", 2).new_initial_state()
    for action in (GAMES["darwins-dice"].CHANCE_ACTIONS, -2):
        with pytest.raises(EnvError, match="0 to"):
            state.apply_action(action)
    with pytest.raises(IllegalActionError, match="DD-6"):
        state.apply_action(GAMES["darwins-dice"].CHANCE_ACTIONS - 1)  # a throw, before the cards are dealt
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    forbidden = next(action for action in range(35) if action not in state.legal_actions())
    history = state.history()
    with pytest.raises(IllegalActionError, match="DD-6"):
        state.apply_action(forbidden)
    assert state.history() == history
    with pytest.raises(EnvError, match="parameters"):
        load("darna", 2).make_py_observer(None, {"x": 1})


def test_python_ends_well_after_all_of_it() -> None:
    """What OpenSpiel keeps of a Python game outlives Python, and may not need it then."""
    code = "import pyspiel, kubli.envs.openspiel as k\n"
    code += "[pyspiel.load_game(name).new_initial_state().observation_string(0) for name in k.PARAMETERS]"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
