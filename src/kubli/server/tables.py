"""All tables of a server: read when asked for, changed one step at a time, stored before anybody hears of it.

A step is a plain function on a Room. It runs under the table's lock, what it added is stored, and only then are streams
and bots told. If the disk refuses, or another process was quicker, the room is forgotten and read again from its log.
"""

import asyncio
import contextlib
import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kubli.bots import Bot
from kubli.games.contract import Refused
from kubli.server.errors import Problem, refused
from kubli.server.limits import Limits
from kubli.server.outside import Outside
from kubli.server.room import Damaged, Room
from kubli.server.seating import Role, Setup
from kubli.server.store import Conflict, Store, StoreFailed
from kubli.server.turns import Turns

__all__ = ["Caller", "Live", "Tables"]

T = TypeVar("T")
TRIES = 5  # for a step that other processes are quicker than


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks.

    Attributes:
        browser: the SHA-256 of the browser's cookie, if it has one.
        token: a seat's token, for programs.
        address: where from, as limits count it.
    """

    browser: str | None
    token: str | None
    address: str

    @property
    def one(self) -> str:
        """What tells callers apart."""
        return self.browser or self.token or self.address


@dataclass(slots=True, eq=False)
class Watcher:
    """An open stream."""

    caller: Caller
    wake: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True, eq=False)
class Live:
    """A table that somebody has asked for lately.

    Attributes:
        id: its name.
        room: as its log leaves it; None if it is to be read again.
        lock: held by whoever reads or changes the room.
        watchers: the open streams.
        turns: the task that plays its bots.
    """

    id: str
    room: Room | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    turns: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it."""
        return not self.lock.locked() and not self.watchers and (self.turns is None or self.turns.done())


