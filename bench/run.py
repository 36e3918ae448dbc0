"""Measure everything that is claimed and write bench/results.md: `python bench/run.py [--peers PYTHON] [--rounds 5]`.

What is compared plays in turn in one run, so that what disturbs the machine disturbs both. Ratios are of neighbours in
time; their median and spread is what counts. `--only SECTION` measures a part and prints it.
"""

import argparse
import os
import platform
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import llvmlite
import numba
import numpy as np

import figures
import yardstick
from figures import COUNTS, Rates, Row
from kubli import __version__
from kubli.games import GAMES

__all__ = ["main"]

HERE = Path(__file__).parent
KEPT = "## Kept from other runs"  # what is below is written by hand, with its commit, and stays


@dataclass(frozen=True, slots=True)
class Run:
    """How this run measures."""

    programs: dict[str, Path]
    peers: Path | None
    rounds: int
    seconds: float


def median(rates: Rates, scale: float = 1e6) -> str:
    """The median of some rates, in millions if nothing else is said."""
    found = statistics.median(rates) / scale
    return f"{found:.1f}" if found >= 1 else f"{found:.3g}"


def table(head: str, lines: Iterable[Sequence[object]]) -> str:
    """A table of a page."""
    rows = ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]
    return "\n".join([f"| {head} |", "|" + "---|" * (head.count("|") + 1), *rows]) + "\n"


def met(found: float, target: float) -> str:
    """Whether a ratio is what was aimed at."""
    return f"at least {target:g}: {'met' if found >= target else 'not met'}"


# --- Sections ---------------------------------------------------------------------------------------------------------


def random_play(run: Run) -> str:
    """Random play against the yardstick."""
    with figures.one_core():
        rows = [figures.random_games(run.programs, *one, run.rounds, run.seconds) for one in COUNTS]
    lines = [
        (row.what, median(row.ours), median(row.theirs), f"{row.ratio:.2f}", row.spread, met(row.ratio, 0.33))
        for row in rows
    ]
    return f"""## Random play on one core

Kubli with all rules and bounds checks, without facts and viewers' memory; the yardstick is the same games in tight C.
Decisions a second on the processor, in millions; {run.rounds} rounds in turn.

{table("game | Kubli | yardstick | ratio | spread | target", lines)}"""


def threads(run: Run) -> str:
    """Two threads against one."""
    rows = [
        figures.threads(run.programs, *one, run.rounds, run.seconds)
        for one in (("darna", 4), ("narabi", 4), ("darwins-dice", 4))
    ]
    lines = [
        (
            row.what,
            f"{statistics.median(row.ours):.2f}",
            f"{statistics.median(row.theirs):.2f}",
            f"{row.ratio:.2f}",
            row.spread,
            met(row.ratio, 0.9),
        )
        for row in rows
    ]
    return f"""## Two threads

How many times as many games two threads play as one in the same time, by the clock, and the same of two processes of
the yardstick: what this machine gives.

{table("game | Kubli | yardstick | ratio | spread | target", lines)}"""


def others(run: Run) -> str:
    """Others' engines, and the vector environment against two of them."""
    if run.peers is None:
        return "## Others\n\nNot measured: no virtual environment of bench/peers.txt was given (--peers).\n"
    ours = {game: Row(game, [], []) for game in GAMES}
    steps: dict[str, Rates] = {game: [] for game in GAMES}
    found: dict[str, Rates] = {name: [] for name in figures.peer_names(run.peers)}
    with figures.one_core():
        for _ in range(run.rounds):
            for game in GAMES:
                one = figures.random_games(run.programs, game, 4, 1, run.seconds)
                ours[game].ours.extend(one.ours)
                steps[game] += figures.vector_steps(game, 4, 1, run.seconds)
            for name, rates in figures.peers(run.peers, list(found), 1, run.seconds).items():
                found[name] += rates
    return peers_page(run, {game: row.ours for game, row in ours.items()}, steps, found)


def peers_page(run: Run, ours: dict[str, Rates], steps: dict[str, Rates], found: dict[str, Rates]) -> str:
    """What is said of them."""
    lines: list[tuple[object, ...]] = [(name, median(rates)) for name, rates in found.items()]
    lines += [(f"Kubli, random play, {GAMES[game].TITLE}, 4 players", median(rates)) for game, rates in ours.items()]
    lines += [
        (f"Kubli, vector environment, {GAMES[game].TITLE}, 4 players", median(rates)) for game, rates in steps.items()
    ]
    aims = [("random play", ours, "OpenSpiel hearts, C++", 5), ("random play", ours, "OpenSpiel spades, C++", 5)]
    aims += [("vector steps", steps, "pgx sparrow_mahjong", 40), ("vector steps", steps, "PettingZoo hanabi_v5", 1_000)]
    against = [
        (
            f"{what}, {GAMES[game].TITLE}",
            peer,
            f"{(row := Row('', rates, found[peer])).ratio:.1f}",
            row.spread,
            met(row.ratio, aim),
        )
        for what, all_, peer, aim in aims
        for game, rates in all_.items()
    ]
    return f"""## Others

Random play by each engine's own fastest way, in turn and kept on one core, {run.rounds} rounds: decisions or steps a
second on the processor, in millions. pgx and PettingZoo make observation and mask at each step; so does Kubli's vector
environment (batch of {figures.BATCH}), where a step is the learner's and the other three seats play in between.

{table("engine | M a second", lines)}
{table("Kubli | against | ratio | spread | target", against)}"""


