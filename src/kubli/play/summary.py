"""What many games say together: who won how often, how long they were, with how many points, and how sure that is."""

import math
from collections.abc import Sequence
from typing import Any

__all__ = ["Summary", "mean", "share"]

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


def share(hits: float, of: int) -> tuple[float, float, float]:
    """A share with its 95 % interval: (share, low, high), each 0 to 1.

    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 1927.
    """
    p, z2 = hits / of, Z * Z
    middle, spread = p + z2 / (2 * of), Z * math.sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    return p, (middle - spread) / (1 + z2 / of), (middle + spread) / (1 + z2 / of)


def mean(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean with its 95 % interval by the normal approximation: (mean, low, high)."""
    n = len(values)
    m = math.fsum(values) / n
    error = Z * math.sqrt(math.fsum((x - m) ** 2 for x in values) / max(1, n - 1) / n)
    return m, m - error, m + error


class Summary:
    """Figures over the records of finished games of one kind.

    A shared win counts as a part: with two winners, half for each.
    """

    def __init__(self, game: str, players: int) -> None:
        """No games yet."""
        self.game, self.players = game, players
        self.games = 0
        self.wins = [0.0] * players
        self.decisions: list[float] = []
        self.exchanges: list[float] = []
        self.points: list[list[float]] = [[] for _ in range(players)]
        self.how: dict[str, int] = {}

    def add(self, record: dict[str, Any]) -> None:
        """Count one more finished game."""
        result = record["result"]
        self.games += 1
        self.decisions.append(sum(event["by"] != "chance" for event in record["events"]))
        self.how[result["how"]] = self.how.get(result["how"], 0) + 1
        winners = winners_of(result, self.players)
        for seat in winners:
            self.wins[seat] += 1 / (1 if self.game == "narabi" else len(winners))
        for seat, points in enumerate(result.get("points", ())):
            self.points[seat].append(points)
        if result.get("won"):
            self.exchanges.append(result["exchanges"])

    def text(self) -> str:
        """The figures as a table, each with its 95 % interval."""
        rows = [f"{self.game}, {self.players} players, {self.games} games; 95 % intervals in brackets"]
        if self.game == "narabi":
            rows.append(f"won together    {percent(*share(self.wins[0], self.games))}")
        else:
            rows += [f"seat {seat} wins     {percent(*share(won, self.games))}" for seat, won in enumerate(self.wins)]
        rows += [f"ended by {how:<12} {percent(*share(count, self.games))}" for how, count in sorted(self.how.items())]
        rows += [f"seat {seat} points   {number(*mean(points))}" for seat, points in enumerate(self.points) if points]
        if self.exchanges:
            rows.append(f"exchanges if won {number(*mean(self.exchanges))}")
        rows.append(f"decisions a game {number(*mean(self.decisions))}")
        return "\n".join(rows)


def winners_of(result: dict[str, Any], players: int) -> list[int]:
    """The seats that won, by a record's result."""
    if "won" in result:
        return list(range(players)) if result["won"] else []
    if "winners" in result:
        return list(result["winners"])
    return [] if result["winner"] is None else [result["winner"]]


def percent(value: float, low: float, high: float) -> str:
    """A share in words: `25.1 % [24.0, 26.2]`."""
    return f"{100 * value:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def number(value: float, low: float, high: float) -> str:
    """A mean in words: `41.7 [41.2, 42.2]`."""
    return f"{value:7.2f} [{low:.2f}, {high:.2f}]"
