"""OpenSpiel: the three games, registered as Python games when this module is imported.

>>> import kubli.envs.openspiel
>>> import pyspiel
>>> game = pyspiel.load_game("python_kubli_darwins_dice(players=4)")

A game's parameters are `players`, `deck` (the name of a shipped one) and the table's options: see PARAMETERS. Chance is
explicit: each chance node has one outcome for each card, sleeve or throw that may come. Darwin's Dice is sequential:
who has yet to choose is asked in the order of the seats, and nobody sees a choice before all have chosen. A chance
action here is the game's own number minus the game's ACTIONS.

Python games are slow in OpenSpiel: each state is a Python object, and each clone copies one. For speed there is
kubli.batch.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kubli.envs import shared
from kubli.envs.extra import needed
from kubli.envs.shared import EnvError
from kubli.games import GAMES, WORLDS
from kubli.games.kit import CHANCE, Luck
from kubli.play.table import SPECTATOR, Table, Viewer

with needed("envs", "numpy", "pyspiel"):
    import numpy as np
    import numpy.typing as npt
    import pyspiel

__all__ = ["PARAMETERS", "Darna", "DarwinsDice", "Game", "Narabi", "Observer", "State", "name_of"]

PREFIX = "python_kubli_"
KEPT = 1 << 53  # a float from 0 to 1 has so many values
UNTOLD = -9.0  # in a row of facts: a number that the player may not know; no fact has it

PRIVATE: dict[str, tuple[str, ...]] = {
    "darna": ("hand", "may"),
    "narabi": ("possible", "seen"),
    "darwins-dice": ("hand", "chosen"),
}
"""The parts of a learner's vector that say more than a spectator knows."""

REVEALED = ("turned", "cards_revealed")
"""Facts that lay cards open: these are written after the other numbers of their rows, by seat."""


def name_of(game: str) -> str:
    """What a game is called in OpenSpiel: "darwins-dice" is "python_kubli_darwins_dice"."""
    return PREFIX + game.replace("-", "_")


def parameters_of(game: str) -> dict[str, Any]:
    """A game's parameters, each with what it is if left out."""
    options = {option.name: option.start for option in GAMES[game].OPTIONS}
    return {"players": GAMES[game].PLAYERS[0], "deck": "standard", **options}


PARAMETERS: dict[str, dict[str, Any]] = {name_of(game): parameters_of(game) for game in GAMES}
"""By OpenSpiel's name of a game: its parameters, each with what it is if left out."""


# --- How long games are -----------------------------------------------------------------------------------------------


def longest(table: Table) -> tuple[int, int, int]:
    """No game at this table has more decisions, more chance events, more facts than these."""
    v, n, name = table.variant, table.players, table.game.NAME
    if name == "darna":  # a turn: draw, play, two instructions of two choices or facts each; then a guess for each seat
        return 6 * v.max_turns + n, 1 + n + v.cards, 7 * v.max_turns + 3 * n + 4
    if name == "narabi":
        return v.limit * (v.questions + 1), v.places, v.places + (v.limit + 1) * (v.questions + 2) + 2
    tricks = v.rounds * v.cards
    return tricks * n, tricks * (n + 1), tricks * (2 * n + 4) + 3 * v.rounds + 1


# --- Games and states -------------------------------------------------------------------------------------------------


