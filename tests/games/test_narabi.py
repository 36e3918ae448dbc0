"""Narabi, clause by clause, and what holds in every game of it."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.helpers import Match
from kubli.games import decks, narabi
from kubli.games.contract import Event, Refused
from kubli.games.kit import CHANCE, EVERYONE, OWNER

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("narabi-*.json"))
STANDARD = decks.read("narabi", "standard")
CONDITIONS = [one["id"] for one in STANDARD["conditions"]]

# Three rows of four. Seat 0 begins; the condition after each colon.
RING = """0:any 5:even blank_white_1:higher 6:low  blank_black_1:odd 2:lower 7:near 1:far
          blank_white_2:high 3:white 8:black 4:same_colour"""
# Exchanging places 0 and 11 brings it in order counterclockwise.
NEARLY = """3:any 1:white 0:black blank_black_1:even  8:odd 7:higher blank_white_1:lower 6:low
            5:high blank_white_2:near 4:far 2:same_colour"""
IN_ORDER = """0:any 1:white 2:black 3:even  blank_white_1:odd 4:higher 5:lower 6:low
              7:high 8:near blank_white_2:far blank_black_1:same_colour"""


def sleeve(text: str, place: int) -> Event:
    stone, condition = text.split(":")
    return {"by": "chance", "sleeve": {"stone": stone, "condition": condition}, "place": place}


def sleeves(ring: str) -> list[Event]:
    return [sleeve(text, place) for place, text in enumerate(ring.split())]


def table(ring: str = RING, players: int = 3, deck: Any = "standard", **options: Any) -> Match:
    """A table with this ring dealt."""
    return Match(narabi, players, options, deck).do(*sleeves(ring))


def exchange(by: int, own: int, other: int) -> Event:
    return {"by": by, "act": "exchange", "own": own, "other": other}


def ask(by: int, place: int, other: int) -> Event:
    return {"by": by, "act": "ask", "place": place, "for": other}


def goals(match: Match, own: int) -> set[int]:
    """The places to which the sleeve at this place of the seat on turn may go."""
    return {event["other"] for event in match.legal(match.s.on_turn) if event.get("own") == own}


def plain_set(conditions: list[dict[str, Any]], stones: Sequence[tuple[int | None, str]], row: int = 1) -> Any:
    """A set for 3 players without stones taken out."""
    named = [{"id": f"s{i}", "number": number, "colour": colour} for i, (number, colour) in enumerate(stones)]
    given = [{"id": f"c{i}", **one} for i, one in enumerate(conditions)]
    return {"stones": named, "conditions": given, "sizes": {"3": {"row": row, "out": {}}}, "exchanges": 24}


def randomly(players: int, random: Random, deck: Any = "standard", **options: Any) -> Iterator[Match]:
    """A random game, after the deal and after each choice; it asks seldom, so that it gets on."""
    match = Match(narabi, players, options, deck).deal(random)
    yield match
    while not narabi.over(match.v, match.s):
        seat = match.s.on_turn
        actions = match.actions(seat)
        exchanges = [action for action in actions if action < narabi.ASK]
        match.step(seat, random.choice(exchanges if random.random() < 0.6 else actions))
        yield match


def some_games(count: int, **options: Any) -> Iterator[Match]:
    """Every moment of some random games for 3, 4 and 5 players, with and without `no_return`."""
    for i in range(count):
        for players in narabi.PLAYERS:
            yield from randomly(players, Random(f"{i} {players}"), **{"no_return": i % 2 == 0, **options})


# --- Pieces and setup -------------------------------------------------------------------------------------------------


def test_na_1_each_stone_lies_once() -> None:
    match = Match(narabi, 5).do(sleeve("0:any", 0))
    assert match.refused(sleeve("0:white", 1)) == "NA-1"
    assert match.refused(sleeve("10:white", 1)) == "NA-1"
    assert match.refused(sleeve("blank_black_2:white", 1)) == ""


def test_na_2_each_condition_lies_once_and_stays_with_its_stone() -> None:
    match = Match(narabi, 3).do(sleeve("0:any", 0))
    assert match.refused(sleeve("5:any", 1)) == "NA-2"
    assert match.refused(sleeve("5:anything", 1)) == "NA-2"
    match = table().do(exchange(0, 0, 4))
    ring = match.view(1)["ring"]
    assert (ring[4]["stone"], ring[4]["condition"]) == ("0", "any")
    assert (ring[0]["stone"], ring[0]["condition"]) == ("blank_black_1", "odd")


@pytest.mark.parametrize(("players", "nine"), [(3, "NA-3"), (4, "NA-3"), (5, "")])
def test_na_3_the_nine_is_out_with_three_or_four(players: int, nine: str) -> None:
    assert Match(narabi, players).refused(sleeve("9:any", 0)) == nine


@pytest.mark.parametrize("colour", ["white", "black"])
def test_na_3_any_blank_of_a_colour_may_be_the_one_that_is_out(colour: str) -> None:
    ids = [one["id"] for one in STANDARD["stones"] if one["id"].startswith(f"blank_{colour}")]
    for out in ids:
        match, dealt = Match(narabi, 3), [one for one in ids if one != out]
        for place, stone in enumerate(dealt):
            match.do(sleeve(f"{stone}:{CONDITIONS[place]}", place))
        assert match.refused(sleeve(f"{out}:far", 9)) == "NA-3"
        assert match.refused(sleeve(f"{dealt[0]}:far", 9)) == "NA-1"
        left = {narabi.draw(match.v, match.s, k) for k in range(narabi.outcomes(match.v, match.s))}
        stones = {narabi.event(match.v, action)["sleeve"]["stone"] for action in left}
        assert len(stones) == 12 - len(dealt)
        assert not stones & set(ids)


def test_na_3_of_blanks_alike_the_engine_deals_the_first() -> None:
    match = Match(narabi, 3).do(sleeve("blank_white_3:any", 0))
    drawn = [narabi.event(match.v, narabi.draw(match.v, match.s, k)) for k in range(narabi.outcomes(match.v, match.s))]
    blanks = {event["sleeve"]["stone"] for event in drawn if event["sleeve"]["stone"].startswith("blank")}
    assert blanks == {"blank_white_1", "blank_black_1"}


def test_na_3_conditions_that_are_out_are_out_at_random() -> None:
    out: Counter[str] = Counter()
    start = Match(narabi, 4)
    for i in range(300):
        match = start.again().deal(Random(i))
        out.update(name for k, name in enumerate(match.v.condition_names) if match.s.conditions >> k & 1)
    assert out.total() == 900
    assert set(out) == set(CONDITIONS)
    assert max(out.values()) < 3 * min(out.values())


@pytest.mark.parametrize(("players", "row"), [(3, 4), (4, 3), (5, 3)])
def test_na_4_rows_make_one_ring(players: int, row: int) -> None:
    ring = Match(narabi, players).deal(Random(1)).view(0)["ring"]
    assert [place["seat"] for place in ring] == [seat for seat in range(players) for _ in range(row)]
    assert [place["place"] for place in ring] == list(range(players * row))


def test_na_4_one_sleeve_lies_on_each_place_and_only_chance_lays_it() -> None:
    match = Match(narabi, 3).do(sleeve("0:any", 5))
    assert match.refused(sleeve("1:white", 5)) == "NA-4"
    assert match.refused(sleeve("1:white", 12)) == "NA-4"
    assert match.refused(sleeve("1:white", -1)) == "NA-4"
    assert match.refused({**sleeve("1:white", 6), "by": 0}) == "NA-4"
    assert table().refused(sleeve("1:white", 0)) == "NA-4"


def test_na_4_nobody_acts_before_all_sleeves_lie() -> None:
    match = Match(narabi, 3).do(*sleeves(RING)[:-1])
    for seat in range(3):
        assert match.refused(exchange(seat, 0, 4)) == "NA-4"
        assert match.refused(ask(seat, 0, 4)) == "NA-4"
        assert match.legal(seat) == []
    assert narabi.to_act(match.v, match.s) == 0


def test_na_4_sleeves_dealt_in_any_order_give_the_same_state() -> None:
    events, random = sleeves(RING), Random(2)
    for _ in range(20):
        random.shuffle(events)
        assert Match(narabi, 3).do(*events).s == table().s
    beginning = [sleeve("blank_white_3:any", 3), sleeve("blank_white_1:odd", 0), sleeve("blank_black_2:even", 9)]
    states = []
    for _ in range(6):
        random.shuffle(beginning)
        states.append(Match(narabi, 4).do(*beginning).s)
    assert all(state == states[0] for state in states)


def test_na_4_all_see_all_stones() -> None:
    for viewer in range(4):
        ring = table().view(viewer)["ring"]
        assert [place["stone"] for place in ring] == [text.split(":")[0] for text in RING.split()]
        assert ring[4] | {"possible": [], "seen": False, "condition": None} == {
            "place": 4,
            "seat": 1,
            "stone": "blank_black_1",
            "number": None,
            "colour": "black",
            "condition": None,
            "seen": False,
            "possible": [],
            "barred": None,
        }


def test_na_5_each_reads_the_own_row_and_remembers() -> None:
    match = table()
    for viewer in range(4):
        assert [place["seen"] for place in match.view(viewer)["ring"]] == [i // 4 == viewer for i in range(12)]
    match.do(exchange(0, 0, 4), exchange(1, 4, 8))
    read = [[place["place"] for place in match.view(viewer)["ring"] if place["seen"]] for viewer in range(4)]
    assert read == [[0, 1, 2, 3, 8], [0, 4, 5, 6, 7, 8], [4, 8, 9, 10, 11], []]
    assert match.view(0)["ring"][8]["condition"] == "any"


def test_na_5_conditions_are_told_to_those_who_may_read_them() -> None:
    match = table().do(exchange(0, 0, 4))
    for viewer in range(4):
        facts = match.facts(viewer)
        dealt = [fact for fact in facts if fact["what"] == "sleeve_dealt"]
        assert [fact["seat"] for fact in dealt if "condition" in fact] == [viewer] * 4 * (viewer < 3)
        (exchanged,) = [fact for fact in facts if fact["what"] == "exchanged"]
        assert ("gave_condition" in exchanged) is ("took_condition" in exchanged) is (viewer < 2)
        assert (exchanged["gave"], exchanged["took"], exchanged["with"]) == ("0", "blank_black_1", 1)


# --- Turn -------------------------------------------------------------------------------------------------------------


def test_na_6_the_holder_of_stone_0_begins() -> None:
    for match in some_games(4):
        if match.s.exchanges == 0 and not narabi.over(match.v, match.s):
            zero = [place for place in match.view(0)["ring"] if place["stone"] == "0"]
            assert match.s.on_turn == zero[0]["seat"]


def test_na_6_then_clockwise() -> None:
    match = table()
    assert match.refused(exchange(1, 4, 0)) == "NA-6"
    match.do(exchange(0, 0, 4))
    assert match.refused(exchange(0, 1, 4)) == "NA-6"
    match.do(exchange(1, 4, 8), exchange(2, 8, 0))
    turns = [(fact["seat"], fact["number"]) for fact in match.facts() if fact["what"] == "turn"]
    assert turns == [(0, 1), (1, 2), (2, 3), (0, 4)]


def test_na_7_one_of_your_own_with_one_of_another() -> None:
    match = table()
    assert match.refused(exchange(0, 4, 8)) == "NA-7"
    assert match.refused(exchange(0, 4, 0)) == "NA-7"
    assert match.refused(exchange(0, 0, 1)) == "NA-7"
    assert match.refused(exchange(0, 0, 0)) == "NA-7"
    assert match.refused(exchange(0, 0, 12)) == "NA-4"
    assert match.refused(exchange(0, 0, 11)) == ""


MEANS: dict[str, Callable[[int, str, int, str], bool]] = {  # of the stone given, then of the stone wanted
    "any": lambda _n, _c, _m, _d: True,
    "white": lambda _n, _c, _m, d: d == "white",
    "black": lambda _n, _c, _m, d: d == "black",
    "even": lambda _n, _c, m, _d: m in (0, 2, 4, 6, 8),
    "odd": lambda _n, _c, m, _d: m in (1, 3, 5, 7, 9),
    "higher": lambda n, _c, m, _d: m > n,
    "lower": lambda n, _c, m, _d: m < n,
    "low": lambda _n, _c, m, _d: m in (0, 1, 2, 3, 4),
    "high": lambda _n, _c, m, _d: m in (5, 6, 7, 8, 9),
    "same_colour": lambda _n, c, _m, d: c == d,
    "other_colour": lambda _n, c, _m, d: c != d,
    "near": lambda n, _c, m, _d: n - 2 <= m <= n + 2,
    "far": lambda n, _c, m, _d: m <= n - 3 or m >= n + 3,
    "next_player": lambda _n, _c, _m, _d: True,
    "previous_player": lambda _n, _c, _m, _d: True,
}


def test_na_8_every_condition_says_what_its_name_says() -> None:
    """Every stone given for every other one, by every condition, from each of the seats, as the rules' table has it."""
    faces = {one["id"]: (one["number"] or 0, one["colour"]) for one in STANDARD["stones"]}
    match = Match(narabi, 5).deal(Random(3))
    for condition, means in MEANS.items():
        i = CONDITIONS.index(condition)
        for own, given in enumerate(faces.values()):
            wanted = {j for j, face in enumerate(faces.values()) if means(*given, *face)}
            assert {j for j in range(15) if match.v.allows[i][own] >> j & 1} == wanted, (condition, given)
        for seat in range(5):
            away = {"next_player": [1], "previous_player": [4]}.get(condition, [1, 2, 3, 4])
            places = {p for p in range(15) if (p // 3 - seat) % 5 in away}
            assert {p for p in range(15) if match.v.reaches[i][seat] >> p & 1} == places, (condition, seat)


def test_na_8_the_condition_of_the_sleeve_given_decides_and_no_other() -> None:
    match = table(NEARLY.replace("1:white 0:black", "0:white 1:black"))
    assert match.refused(exchange(0, 2, 5)) == "NA-8"  # black for the white 7, whatever its own condition says
    assert match.refused(exchange(0, 2, 7)) == ""  # black for the black 6, although "low" would not give 6 for a 1 …
    assert match.refused(exchange(0, 3, 4)) == ""  # … and even for 8, although "odd" would not take a blank


@pytest.mark.parametrize(
    ("condition", "allowed"),
    [
        ({"colour": "white", "parity": "even"}, {2, 4}),
        ({"at_least": 2, "at_most": 4}, {2, 4}),
        ({"compared": "higher", "distance_at_most": 2}, {4, 5}),
        ({"compared": "lower", "distance_at_least": 2}, {1}),
        ({"colour": "same", "whose": [1]}, {1}),
        ({"whose": [-1]}, {2, 5}),
        ({"whose": [2, 4]}, {1, 2, 4, 5}),
        ({"colour": "black", "at_most": 0}, set()),
    ],
)
def test_na_8_all_fields_given_must_hold(condition: dict[str, Any], allowed: set[int]) -> None:
    """Stones 0 to 5, even ones white; seat 0 has 3 and 0, seat 1 has 1 and 4, seat 2 has 5 and 2; it gives the 3."""
    stones = [(n, "black" if n % 2 else "white") for n in range(6)]
    others: list[dict[str, Any]] = [{} for _ in range(5)]
    match = table("s3:c0 s0:c1 s1:c2 s4:c3 s5:c4 s2:c5", deck=plain_set([condition, *others], stones, row=2))
    assert goals(match, 0) == {{1: 2, 4: 3, 5: 4, 2: 5}[number] for number in allowed}


def test_na_9_a_blank_counts_as_0_and_keeps_its_colour() -> None:
    match = table()
    assert goals(match, 1) == {4, 5, 8, 10, 11}  # even
    assert goals(match, 2) == {5, 6, 7, 9, 10, 11}  # higher than a blank
    match = table(RING.replace("0:any", "0:black").replace("8:black", "8:any"))
    assert goals(match, 0) == {4, 5, 7}  # black: a blank, 2 and 1


FORCED = """0:lower 6:higher 1:any 8:near  5:white 2:black blank_white_1:even 3:odd
            7:high 4:low blank_white_2:far blank_black_1:next_player"""
TO_FORCED = [exchange(0, 2, 4), exchange(1, 5, 11), exchange(2, 8, 2)]


def test_na_10_without_an_allowed_exchange_all_have_lost() -> None:
    match = table(FORCED).do(*TO_FORCED)
    assert [event for event in match.legal(0) if event["act"] == "exchange"] == [exchange(0, 2, 8)]
    match = table(FORCED, no_return=True).do(*TO_FORCED)
    assert narabi.over(match.v, match.s)
    ended = match.facts()[-3:]
    assert [(fact["what"], fact["rule"]) for fact in ended] == [("turn", 6), ("no_exchange", 10), ("game_over", 10)]
    assert (ended[0]["seat"], ended[0]["number"], ended[1]["seat"]) == (0, 4, 0)
    assert narabi.result(match.v, match.s) == {"won": False, "exchanges": 3, "how": "no_exchange", "direction": None}
    assert match.utilities() == [0, 0, 0]
    assert match.refused(ask(0, 4, 0)) == match.refused(exchange(0, 2, 8)) == "NA-10"


def test_na_10_is_looked_at_before_the_first_turn_too() -> None:
    nothing = [{"at_least": 9}, {}, {}, {}]
    stones = [(0, "white"), (2, "black"), (1, "white"), (3, "black")]
    four = plain_set(nothing, stones) | {"sizes": {"4": {"row": 1, "out": {}}}}
    match = table("s0:c0 s1:c1 s2:c2 s3:c3", players=4, deck=four)
    assert match.facts()[-1]["how"] == "no_exchange"
    assert match.s.exchanges == 0
    match = table("s0:c1 s1:c0 s2:c2 s3:c3", players=4, deck=four)
    assert not narabi.over(match.v, match.s)
    match.do(exchange(0, 0, 2))
    assert (match.facts()[-2]["what"], match.facts()[-2]["seat"]) == ("no_exchange", 1)


def test_na_11_each_exchange_counts_and_a_question_does_not() -> None:
    match = table().do(ask(0, 4, 0), exchange(0, 0, 4), ask(1, 0, 4), exchange(1, 4, 8))
    assert match.view(3)["exchanges"] == 2
    assert [fact["number"] for fact in match.facts() if fact["what"] == "exchanged"] == [1, 2]


# --- The end ----------------------------------------------------------------------------------------------------------


def slow_order(ring: list[int | None]) -> str | None:
    """The numbers in order, from any beginning, one way round or the other."""
    there = [number for number in ring if number is not None]
    turned = [there[i:] + there[:i] for i in range(len(there))]
    if sorted(there) in turned:
        return "clockwise"
    return "counterclockwise" if sorted(there, reverse=True) in turned else None


def test_na_12_in_order_means_the_same_as_in_a_slow_look_at_the_ring() -> None:
    random, found = Random(4), Counter[Any]()
    tables = [Match(narabi, players) for players in narabi.PLAYERS]
    for _ in range(4000):
        match = random.choice(tables)
        stones = [i for i in range(15) if match.v.stones >> i & 1]
        numbered, blanks = [i for i in stones if i < 10], [i for i in stones if i >= 10]
        start = random.randrange(len(numbered))
        ring = (numbered[start:] + numbered[:start])[:: random.choice([1, -1])]
        if random.random() < 0.6:
            i, j = random.sample(range(len(ring)), 2)
            ring[i], ring[j] = ring[j], ring[i]
        for blank in blanks:
            ring.insert(random.randrange(len(ring) + 1), blank)
        match.s.stone[: len(ring)] = ring
        numbers = [STANDARD["stones"][i]["number"] for i in ring]
        direction = narabi.DIRECTIONS[narabi.order(match.v, match.s)]
        assert direction == slow_order(numbers), numbers
        found[direction] += 1
    assert min(found.values()) > 500
    assert len(found) == 3


def test_na_12_won_after_an_exchange() -> None:
    match = table(NEARLY).do(exchange(0, 0, 11))
    assert narabi.result(match.v, match.s) == {
        "won": True,
        "exchanges": 1,
        "how": "order",
        "direction": "counterclockwise",
    }
    assert match.facts()[-1] == {
        "what": "game_over",
        "rule": 12,
        "won": True,
        "how": "order",
        "direction": "counterclockwise",
        "exchanges": 1,
    }
    assert match.view(0)["result"] == narabi.result(match.v, match.s)
    assert match.view(0)["to_act"] == []


def test_na_12_won_after_the_deal() -> None:
    match = table(IN_ORDER)
    assert (match.facts()[-1]["direction"], match.facts()[-1]["exchanges"]) == ("clockwise", 0)
    assert match.refused(exchange(0, 0, 11)) == match.refused(ask(0, 4, 0)) == "NA-12"
    assert not any(fact["what"] == "turn" for fact in match.facts())


def test_na_12_all_but_one_in_place_is_not_in_order() -> None:
    match = table(NEARLY).do(exchange(0, 0, 4))
    assert (match.facts()[-1]["what"], match.facts()[-1]["seat"]) == ("turn", 1)


@pytest.mark.parametrize(
    ("numbers", "direction"),
    [
        ([0, None, None], "clockwise"),
        ([7, 0, None], "clockwise"),
        ([0, 40, 7], "counterclockwise"),
        ([7, 40, 0], "clockwise"),
    ],
)
def test_na_12_sets_with_few_numbers_or_gaps(numbers: list[int | None], direction: str) -> None:
    deck = plain_set([{}, {}, {}], [(number, "white") for number in numbers])
    match = table("s0:c0 s1:c1 s2:c2", deck=deck)
    assert (match.facts()[-1]["what"], match.facts()[-1]["direction"]) == ("game_over", direction)


def test_na_12_goes_before_the_limit_and_before_na_10() -> None:
    last = {**STANDARD, "exchanges": 1}
    assert table(NEARLY, deck=last).do(exchange(0, 0, 11)).facts()[-1]["how"] == "order"
    deck = plain_set([{}, {"at_least": 9}, {"at_least": 9}, {"at_least": 9}], [(n, "white") for n in range(4)])
    deck["sizes"] = {"4": {"row": 1, "out": {}}}
    match = table("s0:c0 s2:c1 s1:c2 s3:c3", players=4, deck=deck)
    assert match.facts()[-1]["what"] == "turn"
    assert match.do(exchange(0, 0, 3)).facts()[-1]["how"] == "order"  # 3 2 1 0, and nobody could go on


def test_na_13_the_result_is_the_number_of_exchanges() -> None:
    there_and_back = [exchange(0, 0, 4), exchange(1, 4, 0), exchange(2, 8, 5), exchange(0, 0, 11), exchange(1, 5, 8)]
    match = table(NEARLY).do(*there_and_back)
    assert narabi.result(match.v, match.s)["exchanges"] == 5
    assert match.facts()[-1]["exchanges"] == 5


def test_na_14_lost_after_the_last_exchange() -> None:
    match = table()
    while match.s.exchanges < 23:
        match.do(exchange(match.s.on_turn, match.s.on_turn * 4, (match.s.on_turn * 4 + 4) % 12))
        assert not narabi.over(match.v, match.s)
    match.do(exchange(2, 9, 0))
    assert match.facts()[-1] == {
        "what": "game_over",
        "rule": 14,
        "won": False,
        "how": "limit",
        "direction": None,
        "exchanges": 24,
    }
    assert match.refused(exchange(0, 0, 4)) == match.refused(sleeve("9:far", 0)) == "NA-14"


# --- Talking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        {"by": 0, "act": "say", "condition": "any"},
        {"by": 0, "act": "exchange", "own": 0, "other": 4, "condition": "any"},
        {"by": 0, "act": "ask", "place": 4, "for": 0, "condition": "odd"},
        {"by": 0, "act": ["ask"], "place": 4, "for": 0},
        {"by": 0, "act": "ask", "place": True, "for": 0},
        {"by": 0, "act": "ask", "place": 4},
        {"by": 0},
        {"by": "chance", "sleeve": {"stone": "0", "condition": "any", "by": 0}, "place": 0},
        {"by": "chance", "sleeve": {"stone": 0, "condition": "any"}, "place": 0},
        {"by": "chance", "sleeve": "0", "place": 0},
    ],
)
def test_na_15_no_event_states_a_condition(event: Event) -> None:
    with pytest.raises(Refused) as refused:
        narabi.action(table().v, event)
    assert refused.value.rule == "FORMAT"


