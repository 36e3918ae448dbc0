"""Gymnasium: one seat of a game as an environment, against others that play by themselves.

>>> from kubli.envs import gymnasium
>>> env = gymnasium.Env("darwins-dice", players=4, seat=1, opponents="simple")
>>> observation, info = env.reset(seed=7)
>>> action = int(observation["action_mask"].argmax())
>>> observation, reward, terminated, truncated, info = env.step(action)

`VectorEnv` is the same for thousands of games at once, with the rules compiled (it needs the extra `kubli[fast]` too).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kubli.bots import BOTS, Bot
from kubli.envs import shared
from kubli.envs.extra import needed
from kubli.envs.shared import MODES, EnvError, IllegalActionError
from kubli.games.kit import Luck
from kubli.play.chance import Seeded
from kubli.play.simulate import BOT

with needed("envs", "gymnasium", "numpy"):
    import gymnasium
    import numpy.typing as npt
    from gymnasium import spaces

if TYPE_CHECKING:
    from kubli.envs.vector import VectorEnv

__all__ = ["Env", "VectorEnv"]

ILLEGAL = ["raise", "penalty"]
MOST_SKIPPED = 10_000
"""So many games that end before the learner's first turn are passed over, then something must be wrong."""

Observation = dict[str, npt.NDArray[Any]]


def __getattr__(name: str) -> Any:
    """VectorEnv is imported when it is asked for: it needs Numba, and Env does not."""
    if name != "VectorEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kubli.envs.vector import VectorEnv

    return VectorEnv


class Env(gymnasium.Env[Any, Any]):
    """One seat of a game; the others are bots. Chance and bots act by themselves until the seat may act again.

    Observations have "observation", the learner's vector (docs/guides/observations.md), and "action_mask", which is in
    info too, beside "game": which game of the seed it is. The reward is the seat's utility, at the end. A game that
    ends before the seat's first turn is passed over: the next one is dealt.

    Attributes:
        seat: the learner's.
        penalty: the reward for an illegal action: less than any game can end with.
    """

    metadata: dict[str, Any] = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        game: str,
        players: int,
        *,
        seat: int = 0,
        opponents: str | Bot | Sequence[str | Bot] = "random",
        illegal: str = "raise",
        deck: str | Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Set the table.

        Args:
            game: "darna", "narabi" or "darwins-dice".
            players: how many play; the game says from how many to how many.
            seat: the learner's seat, from 0.
            opponents: "random", "simple" or a bot's `choose` (docs/guides/bot.md); one for all other seats, or a list
                with one for each, in the order of the seats.
            illegal: "raise" refuses an illegal action with an error and changes nothing; "penalty" ends the game with
                the reward `penalty`.
            deck: a shipped deck's name ("standard" if left out), or a deck as an object.
            render_mode: "human" writes the last lines of what the seat was told to the terminal, "ansi" returns them.
            options: what the table sets otherwise than usual: `max_turns=50`, `questions=3`, `first=1`.

        Raises:
            EnvError: any of these may not be.
        """
        self._table = shared.table_of(game, players, options, deck)
        self.seat = shared.whole_number("seat", seat, 0, self._table.players - 1)
        self._bots = bots_of(opponents, self._table.players - 1)
        self._bots.insert(self.seat, self._bots[0])  # never asked
        self._illegal, self.render_mode = one_of("illegal", illegal, ILLEGAL), render_mode
        if render_mode is not None:
            one_of("render_mode", render_mode, MODES)
        self.observation_space = shared.observation_space(self._table)
        self.action_space = spaces.Discrete(self._table.game.ACTIONS)
        self.penalty = shared.bounds(self._table)[0] - 1.0
        self._number, self._going = -1, False

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - Gymnasium's own form
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal game 0 of a seed, or the next game if none is given, and play until the seat may act.

        No option is known, and none is refused. Game i of a seed deals as in `kubli simulate`.

        Raises:
            EnvError: the seed is no whole number, or no game comes to the seat's turn.
        """
        given = shared.seed_of(seed)
        super().reset(seed=given)
        self._number = -1 if given is not None else self._number
        for _ in range(MOST_SKIPPED):
            self._number += 1
            self._deal()
            if not self._table.over:
                return self._seen()
        raise EnvError(f"In {MOST_SKIPPED} games seat {self.seat} never had a turn.")

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and let the others play until the seat may act again or the game is over.

        Raises:
            EnvError: it is no action, or no game goes on: `reset` comes first.
            IllegalActionError: a rule forbids it, unless `illegal` is "penalty". In each case nothing has changed.
        """
        if not self._going:
            raise EnvError("No game goes on: reset() comes first.")
        chosen = shared.whole_number("action", action, 0, self._table.game.ACTIONS - 1)
        try:
            shared.act(self._table, self.seat, chosen)
        except IllegalActionError as refused:
            if self._illegal == "raise":
                raise
            self._going = False
            observation, info = self._seen()
            return observation, self.penalty, True, False, {**info, "illegal": str(refused), "rule": refused.rule}
        self._play_on()
        result = self._table.result
        self._going = result is None
        observation, info = self._seen()
        return observation, result["utilities"][self.seat] if result else 0.0, result is not None, False, info

    def render(self) -> str | None:
        """The last lines of what the seat was told, as `render_mode` says.

        Raises:
            EnvError: there is no render_mode, or no game.
        """
        if self.render_mode is None or self._number < 0:
            raise EnvError(f"To render, make the environment with render_mode, one of {MODES}, and reset it.")
        return shared.render(self._table, self.seat, self.render_mode)

    # --- How ---------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """The next game, up to the seat's first turn or its end."""
        seed = int(self.np_random_seed) % (1 << 64)
        self._luck = [Luck(seed, self._number, BOT, seat) for seat in range(self._table.players)]
        self._table = self._table.anew(Seeded(seed, self._number))
        self._table.advance()
        self._play_on()
        self._going = not self._table.over

    def _play_on(self) -> None:
        """Let the other seats act, the lowest first, for as long as the learner's may not."""
        table = self._table
        while not table.over and self.seat not in table.to_act:
            seat = table.to_act[0]
            event, _ = self._bots[seat](table.seen(seat), table.told(seat), table.legal(seat), self._luck[seat], 0.0)
            table.act(seat, event)

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        mask = shared.mask_of(self._table, self.seat)
        return shared.observe(self._table, self.seat, mask), {"action_mask": mask, "game": self._number}


def one_of(name: str, value: Any, known: list[str]) -> str:
    """One of these words.

    Raises:
        EnvError: it is none of them.
    """
    if value not in known:
        raise EnvError(f"{name} must be one of {known}, not {value!r:.60}.")
    return str(value)


def bots_of(given: Any, count: int) -> list[Bot]:
    """A bot for each of so many seats.

    Raises:
        EnvError: a name that no bot has, something else, or another number of them.
    """
    wanted = list(given) if isinstance(given, list | tuple) else [given] * count
    if len(wanted) != count:
        raise EnvError(f"opponents must be one bot for all other seats, or {count}, not {len(wanted)}.")
    return [one if callable(one) else BOTS[one_of("opponents", one, list(BOTS))] for one in wanted]
