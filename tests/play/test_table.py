"""A table is copied and written whole, and takes actions by number."""

import copy
import pickle
from random import Random

import pytest

from kubli.games.contract import Refused
from kubli.games.kit import CHANCE
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table
from laws.worlds import COUNTS, choose, cut, sizes

every = pytest.mark.parametrize(("game", "players"), COUNTS)


def finished(table: Table, seed: int) -> Table:
    random = Random(seed)
    table.advance()
    while not table.over:
        event = choose(table, random)
        table.act(event["by"], event)
    return table


@every
def test_copies_go_on_alike_and_apart(game: str, players: int) -> None:
    for number in range(sizes(5, 100)):
        table = Table(game, players, chance=Seeded(number))
        table.advance()
        table.told(0)
        for event in [choose(table, Random(number))]:
            table.act(event["by"], event)
        before = (copy.deepcopy(table.state), table.events[:], table.told(0), table.told(SPECTATOR))
        for twin in (copy.deepcopy(table), copy.copy(table), pickle.loads(pickle.dumps(table))):
            assert (twin.state, twin.events, twin.draws) == (table.state, table.events, table.draws)
            ended = finished(twin, number)
            assert (table.state, table.events, table.told(0), table.told(SPECTATOR)) == before
            again = finished(copy.deepcopy(table), number)
            assert (ended.events, ended.told(0), ended.result) == (again.events, again.told(0), again.result)


@every
def test_actions_by_number_are_those_by_event(game: str, players: int) -> None:
    for number in range(sizes(10, 300)):
        table = cut(game, players, Random(number))
        for seat in range(players):
            events = [{"by": seat, **table.game.event(table.variant, action)} for action in table.actions(seat)]
            assert events == table.legal(seat)
        by, actions = (table.to_act[0], table.actions(table.to_act[0])) if table.to_act else (CHANCE, table.chances())
        for action in list(actions)[:5]:
            one, other = copy.deepcopy(table), copy.deepcopy(table)
            event = one.do(by, action)
            other.happen(event)
            assert one.state == other.state
            assert one.facts == other.facts


@every
def test_what_is_forbidden_by_number_changes_nothing(game: str, players: int) -> None:
    table = Table(game, players, chance=Seeded(1))
    table.advance()
    seat, before = table.to_act[0], copy.deepcopy(table.state)
    forbidden = next(action for action in range(table.game.ACTIONS) if action not in table.actions(seat))
    with pytest.raises(Refused):
        table.do(seat, forbidden)
    with pytest.raises(Refused):
        table.do(CHANCE, table.game.ACTIONS)
    assert table.state == before


@every
def test_chances_are_the_draws_counted(game: str, players: int) -> None:
    table = Table(game, players)
    while chances := table.chances():
        assert sum(chances.values()) == table.game.outcomes(table.variant, table.state)
        table.do(CHANCE, max(chances, key=lambda action: (chances[action], action)))
    assert table.to_act or table.over


@every
def test_numbers_told_are_the_facts_told(game: str, players: int) -> None:
    table = cut(game, players, Random(3))
    for viewer in (*range(players), SPECTATOR):
        rows, facts = table.told_numbers(viewer), table.told(viewer)
        assert len(rows) == len(facts)
        for row, fact in zip(rows, facts, strict=True):
            kind = table.game.FACTS[row[0] - 1]  # type: ignore[operator]
            assert kind.what == fact["what"]
            assert len(row) == 1 + len(kind.given)
            for name, value in zip(kind.given, row[1:], strict=True):
                assert (value is None) == (name not in fact)
                if kind.fields[name].form is None and value is not None:
                    assert value == fact[name]
