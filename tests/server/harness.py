"""A real server on a free port, browsers with cookies, listeners on streams, and a world that stands still."""

import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI

from kubli.games.kit import Luck
from kubli.server import Limits, Outside, Rate, create

PLENTY = {kind: Rate(10**9, 1e9) for kind in Limits().rates}
FAST = Limits(bot_pause=0.0, rates=PLENTY, tables_of_browser=10**6)


class Dealt(Outside):
    """The world as it is, but for the deals: every table is dealt alike, so that no test fails by a rare deal."""

    def secret(self) -> bytes:
        return bytes(range(32))


class Still(Outside):
    """A world where time goes on by a second each time it is asked for, and ids count up."""

    def __init__(self) -> None:
        self.count = 0
        self.time = 0.0
        self.pauses: list[float] = []

    def next(self) -> int:
        self.count += 1
        return self.count

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.next())

    def passed(self) -> float:
        return self.time

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await super().pause(0)

    def name(self) -> str:
        return f"{self.next():022}"

    def code(self) -> str:
        return f"{self.next():08}"

    def secret(self) -> bytes:
        return self.next().to_bytes(32, "big")

    def commitment(self, secret: bytes) -> str:
        return "c" * 64

    def luck(self, secret: bytes, seat: int, entry: int) -> Luck:
        return Luck(seat, entry)


def plain(**how: Any) -> httpx2.Client:
    """A client without certificates, which take longer to load than most tests to run."""
    return httpx2.Client(timeout=20, verify=False, **how)


class Served:
    """An application served by uvicorn in a thread."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        config = uvicorn.Config(app, log_level="critical", http="h11", timeout_graceful_shutdown=2)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],))
        self.thread.start()
        self.clients: list[httpx2.Client] = []
        wait(lambda: self.server.started)

    def browser(self, **headers: str) -> httpx2.Client:
        """A browser that nobody knows yet."""
        client = plain(base_url=self.url, headers=headers)
        self.clients.append(client)
        return client

    def stop(self) -> None:
        for client in self.clients:
            client.close()
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()


@contextmanager
def served(data: Path, **how: Any) -> Iterator[Served]:
    """A server on a data folder, with the bots' pause and all rates out of the way if nothing else is said."""
    running = Served(create(data, **{"limits": FAST, "outside": Dealt(), **how}))
    try:
        yield running
    finally:
        running.stop()


def wait(done: Callable[[], Any], seconds: float = 10) -> Any:
    """Wait until this is true; gives what it is then."""
    end = time.monotonic() + seconds
    while not (found := done()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)
    return found


class Listener:
    """An open stream: what came, as bytes and as events."""

    def __init__(self, browser: httpx2.Client, path: str, headers: dict[str, str] | None = None) -> None:
        self.raw = b""
        self.events: queue.Queue[dict[str, Any]] = queue.Queue()
        self.seen: list[dict[str, Any]] = []
        self.browser, self.path, self.headers = browser, path, headers or {}
        self.status: int | None = None
        self.ended = threading.Event()
        self.stopping = False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        wait(lambda: self.status or self.ended.is_set())

    def _read(self) -> None:
        browser = self.browser
        client = plain(base_url=browser.base_url, cookies=browser.cookies, headers=browser.headers)
        try:
            with client, client.stream("GET", self.path, headers=self.headers) as answer:
                rest = b""
                self.status = answer.status_code
                for piece in answer.iter_raw():
                    self.raw += piece
                    *whole, rest = (rest + piece).split(b"\n\n")
                    for one in whole:
                        self._take(one.decode())
                    if self.stopping:
                        return
        except httpx2.TransportError:
            pass
        finally:
            self.ended.set()

    def _take(self, text: str) -> None:
        fields = dict(line.split(": ", 1) for line in text.split("\n"))
        if "event" in fields:
            event = {"event": fields["event"], "id": fields.get("id"), "data": json.loads(fields["data"])}
            self.seen.append(event)
            self.events.put(event)

    def until(self, entry: int) -> None:
        """Wait until this entry has come."""
        wait(lambda: any(one["data"].get("entry", 0) >= entry for one in list(self.seen)))

    def entries(self) -> list[dict[str, Any]]:
        """All entries that came."""
        return [one for event in list(self.seen) if event["event"] == "entry" for one in event["data"]["entries"]]

    def close(self) -> None:
        """Hang up, at the next sign of life."""
        self.stopping = True


