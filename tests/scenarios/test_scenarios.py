"""Every hand-derived scenario, through what `kubli replay --json` answers (README.md here has the fields)."""

import json
from pathlib import Path
from typing import Any

import pytest

from kubli.play.record import Illegal, parse
from kubli.play.replay import answer

FILES = sorted(Path(__file__).parent.glob("*.json"))
RESULT = {
    "darna": {"winner", "how", "utilities"},
    "narabi": {"won", "exchanges", "how", "direction", "utilities"},
    "darwins-dice": {"points", "winners", "how", "utilities"},
}


def write(event: dict[str, Any]) -> str:
    return json.dumps(event, sort_keys=True)


def has(fact: dict[str, Any], partial: dict[str, Any]) -> bool:
    return all(name in fact and fact[name] == value for name, value in partial.items())


def in_order(facts: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The wanted partial facts that do not occur in this order."""
    rest = iter(facts)
    return [one for one in wanted if not any(has(fact, one) for fact in rest)]


def test_every_game_has_scenarios() -> None:
    assert len(FILES) >= 99


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    scenario = json.loads(path.read_text())
    record, expect = scenario["record"], scenario["expect"]
    line = json.dumps(record).encode()
    if "illegal" in expect:
        with pytest.raises(Illegal) as refused:
            answer(parse(line))
        assert refused.value.index == expect["illegal"]["index"]
        assert refused.value.rule == expect["illegal"]["rule"]
        return
    found = answer(parse(line))
    assert in_order(found["facts"], expect.get("facts", [])) == []
    for never in expect.get("never", []):
        assert not any(has(fact, never) for fact in found["facts"])
    assert found["finished"] is expect.get("finished", found["finished"])
    for name in expect.get("result", {}).keys() & RESULT[record["game"]]:
        assert found["result"][name] == expect["result"][name]
    for who, wanted in expect.get("legal", {}).items():
        check_legal(found["legal"][who], wanted)
    for who, wanted in expect.get("views", {}).items():
        check_told(found["told"][who], wanted)


def check_legal(legal: list[dict[str, Any]], wanted: dict[str, Any]) -> None:
    if "exactly" in wanted:
        assert sorted(map(write, legal)) == sorted(map(write, wanted["exactly"]))
    assert all(event in legal for event in wanted.get("has", []))
    assert not any(event in legal for event in wanted.get("not", []))
    assert len(legal) == wanted.get("count", len(legal))


def check_told(told: list[dict[str, Any]], wanted: dict[str, Any]) -> None:
    assert all(any(has(fact, one) for fact in told) for one in wanted.get("has", []))
    assert not any(has(fact, one) for one in wanted.get("not", []) for fact in told)
    for partial, field in wanted.get("without", []):
        assert any(has(fact, partial) for fact in told)
        assert not any(has(fact, partial) and field in fact for fact in told)
