"""What is handed in from outside, checked before anything changes: one clear sentence for whatever is wrong."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kubli import words
from kubli.games import given
from kubli.games.contract import Refused
from kubli.games.given import GivenError
from kubli.games.setting import rules_of, setting

__all__ = ["BatchError", "IllegalActionError", "Tabled", "array_of", "known_of", "room_of", "seed_of", "variant_of"]
__all__ += ["whole_number"]

Ints = npt.NDArray[np.int64]
MASK = (1 << 64) - 1


class BatchError(GivenError):
    """Something handed in to a batch may not be; nothing has changed."""


whole_number = partial(given.whole_number, error=BatchError)
"""`games.given.whole_number`, whose errors are a batch's."""


class IllegalActionError(BatchError):
    """An action is against the rules in one of the games; no game of the batch has changed.

    Attributes:
        rule: the id of the rule that forbids it.
        index: which game of the batch it is.
        seat: whose action it was.
        action: the action.
    """

    def __init__(self, sentence: str, rule: str, index: int, seat: int, action: int) -> None:
        """Say which game, whose action and which rule."""
        super().__init__(f"Game {index}, seat {seat}, action {action}: {sentence} ({rule})", rule)
        self.index, self.seat, self.action = index, seat, action


def seed_of(value: Any) -> np.uint64:
    """Any whole number as a seed, modulo 2**64 as everywhere in Kubli; 0 is a seed like others.

    Raises:
        BatchError: it is no whole number.
    """
    return np.uint64(whole_number("seed", value) & MASK)


def variant_of(
    game: Any, players: Any, options: Mapping[str, Any] | None, deck: Any
) -> tuple[Any, dict[str, Any], Any]:
    """The rules module, all options and the Variant.

    Raises:
        BatchError: an unknown game or option, or what the rules or the deck's format forbid.
    """
    try:
        rules = rules_of(game)
        count = whole_number("players", players)
        return rules, *setting(game, count, options or {}, "standard" if deck is None else deck)
    except Refused as why:
        raise BatchError(f"{words.refusal(why.rule, why.code, why.values)} ({why.rule})", why.rule) from None


class Tabled(Protocol):
    """What a batch of imagined games wants of a `Table`, which it may not import."""

    game: Any
    variant: Any
    options: dict[str, Any]

    def known(self, viewer: int | str) -> Any:
        """What a viewer knows for certain."""


def known_of(table: Tabled, viewer: Any) -> tuple[Any, Any, Any]:
    """The rules module, the Variant, and what this viewer of a table knows for certain.

    Raises:
        BatchError: it is no table, or has no such viewer.
    """
    if not all(hasattr(table, name) for name in ("game", "variant", "options", "known")):
        raise BatchError(f"table must be a Table, not {type(table).__name__}.")
    number = viewer if isinstance(viewer, str) else whole_number("viewer", viewer, 0, int(table.variant.players))
    try:
        return table.game, table.variant, table.known(number)
    except Refused as why:
        raise BatchError(f"{words.refusal(why.rule, why.code, why.values)} ({why.rule})", why.rule) from None


def array_of(name: str, values: Any, size: int, least: int, most: int) -> Ints:
    """One whole number a game, as the loops want it; a copy or the array itself.

    Raises:
        BatchError: another shape or type, or a number out of range.
    """
    try:
        found = np.asarray(values)
    except ValueError:
        raise BatchError(f"{name} must be {size} whole numbers, one for each game.") from None
    if found.shape != (size,):
        raise BatchError(f"{name} must have the shape ({size},), one number for each game, not {found.shape}.")
    if found.dtype.kind not in "iu":
        raise BatchError(f"{name} must be whole numbers (int64), not {found.dtype}.")
    wrong = (found < least) | (found > most)
    if wrong.any():
        index = int(wrong.argmax())
        raise BatchError(f"{name}[{index}] must be from {least} to {most}, not {found[index]}.")
    return np.require(found, np.int64, ["C", "A", "W"])  # one form only: a loop would be compiled anew for another


def room_of(out: Any, size: int, width: int) -> npt.NDArray[np.int16]:
    """The array that was handed in to be filled, as the loops want it.

    Raises:
        BatchError: it is no array, or has another shape or type, or can't be written to as it lies.
    """
    wanted = f"out must be an array of the shape ({size}, {width}) and the type int16, C-contiguous and writeable"
    if not isinstance(out, np.ndarray):
        raise BatchError(f"{wanted}, not {type(out).__name__}.")
    if out.shape != (size, width) or out.dtype != np.int16:
        raise BatchError(f"{wanted}; this one has the shape {out.shape} and the type {out.dtype}.")
    if not out.flags.carray:
        raise BatchError(f"{wanted}; this one lies otherwise, or is read-only.")
    return np.asarray(out)
