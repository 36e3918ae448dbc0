"""The guide of what a seat knows: its examples run, its tables are those of the code. KUBLI_UPDATE=1 writes them."""

import doctest
import os
from collections.abc import Iterator
from pathlib import Path

from kubli.games import GAMES, WORLDS

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "observations.md"


def tables() -> Iterator[str]:
    """The generated part: a table for each game, in the order of the lobby."""
    for name in GAMES:
        if name in WORLDS:
            yield f"## {GAMES[name].TITLE}"
            yield from ["", "| name | from | to | numbers | meaning |", "|---|---|---|---|---|"]
            at = 0
            for part in WORLDS[name].OBSERVATION:
                last, at = at + part.size, at + part.size
                yield f"| `{part.name}` | {last - part.size} | {last - 1} | {part.least} to {part.most} | {part.text} |"
            yield ""


def test_the_tables_of_the_guide_are_those_of_the_code() -> None:
    written = GUIDE.read_text()
    text = written.partition("\n## ")[0] + "\n" + "\n".join(tables())
    if os.environ.get("KUBLI_UPDATE"):
        GUIDE.write_text(text)
    assert GUIDE.read_text() == text


def test_the_guide_runs() -> None:
    found = doctest.testfile(str(GUIDE), module_relative=False)
    assert found.attempted >= 7
    assert found.failed == 0
