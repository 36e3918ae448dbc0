"""Many games one after the other: bots by seat, one seed, the same records on every machine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kubli.games.contract import Event
from kubli.games.kit import Luck
from kubli.play.chance import Seeded
from kubli.play.seen import Seen
from kubli.play.table import Table

__all__ = ["Player", "play", "simulate"]

Player = Callable[[Seen, list[dict[str, Any]], list[Event], Luck, float], tuple[Event, dict[str, Any]]]
"""Whatever chooses for a seat: a bot (kubli.bots.Bot)."""

BOT = 0x626F74  # "bot": keeps the bots' streams apart from the deal's


def simulate(
    game: str,
    players: int,
    games: int,
    seed: int,
    bots: Sequence[tuple[str, Player]],
    options: Mapping[str, Any] | None = None,
    deck: str | Mapping[str, Any] | None = None,
) -> Iterator[dict[str, Any]]:
    """Records of finished games, one after the other.

    Args:
        game: its name in a record.
        players: how many.
        games: how many games.
        seed: any whole number; game i of a seed is the same whatever the number of games.
        bots: name and player by seat.
        options: what the table sets otherwise than usual.
        deck: a shipped deck's name, or a deck as an object.

    Returns:
        Records as docs/guides/record.md has them, with `seats` the bots' names and `seed`, each played when asked for.

    Raises:
        Refused: the game, number of players, an option or the deck may not be.
    """
    settings = Table(game, players, options, deck)
    return (_played(settings, number, seed, bots) for number in range(games))


def _played(settings: Table, number: int, seed: int, bots: Sequence[tuple[str, Player]]) -> dict[str, Any]:
    table = settings.anew(Seeded(seed, number))
    play(table, [bot for _, bot in bots], [Luck(seed, number, BOT, seat) for seat in range(table.players)])
    return table.record(seats=[name for name, _ in bots], seed=seed)


def play(table: Table, bots: Sequence[Player], luck: Sequence[Luck]) -> None:
    """Play a table to its end; where several seats may act, the lowest goes first (no rule and no bot can tell)."""
    table.advance()
    while not table.over:
        seat = table.to_act[0]
        event, _ = bots[seat](table.seen(seat), table.told(seat), table.legal(seat), luck[seat], 0.0)
        table.act(seat, event)
