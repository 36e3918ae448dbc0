"""Whatever is wrong with what is handed in: one clear sentence, and nothing has changed."""

from typing import Any

import numpy as np
import pytest

from kubli.batch import Batch, BatchError, IllegalActionError, random_play
from kubli.games import GAMES

LEAST = [(name, game.PLAYERS[0]) for name, game in GAMES.items()]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "poker"}, "poker"),
        ({"game": 3}, "3"),
        ({"players": 6}, "2 to 5"),
        ({"players": 2.0}, "whole number"),
        ({"players": True}, "whole number"),
        ({"size": 0}, "from 1 to"),
        ({"size": 10**9}, "from 1 to"),
        ({"size": "9"}, "whole number"),
        ({"seed": 1.5}, "whole number"),
        ({"seed": None}, "whole number"),
        ({"seed": "x"}, "whole number"),
        ({"seed": False}, "whole number"),
        ({"options": {"speed": 3}}, "speed"),
        ({"options": {"max_turns": 0}}, "max_turns"),
        ({"options": {"first": 2}}, "first"),
        ({"deck": "huge"}, "huge"),
        ({"deck": {"cards": []}}, "DA-2"),
    ],
)
def test_no_batch_is_made_of_what_may_not_be(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BatchError, match=said):
        Batch(**{"game": "darna", "players": 2, "size": 2, **change})


@pytest.mark.parametrize("seed", [0, -1, 2**70, np.uint64(2**64 - 1), np.int8(-1)])
def test_any_whole_number_is_a_seed(seed: Any) -> None:
    same = Batch("darna", 2, 3, int(seed) % 2**64)
    assert np.array_equal(Batch("darna", 2, 3, seed).states, same.states)


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 0, 0], "shape"),
        (0, "shape"),
        ([[0, 0]], "shape"),
        ([0, [1, 2]], "one for each game"),
        ([0.0, 0.0], "float64"),
        ([True, True], "bool"),
        (["0", "0"], "<U1"),
        ([None, 0], "object"),
        ([0, 76], "from -1 to 75"),
        ([-2, 0], "from -1 to 75"),
        (np.array([0, 2**64 - 1], np.uint64), "from -1 to 75"),
    ],
)
def test_actions_of_a_wrong_shape_type_or_range_change_nothing(actions: Any, said: str) -> None:
    batch = Batch("darna", 2, 2, 1)
    states, luck = batch.states.copy(), batch._luck.copy()
    with pytest.raises(BatchError, match=said):
        batch.step(actions)
    assert np.array_equal(batch.states, states)
    assert np.array_equal(batch._luck, luck)


@pytest.mark.parametrize("seats", [[0], [0.0, 0.0], [-1, 0], [0, 2]])
def test_seats_that_are_not_there_change_nothing(seats: Any) -> None:
    batch = Batch("darna", 2, 2, 1)
    states = batch.states.copy()
    with pytest.raises(BatchError):
        batch.step([0, 0], seats)
    with pytest.raises(BatchError):
        batch.mask(seats)
    assert np.array_equal(batch.states, states)


@pytest.mark.parametrize(
    "out",
    [
        [[0] * 316] * 2,
        np.zeros((2, 315), np.int16),
        np.zeros((2, 316)),
        np.zeros((2, 316), np.dtype(np.int16).newbyteorder()),
        np.zeros((2, 632), np.int16)[:, ::2],
        np.frombuffer(bytes(2 * 316 * 2), np.int16).reshape(2, 316),
    ],
)
def test_an_array_that_cannot_be_filled_is_left_as_it_is(out: Any) -> None:
    with pytest.raises(BatchError, match=r"\(2, 316\)"):
        Batch("darna", 2, 2, 1).observe(out=out)
    assert not np.any(out)


def test_a_spectator_may_observe_and_has_a_key_and_nobody_beyond() -> None:
    batch = Batch("darna", 2, 2, 1)
    assert batch.observe([2, 2]).any()
    assert batch.keys([2, 2]).all()
    for seats in ([3, 0], [-1, 0], [0], [0.0, 1.0]):
        with pytest.raises(BatchError, match="seats"):
            batch.observe(seats)
        with pytest.raises(BatchError, match="seats"):
            batch.keys(seats)


