"""What bench/run.py measures, section by section: each gives rounds of figures that were taken in turn."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np

import yardstick
from kubli.batch import Batch, cache, kernels, random_play
from kubli.envs.gymnasium import VectorEnv
from kubli.games import GAMES
from kubli.games.kit import Luck
from kubli.play.chance import Seeded
from kubli.play.table import Table

__all__ = [
    "BATCH",
    "COUNTS",
    "Rates",
    "Row",
    "commands",
    "memory",
    "one_core",
    "peer_names",
    "peers",
    "random_games",
    "step_costs",
    "table_steps",
    "threads",
    "vector_steps",
    "worlds",
]

HERE = Path(__file__).parent
COUNTS = [(name, players) for name, game in GAMES.items() for players in game.PLAYERS]
BATCH = 4_096
Rates = list[float]


@dataclass(frozen=True, slots=True)
class Row:
    """Two rates a second, round by round: ours, and what it is held against."""

    what: str
    ours: Rates
    theirs: Rates

    @property
    def ratios(self) -> Rates:
        """Ours to theirs, round by round."""
        return [one / other for one, other in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of them."""
        return statistics.median(self.ratios)

    @property
    def spread(self) -> str:
        """The least and the most of them."""
        return f"{min(self.ratios):.2f} to {max(self.ratios):.2f}"


def options_of(game: str) -> dict[str, Any]:
    """The yardstick asks no questions."""
    return {"questions": 0} if game == "narabi" else {}


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those that it starts, on one core where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


# --- Random play ------------------------------------------------------------------------------------------------------


def random_games(programs: dict[str, Path], game: str, players: int, rounds: int, seconds: float) -> Row:
    """Decisions a second on the processor of random play and of the yardstick, each about so many seconds a round."""
    options = options_of(game)
    random_play(game, players, 1, options=options)  # compiles
    start = min(timed(game, players, 1, options)[1] for _ in range(5))  # reading the deck and so on, not play
    probe = timed(game, players, 20_000, options)[1] - start
    count = max(20_000, int(20_000 * seconds / max(probe, 1e-3)))
    row = Row(f"{GAMES[game].TITLE}, {players} players", [], [])
    for number in range(rounds):
        decisions, took = timed(game, players, count, options, number)
        row.ours.append(decisions / (took - start))
        found = yardstick.run(programs[game], game, 3 * count, players, seed=number + 1)
        each = decisions / count if game == "darwins-dice" else found.figures[0]
        row.theirs.append(3 * count * each / found.seconds)
    return row


def timed(game: str, players: int, count: int, options: dict[str, Any], seed: int = 0) -> tuple[int, float]:
    """Decisions of random play, and the seconds on the processor."""
    began = time.process_time()
    return random_play(game, players, count, seed, options).decisions, time.process_time() - began


def threads(programs: dict[str, Path], game: str, players: int, rounds: int, seconds: float) -> Row:
    """What two threads gain on one, and what two processes of the yardstick gain on one, by the clock."""
    options, count = options_of(game), 40_000
    took = random_play(game, players, count, options=options).seconds
    count = max(count, int(count * seconds / took))
    row = Row(f"{GAMES[game].TITLE}, {players} players", [], [])
    for number in range(rounds):
        one, two = (random_play(game, players, count * n, number, options, threads=n) for n in (1, 2))
        row.ours.append(2 * one.seconds / two.seconds)
        row.theirs.append(
            2 * processes(programs[game], 1, 3 * count, players) / processes(programs[game], 2, 3 * count, players)
        )
    return row


def processes(program: Path, many: int, games: int, players: int) -> float:
    """Seconds by the clock until so many processes of the yardstick, started together, have all ended."""
    began = time.perf_counter()
    running = [
        subprocess.Popen([program, str(games), str(players), str(one)], stdout=subprocess.DEVNULL)
        for one in range(many)
    ]
    for one in running:
        one.wait()
    return time.perf_counter() - began


# --- Others -----------------------------------------------------------------------------------------------------------


def peers(python: Path, names: Sequence[str], rounds: int, seconds: float) -> dict[str, Rates]:
    """Steps a second on the processor of others' engines, each in a process of its own, in turn."""
    found: dict[str, Rates] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            command = [str(python), str(HERE / "peers.py"), name, str(seconds)]
            said = json.loads(
                subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
            )
            found[name].append(said["steps"] / said["seconds"])
    return found


def peer_names(python: Path) -> list[str]:
    """The names that bench/peers.py knows."""
    command = [str(python), "-c", "import peers; print('\\n'.join(peers.PEERS))"]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout.splitlines()


# --- Environments and tables ------------------------------------------------------------------------------------------


