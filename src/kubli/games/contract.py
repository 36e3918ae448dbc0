"""What a game defines, and how it refuses: the contract between a rules module and everything above it.

A game is a module. Its functions take a Variant `v` (all that a table may set) and a State `s` (all that is true), and
`by`, a seat or CHANCE. Viewers are numbered like seats, with `v.players` for a spectator. Actions are small ints: a
seat's are 0 to ACTIONS - 1, chance's are ACTIONS to ACTIONS + CHANCE_ACTIONS - 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kubli.games.kit import Luck, Part

__all__ = ["FORMAT", "Event", "Game", "Option", "Refused", "Shown", "Worlds", "fault", "parts", "take"]

Event = dict[str, Any]
"""One event of a record, as JSON has it: {"by": 0, "act": "peek", "place": 4} (record.md, "Events")."""

Shown = dict[str, Any]
"""A View in words, as JSON has it: what the page, the API and a bot get. Never a State."""

FORMAT = "FORMAT"
"""The rule of the record's format itself, for what no rule of a game speaks of."""


class Refused(Exception):  # noqa: N818 - refusing is not failing
    """Something that may not be. The sentence for a person is made from the code and the values (words/en.json).

    Attributes:
        rule: a rule id ("DA-10") or FORMAT.
        code: the key of the sentence in the catalogue: the rule id itself, or a word such as "unknown_field".
        values: what the sentence needs, by name.
    """

    def __init__(self, rule: str, code: str | None = None, **values: Any) -> None:
        """Refuse by a rule, with a sentence of its own if `code` is given."""
        super().__init__(rule, code or rule, values)
        self.rule, self.code, self.values = rule, code or rule, values


def fault(code: str, **values: Any) -> Refused:
    """What breaks the format of a record, not a rule of a game."""
    return Refused(FORMAT, code, **values)


NAMES = {int: "a whole number", str: "a word", bool: "true or false", list: "a list", dict: "an object"}


def take(event: Mapping[str, Any], **wanted: type) -> list[Any]:
    """The values of an event's fields, in the order asked for, after checking that there are no others.

    A field called `for` is asked for as `for_`. `by` is left to the reader of the record.

    Raises:
        Refused: FORMAT; a field is missing, unknown or of another type (`true` is no number).
    """
    return parts({name: value for name, value in event.items() if name != "by"}, **wanted)


