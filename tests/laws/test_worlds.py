"""Laws of what a seat knows: a learner's vector, keys, and worlds redealt. A game is in them once it is in WORLDS.

That a vector can be read back is tested beside each game's other tests, for only they know how it is made up.
"""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from kubli.games import GAMES, WORLDS
from kubli.games.contract import Event
from kubli.games.kit import Luck, length
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.exact import deviation, drawn, telling
from laws.worlds import COUNTS, again, choose, cut, games, pairs, sizes, steps

every = pytest.mark.parametrize(("game", "players"), [one for one in COUNTS if one[0] in WORLDS])
each = pytest.mark.parametrize("game", WORLDS)

SMALL: dict[str, tuple[str, int, dict[str, Any]]] = {
    "darna": ("tiny", 2, {"max_turns": 4}),
    "narabi": ("small", 4, {"questions": 1, "no_return": True}),
    "darwins-dice": ("tiny", 2, {}),
}


def viewers(table: Table) -> list[Viewer]:
    return [*range(table.players), SPECTATOR]


def small(game: str, seed: int, end: bool = False) -> Table:
    """A random game of the small variant, stopped at a random moment or at its end."""
    deck, players, options = SMALL[game]
    random, table = Random(f"{game} {seed}"), Table(game, players, options, deck, chance=Seeded(seed))
    table.advance()
    while not table.over:
        event = choose(table, random)
        table.act(event["by"], event)
    return table if end else again(table, table.events[: random.randrange(1, len(table.events))])


# --- The learner's vector ---------------------------------------------------------------------------------------------


@every
def test_a_vector_stays_within_its_parts(game: str, players: int) -> None:
    parts = WORLDS[game].OBSERVATION
    assert all(part.size > 0 and part.least <= 0 < part.most < 1 << 15 and part.text for part in parts)
    assert len({part.name for part in parts}) == len(parts)
    for one in games(game, players, sizes(3, 30), seed=20):
        for table in one:
            for viewer in viewers(table):
                out = table.observation(viewer)
                assert len(out) == length(parts)
                for part in parts:
                    row, out = out[: part.size], out[part.size :]
                    assert all(part.least <= number <= part.most for number in row), part.name


@every
def test_views_that_differ_have_vectors_that_differ(game: str, players: int) -> None:
    for one in games(game, players, sizes(5, 50), seed=21):
        seen: dict[tuple[Viewer, tuple[int, ...]], str] = {}
        for table in one:
            for viewer in viewers(table):
                view = json.dumps(table.view(viewer))
                assert seen.setdefault((viewer, tuple(table.observation(viewer))), view) == view


@every
def test_a_vector_says_nothing_that_the_view_does_not(game: str, players: int) -> None:
    for table, twin, viewer in pairs(game, players, sizes(20, 500), seed=22):
        assert table.observation(viewer) == twin.observation(viewer)


# --- Keys -------------------------------------------------------------------------------------------------------------


def histories(table: Table, random: Random, most: int) -> Iterator[Table]:
    """All beginnings of games of a table, but no more than so many ways on from each."""
    yield table
    ways = [event for seat in table.to_act for event in table.legal(seat)] + table.legal_for_chance()
    for event in random.sample(ways, min(most, len(ways))):
        yield from histories(again(table, [*table.events, event]), random, most)


def canonical(told: list[dict[str, Any]]) -> str:
    """What a viewer was told, written out; when others made their sealed choices is left out."""
    facts = [fact for fact in told if fact["what"] != "chose" or "card" in fact]
    return json.dumps([{name: value for name, value in fact.items() if name != "event"} for fact in facts])


@each
def test_keys_are_equal_just_where_a_viewer_was_told_the_same(game: str) -> None:
    deck, players, options = SMALL[game]
    keys: dict[tuple[Viewer, str], int] = {}
    count = 0
    for table in histories(Table(game, players, options, deck), Random(1), sizes(2, 3)):
        for viewer in viewers(table):
            key = table.key(viewer)
            assert 0 <= key < 1 << 64
            assert keys.setdefault((viewer, canonical(table.told(viewer))), key) == key
            count += 1
    assert len(set(keys.values())) == len(keys) < count


