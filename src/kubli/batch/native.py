"""The primitives of games/kit.py as compiled code has them, and how everything is compiled.

Sets are 64-bit; chance is the same SplitMix64 as kit's, on states that stand in an array.
"""

from types import FunctionType
from typing import Any

import numba as nb
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from kubli.games import kit

__all__ = ["OPTIONS", "below", "below_at", "clear", "compiled", "fair", "flags", "lent", "members", "mix", "noted"]
__all__ += ["nothing", "nth", "picked", "put_all", "room_of", "size", "tell", "teller", "weighed", "where"]

OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": True}
"""Bounds are checked: it costs nothing measurable, and without it a wrong index silently gives wrong scores."""

U = np.uint64
MOST_GIVEN = 16  # numbers that a fact may have


def compiled(function: Any) -> Any:
    """A function compiled into whatever calls it."""
    return nb.njit(forceinline=True, **OPTIONS)(function)


@nb.njit(**OPTIONS)
def tell(v, s, fact, rule, *values):
    """Facts are for tables: nobody asks here."""


@nb.njit(**OPTIONS)
def nothing(*values):
    """What stands for a function that is left out."""


def teller(facts: Any) -> Any:
    """What `tell` is where keys are kept: `kit.heard` on the keys of the row, for a game's FACTS."""
    who, sealed = np.zeros((1 + len(facts), MOST_GIVEN), np.int64), np.array([False, *(one.sealed for one in facts)])
    for number, one in enumerate(facts, 1):
        who[number, : len(one.who)] = one.who

    @nb.njit(forceinline=False, **OPTIONS)
    def hear(v, s, numbers):
        heard(s.key, v.players, sealed[numbers[0]], who[numbers[0]], numbers)

    @intrinsic
    def tell(typingctx, v, s, fact, rule, *values):
        callee, row = typingctx.resolve_value_type(hear), types.Array(types.int64, 1, "C")
        called = callee.get_call_type(typingctx, (v, s, row), {})

        def generate(context, builder, signature, arguments):
            given = [arguments[2], *cgutils.unpack_tuple(builder, arguments[4], len(values))]
            array = on_stack(context, builder, row, len(given))
            for i, value in enumerate(given):
                builder.store(value, builder.gep(array.data, [ir.Constant(ir.IntType(64), i)]))
            function = context.get_function(callee, called)
            context.add_linking_libs(getattr(function, "libs", ()))
            return function(builder, (*arguments[:2], array._getvalue()))

        return types.none(v, s, types.int64, rule, types.Tuple((types.int64,) * len(values))), generate

    return tell


