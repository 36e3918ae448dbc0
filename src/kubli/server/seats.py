"""Endpoints of a table's seats: open one, join, bots, codes, and playing again."""

from datetime import timedelta
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kubli.games import GAMES
from kubli.server import messages, people, requests
from kubli.server.context import TOLD, Known, Me, Server, The, cookie, named
from kubli.server.errors import Json, Problem
from kubli.server.lobby import deck_called
from kubli.server.room import Room
from kubli.server.seating import Setup

__all__ = ["router"]

LATELY = timedelta(days=1)  # an open table that nobody has touched for so long counts no more

router = APIRouter(tags=["seats"], dependencies=[*TOLD])


@router.post("/api/tables", response_model=messages.Opened, status_code=201)
async def open_table(the: The, who: Me, known: Known, body: requests.NewTable, request: Request) -> Response:
    """Open a table. You are its host, and have the seat that is "me". The game begins when every seat is taken."""
    the.buckets.take("create", who.address)
    if body.game not in GAMES:
        raise Problem(422, "unknown_game", game=body.game, games=", ".join(GAMES))
    since = (the.outside.now() - LATELY).isoformat(timespec="milliseconds")
    going, mine = await the.store.open_tables(known.id, since)
    for count, most in ((mine, the.limits.tables_of_browser), (going, the.limits.tables)):
        if count >= most:
            raise Problem(429, "too_many_tables", limit=most, seconds=60)
    deck = body.deck if isinstance(body.deck, dict) else await deck_called(the, body.game, body.deck)
    deck_name = body.deck if isinstance(body.deck, str) else str(body.deck.get("name") or "")[:80]
    rules = GAMES[body.game].RULES
    setup = Setup(body.game, rules, body.players, body.options, deck, deck_name, body.watch)
    name = await named(the, known, body.name) if "me" in body.seats else ""
    seats = people.first_seats(body.seats, body.players, name, known.id, the.bots)
    room, _ = await the.tables.open(setup, known.id, seats)
    seat = room.role(known.id).seat
    made = {"table": room.id, "seat": seat, "token": the.tables.token(room, seat)}
    return cookie(request, Json(made, 201), known)


@router.get("/api/tables", response_model=list[messages.TableLine], tags=["lobby"])
async def tables(the: The, who: Me) -> Response:
    """The tables of this browser: those that go on first, then those that changed last."""
    found = await the.store.tables_of(who.browser, 100) if who.browser else []
    return Json(
        [
            {
                "table": one.table,
                "game": one.game,
                "seat": one.seat,
                "names": one.summary["names"],
                "state": one.state,
                "your_turn": one.seat in one.summary["to_act"],
                "waiting_for": one.summary["to_act"],
                "updated": one.updated,
            }
            for one in found
        ]
    )


@router.post("/api/tables/{table}/join", response_model=messages.Joined)
async def join(the: The, who: Me, known: Known, table: str, body: requests.Join, request: Request) -> Response:
    """Take a free seat. It is bound to your browser by its cookie, never to a link."""
    the.buckets.take("join", who.address)
    await the.tables.live(table)
    name = await named(the, known, body.name)
    seat = await the.tables.change(table, partial(people.join, browser=known.id, wish=body.seat, name=name))
    token = await the.tables.read(table, lambda room: the.tables.token(room, seat))
    return cookie(request, Json({"seat": seat, "token": token}), known)


@router.post("/api/tables/{table}/seats/{seat}", response_model=messages.Seated)
async def put_bot(the: The, who: Me, table: str, seat: int, body: requests.PutBot) -> Response:
    """The host puts a bot on a free seat, before anything is dealt."""

    def step(room: Room) -> None:
        people.put_bot(room, the.tables.role(room, who), seat, body.bot, the.bots)

    await the.tables.change(table, step)
    return await seated(the, table)


@router.delete("/api/tables/{table}/seats/{seat}", response_model=messages.Seated)
async def free(the: The, who: Me, table: str, seat: int) -> Response:
    """The host frees a seat, before anything is dealt."""
    await the.tables.change(table, lambda room: people.free(room, the.tables.role(room, who), seat))
    return await seated(the, table)


async def seated(the: Server, table: str) -> Response:
    """Who sits where now."""
    live = await the.tables.live(table)
    return Json({"seats": await the.tables.read(table, partial(the.tables.seats, live))})


@router.post("/api/tables/{table}/code", response_model=messages.Code)
async def code(the: The, who: Me, table: str) -> Response:
    """A code that moves your seat to another browser, once, for five minutes."""
    the.buckets.take("code", who.address)

    def look(room: Room) -> dict[str, Any]:
        code, until = the.codes.give(room, people.own(the.tables.role(room, who)))
        return {"code": code, "expires": until.isoformat(timespec="seconds")}

    return Json(await the.tables.read(table, look))


@router.post("/api/code", response_model=messages.CodeTaken)
async def use_code(the: The, who: Me, known: Known, body: requests.UseCode, request: Request) -> Response:
    """Take over a seat here, by a code that its browser shows."""
    the.buckets.take("code", who.address)
    ticket = the.codes.look(body.code)

    def step(room: Room) -> None:
        the.codes.look(body.code)  # nobody was quicker
        if room.seats[ticket.seat].since != ticket.since:
            raise Problem(403, "bad_code")
        people.move(room, ticket.seat, known.id)

    await the.tables.change(ticket.table, step)
    the.codes.use(body.code)
    token = await the.tables.read(ticket.table, lambda room: the.tables.token(room, ticket.seat))
    return cookie(request, Json({"table": ticket.table, "seat": ticket.seat, "token": token}), known)


@router.post("/api/tables/{table}/again", response_model=messages.Again)
async def again(the: The, who: Me, table: str) -> Response:
    """Play again with the same people: the first to ask opens the table, and everybody who asks takes their seat there.

    Their seats are kept for them until the host frees them.
    """
    the.buckets.take("create", who.address)
    opened: list[Room] = []

    def step(room: Room) -> tuple[str, str]:
        opened.clear()
        browser = str(room.seats[people.own(the.tables.role(room, who))].browser)
        if room.again:
            return room.again, browser
        if room.state != "over":
            raise Problem(409, "not_over")
        new, _ = the.tables.begin(room.setup, browser, people.replay_seats(room, browser))
        opened.append(new)
        room.along.append(new.append(new=True))
        room.add("again", {"table": new.id})
        return new.id, browser

    made, browser = await the.tables.change(table, step)
    for room in opened:
        room.fresh.clear()
        the.tables.opened(room)
    seat = await the.tables.change(made, partial(people.take_kept, browser=browser))
    token = None if seat is None else await the.tables.read(made, lambda room: the.tables.token(room, seat))
    return Json({"table": made, "seat": seat, "token": token})
