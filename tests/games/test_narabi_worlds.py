"""What a viewer of Narabi knows: the learner's vector, keys, and worlds drawn again, all against slow oracles."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from kubli.games import narabi
from kubli.games.contract import Event, Refused
from kubli.games.kit import Luck, length
from kubli.games.narabi_set import ALL, MOST, NONE
from kubli.games.narabi_worlds import OBSERVATION, Known, Matchings, known, redeal
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.exact import deviation, number_of, redealt
from laws.worlds import again, choose, games, sizes

COUNTS = [3, 4, 5]
KINDS = [(0, "white"), (1, "black"), (2, "black"), (3, "white"), (None, "white"), (None, "white"), (None, "black")]
MEAN: list[dict[str, Any]] = [
    {"at_least": 9},
    {"at_least": 8},
    {"colour": "black", "parity": "odd"},
    {"compared": "higher"},
    {"whose": [1]},
    {},
    {"colour": "white", "distance_at_most": 1},
]
# Three players with two sleeves each, a blank and its condition out; two conditions never let anything go (NA-10).
SIX: dict[str, Any] = {
    "stones": [{"id": f"s{i}", "number": number, "colour": colour} for i, (number, colour) in enumerate(KINDS)],
    "conditions": [{"id": f"c{i}", **one} for i, one in enumerate(MEAN)],
    "sizes": {"3": {"row": 2, "out": {"blank_white": 1}}},
    "exchanges": 6,
}
OPTIONS: list[dict[str, Any]] = [
    {"questions": 3},
    {"questions": 12, "no_return": True},
    {"silent": True},
    {"silent": True, "no_return": True},
]


def viewers(table: Table) -> list[Viewer]:
    return [*range(table.players), SPECTATOR]


# --- The vector -------------------------------------------------------------------------------------------------------


def split(out: Sequence[int]) -> dict[str, list[int]]:
    """A learner's vector by part."""
    rest = iter(out)
    return {part.name: [next(rest) for _ in range(part.size)] for part in OBSERVATION}


def which(flags: Sequence[int], none: int) -> int:
    """The one that is set of these, or `none`."""
    assert sum(flags) <= 1
    return flags.index(1) if 1 in flags else none


def decoded(v: narabi.Variant, out: Sequence[int], viewer: int) -> narabi.View:
    """The View of which a vector was made, worked out place by place."""
    part, first = split(out), viewer % v.players
    view = narabi.View(which(part["phase"], NONE), part["exchanges"][0], which(part["on_turn"], NONE))
    view.on_turn = view.on_turn if view.on_turn == NONE else (view.on_turn + first) % v.players
    view.questions_left, view.how = part["questions_left"][0], which(part["how"], NONE) + 1
    view.direction = which(part["direction"], NONE) + 1
    for at in range(v.places):
        place, run = (at + first * v.row) % v.places, slice(at * MOST, at * MOST + MOST)
        view.stone[place] = which(part["stone"][run], NONE)
        view.possible[place] = sum(flag << i for i, flag in enumerate(part["possible"][run]))
        view.seen |= part["seen"][at] << place
        goes = which(part["barred"][run], NONE)
        view.barred[place] = MOST if goes == NONE else (goes + first * v.row) % v.places
    return view


@pytest.mark.parametrize("players", COUNTS)
def test_the_vector_holds_all_of_the_view_and_stays_in_range(players: int) -> None:
    for game in games("narabi", players, sizes(4, 100)):
        for table in game:
            for cut in [table] if table.state.exchanges else [again(table, table.events[:n]) for n in range(13)]:
                for viewer in viewers(cut):
                    out, view = cut.observation(viewer), narabi.View()
                    narabi.view(cut.variant, cut.state, number_of(cut, viewer), view)
                    assert len(out) == length(OBSERVATION)
                    assert decoded(cut.variant, out, number_of(cut, viewer)) == view
                    for part, numbers in zip(OBSERVATION, split(out).values(), strict=True):
                        assert part.least <= min(numbers) <= max(numbers) <= part.most


