"""What a viewer is shown of a table: the game's view, facts, who sits where, and the log.

The games make views as plain objects (docs/guides/views.md); nothing here is on their way out. A test holds every one
against its type.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from kubli.server.deck import Instruction, Maybe, Shape

__all__ = ["DarnaView", "DarwinView", "Event", "Fact", "LogEntry", "NarabiView", "Now", "SeatInfo", "SeatTaken", "View"]


class Doing(Shape):
    """The instruction that is being carried out."""

    card: int
    instruction: Instruction
    half: Literal[0, 1]
    peeked: list[int] = Field(description="Places already peeked at by this peek_two.")


class DarnaResult(Shape):
    """How a game of Darna ended."""

    winner: int | None
    how: Literal["shout", "guess", "all_wrong", "turn_limit"]


class DarnaView(Shape):
    """What one viewer may know in Darna."""

    phase: Literal["deal", "turn", "play", "instruction", "guess", "over"]
    turn: int = Field(description="From 1; 0 before the first.")
    max_turns: int
    on_turn: int | None
    to_act: list[int]
    hand: list[int] = Field(description="Own cards, ascending; none for a spectator.")
    hands: list[int] = Field(description="How many cards, by seat.")
    deck: int = Field(description="Cards left.")
    played: list[int]
    last_played: int | None
    doing: Doing | None
    may: list[int] = Field(description="Where the Puting Bato may still lie, for this viewer, by perfect memory.")
    face_up: list[int] = Field(description="Places turned up by guesses.")
    guessers: list[int] = Field(description="Seats still to guess, in order.")
    out: list[int]
    revealed: dict[str, int] | None = Field(description="The cards held at the end, by seat.")
    result: DarnaResult | None


class Sleeve(Shape):
    """One place of the ring."""

    place: int
    seat: int
    stone: str | None = Field(description="null before it is dealt.")
    number: int | None
    colour: Literal["white", "black"] | None
    condition: str | None = Field(description="If this viewer knows it for certain.")
    seen: bool = Field(description="This viewer has read it.")
    possible: list[str] = Field(description="What it may be, for this viewer.")
    barred: int | None = Field(description="Where it may not go on its holder's next turn (NA-19).")


class NarabiResult(Shape):
    """How a game of Narabi ended."""

    won: bool
    exchanges: int
    how: Literal["order", "limit", "no_exchange"]
    direction: Literal["clockwise", "counterclockwise"] | None


class NarabiView(Shape):
    """What one viewer may know in Narabi."""

    phase: Literal["deal", "exchange", "over"]
    exchanges: int
    limit: int
    on_turn: int | None
    to_act: list[int]
    questions_left: int
    row: int = Field(description="Places of each player.")
    ring: list[Sleeve]
    result: NarabiResult | None


class Throw(Shape):
    """The dice."""

    colour: Literal["bear", "lion", "fox"]
    sign: Literal["+", "-"]
    number: int
    trump: str


class Last(Shape):
    """The trick that was turned over last."""

    cards: list[str] = Field(description="By seat.")
    winner: int | None


class DarwinResult(Shape):
    """How a game of Darwin's Dice ended."""

    points: list[int]
    winners: list[int]
    how: Literal["points"]


class DarwinView(Shape):
    """What one viewer may know in Darwin's Dice."""

    phase: Literal["deal", "throw", "choose", "over"]
    round: int
    rounds: int
    trick: int
    tricks: int
    darwin: int
    throw: Throw | None
    hand: list[str]
    hands: list[int] = Field(description="How many cards, by seat.")
    chosen: str | None = Field(description="Own card, face down.")
    has_chosen: list[bool]
    to_act: list[int]
    middle: list[str]
    piles: list[list[str]]
    pile_points: list[int]
    score: list[int]
    unseen: dict[str, int] = Field(description="Copies of each kind that this viewer has not seen.")
    last: Last | None
    result: DarwinResult | None


View = DarnaView | NarabiView | DarwinView


class SeatTaken(Shape):
    """Who has a seat."""

    seat: int
    name: str | None = Field(description="Of an open seat: whom it is kept for.")
    kind: Literal["person", "bot", "open"]
    bot: str | None


class SeatInfo(SeatTaken):
    """Who has a seat, and whether they are here."""

    here: bool = Field(description="A page of theirs is open; bots always are.")


class Event(BaseModel):
    """An event as in a record: who it is by, and what was done (docs/guides/record.md)."""

    model_config = ConfigDict(extra="allow", strict=True)

    by: int | Literal["chance"]
    act: Maybe[str] = Field(default=None, description="What a seat did; chance deals, draws or throws.")


class Now(Shape):
    """What holds now, for one viewer."""

    view: View
    to_act: list[int] = Field(description="The seats that may act.")
    legal: list[Event] = Field(description="All that this viewer's own seat may do.")
    asked: int | None = Field(description="The entry that asked this seat: send it back as `at`.")
    over: bool


class Fact(BaseModel):
    """What a rule says happened. Fields that this viewer may not know are not there."""

    model_config = ConfigDict(extra="allow", strict=True)

    what: str
    event: int = Field(description="The number of the event in the record, from 0.")
    rule: str


class Said(Shape):
    """What somebody said at the table."""

    seat: int
    text: str


class LogEntry(Shape):
    """One entry of a table's log, with just one of the four."""

    entry: int
    facts: Maybe[list[Fact]] = None
    talk: Maybe[Said] = None
    seats: Maybe[list[SeatTaken]] = Field(default=None, description="Who sits where from here on.")
    again: Maybe[str] = Field(default=None, description="The table where the same people play next.")
