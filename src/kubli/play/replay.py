"""A record played over again by the rules: what `kubli replay` answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kubli.games.contract import Event, Refused, fault
from kubli.play.record import HEADER, Illegal, Record, lines, parse
from kubli.play.table import SPECTATOR, Table, Viewer

__all__ = ["answer", "read", "replay"]


def read(path: str | Path) -> list[Table]:
    """The games of a file of records, each as its record leaves it.

    Raises:
        Illegal: the first record that may not be; its `index` is the event's, or -1.
        OSError: the file cannot be read.
    """
    return [replay(one) for one in map(_parsed, lines(path))]


def _parsed(line: bytes | Refused) -> Record:
    if isinstance(line, Refused):
        raise Illegal(HEADER, line)
    return parse(line)


def answer(record: Record, viewer: Viewer | None = None) -> dict[str, Any]:
    """What `kubli replay --json` says of a record that is in order (record.md, "Commands").

    With a viewer it holds only what that viewer could have known during play, so that it is the same in any two worlds
    that the viewer can't tell apart. What one viewer was told is given back as it is: facts by their form, unchecked.

    Raises:
        Illegal: the record may not be, or it has no such viewer.
    """
    if record.viewer is not None:
        replay(record)  # it has no events, but options and perhaps a deck
        if viewer not in (None, record.viewer):
            raise Illegal(HEADER, fault("told_to_another", viewer=str(viewer), told=str(record.viewer)))
        told = {str(record.viewer): record.told}
        return {"ok": True, "checked": False, "finished": False, "result": None, "legal": {}, "facts": [], "told": told}
    table = replay(record)
    viewers: list[Viewer] = [*range(table.players), SPECTATOR]
    if viewer is not None and viewer not in viewers:
        raise Illegal(HEADER, fault("viewer", viewer=str(viewer), most=table.players - 1))
    watching = viewers if viewer is None else [viewer]
    legal = {str(seat): table.legal(seat) for seat in watching if isinstance(seat, int)}
    if viewer is None:
        legal["chance"] = table.legal_for_chance()
    told = {str(one): table.told(one) for one in watching}
    facts = table.facts if viewer is None else told[str(viewer)]
    head = {"ok": True, "finished": table.over, "result": table.result}
    return {**head, "legal": legal, "facts": facts, "told": told}


def replay(record: Record, until: int | None = None, after: Callable[[Table], None] | None = None) -> Table:
    """The table as it stands after the record's events.

    Args:
        record: as `parse` gives it.
        until: stop after so many events; all of them if None (only then is the result looked at).
        after: called with the table after each event.

    Raises:
        Illegal: the options or the deck may not be, or the result is not what the events give (index -1); or an event
            is malformed or against the rules (its index).
    """
    try:
        table = Table(record.game, record.players, record.options, record.deck)
    except Refused as why:
        raise Illegal(HEADER, why) from None
    for index, event in enumerate(record.events[:until]):
        try:
            table.happen(_event(event))
        except Refused as why:
            raise Illegal(index, why) from None
        if after:
            after(table)
    if record.said and until is None and not _agrees(record.result, table.result):
        raise Illegal(HEADER, fault("result", given=record.result, true=table.result))
    return table


def _event(event: Any) -> Event:
    if type(event) is not dict:
        raise fault("wrong_type", field="event", wanted="an object", where="event")
    if "by" not in event:
        raise fault("missing_field", field="by", where="event")
    return event


def _agrees(given: Any, true: Any) -> bool:
    """Whether what a record says of the end agrees with what its events give: the fields that it has are the same."""
    if not isinstance(given, dict) or not isinstance(true, dict):
        return given is true
    return all(
        name in true and (_close(value, true[name]) if name == "utilities" else _same(value, true[name]))
        for name, value in given.items()
    )


def _same(given: Any, true: Any) -> bool:
    """Equal in type too: `true` is not 1, and 3.0 is not 3."""
    if isinstance(true, list) and type(given) is list:
        return len(given) == len(true) and all(map(_same, given, true))
    return type(given) is type(true) and bool(given == true)


def _close(given: Any, true: list[float]) -> bool:
    """The same numbers, in decimals as another program rounds them."""
    if type(given) is not list or len(given) != len(true) or not all(type(one) in (int, float) for one in given):
        return False
    return all(other - 1e-9 < one < other + 1e-9 for one, other in zip(given, true, strict=True))
