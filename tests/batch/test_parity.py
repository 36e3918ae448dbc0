"""The law of both carriers: after every step of random games the dataclass and the row are equal, in everything."""

from random import Random

import numpy as np
import pytest

from batch.plain import COUNTS, Plain, choose
from kubli.batch import Batch, records
from kubli.games import GAMES
from laws.worlds import options_of, sizes

TABLES = 5  # with different options; the games are shared out among them


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_dataclass_and_row_are_equal_after_every_step(game: str, players: int) -> None:
    random = Random(f"parity {game} {players}")
    for table in range(TABLES):
        seed, size = random.getrandbits(64), sizes(50, 1000) // TABLES
        batch = Batch(game, players, size, seed, options_of(game, players, random) if table else None)
        games = [Plain(batch, seed, i) for i in range(size)]
        compare(batch, games)
        while not batch.over.all():
            actions, seats = np.full(size, -1), np.zeros(size, np.int64)
            for i, one in enumerate(games):
                if not one.over and random.random() < 0.9:  # some games wait
                    seats[i], actions[i] = choose(one, random)
                    one.act(int(seats[i]), int(actions[i]))
            batch.step(actions, seats)
            compare(batch, games)


def compare(batch: Batch, games: list[Plain]) -> None:
    to_act, utilities = batch.to_act, batch.utilities()
    masks = [batch.mask(np.full(batch.size, seat)) for seat in range(batch.players)]
    acting = batch.mask()
    for i, one in enumerate(games):
        assert batch.state(i) == one.state
        assert to_act[i] == (one.to_act[0] if one.to_act else -1)
        assert batch.over[i] == one.over
        assert utilities[i].tolist() == one.utilities()
        for seat in range(batch.players):
            assert np.flatnonzero(masks[seat][i]).tolist() == one.legal(seat)
        assert np.array_equal(acting[i], masks[to_act[i]][i] if one.to_act else np.zeros(batch.actions, bool))


@pytest.mark.parametrize("game", GAMES)
def test_refusal_is_the_same_for_every_action_of_every_seat(game: str) -> None:
    players = GAMES[game].PLAYERS[0]
    random = Random(f"refusal {game}")
    batch = Batch(game, players, 1, 11)
    plain = Plain(batch, 11, 0)
    while not plain.over:
        for seat in range(players):
            for action in range(batch.actions):
                rule, found = plain.game.refusal(plain.variant, plain.state, seat, action), np.full(2, -1)
                one = np.array([seat]), np.array([action])
                batch._loops.check(batch._variant, batch.states, *one, found)
                assert found.tolist() == ([0, rule] if rule else [-1, -1])
        seat, action = choose(plain, random)
        plain.act(seat, action)
        batch.step([action], [seat])


@pytest.mark.parametrize("game", GAMES)
def test_rollouts_leave_out_only_what_viewers_remember(game: str) -> None:
    players = GAMES[game].PLAYERS[0]
    batch, memory = Batch(game, players, 20, 5), {"darna": {"may"}, "narabi": {"seen", "ruled_out"}}.get(game, set())
    memory = memory | {"key"}
    twin = Batch(game, players, 20, 5)
    twin.rollout()
    luck = batch._luck.copy()
    while not batch.over.all():
        chosen = np.full(20, -1)
        for i, mask in enumerate(batch.mask()):
            if not batch.over[i]:
                legal, stream = np.flatnonzero(mask), Stream(int(luck[i, 1 + batch.to_act[i]]))
                chosen[i] = legal[stream.below(len(legal))]
                luck[i, 1 + batch.to_act[i]] = stream.state
        batch.step(chosen)
    for name in batch.states.dtype.names or ():
        assert name in memory or np.array_equal(batch.states[name], twin.states[name]), name


class Stream:
    """A seat's stream from a state on."""

    def __init__(self, state: int) -> None:
        from kubli.games.kit import Luck

        self.luck = Luck()
        self.luck.state = state

    def below(self, n: int) -> int:
        return self.luck.below(n)

    @property
    def state(self) -> int:
        return self.luck.state


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["State", "Variant", "View"])
def test_every_field_of_a_row_holds_its_range_and_no_more_than_needed(game: str, kind: str) -> None:
    made = getattr(GAMES[game], kind)
    layout = records.layout(made)
    assert layout.isalignedstruct
    for name, meta in records.numbers_of(made):
        field = layout[name]
        assert field.shape == meta["shape"]
        held = np.iinfo(field.base)
        assert held.min <= meta["least"] <= meta["most"] <= held.max
        assert (
            held.bits == 8 or not -(1 << held.bits // 2 - 1) <= meta["least"] <= meta["most"] < 1 << held.bits // 2 - 1
        )
    thing = made()
    assert records.read(made, records.row_of(thing)) == thing or kind == "Variant"


def test_a_number_out_of_its_range_is_no_row() -> None:
    state = GAMES["darna"].State()
    state.left = 200
    with pytest.raises(OverflowError):
        records.row_of(state)
