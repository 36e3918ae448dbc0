"""The rules once more, compiled by Numba: the same functions in a namespace where they run on rows of records.

Nothing of a game is written here. Each of its modules' functions is copied, unchanged, into a namespace in which tables
are arrays, facts are mere numbers, and the primitives on sets and chance are native. In the first copy `tell` stirs
what is told into the keys of the row; in the second it does nothing; in the third, for rollouts, the functions named in
the game's MEMORY do nothing either: no rule reads what viewers remember. What isn't called isn't compiled. GAMES is the
one place where a game is registered.
"""

import functools
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba as nb
import numpy as np

from kubli import words
from kubli.batch import cache, native
from kubli.games import GAMES as RULES
from kubli.games import darna, darna_set, darna_worlds, darwin, darwin_worlds, kit, narabi, narabi_set, narabi_worlds

__all__ = ["GAMES", "LOOPS", "compiled", "copy"]

GAMES: dict[str, tuple[ModuleType, ...]] = {
    darna.NAME: (darna, darna_set, darna_worlds),
    narabi.NAME: (narabi, narabi_set, narabi_worlds),
    darwin.NAME: (darwin, darwin_worlds),
}
"""The modules whose functions and tables make a game, its first file first."""

NATIVE = {kit.tell: native.tell, kit.size: native.size, kit.nth: native.nth, kit.members: native.members}
NATIVE |= {kit.below: native.below, kit.mix: native.mix, kit.fair: native.fair, kit.weighed: native.weighed}
NATIVE |= {one: native.compiled(one) for one in (kit.put, kit.one_of, kit.further, kit.around)}
NATIVE |= {kit.where: native.where, kit.flags: native.flags, kit.put_all: native.put_all}

QUICK = ("setup", "step", "to_act", "legal", "outcomes", "draw", "over", "utilities")
WHOLE = (*QUICK, "refusal", "view", "encode", "redeal")
SOURCE = Path(__file__).with_name("loops.py")
LOOPS = ("begin", "check", "act", "masks", "observe", "imagine", "learn", "finish", "play")
KEYED = ("begin", "act", "imagine")
"""The loops whose rules keep keys."""

_lock = threading.RLock()  # Numba's folder for what it compiled is one setting for the whole process


def copy(
    game: str, label: str = "whole", without: tuple[str, ...] = (), natives: Mapping[Any, Any] = NATIVE
) -> dict[str, Any]:
    """The names of a game's modules, with compiled copies of their functions; what the first calls something is so.

    Args:
        game: its name in a record.
        label: what tells these copies from others; machine code of one name is taken for the same.
        without: functions that shall do nothing.
        natives: what stands for the functions of the kit.
    """
    modules = GAMES[game]
    spaces: dict[str, dict[str, Any]] = {module.__name__: {"__name__": module.__name__} for module in modules}
    copies: dict[Any, Any] = dict(natives)
    for function in _functions(modules):
        space = spaces[function.__module__]
        twin = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
        twin.__module__, twin.__qualname__ = function.__module__, f"{label}_{function.__qualname__}"
        copies[function] = native.nothing if function.__name__ in without else native.compiled(twin)
    copies |= {fact: number for number, fact in enumerate(modules[0].FACTS, 1)}
    for module in modules:
        space = spaces[module.__name__]
        space.update({name: _carried(value, copies) for name, value in vars(module).items() if name[:2] != "__"})
    return {name: value for module in reversed(modules) for name, value in spaces[module.__name__].items()}


def _functions(modules: tuple[ModuleType, ...]) -> Iterator[FunctionType]:
    """The functions that these modules define."""
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                yield value


def _carried(value: Any, copies: Mapping[Any, Any]) -> Any:
    """What stands for a module's global in compiled code."""
    if isinstance(value, FunctionType | kit.Fact):
        return copies.get(value, value)
    if isinstance(value, list | tuple) and _is_table(value):
        return np.array(value, np.float64 if isinstance(_first(value), float) else np.int64)
    return value


