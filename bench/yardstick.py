"""The yardstick: random play in tight C, compiled here with gcc; each game's line of figures, read.

Times are the process's own seconds on the processor, not the clock's: a shared machine disturbs those less.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FOLDER", "Run", "build", "run"]

FOLDER = Path(__file__).parent / "yardstick"
SOURCES = {"darna": "darna", "narabi": "narabi", "darwins-dice": "darwin"}
FIELDS = {
    "darna": r"dec/game (\S+) turns/game (\S+) shoutwin (\S+) guesswin (\S+) none (\S+) \|(.*)",
    "narabi": r"dec/game (\S+) win (\S+) stuck (\S+) util (\S+)",
    "darwins-dice": r"carry/trick (\S+) p17 (\S+) p18 (\S+) lost/game (\S+) \|(.*)",
}


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its line, the numbers in it that don't tell of speed, and the seconds it took."""

    line: str
    figures: list[float]
    seconds: float


def build(folder: Path) -> dict[str, Path] | None:
    """Compile the three programs into a folder; None where there is no gcc or it can't (it needs x86-64 with BMI2)."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    made = {}
    for game, name in SOURCES.items():
        made[game] = folder / name
        command = [gcc, "-O3", "-march=native", "-o", str(made[game]), str(FOLDER / f"{name}.c"), "-lm"]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
    return made


def run(program: Path, game: str, games: int, players: int, seed: int = 1) -> Run:
    """Run one of them; how long it took is what it used of the processor."""
    process = subprocess.Popen([program, str(games), str(players), str(seed)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        line = process.stdout.read().strip()
    if sys.platform == "win32":
        raise OSError("the yardstick is measured where wait4 is")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise OSError(f"{program.name} ended with {process.returncode}")
    found = re.search(FIELDS[game], line)
    assert found, line
    numbers = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", " ".join(found.groups()))
    return Run(line, [float(one) for one in numbers], usage.ru_utime + usage.ru_stime)
