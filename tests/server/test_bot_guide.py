"""The bot of docs/guides/bot.md plays each game to its end, just as it stands there."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kubli.server import Rate
from server.harness import FAST, Player, served

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "bot.md"


def code() -> str:
    [block] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return str(block)


@pytest.mark.parametrize("game", ["darna", "narabi", "darwins-dice"])
def test_the_bot_of_the_guide_plays_to_the_end(tmp_path: Path, game: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(code(), encoding="utf-8")
    with served(tmp_path / "data") as server:
        host = Player(server.browser()).open(game, 3, seats=["friend", "friend", "bot:random"])
        link = f"{server.url}/t/{host.table}"
        command = [sys.executable, "-W", "error", str(bot), link]
        both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [one.communicate(timeout=120) for one in both]
        assert [one.returncode for one in both] == [0, 0], said
        results = [json.loads(out) for out, _ in said]
        assert results[0] == results[1] == host.look()["now"]["view"]["result"]
        assert {error for _, error in said} == {""}


def test_a_bot_that_asks_too_fast_waits_as_it_is_told(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(code(), encoding="utf-8")
    limits = replace(FAST, rates={**FAST.rates, "any": Rate(4, 4.0)})
    with served(tmp_path / "data", limits=limits) as server:
        browser = server.browser()
        body = {"game": "darna", "players": 2, "seats": ["friend", "bot:random"], "deck": "tiny"}
        table = browser.post("/api/tables", json=body).json()["table"]
        done = subprocess.run(
            [sys.executable, str(bot), f"{server.url}/t/{table}"],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        assert json.loads(done.stdout)["how"]
