"""Many games from one seat: a learner acts there, and all else happens by itself."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from kubli.batch.batch import SKIP, Batch
from kubli.batch.given import BatchError, Ints, array_of, seed_of, whole_number

__all__ = ["Learner", "Others"]

Others = Callable[[npt.NDArray[np.int16], npt.NDArray[np.bool_], Ints], npt.ArrayLike]
"""Chooses for the other seats: (k, width) learner's vectors, (k, actions) masks and (k,) seats to (k,) actions."""

BY_LOT = "random"
LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
MOST_SKIPPED = 10_000  # as in the compiled loop


class Learner:
    """Games of one kind, side by side, each waiting for the same seat or over.

    Place i plays games i, i + size, i + 2 * size and so on of the seed, each dealt as in `kubli simulate`; others that
    play by lot are the random bots there. A game that ends before the seat's first turn is passed over.

    Attributes:
        batch: the games.
        seat: the learner's.
        observation: (size, width) int16: what the seat may know in each game.
        mask: (size, actions) int8: 1 for each action that the seat may do; all 0 where the game is over.
        reward: (size,) float64: the seat's utility where the game has just ended, else 0.
        over: (size,) bool: where the game has just ended; the next step deals another one there.
        games: (size,) int64: which game of the seed each is.
    """

    def __init__(
        self,
        game: str,
        players: int,
        size: int,
        seat: int = 0,
        others: str | Others = BY_LOT,
        options: Mapping[str, Any] | None = None,
        deck: str | Mapping[str, Any] | None = None,
    ) -> None:
        """Set the games up; `deal` or the first step deals them.

        Args:
            game: "darna", "narabi" or "darwins-dice".
            players: how many play; the game says from how many to how many.
            size: how many games, from 1 to 2**24.
            seat: the learner's seat, from 0.
            others: "random", compiled; or a function that chooses for all other seats, called as often as it takes.
            options: what the table sets otherwise than usual.
            deck: a shipped deck's name ("standard" if left out), or a deck as an object.

        Raises:
            BatchError: any of these may not be.
        """
        self.batch = Batch(game, players, size, 0, options, deck)
        self.seat = whole_number("seat", seat, 0, self.batch.players - 1)
        if others != BY_LOT and not callable(others):
            raise BatchError(f'opponents must be "{BY_LOT}" or a function, not {others!r:.60}.')
        self._choose = others if callable(others) else None
        n = self.batch.size
        self.observation = np.zeros((n, self.batch.width), np.int16)
        self.mask = np.zeros((n, self.batch.actions), np.int8)
        self.reward, self.over, self.games = np.zeros(n), self.batch._over, np.arange(n) - n
        self.over[:] = True
        self._seats, self._nothing = np.full(n, self.seat), np.full(n, SKIP)

    def deal(self, seed: int) -> None:
        """Begin anew with the first games of a seed.

        Args:
            seed: any whole number, taken modulo 2**64.

        Raises:
            BatchError: it is no whole number, or no game comes to the seat's turn.
        """
        start = seed_of(seed)
        with self._kept():
            self.batch._seed = start
            self.games[:] = np.arange(self.batch.size) - self.batch.size
            self.over[:] = True
            self._go(self._nothing)

    def deal_on(self) -> None:
        """Begin anew with the next game of the seed in each place.

        Raises:
            BatchError: no game comes to the seat's turn.
        """
        with self._kept():
            self.over[:] = True
            self._go(self._nothing)

    def step(self, actions: npt.ArrayLike) -> None:
        """Act in each game, and let all else happen until the seat may act again or the game is over.

        Args:
            actions: (size,) whole numbers: what the seat does. Where `over` says so the next game is dealt instead, and
                the action is not looked at.

        Raises:
            BatchError: another shape, type or range, here or in what the function that plays the others returns.
            IllegalActionError: the rules forbid one of them. In each case no game has changed.
        """
        batch = self.batch
        given = array_of("actions", actions, batch.size, LEAST, MOST)
        array_of("actions", np.where(self.over, 0, given), batch.size, 0, batch.actions - 1)
        chosen = np.where(self.over, SKIP, given)
        batch._check(self._seats, chosen)
        if self._choose is None:
            self._learn(chosen)
        else:
            with self._kept():
                self._go(chosen)

    # --- How ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """What fails in here has changed nothing, whatever the function that plays the others did."""
        batch = self.batch
        parts: list[npt.NDArray[Any]] = [batch.states, batch._luck, batch._acting, self.games, self.over]
        parts += [self.reward, self.observation, self.mask]
        before, seed = [one.copy() for one in parts], batch._seed
        try:
            yield
        except BaseException:
            for one, copy in zip(parts, before, strict=True):
                one[:] = copy
            batch._seed = seed
            raise

    def _go(self, chosen: Ints) -> None:
        if self._choose is None:
            self._learn(chosen)
        else:
            self._learn_beside(self._choose, chosen)

    def _learn_beside(self, choose: Others, chosen: Ints) -> None:
        """The same with a function that chooses for the other seats."""
        fresh = self.over.copy()
        self._learn(chosen)
        for _ in range(MOST_SKIPPED):
            while (waiting := ~self.over & ~self.mask.any(axis=1)).any():
                self._let_others(choose, waiting)
            if not (passed := fresh & self.over).any():
                return
            self.over[:] = passed
            self._learn(self._nothing)
        raise self._stuck(int(passed.argmax()))

    def _let_others(self, choose: Others, waiting: npt.NDArray[np.bool_]) -> None:
        """One choice in each game that waits for another seat."""
        batch = self.batch
        batch._look()
        seats, mask = batch.to_act, batch.mask()
        answer = choose(batch.observe()[waiting], mask[waiting], seats[waiting])
        actions = self._nothing.copy()
        actions[waiting] = array_of("The opponents' actions", answer, int(waiting.sum()), 0, batch.actions - 1)
        batch._check(seats, actions)
        batch._loops.act(batch._variant, batch.states, batch._luck, seats, actions)
        self.over[:] = False
        self._learn(self._nothing)

    def _learn(self, chosen: Ints) -> None:
        """The seat acts, others act, and what the seat sees then is written down."""
        batch, loops, by_lot = self.batch, self.batch._loops, self._choose is None
        which = (batch._seed, self.games, np.int64(batch.size), np.int64(self.seat), by_lot, chosen, self.over)
        seen = (batch._no_view, batch._no_view.copy(), self.observation, self.mask, batch._acting)
        gained = (np.zeros(8), self.reward)
        stuck = int(loops.learn(batch._variant, batch._blank, batch.states, batch._luck, *which, *seen, *gained))
        if stuck >= 0:
            raise self._stuck(stuck)

    def _stuck(self, place: int) -> BatchError:
        return BatchError(f"In {MOST_SKIPPED} games of place {place}, seat {self.seat} never had a turn.")