def test_seats_and_places_count_from_the_viewer() -> None:
    ring = "0:any 5:even 6:low 1:far 7:near 2:lower 3:white 4:black 8:high"
    blanks = " blank_white_1:higher blank_white_2:odd blank_black_1:same_colour"
    table = dealt((ring + blanks).split(), 4, no_return=True)
    table.act(0, {"act": "exchange", "own": 0, "other": 10})
    for seat in range(4):
        part = split(table.observation(seat))
        assert which(part["viewer"], NONE) == seat
        assert which(part["on_turn"], NONE) == (1 - seat) % 4
        assert part["seen"][:3] == [1, 1, 1]
        at, goes = (10 - 3 * seat) % 12, -3 * seat % 12
        assert part["barred"][at * MOST + goes] == part["barred"][goes * MOST + at] == 1
        assert sum(part["barred"]) == 2
    assert split(table.observation(SPECTATOR))["viewer"] == [0, 0, 0, 0, 0, 1]
    assert split(table.observation(SPECTATOR))["on_turn"] == [0, 1, 0, 0, 0]
    assert not any(split(table.observation(SPECTATOR))["seen"])


def dealt(ring: Sequence[str], players: int, deck: Any = "standard", **options: Any) -> Table:
    """A table with these sleeves dealt, each as stone:condition."""
    table = Table("narabi", players, options, deck)
    for place, (stone, condition) in enumerate(text.split(":") for text in ring):
        table.happen({"by": "chance", "sleeve": {"stone": stone, "condition": condition}, "place": place})
    return table


# --- Counting ---------------------------------------------------------------------------------------------------------


def every(sets: Sequence[int]) -> list[tuple[int, ...]]:
    """All ways to take a different member of each set, tried out."""
    options = [[i for i in range(MOST) if one >> i & 1] for one in sets]
    return [given for given in product(*options) if len(set(given)) == len(given)]


def random_sets(random: Random) -> list[int]:
    """A few sets of few members, some equal, some of one member, perhaps none."""
    kinds = [
        random.getrandbits(6) & random.getrandbits(6) << random.randrange(3) | random.getrandbits(3) for _ in "123"
    ]
    return [random.choice([*kinds, 1 << random.randrange(6), 0b111111]) & ALL for _ in range(random.randrange(6))]


