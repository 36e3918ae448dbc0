"""With a finger: on a phone without a mouse each game is played from the lobby to its end, and nothing is too small."""

import pytest
from playwright.sync_api import expect

from page.conftest import Open
from page.hands import ENDED, PHONE, Guest
from page.measure import measured
from server.harness import Served

TABLES = [("darna", 2, "tiny"), ("narabi", 3, "standard"), ("darwins-dice", 2, "tiny")]


def finger(guest: Open, url: str) -> Guest:
    return guest(url, *PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)


@pytest.mark.parametrize(("game", "players", "deck"), TABLES)
def test_a_whole_game_with_a_finger(house: Served, guest: Open, game: str, players: int, deck: str) -> None:
    me = finger(guest, house.url).lobby("Ligaya")
    found = measured(me.page, "lobby")
    me.set(game, players, deck)
    found += measured(me.page, "setup")
    me.open()
    while me.step():
        found += measured(me.page, f"after {me.steps} steps")
    assert me.look()["state"] == "over"
    expect(me.page.locator(ENDED)).not_to_be_empty()
    found += measured(me.page, "the end")
    assert found == []
    assert me.page.evaluate("() => visualViewport.scale") == 1