def test_na_16_the_answer_is_what_the_owner_could_do_now() -> None:
    """Against the rules of an exchange themselves, with the turn handed to the owner."""
    answers = Counter[str]()
    for match in some_games(6, questions=12):
        random = Random(str(match.s))
        for action in match.actions(match.s.on_turn)[-1:] if match.s.asked < 12 and match.s.on_turn >= 0 else []:
            assert action >= narabi.ASK
            questions = [event for event in match.legal(match.s.on_turn) if event["act"] == "ask"]
            question = random.choice(questions)
            other = match.again()
            owner = question["place"] // match.v.row
            other.s.on_turn = owner
            allowed = other.refused(exchange(owner, question["place"], question["for"])) == ""
            asked = match.again().do(question)
            fact = asked.facts()[-1]
            assert (fact["what"], fact["owner"]) == ("answered", owner)
            assert fact["answer"] == ("yes" if allowed else "no")
            assert asked.s.on_turn == match.s.on_turn
            answers[fact["answer"]] += 1
    assert min(answers["yes"], answers["no"]) > 100


def test_na_16_who_may_be_asked_what() -> None:
    match = table()
    assert match.refused(ask(0, 0, 4)) == "NA-16"
    assert match.refused(ask(0, 4, 5)) == "NA-16"
    assert match.refused(ask(0, 4, 4)) == "NA-16"
    assert match.refused(ask(1, 8, 4)) == "NA-16"
    assert match.refused(ask(0, 4, 12)) == "NA-4"
    assert match.refused(ask(0, 4, 8)) == match.refused(ask(0, 4, 0)) == ""
    assert sum(event["act"] == "ask" for event in match.legal(0)) == 8 * 8


