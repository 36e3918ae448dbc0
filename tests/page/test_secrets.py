"""In the page too: two games that a viewer cannot tell apart look the same to the last attribute, and a leak is caught.

The worlds are those of tests/server/test_secrets.py: same clock, ids and commitment, so whatever differs in the page
would tell the viewer which world it is in.
"""

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from kubli.games import GAMES
from kubli.play.table import SPECTATOR, Table, Viewer
from kubli.server import create
from laws.worlds import sizes
from page.conftest import Open
from page.hands import Guest
from server.harness import Player, Served, ok
from server.test_secrets import QUIET, World, outcomes, worlds

Pair = tuple[Table, Table, Viewer]
MOST = 10  # choices of a game that are looked at
LOOKS = 4  # and at how many moments of them


class Side:
    """One of the two worlds: its server, and the viewer's page there."""

    def __init__(self, folder: Path, plant: Callable[[Any], None]) -> None:
        self.world = World()
        app = create(folder, outside=self.world, limits=QUIET)
        self.server = Served(app)
        plant(app)

    def sit(self, guest: Open, table: Table, viewer: Viewer) -> None:
        """People sit down at a table that will be dealt as this one was; the viewer opens the page."""
        self.world.outcomes = outcomes(table)
        self.choices = [event for event in table.events if event["by"] != "chance"][:MOST]
        host = Player(self.server.browser(), "P0")
        host.open(table.game.NAME, table.players, options=table.options, deck=table.deck)
        joined = [Player(self.server.browser(), f"P{n}").join(host.table, n) for n in range(1, table.players)]
        self.people = [host, *joined]
        me = Player(self.server.browser(), "W") if viewer == SPECTATOR else self.people[int(viewer)]
        ok(me.browser.get("/api/me"))
        self.guest: Guest = guest(self.server.url)
        cookies = [
            {"name": one.name, "value": one.value or "", "url": self.server.url} for one in me.browser.cookies.jar
        ]
        self.page.context.add_cookies(cookies)  # type: ignore[arg-type]
        self.page.goto(f"/t/{host.table}")
        self.page.locator("main.table").wait_for()

    @property
    def page(self) -> Page:
        return self.guest.page

    def act(self, number: int) -> None:
        """The next choice of the game."""
        event = self.choices[number]
        person = self.people[event["by"]]
        ok(person.try_(event, person.look()["now"]["asked"]))

    @property
    def html(self) -> str:
        """The whole document and its title, without the server's port."""
        return re.sub(r"127\.0\.0\.1:\d+", "", f"{self.page.title()}\n{self.page.content()}")


def difference(here: Side, there: Side, seconds: float) -> str:
    """Where two pages differ when both have come to rest: while facts are shown one may be ahead of the other."""
    one = other = ""
    for _ in range(round(seconds * 5)):
        one, other = here.html, there.html
        if one == other:
            return ""
        here.page.wait_for_timeout(200)
    at = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 200) : at + 80]!r} against {other[at : at + 80]!r}"


def differences(guest: Open, here: Side, there: Side, pair: Pair, seconds: float) -> list[str]:
    """Where a viewer's pages differ while a game is played by its record in both worlds."""
    table, twin, viewer = pair
    here.sit(guest, table, viewer)
    there.sit(guest, twin, viewer)
    count, found = len(here.choices), []
    looks = {count * k // LOOKS for k in range(1, LOOKS + 1)}
    for number in range(count):
        here.act(number)
        there.act(number)
        if number + 1 in looks:
            found.append(difference(here, there, seconds))
    for side in (here, there):
        side.page.context.close()
    return [one for one in found if one]


def pairs_of(game: str, count: int) -> list[Pair]:
    """Pairs that differ in the first choices already."""
    random = Random(f"page {game}")
    found: list[Pair] = []
    while len(found) < count:
        every = worlds(game, random.choice(GAMES[game].PLAYERS), 1, random.getrandbits(30))
        found += [(table, twin, viewer) for table, twin, viewer in every if table.events[:20] != twin.events[:20]]
    return found


def sides(stack: ExitStack, folder: Path, plant: Callable[[Any], None]) -> tuple[Side, Side]:
    """Both worlds, until the stack is closed."""
    both = Side(folder / "a", plant), Side(folder / "b", plant)
    for one in both:
        stack.callback(one.server.stop)
    return both


@pytest.mark.parametrize("game", list(GAMES))
def test_worlds_that_a_viewer_cannot_tell_apart_look_the_same(game: str, guest: Open, tmp_path: Path) -> None:
    with ExitStack() as stack:
        here, there = sides(stack, tmp_path, lambda app: None)
        for pair in pairs_of(game, sizes(1, 10)):
            assert differences(guest, here, there, pair, 20) == []


def names_tell(app: Any) -> None:
    """A server that gives a little of the truth away, in the name of whoever has a seat."""
    tables = app.state.server.tables
    seats = tables.seats

    def leak(live: Any, room: Any) -> list[dict[str, Any]]:
        truth = hashlib.sha256(json.dumps(room.table.events).encode()).hexdigest()[:6]
        return [{**one, "name": f"{one['name']} {truth}"} for one in seats(live, room)]

    tables.seats = leak


@pytest.mark.parametrize("game", list(GAMES))
def test_a_planted_leak_is_seen(game: str, guest: Open, tmp_path: Path) -> None:
    with ExitStack() as stack:
        here, there = sides(stack, tmp_path, names_tell)
        (pair,) = pairs_of(game, 1)
        assert differences(guest, here, there, pair, 1)
