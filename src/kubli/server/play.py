"""Endpoints of a game: see it, follow it, act, ask what a bot would do, talk; and look back when it is over."""

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from kubli.games.contract import Event, Refused
from kubli.play import SPECTATOR, Table
from kubli.play.table import Viewer
from kubli.server import address, messages, names, people, requests
from kubli.server.context import TOLD, Me, Server, The
from kubli.server.errors import Json, Problem
from kubli.server.lobby import USUAL_PORT
from kubli.server.room import Room
from kubli.server.seating import Role
from kubli.server.stream import Stream
from kubli.server.tables import Caller
from kubli.server.turns import question

__all__ = ["router"]

router = APIRouter(tags=["game"], dependencies=[*TOLD], prefix="/api/tables/{table}")

HINT_SECONDS = 0.5


def looking(the: Server, room: Room, who: Caller) -> Role:
    """What somebody is here who may look on.

    Raises:
        Problem: 401, 403; they may not.
    """
    role = the.tables.role(room, who)
    if not room.may_see(role):
        raise Problem(403, "watch_forbidden")
    return role


@router.get("", response_model=messages.Snapshot)
async def snapshot(the: The, who: Me, table: str) -> Response:
    """The table, whole, as you may see it."""
    live = await the.tables.live(table)

    def look(room: Room) -> dict[str, Any]:
        role, setup, game = looking(the, room, who), room.setup, room.table.game
        return {
            "table": room.id,
            "game": setup.game,
            "title": game.TITLE,
            "players": setup.players,
            "options": room.table.options,
            "deck": room.table.variant.deck,
            "deck_name": setup.deck_name,
            "commitment": the.outside.commitment(room.secret),
            "watch": setup.watch,
            "host": role.host,
            "viewer": role.viewer,
            "offered": role.offered,
            "seats": the.tables.seats(live, room),
            "state": room.state,
            "entry": room.entry,
            "now": room.now(role.viewer),
            "log": room.log(role.viewer),
            "talk_allowed": role.seat is not None and not room.silent,
            "again": room.again,
        }

    return Json(await the.tables.read(table, look))


@router.get(
    "/stream",
    response_class=Stream,
    status_code=200,
    responses={200: {"model": messages.News | messages.SeatsNews, "description": "Server-sent events."}},
)
async def stream(
    the: The,
    who: Me,
    table: str,
    after: Annotated[int, Query(ge=0, description="The last entry that you know.")] = 0,
    last_event_id: Annotated[str | None, Header(description="As `after`, sent by EventSource; it counts more.")] = None,
) -> Response:
    """Follow the table. `event: entry` brings News; `seats` who is here; `ping` is a sign of life; `closed` the end."""
    if last_event_id:
        if not last_event_id.isdecimal() or len(last_event_id) > 9:
            raise Problem(422, "bad_request", where="Last-Event-ID")
        after = int(last_event_id)
    live = await the.tables.live(table)

    def look(room: Room) -> None:
        looking(the, room, who)
        if after > room.entry:
            raise Problem(422, "bad_after", most=room.entry)

    await the.tables.read(table, look)
    return Stream(the.tables, live, who, after)


@router.post("/act", response_model=messages.Acted)
async def act(the: The, who: Me, table: str, body: requests.Act) -> Response:
    """Do something. Sent again with the same `id` it is still one move; too late, it is refused with what holds now."""

    def step(room: Room) -> tuple[int, Any]:
        seat = people.own(the.tables.role(room, who))
        if not room.full:
            raise Problem(409, "not_started")
        key, event = f"{seat} {body.id}", {"by": seat, **body.event}
        if (before := room.requests.get(key)) is not None:
            return resent(room, before.number, before.data.get("event"), event), room.now(seat)
        if type(event["by"]) is not int or event["by"] != seat:
            raise Problem(403, "not_your_seat")
        if room.asked[seat] is None or body.at != room.asked[seat]:
            raise Problem(409, "stale", more={"now": room.now(seat)})
        return room.act(seat, event, key), room.now(seat)

    entry, now = await the.tables.change(table, step)
    return Json({"entry": entry, "now": now})


def resent(room: Room, number: int, before: Event | None, event: Event) -> int:
    """The entry that a request became when it first came.

    Raises:
        Problem: 409; it was another one.
    """
    game, variant = room.table.game, room.table.variant
    with contextlib.suppress(Refused):
        if before and game.action(variant, before) == game.action(variant, event):
            return number
    raise Problem(409, "same_request")


