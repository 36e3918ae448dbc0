"""How many nodes and information sets the tiny variants have, counted by walking every game there is.

A changed count is a changed rule: the files beside this one are read in review like code. KUBLI_UPDATE=1 writes them.
Where several seats may choose, the lowest is taken first. An information set is all that a seat was told up to its
decision.
"""

import json
import os
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kubli.games.kit import CHANCE
from kubli.play.table import Table

TINY = {"darna": 2, "narabi": 3, "darwins-dice": 2}
OPTIONS = {"darna": {"max_turns": 2}, "narabi": {"questions": 1}, "darwins-dice": {}}


def copied(value: Any) -> Any:
    return [copied(one) for one in value] if isinstance(value, list) else value


def clone(state: Any) -> Any:
    other = object.__new__(type(state))
    for field in fields(state):
        setattr(other, field.name, copied(getattr(state, field.name)))
    return other


class Walk:
    """Every game of a table, without its record: States, and what each seat was told so far."""

    def __init__(self, table: Table) -> None:
        self.rules, self.v, self.table = table.game, table.variant, table
        self.nodes: Counter[str] = Counter()
        self.sets: list[set[int]] = [set() for _ in range(table.players)]
        self.outcomes: Counter[str] = Counter()

    def down(self, s: Any, told: tuple[str, ...]) -> None:
        rules, v = self.rules, self.v
        told = self.heard(s, told)
        if rules.over(v, s):
            self.nodes["terminal"] += 1
            self.outcomes[json.dumps(rules.result(v, s))] += 1
        elif n := rules.outcomes(v, s):
            self.nodes["chance"] += 1
            for k in range(n):
                self.step(s, told, CHANCE, rules.draw(v, s, k))
        else:
            bits = rules.to_act(v, s)
            seat = (bits & -bits).bit_length() - 1
            self.nodes["decision"] += 1
            self.sets[seat].add(hash(told[seat]))
            room = [0] * rules.ACTIONS
            for action in room[: rules.legal(v, s, seat, room)]:
                self.step(s, told, seat, action)

    def step(self, s: Any, told: tuple[str, ...], by: int, action: int) -> None:
        after = clone(s)
        self.rules.step(self.v, after, by, action)
        self.down(after, told)

    def heard(self, s: Any, told: tuple[str, ...]) -> tuple[str, ...]:
        new = s.facts[:]
        s.facts.clear()
        return tuple(
            told[seat] + "".join(f"{one.fact.what}{one.fields_for(self.v, seat)}" for one in new)
            for seat in range(self.v.players)
        )


def counted(game: str) -> str:
    table = Table(game, TINY[game], OPTIONS[game], "tiny")
    walk = Walk(table)
    state = table.game.State()
    table.game.setup(table.variant, state)
    walk.down(state, ("",) * table.players)
    rows = [f"{kind} nodes: {walk.nodes[kind]}" for kind in ("chance", "decision", "terminal")]
    rows += [f"information sets of seat {seat}: {len(one)}" for seat, one in enumerate(walk.sets)]
    rows += [f"ends {what}: {count}" for what, count in sorted(walk.outcomes.items())]
    return "\n".join([f"{game}, tiny, {TINY[game]} players, {json.dumps(table.options)}", *rows, ""])


@pytest.mark.parametrize("game", TINY)
def test_the_tiny_variant_has_these_nodes_and_information_sets(game: str) -> None:
    path, found = Path(__file__).with_name(f"{game}.txt"), counted(game)
    if os.environ.get("KUBLI_UPDATE"):
        path.write_text(found)
    assert path.read_text() == found
