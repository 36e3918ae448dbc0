"""Many tables at once: every entry comes to every watcher, in order, and nothing fails."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from laws.worlds import LONG
from server.harness import FAST, Listener, Player, ok, served

TABLES = 500 if LONG else 20
SECONDS = 20.0
WATCHED = 50  # of them, with an open stream


def test_many_tables_of_bots_play_without_an_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    limits = replace(FAST, bot_pause=0.05, streams=10**4, streams_of_browser=10**4, streams_of_address=10**4, live=100)
    games = ["darna", "narabi", "darwins-dice"]
    with served(tmp_path, limits=limits) as server:
        lobby = Player(server.browser())
        tables: list[tuple[Player, Listener | None]] = []

        def open_one(number: int) -> tuple[Player, Listener | None]:
            table = Player(lobby.browser).open(games[number % 3], 3, seats=["bot:random", "bot:simple", "bot:random"])
            return table, table.listen() if number < WATCHED else None

        tables = [open_one(number) for number in range(TABLES)]
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for number, (table, listening) in enumerate(tables):
                ok(lobby.browser.get("/health"))
                look = table.look()
                assert look["entry"] == len(look["log"])
                if look["state"] == "over":
                    if listening:
                        listening.until(look["entry"])
                        assert listening.entries() == table.look()["log"]
                        listening.close()
                    tables[number] = open_one(number)
                if time.monotonic() > end:
                    break
        for table, listening in tables:
            if listening:
                entry = table.look()["entry"]
                listening.until(entry)
                numbers = [one["entry"] for one in listening.entries()]
                assert numbers == list(range(1, len(numbers) + 1))
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