def everywhere(builder: Any, lanes: Any, value: Any) -> Any:
    """One number in all lanes of a vector."""
    first = builder.insert_element(ir.Constant(lanes, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        first, first, ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
    )


def on_stack(context: Any, builder: Any, kind: Any, places: int) -> Any:
    """An array of so many numbers on the stack."""
    array = context.make_array(kind)(context, builder)
    data = cgutils.alloca_once(builder, ir.IntType(64), size=places)
    many, each = [context.get_constant(types.intp, one) for one in (places, 8)]
    arrayobj.populate_array(array, data, [many], [each], each, meminfo=None)
    return array


@intrinsic
def lent(typingctx, array):
    """The same array, of which nobody counts how often it is in use: counting takes a tenth of a rollout.

    The caller must hold it for as long as the loop goes on.
    """

    def generate(context, builder, signature, arguments):
        same = context.make_array(array)(context, builder, arguments[0])
        same.meminfo, same.parent = [ir.Constant(one.type, None) for one in (same.meminfo, same.parent)]
        return same._getvalue()

    return array(array), generate


def room_of(places: int) -> Any:
    """Makes the function that gives a loop an array of so many numbers, on the stack, where nothing else can be."""

    @intrinsic
    def room(typingctx):
        kind = types.Array(types.int64, 1, "C")

        def generate(context, builder, signature, arguments):
            return on_stack(context, builder, kind, places)._getvalue()

        return kind(), generate

    return room


# --- Sets -------------------------------------------------------------------------------------------------------------


@intrinsic
def size(typingctx, bits):
    """How many members a set has."""

    def generate(context, builder, signature, arguments):
        wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.ctpop(wide)

    return types.int64(types.int64), generate


@intrinsic
def lowest(typingctx, bits):
    """The smallest member of a set; 64 if it has none."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def deposit(typingctx, bits, mask):
    """Bits laid into the places that a mask has: one instruction (BMI2)."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        name = "llvm.x86.bmi.pdep.64"
        return builder.call(builder.module.globals.get(name) or ir.Function(builder.module, kind, name), arguments)

    return types.int64(types.int64, types.int64), generate


def has_deposit() -> bool:
    """Whether the processor that Numba compiles for has that instruction."""
    if nb.config.CPU_NAME or nb.config.CPU_FEATURES:
        return "+bmi2" in (nb.config.CPU_FEATURES or "")
    return bool(binding.get_host_cpu_features().get("bmi2"))


@nb.njit(forceinline=True, **OPTIONS)
def nth_deposited(bits, k):
    """The k-th smallest member of a set, counted from 0; only where `has_deposit`."""
    return lowest(deposit(np.int64(1) << k, bits))


@nb.njit(forceinline=True, **OPTIONS)
def nth_halved(bits, k):
    """The same on any processor: the half it is in, the quarter, and so on."""
    rest, left, found = np.int64(bits), np.int64(k), np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        low = size(rest & ((np.int64(1) << width) - 1))
        if left >= low:
            left -= low
            found += width
            rest >>= width
    return found


nth = nth_deposited if has_deposit() else nth_halved


@intrinsic
def where(typingctx, values, n, bits):
    """The set of those places among the first n of a list whose number is in a set, all places at a time."""
    many = values.shape[0]
    lane, flag, word = ir.IntType(32), ir.IntType(1), ir.IntType(64)
    lanes = ir.VectorType(lane, many)

    def generate(context, builder, signature, arguments):
        array = context.make_array(values)(context, builder, arguments[0])
        stored = ir.VectorType(context.get_data_type(values.dtype), many).as_pointer()
        numbers = builder.zext(builder.load(builder.bitcast(array.data, stored), align=1), lanes)
        numbers = builder.and_(numbers, ir.Constant(lanes, [31] * many))  # a shift by more would be undefined
        wanted = everywhere(builder, lanes, context.cast(builder, arguments[2], bits, types.int32))
        found = builder.lshr(wanted, numbers)
        found = builder.bitcast(builder.trunc(found, ir.VectorType(flag, many)), ir.IntType(many))
        first = builder.shl(ir.Constant(word, 1), context.cast(builder, arguments[1], n, types.int64))
        return builder.and_(builder.zext(found, word), builder.sub(first, ir.Constant(word, 1)))

    return types.int64(values, n, bits), generate


@nb.njit(nogil=True, error_model="numpy")
def members(bits, out, at=0, more=0):
    """Write the members of a set, each plus `more`, to `out` from place `at` on. One check stands for all bounds."""
    end = at + size(bits)
    if at < 0 or end > len(out):
        raise IndexError("more members than there is room for")
    if bits & (bits + 1) == 0:  # all from 0 on
        for i in range(at, end):
            out[i] = i - at + more
        return end
    rest = np.int64(bits)
    for i in range(at, end):
        out[i] = lowest(rest) + more
        rest &= rest - 1
    return end


# --- Learners' vectors ------------------------------------------------------------------------------------------------


def spread_of(many: int) -> Any:
    """Makes the function that writes so many members of a set as 0 or 1, all at a time and wherever there is room."""

    @intrinsic
    def spread(typingctx, out, at, bits):
        def generate(context, builder, signature, arguments):
            array = context.make_array(out)(context, builder, arguments[0])
            kind = context.get_data_type(out.dtype)
            lanes = ir.VectorType(kind, many)
            place = builder.bitcast(builder.gep(array.data, [arguments[1]]), lanes.as_pointer())
            wanted = everywhere(builder, lanes, builder.trunc(arguments[2], kind))
            masks = ir.Constant(lanes, [(1 << i) - (1 << kind.width) * (i == kind.width - 1) for i in range(many)])
            found = builder.icmp_unsigned("==", builder.and_(wanted, masks), masks)
            builder.store(builder.zext(found, lanes), place, align=1)
            return context.get_dummy_value()

        return types.none(out, types.int64, types.int64), generate

    return spread


spread_16, spread_8, spread_4 = spread_of(16), spread_of(8), spread_of(4)


@nb.njit(forceinline=True, nogil=True, error_model="numpy")
def put_all(out, at, values, n):
    """Write the first n numbers of a list. One check stands for all bounds."""
    if at < 0 or at + n > len(out) or n > len(values):
        raise IndexError("more numbers than there are, or than there is room for")
    for i in range(n):
        out[at + i] = values[i]
    return at + n


@nb.njit(forceinline=True, nogil=True, error_model="numpy")
def flags(out, at, size, bits):
    """Write a set as one 0 or 1 for each that may be in it. One check stands for all bounds."""
    end, rest = at + size, np.int64(bits)
    if at < 0 or end > len(out):
        raise IndexError("more flags than there is room for")
    while at + 16 <= end:
        spread_16(out, at, rest)
        at, rest = at + 16, rest >> 16
    left = end - at
    if left >= 8:  # the first eight and the last eight, which may overlap
        spread_8(out, at, rest)
        spread_8(out, end - 8, rest >> left - 8)
    elif left >= 4:
        spread_4(out, at, rest)
        spread_4(out, end - 4, rest >> left - 4)
    else:
        for i in range(left):
            out[at + i] = rest >> i & 1
    return end


# --- Sets, listed only as far as somebody looks ---------------------------------------------------------------------
#
# A rollout wants one of the legal actions, so in its copy of the rules `members` notes the set at the end of the room
# and lists nothing: four numbers a set (where it begins and ends, its bits, what is added), and last how many sets.


@nb.njit(forceinline=True, **OPTIONS)
def noted(bits, out, at=0, more=0):
    """What `members` is in a rollout: `picked` finds any of them."""
    last = len(out) - 1
    place, end = last - 4 * (out[last] + 1), at + size(bits)
    if at < 0 or end > place:
        raise IndexError("more members than there is room for")
    out[place], out[place + 1], out[place + 2], out[place + 3] = at, end, bits, more
    out[last] += 1
    return end


@nb.njit(forceinline=True, **OPTIONS)
def picked(out, k):
    """What stands at place `k` of the room, listed or noted."""
    last = len(out) - 1
    place = last - 4
    for _ in range(out[last]):
        if out[place] <= k < out[place + 1]:
            return nth(out[place + 2], k - out[place]) + out[place + 3]
        place -= 4
    return out[k]


@nb.njit(forceinline=True, **OPTIONS)
def clear(out):
    """Forget what was noted."""
    out[len(out) - 1] = 0


# --- Chance -----------------------------------------------------------------------------------------------------------


@nb.njit(forceinline=True, **OPTIONS)
def below_at(luck, which, n):
    """A number from 0 to n - 1 off the stream whose state stands at a place of an array."""
    z = luck[which] + U(0x9E3779B97F4A7C15)
    luck[which] = z
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return np.int64(((z ^ (z >> U(31))) >> U(32)) * U(n) >> U(32))


@nb.njit(forceinline=True, **OPTIONS)
def below(luck, n):
    """The same off the first stream of an array."""
    return below_at(luck, 0, n)


@nb.njit(forceinline=True, **OPTIONS)
def mix(h, what):
    """Stir one more number into a 64-bit hash."""
    h = (U(h) ^ (U(what) + U(1))) * U(0xBF58476D1CE4E5B9)
    return h ^ (h >> U(32))


# --- What the kit makes of these --------------------------------------------------------------------------------------


def twin(function, inline, **names):
    """A function of the kit compiled, in which these names mean something native."""
    # Said either way: a function inherits from its caller what it does not say.
    return nb.njit(forceinline=inline, **OPTIONS)(FunctionType(function.__code__, vars(kit) | names, function.__name__))


knowers = twin(kit.knowers, inline=True)
heard = twin(kit.heard, inline=True, knowers=knowers, mix=mix)
fair = twin(kit.fair, inline=False, below=below)
weighed = twin(kit.weighed, inline=False, fair=fair)
