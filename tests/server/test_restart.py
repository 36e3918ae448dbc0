"""Stopped or killed at any moment: no answered action is lost, nothing is dealt anew, and the tables go on."""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest

from kubli.play.record import parse, write
from kubli.play.replay import replay
from laws.worlds import LONG
from server.harness import FAST, Player, error, ok, plain, play_out, served, table_of, wait

KILLS = 200 if LONG else 8


def test_after_a_restart_everything_is_as_it_was(tmp_path: Path) -> None:
    with served(tmp_path) as before:
        people = table_of(before, 3)
        for one in people[:2]:
            one.act()
        now = people[2].look()["now"]
        entry = ok(people[2].try_(now["legal"][0], now["asked"], "last"))["entry"]
        ok(people[0].post("/talk", id="t", text="hello"))
        looks = [one.look() for one in people]
        cookies = [dict(one.browser.cookies) for one in people]
    with served(tmp_path) as after:
        for one, look, cookie in zip(people, looks, cookies, strict=True):
            one.browser = after.browser()
            one.browser.cookies.update(cookie)
            assert one.look() == look
        assert ok(people[2].try_(now["legal"][0], now["asked"], "last"))["entry"] == entry
        assert error(people[2].try_(now["legal"][1], now["asked"]), 409) == "stale"
        assert people[0].look() == looks[0]
        program = after.browser(Authorization=f"Bearer {people[1].token}")
        assert ok(program.get(people[1].at()))["viewer"] == 1
        assert ok(people[0].browser.get("/api/me")) == {"name": "P0"}
        play_out(people)


def test_two_servers_on_one_folder_make_one_game(tmp_path: Path) -> None:
    """Whoever is slower reads what the other has done, and tries again or refuses."""
    with served(tmp_path) as one, served(tmp_path) as other:
        people = table_of(one, 2)
        twins = [Player(other.browser()) for _ in people]
        for person, twin in zip(people, twins, strict=True):
            twin.table, twin.seat = person.table, person.seat
            twin.browser.cookies.update(dict(person.browser.cookies))
            twin.look()
            twin.requests = 1000
        old = people[1].look()["now"]
        people[0].act()
        ok(twins[1].try_(old["legal"][0], old["asked"]))  # knows nothing yet of what the first has chosen
        answer = people[1].try_(old["legal"][1], old["asked"])
        assert error(answer, 409) == "stale"
        assert answer.json()["now"] == twins[1].look()["now"]
        assert people[0].look() == twins[0].look()
        play_out(twins)


def test_tables_that_were_forgotten_are_read_again(tmp_path: Path) -> None:
    with served(tmp_path, limits=replace(FAST, live=2)) as small:
        hosts = [Player(small.browser()).open(seats=["me", "bot:random"]) for _ in range(6)]
        for _ in range(3):
            for host in hosts:
                now = host.look()["now"]
                ok(host.try_(now["legal"][0], now["asked"]))
                host.asked_again(now["asked"])
        assert len(small.app.state.server.tables._live) <= 3


class Process:
    """A server in a process of its own, as `kubli` starts it."""

    def __init__(self, data: Path, pause: float = 0) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.data, self.pause = data, pause
        self.clients: list[httpx2.Client] = []
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from kubli.cli import main; main()", "--no-open"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        environment = {**os.environ, "KUBLI_BOT_PAUSE": str(self.pause)}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        wait(self.answers, 60)

    def answers(self) -> bool:
        assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
        time.sleep(0.02)
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=20)
        return said

    def browser(self) -> httpx2.Client:
        self.clients.append(plain(base_url=f"http://127.0.0.1:{self.port}"))
        return self.clients[-1]

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        for client in self.clients:
            client.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts servers on the test's folder, and leaves none behind."""
    with contextlib.ExitStack() as stack:

        def started(**how: Any) -> Process:
            process = Process(tmp_path, **how)
            stack.callback(process.close)
            return process

        yield started


