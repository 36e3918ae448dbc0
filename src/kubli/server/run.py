"""Start the server: bind, open the browser, serve until Ctrl-C. What prevents it is one sentence and exit code 1."""

import contextlib
import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
import uvicorn
from fastapi import FastAPI

from kubli import words
from kubli.server import address
from kubli.server.app import create
from kubli.server.limits import Limits
from kubli.server.lobby import USUAL_PORT
from kubli.server.migrate import Newer
from kubli.server.wire import Prompt

__all__ = ["data_folder", "serve"]


LOCK = "kubli.lock"
CONNECTIONS, FILES = 2_000, 2_500  # each connection is a file to the system, and the store needs some
TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


class Prevented(Exception):  # noqa: N818 - told, not failed
    """Why the server cannot start, in a sentence."""


def serve(host: str, port: int, data: Path | None, open_browser: bool) -> int:
    """Serve until Ctrl-C.

    Args:
        host: the address to bind; 127.0.0.1 is for this machine alone.
        port: the port; 0 takes a free one.
        data: the data folder; the platform's own if None.
        open_browser: whether to open the page.

    Returns:
        The exit code: 0, or 1 if it could not start, with one sentence on standard error.
    """
    try:
        with bound(host, port) as listener:
            where, port = listener.getsockname()[:2]
            host, data = address.plain(host, where), data or data_folder()
            with held(data):
                run(opened(data, host, port), listener, host, port, open_browser)
    except Prevented as why:
        say(str(why))
        return 1
    return 0


def run(app: FastAPI, listener: socket.socket, host: str, port: int, open_browser: bool) -> None:
    """Serve on a socket until Ctrl-C."""
    config = uvicorn.Config(
        app,
        log_level="error",  # warnings are of requests, which anybody may make
        http=Prompt,  # h11 takes 64 kB of headers; httptools any number
        ws="none",
        access_log=False,  # a path holds a table's link
        proxy_headers=False,  # anybody may write those
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        limit_concurrency=CONNECTIONS,
    )
    allow_files(FILES)
    with contextlib.suppress(KeyboardInterrupt):
        Announced(config, app, host, port, open_browser).run([listener])
    say(words.cli("stopped"))


def allow_files(most: int) -> None:
    """Let this process have so many files open, as far as the system lets it; many start with 1024 or fewer."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


class Announced(uvicorn.Server):
    """A server that says where it is once it listens."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, host: str, port: int, open_browser: bool) -> None:
        """As uvicorn's, and where it is."""
        super().__init__(config)
        self.app = app
        self.host, self.port, self.open_browser = host, port, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if not self.started:
            return
        here = address.url("127.0.0.1" if address.is_everywhere(self.host) else self.host, self.port)
        say(words.cli("serving", url=here))
        for there in address.addresses(self.host, self.port):
            say(words.cli("share", url=there))
        if address.is_local(self.host):
            say(words.cli("local_only", command=address.command(self.port, USUAL_PORT)))
        if self.open_browser:
            threading.Thread(target=show, args=[here], daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; open pages are told that the line ends, and come back by themselves."""
        self.app.state.server.tables.hang_up()
        await super().shutdown(sockets)


def show(url: str) -> None:
    """Open the browser, if there is one."""
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        Prevented: the address or the port cannot be had.
    """
    try:
        family, kind, proto, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise Prevented(words.cli("host_unknown", host=host)) from None
    listener = socket.socket(family, kind, proto)
    if os.name != "nt":  # there it would let two servers have one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # a browser that went to sleep is not waited for
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 45_000)
    try:
        listener.bind(where)
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Prevented(words.cli("port_taken", port=port, other=port % 65535 + 1)) from None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise Prevented(words.cli("port_forbidden", port=port, other=USUAL_PORT)) from None
        raise Prevented(words.cli("host_unknown", host=host)) from None
    return listener


@contextlib.contextmanager
def held(data: Path) -> Iterator[None]:
    """The data folder for this process alone, until it ends in whatever way.

    Two servers would make one game of it too, but a page at one hears late of what happens at the other, and whoever
    starts Kubli twice has forgotten the first.

    Raises:
        Prevented: another Kubli has it, or it cannot be written.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data / LOCK).open("ab")
    except OSError:
        raise Prevented(words.cli("data_unwritable", path=str(data))) from None
    with lock:
        try:
            hold(lock.fileno())
        except OSError as error:
            if error.errno in TAKEN:
                raise Prevented(words.cli("data_in_use", path=str(data))) from None
        yield  # held, or on a disk that knows no locks


def hold(file: int) -> None:
    """Lock a file, or raise at once."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def opened(data: Path, host: str, port: int) -> FastAPI:
    """The application on its data folder.

    Raises:
        Prevented: the folder cannot be used.
    """
    try:
        return create(data, host=host, port=port, limits=limits())
    except OSError:
        raise Prevented(words.cli("data_unwritable", path=str(data))) from None
    except Newer:
        raise Prevented(words.cli("data_newer", path=str(data))) from None
    except sa.exc.OperationalError:
        raise Prevented(words.cli("data_unwritable", path=str(data))) from None
    except sa.exc.DatabaseError:
        raise Prevented(words.cli("data_broken", path=str(data))) from None


def limits() -> Limits:
    """The usual limits; KUBLI_BOT_PAUSE sets the bots' pause in seconds, 0 for tests."""
    pause = os.environ.get("KUBLI_BOT_PAUSE", "")
    try:
        return Limits(bot_pause=max(0.0, float(pause))) if pause else Limits()
    except ValueError:
        return Limits()


def data_folder() -> Path:
    """Where tables are kept if nothing else is said."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "kubli"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "kubli"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "kubli"


def say(sentence: str) -> None:
    """Tell whoever started it."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()
