"""Over HTTP and the stream too: two games that a viewer cannot tell apart give it equal bytes, and a leak is caught.

Both worlds have the same clock, ids, commitment and bots' streams, so every byte must be equal: bodies, headers, sizes,
numbers and the order in which they come.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest

from kubli.games import GAMES
from kubli.play.table import SPECTATOR, Table, Viewer
from kubli.server import create
from laws.worlds import again, pairs, sizes
from server.harness import FAST, Player, Served, Still, ok

QUIET = replace(FAST, ping=1e6)


class Scripted:
    """Chance that brings what a record says."""

    def __init__(self, outcomes: list[int]) -> None:
        self.outcomes = outcomes

    def below(self, k: int, n: int) -> int:
        return self.outcomes[k]


class World(Still):
    """A world where the next table's chance is given."""

    outcomes: list[int]

    def chance(self, secret: bytes, players: int) -> Scripted:
        return Scripted(self.outcomes)


def outcomes(table: Table) -> list[int]:
    """Which of the equally likely things each chance event of a game was."""
    found, played = [], again(table, [])
    for event in table.events:
        if event["by"] == "chance":
            game, v, s = played.game, played.variant, played.state
            action = game.action(v, event)
            found.append(next(k for k in range(game.outcomes(v, s)) if game.draw(v, s, k) == action))
        played.happen(event)
    return found


def to_a_decision(table: Table, twin: Table) -> tuple[Table, Table] | None:
    """Both games up to the last moment at which a seat was asked; None if none was."""
    played, last = again(table, []), 0
    for number, event in enumerate(table.events, 1):
        played.happen(event)
        last = number if played.to_act else last
    return (again(table, table.events[:last]), again(twin, twin.events[:last])) if last else None


def worlds(game: str, players: int, count: int, seed: int) -> Iterator[tuple[Table, Table, Viewer]]:
    """Pairs for a server, most of them different in truth."""
    for table, twin, viewer in pairs(game, players, 20 * count, seed):
        both = to_a_decision(table, twin)
        if both and any(event["by"] != "chance" for event in both[0].events):
            yield (*both, viewer)
            count -= 1
        if not count:
            return


class Watch:
    """One viewer at one server: everything that it ever gets."""

    def __init__(self, server: Served, world: World, table: Table, viewer: Viewer) -> None:
        self.got: list[tuple[str, Any]] = []
        self.table, self.viewer = table, viewer
        world.outcomes = outcomes(table)
        host = Player(server.browser(), "P0")
        body = {"options": table.options, "deck": table.deck}
        host.open(table.game.NAME, table.players, **body)
        self.people = [host, *(Player(server.browser(), f"P{n}").join(host.table, n) for n in range(1, table.players))]
        self.me = Player(server.browser(), "W") if viewer == SPECTATOR else self.people[int(viewer)]
        self.me.table = host.table
        self.stream = self.me.listen()

    def play(self, most: int) -> list[tuple[str, Any]]:
        self.look()
        choices = [event for event in self.table.events if event["by"] != "chance"][:most]
        for number, event in enumerate(choices):
            person = self.people[event["by"]]
            answer = person.try_(event, person.look()["now"]["asked"])
            self.stream.until(ok(answer)["entry"])
            if person is self.me:
                self.keep("act", answer)
            if number % 8 == 0 or number >= len(choices) - 2:
                self.look()
        self.stream.until(self.me.look()["entry"])
        self.got.append(("stream", self.stream.raw))
        return self.got

    def look(self) -> None:
        me, get = self.me, self.me.browser.get
        asked = me.look()["now"]["asked"]
        self.keep("table", get(me.at()))
        self.keep("tables", get("/api/tables"))
        self.keep("record", get(me.at("/record")))
        for bot in ("simple", "random"):
            self.keep("hint", get(me.at(f"/hint?bot={bot}")))
        self.keep("error", me.try_({"act": "choose", "card": "bear 9"}, asked or 1, "x"))
        self.keep("error", me.try_({"act": "guess", "place": 0}, asked or 1, "x"))
        self.keep("error", me.try_({}, 1, "x"))
        for path in ("/steps/3", "/stream?after=99999", "/qr.svg"):
            self.keep("error", get(me.at(path)))
        self.keep("error", me.post("/seats/1", bot="random"))

    def keep(self, exit_: str, answer: httpx2.Response) -> None:
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() != b"date"]
        self.got.append((exit_, (answer.status_code, headers, answer.content)))