@pytest.mark.parametrize("questions", [None, 0, 1, 12])
def test_na_16_so_many_questions_a_turn(questions: int | None) -> None:
    match = table() if questions is None else table(questions=questions)
    many = 3 if questions is None else questions
    for left in range(many, 0, -1):
        assert match.view(2)["questions_left"] == left
        match.do(ask(0, 4, 1))
    assert match.view(2)["questions_left"] == 0
    assert match.refused(ask(0, 4, 1)) == "NA-16"
    assert all(event["act"] == "exchange" for event in match.legal(0))
    match.do(exchange(0, 0, 4))
    assert match.view(2)["questions_left"] == many
    assert (match.refused(ask(1, 0, 4)) == "") is (many > 0)


def test_na_17_a_question_is_two_stones_and_all_the_talk_there_is() -> None:
    acts = {frozenset(event) for event in table().legal(0)}
    assert acts == {frozenset({"by", "act", "place", "for"}), frozenset({"by", "act", "own", "other"})}


def test_na_18_silent_means_no_questions() -> None:
    match = table(silent=True, questions=5)
    assert match.refused(ask(0, 4, 1)) == match.refused(ask(1, 0, 4)) == "NA-18"
    assert all(event["act"] == "exchange" for event in match.legal(0))
    assert match.view(0)["questions_left"] == 0


