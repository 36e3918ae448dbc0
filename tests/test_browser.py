"""Finding a browser: the order, what counts as one, and that it draws."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

import browser


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser, and a folder that is its PATH."""
    monkeypatch.delenv("KUBLI_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "playwrights", lambda: "")
    monkeypatch.setattr(browser, "STARTER", tmp_path / "starter")
    return tmp_path


def put(path: Path) -> str:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def anything(path: str) -> bool:
    return True


def test_no_browser_is_none(bare: Path) -> None:
    assert browser.find(good=anything) is None


def test_the_named_one_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bare / "chromium")
    monkeypatch.setenv("KUBLI_CHROMIUM", put(bare / "mine"))
    assert browser.find(good=anything) == str(bare / "mine")


def test_path_comes_before_playwrights_and_the_fetched_one(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched, own = put(bare / "starter"), put(bare / "own")
    assert browser.find(good=anything) == fetched
    monkeypatch.setattr(browser, "playwrights", lambda: own)
    assert browser.find(good=anything) == own
    assert browser.find(good=lambda path: path != own) == fetched
    on_path = put(bare / "google-chrome")
    assert browser.find(good=anything) == on_path


def test_one_that_is_not_there_is_passed_over(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBLI_CHROMIUM", str(bare / "gone"))
    assert browser.find(good=anything) is None


def test_fetching_goes_on_until_one_is_good(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def way(name: str, brings: bool) -> None:
        def fetch() -> None:
            tried.append(name)
            if not brings:
                raise OSError("no network")
            put(bare / "chromium")

        monkeypatch.setattr(browser, f"from_{name}", fetch)

    way("playwright", brings=False)
    way("system", brings=True)
    way("npm", brings=True)
    monkeypatch.setattr(browser, "works", anything)
    monkeypatch.setattr(browser.find, "__defaults__", (anything,))
    assert browser.fetch() == str(bare / "chromium")
    assert tried == ["playwright", "system"]


def test_the_browser_draws(page: Page) -> None:
    page.set_content("<p>Kubli</p>")
    assert page.inner_text("p") == "Kubli"