App = Any  # an ASGI application


def compared(
    folder: Path, every: list[tuple[Table, Table, Viewer]], plant: Callable[[Any], App], most: int = 10**6
) -> list[str]:
    """The exits at which a viewer was told which world it is in; `most`: after so many choices it has seen enough."""
    told = []
    with ExitStack() as stack:
        both = []
        for name in ("a", "b"):
            world = World()
            server = Served(plant(create(folder / name, outside=world, limits=QUIET)))
            stack.callback(server.stop)
            both.append((server, world))
        for table, twin, viewer in every:
            here, there = (Watch(*both[n], one, viewer).play(most) for n, one in ((0, table), (1, twin)))
            assert [exit_ for exit_, _ in here] == [exit_ for exit_, _ in there]
            told += [exit_ for (exit_, one), (_, other) in zip(here, there, strict=True) if one != other]
    return told


@pytest.mark.parametrize("game", list(GAMES))
def test_worlds_that_a_viewer_cannot_tell_apart_give_equal_bytes(game: str, tmp_path: Path) -> None:
    random = Random(game)
    every: list[tuple[Table, Table, Viewer]] = []
    while len(every) < sizes(6, 100):
        every += worlds(game, random.choice(GAMES[game].PLAYERS), 1, random.getrandbits(30))
    assert compared(tmp_path, every, lambda app: app) == []
    differ = sum(table.events != twin.events for table, twin, _ in every)
    assert differ >= 0.5 * len(every), f"only {differ} of {len(every)} pairs differ"


PATHS = {
    "table": lambda path: path.count("/") == 3 and path.startswith("/api/tables/"),
    "tables": lambda path: path == "/api/tables",
    "record": lambda path: path.endswith("/record"),
    "hint": lambda path: path.endswith("/hint"),
    "act": lambda path: path.endswith("/act"),
    "error": lambda path: path.endswith("/qr.svg"),
    "stream": lambda path: path.endswith("/stream"),
}
METHODS = {where: ["POST"] if where == "act" else ["GET"] for where in PATHS}


def leaky(app: Any, where: str) -> App:
    """An application that tells a little of the truth at one exit, in blanks that no reader of JSON sees."""

    def told() -> bytes:
        rooms = [live.room for live in app.state.server.tables._live.values()]
        truth = hashlib.sha256(json.dumps([room.table.events for room in rooms]).encode()).digest()
        blanks = b"".join(b"\t" if one & 1 else b" " for one in truth)
        return b": " + blanks + b"\n\n" if where == "stream" else blanks

    async def leak(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            if message["type"] == "http.response.body" and message.get("body"):
                message = {**message, "body": message["body"] + told()}
            elif message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message["headers"] if name != b"content-length"]
                message = {**message, "headers": kept}
            await send(message)

        planted = scope["type"] == "http" and scope["method"] in METHODS[where] and PATHS[where](scope["path"])
        await app(scope, receive, sent if planted else send)

    return leak


@pytest.mark.parametrize("where", list(PATHS))
def test_a_planted_leak_is_caught(where: str, tmp_path: Path) -> None:
    every = [
        (table, twin, viewer)
        for table, twin, viewer in worlds("darwins-dice", 3, 40, seed=5)
        if viewer in [event["by"] for event in table.events] and table.events[:24] != twin.events[:24]
    ][:1]  # one that differs in the first deal, for a seat that has chosen
    assert every
    caught = set(compared(tmp_path, every, lambda app: leaky(app, where), most=6))
    assert where in caught
    assert caught <= {where, "error"}  # a refused stream is an error too
