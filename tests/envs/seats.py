"""Which numbers of seats are tried: the fewest and the most of each game, or all of them with --long."""

from kubli.games import GAMES
from laws.worlds import COUNTS, LONG

SEATS = [(name, n) for name, n in COUNTS if LONG or n in (GAMES[name].PLAYERS[0], GAMES[name].PLAYERS[-1])]