# --- Advanced ---------------------------------------------------------------------------------------------------------


def test_na_19_straight_back_is_forbidden_to_the_receiver() -> None:
    match = table(no_return=True).do(exchange(0, 0, 4))
    assert match.refused(exchange(1, 4, 0)) == "NA-19"
    assert match.refused(exchange(1, 4, 1)) == ""  # the place is barred, not the player
    assert match.refused(exchange(1, 5, 0)) == ""  # the sleeve is barred, not the place
    assert match.view(3)["ring"][4]["barred"] == 0
    assert table().do(exchange(0, 0, 4)).refused(exchange(1, 4, 0)) == ""
    assert table().do(exchange(0, 0, 4)).view(0)["ring"][4]["barred"] is None


def test_na_19_and_to_the_giver_whatever_lies_there_now() -> None:
    match = table(no_return=True).do(exchange(0, 0, 4), exchange(1, 4, 9), exchange(2, 8, 6))
    assert match.refused(exchange(0, 0, 4)) == "NA-19"
    assert match.refused(exchange(0, 0, 7)) == ""
    assert table().do(exchange(0, 0, 4), exchange(1, 4, 9), exchange(2, 8, 6)).refused(exchange(0, 0, 4)) == ""


def test_na_19_on_the_next_turn_of_the_receiver_even_if_others_come_between() -> None:
    match = table(no_return=True).do(exchange(0, 0, 8), exchange(1, 6, 1))
    assert match.refused(exchange(2, 8, 0)) == "NA-19"