def _first(value: Any) -> Any:
    while isinstance(value, list | tuple):
        value = value[0]
    return value


def _is_table(value: Any) -> bool:
    """Whether these are numbers in a regular shape."""
    if not isinstance(value, list | tuple):
        return type(value) in (int, float)
    shapes = {len(one) if isinstance(one, list | tuple) else -1 for one in value}
    return len(shapes) == 1 and all(map(_is_table, value))


# --- The loops of one game --------------------------------------------------------------------------------------------


class Loop:
    """A compiled loop, which says what it does while it compiles the first time on this machine."""

    def __init__(self, function: Any, game: str, folder: Path) -> None:
        """Wrap a function that Numba compiles when it is called first."""
        self.function, self.game, self.folder = function, game, folder
        self.ready = False

    def __call__(self, *arguments: Any) -> Any:
        """Call it; several threads at once may."""
        if not self.ready:
            with _lock:
                self.prepare(*arguments)
        return self.function(*arguments)

    def prepare(self, *arguments: Any) -> None:
        """Compile it for these arguments, or load what was compiled before."""
        if self.ready:
            return
        name, start = self.function.__name__, time.monotonic()
        known = any(self.folder.rglob(f"loops.*_{name}-*.nbi"))
        if not known:
            part = {"part": LOOPS.index(name) + 1, "parts": len(LOOPS)}
            say(words.cli("compiling", title=RULES[self.game].TITLE, **part) + " ")
        self.function.compile(tuple(nb.typeof(one) for one in arguments))
        if not known:
            say(words.cli("compiled", seconds=f"{time.monotonic() - start:.0f}") + "\n")
        self.ready = True


def say(text: str) -> None:
    """Tell whoever waits what takes so long."""
    sys.stderr.write(text)
    sys.stderr.flush()


@functools.cache
def _made(game: str) -> SimpleNamespace:
    folder, rules = cache.folder() / game, GAMES[game][0]
    quick = copy(game, "quick", rules.MEMORY, NATIVE | {kit.members: native.noted})
    space: dict[str, Any] = {f"quick_{name}": quick[name] for name in QUICK}
    space |= {"below": native.below_at, "mix": native.mix, "nth": native.nth, "lent": native.lent}
    space |= {"clear": native.clear, "picked": native.picked}
    space["room"] = native.room_of(RULES[game].ACTIONS + 64)
    keyed = _executed(game, folder, space, copy(game, "keyed", (), NATIVE | {kit.tell: native.teller(rules.FACTS)}))
    plain = _executed(game, folder, space, copy(game))
    return SimpleNamespace(**{name: Loop((keyed if name in KEYED else plain)[name], game, folder) for name in LOOPS})


def _executed(game: str, folder: Path, names: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """The names of loops.py, its text executed for a game with these copies of its rules."""

    def named(function: FunctionType) -> FunctionType:
        function.__qualname__ = f"{game}_{function.__name__}".replace("-", "_")
        return function

    space = {**names, **{name: whole[name] for name in WHOLE}}
    space["inner"] = lambda function: native.compiled(named(function))
    space["loop"] = lambda function: nb.njit(cache=True, **native.OPTIONS)(named(function))
    space["__name__"] = __name__  # Numba looks it up
    before, nb.config.CACHE_DIR = nb.config.CACHE_DIR, str(folder)
    try:
        # One text executed for each game: functions handed over as arguments or closed over never reach the disk.
        exec(compile(SOURCE.read_text(encoding="utf-8"), str(SOURCE), "exec"), space)  # noqa: S102
    finally:
        nb.config.CACHE_DIR = before
    return space


def compiled(game: str) -> SimpleNamespace:
    """The loops of loops.py for a game; each is compiled, or loaded from the disk, when it is called first."""
    with _lock:
        return _made(game)
