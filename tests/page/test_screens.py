"""Every screen, light and dark, on a phone and on a table: axe finds nothing, and everything fits."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from page.conftest import Open
from page.hands import ENDED, GAMES, MAIN, PHONE, TABLET, WIDE, Guest
from page.measure import measured
from server.harness import Served

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")

# Contrast too, which axe works out by looking. What moves would be caught half-way: there is no movement here.
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.flatMap(({id, nodes}) =>
    nodes.map(({target, failureSummary}) => `${id} at ${target.join(" ")}: ${failureSummary.replace(/\\s+/g, " ")}`))"""


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it stands."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(RUN)
    return found


def everywhere(me: Guest, where: str) -> list[str]:
    """What axe finds in both themes at both sizes."""
    found = []
    for width, height in (WIDE, PHONE):
        me.page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            me.page.emulate_media(color_scheme=scheme)
            found += [f"{where}, {width}, {scheme}: {one}" for one in violations(me.page)]
    return found


def test_axe_finds_nothing_in_the_house(house: Served, guest: Open) -> None:
    me = guest(house.url).lobby("Ligaya")
    found = everywhere(me, "lobby")
    me.set("narabi", 3, friends=1).open()
    found += everywhere(me, "waiting room")
    other = guest(house.url)
    other.page.goto(me.page.url)
    expect(other.page.locator(".prompt form.join")).to_be_visible()
    found += everywhere(other, "a guest's waiting room")
    me.page.goto("/about")
    expect(me.page.locator(".about")).to_be_visible()
    found += everywhere(me, "about")
    me.page.goto("/nowhere")
    expect(me.page.locator(".blank")).to_be_visible()
    found += everywhere(me, "nowhere")
    assert found == []


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_the_table(house: Served, guest: Open, game: str) -> None:
    me = guest(house.url).lobby("Ligaya").set(game, 3).open().play(6)
    me.shown(".table .can-pick").first.wait_for()
    found = everywhere(me, "table")
    for name in ("Rules", "Menu"):
        drawer = me.drawer(name)
        found += everywhere(me, name)
        me.page.keyboard.press("Escape")
        expect(drawer).to_have_count(0)
    me.page.locator(".bar-tools .only-small").click()
    found += everywhere(me, "log")
    assert found == []


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_the_end(house: Served, guest: Open, game: str) -> None:
    me = guest(house.url)
    me.page.goto(f"/t/{over(me, game)}")
    expect(me.page.locator(ENDED)).not_to_be_empty()
    found = everywhere(me, "the end")
    me.page.locator(".replay .keys").get_by_role("button", name="One step back").click()
    expect(me.page.locator(".room.is-stepping")).to_be_visible()
    found += everywhere(me, "a step")
    assert found == []


def over(me: Guest, game: str) -> str:
    """A table of this browser's, played to its end by the hints that it gets."""
    ask = me.page.request
    body = {"game": game, "players": 3, "seats": ["me", "bot:simple", "bot:simple"], "name": "Ligaya"}
    table: str = ask.post("/api/tables", data=body).json()["table"]
    for number in range(500):
        now = ask.get(f"/api/tables/{table}").json()["now"]
        if now["over"]:
            return table
        if now["legal"]:
            move = {"id": f"r{number}", "at": now["asked"], "event": now["legal"][number * 7 % len(now["legal"])]}
            ask.post(f"/api/tables/{table}/act", data=move)
    raise AssertionError("no end")


# --- geometry ------------------------------------------------------------------------------------------------


WORLDS = ("darna", "narabi", "darwin")
SCROLLS = "() => document.documentElement.scrollHeight > innerHeight"


def states() -> Iterator[tuple[str, str]]:
    """The states of the development page, by its fixtures' own ids."""
    folder = ROOT / "web" / "src" / "dev" / "fixtures"
    for world in WORLDS:
        for line in (folder / f"{world}.ts").read_text().splitlines():
            if line.startswith('    { id: "'):
                yield world, line.split('"')[1]


# Words at their usual size and twice as large, as browsers set them for all pages. The phone last, so that it stays.
SIZES = [(WIDE, 200), (WIDE, 100), (TABLET, 100), (PHONE, 100)]