def test_na_19_lapses_when_that_turn_is_over() -> None:
    match = table(no_return=True).do(exchange(0, 0, 4), exchange(1, 5, 8), exchange(2, 11, 2), exchange(0, 3, 7))
    assert match.view(0)["ring"][4]["barred"] is None
    assert match.refused(exchange(1, 4, 0)) == ""


def test_na_19_speaks_of_the_place_it_came_from_last() -> None:
    match = table(no_return=True).do(exchange(0, 0, 4), exchange(1, 4, 8))
    assert match.refused(exchange(2, 8, 4)) == "NA-19"
    assert match.refused(exchange(2, 8, 0)) == ""


def test_na_19_binds_only_the_sleeve_that_is_given() -> None:
    match = table(no_return=True).do(exchange(0, 0, 8), exchange(1, 5, 0), exchange(2, 11, 2))
    assert match.refused(exchange(0, 0, 8)) == ""  # the 2 goes to 8, and fetches the 0 that seat 2 may not send


def test_na_19_makes_the_answer_no_and_a_barred_sleeve_shows_nothing() -> None:
    match, without = table(no_return=True), table()
    for one in (match, without):
        one.do(exchange(0, 0, 5))
        before = one.view(3)["ring"][0]["possible"]
        one.do(ask(1, 0, 5))  # the 2 that seat 0 got, "lower", for the 0 that it gave
        barred = one is match
        assert one.facts()[-1]["answer"] == ("no" if barred else "yes")
        assert (one.view(3)["ring"][0]["possible"] == before) is barred


