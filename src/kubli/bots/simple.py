"""The bot that plays by rules of thumb: sensible, quick, and a pleasant opponent for a beginner."""

from typing import Any

from kubli.bots import simple_darna, simple_darwin, simple_narabi
from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["choose"]

THUMBS = {"darna": simple_darna.choose, "narabi": simple_narabi.choose, "darwins-dice": simple_darwin.choose}


def choose(
    seen: Seen, told: list[dict[str, Any]], legal: list[Event], rng: Luck, budget: float
) -> tuple[Event, dict[str, Any]]:
    """What a sensible player would do in this game."""
    return THUMBS[seen.game](seen, told, legal, rng, budget)
