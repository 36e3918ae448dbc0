"""PettingZoo: all three games one agent at a time (AEC), and Darwin's Dice with all agents at once (Parallel).

>>> from kubli.envs import pettingzoo
>>> env = pettingzoo.env("darna", players=3, max_turns=50)
>>> env.reset(seed=7)
>>> observation, reward, termination, truncation, info = env.last()
>>> sorted(observation)
['action_mask', 'observation']

An agent observes "observation", the learner's vector of its seat (docs/guides/observations.md), and "action_mask"; the
mask is in its info too. The mask has a 1 for each action that `step` would take from this agent now, and is all 0 for
an agent that is not to act. Rewards are the seats' utilities and come when the game is over. `reset(seed=n)` deals game
0 of the seed, as `kubli simulate` does, and each `reset()` after it the next one.
"""

from collections.abc import Mapping
from typing import Any

from kubli.envs import shared
from kubli.envs.extra import needed
from kubli.envs.shared import MODES, EnvError
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table

with needed("envs", "gymnasium", "numpy", "pettingzoo"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

__all__ = ["AgentByAgent", "AllAtOnce", "env", "parallel_env", "raw_env"]

Observation = dict[str, npt.NDArray[Any]]
Info = dict[str, Any]
AT_ONCE = "darwins-dice"


def env(
    game: str,
    players: int,
    *,
    deck: str | Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "AgentByAgent":
    """A game as an AEC environment.

    Args:
        game: "darna", "narabi" or "darwins-dice".
        players: how many play; the game says from how many to how many.
        deck: a shipped deck's name ("standard" if left out), or a deck as an object.
        render_mode: "human" writes the last lines of what a spectator was told to the terminal, "ansi" returns them.
        options: what the table sets otherwise than usual: `max_turns=50`, `questions=3`, `first=1`.

    Raises:
        EnvError: any of these may not be.
    """
    return AgentByAgent(Dealer(game, players, options, deck, render_mode))


raw_env = env
"""The same: nothing is wrapped, the environment itself checks what it is given."""


def parallel_env(
    game: str,
    players: int,
    *,
    deck: str | Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> "AllAtOnce":
    """Darwin's Dice as a Parallel environment: a step is a trick, for which each agent chooses a card.

    Args:
        game: "darwins-dice"; in the other games one seat acts after the other.
        players: 2 to 4.
        deck: as in `env`.
        render_mode: as in `env`.
        options: as in `env`.

    Raises:
        EnvError: any of these may not be.
    """
    dealer = Dealer(game, players, options, deck, render_mode)
    if game != AT_ONCE:
        raise EnvError(f"Only {AT_ONCE} has agents that act at once. For {game} take env(...).")
    return AllAtOnce(dealer)


class Dealer:
    """A table and the games that are dealt there, the same for both kinds of environments.

    Attributes:
        table: the game that is played now, or the table not dealt yet.
        agents: all agents by seat: "player_0" and so on.
        observation_spaces: by agent.
        action_spaces: by agent.
    """

    def __init__(self, game: str, players: int, options: Mapping[str, Any], deck: Any, render_mode: str | None) -> None:
        """Set a table, after checking all of it."""
        if render_mode is not None and render_mode not in MODES:
            raise EnvError(f"render_mode must be one of {MODES} or None, not {render_mode!r:.60}.")
        self.table, self.mode = shared.table_of(game, players, options, deck), render_mode
        self.agents = [f"player_{seat}" for seat in range(self.table.players)]
        self.observation_spaces = {agent: shared.observation_space(self.table) for agent in self.agents}
        self.action_spaces = {agent: Choices(self.table.game.ACTIONS) for agent in self.agents}
        self.seed, self.number = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]), -1

    def deal(self, seed: Any) -> Table:
        """Game 0 of a seed, or the next game of the one before."""
        given = shared.seed_of(seed)
        self.seed, self.number = (self.seed, self.number + 1) if given is None else (given, 0)
        self.table = self.table.anew(Seeded(self.seed, self.number))
        self.table.advance()
        return self.table

    def seat(self, agent: Any) -> int:
        """The seat of an agent.

        Raises:
            EnvError: there is no such agent.
        """
        if agent not in self.agents:
            raise EnvError(f"No agent {agent!r:.60}. The agents are {', '.join(self.agents)}.")
        return self.agents.index(agent)

    def action(self, value: Any) -> int:
        """An action by its number.

        Raises:
            EnvError: it is no whole number, or there is no such action.
        """
        return shared.whole_number("action", value, 0, self.table.game.ACTIONS - 1)

    def rewards(self) -> dict[str, float]:
        """Each agent's utility if the game is over, else 0."""
        result = self.table.result
        found = result["utilities"] if result else [0.0] * self.table.players
        return dict(zip(self.agents, found, strict=True))

    def render(self) -> str | None:
        """What a spectator sees, returned or written to the terminal."""
        if self.mode is None:
            raise EnvError(f"To render, make the environment with render_mode: one of {MODES}.")
        return shared.render(self.table, SPECTATOR, self.mode)


class Choices(spaces.Discrete):
    """An agent's actions by number; `sample` without a mask samples what the agent may do now.

    PettingZoo's own tests of parallel environments sample so, and an action that is not legal is refused here.

    Attributes:
        mask: the agent's mask, or None before the first game.
    """

    mask: npt.NDArray[np.int8] | None = None

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """One action of a mask, of probabilities, or of what is legal now."""
        if mask is None and probability is None:
            mask = self.mask
        return super().sample(mask=mask, probability=probability)


class Seated:
    """What environments of both kinds say of their agents, and how they are shown."""

    def __init__(self, dealer: Dealer) -> None:
        """Take a dealer; `env` and `parallel_env` make one."""
        super().__init__()
        self._dealer = dealer
        self.metadata: dict[str, Any] = {
            "name": f"kubli_{dealer.table.game.NAME}",
            "render_modes": MODES,
            "render_fps": 1,
        }
        self.render_mode, self.possible_agents = dealer.mode, dealer.agents[:]
        self.observation_spaces, self.action_spaces = dealer.observation_spaces, dict(dealer.action_spaces)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What this agent observes."""
        return self.observation_spaces[self.possible_agents[self._dealer.seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's actions, numbered as the game numbers them."""
        return self.action_spaces[self.possible_agents[self._dealer.seat(agent)]]

    def render(self) -> str | None:
        """The last lines of what a spectator was told, as `render_mode` says.

        Raises:
            EnvError: there is no render_mode.
        """
        return self._dealer.render()

    def close(self) -> None:
        """Nothing is held open."""


# --- One agent at a time ----------------------------------------------------------------------------------------------


class AgentByAgent(Seated, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game in which `agent_selection` acts next.

    Where several may choose at once, the lowest seat is asked first, and no other is told its choice before all have
    chosen.
    """

    def __init__(self, dealer: Dealer) -> None:
        """Take a dealer; `env` makes one."""
        super().__init__(dealer)
        self.metadata["is_parallelizable"] = dealer.table.game.NAME == AT_ONCE
        self._dealt = False

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - PettingZoo's own form
    ) -> None:
        """Deal game 0 of a seed, or the next game if none is given. No option is known, and none is refused.

        Raises:
            EnvError: the seed is no whole number.
        """
        self._dealer.deal(seed)
        self.agents, self._dealt, self._skip_agent_selection = self.possible_agents[:], True, None
        self.agent_selection = self.agents[0]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look()

    def observe(self, agent: str) -> Observation:
        """What this agent knows now, after the end too.

        Raises:
            EnvError: there is no such agent, or no game.
        """
        seat = self._dealer.seat(agent)
        self._check_dealt()
        return shared.observe(self._dealer.table, seat, self._mask(agent))

    def step(self, action: int | None) -> None:
        """Let `agent_selection` act; None for each agent once the game is over.

        Raises:
            EnvError: it is no action, there is no game, or the game is over.
            IllegalActionError: a rule forbids it. In each case nothing has changed.
        """
        self._check_dealt()
        if not self.agents:
            raise EnvError("The game is over and all agents are gone: reset() comes next.")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise EnvError(f"The game is over: {agent} can only do None.")
            self._was_dead_step(action)
            return
        shared.act(self._dealer.table, self._dealer.seat(agent), self._dealer.action(action))
        self._cumulative_rewards[agent] = 0.0
        self._look()
        self._accumulate_rewards()

    def _look(self) -> None:
        """Take from the table who is next, and what all get."""
        table = self._dealer.table
        if table.over:
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[table.to_act[0]]
        self.rewards = self._dealer.rewards()
        self.terminations = dict.fromkeys(self.agents, table.over)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> npt.NDArray[np.int8]:
        if agent == self.agent_selection:
            return shared.mask_of(self._dealer.table, self._dealer.seat(agent))
        return np.zeros(self._dealer.table.game.ACTIONS, np.int8)

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise EnvError("No game has been dealt: reset() comes first.")


# --- All at once ------------------------------------------------------------------------------------------------------


class AllAtOnce(Seated, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """Darwin's Dice, trick by trick: each agent chooses a card, and all are turned over at once."""

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - PettingZoo's own form
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Deal game 0 of a seed, or the next game if none is given. No option is known, and none is refused.

        Returns:
            Observations and infos by agent.

        Raises:
            EnvError: the seed is no whole number.
        """
        self._dealer.deal(seed)
        self.agents = self.possible_agents[:]
        return self._look()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Let every agent choose a card.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent.

        Raises:
            EnvError: an agent is missing or unknown, a choice is no action, or the game is over.
            IllegalActionError: a rule forbids one of the choices. In each case nothing has changed.
        """
        chosen = self._checked(actions)
        for seat, action in enumerate(chosen):
            shared.act(self._dealer.table, seat, action)
        over, agents = self._dealer.table.over, self.agents
        observations, infos = self._look()
        self.agents = [] if over else agents
        ended, never = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return observations, self._dealer.rewards(), ended, never, infos

    def _checked(self, actions: Any) -> list[int]:
        if not self.agents:
            raise EnvError("No game goes on: reset() comes next.")
        if not isinstance(actions, Mapping) or set(actions) != set(self.agents):
            raise EnvError(f"actions must be a dict with a choice for each of {', '.join(self.agents)}.")
        chosen = [self._dealer.action(actions[agent]) for agent in self.agents]
        for seat, action in enumerate(chosen):
            shared.check(self._dealer.table, seat, action)  # all of them before the first is done
        return chosen

    def _look(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        """What all see, and what they may do."""
        observations, infos = {}, {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self.action_spaces[agent].mask = shared.mask_of(self._dealer.table, seat)
            observations[agent] = shared.observe(self._dealer.table, seat, mask)
            infos[agent] = {"action_mask": mask.copy()}
        return observations, infos