# --- Result -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "used", "worth"),
    [(24, 0, 1), (24, 1, 1), (24, 2, 23 / 24), (24, 5, 20 / 24), (24, 24, 1 / 24), (2, 2, 0.5)],
)
def test_na_20_fewer_exchanges_are_worth_more(limit: int, used: int, worth: float) -> None:
    match = table(IN_ORDER, deck={**STANDARD, "exchanges": limit})
    match.s.exchanges = used
    assert match.utilities() == pytest.approx([worth] * 3)
    match.s.how = narabi.AT_LIMIT
    assert match.utilities() == [0.0] * 3


# --- In every game ----------------------------------------------------------------------------------------------------


def has(fact: dict[str, Any], partial: dict[str, Any]) -> bool:
    return all(name in fact and fact[name] == value for name, value in partial.items())


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    scenario = json.loads(path.read_text())
    record, expect = scenario["record"], scenario["expect"]
    if expect.get("illegal", {}).get("index") == -1:
        option = {one.name: one for one in narabi.OPTIONS}["questions"]
        assert record["players"] not in narabi.PLAYERS or record["options"]["questions"] > (option.most or 0)
        return
    match = Match(narabi, record["players"], record["options"])
    for index, event in enumerate(record["events"]):
        if refused := match.refused(event):
            assert {"index": index, "rule": refused} == expect["illegal"]
            return
        match.do(event)
    assert "illegal" not in expect
    facts = iter(match.facts())
    assert [one for one in expect.get("facts", []) if not any(has(fact, one) for fact in facts)] == []
    assert not any(has(fact, never) for never in expect.get("never", []) for fact in match.facts())
    assert narabi.over(match.v, match.s) is expect["finished"]
    if "result" in expect:
        assert has({**narabi.result(match.v, match.s), "utilities": match.utilities()}, expect["result"])
    for seat, wanted in expect.get("legal", {}).items():
        legal = match.legal(int(seat))
        assert sorted(map(str, legal)) == sorted(map(str, wanted.get("exactly", legal)))
        assert all(event in legal for event in wanted.get("has", []))
        assert not any(event in legal for event in wanted.get("not", []))
        assert len(legal) == wanted.get("count", len(legal))
    for who, wanted in expect.get("views", {}).items():
        told = match.facts(record["players"] if who == "spectator" else int(who))
        assert all(any(has(fact, one) for fact in told) for one in wanted["has"])
        assert not any(has(fact, one) and field in fact for one, field in wanted["without"] for fact in told)


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) >= 40


