"""Each game from the lobby to its end, against bots, by clicking what is outlined; then the replay and the record."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from kubli.play.replay import read
from page.conftest import Open
from page.hands import ENDED, PHONE, WIDE, Guest
from server.harness import Served

TABLES = [
    ("darna", 4, "standard", WIDE),
    ("darna", 2, "standard", PHONE),
    ("narabi", 3, "standard", WIDE),
    ("narabi", 4, "standard", PHONE),
    ("darwins-dice", 3, "standard", WIDE),
    ("darwins-dice", 2, "tiny", PHONE),
]


@pytest.mark.parametrize(("game", "players", "deck", "size"), TABLES)
def test_from_the_lobby_to_the_end(
    house: Served, guest: Open, tmp_path: Path, game: str, players: int, deck: str, size: tuple[int, int]
) -> None:
    me = guest(house.url, *size).lobby("Ligaya").set(game, players, deck).open().play()
    assert me.look()["state"] == "over"
    expect(me.page.locator(ENDED)).not_to_be_empty()
    step_through(me)
    (table,) = read(me.download(tmp_path))
    assert table.over
    assert len(table.events) == int(me.page.locator(".scrub input").get_attribute("max") or 0)


def step_through(me: Guest) -> None:
    """The replay: back to the start, forwards, through another's eyes, and to the result again."""
    page = me.page
    bar, eyes = page.locator(".replay .keys"), page.locator(".replay .eyes")
    slider = page.locator(".scrub input")
    end = int(slider.get_attribute("max") or 0)
    bar.get_by_role("button", name="To the start").click()
    expect(slider).to_have_value("0")
    expect(page.locator(ENDED)).to_have_count(0)
    for k in range(1, 5):
        bar.get_by_role("button", name="One step on").click()
        expect(slider).to_have_value(str(k))
    bar.get_by_role("button", name="To the end").click()
    for k in range(1, 4):
        bar.get_by_role("button", name="One step back").click()
        expect(slider).to_have_value(str(end - k))
    for seat in (2, 1):
        eyes.get_by_role("button").nth(seat).click()
        expect(eyes.get_by_role("button").nth(seat)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".replay .now")).not_to_be_empty()
        expect(page.locator("main.table section, main.table .row").first).to_be_visible()
    eyes.get_by_role("button").first.click()
    bar.get_by_role("button", name="To the end").click()
    expect(page.locator(ENDED)).not_to_be_empty()
