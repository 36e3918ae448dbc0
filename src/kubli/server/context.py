"""What every endpoint may use, and who calls: the cookie of a browser, or a seat's token."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.responses import Response

from kubli.bots import Bot
from kubli.server import names
from kubli.server.limits import Buckets, Limits, neighbours
from kubli.server.outside import Outside
from kubli.server.people import Codes
from kubli.server.store import Store
from kubli.server.tables import Caller, Tables

__all__ = ["COOKIE", "TOLD", "Browser", "Known", "Me", "Server", "The", "cookie", "named"]

COOKIE = "kubli"
GIVEN = re.compile(r"[A-Za-z0-9_-]{20,64}")
KEPT = timedelta(days=400)

# Only told to /openapi.json: who calls is found out below, because a browser without a cookie may look on.
TOLD = (
    Depends(APIKeyCookie(name=COOKIE, auto_error=False, description="A browser, set by the server.")),
    Depends(HTTPBearer(auto_error=False, description="The `token` of a seat, for programs.")),
)


@dataclass(slots=True)
class Server:
    """A running server.

    Attributes:
        host: the address it is bound to.
        port: and the port.
        decks: the folder where people keep decks of their own.
    """

    store: Store
    tables: Tables
    outside: Outside
    limits: Limits
    bots: dict[str, Bot]
    buckets: Buckets
    host: str
    port: int
    decks: Path
    codes: Codes = field(init=False)

    def __post_init__(self) -> None:
        self.codes = Codes(self.outside, self.limits.code_seconds)


async def server(request: Request) -> Server:
    """The server that a request came to."""
    found: Server = request.app.state.server
    return found


async def caller(request: Request) -> Caller:
    """Who calls."""
    given = request.cookies.get(COOKIE, "")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    client = request.client
    return Caller(
        browser=hashed(given) if GIVEN.fullmatch(given) else None,
        token=token.strip() if scheme.lower() == "bearer" else None,
        address=neighbours(client.host) if client else "",
    )


def hashed(value: str) -> str:
    """A browser as it is kept: nobody who reads the database can be that browser."""
    return hashlib.sha256(value.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that is to be known again.

    Attributes:
        id: as it is kept.
        fresh: its cookie, if it is to be set.
    """

    id: str
    fresh: str | None


async def browser(who: "Me", the: "The") -> Browser:
    """The calling browser; one that has no cookie gets one with the answer."""
    if who.browser is not None:
        return Browser(who.browser, None)
    value = the.outside.name()
    return Browser(hashed(value), value)


The = Annotated[Server, Depends(server)]
Me = Annotated[Caller, Depends(caller)]
Known = Annotated[Browser, Depends(browser)]


def cookie(request: Request, response: Response, known: Browser) -> Response:
    """The answer, with the browser's cookie if it has none yet."""
    if known.fresh:
        safe = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
        seconds = int(KEPT.total_seconds())
        response.set_cookie(COOKIE, known.fresh, max_age=seconds, httponly=True, samesite="lax", secure=safe)
    return response


async def named(the: Server, known: Browser, given: str) -> str:
    """The name that somebody gives, kept for the next time; or the one that they gave last.

    Raises:
        Problem: 422; neither.
    """
    before = await the.store.name_of(known.id)
    if not given.strip() and before is not None:
        return before
    name = names.name(given)
    if name != before:
        await the.store.remember(known.id, name)
    return name
