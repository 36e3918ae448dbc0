"""Others' engines at random play on one core: `python bench/peers.py NAME SECONDS` prints {"steps":, "seconds":}.

It runs in the virtual environment of bench/peers.txt and knows nothing of Kubli. Steps are decisions of players; chance
is not counted, setting up and compiling is not timed. Seconds are the process's own on the processor.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["PEERS", "main"]

Timed = tuple[float, float]  # steps, seconds
BATCH = 4_096


def openspiel_core(name: str) -> Callable[[float], Timed]:
    """Rollouts of OpenSpiel's C++ core: its search bot, told to expand one node and to roll out many times from it."""

    def measure(seconds: float) -> Timed:
        import pyspiel

        game = pyspiel.load_game(name)
        root = game.new_initial_state()
        while root.is_chance_node():
            root.apply_action(root.legal_actions()[0])
        length = sum(openspiel_game(root.clone()) for _ in range(200)) / 200

        def rolled(count: int) -> float:
            bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(count, 7), 2.0, 1, 100, False, 42, False)
            began = time.process_time()
            bot.step(root)
            return time.process_time() - began

        count = max(100, int(1_000 * seconds / rolled(1_000)))
        return count * length, rolled(count)

    return measure


def openspiel_game(state: Any) -> int:
    """Play one of OpenSpiel's games to its end at random, step by step in Python; how many decisions it took."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return decisions


def openspiel_python(name: str) -> Callable[[float], Timed]:
    """The same game through OpenSpiel's Python interface."""

    def measure(seconds: float) -> Timed:
        import pyspiel

        game = pyspiel.load_game(name)
        return many(lambda _: openspiel_game(game.new_initial_state()), seconds)

    return measure


def pgx(name: str) -> Callable[[float], Timed]:
    """A batch of pgx's with automatic resets, whose steps make observation and mask too."""

    def measure(seconds: float) -> Timed:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        import jax
        import jax.numpy as jnp
        from pgx import make
        from pgx.experimental.wrappers import auto_reset

        env = make(name)
        step, init = jax.vmap(auto_reset(env.step, env.init)), jax.jit(jax.vmap(env.init))

        def ten(state: Any, key: Any) -> Any:
            def body(_: Any, now: Any) -> Any:
                state, key = now
                key, choice, chance = jax.random.split(key, 3)
                logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
                actions = jax.random.categorical(choice, logits, axis=1)
                return step(state, actions, jax.random.split(chance, BATCH)), key

            return jax.lax.fori_loop(0, 10, body, (state, key))

        steps = jax.jit(ten)
        state = init(jax.random.split(jax.random.PRNGKey(0), BATCH))
        now = jax.block_until_ready(steps(state, jax.random.PRNGKey(1)))

        def more(_: int) -> int:
            nonlocal now
            now = jax.block_until_ready(steps(*now))
            return 10 * BATCH

        return many(more, seconds)

    return measure


def rlcard(name: str) -> Callable[[float], Timed]:
    """RLCard's own loop with its random agents."""

    def measure(seconds: float) -> Timed:
        from rlcard import make
        from rlcard.agents import RandomAgent

        env = make(name, config={"seed": 1})
        env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
        return many(lambda _: sum(len(path) // 2 for path in env.run(is_training=False)[0]), seconds)

    return measure


def pettingzoo(name: str) -> Callable[[float], Timed]:
    """PettingZoo's own loop over agents, by the mask."""

    def measure(seconds: float) -> Timed:
        import importlib

        env = importlib.import_module(f"pettingzoo.classic.{name}").env()

        def play(seed: int) -> int:
            env.reset(seed=seed)
            steps = 0
            for _ in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                env.step(None if ended or cut else random.choice(seen["action_mask"].nonzero()[0]))
                steps += not (ended or cut)
            return steps

        return many(play, seconds)

    return measure


def many(play: Callable[[int], int], seconds: float) -> Timed:
    """Play again and again for so long."""
    steps, number, began = 0, 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        steps += play(number)
        number += 1
    return steps, took


PEERS: dict[str, Callable[[float], Timed]] = {
    "OpenSpiel hearts, C++": openspiel_core("hearts"),
    "OpenSpiel spades, C++": openspiel_core("spades"),
    "OpenSpiel hearts, Python": openspiel_python("hearts"),
    "pgx sparrow_mahjong": pgx("sparrow_mahjong"),
    "RLCard leduc-holdem": rlcard("leduc-holdem"),
    "RLCard uno": rlcard("uno"),
    "PettingZoo leduc_holdem_v4": pettingzoo("leduc_holdem_v4"),
    "PettingZoo hanabi_v5": pettingzoo("hanabi_v5"),
}
"""Every figure by its name, as bench/results.md has it."""


def main() -> None:
    """Measure one of them."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    random.seed(7)
    steps, took = PEERS[name](seconds)
    print(json.dumps({"steps": steps, "seconds": took}))


if __name__ == "__main__":
    main()