def kind_of(game: str) -> Any:
    """A game's entry in OpenSpiel's list."""
    together = game == "narabi"
    return pyspiel.GameType(
        short_name=name_of(game),
        long_name=GAMES[game].TITLE,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.IDENTICAL if together else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=GAMES[game].PLAYERS[-1],
        min_num_players=GAMES[game].PLAYERS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS[name_of(game)],
    )


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game of these parameters, as OpenSpiel loads it.

    Attributes:
        NAME: the game's name in a record.
        table: a table of these parameters, not dealt.
        facts: no game has more facts.
    """

    NAME: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Check the parameters and set the table.

        Raises:
            EnvError: a parameter may not be.
        """
        game = self.NAME
        given = {**PARAMETERS[name_of(game)], **(params or {})}
        options = {name: value for name, value in given.items() if name not in ("players", "deck")}
        self.table = shared.table_of(game, given["players"], options, given["deck"])
        (least, most), (decisions, self._chances, self.facts) = shared.bounds(self.table), longest(self.table)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.game.ACTIONS,
            max_chance_outcomes=self.table.game.CHANCE_ACTIONS,
            num_players=self.table.players,
            min_utility=least,
            max_utility=most,
            utility_sum=None if game == "narabi" else 0.0,
            max_game_length=decisions,
        )
        super().__init__(kind_of(game), info, dict(given))

    def new_initial_state(self) -> "State":
        """A game in which nothing has been dealt yet."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """No game has more chance events."""
        return self._chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> "Observer":
        """An observer of this kind; without one the kind is OpenSpiel's usual: public and own private information.

        Raises:
            EnvError: there are parameters; none is known.
        """
        if params:
            raise EnvError(f"Observers take no parameters, not {sorted(params)}.")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class State(pyspiel.State):  # type: ignore[misc]
    """One game as OpenSpiel steps through it.

    OpenSpiel clones a state by making a new one, then deep copies of what the old one's __dict__ holds.
    """

    def __init__(self, game: Game) -> None:
        """Begin; `Game.new_initial_state` makes one."""
        super().__init__(game)
        self._table: Table | None = None
        self._player: int | None = None

    @property
    def table(self) -> Table:
        """The same game at a table; set when it is asked for first, since most new states become clones."""
        if self._table is None:
            self._table = self.get_game().table.anew()
        return self._table

    def current_player(self) -> int:
        """Who is next: chance, the lowest seat that may act, or nobody at the end."""
        if self._player is None:  # it is asked for several times a step
            table = self.table
            nobody = pyspiel.PlayerId.TERMINAL if table.over else pyspiel.PlayerId.CHANCE
            self._player = (table.to_act or [int(nobody)])[0]
        return self._player

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, ascending, and how likely each is."""
        found = self.table.chances()
        whole = sum(found.values())
        return [(action - self.table.game.ACTIONS, found[action] / whole) for action in sorted(found)]

    def _apply_action(self, action: int) -> None:
        player, rules = self.current_player(), self.table.game
        count = rules.CHANCE_ACTIONS if player < 0 else rules.ACTIONS
        chosen = shared.whole_number("action", action, 0, count - 1)
        by, number = (CHANCE, chosen + rules.ACTIONS) if player < 0 else (player, chosen)
        shared.check(self.table, by, number)
        self.table.do(by, number)
        self._player = None

    def _action_to_string(self, player: int, action: int) -> str:
        number = action + self.table.game.ACTIONS if player < 0 else action
        return compact(self.table.game.event(self.table.variant, number))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Each seat's utility; 0 before the end."""
        result = self.table.result
        return list(result["utilities"]) if result else [0.0] * self.table.players

    def __str__(self) -> str:
        return "\n".join(map(compact, self.table.events))

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":
        """A state that this player can't tell from this one; what it may not know is drawn anew, exactly.

        Args:
            player: whose information is kept.
            sampler: called without arguments for a number from 0 to 1, as pyspiel.UniformProbabilitySampler(0., 1.);
                the world depends on nothing else.
        """
        world = self.table.imagine(player, Luck(int(sampler() * KEPT)))
        other = self.get_game().new_initial_state()
        for event in world.events:
            action = world.game.action(world.variant, event)
            other.apply_action(action - world.game.ACTIONS if event["by"] == "chance" else action)
        return other  # type: ignore[no-any-return]


def compact(thing: Any) -> str:
    """JSON without spaces."""
    return json.dumps(thing, separators=(",", ":"))


# --- Observers --------------------------------------------------------------------------------------------------------