class Tables:
    """What the endpoints stand on."""

    def __init__(self, store: Store, outside: Outside, limits: Limits, bots: dict[str, Bot]) -> None:
        """All tables of a store."""
        self.store, self.outside, self.limits, self.bots = store, outside, limits, bots
        self.turns = Turns(self)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._key = store.setting("tokens", outside.secret)
        self._revival: asyncio.Task[None] | None = None
        self.stopping = False

    def start(self) -> None:
        """Let every table that was being played go on, with no browser open."""
        self._revival = asyncio.create_task(self._revive())

    def hang_up(self) -> None:
        """Let every stream end, so that a server that stops need not wait for its readers."""
        self.stopping = True
        for live in self._live.values():
            _tell(live)

    async def stop(self) -> None:
        """Let no bot move any more; what has been said is stored."""
        tasks = [task for task in (self._revival, *(live.turns for live in self._live.values())) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.turns.close()

    async def _revive(self) -> None:
        for table in await self.store.playing():
            with contextlib.suppress(Problem):  # it says what is wrong to whoever asks for it
                self.turns.wake(await self.live(table))

    # --- Reading and changing -----------------------------------------------------------------------------------------

    async def live(self, table: str) -> Live:
        """A table by its id.

        Raises:
            Problem: 404; there is none.
        """
        if table not in self._live:
            room = await self._read(table)
            if table not in self._live:
                self._live[table] = Live(table, room)
                self._forget_idle()
        self._live.move_to_end(table)
        return self._live[table]

    async def read(self, table: str, look: Callable[[Room], T]) -> T:
        """What `look` finds at a table, between two changes."""
        live = await self.live(table)
        async with live.lock:
            return look(await self._room(live))

    async def change(self, table: str, step: Callable[[Room], T]) -> T:
        """Take a step at a table; when this returns it is stored.

        Args:
            table: its id.
            step: changes the room by its methods, or raises and has changed nothing. It may be taken again on a room
                that another process has changed meanwhile.

        Raises:
            Problem: what the step raises; 503 if it could not be stored.
        """
        live = await self.live(table)
        async with live.lock:
            for _ in range(TRIES):
                room = await self._room(live)
                try:
                    result = step(room)
                    if not room.fresh:
                        return result
                    await self.store.append(room.append(), *room.along)
                except Conflict:
                    live.room = None
                    continue
                except BaseException as error:
                    if room.fresh:
                        live.room = None
                    if isinstance(error, StoreFailed):
                        raise Problem(503, "failed") from error
                    raise
                room.fresh.clear()
                room.along.clear()
                break
            else:
                raise Problem(503, "busy", seconds=1)
        self._publish(live)
        return result

    async def open(self, setup: Setup, browser: str, seats: list[dict[str, Any]]) -> tuple[Room, int]:
        """Open a table for a browser; returns it and the number of the entry that gave the seats.

        Raises:
            Problem: 422; no such game, number of players, options or deck.
        """
        room, number = self.begin(setup, browser, seats)
        try:
            await self.store.append(room.append(new=True))
        except StoreFailed as error:
            raise Problem(503, "failed") from error
        room.fresh.clear()
        self.opened(room)
        return room, number

    def begin(self, setup: Setup, browser: str, seats: list[dict[str, Any]]) -> tuple[Room, int]:
        """A table that is not stored yet. Its secret is stored with its first entries, before anybody hears of it."""
        try:
            room = Room(self.outside.name(), setup, self.outside.secret(), self.outside)
        except Refused as why:
            raise refused(why) from None
        return room, room.sit(*seats, host=browser)

    def opened(self, room: Room) -> None:
        """Keep a table that has just been stored in memory."""
        self._live[room.id] = Live(room.id, room)
        self._forget_idle()
        self._publish(self._live[room.id])

    async def _room(self, live: Live) -> Room:
        """The room; the lock is held."""
        if live.room is None:
            live.room = await self._read(live.id)
        return live.room

    async def _read(self, table: str) -> Room:
        kept = await self.store.table(table)
        if kept is None:
            raise Problem(404, "no_table")
        try:
            return await asyncio.to_thread(Room.read, table, kept, self.outside)
        except Damaged as error:
            raise Problem(409, "closed") from error

    def _publish(self, live: Live) -> None:
        _tell(live)
        self.turns.wake(live)

    def _forget_idle(self) -> None:
        """Forget the tables asked for longest ago; their logs stay."""
        if (over := len(self._live) - self.limits.live) > 0:
            *earlier, _last = self._live.values()
            for one in [one for one in earlier if one.idle][:over]:
                del self._live[one.id]

    # --- Who is who ---------------------------------------------------------------------------------------------------

    def token(self, room: Room, seat: int | None) -> str:
        """The token of a seat as long as the same person has it, or (None) of the host who has no seat."""
        place, since = (room.setup.players, 1) if seat is None else (seat, room.seats[seat].since)
        message = f"{room.id} {place} {since}".encode()
        return urlsafe_b64encode(hmac.digest(self._key, message, hashlib.sha256)).decode().rstrip("=")

    def role(self, room: Room, caller: Caller) -> Role:
        """What a caller is at a table.

        Raises:
            Problem: 401; the token is of no seat here.
        """
        if caller.token is None:
            return room.role(caller.browser)
        given = caller.token.encode("utf-8", "replace")
        for seat, one in enumerate(room.seats):
            if one.kind == "person" and hmac.compare_digest(self.token(room, seat).encode(), given):
                return Role(seat, one.browser == room.host)
        if hmac.compare_digest(self.token(room, None).encode(), given):
            return Role(None, host=True)
        raise Problem(401, "bad_token")

    # --- Streams ------------------------------------------------------------------------------------------------------

    def watch(self, live: Live, caller: Caller) -> Watcher:
        """Begin to follow a table.

        Raises:
            Problem: 429; too many streams are open.
        """
        limits, all_ = self.limits, [watcher for one in self._live.values() for watcher in one.watchers]
        mine = [one for one in all_ if one.caller.one == caller.one]
        near = [one for one in all_ if one.caller.address == caller.address]
        mosts = (limits.streams_of_browser, limits.streams_of_address, limits.streams)
        for open_, most in zip((mine, near, all_), mosts, strict=True):
            if len(open_) >= most:
                raise Problem(429, "too_many_streams", limit=most, seconds=10)
        watcher = Watcher(caller)
        live.watchers.add(watcher)
        _tell(live)
        return watcher

    def unwatch(self, live: Live, watcher: Watcher) -> None:
        """Follow it no longer."""
        live.watchers.discard(watcher)
        _tell(live)

    def seats(self, live: Live, room: Room) -> list[dict[str, Any]]:
        """Who sits where, and whose page is open."""
        roles = [self._seat_of(room, watcher.caller) for watcher in live.watchers]
        return [
            {**room.seat(number), "here": seat.kind == "bot" or number in roles}
            for number, seat in enumerate(room.seats)
        ]

    def _seat_of(self, room: Room, caller: Caller) -> int | None:
        try:
            return self.role(room, caller).seat
        except Problem:
            return None


def _tell(live: Live) -> None:
    for watcher in live.watchers:
        watcher.wake.set()
