"""What does not fit on a page, by measure.js."""

from pathlib import Path

from playwright.sync_api import Page

__all__ = ["measured"]

MEASURE = Path(__file__).with_name("measure.js").read_text()


def measured(page: Page, where: str = "") -> list[str]:
    """What does not fit on the page as it stands: too wide, too small, cut off, covered."""
    found: list[str] = page.evaluate(MEASURE)
    return [f"{where}: {one}" for one in found]
