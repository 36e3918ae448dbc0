"""The server as an application: endpoints, limits, errors, and the page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kubli import __version__
from kubli.bots import BOTS, Bot
from kubli.server import address, lobby, messages, play, seats
from kubli.server.context import Server
from kubli.server.errors import Problem
from kubli.server.guard import Guard
from kubli.server.limits import Buckets, Limits
from kubli.server.lobby import USUAL_PORT
from kubli.server.outside import Outside
from kubli.server.page import STATIC, Page
from kubli.server.store import Store, StoreFailed
from kubli.server.tables import Tables

__all__ = ["create", "openapi"]

ABOUT = """\
Tables of card games with hidden information. The page itself uses this API, and a bot of yours may too: open or join a
table, then play with `Authorization: Bearer <token>`. A complete bot is in docs/guides/bot.md.

Every answer holds only what its asker may know. Errors have a code, values and a sentence; 429 says in `Retry-After`
when to come back.
"""
STATUSES = (401, 403, 404, 409, 413, 422, 429)


def create(
    data: Path,
    *,
    host: str = "127.0.0.1",
    port: int = USUAL_PORT,
    limits: Limits | None = None,
    outside: Outside | None = None,
    bots: dict[str, Bot] | None = None,
    static: Path = STATIC,
) -> FastAPI:
    """The application on a data folder, whose tables go on as soon as it is started.

    Args:
        data: the folder; made if it is not there.
        host: the address that it will be served at.
        port: and the port.
        limits: what anybody may ask for; tests set the bots' pause to 0 here.
        outside: time, ids and secrets; a test fixes them here.
        bots: bots by name; those of kubli.bots if left out.
        static: the page as built.

    Raises:
        OSError, sqlalchemy.exc.DBAPIError, kubli.server.migrate.Newer: as Store.
    """
    limits, outside, bots = limits or Limits(), outside or Outside(), BOTS if bots is None else bots
    store = Store(data)
    buckets = Buckets(limits.rates, outside.passed)
    tables = Tables(store, outside, limits, bots)
    server = Server(store, tables, outside, limits, bots, buckets, host, port, data / "decks")
    app = application(server, Page(static))
    app.add_middleware(Guard, limits=limits, buckets=buckets, local=address.is_local(host))
    return app


def openapi() -> dict[str, Any]:
    """What /openapi.json says, without a server."""
    return application(None, Page()).openapi()


class Described(FastAPI):
    """An application whose description says of a stream what FastAPI cannot: refusals come as JSON there too."""

    def openapi(self) -> dict[str, Any]:
        """The description."""
        made = super().openapi()
        for what in (what for path in made["paths"].values() for what in path.values()):
            for status, answer in what["responses"].items():
                for kind in ("text/event-stream", "text/plain"):
                    if kind in (content := answer.get("content", {})):
                        said = content.pop(kind)
                        said["schema"].pop("type", None)
                        content[kind if status == "200" else "application/json"] = said
        return made


def application(server: Server | None, page: Page) -> FastAPI:
    """The endpoints."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        assert server is not None
        app.state.server = server
        server.tables.start()
        yield
        await server.tables.stop()
        server.store.close()

    app = Described(
        title="Kubli",
        version=__version__,
        description=ABOUT,
        license_info={"name": "MIT"},
        docs_url=None,  # both load from another server
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        responses={status: {"model": messages.Refusal} for status in STATUSES},
        generate_unique_id_function=lambda route: route.name,
    )
    for router in (lobby.router, seats.router, play.router):
        app.include_router(router)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def files(request: Request) -> Response:
        return page.answer(request)

    app.add_exception_handler(Problem, refuse)
    app.add_exception_handler(StoreFailed, not_stored)
    app.add_exception_handler(RequestValidationError, not_understood)
    app.add_exception_handler(HTTPException, not_found)
    return app


async def refuse(_request: Request, error: Exception) -> Response:
    """A request that is not answered as asked."""
    assert isinstance(error, Problem)
    return error.response()


async def not_stored(_request: Request, _error: Exception) -> Response:
    """A request that the disk did not take."""
    return Problem(503, "failed").response()


async def not_understood(_request: Request, error: Exception) -> Response:
    """A request that has not the form it should have: the first thing that is wrong with it."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return Problem(422, "not_json").response()
    where = ".".join(str(one) for one in first["loc"] if one not in ("body", "query", "path", "header")) or "body"
    return Problem(422, "bad_request", where=where, what=str(first["msg"])).response()


async def not_found(_request: Request, error: Exception) -> Response:
    """What the router, or the reading of a body, says no to."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        methods = ", ".join(sorted((error.headers or {}).get("Allow", "").split(", ")))
        return Problem(405, "bad_method", methods=methods).response()
    codes = {404: "not_found", 400: "not_json", 413: "too_large"}
    status = 422 if error.status_code == 400 else error.status_code
    return Problem(status, codes.get(error.status_code, "bad_request")).response()
