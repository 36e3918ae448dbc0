"""What the interfaces share: tables set up and asked from outside, with one clear sentence for whatever is wrong."""

import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from kubli import words
from kubli.envs.extra import needed
from kubli.games import WORLDS, given
from kubli.games.contract import Refused
from kubli.games.given import GivenError
from kubli.games.kit import Part, length
from kubli.play.table import Table, Viewer

with needed("envs", "gymnasium", "numpy"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces

__all__ = [
    "MODES",
    "EnvError",
    "IllegalActionError",
    "act",
    "bounds",
    "check",
    "mask_of",
    "observation_space",
    "observe",
    "render",
    "seed_of",
    "table_of",
    "whole_number",
]

MODES = ["human", "ansi"]
LINES = 12  # of the story so far, in a frame

Mask = npt.NDArray[np.int8]


class EnvError(GivenError):
    """Something handed in to an environment may not be; nothing has changed."""


whole_number = partial(given.whole_number, error=EnvError)
"""`games.given.whole_number`, whose errors are an environment's."""


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


def seed_of(value: Any) -> int | None:
    """Any whole number as a seed, modulo 2**64 as everywhere in Kubli; None stays None.

    Raises:
        EnvError: it is no whole number.
    """
    return None if value is None else whole_number("seed", value) % (1 << 64)


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


def render(table: Table, viewer: Viewer, mode: str) -> str | None:
    """The last lines of what a viewer was told, returned ("ansi") or written to the terminal ("human")."""
    shown = frame(table, viewer)
    if mode == "ansi":
        return shown
    sys.stdout.write(shown)
    return None


def frame(table: Table, viewer: Viewer) -> str:
    """The last lines of what happened, as a viewer was told it, and who may act."""
    teller = words.Teller(table.game.NAME, viewer, [f"player_{seat}" for seat in range(table.players)])
    said = [words.text(teller.say(fact)) for fact in table.told(viewer)]
    waiting = ", ".join(f"player_{seat}" for seat in table.to_act) or "-"
    return "\n".join([*[line for line in said if line][-LINES:], f"> {waiting}", ""])
