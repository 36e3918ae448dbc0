"""Gymnasium's vector environment over a batch: kubli.envs.gymnasium.VectorEnv."""

from collections.abc import Mapping
from typing import Any

from kubli.envs import shared
from kubli.envs.extra import needed
from kubli.envs.shared import EnvError

with needed("envs", "gymnasium", "numpy"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces, vector
    from gymnasium.vector.utils import batch_space

with needed("fast", "numba", "llvmlite"):
    from kubli.batch import Learner
    from kubli.batch.learner import Others

__all__ = ["VectorEnv"]

Observation = dict[str, npt.NDArray[Any]]
Bools = npt.NDArray[np.bool_]


class VectorEnv(vector.VectorEnv[Any, Any, Any]):
    """One learner's seat in thousands of games at once, against others that play by themselves.

    All of it is compiled; no Python runs game by game. Autoreset is AutoresetMode.NEXT_STEP, which every wrapper of
    Gymnasium takes: the step that ends a game gives what the seat knows at its end, and the next step ignores the
    action there, deals the next game and gives its first observation with the reward 0.

    Environment i plays games i, i + num_envs, i + 2 * num_envs and so on of the seed. A game that ends before the
    seat's first turn is passed over. Rewards are the seat's utility, at the end.

    Attributes:
        seat: the learner's.
        copy: whether each call hands out arrays of its own.
    """

    metadata: dict[str, Any] = {"autoreset_mode": vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        game: str,
        num_envs: int,
        players: int,
        *,
        seat: int = 0,
        opponents: str | Others = "random",
        copy: bool = True,
        deck: str | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Set up the games.

        Args:
            game: "darna", "narabi" or "darwins-dice".
            num_envs: how many games, from 1 to 2**24.
            players: how many play; the game says from how many to how many.
            seat: the learner's seat, from 0.
            opponents: "random", compiled; or a function that chooses for all other seats at once: it is given (k,
                width) learner's vectors, (k, actions) masks and the (k,) seats that they are of, and returns (k,)
                actions. It is called until in each game the seat may act or the game is over.
            copy: False hands out the same arrays at each call, which the next call overwrites.
            deck: a shipped deck's name ("standard" if left out), or a deck as an object.
            options: what the table sets otherwise than usual: `max_turns=50`, `questions=3`, `first=1`.

        Raises:
            BatchError: any of these may not be.
        """
        self._learner = Learner(game, players, num_envs, seat, opponents, options, deck)
        self.seat, self.copy, self.num_envs = self._learner.seat, copy, self._learner.batch.size
        self.single_observation_space = shared.observation_space(shared.table_of(game, players, options, deck))
        self.single_action_space = spaces.Discrete(self._learner.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the first games of a seed, or without one the next game everywhere.

        Args:
            seed: one whole number for all, taken modulo 2**64; at first one is drawn if none is given.
            options: none is known; `reset_mask` is refused, since games follow one another by themselves.

        Returns:
            Observations and infos: "action_mask" as in the observation, "game", the number of each game of the seed.

        Raises:
            EnvError: the seed is no whole number, or there is a reset_mask.
            BatchError: no game comes to the seat's turn.
        """
        if options and "reset_mask" in options:
            raise EnvError("reset_mask is for environments that do not reset by themselves: leave it out.")
        given = shared.seed_of(seed)
        super().reset(seed=given)
        if given is not None or not self._dealt:
            self._learner.deal(int(self.np_random_seed or 0))
        else:
            self._learner.deal_on()
        self._dealt = True
        return self._seen()

    def step(self, actions: npt.ArrayLike) -> tuple[Observation, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Act in every game, and let all else happen until the seat may act again.

        Args:
            actions: (num_envs,) whole numbers; where a game has ended the action is not looked at.

        Returns:
            Observations, rewards, terminations, truncations (none) and infos, as `reset`.

        Raises:
            EnvError: no game has been dealt.
            BatchError: another shape, type or range.
            IllegalActionError: (kubli.batch) the rules forbid one of them. In each case nothing has changed.
        """
        if not self._dealt:
            raise EnvError("No game has been dealt: reset() comes first.")
        self._learner.step(actions)
        observation, infos = self._seen()
        none = np.zeros(self.num_envs, np.bool_)
        return observation, self._out(self._learner.reward), self._out(self._learner.over), none, infos

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        learner = self._learner
        mask = self._out(learner.mask)
        infos = {"action_mask": mask, "game": self._out(learner.games)}
        return {"observation": self._out(learner.observation), "action_mask": mask}, infos

    def _out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self.copy else array
