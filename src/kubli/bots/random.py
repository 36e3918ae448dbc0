"""The bot that chooses by lot: every legal action is equally likely."""

from typing import Any

from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.seen import Seen

__all__ = ["choose"]


def choose(
    _seen: Seen, _told: list[dict[str, Any]], legal: list[Event], rng: Luck, _budget: float
) -> tuple[Event, dict[str, Any]]:
    """One of `legal`, all equally likely."""
    return rng.pick(legal), {"code": "by_lot"}