@router.get("/hint", response_model=messages.Hint)
async def hint(the: The, who: Me, table: str, bot: str = "simple") -> Response:
    """What a bot would do in your place, and why; it knows what you know."""
    the.buckets.take("think", who.address)
    people.known_bot(bot, the.bots)

    def look(room: Room) -> Any:
        seat = people.own(the.tables.role(room, who))
        if room.asked[seat] is None:
            raise Problem(409, "no_hint")
        return question(room, seat)

    event, why = await the.tables.turns.think(bot, await the.tables.read(table, look), HINT_SECONDS)
    return Json({"event": event, "why": why})


@router.post("/talk", response_model=messages.Talked)
async def talk(the: The, who: Me, table: str, body: requests.Talk) -> Response:
    """Say something to all at the table."""
    the.buckets.take("talk", who.address)
    text = names.talk(body.text, the.limits.talk)

    def step(room: Room) -> int:
        return people.say(room, the.tables.role(room, who), text, body.id, the.limits.lines)

    entry = await the.tables.change(table, step)
    return Json({"entry": entry})


@router.get("/record", response_model=messages.Told)
async def record(the: The, who: Me, table: str) -> Response:
    """The record: whole when the game is over, before that what you were told."""

    def look(room: Room) -> dict[str, Any]:
        role = looking(the, room, who)
        if room.state == "over":
            return whole(the, room)
        if not room.full:
            raise Problem(409, "not_started")
        head = {"kubli": 1, "game": room.setup.game, "players": room.setup.players}
        return {**head, "as": role.viewer, "told": room.table.told(role.viewer)}

    found = await the.tables.read(table, look)
    return Json(found, headers={"Content-Disposition": f'attachment; filename="kubli-{found["game"]}.json"'})


def whole(the: Server, room: Room) -> dict[str, Any]:
    """The record of a finished game, with all that lets anybody check its chance."""
    fairness = {
        "commitment": the.outside.commitment(room.secret),
        "secret": room.secret.hex(),
        "entropy": [None] * room.setup.players,
        "draws": room.table.draws,
    }
    notes = [
        {"at": number, "by": room.table.events[number]["by"], "what": "why", "why": why}
        for number, why in room.reasons.items()
    ]
    return room.table.record(seats=[seat.name for seat in room.seats], fairness=fairness, notes=notes)


@router.get("/steps/{k}", response_model=messages.Step)
async def step(
    the: The,
    who: Me,
    table: str,
    k: int,
    as_: Annotated[str, Query(alias="as", description='A seat, or "spectator".', max_length=20)] = SPECTATOR,
) -> Response:
    """A finished game after k events, through the eyes of any seat."""
    the.buckets.take("look", who.address)

    def look(room: Room) -> tuple[Room, Viewer]:
        looking(the, room, who)
        if room.state != "over":
            raise Problem(409, "not_over")
        if not 0 <= k <= len(room.table.events):
            raise Problem(404, "bad_step", most=len(room.table.events))
        return room, viewer_called(as_, room.setup.players)

    room, viewer = await the.tables.read(table, look)
    return Json(await asyncio.to_thread(after, room, k, viewer))


def viewer_called(name: str, players: int) -> Viewer:
    """A viewer by what a link calls it.

    Raises:
        Problem: 422; there is none.
    """
    if name != SPECTATOR and name not in map(str, range(players)):
        raise Problem(422, "bad_viewer", most=players - 1)
    return SPECTATOR if name == SPECTATOR else int(name)


def after(room: Room, k: int, viewer: Viewer) -> dict[str, Any]:
    """A finished game played over again for k events."""
    setup, events = room.setup, room.table.events
    table = Table(setup.game, setup.players, setup.options, setup.deck)
    for event in events[:k]:
        table.happen(event)
    facts = table.told(viewer, k - 1) if k else []
    return {
        "k": k,
        "of": len(events),
        "event": events[k - 1] if k else None,
        "facts": facts,
        "view": table.view(viewer),
    }


@router.get("/qr.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def qr(the: The, who: Me, table: str) -> Response:
    """The table's link as a picture to point a phone at, if others can open it."""
    await the.tables.read(table, lambda room: looking(the, room, who))
    found = await asyncio.to_thread(address.addresses, the.host, the.port)
    if not found:
        raise Problem(409, "local_only", command=address.command(the.port, USUAL_PORT))
    return Response(address.qr(f"{found[0]}/t/{table}"), media_type="image/svg+xml")
