"""People at their own browsers: two of them play, lines break, servers die, pages are opened twice."""

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import expect

from page.conftest import Open
from page.hands import ENDED, GAMES, PHONE, SOMETHING, WIDE, Guest
from server.harness import Served, wait

# What is in the page and might be a hidden thing: the cards and faces of each game, read off as a reader of HTML would.
READ = {
    "darna": """() => ({
        cards: [...document.querySelectorAll(".pcard:not(.is-small) .pcard-no")].map((one) => Number(
            one.lastChild.data)),
        faces: [...document.querySelectorAll(".stone .front")].map((one) => one.closest(".stone").dataset.place),
    })""",
    "narabi": """() => ({
        read: [...document.querySelectorAll(".slot:has(.cond, .recall:not(.recall-n)) [data-place]")].map((one) =>
            Number(one.dataset.place)),
        said: [...document.querySelectorAll("[data-place]")].flatMap((one) => /condition: |remember: |must say: /.test(
            one.getAttribute("aria-label")) ? [Number(one.dataset.place)] : []),
    })""",
    "darwins-dice": """() => ({
        cards: [...document.querySelectorAll("main .dcard")].map((one) => `${one.dataset.animal} ${one.querySelector(
            ".dcard-no").textContent.replace("½", ".5")}`),
        labels: [...document.querySelectorAll("main [aria-label]")].map((one) => one.ariaLabel).join(" "),
    })""",
}


def check_nothing_hidden(me: Guest, game: str, look: dict[str, Any]) -> None:
    """Whatever of the game's things is in this page, its seat knows: by what the server told this seat alone."""
    found, view = me.page.evaluate(READ[game]), look["now"]["view"]
    if game == "darna":
        revealed = (view["revealed"] or {}).values()
        assert set(found["cards"]) <= {*view["hand"], *revealed, view["last_played"]}
        told = [fact for entry in look["log"] for fact in entry.get("facts", ())]
        seen = {str(fact["place"]) for fact in told if "face" in fact}
        assert set(found["faces"]) <= seen
    elif game == "narabi":
        known = {sleeve["place"] for sleeve in view["ring"] if sleeve["condition"]}
        assert set(found["read"]) <= known
        assert set(found["said"]) <= known
    else:
        told = [fact for entry in look["log"] for fact in entry.get("facts", ())]
        turned = {card for fact in told if fact["what"] == "turned" for card in fact["cards"]}
        assert set(found["cards"]) <= {*view["hand"], view["chosen"], *turned}


@pytest.mark.parametrize(("game", "players"), [("darna", 2), ("narabi", 3), ("darwins-dice", 2)])
def test_two_people_at_two_browsers(house: Served, guest: Open, game: str, players: int) -> None:
    deck = "standard" if game == "narabi" else "tiny"  # short games: every step waits for two pages
    me = guest(house.url, *WIDE).lobby("Ligaya").set(game, players, deck, friends=1).open()
    link = me.page.get_by_label("Link to this table").input_value()
    assert link.endswith(f"/t/{me.table}")
    expect(me.page.locator(".prompt-who")).to_have_text("Waiting for one player")
    tala = guest(house.url, *PHONE).sit(me.table, "Tala")
    for one, other in ((me, "Tala"), (tala, "Ligaya")):
        one.page.locator(".room.plays").wait_for()
        one.shown("main.table .seat-name").filter(has_text=other).first.wait_for()
    for step in range(200):
        ready = [one for one in (me, tala) if one.asked]
        for one in ready:
            if step < 40 and one.asked:  # it is settled, and nobody else can change it
                check_nothing_hidden(one, game, one.look())
            one.step()
        if me.ended and tala.ended:
            break
        if not ready:
            me.hurry()
            tala.hurry()
            asked(me, tala)
    for one in (me, tala):
        expect(one.page.locator(ENDED)).not_to_be_empty()
        assert one.look()["state"] == "over"
    assert me.look()["now"]["view"]["result"] == tala.look()["now"]["view"]["result"]


def asked(*people: Guest) -> None:
    """Wait until one of them is asked something, or all is over."""
    wait(lambda: any(one.asked for one in people) or all(one.ended for one in people), 30)


def test_a_watcher_sees_what_all_see(house: Served, guest: Open) -> None:
    me = guest(house.url).lobby("Ligaya").set("darna", 3).open().play(4)
    watcher = guest(house.url)
    watcher.page.goto(me.page.url)
    watcher.page.locator(".room.plays").wait_for()
    expect(watcher.page.locator(".hand")).to_have_count(0)
    expect(watcher.page.locator(".can-pick")).to_have_count(0)
    check_nothing_hidden(watcher, "darna", watcher.look())