@every
def test_keys_part_just_where_what_was_told_does(game: str, players: int) -> None:
    """A world goes on as the true game did. Its key is another as soon as a word is: derived fields bring no news."""
    random, parted = Random(f"part {game} {players}"), 0
    for number in range(sizes(25, 400)):
        whole = list(steps(game, players, random))[-1]
        at = random.randrange(max(1, len(whole.events) - 60), len(whole.events))
        table, viewer = again(whole, whole.events[:at]), random.choice(viewers(whole))
        world = table.imagine(viewer, Luck(number))
        while (same := canonical(table.told(viewer)) == canonical(world.told(viewer))) and not table.over:
            assert table.key(viewer) == world.key(viewer)
            event = as_like(world, table.happen(whole.events[len(table.events)]), random)
            if event is None:
                break
            world.happen(event)
        parted += not same
        assert (table.key(viewer) == world.key(viewer)) == same
    assert parted > 5


def as_like(table: Table, event: Event, random: Random) -> Event | None:
    """This event, or where it may not be another by the same hand; None if there is none."""
    by = event["by"]
    ways = table.legal_for_chance() if by == "chance" else table.legal(by)
    return event if event in ways else random.choice(ways) if ways else None


@every
def test_twins_have_equal_keys_and_equal_worlds(game: str, players: int) -> None:
    """So neither can have come from the truth, in which most twins differ."""
    for number, (table, twin, viewer) in enumerate(pairs(game, players, sizes(20, 500), seed=23)):
        assert table.key(viewer) == twin.key(viewer)
        assert table.imagine(viewer, Luck(number)).events == twin.imagine(viewer, Luck(number)).events


# --- Worlds -----------------------------------------------------------------------------------------------------------


@every
def test_a_redealt_world_gives_back_what_the_viewer_was_told(game: str, players: int) -> None:
    random, other, count = Random(f"redeal {game} {players}"), 0, 0
    for number in range(sizes(100, 2000)):
        table = cut(game, players, random) if number % 10 else list(steps(game, players, random))[-1]
        before = json.dumps(table.events)
        for viewer in viewers(table):
            world = table.imagine(viewer, Luck(number))
            assert world.told(viewer) == table.told(viewer)
            assert world.view(viewer) == table.view(viewer)
            assert world.observation(viewer) == table.observation(viewer)
            assert viewer == SPECTATOR or world.legal(int(viewer)) == table.legal(int(viewer))
            assert (world.to_act, world.result) == (table.to_act, table.result)
            assert world.events == table.imagine(viewer, Luck(number)).events
            count, other = count + 1, other + (world.events != table.events)
        assert json.dumps(table.events) == before
    assert other > count / 2


def test_a_redealt_world_may_be_played_on() -> None:
    table = small("darna", 1)
    world = table.imagine(0, Luck(1))
    assert world.legal_for_chance() or world.to_act


@each
def test_redealt_worlds_are_as_likely_as_they_should_be(game: str) -> None:
    told_apart = 0
    for seed in range(sizes(8, 40)):
        table = small(game, seed, end=seed % 8 == 7)
        for viewer in viewers(table):
            weights, found = telling(table, viewer), drawn(table, viewer, sizes(1000, 10000), seed)
            assert set(found) <= set(weights)
            assert deviation(weights, found) < 3.72  # p > 1e-4
            told_apart += 1 < len(weights) < found.total() / 5
    assert told_apart > 8


def test_the_deviation_of_draws_that_are_not_as_likely_is_seen() -> None:
    weights = {name: Fraction(1, 8) for name in "abcdefgh"}
    assert deviation(weights, Counter(dict.fromkeys("abcdefgh", 125))) < 0
    assert deviation(weights, Counter({"a": 200, "b": 50, **dict.fromkeys("cdefgh", 125)})) > 3.72
    assert deviation(weights, Counter({"a": 250, **dict.fromkeys("bcdefgh", 107)})) > 3.72


def test_every_game_has_worlds_of_its_own_name() -> None:
    assert all(name in GAMES for name in WORLDS)
