"""The bot that plays by rules of thumb: sensible, quick, and a pleasant opponent for a beginner."""

from typing import Any

from kubli.bots import random
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["choose"]


def choose(
    seen: Seen, told: list[dict[str, Any]], legal: list[Event], rng: Luck, budget: float
) -> tuple[Event, dict[str, Any]]:
    """What a sensible player would do in this game."""
    return random.choose(seen, told, legal, rng, budget)
