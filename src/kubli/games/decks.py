"""Decks: the shipped ones, those that people write, and all that may be wrong with one.

A deck is an object with the keys of record.md ("Options and decks"), as a TOML or JSON file or inside a record. What it
leaves out at the top is as in the game's `standard` deck; what it gives replaces that whole. A stone without a number
may leave `number` out (TOML knows no null), and a size without stones to take out may leave out `out`.

Faults that a deck may have are listed in faults.py; those of a file, with their values:

| code | values |
|---|---|
| unknown_game | game, games |
| unknown_deck, unknown_deck_like | deck, known; like |
| which_game | games (those it could be of; empty: none) |
| no_file, unreadable | file; why |
| not_toml_or_json | file |
| too_large | file, limit (bytes) |
| not_utf8 | file, line, byte |
| broken_file | file, line, why |
| same_key | file, key |
| not_an_object | file, got |
"""

import copy
import functools
import itertools
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from kubli.games import darna_deck, darwin_deck, narabi_deck
from kubli.games.contract import Refused, fault
from kubli.games.faults import Fault, kind_of, like, mistyped, shown

__all__ = [
    "LARGEST",
    "NAMES",
    "Fault",
    "Found",
    "faults",
    "for_players",
    "found",
    "load",
    "names",
    "provenance",
    "read",
    "shipped",
    "text",
    "which",
]

GAMES: dict[str, ModuleType] = {"darna": darna_deck, "narabi": narabi_deck, "darwins-dice": darwin_deck}
FOLDER = Path(__file__).parent / "decks"
LARGEST = 64 * 1024  # bytes of a file
MOST_FAULTS = 200  # told at once


# --- A deck, whole and right ------------------------------------------------------------------------------------------


def read(game: str, deck: str | Mapping[str, Any] | Path = "standard") -> dict[str, Any]:
    """The whole deck, right in all that does not depend on who plays; the caller's to keep.

    Args:
        game: its name in a record.
        deck: the name of a shipped deck, a deck as an object, or the path of a deck file.

    Raises:
        Refused: the first thing that is wrong; its values have `key`.
    """
    check_game(game)
    if isinstance(deck, str):
        return copy.deepcopy(as_shipped(game, deck))
    if isinstance(deck, Path):
        deck = load(deck)
    for one in every_fault(game, deck):
        raise one.refused()
    whole = copy.deepcopy(merged(game, deck))
    GAMES[game].complete(whole)
    return whole


def faults(game: str, data: Any) -> list[Fault]:
    """All that is wrong with a deck (the first 200 things), without the game that plays it: none if it can be played.

    Raises:
        Refused: there is no such game.
    """
    check_game(game)
    return list(itertools.islice(every_fault(game, data), MOST_FAULTS))


def for_players(game: str, deck: Mapping[str, Any], players: int) -> None:
    """Look at what depends on how many play.

    Args:
        game: its name in a record.
        deck: a whole deck, from `read`.
        players: how many sit at the table.

    Raises:
        Refused: no such game, too few cards (DA-2), or no word of how so many play (NA-4, DD-4).
    """
    check_game(game)
    for one in GAMES[game].at_table(deck, players):
        raise one.refused()


def every_fault(game: str, data: Any) -> Iterator[Fault]:
    """All that is wrong with a deck, one by one."""
    if not isinstance(data, Mapping):
        yield mistyped("deck", data, "the name of a deck or an object")
        return
    yield from GAMES[game].faults(merged(game, data))


