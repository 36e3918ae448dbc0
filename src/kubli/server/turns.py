"""Bots' turns: every bot answers after the same pause, however long it thought and however little it had to choose.

A bot is given what a person in its seat would have before them, thinks first and then waits; one that thinks longer
than the pause answers when a whole number of pauses has passed. So the time of a move tells nothing.
"""

import asyncio
import logging
import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play import Seen
from kubli.server.errors import Problem
from kubli.server.room import Room

if TYPE_CHECKING:
    from kubli.server.tables import Live, Tables

__all__ = ["Question", "Turns", "question"]

log = logging.getLogger("kubli.server")

Question = tuple[Seen, list[dict[str, Any]], list[Event], Luck]
"""All that a bot gets: its side of the table, what it was told, what it may do, and a stream of its own."""


class Turns:
    """Plays the bots of all tables."""

    AGAIN, MOST = 1.0, 60.0  # seconds until a move that could not be stored is tried again, doubled each time

    def __init__(self, tables: "Tables") -> None:
        """For these tables."""
        self.tables = tables
        self.threads = ThreadPoolExecutor(4, "kubli-bot")

    def close(self) -> None:
        """Let no bot think any more."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    def wake(self, live: "Live") -> None:
        """See whether a bot is asked at this table, and let it play if so."""
        if (live.turns is None or live.turns.done()) and live.room and asked_bots(live.room):
            live.turns = asyncio.create_task(self._play(live))

    async def _play(self, live: "Live") -> None:
        wait = self.AGAIN
        while True:
            try:
                if not await self.tables.read(live.id, asked_bots):
                    return
                await self._round(live)
                wait = self.AGAIN
            except Exception as error:  # noqa: BLE001  a full disk must not end a game
                if isinstance(error, Problem) and error.status < 500:
                    return  # the table is closed
                log.error("bots wait: %s", type(error).__name__)
                await asyncio.sleep(wait)
                wait = min(2 * wait, self.MOST)

    async def _round(self, live: "Live") -> None:
        """One move of every bot that is asked now."""
        outside, pause = self.tables.outside, self.tables.limits.bot_pause
        start = outside.passed()
        moves = []
        for seat, entry, name in await self.tables.read(live.id, asked_bots):
            asked = await self.tables.read(live.id, partial(question, seat=seat))
            moves.append((seat, entry, *await self.think(name, asked, pause)))
        if pause:
            thought = outside.passed() - start
            await outside.pause(max(1, math.ceil(thought / pause)) * pause - thought)
        for seat, entry, event, why in moves:
            await self.tables.change(live.id, partial(answer, seat=seat, entry=entry, event=event, why=why))

    async def think(self, name: str, asked: Question, budget: float) -> tuple[Event, Any]:
        """What a bot does, and why. One that fails, or answers what may not be, is answered for by lot."""
        seen, told, legal, luck = asked
        start = luck.state
        try:
            work = partial(self.tables.bots[name], seen, told, list(legal), luck, budget)
            event, why = await asyncio.get_running_loop().run_in_executor(self.threads, work)
            if event in legal:
                return event, why
            log.error("bot %s answered with what may not be", name)
        except Exception as error:  # noqa: BLE001  whatever a bot does, the table goes on
            log.error("bot %s failed: %s", name, type(error).__name__)
        luck.state = start
        return luck.pick(legal), {"code": "by_lot"}


def asked_bots(room: Room) -> list[tuple[int, int, str]]:
    """The bots that are asked now: seat, entry that asked, and the bot's name."""
    asked = enumerate(zip(room.seats, room.asked, strict=True))
    return [(seat, entry, one.bot) for seat, (one, entry) in asked if one.bot is not None and entry is not None]


def question(room: Room, seat: int) -> Question:
    """What a seat that is asked now has before it."""
    table, entry = room.table, room.asked[seat] or 0
    return table.seen(seat), table.told(seat), table.legal(seat), room.outside.luck(room.secret, seat, entry)


def answer(room: Room, seat: int, entry: int, event: Event, why: Any) -> None:
    """A bot's move, unless it has been made already."""
    if room.asked[seat] == entry:
        room.act(seat, event, why=why)
