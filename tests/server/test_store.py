"""The store: all or nothing, in order, on the disk before it answers."""

import asyncio
import os
import stat
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from kubli.server.kept import Append, Entry, Holder, NewTable
from kubli.server.migrate import Newer
from kubli.server.schema import metadata
from kubli.server.store import Conflict, Store, StoreFailed


def run_alone(work: Coroutine[Any, Any, None]) -> None:
    """Run it to its end on a loop of its own, in a thread: tests of the page leave one running in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def with_store(folder: Path, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        store = Store(folder)
        try:
            await work(store)
        finally:
            store.close()

    run_alone(run())


def entries(*numbers: int, request: str | None = None) -> list[Entry]:
    return [Entry(number, f"2026-01-01T00:00:{number:02}", "talk", {"n": number}, request) for number in numbers]


def new(table: str, *numbers: int, browser: str = "b") -> Append:
    holders = [Holder(browser, 0, host=True)]
    return Append(table, entries(*numbers), "playing", {"names": []}, holders, NewTable(b"s" * 32, {"game": "darna"}))


def test_the_steps_make_the_tables_that_the_code_uses(tmp_path: Path) -> None:
    Store(tmp_path).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'kubli.sqlite3'}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    engine.dispose()


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'kubli.sqlite3'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(Newer):
        Store(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    Store(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_what_is_appended_can_be_read(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append(new("t", 1, 2))
        await store.append(Append("t", entries(3), "over", {"names": ["A"]}))
        kept = await store.table("t")
        assert kept is not None
        assert (kept.secret, kept.setup) == (b"s" * 32, {"game": "darna"})
        assert kept.entries == entries(1, 2, 3)
        assert await store.table("u") is None
        assert await store.playing() == []
        [line] = await store.tables_of("b", 10)
        assert (line.state, line.summary, line.seat) == ("over", {"names": ["A"]}, 0)
        assert await store.open_tables("b", "2026") == (0, 0)

    with_store(tmp_path, work)


def test_a_number_is_taken_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append(new("t", 1))
        both = await asyncio.gather(
            store.append(Append("t", entries(2), "playing", {})),
            store.append(Append("t", entries(2, 3), "over", {"lost": 1})),
            store.append(new("u", 1)),
            return_exceptions=True,
        )
        assert [type(one) for one in both] == [type(None), Conflict, type(None)]
        kept = await store.table("t")
        assert kept is not None
        assert [entry.number for entry in kept.entries] == [1, 2]
        assert sorted(await store.playing()) == ["t", "u"]

    with_store(tmp_path, work)


def test_a_request_is_kept_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append(new("t", 1))
        await store.append(Append("t", entries(2, request="0 a"), "playing", {}))
        with pytest.raises(Conflict):
            await store.append(Append("t", entries(3, request="0 a"), "playing", {}))

    with_store(tmp_path, work)


def test_two_tables_change_together_or_not_at_all(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append(new("t", 1))
        with pytest.raises(Conflict):
            await store.append(new("u", 1), Append("t", entries(1), "over", {}))
        assert await store.table("u") is None

    with_store(tmp_path, work)


def test_many_at_once_are_each_answered(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await asyncio.gather(*(store.append(new(f"t{n}", 1)) for n in range(50)))
        for number in range(2, 6):
            await asyncio.gather(*(store.append(Append(f"t{n}", entries(number), "playing", {})) for n in range(50)))
        assert len(await store.playing()) == 50
        assert await store.open_tables("b", "2026-01-01T00:00:05") == (50, 50)
        assert await store.open_tables("b", "2026-01-02") == (0, 0)
        assert await store.open_tables("c", "2026") == (50, 0)

    with_store(tmp_path, work)


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append(new("t", 1))
        blocker = sa.create_engine(f"sqlite:///{tmp_path / 'kubli.sqlite3'}", connect_args={"isolation_level": None})
        with blocker.connect() as connection:
            connection.exec_driver_sql("DROP TABLE entries")
        blocker.dispose()
        with pytest.raises(StoreFailed):
            await store.append(Append("t", entries(2), "playing", {}))
        assert store.alive

    with_store(tmp_path, work)


def test_what_was_given_before_it_closed_is_kept(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.append(new("t", 1))
        late = [asyncio.ensure_future(store.append(Append("t", entries(n), "playing", {}))) for n in range(2, 30)]
        await asyncio.sleep(0)
        store.close()
        await asyncio.gather(*late)

    async def look(store: Store) -> None:
        kept = await store.table("t")
        assert kept is not None
        assert len(kept.entries) == 29

    async def run() -> None:
        store = Store(tmp_path)
        await work(store)

    run_alone(run())
    with_store(tmp_path, look)


def test_names_are_remembered(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert await store.name_of("b") is None
        await store.remember("b", "Ana")
        await store.remember("b", "Ben")
        assert await store.name_of("b") == "Ben"
        assert store.setting("tokens", lambda: b"one") == store.setting("tokens", lambda: b"two") == b"one"

    with_store(tmp_path, work)
