"""The kit's primitives as compiled code has them give what the plain ones give, and stay within what they are given."""

from random import Random
from typing import Any

import numpy as np
import pytest

from kubli.batch import native
from kubli.games import kit

LENGTHS = [0, 1, 3, 4, 5, 7, 8, 11, 15, 16, 17, 24, 31, 32, 36, 61]


@native.compiled
def flags(out: Any, at: int, size: int, bits: int) -> Any:
    return native.flags(out, at, size, bits)


@native.compiled
def put_all(out: Any, at: int, values: Any, n: int) -> Any:
    return native.put_all(out, at, values, n)


@native.compiled
def where(rows: Any, n: int, bits: int) -> Any:
    return native.where(rows[0].numbers, n, bits)


@native.compiled
def noted(out: Any, sets: Any, more: Any, k: int) -> Any:
    native.clear(out)
    n = 0
    for i in range(len(sets)):
        n = native.noted(sets[i], out, n, more[i])
    return n, native.picked(out, k)


@pytest.mark.parametrize("size", LENGTHS)
def test_flags_are_those_of_the_kit(size: int) -> None:
    random = Random(size)
    for bits in [0, (1 << size) - 1, *(random.getrandbits(size) for _ in range(20) if size)]:
        out, plain = np.full(80, 7, np.int16), [7] * 80
        assert flags(out, 5, size, bits) == kit.flags(plain, 5, size, bits) == 5 + size
        assert out.tolist() == plain


@pytest.mark.parametrize(("at", "size"), [(-1, 5), (60, 5), (0, 65), (64, 1)])
def test_flags_stay_within_the_vector(at: int, size: int) -> None:
    out = np.full(64, 7, np.int16)
    with pytest.raises(IndexError):
        flags(out, at, size, 1)
    assert (out == 7).all()


@pytest.mark.parametrize("n", [0, 1, 5, 35])
def test_numbers_are_put_as_the_kit_does(n: int) -> None:
    values, out, plain = np.arange(35, dtype=np.int8), np.full(50, -1, np.int16), [-1] * 50
    assert put_all(out, 3, values, n) == kit.put_all(plain, 3, values.tolist(), n) == 3 + n
    assert out.tolist() == plain


@pytest.mark.parametrize(("at", "n"), [(-1, 3), (48, 3), (0, 36)])
def test_numbers_are_put_where_there_is_room_and_taken_where_there_are_some(at: int, n: int) -> None:
    out = np.full(50, -1, np.int16)
    with pytest.raises(IndexError):
        put_all(out, at, np.arange(35, dtype=np.int8), n)
    assert (out == -1).all()


@pytest.mark.parametrize("length", [1, 5, 8, 15, 16, 31])
@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_places_are_those_of_the_kit(length: int, kind: Any) -> None:
    random, rows = Random(length), np.zeros(1, [("numbers", kind, (length,)), ("after", np.int64)])
    rows["after"] = -1
    for _ in range(50):
        numbers = [random.randrange(32) for _ in range(length)]
        n, bits = random.randint(0, length), random.getrandbits(32)
        rows["numbers"] = numbers
        assert where(rows, n, bits) == kit.where(numbers, n, bits)


def test_what_is_picked_is_what_would_be_listed() -> None:
    random = Random(1)
    for _ in range(100):
        sets, more = [random.getrandbits(15) for _ in range(3)], [random.randrange(100) for _ in range(3)]
        listed, n = [0] * 64, 0
        for bits, plus in zip(sets, more, strict=True):
            n = kit.members(bits, listed, n, plus)
        room = np.zeros(100, np.int64)
        for k in range(n):
            assert noted(room, np.array(sets), np.array(more), k) == (n, listed[k])
