"""Without a mouse: one game from the lobby to its end, and the first turn of the others."""

import pytest
from playwright.sync_api import Page, expect

from page.conftest import Open
from page.hands import ENDED, MAIN, Guest
from server.harness import Served

HERE = "(selector) => document.activeElement.matches(selector)"


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until something like this has the keyboard, and shows that it has."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(HERE, selector):
            ring = page.evaluate("() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle; }")
            assert ring != "none", f"{selector} does not show that it has the keyboard"
            return
    raise AssertionError(f"the keyboard does not come to {selector}")


def open_by_keyboard(guest: Guest, world: str, deck: str = "") -> None:
    """From the lobby: choose a game, and open its table."""
    page = guest.lobby().page
    tab_to(page, f'.box[data-game="{world}"]')
    page.keyboard.press("Enter")
    expect(page.locator(f'.setup[data-game="{world}"]')).to_be_visible()
    if deck:
        tab_to(page, ".setup .seat-more .btn:last-child")  # one seat less
        page.keyboard.press("Enter")
        tab_to(page, 'select[aria-label="Cards"]')
        page.keyboard.press("ArrowDown")
        expect(page.locator('select[aria-label="Cards"]')).to_have_value(deck)
    tab_to(page, ".start .btn-main")
    page.keyboard.press("Enter")
    page.locator(".room.plays").wait_for()


def press_main(page: Page) -> None:
    """Come to the slip's main button, and press it."""
    page.locator(MAIN).wait_for()
    if not page.evaluate(HERE, MAIN):
        tab_to(page, MAIN)
    page.keyboard.press("Enter")


def test_a_whole_game(house: Served, guest: Open) -> None:
    me = guest(house.url)
    page = me.page
    open_by_keyboard(me, "darwin", "tiny")
    for _ in range(20):
        page.locator(f"{MAIN}, .hand-d .can-pick, {ENDED}").first.wait_for()
        if me.ended:
            break
        if page.locator(".hand-d .can-pick:not(.is-picked)").count() and not page.locator(MAIN).count():
            tab_to(page, ".hand-d .can-pick")
            page.keyboard.press("Enter")
            expect(page.locator(".hand-d .is-picked")).to_have_count(1)
            page.keyboard.press("Escape")
            expect(page.locator(".hand-d .is-picked")).to_have_count(0)
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Space")
            expect(page.locator(".hand-d .is-picked")).to_have_count(1)
        press_main(page)
    expect(page.locator(ENDED)).not_to_be_empty()
    slider = page.locator(".scrub input")
    end = int(slider.get_attribute("max") or 0)
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(end - 1))
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    page.keyboard.press("End")
    expect(page.locator(ENDED)).not_to_be_empty()


def test_a_turn_of_darna(house: Served, guest: Open) -> None:
    me = guest(house.url)
    page = me.page
    open_by_keyboard(me, "darna")
    press_main(page)  # draw
    tab_to(page, ".hand .can-pick")
    page.keyboard.press("Enter")
    expect(page.locator(".hand .is-picked")).to_have_count(1)
    press_main(page)
    expect(page.locator(".log", has_text="You played").first).to_be_attached()


def test_a_turn_of_narabi(house: Served, guest: Open) -> None:
    me = guest(house.url)
    page = me.page
    open_by_keyboard(me, "narabi")
    page.locator(".nst.can-pick").first.wait_for()
    tab_to(page, ".nst")
    walk_to(page, ".slot.is-own .nst.can-pick")
    page.keyboard.press("Enter")
    expect(page.locator(".nst.is-picked")).to_have_count(1)
    walk_to(page, ".nst.can-pick")
    page.keyboard.press("Enter")
    expect(page.locator(".nst.is-picked")).to_have_count(2)
    press_main(page)
    expect(page.locator(".log", has_text="You gave").first).to_be_attached()


def walk_to(page: Page, selector: str) -> None:
    """Walk around the ring until something like this has the keyboard."""
    places = page.locator(".nst").count()
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        for _ in range(places):
            if page.evaluate(HERE, selector):
                return
            page.keyboard.press(key)
    raise AssertionError(f"the arrows do not come to {selector}")


@pytest.mark.parametrize("name", ["Rules", "Menu"])
def test_a_drawer_takes_the_keyboard_and_gives_it_back(house: Served, guest: Open, name: str) -> None:
    me = guest(house.url).lobby().set("darna", 2).open()
    page = me.page
    tab_to(page, f'.bar-tools button[aria-label="{name}"]')
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    assert page.evaluate("() => document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.evaluate(HERE, f'button[aria-label="{name}"]')