def parts(thing: Mapping[str, Any], **wanted: type) -> list[Any]:
    """The same of an object inside an event, which has no `by`.

    Raises:
        Refused: as `take`.
    """
    names = {name.rstrip("_"): kind for name, kind in wanted.items()}
    for name in thing:
        if name not in names:
            raise fault("unknown_field", field=name, where="event")
    for name, kind in names.items():
        if name not in thing:
            raise fault("missing_field", field=name, where="event")
        if type(thing[name]) is not kind:
            raise fault("wrong_type", field=name, wanted=NAMES[kind], where="event")
    return [thing[name] for name in names]


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a table makes about the rules.

    Attributes:
        name: as in a record's `options`.
        rule: the number of the rule that speaks of it.
        start: what holds if nothing is said; its type (bool or int) is the option's.
        least: the smallest number allowed (numbers only).
        most: the largest number allowed (numbers only); None: the last seat.
    """

    name: str
    rule: int
    start: int | bool
    least: int = 0
    most: int | None = 0


class Game(Protocol):
    """What every rules module defines; a test checks each module against this."""

    NAME: str  # as in a record: "darwins-dice"
    TITLE: str  # as printed on the box
    PREFIX: str  # of its rule ids: "DD"
    RULES: str  # version of the rules, which every record bears
    PLAYERS: range  # how many may play
    OPTIONS: tuple[Option, ...]
    ACTIONS: int  # a seat's actions are 0 to ACTIONS - 1
    CHANCE_ACTIONS: int  # chance's are the next so many
    FACTS: tuple[Any, ...]  # every kind of fact that a rule may tell
    Variant: type
    State: type
    View: type

    def variant(self, players: int, options: Mapping[str, Any], deck: Mapping[str, Any]) -> Any:
        """The Variant of a table. `deck` is whole and checked (decks.read), `options` are checked and whole."""

    def setup(self, v: Any, s: Any) -> None:
        """Begin: `s` is a State as made, all at its start. What chance must do first is then `outcomes`."""

    def to_act(self, v: Any, s: Any) -> int:
        """The seats that may act now, as bits; 0 when chance is to act or the game is over."""

    def refusal(self, v: Any, s: Any, by: int, action: int) -> int:
        """0 if this seat (or CHANCE) may do this now, else the number of the rule that forbids it. The one source."""

    def legal(self, v: Any, s: Any, seat: int, out: list[int]) -> int:
        """Write all that a seat may do now, just what `refusal` lets through, to `out` ascending. Returns how many."""

    def step(self, v: Any, s: Any, by: int, action: int) -> None:
        """Do it, and tell all that follows from it. Assumes that `refusal` is 0."""

    def outcomes(self, v: Any, s: Any) -> int:
        """How many equally likely things chance may bring now; 0 if it is not chance's turn."""

    def draw(self, v: Any, s: Any, k: int) -> int:
        """The chance action that the k-th of `outcomes` is, in the order documented there."""

    def over(self, v: Any, s: Any) -> bool:
        """Whether the game is over."""

    def utilities(self, v: Any, s: Any, out: list[float]) -> None:
        """Write each seat's utility at the end to `out`."""

    def result(self, v: Any, s: Any) -> dict[str, Any]:
        """The result as a record has it (record.md, "Result"), without utilities. Only when the game is over."""

    def view(self, v: Any, s: Any, viewer: int, out: Any) -> None:
        """Fill a fresh View with what this viewer may know now: the one door besides facts."""

    def show(self, v: Any, view: Any) -> Shown:
        """A View in the words of a record: reads nothing else."""

    def action(self, v: Any, event: Event) -> int:
        """The action that an event names (`by` chance or a seat is known from its fields).

        Raises:
            Refused: what no integer can say: a field missing, unknown or of the wrong type (FORMAT), a place, card or
                kind that does not exist (the rule that says which exist).
        """

    def event(self, v: Any, action: int) -> Event:
        """The event that an action is, without `by`, in the one form in which it is written."""


class Worlds(Protocol):
    """What a game's second module defines: what a seat's knowledge means to a learner and to search.

    None of it is given a State: a learner's vector is made of a View, all else of the facts that a viewer was told
    (those of `Table.told`), from the first on. So nothing can come of them that the viewer may not know. `encode` and
    `redeal` run compiled too, and keep to what rules keep to.
    """

    OBSERVATION: tuple[Part, ...]  # how a learner's vector is made up; one length for all tables of the game

    def encode(self, v: Any, view: Any, viewer: int, out: Any) -> None:
        """Fill a learner's vector from a View: `length(OBSERVATION)` ints, all 0 before (compiled: a row of int16).

        Seats count from the viewer, for a spectator from seat 0. Nothing that the View holds is lost.
        """

    def known(self, v: Any, told: Sequence[Mapping[str, Any]], viewer: int) -> Any:
        """What is certain of the world, and all that `redeal` needs besides: a NamedTuple of lists of ints.

        Its `by` has who acted in each event, CHANCE or a seat, and its `actions` what was done, without what the viewer
        was not told. These may go on behind the events with what `redeal` writes over.
        """

    def redeal(self, v: Any, world: Any, luck: Luck, out: Any) -> None:
        """Write the actions of a game that tells the viewer just the same to `out`, as long as `world.actions`.

        It is drawn exactly: chance is as likely as the rules say, what others chose in secret counts once for each
        choice that they had. All randomness is `luck`'s, so a seed gives the same world again.

        Raises:
            ValueError: no game can have told this.
        """
