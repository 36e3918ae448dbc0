"""Who sits where, and what people do beside the game: steps on a Room, each checked before anything changes."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from kubli.server.errors import Problem
from kubli.server.outside import Outside
from kubli.server.room import Room
from kubli.server.seating import Role, Seat

__all__ = [
    "BOT_NAMES",
    "Codes",
    "first_seats",
    "free",
    "join",
    "known_bot",
    "move",
    "own",
    "put_bot",
    "replay_seats",
    "say",
    "take_kept",
]

BOT_NAMES = ("Ube", "Pandan", "Langka", "Buko", "Kalamansi", "Guyabano", "Atis", "Rambutan")

Change = dict[str, Any]
"""A seat as an entry of kind "seats" has it."""


def person(seat: int, name: str, browser: str) -> Change:
    """A seat that a person has."""
    return {"seat": seat, "kind": "person", "name": name, "browser": browser}


def bot(seat: int, bot: str, names: Collection[str | None]) -> Change:
    """A seat that a bot has, under a name that nobody here has."""
    name = next((name for name in BOT_NAMES if name not in names), BOT_NAMES[0])
    return {"seat": seat, "kind": "bot", "name": name, "bot": bot}


def kept(seat: int, one: Seat) -> Change:
    """A seat kept for whoever had it: they take it with one click."""
    return {"seat": seat, "kind": "open", "name": one.name, "offered": one.browser}


def first_seats(wishes: list[str], players: int, name: str, browser: str, bots: Collection[str]) -> list[Change]:
    """The seats of a new table.

    Raises:
        Problem: 422; not one wish a seat, more than one "me", or a bot that is not there.
    """
    if len(wishes) != players or wishes.count("me") > 1:
        raise Problem(422, "bad_seats")
    changes: list[Change] = []
    for seat, wish in enumerate(wishes):
        if wish == "me":
            changes.append(person(seat, name, browser))
        elif wish.startswith("bot:"):
            known_bot(wish.removeprefix("bot:"), bots)
            changes.append(bot(seat, wish.removeprefix("bot:"), {name, *(one["name"] for one in changes)}))
        elif wish != "friend":
            raise Problem(422, "bad_seats")
    return changes


def replay_seats(room: Room, browser: str) -> list[Change]:
    """The seats of the table where the same people play next: whoever asks for it sits already."""
    changes = []
    for number, seat in enumerate(room.seats):
        if seat.kind == "bot":
            changes.append({"seat": number, "kind": "bot", "name": seat.name, "bot": seat.bot})
        else:
            same = seat.browser == browser
            changes.append(person(number, str(seat.name), browser) if same else kept(number, seat))
    return changes


def join(room: Room, browser: str, wish: int | None, name: str) -> int:
    """A guest takes a seat; taking one's own seat again changes nothing.

    Raises:
        Problem: 404, 409; there is no such seat, or it is not free, or all are taken.
    """
    role = room.role(browser)
    if role.seat is not None:
        if wish in (None, role.seat):
            return role.seat
        raise Problem(409, "already_seated")
    if room.full:
        raise Problem(409, "table_full")
    seat = first_free(room, role) if wish is None else wish
    one = seat_of(room, seat)
    if one.kind != "open" or one.offered not in (None, browser):
        raise Problem(409, "seat_taken")
    given_up = [{"seat": role.offered, "kind": "open"}] if role.offered not in (None, seat) else []
    room.sit(person(seat, name, browser), *given_up)
    return seat


def take_kept(room: Room, browser: str) -> int | None:
    """Whoever a seat is kept for takes it; returns the seat they have then, or None."""
    role = room.role(browser)
    if role.seat is None and role.offered is not None and not room.full:
        room.sit(person(role.offered, str(room.seats[role.offered].name), browser))
        return role.offered
    return role.seat


def first_free(room: Room, role: Role) -> int:
    """The seat kept for somebody, or the first that is kept for nobody."""
    if role.offered is not None:
        return role.offered
    free_ = [number for number, seat in enumerate(room.seats) if seat.kind == "open" and not seat.offered]
    if not free_:
        raise Problem(409, "table_full")
    return free_[0]


def put_bot(room: Room, role: Role, seat: int, name: str, bots: Collection[str]) -> None:
    """The host puts a bot on a free seat, or another bot in a bot's place.

    Raises:
        Problem: 403, 404, 409, 422.
    """
    before_the_deal(room, role)
    known_bot(name, bots)
    if seat_of(room, seat).kind == "person":
        raise Problem(409, "seat_taken")
    room.sit(bot(seat, name, [one.name for number, one in enumerate(room.seats) if number != seat]))


def free(room: Room, role: Role, seat: int) -> None:
    """The host frees a seat of a guest or a bot, or one that was kept.

    Raises:
        Problem: 403, 404, 409.
    """
    before_the_deal(room, role)
    one = seat_of(room, seat)
    if one.kind == "open" and not one.offered:
        raise Problem(409, "seat_free")
    if one.browser is not None and one.browser == room.host:
        raise Problem(409, "host_seat")
    room.sit({"seat": seat, "kind": "open"})


def before_the_deal(room: Room, role: Role) -> None:
    """Only the host, and only while seats may still change hands."""
    if not role.host:
        raise Problem(403, "host_only")
    if room.full:
        raise Problem(409, "already_started")


def move(room: Room, seat: int, browser: str) -> None:
    """A seat moves to another browser, the host's with what a host may do.

    Raises:
        Problem: 403, 409; nobody has that seat any more, or that browser has another one here.
    """
    one = room.seats[seat]
    held = room.role(browser).seat
    if one.kind != "person":
        raise Problem(403, "bad_code")
    if held not in (None, seat):
        raise Problem(409, "already_seated")
    if held is None:
        host = browser if one.browser == room.host else None
        room.sit(person(seat, str(one.name), browser), host=host)


def say(room: Room, role: Role, text: str, request: str, most: int) -> int:
    """Somebody at the table says something, the `most`-th line at most; returns the entry. A resend says it once.

    Raises:
        Problem: 403, 409.
    """
    seat = own(role)
    if room.silent:
        raise Problem(403, "silent")
    key = f"{seat} {request}"
    if (before := room.requests.get(key)) is not None:
        if before.data.get("text") != text:
            raise Problem(409, "same_request")
        return before.number
    if room.talk >= most:
        raise Problem(409, "talk_full", limit=most)
    return room.add("talk", {"seat": seat, "text": text}, key)


def own(role: Role) -> int:
    """The seat of whoever asks.

    Raises:
        Problem: 403; they have none here.
    """
    if role.seat is None:
        raise Problem(403, "no_seat")
    return role.seat


def seat_of(room: Room, seat: int) -> Seat:
    """A seat by its number.

    Raises:
        Problem: 404; there is none.
    """
    if not 0 <= seat < len(room.seats):
        raise Problem(404, "no_such_seat", most=len(room.seats) - 1)
    return room.seats[seat]


def known_bot(name: str, bots: Collection[str]) -> None:
    """Whether there is a bot of this name.

    Raises:
        Problem: 422; there is none.
    """
    if name not in bots:
        raise Problem(422, "unknown_bot", bot=name, bots=", ".join(bots))


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a code is good for."""

    table: str
    seat: int
    since: int
    until: float


