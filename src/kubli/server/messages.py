"""Every message that goes out, typed. /openapi.json is made from this and from requests.py.

What goes out is sent as it is made, without a check; a test holds it against these types.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kubli.server.deck import Deck, Maybe
from kubli.server.views import Event, Fact, LogEntry, Now, SeatInfo, View

__all__ = [
    "Acted",
    "Address",
    "Again",
    "BotInfo",
    "Code",
    "CodeTaken",
    "DeckInfo",
    "GameInfo",
    "Health",
    "Hint",
    "Joined",
    "Me",
    "News",
    "Opened",
    "OptionInfo",
    "Refusal",
    "Seated",
    "SeatsNews",
    "Snapshot",
    "Step",
    "TableLine",
    "Talked",
    "Told",
]

GameName = Literal["darna", "narabi", "darwins-dice"]
State = Literal["waiting", "playing", "over"]
Viewer = Annotated[int | Literal["spectator"], Field(description="A seat, or somebody who only watches.")]


class Out(BaseModel):
    """What goes out."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Refusal(Out):
    """Why a request was not answered as asked."""

    error: str = Field(description="A code; its sentences in other languages are in the page's catalogue.")
    rule: str | None = Field(description="The id of the rule that forbids it, if one does.")
    values: dict[str, Any] = Field(description="What the sentence speaks of.")
    say: str = Field(description="The sentence in English.")
    now: Maybe[Now] = Field(default=None, description="With `stale`: what holds now.")


# --- Who and where ----------------------------------------------------------------------------------------------------


class Health(Out):
    """The server answers."""

    ok: Literal[True]
    version: str


class Me(Out):
    """The person at this browser."""

    name: str | None


class Address(Out):
    """Where others can open this server."""

    addresses: list[str] = Field(description="Addresses that other machines can open.")
    local_only: bool = Field(description="Only this machine can open it.")
    command: str = Field(description="What to type so that others can join.")


# --- Games ------------------------------------------------------------------------------------------------------------


class OptionInfo(Out):
    """What a table may set about the rules."""

    name: str
    rule: str
    kind: Literal["bool", "int"]
    least: int
    most: int | None = Field(description="null: the last seat.")
    start: int | bool


class DeckInfo(Out):
    """A deck that a table may be opened with."""

    name: str
    title: str
    reconstructed: int = Field(description="How many of its items are our reconstruction.")
    items: int
    fault: str | None = Field(default=None, description="Why it cannot be played with, if it cannot.")


class BotInfo(Out):
    """A bot that may take a seat."""

    name: str


class GameInfo(Out):
    """A game of the lobby."""

    game: GameName
    title: str
    players: tuple[int, int] = Field(description="From how many to how many.")
    minutes: int
    options: list[OptionInfo]
    decks: list[DeckInfo]
    bots: list[BotInfo]


# --- A table ----------------------------------------------------------------------------------------------------------


class Opened(Out):
    """A table is open."""

    table: str = Field(description="Its unguessable id; others open the page /t/ and this id.")
    seat: int | None
    token: str = Field(description="For programs: `Authorization: Bearer <token>` acts for this seat.")


class TableLine(Out):
    """A table of this browser."""

    table: str
    game: GameName
    seat: int | None
    names: list[str | None]
    state: State
    your_turn: bool
    waiting_for: list[int]
    updated: str


class Snapshot(Out):
    """A table, whole, for one viewer."""

    table: str
    game: GameName
    title: str
    players: int
    options: dict[str, bool | int]
    deck: Deck
    deck_name: str
    commitment: str = Field(description="SHA-256 of the secret that chance comes from; the record tells the secret.")
    watch: bool
    host: bool = Field(description="You opened this table.")
    viewer: Viewer
    offered: int | None = Field(description="An open seat that is kept for you.")
    seats: list[SeatInfo]
    state: State
    entry: int = Field(description="The last entry of the log.")
    now: Now | None = Field(description="null before the game.")
    log: list[LogEntry]
    talk_allowed: bool
    again: str | None = Field(description="The table where the same people play next.")


class News(Out):
    """One message of the stream, `event: entry`; its `id:` is `entry`."""

    entry: int = Field(description="The last entry that this message tells of.")
    entries: list[LogEntry]
    now: Now | None
    seats: list[SeatInfo]
    state: State
    viewer: Viewer


class SeatsNews(Out):
    """`event: seats`: somebody's page was opened or closed."""

    seats: list[SeatInfo]


# --- What a seat does -------------------------------------------------------------------------------------------------


class Joined(Out):
    """You have this seat."""

    seat: int
    token: str


class Seated(Out):
    """Who sits where now."""

    seats: list[SeatInfo]


class Acted(Out):
    """It is stored."""

    entry: int
    now: Now


class Talked(Out):
    """It is stored."""

    entry: int


class Why(BaseModel):
    """A reason: its code, and the values that its sentence in "bots" needs."""

    model_config = ConfigDict(extra="allow", strict=True)

    code: str


class Hint(Out):
    """What a bot would do in your place."""

    event: Event
    why: Why


class Code(Out):
    """A code that moves your seat to another browser, once."""

    code: str
    expires: str


class CodeTaken(Out):
    """The seat is yours at this browser."""

    table: str
    seat: int
    token: str


class Again(Out):
    """Where the same people play next."""

    table: str
    seat: int | None = Field(description="Yours there; null if it went to somebody else.")
    token: str | None


# --- Afterwards -------------------------------------------------------------------------------------------------------


class Told(BaseModel):
    """The record of a finished game, whole (docs/guides/record.md), or during play what this viewer was told."""

    model_config = ConfigDict(extra="allow", strict=True)

    kubli: Literal[1]
    game: GameName
    players: int


class Step(Out):
    """A finished game after k events, through somebody's eyes."""

    k: int
    of: int
    event: Event | None = Field(description="The k-th event; null for k = 0.")
    facts: list[Fact] = Field(description="What this viewer was told of it.")
    view: View
