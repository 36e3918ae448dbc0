"""HTTP/1.1 from uvicorn that waits only so long for a request to begin."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Prompt"]


class Prompt(H11Protocol):
    """A connection that is hung up if it sends nothing, or half of a request's head, for as long as one may be idle."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """As uvicorn's."""
        super().__init__(*given, **named)
        self._waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what came; a head that has begun must end in time, however slowly it drips."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._cease()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._cease()
        elif self._waits is None:
            self._waits = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _cease(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None
