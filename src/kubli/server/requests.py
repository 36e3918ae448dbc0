"""Every message that comes in, typed: checked to the letter, with no field that is not known. See also messages.py."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Act",
    "Join",
    "NewTable",
    "PutBot",
    "Rename",
    "Talk",
    "UseCode",
]

ID = Annotated[str, Field(min_length=1, max_length=64, description="An id of your own for this request, new for each.")]


class In(BaseModel):
    """What comes in: no other fields, and every field of just its type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Rename(In):
    """How the person at this browser would be called."""

    name: str = Field(description="1 to 32 characters as people count them; none that cannot be seen.")


class NewTable(In):
    """A table to be opened."""

    game: Annotated[str, Field(max_length=40)]
    players: int
    options: dict[str, bool | int] = Field(default_factory=dict, max_length=20)
    deck: str | dict[str, Any] = Field(default="standard", description="A deck's name, or a deck as a record has it.")
    seats: list[Annotated[str, Field(max_length=40)]] = Field(
        max_length=9, description='By seat: "me" (once at most), "friend", or "bot:" and a bot\'s name.'
    )
    name: str = Field(default="", description="Your name; the last one you gave if left out.")
    watch: bool = Field(default=True, description="Whether others with the link may watch.")


class Join(In):
    """A guest takes a free seat."""

    name: str = Field(default="", description="Your name; the last one you gave if left out.")
    seat: int | None = Field(default=None, description="null: the seat kept for you, or the first free one.")


class PutBot(In):
    """A bot for a free seat."""

    bot: Annotated[str, Field(max_length=40)]


class Act(In):
    """What your seat does."""

    id: ID
    at: int = Field(description="`now.asked`: the decision that this answers.")
    event: dict[str, Any] = Field(description="One of `now.legal`, or another event as a record has it.")


class Talk(In):
    """Something said at the table."""

    id: ID
    text: str


class UseCode(In):
    """A code that was shown at another browser."""

    code: Annotated[str, Field(max_length=40)]
