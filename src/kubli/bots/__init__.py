"""Bots by name. A bot gets what a person in its seat would have before them, and the facts it was told; never a State.

`choose(seen, told, legal, rng, budget)` returns one of `legal` and why. `budget` is the thinking time in seconds that a
search may use; a rule of thumb needs none. A bot keeps nothing between two choices: all it knows is handed in.
"""

from collections.abc import Callable
from typing import Any

from kubli.bots import random, simple
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["BOTS", "Bot", "Why"]

Why = dict[str, Any]
"""A reason: {"code": a key of "bots" in words/en.json, and the values that its sentence needs}."""

Bot = Callable[[Seen, list[dict[str, Any]], list[Event], Luck, float], tuple[Event, Why]]
"""What a bot is: (seen, told, legal, rng, budget) to (one of `legal`, why)."""

BOTS: dict[str, Bot] = {"simple": simple.choose, "random": random.choose}
"""Every bot by its name, the one to start with first."""