def vector_steps(game: str, players: int, rounds: int, seconds: float) -> Rates:
    """The learner's steps a second on the processor in a Gymnasium vector environment, the others by lot.

    Each step makes observation and mask. What chooses the learner's actions is not timed.
    """
    env = VectorEnv(game, BATCH, players, copy=False, **options_of(game))
    seen, _ = env.reset(seed=1)
    random = np.random.default_rng(1)
    seen, *_ = env.step(by_lot(seen["action_mask"], random))  # loads what is compiled
    steps: Rates = []
    for _ in range(rounds):
        took, count = 0.0, 0
        while took < seconds:
            mask = seen["action_mask"]
            actions = by_lot(mask, random)
            began = time.process_time()
            seen, *_ = env.step(actions)
            took += time.process_time() - began
            count += BATCH
        steps.append(count / took)
    env.close()
    return steps


def by_lot(mask: Any, random: np.random.Generator) -> Any:
    """In each row one of the actions that the mask has."""
    return ((1 + random.random(mask.shape, np.float32)) * mask).argmax(axis=1)


def table_steps(game: str, players: int, games: int) -> Rates:
    """Microseconds of each event of some random games at a table: checked, done, told."""
    found: Rates = []
    for number in range(games):
        table, random = Table(game, players, chance=Seeded(7, number)), Random(number)
        table.advance()
        while not table.over:
            table.act(seat := table.to_act[0], random.choice(table.legal(seat)))
        again = table.anew()
        for event in table.events:
            began = time.perf_counter()
            again.happen(event)
            found.append((time.perf_counter() - began) * 1e6)
    return found


def memory(game: str, players: int) -> int:
    """Bytes that a game of a batch takes: its row and its random streams."""
    batch = Batch(game, players, 16)
    return int(batch.states.itemsize + batch._luck.nbytes // batch.size)


# --- Keys and worlds --------------------------------------------------------------------------------------------------


def step_costs(game: str, players: int, rounds: int, seconds: float) -> Row:
    """Nanoseconds of a decision in `Batch.step`, by rules that keep keys and by the same that don't, in turn."""
    batch = Batch(game, players, BATCH, 1, options_of(game))
    kept, bare = batch._loops, without_keys(game)
    row, random = Row(GAMES[game].TITLE, [], []), np.random.default_rng(1)
    for number in range(-1, rounds):  # the first time compiles
        for loops, found in ((kept, row.ours), (bare, row.theirs)):
            batch._loops = loops
            took = a_decision(batch, random, seconds)
            if number >= 0:
                found.append(took)
    return row


def without_keys(game: str) -> Any:
    """A game's loops by rules that keep no keys, in a folder of their own."""
    folder = Path(tempfile.mkdtemp())
    with mock.patch.object(kernels, "KEYED", ()), mock.patch.object(cache, "folder", return_value=folder):
        return kernels._made.__wrapped__(game)


def a_decision(batch: Batch, random: np.random.Generator, seconds: float) -> float:
    """Nanoseconds on the processor of a decision by lot in `Batch.step`; what chooses it is not timed."""
    batch.reset()
    took, count = 0.0, 0
    while took < seconds:
        if batch.over.all():
            batch.reset()
        mask = batch.mask()
        actions = np.where(batch.over, -1, by_lot(mask, random))
        began = time.process_time()
        batch.step(actions)
        took += time.process_time() - began
        count += int((actions >= 0).sum())
    return took / count * 1e9


def worlds(game: str, players: int, rounds: int, seconds: float) -> Row:
    """Worlds a second on the processor that the seat to act imagines half-way: by the batch, and at the table."""
    table, row = half_way(game, players), Row(GAMES[game].TITLE, [], [])
    seat = table.to_act[0]
    Batch.imagine(table, seat, 1)  # compiles
    for _ in range(rounds):
        row.ours.append(rate(lambda i: Batch.imagine(table, seat, BATCH, i), seconds) * BATCH)
        row.theirs.append(rate(lambda i: table.imagine(seat, Luck(i)), seconds))
    return row


def half_way(game: str, players: int) -> Table:
    """A random game, played over again to its middle and on to a decision."""
    table, random = Table(game, players, chance=Seeded(7)), Random(7)
    table.advance()
    while not table.over:
        table.act(seat := table.to_act[0], random.choice(table.legal(seat)))
    again, rest = table.anew(), iter(table.events)
    while 2 * len(again.events) < len(table.events) or not again.to_act:
        again.happen(next(rest))
    return again


def rate(call: Callable[[int], Any], seconds: float) -> float:
    """How often it may be called in a second on the processor."""
    began, count = time.process_time(), 0
    while (took := time.process_time() - began) < seconds:
        call(count)
        count += 1
    return count / took


# --- Starting ---------------------------------------------------------------------------------------------------------

COMMANDS = {
    "import kubli": "import kubli",
    "import the server": "import kubli.server",
    "Python alone": "",
    "compiled random play of Darna, warm cache": "from kubli.batch import random_play; random_play('darna', 2, 1)",
}


def commands(rounds: int) -> dict[str, Rates]:
    """Seconds by the clock from starting Python to its end, for some first lines."""
    found: dict[str, Rates] = {what: [] for what in COMMANDS}
    for _ in range(rounds):
        for what, text in COMMANDS.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", text], check=True, env=dict(os.environ))
            found[what].append(time.perf_counter() - began)
    return found