class Driver(threading.Thread):
    """Plays a seat as fast as it can, and remembers what was answered and what was still on its way."""

    def __init__(self, player: Player) -> None:
        super().__init__(daemon=True)
        self.player, self.answered = player, []  # type: ignore[var-annotated]
        self.pending: tuple[str, int, dict[str, Any]] | None = None
        self.log: list[dict[str, Any]] = []
        self.over = False

    def run(self) -> None:
        with contextlib.suppress(httpx2.TransportError):
            while not self.over:
                self.step()
                time.sleep(0.03)  # slower than the rate that one address may ask at

    def step(self) -> None:
        look = self.player.look()
        self.log, now = look["log"], look["now"]
        self.over = now["over"]
        if now["legal"]:
            self.player.requests += 1
            self.pending = (f"r{self.player.requests}", now["asked"], now["legal"][-1])
            entry = self.send()
            self.answered.append((entry, self.pending))
            self.pending = None

    def send(self) -> int:
        assert self.pending
        request, asked, event = self.pending
        return int(ok(self.player.try_(event, asked, request))["entry"])


def entries_of(data: Path, table: str) -> list[tuple[int, str, str]]:
    """The log as it is on the disk."""
    with contextlib.closing(sqlite3.connect(data / "kubli.sqlite3", timeout=10)) as connection:
        rows = "SELECT number, kind, data FROM entries WHERE table_id = ? ORDER BY number"
        return connection.execute(rows, (table,)).fetchall()


@pytest.mark.parametrize("game", ["darwins-dice", "darna", "narabi"] if LONG else ["darwins-dice"])
def test_killed_at_any_moment_nothing_answered_is_lost(
    tmp_path: Path, start: Callable[..., Process], game: str
) -> None:
    server, random = start(), Random(game)
    player = Player(server.browser()).open(game, 3, seats=["me", "bot:random", "bot:random"])
    driver = Driver(player)
    for kill in range(KILLS):
        kept = entries_of(tmp_path, player.table)
        driver.start()
        time.sleep(random.random() * 0.6)
        server.kill()
        driver.join(20)
        on_disk = entries_of(tmp_path, player.table)
        assert on_disk[: len(kept)] == kept
        numbers = {number for number, _, _ in on_disk}
        assert {entry for entry, _ in driver.answered} <= numbers, f"kill {kill} lost an answered action"
        server.start()
        after = player.look()
        assert after["log"][: len(driver.log)] == driver.log, f"kill {kill} dealt anew"
        for entry, (request, asked, event) in driver.answered[-2:]:
            assert ok(player.try_(event, asked, request))["entry"] == entry
        if driver.pending:  # sent and not answered: sent again, it is one move
            first = driver.send()
            assert driver.send() == first
        going, driver = driver, Driver(player)
        driver.answered = going.answered
        if player.look()["now"]["over"]:
            player.table = ok(player.post("/again"))["table"]
            driver = Driver(player)
    driver.start()
    driver.join(60)
    assert driver.over
    record = player.browser.get(player.at("/record"))
    again = replay(parse(record.content))
    assert again.over
    assert write(again.result) == write(ok(record)["result"])  # type: ignore[arg-type]
    server.stop()


def test_bots_go_on_after_a_kill_with_no_browser_open(tmp_path: Path, start: Callable[..., Process]) -> None:
    server = start(pause=0.02)
    table = Player(server.browser()).open(players=4, seats=["bot:random"] * 4).table
    wait(lambda: len(entries_of(tmp_path, table)) > 30)
    server.kill()
    before = entries_of(tmp_path, table)
    server.start()
    wait(lambda: len(entries_of(tmp_path, table)) > len(before) + 10)
    server.kill()
    first = entries_of(tmp_path, table)
    assert first[: len(before)] == before
    server.start()
    watcher = Player(server.browser())
    watcher.table = table
    stream = watcher.listen()
    wait(lambda: stream.status == 200)
    said = server.stop()
    assert server.process.returncode == 0
    assert stream.ended.wait(5)  # an open page keeps nobody waiting, and comes back by itself
    assert len(said.splitlines()) == 3, said
    assert "http://127.0.0.1:" in said


def test_bots_decide_the_same_after_a_restart(tmp_path: Path) -> None:
    """A bot's stream comes from the table's secret, its seat and the entry that asked it: nothing else."""
    with served(tmp_path, limits=FAST) as before:
        host = Player(before.browser()).open(players=3, seats=["me", "bot:random", "bot:random"])
        room = before.app.state.server.tables._live[host.table].room
        first = [room.outside.luck(room.secret, seat, 9).below(1000) for seat in range(3)]
    with served(tmp_path) as after:
        other = Player(after.browser())
        other.table = host.table
        other.look()
        room = after.app.state.server.tables._live[host.table].room
        assert [room.outside.luck(room.secret, seat, 9).below(1000) for seat in range(3)] == first
        assert len(set(first)) == 3
