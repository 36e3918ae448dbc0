"""Variants, worked out once a table instead of once a choice: they hold what a table set, and nothing of its game."""

from typing import Any

from kubli.games import GAMES
from kubli.play.seen import Seen

__all__ = ["variant"]

MOST = 16
_kept: list[tuple[tuple[Any, ...], Any]] = []


def variant(seen: Seen) -> Any:
    """The Variant of a seat's table, by its players, options and deck."""
    wanted = (seen.game, seen.players, seen.options, seen.deck)
    for key, found in _kept:
        if key == wanted:
            return found
    made = GAMES[seen.game].variant(seen.players, dict(seen.options), dict(seen.deck))
    _kept.append(((seen.game, seen.players, dict(seen.options), dict(seen.deck)), made))
    del _kept[:-MOST]
    return made
