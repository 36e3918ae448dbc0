"""Kubli's games as researchers know games: PettingZoo, OpenSpiel and Gymnasium. Needs the extra `kubli[envs]`.

| module | what it gives |
|---|---|
| kubli.envs.pettingzoo | `env(...)`, one agent at a time; `parallel_env(...)`, all at once (Darwin's Dice) |
| kubli.envs.openspiel | importing it registers the games: `python_kubli_darna` and its two sisters |
| kubli.envs.gymnasium | `Env(...)`, one seat against others; `VectorEnv(...)`, thousands of such games at once |

docs/guides/research.md shows all of them. Nothing is imported here, so that each asks only for what it needs.
"""

__all__: list[str] = []
