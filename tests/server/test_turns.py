"""Bots' moves come after the same pause, whatever they thought about; a bot is given what a person would have."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kubli.bots import BOTS
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play import Seen
from kubli.server.store import StoreFailed
from server.harness import FAST, Player, Served, Still, error, ok, served, wait

Answer = tuple[Event, dict[str, Any]]


def rounds(served: Served, game: str, count: int, seats: list[str] | None = None) -> Player:
    """A person plays a few moves against bots."""
    host = Player(served.browser()).open(game, 3, seats=seats or ["me", "bot:random", "bot:random"])
    for _ in range(count):
        now = wait(lambda: (now := host.look()["now"]) and (now["legal"] or now["over"]) and now)
        if now["over"]:
            break
        ok(host.try_(now["legal"][0], now["asked"]))
    return host


@pytest.mark.parametrize("game", ["darwins-dice", "darna", "narabi"])
def test_every_pause_is_the_same_however_much_there_was_to_think(tmp_path: Path, game: str) -> None:
    world = Still()

    def slow(seen: Seen, told: list[dict[str, Any]], legal: list[Event], rng: Luck, budget: float) -> Answer:
        world.time += 0.01 * len(legal)  # thinks longer the more there is to choose
        return rng.pick(legal), {"code": "by_lot"}

    with served(tmp_path, outside=world, limits=replace(FAST, bot_pause=0.8), bots={"random": slow}) as quiet:
        before = world.time
        rounds(quiet, game, 8)
        wait(lambda: len(world.pauses) >= 4)
    assert world.time > before
    moves = [pause for pause in world.pauses if pause]
    assert all(0 < pause <= 0.8 for pause in moves)
    assert len(set(moves)) > 1  # waited the less, the longer it thought


def test_a_bot_that_thinks_too_long_answers_at_a_whole_number_of_pauses(tmp_path: Path) -> None:
    world = Still()

    def slow(seen: Seen, told: list[dict[str, Any]], legal: list[Event], rng: Luck, budget: float) -> Answer:
        world.time += 1.0
        return rng.pick(legal), {"code": "by_lot"}

    limits = replace(FAST, bot_pause=0.8)
    with served(tmp_path, outside=world, limits=limits, bots={"random": slow}) as quiet:
        rounds(quiet, "darna", 8)
        wait(lambda: world.pauses)
    assert all(pause == pytest.approx(0.6) for pause in world.pauses)


def test_the_pause_is_real(tmp_path: Path) -> None:
    with served(tmp_path, limits=replace(FAST, bot_pause=0.3)) as calm:
        host = Player(calm.browser()).open(players=2, seats=["me", "bot:random"])
        listening = host.listen(host.look()["entry"])
        time.sleep(0.5)  # the bot has chosen its first card by now
        for _ in range(2):
            first = host.act()["entry"]
            start = time.monotonic()
            listening.until(first + 2)  # the bot's choice, and the next throw or deal
            assert time.monotonic() - start < 5


def test_a_bot_gets_what_its_seat_may_know_and_nothing_else(tmp_path: Path) -> None:
    given: list[tuple[Any, ...]] = []

    def curious(seen: Seen, told: list[dict[str, Any]], legal: list[Event], rng: Luck, budget: float) -> Answer:
        given.append((seen, told, legal, rng, budget))
        return legal[0], {"code": "by_lot"}

    with served(tmp_path, bots={"random": curious}) as small:
        rounds(small, "darwins-dice", 3)
        wait(lambda: len(given) > 4)
    for seen, told, legal, rng, budget in given:
        assert (type(seen), type(rng), type(budget)) == (Seen, Luck, float)
        assert seen.seat in (1, 2)
        assert {event["by"] for event in legal} == {seen.seat}
        own = [fact for fact in told if fact["what"] in ("dealt", "chose") and "card" in fact]
        assert {fact["seat"] for fact in own} <= {seen.seat}
        assert [event["card"] for event in legal] == list(dict.fromkeys(seen.view["hand"]))


def test_a_bot_that_fails_is_answered_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(seen: Seen, told: list[dict[str, Any]], legal: list[Event], rng: Luck, budget: float) -> Answer:
        if seen.seat == 1:
            raise ValueError(str(seen.view["hand"]))
        return {"by": seen.seat, "act": "choose", "card": "nonsense"}, {"code": "by_lot"}

    with served(tmp_path, bots={**BOTS, "random": broken}) as small:
        host = rounds(small, "darwins-dice", 4)
        assert host.look()["now"]["view"]["trick"] >= 3
    assert "ValueError" in caplog.text
    assert "bear" not in caplog.text


def test_bots_go_on_when_the_disk_takes_moves_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served(tmp_path) as small:
        host = Player(small.browser()).open(players=2, seats=["me", "bot:random"])
        wait(lambda: host.look()["now"]["view"]["has_chosen"][1])
        store = small.app.state.server.store
        keep, store.append = store.append, full
        now = host.look()["now"]
        assert error(host.try_(now["legal"][0], now["asked"], "x"), 503) == "failed"
        store.remember, remember = full, store.remember
        assert error(host.browser.put("/api/me", json={"name": "Zoe"}), 503) == "failed"
        store.remember = remember
        assert host.look()["now"] == now
        store.append = keep
        ok(host.try_(now["legal"][0], now["asked"], "x"))
        wait(lambda: host.look()["now"]["view"]["has_chosen"][1])
        store.append = full
        small.app.state.server.tables.turns.AGAIN = 0.01
        other = Player(small.browser())
        store.append = keep
        other.open(players=2, seats=["bot:random", "bot:random"])
        store.append = full
        wait(lambda: "bots wait" in caplog.text)
        store.append = keep
        wait(lambda: other.look()["state"] == "over", 60)


async def full(*_: Any) -> None:
    """A disk that takes nothing."""
    raise StoreFailed


def test_reasons_of_bots_are_in_the_finished_record_only(tmp_path: Path) -> None:
    with served(tmp_path) as small:
        host = rounds(small, "darna", 500, ["me", "bot:simple", "bot:random"])
        wait(lambda: host.look()["now"]["over"])
        assert "by_lot" not in str(host.look())
        record = ok(host.browser.get(host.at("/record")))
        assert all(note["why"]["code"] for note in record["notes"])
        assert {note["by"] for note in record["notes"]} <= {1, 2}


def test_tables_of_bots_play_by_themselves(tmp_path: Path) -> None:
    with served(tmp_path) as small:
        tables = [Player(small.browser()).open(game, 3, seats=["bot:random"] * 3) for game in ("darna", "narabi")]
        wait(lambda: all(table.look()["state"] == "over" for table in tables), 60)
