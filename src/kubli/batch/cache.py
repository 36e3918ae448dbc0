"""Where compiled code is kept between runs: a folder that only the very same sources, Numba and processor share.

Numba looks at the file of the function it compiles, and would go on playing the old rule if another file changed. So
the folder's name is a digest of all that went into it. Each compiled loop is one file, put in place whole, and has one
form only, so processes that start at once can at worst do the same work twice.
"""

import functools
import getpass
import hashlib
import os
import platform
import stat
import sys
import tempfile
from pathlib import Path

import llvmlite
import numba as nb
import numpy as np
from llvmlite import binding

__all__ = ["digest", "folder"]

PACKAGE = Path(__file__).resolve().parent.parent


@functools.cache
def digest() -> str:
    """What the folder is called: all rules and batch sources, the compiler's versions and the processor, in one."""
    whole = hashlib.blake2b(digest_size=10)
    for path in sorted([*PACKAGE.glob("games/*.py"), *PACKAGE.glob("batch/*.py")]):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    processor = nb.config.CPU_NAME or binding.get_host_cpu_name()
    features = nb.config.CPU_FEATURES or binding.get_host_cpu_features().flatten()
    tools = (nb.__version__, llvmlite.__version__, np.__version__, platform.python_version(), sys.implementation.name)
    whole.update("\0".join([*tools, platform.machine(), processor, features]).encode())
    return whole.hexdigest()


def home() -> Path:
    """The user's cache folder for Kubli: $KUBLI_CACHE, or where the system keeps such things."""
    if chosen := os.environ.get("KUBLI_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "kubli" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kubli"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kubli"


def folder() -> Path:
    """The folder for compiled code, made if need be; a temporary one of this user's where the home is read-only."""
    for top in (home, temporary):
        try:
            path = top() / f"compiled-{digest()}"
            path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                return path
        except (OSError, RuntimeError):  # RuntimeError: there is no home
            continue
    return Path(tempfile.mkdtemp(prefix="kubli-"))


def temporary() -> Path:
    """A folder under the system's temporary one that nobody else may write to.

    Raises:
        OSError: somebody else made one of that name.
    """
    path = Path(tempfile.gettempdir()) / f"kubli-{getpass.getuser()}"
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if hasattr(os, "getuid") and (
        found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o22
    ):
        raise PermissionError(f"{path} belongs to somebody else")
    return path
