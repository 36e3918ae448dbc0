"""Random play of whole games, as fast as it goes: statistics, and the figure that is compared with others' engines."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kubli.batch import kernels, records
from kubli.batch.batch import luck_for, shares
from kubli.batch.given import seed_of, variant_of, whole_number

__all__ = ["Played", "random_play"]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it.

    Attributes:
        games: how many were played.
        decisions: of all seats in all games; chance is not counted.
        seconds: how long it took by the clock, without compiling.
        utilities: each seat's mean utility.
    """

    games: int
    decisions: int
    seconds: float
    utilities: tuple[float, ...]


def random_play(
    game: str,
    players: int,
    games: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    deck: str | Mapping[str, Any] | None = None,
    threads: int = 1,
) -> Played:
    """Play games 0 to games - 1 of a seed with seats that choose by lot: those that `kubli simulate` would play.

    Args:
        game: "darna", "narabi" or "darwins-dice".
        players: how many play.
        games: how many games.
        seed: any whole number, taken modulo 2**64.
        options: what the table sets otherwise than usual.
        deck: a shipped deck's name, or a deck as an object.
        threads: how many share the work; the games are the same for any number.

    Raises:
        BatchError: any of these may not be.
    """
    rules, _, variant = variant_of(game, players, options, deck)
    count, start = whole_number("games", games, 1, 1 << 62), seed_of(seed)
    workers = whole_number("threads", threads, 1, 1024)
    table, loop = records.row_of(variant), kernels.compiled(game).play
    blank = records.row_of(rules.State(), rules.PLAYERS.stop)  # as a batch has it, so that rules are compiled once

    def run(low: int, high: int) -> tuple[int, Any]:
        points, sums = np.zeros(8), np.zeros(8)
        first, many = np.int64(low), np.int64(high - low)
        luck = luck_for(1)[0]
        return loop(table, blank, blank.copy(), luck, start, first, many, points, sums), sums

    run(0, 0)  # compiles, or loads what was compiled
    began = time.perf_counter()
    found = shares(run, 0, count, workers)
    seconds = time.perf_counter() - began
    sums = sum(one for _, one in found)
    return Played(count, sum(int(n) for n, _ in found), seconds, tuple((sums[: variant.players] / count).tolist()))
