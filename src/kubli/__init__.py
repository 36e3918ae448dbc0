"""Kubli: card games of hidden information, one rules engine and four ways to use it.

The library in three lines: `t = kubli.table("darna", players=3, seed=1)`, `t.legal(0)`, `t.act(0, {"act": "draw"})`.
"""

import os
from collections.abc import Mapping
from typing import Any

from kubli.games.contract import Refused
from kubli.play.chance import Sealed, Seeded
from kubli.play.replay import read
from kubli.play.table import Table

__all__ = ["Refused", "Table", "__version__", "read", "table"]

__version__ = "0.1.0"


def table(
    game: str,
    players: int,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    deck: str | Mapping[str, Any] | None = None,
) -> Table:
    """A table that is dealt and waits for the first seat.

    Args:
        game: "darna", "narabi" or "darwins-dice".
        players: how many.
        seed: a whole number for a game that can be had again (game 0 of `kubli simulate` with that seed); without it
            chance comes from the operating system.
        options: what is set otherwise than usual, by name (docs/guides/record.md, "Options and decks").
        deck: a shipped deck's name, or a deck as an object.

    Raises:
        Refused: there is no such game, number of players, option or deck.
    """
    made = Table(game, players, options, deck, Sealed(os.urandom(32)) if seed is None else Seeded(seed))
    made.advance()
    return made
