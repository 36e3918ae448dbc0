"""The guide for many games runs."""

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "batch.md"


def test_the_guide_runs() -> None:
    found = doctest.testfile(str(GUIDE), module_relative=False)
    assert found.attempted >= 12
    assert found.failed == 0
