"""The same games in plain Python: rules on dataclasses, chance from play.chance."""

from collections.abc import Iterator
from random import Random
from typing import Any

from kubli.batch import Batch
from kubli.games import GAMES
from kubli.games.contract import Event
from kubli.games.kit import CHANCE
from kubli.play.chance import Seeded

COUNTS = [(name, players) for name, game in GAMES.items() for players in game.PLAYERS]


class Plain:
    """One game on a dataclass."""

    def __init__(self, batch: Batch, seed: int, number: int) -> None:
        self.game: Any = GAMES[batch.game]
        self.variant = batch.variant
        self.state = self.game.State(facts=None)
        self.chance = Seeded(seed, number)
        self.room = [0] * (self.game.ACTIONS + 1)
        self.game.setup(self.variant, self.state)
        self.advance()

    def advance(self) -> None:
        while n := self.game.outcomes(self.variant, self.state):
            self.game.step(
                self.variant, self.state, CHANCE, self.game.draw(self.variant, self.state, self.chance.below(0, n))
            )

    def act(self, seat: int, action: int) -> None:
        self.game.step(self.variant, self.state, seat, action)
        self.advance()

    def legal(self, seat: int) -> list[int]:
        return self.room[: self.game.legal(self.variant, self.state, seat, self.room)]

    @property
    def to_act(self) -> list[int]:
        bits = self.game.to_act(self.variant, self.state)
        return [seat for seat in range(self.variant.players) if bits >> seat & 1]

    @property
    def over(self) -> bool:
        return bool(self.game.over(self.variant, self.state))

    def utilities(self) -> list[float]:
        out = [0.0] * self.variant.players
        if self.over:
            self.game.utilities(self.variant, self.state, out)
        return out


def choose(game: Plain, random: Random) -> tuple[int, int]:
    """A seat that may act and what it does; it shouts and asks less often than by lot, so that games get on."""
    seat = random.choice(game.to_act)
    legal = game.legal(seat)
    events: Iterator[tuple[int, Event]] = ((action, game.game.event(game.variant, action)) for action in legal)
    often = [action for action, event in events if event["act"] not in ("shout", "ask")]
    return seat, random.choice(often if often and random.random() < 0.8 else legal)
