"""Who sits at a table, who looks on, and what it was opened with."""

from dataclasses import dataclass
from typing import Any

from kubli.play import SPECTATOR
from kubli.play.table import Viewer

__all__ = ["Role", "Seat", "Setup"]


@dataclass(slots=True)
class Seat:
    """Who has a seat.

    Attributes:
        kind: "open", "person" or "bot".
        name: what they are called; of an open seat, whom it is kept for.
        bot: a bot's name in kubli.bots.
        browser: of a person, the SHA-256 of the browser's cookie.
        offered: the browser that this open seat is kept for.
        since: the entry that gave it.
    """

    kind: str = "open"
    name: str | None = None
    bot: str | None = None
    browser: str | None = None
    offered: str | None = None
    since: int = 0


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody is at a table.

    Attributes:
        seat: theirs, or None.
        host: whether they opened the table.
        offered: the open seat that is kept for them.
    """

    seat: int | None
    host: bool
    offered: int | None = None

    @property
    def viewer(self) -> Viewer:
        """Through whose eyes they see it."""
        return SPECTATOR if self.seat is None else self.seat


@dataclass(slots=True)
class Setup:
    """What a table was opened with, which never changes."""

    game: str
    rules: str
    players: int
    options: dict[str, Any]
    deck: str | dict[str, Any]
    deck_name: str
    watch: bool