def test_legal_is_exactly_what_refusal_lets_through() -> None:
    for match in some_games(2):
        if Random(str(match.s)).random() < 0.2 or narabi.over(match.v, match.s):
            for seat in range(match.players):
                allowed = [a for a in range(narabi.ACTIONS) if narabi.refusal(match.v, match.s, seat, a) == 0]
                assert match.actions(seat) == allowed
                assert bool(allowed) is bool(narabi.to_act(match.v, match.s) >> seat & 1)


def test_chance_may_deal_what_is_left_and_nothing_else() -> None:
    match = Match(narabi, 4).do(sleeve("blank_white_3:any", 2), sleeve("0:far", 5))
    chance = range(narabi.ACTIONS, narabi.ACTIONS + narabi.CHANCE_ACTIONS)
    allowed = [action for action in chance if narabi.refusal(match.v, match.s, CHANCE, action) == 0]
    assert len(allowed) == 10 * 12 * 13  # places; stones: 1 to 8, two white blanks, two black ones; conditions
    n = narabi.outcomes(match.v, match.s)
    drawn = [narabi.draw(match.v, match.s, k) for k in range(n)]
    assert n == 10 * 13
    assert drawn == sorted(set(drawn))
    assert set(drawn) <= set(allowed)
    assert all(narabi.event(match.v, action)["place"] == 0 for action in drawn)
    everything = range(narabi.ACTIONS + narabi.CHANCE_ACTIONS)
    for seat in range(4):
        assert all(narabi.refusal(match.v, match.s, seat, action) > 0 for action in everything)
    match.deal(Random(1))
    assert all(narabi.refusal(match.v, match.s, CHANCE, action) > 0 for action in everything)


def test_every_action_is_named_by_its_event() -> None:
    v = Match(narabi, 5).v
    for action in range(narabi.ACTIONS + narabi.CHANCE_ACTIONS):
        assert narabi.action(v, narabi.event(v, action)) == action


def test_a_game_ends_and_loses_no_sleeve() -> None:
    ends = Counter[str]()
    for i in range(40):
        for players in narabi.PLAYERS:
            for match in randomly(players, Random(f"{i} {players}"), no_return=i % 2 == 0):
                stones = [stone for stone in match.s.stone if stone >= 0]
                assert len(stones) == len(set(stones)) == match.v.places
                assert match.s.exchanges <= 24
                held = [match.s.condition[stone] for stone in stones]
                left = [condition for condition in range(15) if match.s.conditions >> condition & 1]
                assert sorted(held + left) == list(range(15))
            result = narabi.result(match.v, match.s)
            ends[result["how"]] += 1
            assert result["won"] is (result["how"] == "order") is (result["direction"] is not None)
            assert all(0 <= one <= 1 for one in match.utilities())
    assert ends.total() == 120


