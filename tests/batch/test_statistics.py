"""Random play comes out as in the yardstick, which was written from the rules by itself, in C."""

import json
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

import yardstick
from batch.plain import COUNTS
from kubli.batch import Batch

RECORDED = json.loads((Path(__file__).parent / "yardstick.json").read_text())
GAMES, LIVE = 60_000, 300_000
SIGMAS = 5  # some 150 figures are compared


class Mean(NamedTuple):
    """A mean over games and the standard deviation of one game."""

    value: float
    deviation: float


def mean(values: npt.NDArray[np.generic]) -> Mean:
    numbers = values.astype(np.float64)
    return Mean(float(numbers.mean()), float(numbers.std()))


def figures(batch: Batch) -> list[Mean | None]:
    """What bench/yardstick.py reads, in its order; None for what a State at the end does not show."""
    s = batch.states
    if batch.game == "darna":
        how = [mean(s["how"] == 0), mean(s["how"] == 1), mean(s["how"] >= 2)]
        return [None, mean(s["turn"]), *how, *(mean(s["winner"] == seat) for seat in range(batch.players))]
    if batch.game == "narabi":
        return [mean(s["exchanges"]), mean(s["how"] == 1), mean(s["how"] == 3), mean(batch.utilities()[:, 0])]
    score = s["score"][:, : batch.players].astype(np.float64)
    best = score == score.max(axis=1, keepdims=True)
    found: list[Mean | None] = [None] * 4
    for seat in range(batch.players):
        found += [mean(score[:, seat]), None, mean(best[:, seat] / best.sum(axis=1))]
    return found


def agree(ours: list[Mean | None], theirs: list[float], games: int, other: int) -> None:
    assert len(ours) == len(theirs)
    assert sum(one is not None for one in ours) >= 4
    for place, (one, their) in enumerate(zip(ours, theirs, strict=True)):
        if one is not None:
            # where it never came here, it may come a few times in as many games again
            deviation = max(one.deviation, math.sqrt(SIGMAS / games))
            room = SIGMAS * deviation * math.sqrt(1 / games + 1 / other) + 1e-6
            assert abs(one.value - their) <= room, f"figure {place}: {one.value} and {their}"


def played(game: str, players: int) -> tuple[Batch, float]:
    """Games at their end, and the decisions a game."""
    batch = Batch(game, players, GAMES, 2026, {"questions": 0} if game == "narabi" else None)
    return batch, batch.rollout() / GAMES


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_random_play_is_as_the_yardstick_says(game: str, players: int, programs: dict[str, Path] | None) -> None:
    batch, decisions = played(game, players)
    ours, recorded = figures(batch), RECORDED[f"{game} {players}"]
    agree(ours, recorded, GAMES, RECORDED["games"])
    assert decisions == pytest.approx(72 if game == "darwins-dice" else recorded[0], rel=0.015)
    if programs:
        live = yardstick.run(programs[game], game, LIVE, players, seed=99)
        agree(ours, live.figures, GAMES, LIVE)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path] | None:
    """The yardstick's programs, where they can be compiled."""
    return yardstick.build(tmp_path_factory.mktemp("yardstick"))


def test_the_comparison_finds_what_is_off_by_little() -> None:
    batch, _ = played("darna", 4)
    off = [one * 1.03 for one in RECORDED["darna 4"]]
    with pytest.raises(AssertionError):
        agree(figures(batch), off, GAMES, RECORDED["games"])
