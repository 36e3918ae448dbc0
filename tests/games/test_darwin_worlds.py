"""What a seat knows at Darwin's Dice: its vector read back, and worlds where kinds have many copies."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.test_darna_worlds import Reader, bits
from kubli.games import darwin, darwin_worlds
from kubli.games.darwin import KINDS, MOST_HAND, SEATS, View
from kubli.games.kit import CHANCE, Luck
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.exact import deviation, drawn, number_of, telling
from laws.worlds import again, choose, games, sizes


def decode(v: Any, vector: list[int], viewer: int) -> View:
    """The View that a vector was made of."""
    read, view, n = Reader(vector), View(), v.players
    first = 0 if viewer == n else viewer

    def by_seat(row: list[int]) -> list[int]:
        assert not any(row[n:SEATS])
        return [row[(seat - first) % n] if seat < n else 0 for seat in range(SEATS)]

    view.phase, view.round, view.tricks = read.which(4), read.one(), read.one()
    view.darwin = (read.which(SEATS) + first) % n
    view.trump, view.sign = read.which(24), read.one()
    view.waiting = bits([seat for seat, flag in enumerate(by_seat(read.take(SEATS))) if flag])
    view.dealt = by_seat(read.take(SEATS))
    view.pile = by_seat(read.take(SEATS)) + read.take(1)
    view.score = by_seat(read.take(SEATS))
    winner = read.which(1 + SEATS, -1)
    view.winner = winner - 1 if winner < 1 else (winner - 1 + first) % n
    view.hand, view.chosen, view.seen = read.take(KINDS), read.which(KINDS), read.take(KINDS)
    stacks = [bits(read.members(MOST_HAND)) for _ in range(SEATS + 1)]
    view.stack = by_seat(stacks) + stacks[SEATS:]
    view.played = [[max(0, one - 1) for one in by_seat(read.take(SEATS))] for _ in range(MOST_HAND)]
    assert not read.numbers
    return view


@pytest.mark.parametrize("players", darwin.PLAYERS)
def test_a_vector_can_be_read_back(players: int) -> None:
    for steps in games("darwins-dice", players, sizes(10, 200), seed=30):
        for table in steps:
            for viewer in range(players + 1):
                view = View()
                darwin.view(table.variant, table.state, viewer, view)
                vector = table.observation(SPECTATOR if viewer == players else viewer)
                assert decode(table.variant, vector, viewer) == view


def deck(players: int, cards: int, rounds: int, **copies: int) -> dict[str, Any]:
    """A deck of some kinds, so many of each; kinds are written bear_3."""
    kinds = {name.replace("_", " "): {"copies": many, "points": 1, "source": "made"} for name, many in copies.items()}
    return {"kinds": kinds, "sizes": {str(players): {"cards": cards, "rounds": rounds, "source": "made"}}}


COPIES = deck(2, 3, 2, bear_3=5, lion_1=4, snake_8=3)
ROUNDS = deck(2, 2, 2, bear_3=5, lion_1=3)
ONE = deck(2, 3, 1, bear_3=4, lion_1=2)
THREE = deck(3, 3, 1, bear_3=5, lion_1=4)
CASES = [(COPIES, 2, 1, 1), (ROUNDS, 2, 1, 2), (ROUNDS, 2, 3, 2), (ONE, 2, 1, 2), (THREE, 3, 1, 1)]


def played(cards: dict[str, Any], players: int, seed: int) -> Table:
    """A whole random game."""
    random, table = Random(seed), Table("darwins-dice", players, {}, cards, Seeded(seed))
    table.advance()
    while not table.over:
        event = choose(table, random)
        table.act(event["by"], event)
    return table


def at_choice(whole: Table, trick: int) -> Table:
    """The game as soon as all but one have chosen in a trick, counted from 0 over all rounds."""
    turned = [fact["event"] for fact in whole.facts if fact["what"] == "turned"]
    return again(whole, whole.events[: turned[trick]])


@pytest.mark.parametrize(("cards", "players", "trick", "last"), CASES)
def test_worlds_of_kinds_with_many_copies_are_as_likely_as_they_should_be(
    cards: dict[str, Any], players: int, trick: int, last: int
) -> None:
    """For all viewers up to the last that has not too many worlds to go through."""
    most = 0
    for seed in range(sizes(2, 8)):
        table = at_choice(played(cards, players, seed), trick)
        for viewer in range(last + 1):
            who = SPECTATOR if viewer == players else viewer
            weights, found = telling(table, who), drawn(table, who, sizes(2000, 20_000), seed)
            assert set(found) <= set(weights)
            assert deviation(weights, found) < 3.72  # p > 1e-4
            most = max(most, len(weights))
    assert most > 8


def worlds(table: Table, viewer: Viewer, count: int = 200) -> list[list[dict[str, Any]]]:
    return [table.imagine(viewer, Luck(seed)).events for seed in range(count)]


def test_dd_6_what_lies_face_down_is_any_kind_that_its_seat_may_hold() -> None:
    table = at_choice(played(deck(2, 2, 1, bear_3=1, lion_1=1, fox_5=1, snake_8=1), 2, 1), 0)
    chooser = next(event["by"] for event in reversed(table.events) if event.get("act") == "choose")
    own = {event["deal"] for event in table.events if event.get("to") == 1 - chooser}
    found = Counter(events[-1]["card"] for events in worlds(table, 1 - chooser))
    assert len(found) == 2
    assert not own & found.keys()
    assert {events[-1]["card"] for events in worlds(table, chooser)} == {table.events[-1]["card"]}


def test_dd_4_cards_of_past_rounds_are_known_and_the_order_of_their_deals_is_not() -> None:
    whole = played(COPIES, 2, 2)
    over = next(fact["event"] for fact in whole.facts if fact["what"] == "round_over")
    table = again(whole, whole.events[: over + 1])
    orders = {tuple(event["deal"] for event in events[:6]) for events in worlds(table, SPECTATOR)}
    assert len(orders) > 1
    for seat in (0, 1):
        hands = {tuple(sorted(e["deal"] for e in events[:6] if e["to"] == seat)) for events in worlds(table, SPECTATOR)}
        assert len(hands) == 1


def test_a_deck_of_one_kind_has_one_world() -> None:
    whole = played(deck(2, 36, 1, bear_3=72), 2, 1)
    table = at_choice(whole, 18)
    assert table.imagine(0, Luck(1)).events == table.events


def test_who_of_the_others_has_chosen_does_not_enter_the_key() -> None:
    whole = played(THREE, 3, 4)
    chosen = [i for i, event in enumerate(whole.events) if event.get("act") == "choose"]
    before, after = again(whole, whole.events[: chosen[0]]), again(whole, whole.events[: chosen[0] + 1])
    by = whole.events[chosen[0]]["by"]
    for seat in range(3):
        assert (before.key(seat) == after.key(seat)) == (seat != by)
    assert len({after.key(seat) for seat in (*range(3), SPECTATOR)}) == 4


def test_what_is_known_stands_before_anything_is_filled_in() -> None:
    table = Table("darwins-dice", 2, {}, deck(2, 2, 1, bear_3=2, lion_1=2))
    table.happen({"by": "chance", "deal": "bear 3", "to": 0})
    table.happen({"by": "chance", "deal": "lion 1", "to": 1})
    found = darwin_worlds.known(table.variant, table.told(0), number_of(table, 0))
    assert found.by == [CHANCE] * 2
    events = [darwin.event(table.variant, action) for action in found.actions[:2]]
    assert events == [{"deal": "bear 3", "to": 0}, {"deal": darwin.NAMES[0], "to": 1}]
    assert [darwin.NAMES[kind] for kind in found.actions[2:]] == ["bear 3", "lion 1", "lion 1"]
    assert (found.deals, found.first_deal) == ([1], [0, 0, 1, 1, 1])