def everywhere_measured(page: Page, where: str) -> list[str]:
    """What does not fit at each size."""
    found = []
    for (width, height), percent in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        found += measured(page, f"{where}, {width}, {percent} %")
        if (width, height) == WIDE and percent == 100 and page.evaluate(SCROLLS):
            found.append(f"{where}, {width}: does not fit on the screen")
    return found


def show(page: Page, where: str) -> tuple[Locator, Locator]:
    """Show a state: what is there when it has begun, and when all is shown that happens in it."""
    page.evaluate(f"location.hash = {json.dumps(f'#{where}')}")
    begun, shown = page.locator(f'[data-dev="{where}"]'), page.locator(f'[data-dev="{where} shown"]')
    begun.or_(shown).wait_for()
    return begun, shown


@pytest.mark.parametrize("world", WORLDS)
def test_everything_fits(house: Served, guest: Open, world: str) -> None:
    page = guest(house.url, *PHONE).page
    page.goto("/dev")
    found = []
    for where in (f"{name}/{state}" for name, state in states() if name == world):
        begun, shown = show(page, where)
        if begun.count():  # until all is shown that happens in it, or it waits to be let go on
            found += measured(page, f"{where}, begun")
            shown.or_(page.locator(MAIN)).first.wait_for()
        found += everywhere_measured(page, where)
    assert found == []


BOXES = """async () => {
    await document.fonts.ready;
    return [...document.querySelectorAll(".room *:not(.dots, .dots *)")].map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return `${one.tagName} ${one.getAttribute("class")} ${[left, top, width, height].map(Math.round)}`;
    });
}"""


@pytest.mark.parametrize("size", [WIDE, PHONE])
@pytest.mark.parametrize("world", WORLDS)
def test_a_table_looks_as_it_does_whatever_was_played_before(
    house: Served, guest: Open, world: str, size: tuple[int, int]
) -> None:
    fresh, used = guest(house.url, *size).page, guest(house.url, *size).page
    for page in (fresh, used):
        page.goto("/dev")
    for other in WORLDS:  # their styles stay in the page
        show(used, f"{other}/watching")
    for state in ("no-aid", "won"):
        show(fresh, f"{world}/{state}")
        show(used, f"{world}/{state}")
        assert used.evaluate(BOXES) == fresh.evaluate(BOXES)


FAULTY = """
<div class="plays"><main class="table">
  <p style="width: 400px">wide</p>
  <p style="font-size: 11px">small</p>
  <button style="width: 60px; height: 30px">low</button>
  <div style="position: relative">
    <button class="can-pick" style="width: 60px; height: 60px">under</button>
    <div style="position: absolute; inset: 0">over it</div>
  </div>
  <div style="overflow: hidden; height: 30px"><button style="width: 60px; height: 44px">half</button></div>
  <button style="width: 60px; height: 44px; overflow: hidden; white-space: nowrap">cut off in the middle</button>
  <div style="height: 8px; overflow: hidden">half a line</div>
  <div style="height: 8px">one line</div>
  <div>over another</div>
</main></div>
"""


def test_what_does_not_fit_is_found(page: Page) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.set_content(FAULTY)
    found = " ".join(measured(page))
    for one in (
        "the page is 4",
        "runs off",
        "11 px",
        'a target of 60 by 30: <button class=""> "low',
        'a target of 60 by 30: <button class=""> "half',
        "lies under",
        'cut off: <button class=""> "cut off',
        'cut off: "half a line"',
        'words over words: "one line" and "over another"',
    ):
        assert one in found


def test_on_a_phone_the_house_fits(house: Served, guest: Open) -> None:
    me = guest(house.url, *PHONE).lobby("Ligaya")
    found = measured(me.page, "lobby")
    me.set("darwins-dice", 4, friends=2).open()
    found += measured(me.page, "waiting room")
    me.drawer("Menu")
    found += measured(me.page, "menu")
    me.page.goto("/about")
    expect(me.page.locator(".about")).to_be_visible()
    found += measured(me.page, "about")
    for game in GAMES:
        me.page.goto(f"/t/{over(me, game)}")
        expect(me.page.locator(ENDED)).not_to_be_empty()
        found += measured(me.page, f"the end of {game}")
    assert found == []