class Player:
    """A person at a browser, with short ways to do what the page does."""

    def __init__(self, browser: httpx2.Client, name: str = "Ana") -> None:
        self.browser, self.name, self.requests = browser, name, 0
        self.table = ""
        self.seat: int | None = None
        self.token = ""

    def open(self, game: str = "darwins-dice", players: int = 2, **how: Any) -> "Player":
        seats = how.pop("seats", None) or ["me"] + ["friend"] * (players - 1)
        body = {"game": game, "players": players, "seats": seats, "name": self.name, **how}
        made = ok(self.browser.post("/api/tables", json=body), 201)
        self.table, self.seat, self.token = made["table"], made["seat"], made["token"]
        return self

    def join(self, table: str, seat: int | None = None) -> "Player":
        self.table = table
        made = ok(self.browser.post(self.at("/join"), json={"name": self.name, "seat": seat}))
        self.seat, self.token = made["seat"], made["token"]
        return self

    def at(self, rest: str = "") -> str:
        return f"/api/tables/{self.table}{rest}"

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = ok(self.browser.get(self.at()))
        return found

    def post(self, rest: str, **body: Any) -> httpx2.Response:
        content = json.dumps(body).encode()  # in ASCII: also what UTF-8 cannot say
        return self.browser.post(self.at(rest), content=content, headers={"Content-Type": "application/json"})

    def try_(self, event: dict[str, Any], asked: int | None, request: str | None = None) -> httpx2.Response:
        self.requests += 1
        return self.post("/act", id=request or f"r{self.requests}", at=asked, event=event)

    def act(self, event: dict[str, Any] | None = None, pick: int = 0) -> dict[str, Any]:
        """Do this, or one of what is legal now."""
        now = self.look()["now"]
        done: dict[str, Any] = ok(self.try_(event or now["legal"][pick % len(now["legal"])], now["asked"]))
        return done

    def asked_again(self, asked: int) -> None:
        """Wait for the question that comes after this one."""
        wait(lambda: self.look()["now"]["asked"] not in (None, asked))

    def listen(self, after: int = 0, **headers: str) -> Listener:
        return Listener(self.browser, self.at(f"/stream?after={after}"), headers)


def ok(answer: httpx2.Response, status: int = 200) -> Any:
    """What an answer says, if it is a good one."""
    assert answer.status_code == status, answer.text
    return answer.json()


def error(answer: httpx2.Response, status: int) -> str:
    """The code of a refusal, whole and in one sentence."""
    assert answer.status_code == status, answer.text
    said = answer.json()
    assert {"error", "rule", "values", "say"} <= said.keys()
    assert said["say"][0].isupper()
    assert "Traceback" not in answer.text
    return str(said["error"])


def table_of(served: Served, players: int = 2, game: str = "darwins-dice", **how: Any) -> list[Player]:
    """A table where people sit, the host first."""
    host = Player(served.browser(), "P0").open(game, players, **how)
    return [host, *(Player(served.browser(), f"P{seat}").join(host.table, seat) for seat in range(1, players))]


def play_out(people: list[Player], pick: int = 0, most: int = 2000) -> None:
    """Let people play to the end."""
    for _ in range(most):
        now = people[0].look()["now"]
        if now["over"]:
            return
        for seat in now["to_act"]:
            people[seat].act(pick=pick)
    raise AssertionError("no end")