class Observer:
    """What a player observes, as IIGObservationType says.

    | public | private | the piece "observation" | the text |
    |---|---|---|---|
    | yes | own | the learner's vector of the player's seat | the seat's view |
    | yes | none | that of a spectator | a spectator's view |
    | no | own | the private parts of the seat's vector | what the seat's view has beyond a spectator's |
    | yes, no | all | the same of every seat, one after the other | the same of every seat |

    With perfect recall there is the piece "told" too: a row for each fact that was told, in order. A row has the fact's
    number in the game's FACTS, from 1, then the numbers that the fact has (UNTOLD for what the player may not know),
    then the cards that it lays open, by seat. The text is then all that was told, instead of the view.

    Attributes:
        tensor: all numbers, float32.
        dict: its pieces by name.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        """Make room for what is observed."""
        self._kind, self._table = kind, game.table
        self._everyone = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._places = np.concatenate(list(self._places_of(game.table.game.NAME)))
        shapes: dict[str, tuple[int, ...]] = {"observation": (len(self._viewers(0)) * len(self._places),)}
        if kind.perfect_recall:
            width = 1 + max(len(fact.given) for fact in game.table.game.FACTS) + game.table.players
            shapes["told"] = (len(self._viewers(0)) * game.facts, width)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        edges = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes.values())])
        self.dict = {
            name: self.tensor[low:high].reshape(shape)
            for (name, shape), low, high in zip(shapes.items(), edges, edges[1:], strict=False)
        }

    def set_from(self, state: State, player: int) -> None:
        """Write what this player observes to `tensor`."""
        self.tensor.fill(0)
        viewers = self._viewers(player)
        found = [np.array(state.table.observation(viewer), np.float32)[self._places] for viewer in viewers]
        if found:
            self.dict["observation"][:] = np.concatenate(found)
        if self._kind.perfect_recall:
            for viewer, rows in zip(viewers, np.split(self.dict["told"], len(viewers) or 1), strict=False):
                for row, numbers in zip(rows, self._rows(state.table, viewer), strict=False):
                    row[: len(numbers)] = numbers

    def string_from(self, state: State, player: int) -> str:
        """What this player observes, as text."""
        who = {"player": player} if self._own else {}
        who |= {"next": state.current_player()} if self._kind.public_info else {}
        texts = [self._text(state.table, viewer) for viewer in self._viewers(player)]
        return "\n".join([compact(who), *texts]) if who else "\n".join(texts)

    # --- How ---------------------------------------------------------------------------------------------------------

    def _viewers(self, player: int) -> list[Viewer]:
        if self._everyone:
            return list(range(self._table.players))
        return [player] if self._own else [SPECTATOR] if self._kind.public_info else []

    def _places_of(self, game: str) -> Iterable[npt.NDArray[np.int64]]:
        """Which numbers of a learner's vector are taken."""
        at = 0
        for part in WORLDS[game].OBSERVATION:
            if self._kind.public_info or part.name in PRIVATE[game]:
                yield np.arange(at, at + part.size)
            at += part.size

    def _rows(self, table: Table, viewer: Viewer) -> Iterable[list[float]]:
        rows = table.told_numbers(viewer)
        if self._kind.public_info:
            for fact, row in zip(table.told(viewer), rows, strict=True):
                cards = cards_of(table, fact)  # one number in the fact, too large for a float32
                yield [*map(number_of, row[:1] + row[2:] if cards else row), *cards]
            return
        for row, public in zip(rows, table.told_numbers(SPECTATOR), strict=True):
            own = (one if other is None else None for one, other in zip(row[1:], public[1:], strict=True))
            yield [number_of(row[0]), *map(number_of, own)]

    def _text(self, table: Table, viewer: Viewer) -> str:
        if self._kind.perfect_recall:
            facts = table.told(viewer)
            known = facts if self._kind.public_info else list(map(beyond, facts, table.told(SPECTATOR)))
            return "\n".join(map(compact, known))
        view = table.view(viewer)
        return compact(view if self._kind.public_info else beyond(view, table.view(SPECTATOR)))


def beyond(thing: dict[str, Any], public: dict[str, Any]) -> dict[str, Any]:
    """The fields of a fact or a view that say more than what is public."""
    return {name: value for name, value in thing.items() if name not in public or public[name] != value}


def number_of(known: int | None) -> float:
    """A number of a fact in its row."""
    return UNTOLD if known is None else known


def cards_of(table: Table, fact: Mapping[str, Any]) -> list[float]:
    """The cards that a fact lays open, by seat."""
    if fact["what"] not in REVEALED:
        return []
    cards = fact["cards"]
    return [table.variant.names.index(name) for name in (cards.values() if isinstance(cards, dict) else cards)]


# --- The three games --------------------------------------------------------------------------------------------------
#
# OpenSpiel keeps what it makes games with until after Python has ended. Only a class survives that: a function or a
# partial is freed then, which aborts the process.


class Darna(Game):
    """`python_kubli_darna`."""

    NAME = "darna"


class Narabi(Game):
    """`python_kubli_narabi`."""

    NAME = "narabi"


class DarwinsDice(Game):
    """`python_kubli_darwins_dice`."""

    NAME = "darwins-dice"


for _kind in (Darna, Narabi, DarwinsDice):
    pyspiel.register_game(kind_of(_kind.NAME), _kind)
