"""Every game keeps the contract, and every rule id is in its docs, in its code and in a test."""

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kubli.games import GAMES, WORLDS
from kubli.games.contract import Game, Worlds
from kubli.games.kit import EVERYONE, NOBODY, OWNER, Fact

ROOT = Path(__file__).parent.parent.parent
SOURCES = {"darna": "darna", "narabi": "narabi", "darwins-dice": "darwin"}
LAST = {"darna": 22, "narabi": 20, "darwins-dice": 20}  # the number of the last rule
every = pytest.mark.parametrize("name", GAMES)


def ids(text: str, prefix: str) -> set[int]:
    return {int(found) for found in re.findall(rf"\b{prefix}-(\d+)", text)}


def keeps(module: Any, contract: Any) -> None:
    """Whether a module has what a Protocol names, with the same parameters."""
    for attribute in inspect.get_annotations(contract):
        assert hasattr(module, attribute), attribute
    for function, wanted in inspect.getmembers(contract, inspect.isfunction):
        if not function.startswith("_"):
            names = list(inspect.signature(wanted).parameters)[1:]
            assert list(inspect.signature(getattr(module, function)).parameters) == names, function
            assert inspect.getdoc(getattr(module, function)), f"{function} has no docstring"


@every
def test_a_game_defines_what_the_contract_names(name: str) -> None:
    keeps(GAMES[name], Game)


@pytest.mark.parametrize("name", WORLDS)
def test_a_second_module_defines_what_its_contract_names(name: str) -> None:
    keeps(WORLDS[name], Worlds)


@every
def test_every_state_field_has_a_range_and_an_audience(name: str) -> None:
    module = GAMES[name]
    for field in fields(module.State):
        meta = field.metadata
        if "words" in meta:
            continue
        assert meta["least"] <= meta["start"] <= meta["most"]
        assert meta["known"] in (NOBODY, EVERYONE, OWNER) or hasattr(module, meta["known"])


@every
def test_every_fact_is_in_the_record_format(name: str) -> None:
    text = (ROOT / "docs/guides/record.md").read_text()
    for fact in GAMES[name].FACTS:
        assert isinstance(fact, Fact)
        assert re.search(rf"\b{fact.what}\b", text), fact.what


@every
def test_every_rule_is_in_docs_code_and_a_test(name: str) -> None:
    prefix, every_id = GAMES[name].PREFIX, set(range(1, LAST[name] + 1))
    source = SOURCES[name]
    code = "".join(path.read_text() for path in sorted((ROOT / "src/kubli/games").glob(f"{source}*.py")))
    tests = (ROOT / f"tests/games/test_{source}.py").read_text()
    docs = (ROOT / f"docs/rules/{name}.md").read_text()
    assert {int(found) for found in re.findall(rf"\*\*{prefix}-(\d+)\*\*", docs)} == every_id
    assert ids(code, prefix) == every_id
    tested = {int(found) for found in re.findall(rf"def test_{prefix.lower()}_(\d+)_", tests)}
    assert tested == every_id


@every
def test_a_rules_file_is_short_enough_to_read(name: str) -> None:
    assert len((ROOT / f"src/kubli/games/{SOURCES[name]}.py").read_text().splitlines()) <= 400


@pytest.mark.parametrize("name", WORLDS)
def test_a_second_module_is_short_enough_to_read(name: str) -> None:
    assert len((ROOT / f"src/kubli/games/{SOURCES[name]}_worlds.py").read_text().splitlines()) <= 250
