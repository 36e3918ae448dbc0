"""A deck, whole, as a table shows it: with all the keys of a deck file (docs/guides/decks.md).

The games read and check decks (kubli.games.decks); nothing here is on their way out. A test holds every one against its
type.
"""

from typing import Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

__all__ = ["DarnaDeck", "DarwinDeck", "Deck", "Instruction", "Maybe", "NarabiDeck", "Shape"]

T = TypeVar("T")
Maybe: TypeAlias = T | SkipJsonSchema[None]
"""What may be left out; it is never null."""

Instruction = Literal[
    "peek", "peek_two", "swap", "hide", "rotate_clockwise", "rotate_counterclockwise", "rotate_either", "show"
]


class Shape(BaseModel):
    """It has these fields and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Item(Shape):
    """Something of a deck."""

    name: Maybe[str] = None
    source: Maybe[str] = Field(default=None, description="Where it is from: the rulebook, or reconstructed.")


class DarnaCard(Item):
    """A card, read from the top."""

    number: int
    first: Instruction
    second: Instruction


class DarnaDeck(Shape):
    """A deck of Darna."""

    cards: list[DarnaCard]


class Stone(Item):
    """A stone."""

    id: str
    number: int | None = Field(description="null: it is blank.")
    colour: Literal["white", "black"]


class Condition(Item):
    """What a stone must be among the others; all that is said must hold."""

    id: str
    colour: Maybe[Literal["white", "black", "same", "other"]] = None
    parity: Maybe[Literal["even", "odd"]] = None
    at_least: Maybe[int] = None
    at_most: Maybe[int] = None
    compared: Maybe[Literal["higher", "lower"]] = None
    distance_at_least: Maybe[int] = None
    distance_at_most: Maybe[int] = None
    whose: Maybe[list[int]] = Field(default=None, description="Seats away clockwise.")


class NarabiSize(Item):
    """With how many stones so many play."""

    row: int = Field(description="Stones of each player.")
    out: dict[str, int] = Field(description="How many of which stones are taken out.")


class NarabiDeck(Shape):
    """A set of Narabi."""

    stones: list[Stone]
    conditions: list[Condition]
    sizes: dict[str, NarabiSize] = Field(description="By how many play.")
    exchanges: int


class Kind(Item):
    """A kind of card."""

    copies: int
    points: int


class DarwinSize(Item):
    """With how many cards so many play."""

    cards: int = Field(description="Cards of each player in a round.")
    rounds: int


class DarwinDeck(Shape):
    """A deck of Darwin's Dice."""

    kinds: dict[str, Kind]
    sizes: dict[str, DarwinSize] = Field(description="By how many play.")


Deck = DarnaDeck | NarabiDeck | DarwinDeck
