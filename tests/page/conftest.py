"""One server for all tests of the page, and browsers that complain."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from kubli.server.page import INDEX, STATIC
from page.hands import Guest, Watched
from server.harness import Served, served

Open = Callable[..., Guest]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose bots do not pause, with the page as built."""
    assert (STATIC / INDEX).exists(), "the page is not built: python scripts/setup_venv.py --dev"
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def guest(browser: Browser) -> Iterator[Open]:
    """Opens browsers that nobody knows yet. At the end none of them may have complained, or asked another server."""
    watched: list[Watched] = []

    def open_(url: str, width: int = 1280, height: int = 800, **how: Any) -> Guest:
        how = {"reduced_motion": "reduce", "accept_downloads": True, **how}
        context = browser.new_context(base_url=url, viewport={"width": width, "height": height}, **how)
        context.set_default_timeout(30_000)
        watched.append(Watched(context, url))
        return Guest(context.new_page(), watched[-1], touch=how.get("has_touch", False))

    yield open_
    for one in watched:
        one.context.close()
    for one in watched:
        assert one.complaints == []
