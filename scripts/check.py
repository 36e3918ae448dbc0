"""Everything that must hold, one step after the other; ends at the first that fails. ./check calls it.

--fast leaves out the tests that need a browser. --long gives the laws more games (KUBLI_LONG=1).
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import browser
import build_web

__all__ = ["main"]

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
HANGS = {False: 600, True: 14_400}  # seconds after which a test will never end
PYTHON_CODE = ("src", "tests", "scripts", "bench", "docs", "hatch_build.py")

Step = Callable[[], bool]


def tool(name: str, *arguments: str) -> bool:
    """Whether a program of .venv ends well."""
    return subprocess.run([BIN / name, *arguments], cwd=ROOT, check=False).returncode == 0


def web(*command: str) -> bool:
    """Whether a program of web/node_modules ends well; installs them all if need be."""
    try:
        build_web.install(dev=True)
        build_web.run(*command)
    except build_web.BuildError:
        return False
    return True


def find_browser() -> bool:
    """Whether there is a browser; tells the tests through KUBLI_CHROMIUM."""
    path = browser.find() or browser.fetch()
    if path is None:
        print("The browser tests need Chromium: install it, name one in KUBLI_CHROMIUM, or run ./check --fast.")
        return False
    print(path)
    os.environ["KUBLI_CHROMIUM"] = path
    return True


def steps(*, fast: bool, long: bool) -> list[tuple[str, Step]]:
    """The steps in their order, quick ones first."""
    tests = ["-m", "pytest", "-n", "2", *(["-m", "not browser"] if fast else [])]
    tests += ["-o", f"faulthandler_timeout={HANGS[long]}", "-o", "faulthandler_exit_on_timeout=true"]
    found: list[tuple[str, Step]] = [("find a browser", find_browser)]
    return [
        ("format", lambda: tool("ruff", "format", "--check", *PYTHON_CODE)),
        ("lint", lambda: tool("ruff", "check", *PYTHON_CODE)),
        ("types", lambda: tool("mypy", *PYTHON_CODE)),
        ("layers", lambda: tool("lint-imports")),
        ("page: types", lambda: web("node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings")),
        ("page: unit tests", lambda: web("node_modules/vitest/vitest.mjs", "run")),
        *([] if fast else found),
        ("tests", lambda: tool("python", *tests)),
    ]


def main() -> int:
    """Run the steps; tells each one's time, and the failed one last."""
    parser = argparse.ArgumentParser(description="Check everything that must hold.")
    parser.add_argument("--fast", action="store_true", help="without the tests that need a browser")
    parser.add_argument("--long", action="store_true", help="with more games for each law, for an hour or more")
    arguments = parser.parse_args()
    if arguments.long:
        os.environ["KUBLI_LONG"] = "1"
    start = time.monotonic()
    for name, step in steps(fast=arguments.fast, long=arguments.long):
        print(f"--- {name}", flush=True)
        began = time.monotonic()
        held = step()
        print(f"--- {name}: {'holds' if held else 'FAILED'} ({time.monotonic() - began:.1f} s)", flush=True)
        if not held:
            print(f"./check FAILED at: {name}. What came after it has not run.", flush=True)
            return 1
    print(f"./check: all holds ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