@pytest.mark.parametrize(
    ("game", "players", "action", "rule"),
    [("darna", 2, 40, "DA-7"), ("narabi", 3, 0, "NA-7"), ("darwins-dice", 2, -2, "DD-6")],
)
def test_an_illegal_action_is_refused_with_its_rule_and_no_game_moves(
    game: str, players: int, action: int, rule: str
) -> None:
    batch = Batch(game, players, 4, 2)
    legal = batch.mask()
    actions = legal.argmax(axis=1)
    actions[2] = np.flatnonzero(~legal[2])[0] if action < 0 else action
    states, luck = batch.states.copy(), batch._luck.copy()
    with pytest.raises(IllegalActionError) as refused:
        batch.step(actions)
    assert (refused.value.rule, refused.value.index, refused.value.action) == (rule, 2, actions[2])
    assert str(refused.value).startswith("Game 2, seat ")
    assert str(refused.value).endswith(f"({rule})")
    assert np.array_equal(batch.states, states)
    assert np.array_equal(batch._luck, luck)
    actions[2] = -1
    batch.step(actions)
    assert batch.states[2] == states[2]
    assert all(batch.states[i] != states[i] for i in (0, 1, 3))


def test_out_of_turn_is_refused() -> None:
    batch = Batch("darna", 3, 2, 2)
    with pytest.raises(IllegalActionError, match="DA-6"):
        batch.step([0, 0], (batch.to_act + 1) % 3)


@pytest.mark.parametrize(("game", "players"), LEAST)
def test_after_the_end_only_the_pass_is_left(game: str, players: int) -> None:
    batch = Batch(game, players, 3, 6)
    batch.rollout()
    assert batch.over.all()
    assert (batch.to_act == -1).all()
    assert not batch.mask().any()
    states = batch.states.copy()
    with pytest.raises(IllegalActionError, match="Game 0"):
        batch.step([0, -1, -1])
    batch.step([-1, -1, -1])
    assert np.array_equal(batch.states, states)


@pytest.mark.parametrize("threads", [0, -1, 1.0, "2", True, 1025])
def test_threads_are_a_number(threads: Any) -> None:
    with pytest.raises(BatchError):
        Batch("darna", 2, 2).rollout(threads=threads)
    with pytest.raises(BatchError):
        random_play("darna", 2, 2, threads=threads)


def test_games_and_places_are_numbers_in_range() -> None:
    with pytest.raises(BatchError):
        random_play("darna", 2, 0)
    batch = Batch("darna", 2, 2)
    for index in (-1, 2, 0.0):
        with pytest.raises(BatchError):
            batch.state(index)  # type: ignore[arg-type]
    with pytest.raises(BatchError):
        batch.reset(first=-1)


def test_what_is_handed_out_is_the_callers() -> None:
    batch = Batch("darna", 2, 2)
    batch.to_act[:] = 9
    batch.over[:] = True
    assert (batch.to_act < 2).all()
    assert not batch.over.any()


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint64])
def test_arrays_of_any_kind_are_taken_in_one_form(kind: Any) -> None:
    """A loop that met another form would be compiled anew, in silence."""
    batch, twin = Batch("darna", 2, 4, 1), Batch("darna", 2, 4, 1)
    for fixed in (False, True):
        wide = np.zeros((4, 2), kind)
        wide[:, 0] = twin.mask().argmax(axis=1)
        actions, seats = (wide[:, 0].copy(), twin.to_act.astype(kind)) if fixed else (wide[:, 0], twin.to_act)
        actions.flags.writeable = seats.flags.writeable = not fixed
        batch.step(actions, seats)
        twin.step(actions.tolist())
        assert np.array_equal(batch.states, twin.states)
    assert len(batch._loops.act.function.signatures) == len(batch._loops.check.function.signatures) == 1


def test_out_that_can_not_be_written_to_is_refused() -> None:
    batch = Batch("darna", 2, 4)
    fixed = np.zeros((4, batch.width), np.int16)
    fixed.flags.writeable = False
    for out in (fixed, np.zeros((batch.width, 4), np.int16).T):
        with pytest.raises(BatchError, match="lies otherwise, or is read-only"):
            batch.observe(out=out)
