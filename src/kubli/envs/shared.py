"""What the interfaces share: tables set up and asked from outside, with one clear sentence for whatever is wrong."""

import operator
from collections.abc import Mapping
from typing import Any

from kubli import words
from kubli.envs.extra import needed
from kubli.games import WORLDS
from kubli.games.contract import Refused
from kubli.games.kit import Part, length
from kubli.play.table import Table, Viewer

with needed("envs", "gymnasium", "numpy"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces

__all__ = [
    "EnvError",
    "IllegalActionError",
    "act",
    "action_of",
    "bounds",
    "check",
    "frame",
    "mask_of",
    "observation_space",
    "observe",
    "seat_of",
    "seed_of",
    "table_of",
]

LINES = 12  # of the story so far, in a frame

Mask = npt.NDArray[np.int8]


class EnvError(ValueError):
    """Something handed in may not be; nothing has changed.

    Attributes:
        rule: the id of the rule that says so ("DA-3"), or FORMAT.
    """

    def __init__(self, sentence: str, rule: str = "FORMAT") -> None:
        """Say why in a sentence."""
        super().__init__(sentence)
        self.rule = rule


class IllegalActionError(EnvError):
    """An action is against the rules; the game is as it was.

    Attributes:
        rule: the id of the rule that forbids it.
        seat: whose action it was.
        action: the action.
    """

    def __init__(self, sentence: str, rule: str, seat: int, action: int) -> None:
        """Say whose action and which rule."""
        super().__init__(f"Seat {seat}, action {action}: {sentence} ({rule})", rule)
        self.seat, self.action = seat, action


# --- What is handed in ------------------------------------------------------------------------------------------------


def table_of(game: str, players: int, options: Mapping[str, Any] | None, deck: str | Mapping[str, Any] | None) -> Table:
    """A table, not dealt yet.

    Raises:
        EnvError: an unknown game or option, a number of players or a deck that may not be.
    """
    try:
        return Table(game, whole_number("players", players), options, deck)
    except Refused as why:
        raise EnvError(f"{words.refusal(why.rule, why.code, why.values)} ({why.rule})", why.rule) from None


def whole_number(name: str, value: Any) -> int:
    """An int, or what NumPy has for one.

    Raises:
        EnvError: it is something else, or true or false.
    """
    if isinstance(value, bool | np.bool_):
        raise EnvError(f"{name} must be a whole number, not {value!r}.")
    try:
        return operator.index(value)
    except TypeError:
        raise EnvError(f"{name} must be a whole number, not {value!r:.60}.") from None


def seed_of(value: Any) -> int | None:
    """Any whole number as a seed, modulo 2**64 as everywhere in Kubli; None stays None.

    Raises:
        EnvError: it is no whole number.
    """
    return None if value is None else whole_number("seed", value) % (1 << 64)


def action_of(value: Any, actions: int) -> int:
    """An action by its number.

    Raises:
        EnvError: it is no whole number from 0 to actions - 1.
    """
    action = whole_number("action", value)
    if not 0 <= action < actions:
        raise EnvError(f"action must be from 0 to {actions - 1}, not {action}.")
    return action


def check(table: Table, seat: int, action: int) -> None:
    """Nothing, if this seat may do this now.

    Raises:
        IllegalActionError: a rule forbids it.
    """
    try:
        table.check(seat, action)
    except Refused as why:
        sentence = words.refusal(why.rule, why.code, why.values)
        raise IllegalActionError(sentence, why.rule, seat, action) from None


def act(table: Table, seat: int, action: int) -> None:
    """Let a seat act, and then chance.

    Raises:
        IllegalActionError: a rule forbids it.
    """
    check(table, seat, action)
    table.do(seat, action)
    table.advance()


def seat_of(value: Any, players: int) -> int:
    """A seat by its number.

    Raises:
        EnvError: it is no whole number from 0 to players - 1.
    """
    seat = whole_number("seat", value)
    if not 0 <= seat < players:
        raise EnvError(f"seat must be from 0 to {players - 1}, not {seat}.")
    return seat


# --- What is handed out -----------------------------------------------------------------------------------------------


def mask_of(table: Table, seat: int) -> Mask:
    """(actions,) 1 for each action that this seat may do now; all 0 for a seat that may not act."""
    mask = np.zeros(table.game.ACTIONS, np.int8)
    mask[table.actions(seat)] = 1
    return mask


def observe(table: Table, seat: int, mask: Mask) -> dict[str, npt.NDArray[Any]]:
    """A learner's vector with a copy of the mask beside it."""
    return {"observation": np.array(table.observation(seat), np.int16), "action_mask": mask.copy()}


def observation_space(table: Table) -> spaces.Dict:
    """What `observe` gives: "observation" with the exact range of each number, "action_mask" of 0 and 1."""
    parts = WORLDS[table.game.NAME].OBSERVATION
    box = spaces.Box(edge(parts, "least"), edge(parts, "most"), (length(parts),), np.int16)
    return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (table.game.ACTIONS,), np.int8)})


def edge(parts: tuple[Part, ...], which: str) -> npt.NDArray[np.int16]:
    """The least or the most that each number of a learner's vector may be."""
    return np.concatenate([np.full(part.size, getattr(part, which), np.int16) for part in parts])


def bounds(table: Table) -> tuple[float, float]:
    """The lowest and the highest utility that a game at this table can end with for a seat."""
    v, n = table.variant, table.players
    if table.game.NAME == "darwins-dice":
        whole = float(sum(copies * points for copies, points in zip(v.copies, v.points, strict=True)))
        return -whole / n, whole - whole / n
    return (-1.0, n - 1.0) if table.game.NAME == "darna" else (0.0, 1.0)


def frame(table: Table, viewer: Viewer) -> str:
    """The last lines of what happened, as a viewer was told it, and who may act."""
    teller = words.Teller(table.game.NAME, viewer, [f"player_{seat}" for seat in range(table.players)])
    said = [words.text(teller.say(fact)) for fact in table.told(viewer)]
    waiting = ", ".join(f"player_{seat}" for seat in table.to_act) or "-"
    return "\n".join([*[line for line in said if line][-LINES:], f"> {waiting}", ""])
