"""Compile ahead, so that nobody waits later."""

from collections.abc import Iterable

import numpy as np

from kubli.batch import cache
from kubli.batch.batch import Batch
from kubli.batch.kernels import GAMES
from kubli.batch.learner import Learner
from kubli.batch.random import random_play
from kubli.games import WORLDS

__all__ = ["warm"]


def warm(games: Iterable[str] = tuple(GAMES)) -> str:
    """Compile every loop of these games, or find that it is compiled already.

    Args:
        games: their names in a record; all if left out.

    Returns:
        The folder where the compiled code is.
    """
    for game in games:
        players = {"narabi": 3}.get(game, 2)
        batch = Batch(game, players, 1)
        batch.step(np.array([-1]))
        batch.observe()
        batch._imagine(WORLDS[game].known(batch.variant, [], 0), 1)
        batch.rollout()
        Learner(game, players, 1).deal(0)
        random_play(game, players, 1)
    return str(cache.folder())
