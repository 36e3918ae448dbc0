"""The command `kubli`: opens the table, and reads, makes and measures games.

Exit codes: 0 all is well; 1 something looked at is wrong (a record, a deck) or could not be done; 2 wrong usage;
130 stopped by Ctrl-C, with all that was finished kept.
"""

import contextlib
import json
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import FrameType
from typing import IO, Any

import click

from kubli import __version__, words
from kubli.bots import BOTS
from kubli.games import GAMES, decks
from kubli.games.contract import Refused
from kubli.games.setting import whole_options
from kubli.play import record as records
from kubli.play.record import Illegal, Record
from kubli.play.replay import answer
from kubli.play.simulate import simulate
from kubli.play.summary import Summary
from kubli.play.table import SPECTATOR

__all__ = ["main"]


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on; 0.0.0.0 lets others join.")
@click.option(
    "--port", default=8400, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Folder for tables and decks of your own.")
@click.version_option(__version__, prog_name="kubli")
@click.pass_context
def main(context: click.Context, host: str, port: int, no_open: bool, data: Path | None) -> None:
    """Card games of hidden information: without a command, opens the table in the browser."""
    if context.invoked_subcommand is None:
        from kubli import server  # the other commands need no web framework

        sys.exit(server.serve(host=host, port=port, data=data, open_browser=not no_open))


# --- Records ----------------------------------------------------------------------------------------------------------


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a record, for other programs.")
@click.option("--as", "viewer", default=None, metavar="VIEWER", help='Only what a seat was told, or a "spectator".')
def replay(file: str, as_json: bool, viewer: str | None) -> None:
    """Play the records of FILE over again by the rules ("-" is standard input)."""
    who = None if viewer is None else _viewer(viewer)
    failed = False
    try:
        for line in records.lines(file):
            try:
                if isinstance(line, Refused):
                    raise Illegal(-1, line)
                one = records.parse(line)
                click.echo(records.write(answer(one, who)) if as_json else _as_words(one, who))
            except Illegal as why:
                failed = True
                sentence = words.refusal(why.rule, why.code, why.values)
                refused = {"ok": False, "index": why.index, "rule": why.rule, "why": sentence}
                where = f"Event {why.index}" if why.index >= 0 else "The record"
                click.echo(records.write(refused) if as_json else f"{where} is refused. {sentence} ({why.rule})")
    except OSError as error:
        raise click.ClickException(f"{file} cannot be read: {error.strerror}.") from None
    sys.exit(1 if failed else 0)


def _viewer(text: str) -> int | str:
    """A seat's number or "spectator"."""
    if text == SPECTATOR:
        return text
    if re.fullmatch("[0-9]{1,2}", text):
        return int(text)
    raise click.BadParameter(f"{text[:20]!r} is neither a seat's number nor {SPECTATOR!r}.", param_hint="--as")


def _as_words(record: Record, viewer: int | str | None) -> str:
    """The game in plain words, a line a fact, with rule ids."""
    title = GAMES[record.game].TITLE
    seats = _names(record)
    eyes: int | str | None = viewer
    found = answer(record, viewer)
    if record.viewer is not None:
        facts, eyes, note = record.told, record.viewer, "as told to one viewer; it cannot be checked"
    else:
        facts = found["facts"]
        note = "finished" if found["finished"] else "unfinished"
    head = f"{title}, {record.players} players: {', '.join(seats)} ({note})."
    teller = words.Teller(record.game, eyes, seats, _deck_of(record))
    said = [f"{fact['event']:4}  {words.text(teller.say(fact))}  {fact['rule']}" for fact in facts]
    return "\n".join([head, *said, ""])


def _names(record: Record) -> list[str]:
    """What the seats are called: their names, with the seat's number where two have the same or none is given."""
    names = record.seats or ["Seat"] * record.players
    return [f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _deck_of(record: Record) -> dict[str, Any]:
    """The whole deck of a record, for the names of its things; the standard one if its own may not be."""
    try:
        return decks.read(record.game, record.deck or "standard")
    except Refused:
        return decks.read(record.game, "standard")


# --- Simulation -------------------------------------------------------------------------------------------------------


@main.command("simulate")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--players", type=int, required=True, help="How many play.")
@click.option("--games", "count", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Where chance begins.")
@click.option("--bots", default="random", show_default=True, help="Bots by seat, with commas; one name means all.")
@click.option("--deck", default=None, help="A deck's file, or the name of a shipped one.")
@click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="An option of the game; may be repeated.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Where the records go.")
@click.option("--summary", is_flag=True, help="Print who won how often, how long and with how many points.")
def simulate_(
    game: str,
    players: int,
    count: int,
    seed: int,
    bots: str,
    deck: str | None,
    chosen: tuple[str, ...],
    out: Path | None,
    summary: bool,
) -> None:
    """Let bots play GAME many times; the records go to --out, or to standard output without --summary."""
    try:
        options = whole_options(game, players, dict(map(_option, chosen)))
        played = simulate(game, players, count, seed, _bots(bots, players), options, _deck(deck))
        figures = Summary(game, players)
        finished = 0
        with (
            _sink(out, quiet=summary) as sink,
            click.progressbar(played, length=count, file=sys.stderr) as bar,
            _interruptible() as interrupted,
        ):
            for one in bar:
                if sink:
                    sink.write(records.write(one) + "\n")
                finished += 1
                figures.add(one)
                if interrupted.is_set():
                    break
    except Refused as why:
        raise click.UsageError(words.refusal(why.rule, why.code, why.values)) from None
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror}.") from None
    if summary and finished:
        click.echo(figures.text())
    if finished < count:
        click.echo(words.cli("interrupted", done=finished, count=count), err=True)
        sys.exit(130)


@contextlib.contextmanager
def _interruptible() -> Iterator[Event]:
    """Ctrl-C only asks to stop, so that no game is cut in two; a second one stops at once."""
    asked = Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _option(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE, with a number, true or false.") from None


def _bots(text: str, players: int) -> list[tuple[str, Any]]:
    names = text.split(",")
    if len(names) == 1:
        names *= players
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot {name!r}; there are {', '.join(BOTS)}.", param_hint="--bots")
    if len(names) != players:
        raise click.BadParameter(f"{len(names)} bots for {players} seats; give one a seat, or one for all.")
    return [(name, BOTS[name]) for name in names]


def _deck(text: str | None) -> str | dict[str, Any] | None:
    """A shipped deck's name as it is; a file as an object, so that it travels inside the record."""
    return text if text is None or text in decks.NAMES else decks.load(Path(text))


@contextlib.contextmanager
def _sink(out: Path | None, quiet: bool) -> Iterator[IO[str] | None]:
    """Where records go: a file, standard output, or nowhere."""
    if out:
        with out.open("w", encoding="utf-8") as file:
            yield file
    else:
        yield None if quiet else sys.stdout


# --- Decks ------------------------------------------------------------------------------------------------------------


@main.group()
def deck() -> None:
    """Look at a deck, or check one of your own."""


@deck.command()
@click.argument("name")
def show(name: str) -> None:
    """Print the shipped deck NAME ("darna/standard") or a deck's file, with where each item comes from."""
    try:
        click.echo(decks.text(name))
    except Refused as why:
        raise click.ClickException(words.refusal(why.rule, why.code, why.values)) from None


@deck.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check a deck's FILE: everything that is wrong with it at once, each with its key and what would be right."""
    try:
        data = decks.load(file)
        game = decks.which(data)
    except Refused as why:
        raise click.ClickException(words.refusal(why.rule, why.code, why.values)) from None
    found = decks.faults(game, data)
    for fault in found:
        click.echo(f"{file}: {fault.key}: {words.refusal(fault.rule, fault.code, fault.values)}")
    click.echo(f"{file}: {len(found)} faults." if found else f"{file}: a deck of {GAMES[game].TITLE} without faults.")
    sys.exit(1 if found else 0)


# --- Compiled play ----------------------------------------------------------------------------------------------------


def _fast() -> Any:
    """kubli.batch, or a sentence about what it needs: Kubli is installed and plays without it."""
    try:
        from kubli import batch
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("numba", "llvmlite", "numpy"):
            raise
        raise click.ClickException(words.cli("no_numba")) from None
    return batch


@main.command()
def warm() -> None:
    """Compile the rules for fast play now, so that nobody waits for it later."""
    click.echo(words.cli("warm", path=_fast().warm()))


@main.group()
def bench() -> None:
    """Measure how fast it plays."""


@bench.command("random")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--players", type=int, required=True, help="How many play.")
@click.option("--games", "count", type=click.IntRange(1), default=100_000, show_default=True, help="How many games.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Where chance begins.")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="How many share the work.")
@click.option("--deck", default=None, help="A deck's file, or the name of a shipped one.")
@click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="An option of the game; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON, for other programs.")
def bench_random(
    game: str,
    players: int,
    count: int,
    seed: int,
    threads: int,
    deck: str | None,
    chosen: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play GAME at random, compiled; the time to compile does not count."""
    fast = _fast()
    try:
        done = fast.random_play(game, players, count, seed, dict(map(_option, chosen)), _deck(deck), threads)
    except Refused as why:
        raise click.UsageError(words.refusal(why.rule, why.code, why.values)) from None
    except fast.BatchError as why:
        raise click.UsageError(str(why)) from None
    figures = {"games": done.games, "decisions": done.decisions, "seconds": round(done.seconds, 6)}
    if as_json:
        click.echo(json.dumps(figures))
    else:
        rate = f"{done.decisions / done.seconds / 1e6:.2f}"
        said = {"title": GAMES[game].TITLE, "players": players, "rate": rate, **figures}
        click.echo(words.cli("random_play", **said | {"seconds": f"{done.seconds:.3f}"}))