def draws(sets: Sequence[int], count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Matchings, drawn along the nodes that they were laid out in."""
    n, ways = len(sets), Matchings(sets)
    world = Known([-1] * n, [0] * n, [], [0], [], [], [])
    world.add(NONE, [(ways.count(), 0, ways.write(world))])
    assert len(world.weight) == len(world.alike) == len(world.then) == world.first[-1]
    out, luck = [0] * n, Luck(seed)
    for _ in range(count):
        redeal(None, world, luck, out)  # type: ignore[arg-type]  # it needs no Variant
        yield tuple(out)


def test_matchings_are_counted_as_by_trying_all() -> None:
    random, some = Random(1), 0
    for _ in range(sizes(600, 10_000)):
        sets = random_sets(random)
        found = every(sets)
        assert Matchings(sets).count() == len(found)
        some += bool(found)
        if found:
            assert set(draws(sets, 1, random.getrandbits(30))) <= set(found)
    assert some > 100


@pytest.mark.parametrize("sets", [[0b1110, 0b111, 0b110011, 0b110011], [0b1111] * 3, [0b11, 0b110, 0b1100, 0b11111]])
def test_matchings_are_drawn_evenly(sets: list[int]) -> None:
    found = every(sets)
    assert_evenly(Counter(draws(sets, 200 * len(found), 2)), found)


def test_the_largest_table_is_counted_with_little_work() -> None:
    random = Random(3)
    sets = [ALL & ~(1 << random.randrange(MOST)) & ~(1 << random.randrange(MOST)) for _ in range(MOST)]
    ways = Matchings(sets)
    assert 0 < ways.count() < 1307674368000  # 15!
    assert len(ways.counted) <= 1 << MOST
    assert sorted(next(draws(sets, 1, 1))) == list(range(MOST))


def assert_evenly(drawn: Counter[Any], found: Sequence[Any]) -> None:
    """All of these were drawn and nothing else, and none too often: p > 1e-4."""
    assert set(drawn) == set(found)
    assert len(found) == 1 or deviation(dict.fromkeys(found, Fraction(1)), drawn) < 3.72


# --- Worlds -----------------------------------------------------------------------------------------------------------


def back(events: Sequence[Event]) -> tuple[str, ...]:
    """What is hidden in a world: the conditions of its sleeves, in the order of the deal."""
    return tuple(event["sleeve"]["condition"] for event in events if "sleeve" in event)


def tried(table: Table, viewer: Viewer) -> list[tuple[str, ...]]:
    """All ways to give the sleeves other conditions that tell this viewer the same, tried out one by one."""
    said, found = table.told(viewer), []
    hidden = [fact.get("condition") for fact in said if fact["what"] == "sleeve_dealt"]
    for given in permutations(table.variant.condition_names, len(hidden)):
        if all(has in (None, one) for has, one in zip(hidden, given, strict=True)):
            other = with_backs(table, given)
            if other and other.told(viewer) == said:
                found.append(given)
    return found


def with_backs(table: Table, given: Sequence[str]) -> Table | None:
    """The same game with other conditions, unless something that happened would not have been allowed."""
    backs, other = iter(given), table.anew()
    try:
        for event in table.events:
            more = {"sleeve": {**event["sleeve"], "condition": next(backs)}} if "sleeve" in event else {}
            other.happen({**event, **more})
    except Refused:
        return None
    return other


def cases(table: Table, viewer: Viewer) -> list[int]:
    """By case, how many worlds there are."""
    world = known(table.variant, table.told(viewer), number_of(table, viewer))
    return world.weight[world.first[-2] :]


def counted(table: Table, viewer: Viewer) -> int:
    return sum(cases(table, viewer))


def drawn(table: Table, viewer: Viewer, count: int, seed: int) -> Counter[tuple[str, ...]]:
    return Counter(map(back, redealt(table, table.told(viewer), viewer, count, seed)))


def six(random: Random) -> Table:
    """A random game of six sleeves, up to a random event or its end."""
    table = Table("narabi", 3, random.choice(OPTIONS), SIX, Seeded(random.getrandbits(30)))
    table.advance()
    while not table.over:
        event = random.choice([choose(table, random), *table.legal(table.to_act[0])])  # many questions
        table.act(event["by"], event)
    return again(table, table.events[: random.randint(random.choice([1, 6, 6]), len(table.events))])


def test_worlds_are_counted_and_drawn_as_by_trying_all() -> None:
    """Six sleeves and seven conditions, with and without questions, silence, and the way back barred."""
    random, split_up, tested = Random(5), 0, 0
    for number in range(sizes(16, 300)):
        table = six(random)
        viewer = random.choice(viewers(table))
        found = tried(table, viewer)
        assert counted(table, viewer) == len(found)
        split_up += len(cases(table, viewer)) > 1
        if 1 < len(found) <= 100:
            assert_evenly(drawn(table, viewer, 40 * len(found), number), found)
            tested += 1
    assert split_up > 3
    assert tested > 3


def histories(table: Table) -> Iterator[tuple[Table, float]]:
    """Every history there is from here on, and how likely chance is to bring what it brings in it."""
    walk = [(table, 1.0)]
    while walk:
        now, likely = walk.pop()
        yield now, likely
        v, n = now.variant, narabi.outcomes(now.variant, now.state)
        following = [{"by": "chance", **narabi.event(v, narabi.draw(v, now.state, k))} for k in range(n)]
        following += [event for seat in now.to_act for event in now.legal(seat)]
        walk += [(again(now, [*now.events, event]), likely / (n or 1)) for event in following]


@pytest.mark.parametrize(("deck", "players"), [("tiny", 3), ("small", 4)])
def test_every_history_of_a_small_deck(deck: str, players: int) -> None:
    """Keys are equal just if all that was told is; worlds are as many and as likely as the histories that fit."""
    told: dict[tuple[Viewer, str], list[tuple[Table, float]]] = {}
    keys: dict[int, set[tuple[Viewer, str]]] = {}
    for table, likely in histories(Table("narabi", players, {"questions": 0}, deck)):
        for viewer in viewers(table):
            at = (viewer, str(table.told(viewer)))
            told.setdefault(at, []).append((table, likely))
            keys.setdefault(table.key(viewer), set()).add(at)
    assert all(len(same) == 1 for same in keys.values())
    assert len(keys) == len(told)
    assert sum(len(fit) > 1 for fit in told.values()) > 20
    for number, ((viewer, _), fit) in enumerate(told.items()):
        assert counted(fit[0][0], viewer) == len(fit)
        assert len({likely for _, likely in fit}) == 1
        if number % 80 == 0:
            found = [back(table.events) for table, _ in fit]
            assert_evenly(drawn(fit[0][0], viewer, 40 * len(fit), number), found)


# --- What rules prove -------------------------------------------------------------------------------------------------


def set_of(conditions: list[dict[str, Any]], players: int = 3) -> dict[str, Any]:
    """As many sleeves as players, one each: even numbers and then odd ones are out of order from four on."""
    numbers = [*range(0, players, 2), *range(1, players, 2)]
    stones = [{"id": f"s{number}", "number": number, "colour": "white"} for number in numbers]
    given = [{"id": f"c{i}", **one} for i, one in enumerate(conditions)]
    return {"stones": stones, "conditions": given, "sizes": {f"{players}": {"row": 1, "out": {}}}, "exchanges": 24}


FOUR = set_of([{"at_least": 9}, {}, {"whose": [1]}, {"whose": [-1]}], 4)
FREE = set_of([{"whose": [2]}, {}, {"whose": [1]}, {"whose": [-1]}], 4)


def may_have(table: Table, viewer: Viewer, sleeve: int) -> set[str]:
    """The conditions that a sleeve has in worlds drawn."""
    return {given[sleeve] for given in drawn(table, viewer, 200, 1)}


def test_na_5_a_viewer_remembers_what_it_read() -> None:
    table = dealt(["s0:c1", "s2:c2", "s1:c3", "s3:c0"], 4, FREE)
    table.act(0, {"act": "exchange", "own": 0, "other": 2})  # as only c0 and c1 allow
    for viewer, can_have in [(0, (1, 2, 1, 2)), (1, (2, 1, 3, 3)), (2, (1, 2, 1, 2)), (3, (1, 2, 2, 1))]:
        assert tuple(len(may_have(table, viewer, sleeve)) for sleeve in range(4)) == can_have


def test_na_10_whoever_is_on_turn_may_exchange_something_or_all_have_lost() -> None:
    table = dealt(["s0:c1", "s2:c2", "s1:c3", "s3:c0"], 4, FOUR)
    assert may_have(table, SPECTATOR, 0) == {"c1", "c2", "c3"}
    assert may_have(table, SPECTATOR, 1) == {"c0", "c1", "c2", "c3"}
    assert counted(table, SPECTATOR) == 24 - 6
    table = dealt(["s0:c0", "s2:c2", "s1:c3", "s3:c1"], 4, FOUR)
    assert table.over
    assert may_have(table, SPECTATOR, 0) == {"c0"}
    assert counted(table, SPECTATOR) == 6


def test_na_16_an_answer_proves_what_a_sleeve_may_do() -> None:
    table = dealt(["s0:c1", "s2:c2", "s1:c3", "s3:c0"], 4, FOUR)
    table.act(0, {"act": "ask", "place": 1, "for": 2})
    assert may_have(table, SPECTATOR, 1) == {"c1", "c2"}
    table.act(0, {"act": "ask", "place": 1, "for": 0})
    assert may_have(table, SPECTATOR, 1) == {"c2"}
    assert may_have(table, SPECTATOR, 0) == {"c1", "c3"}  # what is certain of one is gone for others


def test_na_19_an_answer_proves_nothing_where_the_way_back_is_barred() -> None:
    table = dealt(["s0:c1", "s2:c2", "s1:c3", "s3:c0"], 4, FOUR, no_return=True)
    table.act(0, {"act": "exchange", "own": 0, "other": 1})
    table.act(1, {"act": "ask", "place": 0, "for": 1})
    before = table.told(SPECTATOR)
    assert before[-1]["answer"] == "no"
    assert may_have(table, SPECTATOR, 1) == {"c0", "c1", "c2", "c3"}
    open_way = dealt(["s0:c1", "s2:c3", "s1:c2", "s3:c0"], 4, FOUR)
    open_way.act(0, {"act": "exchange", "own": 0, "other": 1})
    open_way.act(1, {"act": "ask", "place": 0, "for": 1})
    assert open_way.told(SPECTATOR)[-1]["answer"] == "no"
    assert may_have(open_way, SPECTATOR, 1) == {"c0", "c3"}


def test_nothing_is_known_of_sleeves_not_dealt_yet() -> None:
    table = dealt(["s0:c1", "s2:c2"], 4, FOUR)
    assert counted(table, 0) == 3
    assert may_have(table, 0, 1) == {"c0", "c2", "c3"}
    assert counted(Table("narabi", 4, {}, FOUR), 0) == 1


def test_what_no_game_can_have_told_is_refused() -> None:
    table = dealt(["s0:c1", "s2:c2", "s1:c3", "s3:c0"], 4, FOUR)
    told = table.told(0)
    told[1]["condition"] = "c1"  # which seat 0 has itself
    with pytest.raises(ValueError, match="nothing to draw from"):
        next(redealt(table, told, 0, 1, 1))
