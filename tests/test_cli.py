"""The command: what it prints, its exit codes, and one clear sentence for whatever is wrong."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kubli.cli import main
from kubli.play.record import parse
from kubli.play.replay import answer

GAMES = [("darna", 2), ("narabi", 3), ("darwins-dice", 2)]


def run(*args: Any, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


def one_sentence(result: Result) -> str:
    """What a person was told: no traceback, and a sentence that ends."""
    assert result.exception is None or isinstance(result.exception, SystemExit)
    said = result.output.strip().splitlines()[-1]
    assert said.endswith((".", "?"))
    return said


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_simulated_games_replay_and_are_the_same_again(game: str, players: int, tmp_path: Path) -> None:
    out, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for path in (out, again):
        made = run("simulate", game, "--players", players, "--games", 3, "--seed", 5, "--out", path)
        assert made.exit_code == 0
    assert out.read_bytes() == again.read_bytes()
    replayed = run("replay", out, "--json")
    assert replayed.exit_code == 0
    for record, line in zip(out.read_text().splitlines(), replayed.output.splitlines(), strict=True):
        found = json.loads(line)
        assert found["ok"]
        assert found["finished"]
        assert found["result"] == json.loads(record)["result"]
        assert set(found) == {"ok", "finished", "result", "legal", "facts", "told"}
        assert set(found["told"]) == {*map(str, range(players)), "spectator"}
        assert set(found["legal"]) == {*map(str, range(players)), "chance"}


def test_without_out_the_records_go_to_standard_output() -> None:
    made = run("simulate", "darna", "--players", 2, "--games", 2)
    records = [json.loads(line) for line in made.stdout.splitlines()]
    assert len(records) == 2
    assert all(answer(parse(json.dumps(one).encode()))["finished"] for one in records)


def test_a_summary_gives_shares_with_their_intervals() -> None:
    made = run("simulate", "darwins-dice", "--players", 2, "--games", 4, "--summary")
    assert made.exit_code == 0
    assert "seat 0 wins" in made.output
    assert "95 %" in made.output
    assert "points" in made.output


def test_game_i_of_a_seed_does_not_depend_on_how_many_are_played(tmp_path: Path) -> None:
    few, more = tmp_path / "few", tmp_path / "more"
    run("simulate", "narabi", "--players", 3, "--games", 1, "--seed", 9, "--out", few)
    run("simulate", "narabi", "--players", 3, "--games", 3, "--seed", 9, "--out", more)
    assert more.read_text().startswith(few.read_text())


def test_a_game_is_told_in_plain_words_with_rule_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run("simulate", "darna", "--players", 2, "--games", 1, "--out", path)
    whole, mine = run("replay", path), run("replay", path, "--as", 0)
    assert "DA-6" in whole.output
    assert "You are dealt" in mine.output
    assert "You are dealt" not in whole.output
    assert "is dealt a card" in mine.output
    assert "is the Puting Bato. DA-4" not in mine.output.replace("  ", " ")


def test_replay_as_one_viewer_holds_nothing_of_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run("simulate", "darna", "--players", 2, "--games", 1, "--out", path)
    found = json.loads(run("replay", path, "--json", "--as", "spectator").output)
    assert list(found["told"]) == ["spectator"]
    assert found["facts"] == found["told"]["spectator"]
    assert found["legal"] == {}


def test_a_bad_record_gives_its_place_and_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = '{"game":"darna","players":2,"events":[]}'
    path.write_text('{"game":"darna","players":2,"events":[{"by":0,"act":"draw"}]}\n' + good)
    result = run("replay", path, "--json")
    assert result.exit_code == 1
    bad, fine = map(json.loads, result.output.splitlines())
    assert set(bad) == {"ok", "index", "rule", "why"}
    assert (bad["ok"], bad["index"]) == (False, 0)
    assert fine["ok"]
    assert "Event 0" in run("replay", path).output


@pytest.mark.parametrize(
    "args",
    [
        ("simulate", "chess", "--players", 2),
        ("simulate", "darna"),
        ("simulate", "darna", "--players", 9),
        ("simulate", "darna", "--players", "two"),
        ("simulate", "darna", "--players", 2, "--games", 0),
        ("simulate", "darna", "--players", 2, "--seed", -1),
        ("simulate", "darna", "--players", 2, "--bots", "genius"),
        ("simulate", "darna", "--players", 3, "--bots", "random,random"),
        ("simulate", "darna", "--players", 2, "--option", "speed=9"),
        ("simulate", "darna", "--players", 2, "--option", "first"),
        ("simulate", "darna", "--players", 2, "--deck", "no such deck"),
        ("replay",),
        ("replay", "/no/such/file"),
        ("replay", "-", "--as", "nobody"),
        ("replay", "-", "--as", "9" * 5000),
        ("deck", "show"),
        ("--port", 99999),
        ("wat",),
    ],
)
def test_wrong_usage_is_exit_code_2(args: tuple[Any, ...]) -> None:
    result = run(*args, stdin="")
    assert result.exit_code == 2
    one_sentence(result)


def test_a_refused_setting_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("kept")
    assert run("simulate", "narabi", "--players", 2, "--out", path).exit_code == 2
    assert path.read_text() == "kept"


def test_a_file_that_cannot_be_written_is_one_sentence() -> None:
    result = run("simulate", "darna", "--players", 2, "--games", 1, "--out", "/no/such/folder/a.jsonl")
    assert result.exit_code == 1
    one_sentence(result)


def test_decks_are_shown_and_checked(tmp_path: Path) -> None:
    shown = run("deck", "show", "darna/standard")
    assert shown.exit_code == 0
    assert "reconstructed" in shown.output
    assert run("deck", "show", "darna/gold").exit_code == 1
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('[[cards]]\nnumber = 1\nfirst = "peek"\nsecond = "swap"\n' * 1)
    bad.write_text('[[cards]]\nnumber = 0\nfirst = "fly"\nsecond = "swap"\ncolour = "red"\n')
    assert run("deck", "check", good).exit_code in (0, 1)
    result = run("deck", "check", bad)
    assert result.exit_code == 1
    for key in ("number", "first", "colour"):
        assert f"cards[0].{key}" in result.output


def test_a_deck_of_ones_own_travels_inside_the_record(tmp_path: Path) -> None:
    deck, out = tmp_path / "mine.toml", tmp_path / "a.jsonl"
    cards = [f'[[cards]]\nnumber = {n}\nfirst = "peek"\nsecond = "swap"\n' for n in range(1, 7)]
    deck.write_text("\n".join(cards))
    assert run("simulate", "darna", "--players", 2, "--games", 1, "--deck", deck, "--out", out).exit_code == 0
    assert len(json.loads(out.read_text())["deck"]["cards"]) == 6
    deck.unlink()
    assert run("replay", out, "--json").exit_code == 0


@pytest.mark.parametrize("where", ["file", "pipe"])
def test_ctrl_c_keeps_what_is_finished(where: str, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    command = [sys.executable, "-c", "from kubli.cli import main; main()", "simulate", "narabi"]
    command += ["--players", "3", "--games", "1000000", "--seed", "5"]
    command += ["--out", str(out)] if where == "file" else []
    with out.open("wb") as sink:
        running = subprocess.Popen(command, stdout=sink if where == "pipe" else None, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while out.stat().st_size < 100_000:
        assert time.monotonic() < end
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert b"Traceback" not in told
    assert running.returncode == 130
    kept = out.read_bytes().splitlines()
    assert f"after {len(kept)} games of 1000000" in told.decode().splitlines()[-1]
    for one in kept:
        json.loads(one)
    assert all(answer(parse(one))["ok"] for one in kept[-3:])
