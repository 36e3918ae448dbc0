"""Slow and exact: all worlds that a viewer was told alike, each with its chance, and how far draws are from that."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeVar

from kubli.games import WORLDS
from kubli.games.contract import Event
from kubli.games.kit import CHANCE, Luck
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.worlds import clone

T = TypeVar("T")


def number_of(table: Table, viewer: Viewer) -> int:
    """A viewer as the rules number it."""
    return table.players if viewer == SPECTATOR else int(viewer)


def redealt(table: Table, told: list[dict[str, Any]], viewer: Viewer, draws: int, seed: int) -> Iterator[list[Event]]:
    """So many redealt worlds, as events."""
    worlds, luck, v = WORLDS[table.game.NAME], Luck(seed), table.variant
    world = worlds.known(v, told, number_of(table, viewer))
    out = [0] * len(world.actions)
    for _ in range(draws):
        worlds.redeal(v, world, luck, out)
        done = zip(world.by, out, strict=False)
        yield [{"by": "chance" if by == CHANCE else by, **table.game.event(v, action)} for by, action in done]


def drawn(table: Table, viewer: Viewer, draws: int, seed: int) -> Counter[str]:
    """The same, written out and counted."""
    return Counter(map(json.dumps, redealt(table, table.told(viewer), viewer, draws, seed)))


def telling(table: Table, viewer: Viewer) -> dict[str, Fraction]:
    """Every world that tells this viewer just the same, with its chance: found by trying all that could happen."""
    rules, v, number = table.game, table.variant, number_of(table, viewer)
    wanted = [json.dumps(fact) for fact in table.told(viewer)]
    found: dict[str, Fraction] = {}

    def reach(s: Any, events: list[Event], at: int, weight: Fraction) -> None:
        index = max(0, len(events) - 1)
        for one in s.facts:
            rule, fields = f"{rules.PREFIX}-{one.rule}", one.fields_for(v, number)
            fact = {"what": one.fact.what, "event": index, "rule": rule, **fields}
            if at == len(wanted) or json.dumps(fact) != wanted[at]:
                return
            at += 1
        s.facts.clear()
        if at == len(wanted):
            found[json.dumps(events)] = weight
        else:
            go_on(s, events, at, weight)

    def go_on(s: Any, events: list[Event], at: int, weight: Fraction) -> None:
        n, room = rules.outcomes(v, s), [0] * rules.ACTIONS
        drawn = Counter(rules.draw(v, s, k) for k in range(n))
        ways = [(CHANCE, action, Fraction(many, n)) for action, many in drawn.items()]
        for seat in range(v.players):
            ways += [(seat, action, Fraction(1)) for action in room[: rules.legal(v, s, seat, room)]]
        for by, action, chance in ways:
            after = clone(s)
            rules.step(v, after, by, action)
            event = {"by": "chance" if by == CHANCE else by, **rules.event(v, action)}
            reach(after, [*events, event], at, weight * chance)

    start = rules.State()
    rules.setup(v, start)
    reach(start, [], 0, Fraction(1))
    return found


def deviation(weights: dict[T, Fraction], drawn: Counter[T]) -> float:
    """How far draws are from their weights: χ² as a standard normal deviate (Wilson and Hilferty, 1931).

    Cells that would hold fewer than five draws are taken together.
    """
    draws, whole = drawn.total(), sum(weights.values())
    cells: list[tuple[float, int]] = []
    rest, many = 0.0, 0
    for world, weight in weights.items():
        expected = float(draws * weight / whole)
        if expected >= 5:
            cells.append((expected, drawn[world]))
        else:
            rest, many = rest + expected, many + drawn[world]
    cells += [(rest, many)] if rest >= 5 else []
    degrees = max(1, len(cells) - 1)
    square = sum((many - expected) ** 2 / expected for expected, many in cells)
    return float(((square / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5)
