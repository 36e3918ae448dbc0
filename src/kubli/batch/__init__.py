"""Many games at once, by the rules compiled: for search, learning and statistics. Needs the extra `kubli[fast]`.

>>> from kubli.batch import Batch
>>> batch = Batch("darwins-dice", players=4, size=1000, seed=7)
>>> batch.step(batch.mask().argmax(axis=1))     # each seat on turn does the first thing that it may
>>> batch.rollout(threads=2)                    # doctest: +SKIP

`Batch.imagine(table, seat, size)` are games that have told a seat just what a table told it, for search.
"""

from kubli.batch.batch import Batch, BatchError, IllegalActionError
from kubli.batch.learner import Learner
from kubli.batch.random import Played, random_play
from kubli.batch.warm import warm

__all__ = ["Batch", "BatchError", "IllegalActionError", "Learner", "Played", "random_play", "warm"]