class Codes:
    """One-time codes that move a seat: never stored, and gone when the server stops."""

    MOST = 1_000

    def __init__(self, outside: Outside, seconds: float) -> None:
        """Codes that are good for so many seconds."""
        self.outside, self.seconds = outside, seconds
        self.tickets: dict[str, Ticket] = {}

    def give(self, room: Room, seat: int) -> tuple[str, datetime]:
        """A new code for a seat, and until when it is good; an earlier one of that seat is not any more."""
        now = self.outside.passed()
        place = (room.id, seat)
        good = {c: t for c, t in self.tickets.items() if t.until > now and (t.table, t.seat) != place}
        self.tickets = dict(list(good.items())[-self.MOST :])
        code = self.outside.code()
        self.tickets[code] = Ticket(room.id, seat, room.seats[seat].since, now + self.seconds)
        return f"{code[:4]}-{code[4:]}", self.outside.now() + timedelta(seconds=self.seconds)

    def look(self, code: str) -> Ticket:
        """What a code is good for.

        Raises:
            Problem: 403; it is none, or too old, or used.
        """
        ticket = self.tickets.get(plain(code))
        if ticket is None or ticket.until <= self.outside.passed():
            raise Problem(403, "bad_code")
        return ticket

    def use(self, code: str) -> None:
        """It has moved its seat, and is good no more."""
        self.tickets.pop(plain(code), None)


def plain(code: str) -> str:
    """A code as it was made, however it was typed."""
    return code.upper().replace("-", "").replace(" ", "")