# --- coming back --------------------------------------------------------------------------------------------------


def known(me: Guest) -> str:
    """What the table says that this seat has and knows."""
    me.shown(".table .can-pick").first.wait_for()
    labels = me.page.locator("main.table [aria-label]").evaluate_all("all => all.map((one) => one.ariaLabel)")
    said = "\n".join([me.page.locator(".prompt-words").inner_text(), *labels])
    return said.replace("just moved here", "can be chosen")  # which a table laid anew does not know


@pytest.mark.parametrize("game", GAMES)
def test_a_reload_brings_seat_and_knowledge_back(house: Served, guest: Open, game: str) -> None:
    me = guest(house.url).lobby("Ligaya").set(game, 3).open()
    until_free(me, 3)
    before = known(me)
    me.page.reload()
    assert known(me) == before
    me.page.goto("/")
    me.page.locator(".going").get_by_role("link", name="Go on").click()
    assert known(me) == before
    me.play(2)


def until_free(me: Guest, steps: int) -> None:
    """Play so many steps, and on until something can be chosen and nothing is yet."""
    me.play(steps)
    for _ in range(20):
        me.shown(SOMETHING).first.wait_for()
        assert not me.ended
        if me.shown(".table .can-pick").count() and not me.shown(".table .is-picked").count():
            return
        me.step()
    raise AssertionError("never free to choose")


def test_two_tabs_are_one_player(house: Served, guest: Open) -> None:
    me = guest(house.url).lobby("Ligaya").set("darwins-dice", 3, friends=1).open()
    guest(house.url).sit(me.table, "Tala")
    me.page.locator(".room.plays").wait_for()
    tab = me.tab()
    tab.page.goto(me.page.url)
    tab.shown(".table .can-pick").first.wait_for()
    assert known(me) == known(tab)
    me.step()  # choose a card …
    expect(tab.page.locator(".is-picked")).to_have_count(0)
    me.step()  # … and play it
    for one in (me, tab):
        expect(one.page.locator(".own-back")).to_be_visible()
        expect(one.page.locator(".can-pick")).to_have_count(0)
    assert me.page.locator(".own-back .dcard").get_attribute("aria-label") == tab.page.locator(
        ".own-back .dcard"
    ).get_attribute("aria-label")


def test_a_page_from_before_an_upgrade_says_so(house: Served, guest: Open) -> None:
    me = guest(house.url).lobby("Ligaya")
    me.watched.bear("404")
    parts = "**/assets/*.js"  # which the new server has under other names
    me.page.route(parts, lambda route: route.fulfill(status=404))
    me.page.locator(".setup .start button").click()
    expect(me.page.locator(".blank")).to_contain_text("This page does not fit the server")
    me.page.unroute(parts)
    me.page.get_by_role("button", name="Load again").click()
    me.page.locator(".room.plays").wait_for()


# --- a server that dies ---------------------------------------------------------------------------------------------


class Process:
    """A server in a process of its own, on a port that it keeps."""

    def __init__(self, data: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = data
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from kubli.cli import main; main()", "--no-open"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        environment = {**os.environ, "KUBLI_BOT_PAUSE": "0"}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        wait(self.answers, 60)

    def answers(self) -> bool:
        with contextlib.suppress(httpx2.TransportError):
            return httpx2.get(f"{self.url}/health").status_code == 200
        return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    running = Process(tmp_path)
    yield running
    running.kill()


def test_a_server_that_was_killed_is_missed_and_met_again(process: Process, guest: Open) -> None:
    me = guest(process.url).lobby("Ligaya").set("darwins-dice", 2, "tiny").open()
    me.watched.bear("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    before = known(me)
    process.kill()
    banner = me.page.locator(".banner")
    expect(banner).to_contain_text("Not connected.")
    expect(me.page.locator(".conn")).to_have_text("Not connected")
    expect(me.page.locator(".prompt-who")).to_have_text("Your turn, once you are back")
    assert me.page.locator("main.table").evaluate("(one) => one.inert")
    process.start()
    expect(banner).to_have_count(0, timeout=30_000)
    expect(me.page.locator(".conn")).to_have_text(re.compile(r"^\s*Connected"))
    assert known(me) == before
    me.play()
    assert me.look()["state"] == "over"