def merged(game: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The deck with what it leaves out at the top as in the standard deck: shared with it, so not to be changed."""
    return {**on_disk(game, "standard"), **data}


# --- Shipped decks ----------------------------------------------------------------------------------------------------


NAMES = ("standard", "tiny", "small")
"""The names of all shipped decks, as a record has them; not every game has every one."""


def shipped() -> list[str]:
    """Every shipped deck, as "darna/standard"."""
    return [f"{game}/{name}" for game in GAMES for name in names(game)]


def names(game: str) -> list[str]:
    """The names of a game's shipped decks, as a record has them.

    Raises:
        Refused: there is no such game.
    """
    check_game(game)
    return [name for name in NAMES if (FOLDER / game / f"{name}.toml").exists()]


def as_shipped(game: str, name: str) -> dict[str, Any]:
    """A shipped deck, whole and right: shared, so not to be changed."""
    if name not in (known := names(game)):
        raise unknown_deck(name, known)
    return whole_on_disk(game, name)


@functools.cache
def whole_on_disk(game: str, name: str) -> dict[str, Any]:
    """A shipped deck, read and checked once."""
    return read(game, on_disk(game, name))


@functools.cache
def on_disk(game: str, name: str) -> dict[str, Any]:
    """A shipped deck as its file has it."""
    return load(FOLDER / game / f"{name}.toml")


def text(name: str) -> str:
    """A deck as its file has it, comments and all.

    Args:
        name: of a shipped deck, as "darna/standard", or the path of a deck file.

    Raises:
        Refused: there is none, or it cannot be read.
    """
    path = FOLDER / f"{name}.toml" if name in shipped() else Path(name)
    if path.suffix not in READERS:
        raise unknown_deck(name, shipped())
    load(path)
    return path.read_text("utf-8-sig")


def provenance(deck: Mapping[str, Any]) -> tuple[int, int]:
    """How many cards, stones, conditions or kinds say that they are reconstructed, and how many there are."""
    kinds = [kind for kind in deck.get("kinds", {}).values() if kind["copies"]]
    items = [*deck.get("cards", ()), *deck.get("stones", ()), *deck.get("conditions", ()), *kinds]
    return sum("reconstructed" in item.get("source", "") for item in items), len(items)


# --- Files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """A deck file in a folder.

    Attributes:
        name: the file's name, with its ending, so never a shipped deck's.
        path: where it is.
        game: whose deck it is, if that can be told.
        deck: the whole deck, if nothing is wrong with it.
        faults: what is wrong with it.
    """

    name: str
    path: Path
    game: str | None
    deck: dict[str, Any] | None
    faults: list[Fault]


def found(folder: Path) -> list[Found]:
    """The deck files (.toml, .json) in a folder by name, right or not; none if there is no such folder."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in READERS and not path.name.startswith("."))
    except OSError:
        return []
    return [looked_at(path) for path in paths]


def looked_at(path: Path) -> Found:
    """A deck file and what is wrong with it."""
    game = None
    try:
        data = load(path)
        game = which(data)
        wrong = faults(game, data)
        return Found(path.name, path, game, None if wrong else read(game, data), wrong)
    except Refused as refused:
        return Found(path.name, path, game, None, [Fault("", refused.code, refused.rule, refused.values)])


def which(data: Mapping[str, Any]) -> str:
    """The game of a deck, told by its keys, misspelt ones too.

    Raises:
        Refused: the keys are of no game, or of several.
    """
    sizes = data.get("sizes")
    inner = {key for size in sizes.values() if type(size) is dict for key in size} if type(sizes) is dict else set()
    for fits in (
        [game for game, module in GAMES.items() if data.keys() & set(module.OWN)],
        [game for game, module in GAMES.items() if inner & set(module.OWN_SIZE)],
        [game for game, module in GAMES.items() if any(like(key, module.OWN) for key in itertools.islice(data, 20))],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise fault("which_game", games=fits)
    raise fault("which_game", games=[])


def load(path: Path) -> dict[str, Any]:
    """What a deck file says, unchecked.

    Raises:
        Refused: it cannot be read, is too large, no UTF-8, or broken; the values have the file's name as given and the
            line, if one can be told.
    """
    file = f"{path}"
    if path.suffix not in READERS:
        raise fault("not_toml_or_json", file=file)
    said = content(path, file)
    try:
        data = READERS[path.suffix](said.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise fault("not_utf8", file=file, byte=error.start, line=said[: error.start].count(b"\n") + 1) from None
    except SameKeyError as error:
        raise fault("same_key", file=file, key=shown(error.args[0])) from None
    except ValueError as error:
        raise fault("broken_file", file=file, **place(error, said)) from None
    except RecursionError:
        raise fault("broken_file", file=file, line=1, why="Nested too deep") from None
    if type(data) is not dict:
        raise fault("not_an_object", file=file, got=kind_of(data))
    return data


def content(path: Path, file: str) -> bytes:
    """The bytes of a file, if they may be read and are not too many."""
    try:
        if not path.exists():
            raise fault("no_file", file=file)
        if not path.is_file():
            raise fault("unreadable", file=file, why="Not a file")
        with path.open("rb") as opened:
            said = opened.read(LARGEST + 1)
    except OSError as error:
        raise fault("unreadable", file=file, why=error.strerror or "Unreadable") from None
    if len(said) > LARGEST:
        raise fault("too_large", file=file, limit=LARGEST)
    return said


class SameKeyError(ValueError):
    """A JSON object has a key twice."""


def json_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON file, if no key is in it twice."""
    one: dict[str, Any] = {}
    for key, value in pairs:
        if key in one:
            raise SameKeyError(key)
        one[key] = value
    return one


def no_number(name: str) -> Any:
    """NaN and the infinities, which Python reads and JSON does not have."""
    raise ValueError(f"{name} is no number")


def from_json(said: str) -> Any:
    """What a JSON text says."""
    return json.loads(said, object_pairs_hook=json_object, parse_constant=no_number)


READERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".json": from_json}


def place(error: ValueError, said: bytes) -> dict[str, Any]:
    """Where a text is broken, the line if it is known and else the last, and why, in the reader's words."""
    why = f"{error}"
    if "digits" in why:  # Python reads no number of more than 4300 digits, and says much about it
        why = "A number too long"
    at = re.search(r"line (\d+)", why)
    return {
        "line": int(at[1]) if at else said.count(b"\n") + 1,
        "why": re.sub(r"\s*[:(]\s*(at )?(line|end of).*", "", why),
    }


# --- Refusals ---------------------------------------------------------------------------------------------------------


def check_game(game: str) -> None:
    """Refuse what is no game's name."""
    if game not in GAMES:
        raise fault("unknown_game", game=shown(game), games=list(GAMES))


def unknown_deck(name: str, known: list[str]) -> Refused:
    """A refusal of a name that no shipped deck has, with the nearest that one has."""
    if near := like(name, known):
        return fault("unknown_deck_like", deck=shown(name), known=known, like=near)
    return fault("unknown_deck", deck=shown(name), known=known)
