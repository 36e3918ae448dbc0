"""Endpoints beside the tables: is it alive, what is there to play, who am I, where can others join."""

import asyncio
import functools
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kubli import __version__, words
from kubli.games import GAMES, Option, decks
from kubli.games.contract import Game
from kubli.games.faults import Fault
from kubli.server import address, messages, requests
from kubli.server.context import Known, Me, Server, The, cookie, named
from kubli.server.errors import Json, Problem, refused

__all__ = ["USUAL_PORT", "deck_called", "router"]

USUAL_PORT = 8400
# What `simple` needs (medians: 50 decisions; 12 to 19; 18 to 36 tricks), at 12, 40 and 20 seconds a person's thought.
MINUTES = {"darna": 10, "narabi": 10, "darwins-dice": 9}

router = APIRouter()


@router.get("/health", response_model=messages.Health, tags=["server"])
async def health(the: The) -> Response:
    """Whether the server is up: 200, or 503 when it cannot store anything any more."""
    if not the.store.alive:
        raise Problem(503, "failed")
    return Json({"ok": True, "version": __version__})


@router.get("/api/games", response_model=list[messages.GameInfo], tags=["lobby"])
async def games(the: The) -> Response:
    """What there is to play: games, options, decks (shipped ones and those in the data folder) and bots."""
    found = await asyncio.to_thread(decks.found, the.decks)
    return Json([about(the, game, [one for one in found if one.game == name]) for name, game in GAMES.items()])


def about(the: Server, game: Game, found: list[decks.Found]) -> dict[str, Any]:
    """A game as the lobby shows it."""
    return {
        "game": game.NAME,
        "title": game.TITLE,
        "players": [game.PLAYERS[0], game.PLAYERS[-1]],
        "minutes": MINUTES[game.NAME],
        "options": [option_info(game.PREFIX, option) for option in game.OPTIONS],
        "decks": [*shipped(game.NAME), *(deck_info(one.name, one.deck, one.faults) for one in found)],
        "bots": [{"name": name} for name in the.bots],
    }


@functools.cache
def shipped(game: str) -> list[dict[str, Any]]:
    """The decks of a game that Kubli brings, as the lobby shows them."""
    return [deck_info(name, decks.read(game, name)) for name in decks.names(game)]


def option_info(prefix: str, option: Option) -> dict[str, Any]:
    """An option as the lobby shows it."""
    kind = "bool" if isinstance(option.start, bool) else "int"
    rule = f"{prefix}-{option.rule}"
    limits = {"least": option.least, "most": option.most, "start": option.start}
    return {"name": option.name, "rule": rule, "kind": kind, **limits}


def deck_info(name: str, deck: dict[str, Any] | None, faults: list[Fault] | None = None) -> dict[str, Any]:
    """A deck as the lobby shows it; a file's title is its name."""
    title = str((deck or {}).get("name") or name)
    reconstructed, items = decks.provenance(deck) if deck else (0, 0)
    why = faults[0].refused() if faults else None
    fault = words.refusal(why.rule, why.code, why.values) if why else None
    return {"name": name, "title": title, "reconstructed": reconstructed, "items": items, "fault": fault}


async def deck_called(the: Server, game: str, name: str) -> str | dict[str, Any]:
    """A deck by its name: a shipped one by name, one from the data folder as an object, which travels in the record.

    Raises:
        Problem: 422; there is none, or something is wrong with it.
    """
    if game in GAMES and name in decks.names(game):
        return name
    for one in await asyncio.to_thread(decks.found, the.decks):
        if one.name == name and one.game == game:
            if one.deck is None:
                raise refused(one.faults[0].refused())
            return one.deck
    raise Problem(422, "unknown_deck", deck=name, decks=decks.names(game) if game in GAMES else [])


@router.get("/api/me", response_model=messages.Me, tags=["lobby"])
async def me(the: The, who: Me) -> Response:
    """How the person at this browser was last called."""
    return Json({"name": await the.store.name_of(who.browser) if who.browser else None})


@router.put("/api/me", response_model=messages.Me, tags=["lobby"])
async def rename(the: The, who: Me, known: Known, body: requests.Rename, request: Request) -> Response:
    """Call the person at this browser so from now on; seats already taken keep their names."""
    the.buckets.take("join", who.address)
    return cookie(request, Json({"name": await named(the, known, body.name)}), known)


@router.get("/api/address", response_model=messages.Address, tags=["lobby"])
async def where(the: The) -> Response:
    """Where others can open this server, or what to type so that they can."""
    found = await asyncio.to_thread(address.addresses, the.host, the.port)
    command = address.command(the.port, USUAL_PORT)
    return Json({"addresses": found, "local_only": address.is_local(the.host), "command": command})
