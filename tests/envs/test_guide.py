"""The guide for researchers runs, and so do the examples at the heads of the modules."""

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from kubli.envs import gymnasium, openspiel, pettingzoo

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "research.md"


def test_the_guide_runs() -> None:
    found = doctest.testfile(str(GUIDE), module_relative=False)
    assert found.attempted >= 45
    assert found.failed == 0


@pytest.mark.parametrize("module", [gymnasium, openspiel, pettingzoo])
def test_the_examples_of_the_modules_run(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted >= 3
    assert found.failed == 0
