"""What every request passes first and every answer last: hosts, origins, rates, sizes, headers, and no traceback.

A request without an Origin is no browser's: it may play with a seat's token. A browser's must come from this server's
own page. On this machine alone the Host must be this machine's, so that no name of somebody else can point here.
"""

import asyncio
import logging
import re
import traceback
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kubli.server.errors import Problem
from kubli.server.limits import Buckets, Limits, neighbours

__all__ = ["Guard"]

log = logging.getLogger("kubli.server")

HERE = re.compile(r"(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?", re.IGNORECASE)
READING = {"GET", "HEAD", "OPTIONS"}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, limits: Limits, buckets: Buckets, local: bool) -> None:
        """Stand before `app`; `local`: only this machine can reach it."""
        self.app, self.limits, self.buckets, self.local = app, limits, buckets, local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the application answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = Answer(send)
        try:
            self._check(scope)
            await self.app(scope, await self._body(scope, receive), answer)
        except Problem as problem:
            await problem.response()(scope, receive, answer)
        except Exception as error:  # noqa: BLE001  nobody sees a traceback, and no message: it may hold a secret
            places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
            log.error("failed: %s at %s", type(error).__name__, " < ".join(reversed(places[-6:])))
            if not answer.started:
                await Problem(500, "failed").response()(scope, receive, answer)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if self.local and not (len(hosts) == 1 and HERE.fullmatch(hosts[0])):
            raise Problem(403, "bad_host")
        asks = scope["method"] not in READING or scope["path"].endswith("/stream")
        origin = headers.get("origin")
        if asks and origin is not None and place(origin) != "".join(hosts[:1]).lower():
            raise Problem(403, "bad_origin")
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign and scope["path"].startswith("/api/"):
            raise Problem(403, "bad_origin")
        client = scope.get("client")
        self.buckets.take("any", neighbours(client[0]) if client else "")

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """The whole body, within its limits; what comes after it is whether the other side is gone."""
        given = Headers(scope=scope).get("content-length", "0")
        if given.isdecimal() and int(given) > self.limits.body:
            raise Problem(413, "too_large", limit=self.limits.body)
        body, more = b"", True
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    body, more = body + message.get("body", b""), message.get("more_body", False)
                    if len(body) > self.limits.body:
                        raise Problem(413, "too_large", limit=self.limits.body)
        except TimeoutError:
            raise Problem(408, "too_slow") from None
        first: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return first.pop() if first else await receive()

        return again


def place(origin: str) -> str | None:
    """Host and port of an origin; None if it has none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


class Answer:
    """What is sent, with the headers that every answer has."""

    def __init__(self, send: Send) -> None:
        """Send through `send`."""
        self.send, self.started = send, False

    async def __call__(self, message: Message) -> None:
        """Send one part."""
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await self.send(message)