def tables(_run: Run) -> str:
    """Steps at a table."""
    lines = []
    for game, players in COUNTS:
        found = figures.table_steps(game, players, 20)
        late = statistics.quantiles(found, n=100)[98]
        middle = statistics.median(found)
        said = f"at most 30 µs: {'met' if middle <= 30 else 'not met'}"
        lines.append(
            (
                f"{GAMES[game].TITLE}, {players} players",
                f"{middle:.1f}",
                f"{late:.1f}",
                figures.memory(game, players),
                said,
            )
        )
    return f"""## One game

An event at a table, checked, done and told, in µs by the clock: 20 random games each. And the bytes that a game takes
in a batch.

{table("game | median | 99 of 100 | bytes in a batch | target", lines)}"""


def worlds(run: Run) -> str:
    """What a seat knows: worlds imagined, and what keys cost."""
    lines: list[tuple[object, ...]] = []
    for game in GAMES:
        found, cost = (one(game, 4, run.rounds, run.seconds) for one in (figures.worlds, figures.step_costs))
        rates = [f"{statistics.median(rates):,.0f}" for rates in (found.ours, found.theirs)]
        steps = [f"{statistics.median(took):.0f}" for took in (cost.ours, cost.theirs)]
        lines.append((found.what, *rates, f"{found.ratio:.0f}", *steps))
    return f"""## Worlds

Worlds a second on one core that the seat to act imagines half-way through a random game of 4 players, each played over
by the rules: {figures.BATCH} at once by `Batch.imagine`, and one by one by `Table.imagine`. And nanoseconds of a
decision in `Batch.step`, where each viewer's key is kept, and by rules compiled without; medians of {run.rounds} rounds
in turn.

{table("game | batch | table | ratio | ns a step with keys | without", lines)}"""


def starting(run: Run) -> str:
    """How long it takes to begin."""
    found = figures.commands(max(5, run.rounds))
    lines = [
        (what, f"{statistics.median(took):.2f}", f"{min(took):.2f} to {max(took):.2f}") for what, took in found.items()
    ]
    return f"""## Starting

Seconds by the clock from starting Python to its end. Compiled play from a warm cache should take at most 1.5 s.

{table("what | median | spread", lines)}"""


SECTIONS: dict[str, Callable[[Run], str]] = {
    "random": random_play,
    "threads": threads,
    "others": others,
    "tables": tables,
    "worlds": worlds,
    "starting": starting,
}


# --- The page ---------------------------------------------------------------------------------------------------------


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


def head(load: float) -> str:
    """What was measured, where and with what."""
    commit = said_by("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    changed = " with changes" if said_by("git", "status", "--porcelain", "--", "../src", "yardstick") else ""
    tools = f"Python {platform.python_version()}, Numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    return f"""# Results

Made by `python bench/run.py`; no number above “Kept from other runs” is written by hand.

- Kubli {__version__}, commit {commit}{changed}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC
- {machine()}; load {load:.1f} when it began
- {tools}, NumPy {np.__version__}; {said_by("gcc", "--version")}
"""


def kept(path: Path) -> str:
    """The last section of the page as it stands."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return text[text.index(KEPT) :] if KEPT in text else f"{KEPT}\n"


def main() -> int:
    """Measure and write; 1 where the yardstick can't be compiled."""
    parser = argparse.ArgumentParser(description="Measure everything that is claimed of speed.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each plays (default 5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a round is, about (default 0.5)")
    parser.add_argument("--peers", type=Path, default=None, help="the Python of a virtual environment of peers.txt")
    parser.add_argument("--only", choices=list(SECTIONS), default=None, help="measure one section and print it")
    parser.add_argument("--out", type=Path, default=HERE / "results.md", help="where the page goes")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        programs = yardstick.build(Path(folder))
        if programs is None:
            print("The yardstick needs gcc and an x86-64 processor with BMI2.")
            return 1
        run = Run(programs, arguments.peers, arguments.rounds, arguments.seconds)
        parts = []
        for name in [arguments.only] if arguments.only else SECTIONS:
            parts.append(SECTIONS[name](run))
            print(parts[-1], flush=True)
    if not arguments.only:
        arguments.out.write_text("\n".join([head(load), *parts, kept(arguments.out)]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
