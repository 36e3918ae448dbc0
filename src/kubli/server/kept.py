"""What goes into the store and what comes out of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Append", "Entry", "Holder", "Kept", "NewTable", "Summary"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log.

    Attributes:
        number: counted from 1.
        at: when, in ISO 8601.
        kind: "seats", "event", "talk" or "again".
        data: what (room.py says what each kind has).
        request: who asked for it and the id of the request, so that a resend is known.
    """

    number: int
    at: str
    kind: str
    data: dict[str, Any]
    request: str | None = None


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that begins with these entries."""

    secret: bytes
    setup: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Holder:
    """What a browser has at a table."""

    browser: str
    seat: int | None
    host: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is kept of a table."""

    secret: bytes
    setup: dict[str, Any]
    entries: list[Entry]


@dataclass(slots=True)
class Append:
    """Entries for one table, and what of the lists changes with them.

    Attributes:
        table: its id.
        entries: the entries, numbered on from the last.
        state: "waiting", "playing" or "over", after them.
        summary: what a list of tables shows, public things only.
        holders: who holds what, if that changed.
        new: for a table's first entries, what it was set up with.
    """

    table: str
    entries: Sequence[Entry]
    state: str
    summary: dict[str, Any]
    holders: Sequence[Holder] | None = None
    new: NewTable | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A table as a list of tables shows it."""

    table: str
    game: str
    seat: int | None
    state: str
    updated: str
    summary: dict[str, Any]
