"""The rules of the three games, and nothing else: the standard library is all that this layer imports."""

from typing import Any, cast

from kubli.games import darna, darna_worlds, darwin, darwin_worlds, narabi, narabi_worlds
from kubli.games.contract import Event, Game, Option, Refused, Shown, Worlds

__all__ = ["GAMES", "WORLDS", "Event", "Game", "Option", "Refused", "Shown", "Worlds"]

GAMES: dict[str, Game] = {module.NAME: cast(Any, module) for module in (darna, narabi, darwin)}
"""Every game by its name in a record, in the order of the lobby."""

WORLDS: dict[str, Worlds] = {
    darna.NAME: cast(Any, darna_worlds),
    narabi.NAME: cast(Any, narabi_worlds),
    darwin.NAME: cast(Any, darwin_worlds),
}
"""The second module of each game: what a seat knows, for learning and search."""
