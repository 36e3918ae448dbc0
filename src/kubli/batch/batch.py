"""A batch: many games of one kind side by side, stepped together by compiled rules."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from kubli import words
from kubli.batch import kernels, records
from kubli.batch.given import (
    BatchError,
    IllegalActionError,
    Ints,
    Tabled,
    array_of,
    known_of,
    room_of,
    seed_of,
    variant_of,
    whole_number,
)
from kubli.games import WORLDS
from kubli.games.kit import length

__all__ = ["Batch", "BatchError", "IllegalActionError", "luck_for", "shares"]

STREAMS = 8  # of chance and of each seat; more than any game has, so that all games' loops take the same
MOST_SIZE = 1 << 24
SKIP = -1


class Batch:
    """Many games of one kind, seed and table, stepped together. Chance acts by itself between decisions.

    Game i of a batch deals as `play.chance.Seeded(seed, i)` does, whatever the size of the batch and the number of
    threads, so it is game i of `kubli simulate` as far as the seats do the same.

    Attributes:
        game: its name in a record.
        players: how many play.
        size: how many games.
        options: all options of the table.
        actions: how many actions there are; a seat's are 0 to actions - 1.
        width: how many numbers a learner's vector has.
        variant: the Variant of all the games.
        states: one row a game with all that is true, hidden things too; look at it, don't write.
    """

    def __init__(
        self,
        game: str,
        players: int,
        size: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        deck: str | Mapping[str, Any] | None = None,
    ) -> None:
        """Set up games 0 to size - 1 of a seed and deal.

        Args:
            game: "darna", "narabi" or "darwins-dice".
            players: how many play; the game says from how many to how many.
            size: how many games, from 1 to 2**24.
            seed: any whole number, taken modulo 2**64.
            options: what the table sets otherwise than usual, as in a record.
            deck: a shipped deck's name ("standard" if left out), or a deck as an object.

        Raises:
            BatchError: any of these may not be.
        """
        self._set(*variant_of(game, players, options, deck), size, seed)
        self.reset()

    def _set(self, rules: Any, options: dict[str, Any], variant: Any, size: int, seed: int) -> None:
        self._rules, self.options, self.variant = rules, options, variant
        self.game, self.players, self.actions = rules.NAME, int(variant.players), int(rules.ACTIONS)
        self.width = length(WORLDS[self.game].OBSERVATION)
        self.size, self._seed = whole_number("size", size, 1, MOST_SIZE), seed_of(seed)
        self._loops = kernels.compiled(self.game)
        viewers = self._rules.PLAYERS.stop  # the most seats, and the spectator
        self._variant, self._blank = records.row_of(self.variant), records.row_of(self._rules.State(), viewers)
        self._no_view = records.row_of(self._rules.View())
        self.states = np.zeros(self.size, self._blank.dtype)
        self._luck = luck_for(self.size)
        self._acting = np.full(self.size, -1, np.int64)
        self._over = np.zeros(self.size, np.bool_)

    @classmethod
    def imagine(cls, table: Tabled, viewer: int | str, size: int, seed: int = 0, threads: int = 1) -> "Batch":
        """Games that have told this viewer just what a table told it; what it may not know is drawn anew in each.

        They are drawn exactly, from what the viewer was told and nothing else (docs/guides/observations.md). Game i is
        `table.imagine(viewer, Luck(seed, i))`, and chance goes on there with that luck.

        Args:
            table: a `Table`; it stays as it is.
            viewer: a seat, or `players` or "spectator" for a spectator.
            size: how many games, from 1 to 2**24.
            seed: any whole number, taken modulo 2**64.
            threads: how many share the work; the games are the same for any number.

        Raises:
            BatchError: any of these may not be.
        """
        batch = object.__new__(cls)
        rules, variant, world = known_of(table, viewer)
        batch._set(rules, dict(table.options), variant, size, seed)
        batch._imagine(world, threads)
        return batch

    def reset(self, first: int = 0) -> None:
        """Begin anew with games `first` to first + size - 1 of the seed.

        Raises:
            BatchError: `first` is no whole number from 0 to 2**62.
        """
        start = np.int64(whole_number("first", first, 0, 1 << 62))
        low, high = np.int64(0), np.int64(self.size)
        self._loops.begin(self._variant, self._blank, self.states, self._luck, self._seed, start, low, high)
        self._look()

    def step(self, actions: npt.ArrayLike, seats: npt.ArrayLike | None = None) -> None:
        """Do one action in each game, and all that chance does after it.

        Args:
            actions: (size,) whole numbers: the action in each game, or -1 to leave that game as it is;
                where chance is due, as it may be in an imagined game, it then acts.
            seats: (size,) whole numbers: who acts; `to_act` if left out. Where several seats may choose, any of them.

        Raises:
            BatchError: another shape, type or range.
            IllegalActionError: the rules forbid one of them, as after a game's end; no game has changed then.
        """
        chosen = array_of("actions", actions, self.size, SKIP, self.actions - 1)
        given = np.maximum(self._acting, 0) if seats is None else seats  # a game that is over refuses whoever acts
        who = array_of("seats", given, self.size, 0, self.players - 1)
        self._check(who, chosen)
        self._loops.act(self._variant, self.states, self._luck, who, chosen)
        self._look()

    def mask(self, seats: npt.ArrayLike | None = None) -> npt.NDArray[np.bool_]:
        """Which actions are legal.

        Args:
            seats: (size,) whole numbers: for whom; `to_act` if left out.

        Returns:
            (size, actions) bools; all False for a seat that may not act, and in a game that is over.

        Raises:
            BatchError: another shape, type or range of `seats`.
        """
        who = self._acting if seats is None else array_of("seats", seats, self.size, 0, self.players - 1)
        out = np.zeros((self.size, self.actions), np.bool_)
        self._look(who, out)
        return out

    def observe(
        self, seats: npt.ArrayLike | None = None, out: npt.NDArray[np.int16] | None = None
    ) -> npt.NDArray[np.int16]:
        """What a seat may know in each game, as a learner's vector: that of `Table.observation`.

        After `rollout` it lacks what viewers remember.

        Args:
            seats: (size,) whole numbers: for whom, or `players` for a spectator; `to_act` if left out.
            out: (size, width) of int16 in C order: where to write it; a new array if left out.

        Returns:
            (size, width) int16; without `seats` all 0 where nobody may act.

        Raises:
            BatchError: another shape, type or range of either.
        """
        who = self._acting if seats is None else array_of("seats", seats, self.size, 0, self.players)
        found = np.zeros((self.size, self.width), np.int16) if out is None else room_of(out, self.size, self.width)
        self._loops.observe(self._variant, self._no_view, self._no_view.copy(), self.states, who, found)
        return found

    def keys(self, seats: npt.ArrayLike | None = None) -> npt.NDArray[np.uint64]:
        """64 bits of what a seat was told in each game, equal just where it was told the same: those of `Table.key`.

        After `rollout`, and in the batch of a `Learner`, they mean nothing.

        Args:
            seats: (size,) whole numbers: for whom, or `players` for a spectator; `to_act` if left out.

        Returns:
            (size,) uint64; without `seats` 0 where nobody may act.

        Raises:
            BatchError: another shape, type or range of `seats`.
        """
        who = self._acting if seats is None else array_of("seats", seats, self.size, 0, self.players)
        found: npt.NDArray[np.uint64] = self.states["key"][np.arange(self.size), who]
        return np.where(who < 0, np.uint64(0), found)

    @property
    def to_act(self) -> Ints:
        """(size,) the seat that acts next in each game, the lowest if several may; -1 where nobody may.

        Nobody may in a game that is over, and where chance is due, as it may be in an imagined game before its first
        step.
        """
        return self._acting.copy()

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """(size,) which games are over."""
        return self._over.copy()

    def utilities(self) -> npt.NDArray[np.float64]:
        """(size, players) each seat's utility at the end; 0 in games that are not over."""
        points = np.zeros((self.size, self.players))
        self._look(points=points)
        return points

    def rollout(self, threads: int = 1) -> int:
        """Play every game on at random to its end; what viewers remember is left out of the States.

        Each seat has a stream of its own, equal to that of its random bot in `kubli simulate`.

        Args:
            threads: how many share the work; the games are the same for any number.

        Returns:
            How many decisions were made.

        Raises:
            BatchError: `threads` is no whole number from 1 to 1024.
        """
        count = whole_number("threads", threads, 1, 1024)

        def run(low: int, high: int) -> int:
            return int(self._loops.finish(self._variant, self.states, self._luck, np.int64(low), np.int64(high)))

        decisions: int = sum(shares(run, 0, self.size, count))
        self._look()
        return decisions

    def state(self, index: int) -> Any:
        """The State of one game, as the rules have it: for tests and for looking at.

        Raises:
            BatchError: there is no such game.
        """
        return records.read(self._rules.State, self.states, whole_number("index", index, 0, self.size - 1))

    # --- How ---------------------------------------------------------------------------------------------------------

    def _imagine(self, world: Any, threads: int) -> None:
        """Put worlds drawn from what is certain in all places."""
        count = whole_number("threads", threads, 1, 1024)
        found = type(world)(*(np.array(one, np.int64) for one in world))

        def run(low: int, high: int) -> None:
            given = (self._variant, self._blank, self.states, self._luck, self._seed, found, found.actions.copy())
            self._loops.imagine(*given, np.int64(low), np.int64(high))

        shares(run, 0, self.size, count)
        self._look()

    def _look(
        self,
        seats: Ints | None = None,
        out: npt.NDArray[np.bool_] | None = None,
        points: npt.NDArray[np.float64] | None = None,
    ) -> None:
        who = self._acting if seats is None else seats
        mask = np.zeros((0, self.actions), np.bool_) if out is None else out
        gained = np.zeros((0, self.players)) if points is None else points
        self._loops.masks(self._variant, self.states, who, mask, self._acting, self._over, gained)

    def _check(self, who: Ints, chosen: Ints) -> None:
        found = np.full(2, -1, np.int64)
        self._loops.check(self._variant, self.states, who, chosen, found)
        if found[0] >= 0:
            raise self._illegal(int(found[0]), int(found[1]), who, chosen)

    def _illegal(self, index: int, rule: int, who: Ints, chosen: Ints) -> IllegalActionError:
        seat, action, name = int(who[index]), int(chosen[index]), f"{self._rules.PREFIX}-{rule}"
        event = {"by": seat, **self._rules.event(self.variant, action)}
        return IllegalActionError(words.refusal(name, None, {"by": seat, "event": event}), name, index, seat, action)


# --- What loops are given ---------------------------------------------------------------------------------------------


def luck_for(size: int) -> npt.NDArray[np.uint64]:
    """The random streams of so many games."""
    return np.zeros((size, STREAMS), np.uint64)


def shares(run: Any, low: int, high: int, threads: int) -> list[Any]:
    """Run `run(low, high)` on equal shares of a range, each in a thread of its own."""
    threads = max(1, min(threads, high - low))
    edges = [low + (high - low) * i // threads for i in range(threads + 1)]
    if threads == 1:
        return [run(low, high)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, edges, edges[1:]))
