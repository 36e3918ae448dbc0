"""The page's types are the server's: web/src/lib/schema.ts is what openapi-typescript makes of the API's description.

KUBLI_UPDATE=1 writes it.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

import build_web
from kubli.games import GAMES, decks
from kubli.server import deck, messages, openapi

PATH = build_web.WEB / "src" / "lib" / "schema.ts"
MAKE = ("node_modules/openapi-typescript/bin/cli.js", "--immutable", "--root-types", "--root-types-no-schema-prefix")


def untitled(value: Any) -> Any:
    """Without the titles, which say what the names say."""
    if isinstance(value, dict):
        return {key: untitled(one) for key, one in value.items() if key != "title" or isinstance(one, dict)}
    return [untitled(one) for one in value] if isinstance(value, list) else value


def made() -> str:
    """The messages as TypeScript. The page has its own list of endpoints (api.ts)."""
    build_web.install(dev=True)
    given = json.dumps({**openapi(), "paths": {}, "components": untitled(openapi()["components"])})
    command: list[str | Path] = [build_web.node()[0], *MAKE]
    done = subprocess.run(command, cwd=build_web.WEB, input=given, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def test_the_page_has_the_servers_types() -> None:
    found = made()
    if os.environ.get("KUBLI_UPDATE"):
        PATH.write_text(found)
    assert PATH.read_text() == found


def test_a_message_names_every_game() -> None:
    assert get_args(messages.GameName) == tuple(GAMES)


@pytest.mark.parametrize("name", decks.shipped())
def test_every_shipped_deck_is_of_its_type(name: str) -> None:
    game, _, called = name.partition("/")
    kind: Any = {"darna": deck.DarnaDeck, "narabi": deck.NarabiDeck, "darwins-dice": deck.DarwinDeck}[game]
    TypeAdapter(kind).validate_python(decks.read(game, called))
