"""One table: a State, the record of what happened, and what each viewer may know of it.

A `Table` is the only place where an event meets the rules: it checks, steps, and keeps what was told. It draws no
number of its own; `play.chance` is handed in.
"""

import copy
import operator
from collections import Counter
from collections.abc import Mapping
from typing import Any

from kubli.games import WORLDS
from kubli.games.contract import Event, Refused, Shown, fault
from kubli.games.kit import CHANCE, Luck, Told, fresh_keys, heard, length
from kubli.games.setting import rules_of, setting
from kubli.play.chance import Chance
from kubli.play.seen import Seen

__all__ = ["SPECTATOR", "Table", "Viewer"]

SPECTATOR = "spectator"

Viewer = int | str
"""A seat, or "spectator"."""


class Table:
    """A game being played, or played over again from its record.

    Attributes:
        game: the rules module.
        variant: what this table set: players, options, deck.
        state: all that is true. Nobody but the rules and tests reads it.
        events: what happened, as a record has it, each with `by`.
        draws: for each event that this table's chance brought: how many outcomes there were, and which came.
    """

    def __init__(
        self,
        game: str,
        players: int,
        options: Mapping[str, Any] | None = None,
        deck: str | Mapping[str, Any] | None = None,
        chance: Chance | None = None,
    ) -> None:
        """Set a table; nothing is dealt before `advance`.

        Args:
            game: its name in a record: "darna", "narabi" or "darwins-dice".
            players: how many; the game says from how many to how many.
            options: what the table sets otherwise than usual (record.md, "Options and decks").
            deck: a shipped deck's name ("standard" if left out), or a deck as an object.
            chance: what decides deals and throws; without it chance's events must be given to `happen`.

        Raises:
            Refused: an unknown game, a number of players, an option or a deck that may not be.
        """
        self.game = rules_of(game)
        self.deck: str | dict[str, Any] = "standard" if deck is None else deck if isinstance(deck, str) else dict(deck)
        self.options, self.variant = setting(game, players, options or {}, self.deck)
        self._begin(chance)

    def anew(self, chance: Chance | None = None) -> "Table":
        """Another table of the same settings, not dealt yet."""
        other = self._twin()
        other._begin(chance)
        return other

    def _begin(self, chance: Chance | None) -> None:
        self.state = self.game.State()
        self.events: list[Event] = []
        self.draws: list[tuple[int, int]] = []
        self._chance = chance
        self._chance_events = 0
        self._facts: list[tuple[int, Told]] = []
        self._told: dict[int, list[dict[str, Any]]] = {}  # the same by viewer, as far as anybody asked
        self._keys, self._keyed = fresh_keys(self.players), 0  # after so many facts
        self._room = [0] * self.game.ACTIONS
        self.game.setup(self.variant, self.state)
        self._take(0)

    # --- What happens ------------------------------------------------------------------------------------------------

    def happen(self, event: Event) -> Event:
        """Let this event happen if the rules allow it, and nothing after it.

        Returns:
            The event in the one form in which it is written.

        Raises:
            Refused: the event is not well formed, or a rule forbids it; the table is then as it was.
        """
        by = self._by(event)
        action = self.game.action(self.variant, event)
        if rule := self.game.refusal(self.variant, self.state, by, action):
            raise Refused(f"{self.game.PREFIX}-{rule}", by=by, event=event)
        return self._step(by, action)

    def do(self, by: int, action: int) -> Event:
        """The same for what a seat or CHANCE does by the number of its action, one that it has.

        Raises:
            Refused: a rule forbids it; the table is then as it was.
        """
        self.check(by, action)
        return self._step(by, action)

    def check(self, by: int, action: int) -> None:
        """Nothing, if the rules allow this now.

        Raises:
            Refused: the rule that forbids it.
        """
        if rule := self.game.refusal(self.variant, self.state, by, action):
            event = {"by": "chance" if by == CHANCE else by, **self.game.event(self.variant, action)}
            raise Refused(f"{self.game.PREFIX}-{rule}", by=by, event=event)

    def advance(self) -> int:
        """Let chance act for as long as it is chance's turn; returns how many events that were."""
        before = len(self.events)
        while self._chance and (n := self.game.outcomes(self.variant, self.state)):
            k = self._chance.below(self._chance_events, n)
            self.draws.append((n, k))
            self._step(CHANCE, self.game.draw(self.variant, self.state, k))
        return len(self.events) - before

    def act(self, seat: int, event: Mapping[str, Any]) -> Event:
        """What a seat does (`by` may be left out), and then all that chance does after it.

        Raises:
            Refused: as `happen`.
        """
        done = self.happen({**event, "by": seat})
        self.advance()
        return done

    # --- What may be known -------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.variant.players)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.game.over(self.variant, self.state))

    @property
    def to_act(self) -> list[int]:
        """The seats that may act now, ascending; none when it is chance's turn or the game is over."""
        bits = self.game.to_act(self.variant, self.state)
        return [seat for seat in range(self.players) if bits >> seat & 1]

    @property
    def result(self) -> dict[str, Any] | None:
        """The result with every seat's utility (record.md, "Result"); None while the game is not over."""
        if not self.over:
            return None
        utilities = [0.0] * self.players
        self.game.utilities(self.variant, self.state, utilities)
        return {**self.game.result(self.variant, self.state), "utilities": utilities}

    def legal(self, seat: int) -> list[Event]:
        """All that this seat may do now, in the order of the game's actions."""
        return [{"by": seat, **self.game.event(self.variant, action)} for action in self.actions(seat)]

    def actions(self, seat: int) -> list[int]:
        """The same by the numbers of the actions, ascending."""
        return self._room[: self.game.legal(self.variant, self.state, seat, self._room)]

    def chances(self) -> dict[int, int]:
        """By the number of each chance action that may come now: how many of the equally likely outcomes it is."""
        v, s = self.variant, self.state
        return dict(Counter(self.game.draw(v, s, k) for k in range(self.game.outcomes(v, s))))

    def legal_for_chance(self) -> list[Event]:
        """All that chance may bring now: distinct events, in the order of the game's chance actions."""
        v, s, first = self.variant, self.state, self.game.ACTIONS
        actions = range(first, first + self.game.CHANCE_ACTIONS) if self.game.outcomes(v, s) else range(0)
        found = [self.game.event(v, action) for action in actions if not self.game.refusal(v, s, CHANCE, action)]
        return [{"by": "chance", **event} for event in found]

    def view(self, viewer: Viewer) -> Shown:
        """What this viewer may know now, in words (docs/guides/views.md)."""
        shown: Shown = self.game.show(self.variant, self._view(self._number(viewer)))
        return shown

    def observation(self, viewer: Viewer) -> list[int]:
        """The same as a learner's vector (docs/guides/observations.md)."""
        number, worlds = self._number(viewer), WORLDS[self.game.NAME]
        out = [0] * length(worlds.OBSERVATION)
        worlds.encode(self.variant, self._view(number), number, out)
        return out

    def key(self, viewer: Viewer) -> int:
        """64 bits that are equal for two histories of this table just if this viewer can't tell them apart.

        That others have made sealed choices does not enter before they are laid open.
        """
        number, kinds = self._number(viewer), self.game.FACTS
        for _, told in self._facts[self._keyed :]:
            fact, numbers = told.fact, [1 + kinds.index(told.fact), *told.values.values()]
            heard(self._keys, self.players, fact.sealed, fact.who, numbers)
        self._keyed = len(self._facts)
        return self._keys[number]

    def imagine(self, viewer: Viewer, luck: Luck) -> "Table":
        """A table of the same settings that has told this viewer just the same; what it may not know is drawn anew.

        The draw is exact (docs/guides/observations.md), and the same again for luck of the same start. Nothing of it
        comes from the State. Play may go on there, with `anew`'s chance or by events handed to `happen`.
        """
        world, other = self.known(viewer), self.anew()
        actions = [0] * len(world.actions)
        WORLDS[self.game.NAME].redeal(self.variant, world, luck, actions)
        for by, action in zip(world.by, actions, strict=False):
            other.do(by, action)
        return other

    def known(self, viewer: Viewer) -> Any:
        """What this viewer knows for certain, as lists of ints: `imagine` and `Batch.imagine` draw worlds from it."""
        world = WORLDS[self.game.NAME].known(self.variant, self.told(viewer), self._number(viewer))
        for event in self.events[self._facts[-1][0] + 1 if self._facts else 0 :]:
            # Nobody was told of it yet, though all see it: a choice to draw a card before the card comes.
            world.actions.insert(len(world.by), self.game.action(self.variant, event))
            world.by.append(self._by(event))
        return world

    def seen(self, seat: int) -> Seen:
        """A seat's side of the table, for a bot."""
        deck = dict(self.variant.deck)
        return Seen(self.game.NAME, seat, self.players, self.options, deck, self.view(seat))

    def told(self, viewer: Viewer, since: int = 0) -> list[dict[str, Any]]:
        """What this viewer was told, by the events from number `since` on: facts with the fields it may know."""
        number = self._number(viewer)
        said = self._told.setdefault(number, [])
        said += [self._fact(index, told, number) for index, told in self._facts[len(said) :]]
        return [fact for fact in said if fact["event"] >= since] if since else said[:]

    def told_numbers(self, viewer: Viewer) -> list[list[int | None]]:
        """The same as numbers: for each fact which of the game's FACTS it is, from 1, then the numbers that it has.

        They are those that the rules gave to `tell`; None for what this viewer may not know. What a fact reads from the
        State is not among them.
        """
        v, number, kinds = self.variant, self._number(viewer), self.game.FACTS
        return [[1 + kinds.index(told.fact), *told.numbers_for(v.players, number)] for _, told in self._facts]

    @property
    def facts(self) -> list[dict[str, Any]]:
        """Every fact, whole. For the record of a finished game, never for a viewer of one that goes on."""
        return [self._fact(index, told, None) for index, told in self._facts]

    def record(self, **more: Any) -> dict[str, Any]:
        """The record (record.md), with `seats`, `seed`, `fairness` or `notes` as given."""
        head = {"kubli": 1, "game": self.game.NAME, "rules": self.game.RULES, "players": self.players}
        what = {"options": self.options, "deck": self.deck, **more, "events": self.events, "result": self.result}
        return {**head, **what}

    # --- Copies ------------------------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        other = self._twin()
        other.state, other._chance = copied(self.state), copy.deepcopy(self._chance, memo)
        other.events, other.draws, other._facts = self.events[:], self.draws[:], self._facts[:]
        other._told = {viewer: said[:] for viewer, said in self._told.items()}
        other._room, other._keys = self._room[:], self._keys[:]
        return other

    def __reduce__(self) -> Any:
        """A table is written as its settings and its events; read again, they happen again."""
        settings = (self.game.NAME, self.players, self.options, self.deck)
        return again, (settings, self.events, self.draws, self._chance)

    # --- How ---------------------------------------------------------------------------------------------------------

    def _twin(self) -> "Table":
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        return other

    def _by(self, event: Event) -> int:
        by = event.get("by")
        if by == "chance":
            return CHANCE
        if type(by) is not int or not 0 <= by < self.players:
            raise fault("by", most=self.players - 1)
        return by

    def _step(self, by: int, action: int) -> Event:
        event = {"by": "chance" if by == CHANCE else by, **self.game.event(self.variant, action)}
        self.game.step(self.variant, self.state, by, action)
        self._chance_events += by == CHANCE
        self._take(len(self.events))
        self.events.append(event)
        return event

    def _take(self, index: int) -> None:
        if self.state.facts is not None:
            self._facts += [(index, told) for told in self.state.facts]
            self.state.facts.clear()

    def _view(self, viewer: int) -> Any:
        out = self.game.View()
        self.game.view(self.variant, self.state, viewer, out)
        return out

    def _fact(self, index: int, told: Told, viewer: int | None) -> dict[str, Any]:
        rule = f"{self.game.PREFIX}-{told.rule}"
        return {"what": told.fact.what, "event": index, "rule": rule, **told.fields_for(self.variant, viewer)}

    def _number(self, viewer: Viewer) -> int:
        number: Any = self.players if viewer == SPECTATOR else viewer
        if isinstance(number, bool) or not hasattr(number, "__index__") or not 0 <= number <= self.players:
            raise fault("viewer", viewer=str(viewer), most=self.players - 1)
        return operator.index(number)


def again(settings: tuple[Any, ...], events: list[Event], draws: list[tuple[int, int]], chance: Chance | None) -> Table:
    """A table as it was when it was written."""
    game, players, options, deck = settings
    table = Table(game, players, options, deck, chance)
    for event in events:
        table.happen(event)
    table.draws, table._chance = draws[:], copy.deepcopy(chance)
    return table


def copied(state: Any) -> Any:
    """A State of its own, equal to this one."""
    other = object.__new__(type(state))
    for name in state.__dataclass_fields__:  # dataclasses.fields takes its time, and search copies much
        value = getattr(state, name)
        setattr(other, name, copied_list(value) if type(value) is list else value)
    return other


def copied_list(values: list[Any]) -> list[Any]:
    """Lists in lists, copied."""
    return [copied_list(one) for one in values] if values and type(values[0]) is list else values[:]
