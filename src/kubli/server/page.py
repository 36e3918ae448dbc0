"""The page as built: its files from memory, and the page itself at every address that is not a file."""

import gzip
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from kubli import words
from kubli.server.errors import Problem

__all__ = ["STATIC", "Page"]

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
FOREVER = "public, max-age=31536000, immutable"  # what is in assets/ has a hash in its name


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    body: bytes
    packed: bytes | None
    type: str
    cache: str


class Page:
    """The files of a folder. What was built anew is read anew."""

    def __init__(self, folder: Path = STATIC) -> None:
        """The page of this folder, which may be missing."""
        self.folder = folder
        self.files: dict[str, File] = {}
        self.built = -1

    def answer(self, request: Request) -> Response:
        """A file, or the page for every other address.

        Raises:
            Problem: 404; there is no such file.
        """
        self._read()
        path = request.url.path.removeprefix("/")
        file = self.files.get(path)
        if file is None and (path.startswith("api/") or "." in path.rpartition("/")[2]):
            raise Problem(404, "not_found")
        if file is None and INDEX not in self.files:
            return Response(words.error("no_page") + "\n", 503, media_type="text/plain")
        file = file or self.files[INDEX]
        return sent(file, "gzip" in request.headers.get("accept-encoding", ""))

    def _read(self) -> None:
        index = self.folder / INDEX
        built = index.stat().st_mtime_ns if index.is_file() else 0
        if built != self.built:
            paths = [path for path in self.folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
            self.files = {path.relative_to(self.folder).as_posix(): load(path) for path in paths} if built else {}
            self.built = built


def load(path: Path) -> File:
    """A file, read."""
    body = path.read_bytes()
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or path.suffix in (".svg", ".json")
    type_ = f"{kind}; charset=utf-8" if text else kind
    packed = gzip.compress(body, mtime=0) if text and len(body) > 500 else None
    return File(body, packed, type_, FOREVER if path.parent.name == "assets" else "no-store")


def sent(file: File, packs: bool) -> Response:
    """The answer that a file is, packed if the browser unpacks."""
    headers = {"Content-Type": file.type, "Cache-Control": file.cache}
    if file.packed is None:
        return Response(file.body, headers=headers)
    headers["Vary"] = "Accept-Encoding"
    if not packs:
        return Response(file.body, headers=headers)
    return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"})
