"""What every test shares: in CI a skipped test has failed, and browser tests find their browser."""

import os
from collections.abc import Generator

import pytest

import browser

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy comes: each core has its own worker already
IN_CI = os.environ.get("CI", "").lower() in ("1", "true")


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure when CI runs: there, whatever a test needs must be there."""
    if not IN_CI or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"skipped in CI, where nothing may be: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    fail_if_skipped(report)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for pytest-playwright's browser, so that ./check --fast can leave it out."""
    for item in items:
        if "playwright" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """pytest-playwright's launch arguments, with the browser that ./check found or one that is there."""
    path = browser.find(good=lambda _: True)
    if path is None:
        pytest.skip("no Chromium: ./check fetches one, or name one in KUBLI_CHROMIUM")
    return {**browser_type_launch_args, "executable_path": path, "args": list(browser.FLAGS)}
