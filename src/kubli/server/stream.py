"""The stream of a table: what happens, as server-sent events, each with the number of its last entry as `id`.

A stream holds a cursor into the log and no queue: it sends what lies behind the cursor, then waits to be woken. Who it
is for is asked anew each time, so a seat that has moved to another browser tells its old one nothing more.
"""

import asyncio
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kubli.server.errors import Problem, dump
from kubli.server.room import Room
from kubli.server.tables import Caller, Live, Tables

__all__ = ["Stream"]

STUCK = 30.0  # seconds that a part may wait for a reader who does not read


class Stream(Response):
    """One browser's open stream."""

    media_type = "text/event-stream"

    def __init__(self, tables: Tables, live: Live, caller: Caller, after: int) -> None:
        """Follow a table from an entry on.

        Raises:
            Problem: 429; too many streams are open.
        """
        super().__init__()
        self.tables, self.live, self.caller, self.cursor = tables, live, caller, after
        self.told: list[dict[str, Any]] | None = None
        self.watcher = tables.watch(live, caller)

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the other side is gone, or the server stops."""
        gone = asyncio.create_task(_gone(receive))
        try:
            headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await self._send(send, b"retry: 1000\n\n")
            await self._follow(send, gone)
        except TimeoutError:
            return
        finally:
            gone.cancel()
            self.tables.unwatch(self.live, self.watcher)

    async def _follow(self, send: Send, gone: asyncio.Task[None]) -> None:
        clock, ping = asyncio.get_running_loop(), self.tables.limits.ping
        due = clock.time() + ping
        while not gone.done() and not self.tables.stopping:
            self.watcher.wake.clear()
            try:
                news = await self.tables.read(self.live.id, self._news)
            except Problem as problem:
                await self._send(send, part("closed", {"error": problem.code, "say": problem.say}), more=False)
                return
            if news:
                await self._send(send, news)
            woken = asyncio.create_task(self.watcher.wake.wait())
            await asyncio.wait({woken, gone}, timeout=due - clock.time(), return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
            if clock.time() >= due:
                await self._send(send, part("ping", {}))
                due += ping
        await self._send(send, b"", more=False)

    def _news(self, room: Room) -> bytes:
        """What this browser has not been sent yet."""
        role = self.tables.role(room, self.caller)
        if not room.may_see(role):
            raise Problem(403, "watch_forbidden")
        seats = self.tables.seats(self.live, room)
        entries = room.log(role.viewer, self.cursor)
        if not entries and seats == self.told:
            return b""
        self.told, self.cursor = seats, room.entry
        if not entries:
            return part("seats", {"seats": seats})
        news = {"entry": room.entry, "entries": entries, "now": room.now(role.viewer), "seats": seats}
        return part("entry", {**news, "state": room.state, "viewer": role.viewer}, room.entry)

    async def _send(self, send: Send, body: bytes, more: bool = True) -> None:
        async with asyncio.timeout(STUCK):
            await send({"type": "http.response.body", "body": body, "more_body": more})


def part(event: str, data: dict[str, Any], id_: int | None = None) -> bytes:
    """One event of a stream."""
    number = b"" if id_ is None else b"id: %d\n" % id_
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), number, dump(data))


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
