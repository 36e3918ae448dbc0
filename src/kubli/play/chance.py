"""Where chance comes from: sealed by a commitment at a table, fast and counted in a simulation.

Each answers `below(k, n)`: the outcome, from 0 to n - 1, of the k-th chance event of its game (record.md, "Chance and
fairness"). The games know neither.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Protocol

from kubli.games.kit import Luck

__all__ = ["Chance", "Sealed", "Seeded"]

WORD = 1 << 64


class Chance(Protocol):
    """Whatever can say how the k-th chance event of a game falls."""

    def below(self, k: int, n: int, /) -> int:
        """One of n equally likely outcomes for the k-th chance event, counted from 0 over chance events alone."""


class Sealed:
    """The stream of a table: HMAC-SHA256 under a secret that was committed to before anyone joined.

    Attributes:
        secret: 32 bytes from the operating system.
        entropy: each seat's own contribution in seat order, None where a seat gave none.
    """

    def __init__(self, secret: bytes, entropy: Sequence[bytes | None] = ()) -> None:
        """Make the stream of this secret and these contributions."""
        self.secret = secret
        self.entropy = list(entropy)
        self._seats = b"".join(one or b"" for one in entropy)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret in hex, shown before anyone joins."""
        return hashlib.sha256(self.secret).hexdigest()

    def below(self, k: int, n: int, /) -> int:
        """The k-th outcome: 64 bits, big-endian, tried again from the largest multiple of n on, then modulo n."""
        for attempt in range(WORD):
            message = b"kubli/1" + self._seats + k.to_bytes(8, "big") + attempt.to_bytes(8, "big")
            word = int.from_bytes(hmac.digest(self.secret, message, "sha256")[:8], "big")
            if word < WORD - WORD % n:
                return word % n
        raise AssertionError("no stream is that long")


class Seeded:
    """The fast stream of one simulated game, equal on every machine: (seed, number of the game) start its counter.

    Chance events are asked for in order, so `k` is not needed.
    """

    def __init__(self, seed: int, game: int = 0) -> None:
        """The stream of game `game` under `seed` (both taken modulo 2**64)."""
        self.luck = Luck(seed, game)

    def below(self, _k: int, n: int, /) -> int:
        """The next outcome of n equally likely ones."""
        return self.luck.below(n)