def test_every_entry_of_a_state_stays_in_its_range() -> None:
    for match in some_games(2):
        for one in fields(narabi.State):
            if "shape" in one.metadata:
                value = getattr(match.s, one.name)
                for entry in value if isinstance(value, list) else [value]:
                    assert one.metadata["least"] <= entry <= one.metadata["most"], one.name


def test_overwriting_what_a_viewer_may_not_know_leaves_its_view() -> None:
    changed = 0
    for match in some_games(2):
        random = Random(str(match.s))
        viewer = random.randrange(match.players + 1)
        before, other = match.view(viewer), match.again()
        for one in fields(narabi.State):
            changed += overwrite(other, one.name, dict(one.metadata), viewer, random)
        assert other.view(viewer) == before
    assert changed > 1000


def overwrite(match: Match, name: str, meta: dict[str, Any], viewer: int, random: Random) -> int:
    if "shape" not in meta or meta["known"] == EVERYONE:
        return 0
    if meta["shape"] == ():
        setattr(match.s, name, random.randint(meta["least"], meta["most"]))
        return 1
    known = getattr(narabi, meta["known"]) if meta["known"] != OWNER else lambda _v, _s, who, i: who == i
    hidden = [i for i in range(meta["shape"][0]) if not known(match.v, match.s, viewer, i)]
    for i in hidden:
        getattr(match.s, name)[i] = random.randint(meta["least"], meta["most"])
    return len(hidden)


def test_the_truth_is_always_possible_and_what_was_read_is_certain() -> None:
    sharp = 0
    for match in some_games(4, questions=12):
        for viewer in range(match.players + 1):
            for place in match.view(viewer)["ring"]:
                true = match.v.condition_names[match.s.condition[match.s.stone[place["place"]]]]
                assert true in place["possible"]
                assert place["condition"] in (None, true)
                assert place["condition"] == true or not place["seen"]
                assert (place["condition"] is not None) is (len(place["possible"]) == 1)
                sharp += place["condition"] is not None and not place["seen"]
    assert sharp > 50


def test_what_one_has_read_is_ruled_out_elsewhere() -> None:
    ring = table().view(0)["ring"]
    assert ring[4]["possible"] == [name for name in CONDITIONS if name not in ("any", "even", "higher", "low")]
    assert table().view(3)["ring"][4]["possible"] == CONDITIONS


def test_an_exchange_and_an_answer_show_what_a_condition_can_be() -> None:
    match = table().do(exchange(0, 0, 4))  # a white 0 for a black blank of the next player
    possible = match.view(3)["ring"][4]["possible"]
    assert possible == [*("any", "black", "even", "low", "other_colour", "near", "next_player")]
    match.do(ask(1, 8, 0))  # the white blank of the previous player for that black one: "high", so no
    assert match.facts()[-1]["answer"] == "no"
    shown = match.view(3)["ring"][8]["possible"]
    assert set(CONDITIONS) - set(shown) == {"any", "black", "even", "low", "other_colour", "near", "next_player"}


def test_what_is_certain_of_one_sleeve_is_struck_from_the_others_again_and_again() -> None:
    match = Match(narabi, 3)
    out = narabi.View()
    out.possible[:4] = [0b1111, 0b0111, 0b0011, 0b0001]
    narabi.conclude(match.v, out)
    assert out.possible[:4] == [0b1000, 0b0100, 0b0010, 0b0001]


def test_the_rules_read_nothing_that_viewers_remember() -> None:
    for match in some_games(1):
        forgetful = match.again()
        forgetful.s.seen, forgetful.s.ruled_out = [0] * 6, [0] * 15
        for seat in range(match.players):
            assert forgetful.actions(seat) == match.actions(seat)
    assert all(callable(getattr(narabi, name)) for name in narabi.MEMORY)


def test_a_view_has_these_keys_in_every_phase() -> None:
    match, ring = Match(narabi, 3), sleeves(NEARLY)
    for phase, events in {"deal": ring[:3], "exchange": ring[3:], "over": [exchange(0, 0, 11)]}.items():
        view = match.do(*events).view(1)
        assert view["phase"] == phase
        keys = "phase exchanges limit on_turn to_act questions_left row ring result"
        assert sorted(view) == sorted(keys.split())
        assert (view["on_turn"], view["to_act"]) == ((0, [0]) if phase == "exchange" else (None, []))
        assert (view["result"] is not None) is (phase == "over")
        assert (view["limit"], view["row"], len(view["ring"])) == (24, 4, 12)
    empty = Match(narabi, 3).view(0)["ring"][0]
    assert empty == dict.fromkeys(empty) | {"place": 0, "seat": 0, "seen": False, "possible": []}


def test_tiny_is_won_after_the_deal() -> None:
    for i in range(30):
        match = Match(narabi, 3, deck="tiny").deal(Random(i))
        assert narabi.over(match.v, match.s)
        assert match.utilities() == [1.0] * 3
