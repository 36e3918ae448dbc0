"""What a server takes from the world: time, and numbers that nobody can guess.

All of it goes through one object that is handed in, so a test can fix a clock, ids and chance without touching anything
global.
"""

import asyncio
import hashlib
import hmac
import os
import secrets
import time
from datetime import UTC, datetime

from kubli.games.kit import Luck
from kubli.play.chance import Chance, Sealed

__all__ = ["Outside"]

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # of a code that is read aloud: no 0, 1, I, L, O, U


class Outside:
    """The world as it is."""

    def now(self) -> datetime:
        """The time of day, in UTC."""
        return datetime.now(UTC)

    def passed(self) -> float:
        """Seconds that only ever grow, from some start."""
        return time.monotonic()

    async def pause(self, seconds: float) -> None:
        """Let so much time pass."""
        await asyncio.sleep(seconds)

    def name(self) -> str:
        """A name that cannot be guessed: of a table, of a browser."""
        return secrets.token_urlsafe(16)

    def code(self) -> str:
        """A code that a person can type: 8 of 30 letters."""
        return "".join(secrets.choice(LETTERS) for _ in range(8))

    def secret(self) -> bytes:
        """32 bytes that cannot be guessed."""
        return os.urandom(32)

    def commitment(self, secret: bytes) -> str:
        """What is shown of a table's secret before anybody joins: its SHA-256 in hex."""
        return hashlib.sha256(secret).hexdigest()

    def chance(self, secret: bytes, players: int) -> Chance:
        """Where the deals and throws of a table come from."""
        return Sealed(secret, [None] * players)

    def luck(self, secret: bytes, seat: int, entry: int) -> Luck:
        """A bot's stream for one decision: the same after a restart, and apart from the deal's by its label."""
        message = b"kubli/bot" + seat.to_bytes(8, "big") + entry.to_bytes(8, "big")
        return Luck(int.from_bytes(hmac.digest(secret, message, "sha256")[:8], "big"))
