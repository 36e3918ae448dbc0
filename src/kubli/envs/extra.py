"""What has to be installed besides Kubli itself, and how to say so."""

from collections.abc import Iterator
from contextlib import contextmanager

from kubli import words

__all__ = ["needed"]


@contextmanager
def needed(extra: str, *packages: str) -> Iterator[None]:
    """Import inside it what an extra brings.

    Raises:
        ImportError: one of these packages is missing; a sentence says what to install.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] not in packages:
            raise
        raise ImportError(words.cli("no_extra", package=missing.name, extra=extra), name=missing.name) from None
