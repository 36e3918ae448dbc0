"""How much anybody may ask for, and how fast. Over a limit the answer is 429, with the limit and when to come back."""

import ipaddress
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kubli.server.errors import Problem

__all__ = ["Buckets", "Limits", "Rate", "neighbours"]


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket: so many at once, and so many a second after that."""

    burst: int
    second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server, and the two paces that tests set otherwise.

    Attributes:
        bot_pause: seconds from being asked to a bot's move, the same for every move of every bot.
        ping: seconds between two signs of life on a stream.
        body: the most bytes of a request's body, a deck of one's own included.
        body_seconds: how long a body may take to arrive.
        talk: the most characters, as people count them, of what is said at a table.
        lines: the most that is said at one table, by all together.
        tables: the most tables that are not over and were played at in the last day.
        tables_of_browser: the most of them that one browser may have opened.
        live: how many tables are kept in memory; more are read again when they are asked for.
        streams: the most open streams; `streams_of_browser` of one browser, `streams_of_address` of one address.
        code_seconds: how long the code that moves a seat is good.
        rates: how fast one address may ask, by kind of request; "any" counts every request.
    """

    bot_pause: float = 0.8
    ping: float = 15.0
    body: int = 65_536
    body_seconds: float = 10.0
    talk: int = 500
    lines: int = 2_000
    tables: int = 5_000
    tables_of_browser: int = 50
    live: int = 500
    streams: int = 500
    streams_of_browser: int = 16
    streams_of_address: int = 100
    code_seconds: float = 300.0
    rates: dict[str, Rate] = field(
        default_factory=lambda: {
            "any": Rate(200, 50.0),
            "create": Rate(20, 0.5),
            "code": Rate(5, 0.1),
            "talk": Rate(10, 1.0),
            "think": Rate(10, 2.0),
            "look": Rate(200, 20.0),
            "join": Rate(20, 1.0),
        }
    )


class Buckets:
    """Who asked how much of what lately."""

    MOST = 10_000  # kept at a time; full ones are forgotten first

    def __init__(self, rates: dict[str, Rate], passed: Callable[[], float]) -> None:
        """Start with every bucket full; `passed` tells the time."""
        self.rates = rates
        self.passed = passed
        self.levels: dict[tuple[str, str], tuple[float, float]] = {}

    def take(self, kind: str, who: str) -> None:
        """Count one request of a kind.

        Raises:
            Problem: 429; too many of them.
        """
        rate, now = self.rates[kind], self.passed()
        level = self._level(kind, who, now)
        if level < 1:
            seconds = math.ceil((1 - level) / rate.second)
            raise Problem(429, "too_many_requests", limit=rate.burst, seconds=seconds)
        self.levels[kind, who] = (level - 1, now)
        if len(self.levels) > self.MOST:
            self._forget(now)

    def _level(self, kind: str, who: str, now: float) -> float:
        rate = self.rates[kind]
        level, then = self.levels.get((kind, who), (rate.burst, now))
        return min(rate.burst, level + (now - then) * rate.second)

    def _forget(self, now: float) -> None:
        full = [key for key in self.levels if self._level(*key, now) >= self.rates[key[0]].burst]
        for key in full or list(self.levels)[: self.MOST // 2]:
            del self.levels[key]


def neighbours(address: str) -> str:
    """The address as limits count it: an IPv6 address by its network, of which one household has a whole one."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    # a socket that serves both kinds gives an IPv4 address as ::ffff:1.2.3.4
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))
