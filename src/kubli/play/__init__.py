"""One game at a table: its state and record, chance, replay and simulation."""

from kubli.play.replay import read
from kubli.play.seen import Seen
from kubli.play.table import SPECTATOR, Table

__all__ = ["SPECTATOR", "Seen", "Table", "read"]
