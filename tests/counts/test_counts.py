"""How many nodes and information sets small variants have, counted by walking every game there is.

A changed count is a changed rule: the files beside this one are read in review like code. KUBLI_UPDATE=1 writes them.
Where several seats may choose, the lowest is taken first. Histories that leave the same State and told every seat the
same (deals in another order) are walked together and counted each. An information set is all that a seat was told up to
its decision, the cards it was dealt in any order.
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
from laws.worlds import clone

SMALL: list[tuple[str, str, int, dict[str, Any]]] = [
    ("darna", "tiny", 2, {"max_turns": 2}),
    ("narabi", "tiny", 3, {}),
    ("narabi", "small", 4, {"questions": 0}),
    ("darwins-dice", "tiny", 2, {}),
]
Told = tuple[tuple[str, ...], int]
"""What a seat was told: its deals, sorted, and a hash of all the rest in its order."""


def frozen(value: Any) -> Any:
    return tuple(map(frozen, value)) if isinstance(value, list) else value


class Walk:
    """Every game of a table, level by level, without its record: States, and what each seat was told so far."""

    def __init__(self, table: Table) -> None:
        self.rules, self.v = table.game, table.variant
        self.names = [field.name for field in fields(self.rules.State) if "shape" in field.metadata]
        self.nodes: Counter[str] = Counter()
        self.sets: list[set[Told]] = [set() for _ in range(table.players)]
        self.ends: Counter[str] = Counter()
        self.next: dict[Any, list[Any]] = {}
        self.reach(self.begun(), (((), 0),) * table.players, 1)
        while self.next:
            level, self.next = self.next, {}
            for state, told, count in level.values():
                self.visit(state, told, count)

    def begun(self) -> Any:
        state = self.rules.State()
        self.rules.setup(self.v, state)
        return state

    def reach(self, s: Any, told: tuple[Told, ...], count: int) -> None:
        told = tuple(self.heard(one, seat, s.facts) for seat, one in enumerate(told))
        s.facts.clear()
        key = (tuple(frozen(getattr(s, name)) for name in self.names), told)
        self.next.setdefault(key, [s, told, 0])[2] += count

    def heard(self, told: Told, seat: int, facts: list[Any]) -> Told:
        dealt, rest = told
        for one in facts:
            said = f"{one.fact.what}{one.fields_for(self.v, seat)}"
            if one.fact.what in ("dealt", "card_dealt", "sleeve_dealt", "stones_dealt"):
                dealt = tuple(sorted((*dealt, said)))
            else:
                rest = hash((rest, said))
        return dealt, rest

    def visit(self, s: Any, told: tuple[Told, ...], count: int) -> None:
        rules, v = self.rules, self.v
        if rules.over(v, s):
            self.nodes["terminal"] += count
            self.ends[json.dumps(rules.result(v, s))] += count
        elif n := rules.outcomes(v, s):
            self.nodes["chance"] += count
            for k in range(n):
                self.step(s, told, count, CHANCE, rules.draw(v, s, k))
        else:
            bits = rules.to_act(v, s)
            seat = (bits & -bits).bit_length() - 1
            self.nodes["decision"] += count
            self.sets[seat].add(told[seat])
            room = [0] * rules.ACTIONS
            for action in room[: rules.legal(v, s, seat, room)]:
                self.step(s, told, count, seat, action)

    def step(self, s: Any, told: tuple[Told, ...], count: int, by: int, action: int) -> None:
        after = clone(s)
        self.rules.step(self.v, after, by, action)
        self.reach(after, told, count)


def counted(game: str, deck: str, players: int, options: dict[str, Any]) -> str:
    table = Table(game, players, options, deck)
    walk = Walk(table)
    rows = [f"{kind} nodes: {walk.nodes[kind]}" for kind in ("chance", "decision", "terminal")]
    rows += [f"information sets of seat {seat}: {len(one)}" for seat, one in enumerate(walk.sets)]
    rows += [f"ends {what}: {count}" for what, count in sorted(walk.ends.items())]
    return "\n".join([f"{game}, {deck}, {players} players, {json.dumps(table.options)}", *rows, ""])


@pytest.mark.parametrize(("game", "deck", "players", "options"), SMALL)
def test_a_small_variant_has_these_nodes_and_information_sets(
    game: str, deck: str, players: int, options: dict[str, Any]
) -> None:
    path, found = Path(__file__).with_name(f"{game}-{deck}.txt"), counted(game, deck, players, options)
    if os.environ.get("KUBLI_UPDATE"):
        path.write_text(found)
    assert path.read_text() == found
