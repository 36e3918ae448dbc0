"""`kubli bench random` and `kubli warm`, with Numba and without."""

import json
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kubli.batch import cache, random_play
from kubli.cli import main

WITHOUT = "import sys; sys.modules['numba'] = None; from kubli.cli import main; main(sys.argv[1:], prog_name='kubli')"


def run(*args: Any) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.mark.parametrize(("game", "players"), [("darna", 5), ("narabi", 3), ("darwins-dice", 2)])
def test_bench_random_counts_and_times(game: str, players: int) -> None:
    made = run("bench", "random", game, "--players", players, "--games", 50, "--json")
    assert made.exit_code == 0
    found = json.loads(made.stdout)
    assert set(found) == {"games", "decisions", "seconds"}
    assert found["games"] == 50
    assert found["decisions"] == random_play(game, players, 50).decisions
    assert 0 < found["seconds"] < 5


def test_bench_random_says_it_in_words() -> None:
    made = run("bench", "random", "narabi", "--players", 3, "--games", 9, "--option", "questions=0", "--threads", 2)
    assert made.exit_code == 0
    assert "Narabi, 3 players: 9 games" in made.stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ("darna", "--players", 9),
        ("darna", "--players", 2, "--option", "speed=1"),
        ("darna", "--players", 2, "--deck", "huge"),
        ("poker", "--players", 2),
        ("darna", "--players", 2, "--games", 0),
    ],
)
def test_wrong_usage_is_one_sentence(wrong: tuple[Any, ...]) -> None:
    made = run("bench", "random", *wrong)
    assert made.exit_code in (1, 2)
    assert made.exception is None or isinstance(made.exception, SystemExit)


def test_warm_says_where() -> None:
    made = run("warm")
    assert made.exit_code == 0
    assert cache.digest() in made.stdout


@pytest.mark.parametrize("command", [("warm",), ("bench", "random", "darna", "--players", "2")])
def test_without_numba_a_sentence_says_what_to_install(command: tuple[str, ...]) -> None:
    made = subprocess.run([sys.executable, "-c", WITHOUT, *command], capture_output=True, text=True, check=False)
    assert made.returncode == 1
    assert "pip install kubli[fast]" in made.stderr
    assert len(made.stderr.splitlines()) == 1


def test_without_numba_kubli_plays() -> None:
    games = ["simulate", "darna", "--players", "2", "--games", "1"]
    made = subprocess.run([sys.executable, "-c", WITHOUT, *games], capture_output=True, text=True, check=False)
    assert made.returncode == 0
    assert json.loads(made.stdout)["game"] == "darna"
