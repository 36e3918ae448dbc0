"""What is kept: entries that are only ever added to, and little beside them.

One thread writes. What has come in meanwhile is committed together, so that twenty moves cost one flush to the disk,
and each is answered only after that. Everything else reads.
"""

import asyncio
import json
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert as upsert

from kubli.server.kept import Append, Entry, Kept, Summary
from kubli.server.migrate import migrate
from kubli.server.schema import browsers, entries, holders, settings, tables

__all__ = ["Conflict", "Store", "StoreFailed"]

FILE = "kubli.sqlite3"


class StoreFailed(Exception):  # noqa: N818 - as it is called where it is met
    """The disk did not take it."""


class Conflict(Exception):  # noqa: N818 - somebody was quicker
    """Somebody else has appended to this table meanwhile."""


Work = Callable[[sa.Connection], None]


@dataclass(slots=True)
class _Job:
    work: Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None] = field(init=False)

    def __post_init__(self) -> None:
        self.done = self.loop.create_future()


class Store:
    """The data folder's database, open."""

    def __init__(self, folder: Path) -> None:
        """Open it, made or brought up to date if need be.

        Raises:
            OSError: the folder cannot be made or written.
            sqlalchemy.exc.DBAPIError: the file is no database that can be written.
            Newer: a later Kubli has written it.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / FILE
        path.touch(mode=0o600)
        with path.open("r+b"):
            pass
        self._writes = _engine(path, "BEGIN IMMEDIATE")
        migrate(self._writes)
        self._reads = _engine(path, "BEGIN")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="kubli-store", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is still to be written, and close."""
        self._jobs.put(None)
        self._writer.join()
        self._writes.dispose()
        self._reads.dispose()

    @property
    def alive(self) -> bool:
        """Whether it still takes anything."""
        return self._writer.is_alive()

    # --- Writing ------------------------------------------------------------------------------------------------------

    async def append(self, *appends: Append) -> None:
        """Keep these entries, all or none of them; when this returns they are on the disk.

        Raises:
            Conflict: a number is taken: somebody else has appended meanwhile.
            StoreFailed: the disk did not take it.
        """
        await self._do(lambda connection: _append(connection, appends))

    async def remember(self, browser: str, name: str) -> None:
        """Keep how the person at this browser is called.

        Raises:
            StoreFailed: the disk did not take it.
        """
        row = upsert(browsers).values(browser=browser, name=name)
        wanted = row.on_conflict_do_update(index_elements=["browser"], set_={"name": name})
        await self._do(lambda connection: connection.execute(wanted))

    def setting(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Something this server made up once and keeps. Only for its start."""
        with self._writes.begin() as connection:
            found = connection.execute(sa.select(settings.c.value).where(settings.c.name == name)).scalar()
            if found is None:
                found = make()
                connection.execute(settings.insert().values(name=name, value=found))
            return bytes(found)

    async def _do(self, work: Callable[[sa.Connection], Any]) -> None:
        job = _Job(work, asyncio.get_running_loop())
        self._jobs.put(job)
        await asyncio.shield(job.done)

    def _write(self) -> None:
        while first := self._jobs.get():
            jobs, last = [first], False
            while not self._jobs.empty():
                if (job := self._jobs.get()) is None:
                    last = True
                    break
                jobs.append(job)
            self._commit(jobs)
            if last:
                return

    def _commit(self, jobs: list[_Job]) -> None:
        """One transaction for all that came in; a job that fails leaves the others alone."""
        results: list[Exception | None] = []
        try:
            with self._writes.begin() as connection:
                results.extend(_attempt(connection, job.work) for job in jobs)
        except sa.exc.DBAPIError as error:
            results = [StoreFailed(type(error).__name__)] * len(jobs)
        for loop in {job.loop for job in jobs}:
            mine = [(job.done, result) for job, result in zip(jobs, results, strict=True) if job.loop is loop]
            loop.call_soon_threadsafe(_settle, mine)

    # --- Reading ------------------------------------------------------------------------------------------------------

    async def table(self, table: str) -> Kept | None:
        """All that is kept of a table; None if there is none of that id."""
        return await asyncio.to_thread(self._table, table)

    def _table(self, table: str) -> Kept | None:
        with self._reads.begin() as connection:
            head = connection.execute(sa.select(tables).where(tables.c.id == table)).one_or_none()
            if head is None:
                return None
            log = connection.execute(sa.select(entries).where(entries.c.table_id == table).order_by(entries.c.number))
            found = [Entry(one.number, one.at, one.kind, json.loads(one.data), one.request) for one in log]
            return Kept(head.secret, json.loads(head.setup), found)

    async def playing(self) -> list[str]:
        """The tables that are being played."""
        wanted = sa.select(tables.c.id).where(tables.c.state == "playing").order_by(tables.c.updated.desc())
        return [row.id for row in await self._rows(wanted)]

    async def open_tables(self, browser: str, since: str) -> tuple[int, int]:
        """How many tables are not over and have changed since then: in all, and of those that this browser hosts."""
        going = (tables.c.state != "over") & (tables.c.updated >= since)
        both = tables.join(holders, holders.c.table_id == tables.c.id)
        count = sa.select(sa.func.count())
        everybodys = count.select_from(tables).where(going).scalar_subquery()
        mine = count.select_from(both).where(going, holders.c.browser == browser, holders.c.host).scalar_subquery()
        [row] = await self._rows(sa.select(everybodys.label("going"), mine.label("mine")))
        return int(row.going), int(row.mine)

    async def tables_of(self, browser: str, most: int) -> list[Summary]:
        """The tables of a browser: those that go on first, then those that changed last."""
        wanted = (
            sa.select(tables, holders.c.seat)
            .join(holders, holders.c.table_id == tables.c.id)
            .where(holders.c.browser == browser)
            .order_by(tables.c.state == "over", tables.c.updated.desc(), tables.c.id)
            .limit(most)
        )
        return [
            Summary(row.id, json.loads(row.setup)["game"], row.seat, row.state, row.updated, json.loads(row.summary))
            for row in await self._rows(wanted)
        ]

    async def name_of(self, browser: str) -> str | None:
        """How the person at this browser was last called."""
        rows = await self._rows(sa.select(browsers.c.name).where(browsers.c.browser == browser))
        return rows[0].name if rows else None

    async def _rows(self, wanted: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        def read() -> Sequence[sa.Row[Any]]:
            with self._reads.begin() as connection:
                return connection.execute(wanted).all()

        return await asyncio.to_thread(read)


# --- How --------------------------------------------------------------------------------------------------------------


def _engine(path: Path, begin: str) -> sa.Engine:
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": 10})

    @sa.event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # this module says itself when a transaction begins
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def start(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _attempt(connection: sa.Connection, work: Work) -> Exception | None:
    try:
        with connection.begin_nested():
            work(connection)
    except sa.exc.IntegrityError:
        return Conflict()
    return None


def _settle(results: Iterable[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, error in results:
        if done.cancelled():
            continue
        if error:
            done.set_exception(error)
        else:
            done.set_result(None)


def _append(connection: sa.Connection, appends: Sequence[Append]) -> None:
    for one in appends:
        updated = one.entries[-1].at
        follows = {"state": one.state, "updated": updated, "summary": _text(one.summary)}
        if one.new:
            head = {"id": one.table, "secret": one.new.secret, "setup": _text(one.new.setup), **follows}
            connection.execute(tables.insert().values(head))
        else:
            connection.execute(tables.update().where(tables.c.id == one.table).values(follows))
        connection.execute(entries.insert(), [_row(one.table, entry) for entry in one.entries])
        if one.holders is not None:
            connection.execute(holders.delete().where(holders.c.table_id == one.table))
            if one.holders:
                connection.execute(holders.insert(), [{"table_id": one.table, **asdict(each)} for each in one.holders])


def _row(table: str, entry: Entry) -> dict[str, Any]:
    kept = {"number": entry.number, "at": entry.at, "kind": entry.kind, "request": entry.request}
    return {"table_id": table, **kept, "data": _text(entry.data)}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
