"""Measure random play against the yardstick and write bench/results.md: `python bench/run.py [--rounds 5]`.

Both play in turn in one run on one core, so that what disturbs the machine disturbs both. Times are seconds on the
processor; ratios are of neighbours in time, and their median and spread is what counts.
"""

import argparse
import os
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import llvmlite
import numba
import numpy as np

import yardstick
from kubli import __version__
from kubli.batch import random_play
from kubli.games import GAMES

__all__ = ["main"]

HERE = Path(__file__).parent
COUNTS = [(name, players) for name, game in GAMES.items() for players in game.PLAYERS]
TARGET = 0.33


@dataclass(frozen=True, slots=True)
class Row:
    """Decisions a second of both, round by round."""

    game: str
    players: int
    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        """Ours to theirs, round by round."""
        return [one / other for one, other in zip(self.ours, self.theirs, strict=True)]


def measure(program: Path, game: str, players: int, rounds: int, seconds: float) -> Row:
    """Both in turn, each about so many seconds a round."""
    options = {"questions": 0} if game == "narabi" else None  # the yardstick asks none
    random_play(game, players, 1, options=options)  # compiles
    start = min(timed(game, players, 1, options)[1] for _ in range(5))  # reading the deck and so on, not play
    probe = timed(game, players, 20_000, options)[1] - start
    count = max(20_000, int(20_000 * seconds / max(probe, 1e-3)))
    row = Row(game, players, [], [])
    for number in range(rounds):
        decisions, took = timed(game, players, count, options, number)
        row.ours.append(decisions / (took - start))
        found = yardstick.run(program, game, 3 * count, players, seed=number + 1)
        each = decisions / count if game == "darwins-dice" else found.figures[0]
        row.theirs.append(3 * count * each / found.seconds)
    return row


def timed(game: str, players: int, count: int, options: dict[str, int] | None, seed: int = 0) -> tuple[int, float]:
    """Decisions of random play, and the seconds on the processor."""
    began = time.process_time()
    return random_play(game, players, count, seed, options).decisions, time.process_time() - began


def machine() -> str:
    """What it was measured on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def said_by(*command: str) -> str:
    """The first line that a program says; nothing if it isn't there."""
    try:
        made = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return made.stdout.partition("\n")[0].strip()


def report(rows: Sequence[Row], rounds: int, load: float) -> str:
    """The page."""
    commit = said_by("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    changed = " with changes" if said_by("git", "status", "--porcelain", "--", "../src", "yardstick") else ""
    tools = f"Python {platform.python_version()}, Numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    head = f"""# Results

Made by `python bench/run.py`; no number here is written by hand.

- Kubli {__version__}, commit {commit}{changed}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC
- {machine()}; load {load:.1f} when it began
- {tools}, NumPy {np.__version__}; {said_by("gcc", "--version")}

## Random play on one core

Kubli with all rules and bounds checks, without facts and viewers' memory; the yardstick in C; in turn, {rounds} rounds.
Decisions a second on the processor, medians; the ratio's median and its least and most. The target is {TARGET}.

| game | players | Kubli, M/s | yardstick, M/s | ratio | spread | target |
|---|---|---|---|---|---|---|
"""
    lines = []
    for row in rows:
        ours, theirs = (statistics.median(one) / 1e6 for one in (row.ours, row.theirs))
        ratio, least, most = statistics.median(row.ratios), min(row.ratios), max(row.ratios)
        met = "met" if ratio >= TARGET else "not met"
        who = f"{GAMES[row.game].TITLE} | {row.players}"
        lines.append(f"| {who} | {ours:.1f} | {theirs:.1f} | {ratio:.2f} | {least:.2f} to {most:.2f} | {met} |\n")
    return head + "".join(lines)


def main() -> int:
    """Measure and write; 1 where the yardstick can't be compiled."""
    parser = argparse.ArgumentParser(description="Measure random play against the yardstick.")
    parser.add_argument("--rounds", type=int, default=5, help="how often both play (default 5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a round is, about (default 0.5)")
    parser.add_argument("--out", type=Path, default=HERE / "results.md", help="where the page goes")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        programs = yardstick.build(Path(folder))
        if programs is None:
            print("The yardstick needs gcc and an x86-64 processor with BMI2.")
            return 1
        rows = []
        for game, players in COUNTS:
            rows.append(measure(programs[game], game, players, arguments.rounds, arguments.seconds))
            print(f"{game} {players}: {statistics.median(rows[-1].ratios):.2f}", flush=True)
    arguments.out.write_text(report(rows, arguments.rounds, load), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
