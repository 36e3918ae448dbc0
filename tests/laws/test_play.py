"""Laws of play, over random games of every game and number of players."""

import json
from random import Random

import pytest

from kubli.play.record import parse, write
from kubli.play.replay import replay
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.worlds import COUNTS, again, games, sizes

BOUNDS = {"darna": (-1, 4), "narabi": (0, 1), "darwins-dice": (-250, 250)}
every = pytest.mark.parametrize(("game", "players"), COUNTS)


def viewers(table: Table) -> list[Viewer]:
    return [*range(table.players), SPECTATOR]


@every
def test_replay_gives_the_same_game(game: str, players: int) -> None:
    for steps in games(game, players, sizes(100, 1000)):
        table = list(steps)[-1]
        line = write(table.record(seats=[f"P{seat}" for seat in range(players)], seed=3))
        record = parse(line.encode())
        twin = replay(record)
        assert twin.state == table.state
        assert twin.facts == table.facts
        assert [twin.told(viewer) for viewer in viewers(twin)] == [table.told(viewer) for viewer in viewers(table)]
        assert write(twin.record(seats=record.seats, **record.rest)) == line


@every
def test_a_game_ends_and_its_utilities_stay_in_bounds(game: str, players: int) -> None:
    least, most = BOUNDS[game]
    for steps in games(game, players, sizes(100, 1000), seed=1):
        table = list(steps)[-1]
        assert table.over
        assert table.result is not None
        utilities = table.result["utilities"]
        assert len(utilities) == players
        assert all(least <= one <= most for one in utilities)
        assert game == "narabi" or sum(utilities) == pytest.approx(0)
        assert not any(table.legal(seat) for seat in range(players))
        assert not table.legal_for_chance()
        assert not table.to_act


@every
def test_legal_is_exactly_what_refusal_lets_through(game: str, players: int) -> None:
    for steps in games(game, players, sizes(15, 200), seed=2):
        for table in steps:
            rules, v, s = table.game, table.variant, table.state
            for seat in range(players):
                allowed = [rules.event(v, a) for a in range(rules.ACTIONS) if exists(table, a, seat)]
                assert [{"by": seat, **event} for event in allowed] == table.legal(seat)
                assert bool(allowed) == (seat in table.to_act)
            assert s == table.state


def exists(table: Table, action: int, seat: int) -> bool:
    return not table.game.refusal(table.variant, table.state, seat, action)


@every
def test_chance_may_bring_just_what_it_draws(game: str, players: int) -> None:
    """Each outcome is an allowed event, and what it draws by its order has the parts of an event of the record."""
    for steps in games(game, players, sizes(2, 10), seed=3):
        table = list(steps)[-1]
        partial = Table(game, players, table.options)
        for event in table.events:
            rules, v, s = table.game, partial.variant, partial.state
            if n := rules.outcomes(v, s):
                assert partial.to_act == []
                drawn = [{"by": "chance", **rules.event(v, rules.draw(v, s, k))} for k in range(n)]
                allowed = partial.legal_for_chance()
                assert all(one in allowed for one in drawn)
                assert event in drawn
            partial.happen(event)


@every
def test_events_go_round_through_actions(game: str, players: int) -> None:
    for steps in games(game, players, sizes(20, 200), seed=4):
        table = list(steps)[-1]
        for event in json.loads(json.dumps(table.events)):
            action = table.game.action(table.variant, event)
            assert {"by": event["by"], **table.game.event(table.variant, action)} == event


@every
def test_deals_and_sealed_choices_in_any_order_give_the_same_state(game: str, players: int) -> None:
    random = Random(f"order {game} {players}")
    for steps in games(game, players, sizes(100, 1000), seed=5):
        table = list(steps)[-1]
        assert again(table, shuffled(table, random)).state == table.state


def shuffled(table: Table, random: Random) -> list[dict[str, object]]:
    """The same events, with each run of deals and each run of sealed choices in another order."""
    out: list[dict[str, object]] = []
    run: list[dict[str, object]] = []
    kind = ""
    tricks = {fact["event"] for fact in table.facts if fact["what"] == "turned"}
    for index, event in enumerate(table.events):
        now = "deal" if {"deal", "deal_card", "deal_stone", "sleeve"} & event.keys() else str(event.get("act"))
        if now != kind or now not in ("deal", "choose"):
            random.shuffle(run)
            out, run, kind = out + run, [], now
        run.append(event)
        if index in tricks:
            random.shuffle(run)
            out, run, kind = out + run, [], ""
    return out + run
