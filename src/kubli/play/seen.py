"""What a person in a seat has before them: all that a bot is given."""

from dataclasses import dataclass
from typing import Any

from kubli.games.contract import Shown

__all__ = ["Seen"]


@dataclass(frozen=True, slots=True)
class Seen:
    """A seat's side of a table now. The HTTP API gives the same, so a bot runs here and there unchanged.

    Attributes:
        game: the game's name in a record.
        seat: whose eyes these are.
        players: how many play.
        options: what the table set, whole.
        deck: the deck that is played with, whole (record.md, "Options and decks").
        view: what the seat may know now (docs/guides/views.md).
    """

    game: str
    seat: int
    players: int
    options: dict[str, Any]
    deck: dict[str, Any]
    view: Shown
