"""One whole game of each, as text: every event, what it says in words, and what changed in each viewer's eyes.

The files are read in review like code. KUBLI_UPDATE=1 writes them.
"""

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kubli import words
from kubli.play.chance import Seeded
from kubli.play.record import write
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.worlds import choose

GAMES = [("darna", 3, {}), ("narabi", 3, {"no_return": True, "questions": 1}), ("darwins-dice", 2, {"first": 1})]


def played(game: str, players: int, options: dict[str, Any]) -> list[dict[str, Any]]:
    table, random = Table(game, players, options, chance=Seeded(11)), Random(11)
    table.advance()
    while not table.over:
        event = choose(table, random)
        table.act(event["by"], event)
    return table.events


def news(value: Any, before: Any) -> Any:
    """Of a row of things, those that changed."""
    rows = isinstance(value, list) and value and isinstance(value[0], dict) and before
    return [one for one in value if one not in before] if rows else value


def told(game: str, players: int, options: dict[str, Any]) -> str:
    table = Table(game, players, options)
    viewers: list[Viewer] = [*range(players), SPECTATOR]
    teller = words.Teller(game, None, [f"Seat {seat}" for seat in range(players)])
    last: dict[Viewer, dict[str, Any]] = {who: {} for who in viewers}
    rows = [f"{table.game.TITLE}, {players} players, {write(table.options)}"]
    for index, event in enumerate(played(game, players, options)):
        table.happen(event)
        rows += ["", f"{index}. {write(event)}"]
        said = [fact for fact in table.facts if fact["event"] == index]
        rows += [f"   {words.text(teller.say(fact))} {fact['rule']}" for fact in said]
        for who in viewers:
            view = table.view(who)
            new = {name: value for name, value in view.items() if last[who].get(name, ...) != value}
            changed = {name: news(value, last[who].get(name)) for name, value in new.items()}
            last[who] = view
            rows += [f"   {who}: {write(changed)}"] if changed else []
    return "\n".join([*rows, "", write(table.result or {}), ""])


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
def test_a_whole_game_reads_as_it_did(game: str, players: int, options: dict[str, Any]) -> None:
    path, found = Path(__file__).with_name(f"{game}.txt"), told(game, players, options)
    if os.environ.get("KUBLI_UPDATE"):
        path.write_text(found)
    assert path.read_text() == found
