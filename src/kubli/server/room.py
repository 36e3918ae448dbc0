"""One table as its log leaves it: seats, the game, what each viewer may read. It neither waits nor stores.

Every change is an entry that is applied, and what is applied here is what is stored; so a table read again after a
crash is the same table. Kinds of entries and their data:

| kind | data |
|---|---|
| seats | `seats`: those that changed, each with `seat` and what seating.Seat has; `host` if it moved |
| event | `event`: as in a record; `why`: a bot's reason |
| talk | `seat`, `text` |
| again | `table`: where these people play next |
"""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from kubli.games.contract import Event, Refused
from kubli.play import Table
from kubli.play.table import Viewer
from kubli.server.errors import refused
from kubli.server.kept import Append, Entry, Holder, Kept, NewTable
from kubli.server.outside import Outside
from kubli.server.seating import Role, Seat, Setup

__all__ = ["Damaged", "Room"]


class Damaged(Exception):  # noqa: N818 - a state of the log
    """This log cannot be played by these rules: another version dealt it, or somebody has changed it."""


class Room:
    """A table with its people.

    Attributes:
        id: its unguessable name.
        secret: the 32 bytes that its chance comes from.
        setup: what it was opened with.
        host: the browser that opened it.
        seats: who sits where.
        table: the game itself.
        asked: for each seat that is to act, the entry that asked it.
        entry: the number of the last entry.
        again: the table where these people play next.
        talk: how many lines were said.
        fresh: entries applied and not yet stored.
        along: what is to be stored in the same moment at other tables.
    """

    def __init__(self, id_: str, setup: Setup, secret: bytes, outside: Outside) -> None:
        """A table with nobody at it and nothing dealt.

        Raises:
            Refused: no such game, number of players, options or deck.
        """
        self.id, self.setup, self.secret, self.outside = id_, setup, secret, outside
        chance = outside.chance(secret, setup.players)
        self.table = Table(setup.game, setup.players, setup.options, setup.deck, chance)
        self.seats = [Seat() for _ in range(setup.players)]
        self.host = ""
        self.asked: list[int | None] = [None] * setup.players
        self.entry = 0
        self.again: str | None = None
        self.talk = 0
        self.fresh: list[Entry] = []
        self.along: list[Append] = []
        self.requests: dict[str, Entry] = {}
        self.reasons: dict[int, Any] = {}
        self._lines: list[dict[str, Any] | int] = []  # by entry: what everybody reads, or the number of the event
        self._events = 0
        self._told: dict[Viewer, list[list[dict[str, Any]]]] = {}
        self._now: dict[Viewer, dict[str, Any]] = {}

    @classmethod
    def read(cls, id_: str, kept: Kept, outside: Outside) -> "Room":
        """The table of a log.

        Raises:
            Damaged: the rules do not play it as it was played.
        """
        try:
            room = cls(id_, Setup(**kept.setup), kept.secret, outside)
            if room.setup.rules != room.table.game.RULES:
                raise Damaged(room.setup.rules)
            for entry in kept.entries:
                room._apply(entry)
        except (Refused, TypeError, KeyError) as error:
            raise Damaged from error
        if len(room.table.events) != room._events:
            raise Damaged
        return room

    # --- The log ------------------------------------------------------------------------------------------------------

    def add(self, kind: str, data: dict[str, Any], request: str | None = None) -> int:
        """Let something be the next entry; returns its number."""
        now: datetime = self.outside.now()
        entry = Entry(self.entry + 1, now.isoformat(timespec="milliseconds"), kind, data, request)
        self.fresh.append(entry)
        self._apply(entry)
        return entry.number

    def append(self, new: bool = False) -> Append:
        """All that is fresh, as it is to be stored."""
        seats = any(entry.kind == "seats" for entry in self.fresh)
        summary = {"names": [seat.name for seat in self.seats], "to_act": self.table.to_act if self.full else []}
        begin = NewTable(self.secret, asdict(self.setup)) if new else None
        return Append(self.id, list(self.fresh), self.state, summary, self._holders() if seats else None, begin)

    def _holders(self) -> list[Holder]:
        held = {seat.browser or seat.offered: n if seat.browser else None for n, seat in enumerate(self.seats)}
        if self.host:
            held.setdefault(self.host, None)
        return [Holder(browser, seat, browser == self.host) for browser, seat in held.items() if browser]

    def _apply(self, entry: Entry) -> None:
        self.entry = entry.number
        if entry.request:
            self.requests[entry.request] = entry
        line = LINES[entry.kind](self, entry)
        self._lines.append({"entry": entry.number, **line} if isinstance(line, dict) else line)
        self._now.clear()
        if self.full and self._events == len(self.table.events):
            to_act = self.table.to_act
            for seat, asked in enumerate(self.asked):
                self.asked[seat] = (asked or entry.number) if seat in to_act else None

    def _seats(self, entry: Entry) -> dict[str, Any]:
        for one in entry.data["seats"]:
            self.seats[one["seat"]] = Seat(**{k: v for k, v in one.items() if k != "seat"}, since=entry.number)
        self.host = entry.data.get("host", self.host)
        return {"seats": [self.seat(number) for number in range(len(self.seats))]}

    def _event(self, entry: Entry) -> int:
        event, number = entry.data["event"], self._events
        if number == len(self.table.events):  # read from the log, not just played
            if event["by"] == "chance":
                self.table.advance()
            else:
                self.table.act(event["by"], event)
        if number >= len(self.table.events) or self.table.events[number] != event:
            raise Damaged
        if event["by"] == "chance":
            self.asked = [None] * self.setup.players
        else:
            self.asked[event["by"]] = None
        if "why" in entry.data:
            self.reasons[number] = entry.data["why"]
        self._events += 1
        return number

    def _talk(self, entry: Entry) -> dict[str, Any]:
        self.talk += 1
        return {"talk": entry.data}

    def _again(self, entry: Entry) -> dict[str, Any]:
        self.again = entry.data["table"]
        return {"again": self.again}

    # --- What happens -------------------------------------------------------------------------------------------------

    def sit(self, *changes: dict[str, Any], host: str | None = None) -> int:
        """Let seats change hands; when the last is taken, the game begins. Returns the number of the seats' entry."""
        moved = {} if host is None else {"host": host}
        number = self.add("seats", {"seats": list(changes), **moved})
        if self.full and not self.table.events:
            self.table.advance()
            self._add_events()
        return number

    def act(self, seat: int, event: Event, request: str | None = None, why: Any = None) -> int:
        """What a seat does, and what chance does after it; returns the number of the seat's entry.

        Raises:
            Problem: 422; it is no event, or a rule forbids it. Nothing has changed then.
        """
        try:
            self.table.act(seat, event)
        except Refused as no:
            raise refused(no) from None
        return self._add_events(request, why)

    def _add_events(self, request: str | None = None, why: Any = None) -> int:
        first = self.entry + 1
        for event in self.table.events[self._events :]:
            self.add("event", {"event": event} if why is None else {"event": event, "why": why}, request)
            request = why = None
        return first

    # --- What may be read ---------------------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def state(self) -> str:
        """Where it stands: "waiting", "playing" or "over"."""
        return "waiting" if not self.full else "over" if self.table.over else "playing"

    @property
    def silent(self) -> bool:
        """Whether nobody may talk now (NA-18)."""
        return self.state == "playing" and bool(self.table.options.get("silent"))

    def role(self, browser: str | None) -> Role:
        """What the person at a browser is here."""
        if browser is None:
            return Role(None, host=False)
        seat = next((n for n, one in enumerate(self.seats) if one.browser == browser), None)
        offered = next((n for n, one in enumerate(self.seats) if one.offered == browser), None)
        return Role(seat, browser == self.host, offered)

    def may_see(self, role: Role) -> bool:
        """Whether somebody in this role may look on."""
        return role.seat is not None or role.host or self.setup.watch or self.state == "waiting"

    def now(self, viewer: Viewer) -> dict[str, Any] | None:
        """What a viewer sees now, and may do; None before the game."""
        if not self.full:
            return None
        if viewer not in self._now:
            to_act, table = self.table.to_act, self.table
            mine = isinstance(viewer, int) and viewer in to_act
            self._now[viewer] = {
                "view": table.view(viewer),
                "to_act": to_act,
                "legal": table.legal(int(viewer)) if mine else [],
                "asked": self.asked[int(viewer)] if mine else None,
                "over": table.over,
            }
        return self._now[viewer]

    def log(self, viewer: Viewer, after: int = 0) -> list[dict[str, Any]]:
        """The entries that follow entry `after`, as a viewer may read them."""
        told = self._facts(viewer)
        first = max(0, after)
        return [
            {"entry": first + i + 1, "facts": told[line]} if isinstance(line, int) else line
            for i, line in enumerate(self._lines[first:])
        ]

    def _facts(self, viewer: Viewer) -> list[list[dict[str, Any]]]:
        """By event, what a viewer was told of it."""
        told = self._told.setdefault(viewer, [])
        if (known := len(told)) < self._events:
            told.extend([] for _ in range(self._events - known))
            for fact in self.table.told(viewer, known):
                told[fact["event"]].append(fact)
        return told

    def seat(self, number: int) -> dict[str, Any]:
        """Who has a seat, as everybody may know."""
        seat = self.seats[number]
        return {"seat": number, "name": seat.name, "kind": seat.kind, "bot": seat.bot}


LINES: dict[str, Callable[[Room, Entry], dict[str, Any] | int]] = {
    "seats": Room._seats,
    "event": Room._event,
    "talk": Room._talk,
    "again": Room._again,
}
