"""Hands for the page: what a person sees, chooses and presses, by what is outlined and what the buttons say."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect
from playwright.sync_api import Error as PlaywrightError

__all__ = ["ENDED", "GAMES", "MAIN", "PHONE", "SOMETHING", "TABLET", "WIDE", "Guest", "Watched"]

WIDE = (1280, 800)
TABLET = (768, 1024)
PHONE = (360, 740)
GAMES = ("darna", "narabi", "darwins-dice")

MAIN = '.prompt-acts .btn-main:not([aria-disabled="true"])'
PLAIN = '.prompt-acts .btn:not(.btn-main, .btn-quiet, [aria-disabled="true"])'
PICK = ".table .can-pick:not(.is-picked)"
ENDED = ".room.ended main.table.end h2"
SOMETHING = f"{MAIN}, {PLAIN}, {PICK}, {ENDED}"
# They are there in every turn of Narabi and lead round in a circle.
LEAVE = ("Ask first", "Exchange instead")


class Watched:
    """A browser whose every complaint is kept: errors, its policy broken, requests to anybody else."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.complaints: list[str] = []
        self.bears: list[str] = []
        context.on("request", self._asked)
        context.on("console", self._said)
        context.on("weberror", lambda error: self._complain(f"error: {error.error}"))

    def bear(self, pattern: str) -> None:
        """Some complaints belong to what a test does."""
        self.bears.append(pattern)
        self.complaints = [one for one in self.complaints if not re.search(pattern, one)]

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.url, "blob:" + self.url)):
            self._complain(f"another server was asked: {request.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(f"{message.type}: {message.text} ({message.location.get('url')})")

    def _complain(self, text: str) -> None:
        if not any(re.search(pattern, text) for pattern in self.bears):
            self.complaints.append(text)


class Guest:
    """A person at a browser."""

    def __init__(self, page: Page, watched: Watched, *, touch: bool = False) -> None:
        self.page, self.watched, self.touch = page, watched, touch
        self.steps = 0
        self.missed = 0  # clicks in a row that hit nothing

    def tab(self) -> "Guest":
        """Another tab of the same browser."""
        return Guest(self.watched.context.new_page(), self.watched, touch=self.touch)

    def press(self, what: Locator, **how: Any) -> None:
        """Click, or tap where there is no mouse."""
        (what.tap if self.touch else what.click)(**how)

    # --- from the lobby to the table -------------------------------------------------------------------

    def lobby(self, name: str = "") -> "Guest":
        """Open the lobby, and say who one is."""
        self.page.goto("/")
        expect(self.page.locator(".setup .start button")).to_be_enabled()
        if name:
            self.press(self.page.locator(".btn-name"))
            self.page.locator("#name").fill(name)
            self.press(self.page.locator(".naming button"))
            expect(self.page.locator(".btn-name b")).to_have_text(name)
        return self

    def set(self, game: str, players: int, deck: str = "", friends: int = 0) -> "Guest":
        """Choose a game and set its table: the first seats for friends, the others for bots."""
        page = self.page
        world = {"darwins-dice": "darwin"}.get(game, game)
        self.press(page.locator(f'.box[data-game="{world}"]'))
        setup = page.locator(f'.setup[data-game="{world}"]')
        rows = setup.locator(".seat-row:not(.seat-row-add)")
        more, fewer = setup.get_by_role("button", name="Add a"), setup.get_by_role("button", name="Take one away")
        for _ in range(5):
            if rows.count() != players:
                self.press(more if rows.count() < players else fewer)
        expect(rows).to_have_count(players)
        for seat in range(1, players):
            kind = "friend" if seat <= friends else "bot"
            self.press(rows.nth(seat).get_by_role("button", name=kind, exact=True))
        if deck:
            setup.get_by_label("Cards").select_option(deck)
        return self

    def open(self) -> "Guest":
        """Open the table that is set."""
        self.press(self.page.locator(".setup .start button"))
        self.page.wait_for_url("**/t/*")
        self.page.locator(".room.plays, .room.waits").wait_for()
        return self

    @property
    def table(self) -> str:
        """The table's id."""
        return self.page.url.split("/t/")[1].split("/")[0].split("?")[0]

    def look(self) -> dict[str, Any]:
        """What the server says of the table to this browser."""
        answer = self.page.request.get(f"/api/tables/{self.table}")
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    def sit(self, table: str, name: str) -> "Guest":
        """Follow a link, give a name and take the free seat."""
        self.page.goto(f"/t/{table}")
        form = self.page.locator(".prompt form.join")
        form.locator("input").fill(name)
        self.press(form.locator("button"))
        expect(form).to_have_count(0)
        return self

    # --- at the table -------------------------------------------------------------------------------------

    def shown(self, selector: str) -> Locator:
        return self.page.locator(selector).locator("visible=true")

    @property
    def ended(self) -> bool:
        return self.shown(ENDED).count() > 0

    @property
    def asked(self) -> bool:
        """Whether something can be chosen or pressed."""
        return self.shown(f"{MAIN}, {PLAIN}, {PICK}").count() > 0

    def hurry(self) -> None:
        """Press the table at its edge, far from the bar: a finger finds what is near. So what moves is there."""
        box = self.page.locator("main.table").bounding_box()
        if box:
            press = self.page.touchscreen.tap if self.touch else self.page.mouse.click
            press(box["x"] + 3, box["y"] + box["height"] / 2)

    def step(self, seconds: float = 60) -> bool:
        """Choose or press one thing, as soon as there is one; whether the game goes on."""
        if not self.shown(SOMETHING).count():
            self.hurry()
            self.shown(SOMETHING).first.wait_for(timeout=seconds * 1000)
        if self.ended:
            return False
        todo = self._next()
        if todo:
            try:
                self.press(todo, timeout=5_000)
                self.steps, self.missed = self.steps + 1, 0
            except PlaywrightError as error:  # what was there a moment ago is gone
                self.missed += 1
                if "Timeout" not in str(error) or self.missed == 3:
                    raise
        return True

    def _next(self) -> Locator | None:
        main, plain, picks = self.shown(MAIN), self.shown(PLAIN), self.shown(PICK)
        if main.count():
            return main.first
        pressable = [one for one in plain.all() if not any(text in one.inner_text() for text in LEAVE)]
        if pressable:
            return pressable[self.steps % len(pressable)]
        if count := picks.count():
            return picks.nth(self.steps * 7 % count).locator("xpath=self::button|.//button").first
        return None

    def play(self, steps: int = 1_000) -> "Guest":
        """Play to the end, or so many steps."""
        for _ in range(steps):
            if not self.step():
                return self
        return self

    def drawer(self, name: str) -> Locator:
        """Open a drawer by its button in the bar."""
        self.press(self.page.locator(".bar-tools").get_by_role("button", name=name, exact=True))
        drawer = self.page.locator("dialog.drawer[open]")
        expect(drawer).to_be_visible()
        return drawer

    def download(self, folder: Path) -> Path:
        """The record, as the end page gives it."""
        with self.page.expect_download() as waiting:
            self.page.locator(".acts").get_by_role("link", name="Record").click()
        path = folder / "record.json"
        waiting.value.save_as(path)
        return path
