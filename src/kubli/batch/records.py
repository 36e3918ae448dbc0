"""Rows of NumPy records for States, Variants and Views: their layout follows from the dataclass's own fields.

A field made by `kit.number` or `kit.numbers` becomes a field of the row with the same name and shape, in the narrowest
signed type that holds its range. Words and facts have no place in a row. A State's row in a batch has `key` besides:
the key of each viewer, which the rules' `tell` writes.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kubli.games.kit import fresh_keys

__all__ = ["Rows", "layout", "numbers_of", "read", "row_of", "write"]

T = TypeVar("T")

Rows = npt.NDArray[np.void]
"""An array of records."""

SIGNED = (np.int8, np.int16, np.int32, np.int64)


def numbers_of(kind: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name and metadata of each field of a dataclass that a row has, in the order of the fields."""
    for field in dataclasses.fields(kind):
        if "shape" in field.metadata:
            yield field.name, field.metadata


def narrowest(least: int, most: int) -> type[np.signedinteger[Any]]:
    """The narrowest signed type that holds all numbers of a range."""
    return next(one for one in SIGNED if np.iinfo(one).min <= least and most <= np.iinfo(one).max)


def layout(kind: Any, viewers: int = 0) -> np.dtype[np.void]:
    """The dtype of a row of this dataclass (a State, Variant or View), aligned as a C compiler would.

    Args:
        kind: the dataclass.
        viewers: how many keys the row has; none if left out.
    """
    fields: list[Any] = [
        (name, narrowest(meta["least"], meta["most"]), meta["shape"]) for name, meta in numbers_of(kind)
    ]
    return np.dtype(fields + [("key", np.uint64, (viewers,))] * (viewers > 0), align=True)


def write(thing: Any, rows: Rows, index: int = 0) -> None:
    """Write a dataclass's numbers into one row.

    Raises:
        OverflowError: a number is not in its field's type.
    """
    row = rows[index]
    for name, meta in numbers_of(type(thing)):
        row[name] = np.array(getattr(thing, name), object) if meta["shape"] else getattr(thing, name)


def row_of(thing: Any, viewers: int = 0) -> Rows:
    """An array of one row with a dataclass's numbers, and the keys of so many viewers that were told nothing yet."""
    rows = np.zeros(1, layout(type(thing), viewers))
    write(thing, rows)
    if viewers:
        rows["key"] = fresh_keys(viewers - 1)
    return rows


def read(kind: type[T], rows: Rows, index: int = 0) -> T:
    """A dataclass with the numbers of one row; what a row has no place for is as in a new one."""
    thing = kind()
    row = rows[index]
    for name, meta in numbers_of(kind):
        setattr(thing, name, row[name].tolist() if meta["shape"] else int(row[name]))
    return thing
