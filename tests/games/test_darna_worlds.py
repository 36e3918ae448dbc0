"""What a seat knows at Darna: its vector read back, and worlds where cards are kept and Stones are hidden."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from kubli.games import darna, darna_worlds
from kubli.games.darna import View
from kubli.games.darna_set import CARDS, PLACES, SEATS
from kubli.games.kit import CHANCE, Luck
from kubli.play.chance import Seeded
from kubli.play.table import SPECTATOR, Table, Viewer
from laws.exact import deviation, drawn, number_of, telling
from laws.worlds import again, choose, games, sizes


class Reader:
    """A vector, read from front to back."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = list(numbers)

    def take(self, count: int) -> list[int]:
        taken, self.numbers = self.numbers[:count], self.numbers[count:]
        return taken

    def one(self) -> int:
        return self.take(1)[0]

    def which(self, count: int, none: int = -1) -> int:
        row = self.take(count)
        assert sum(row) <= 1
        return row.index(1) if 1 in row else none

    def members(self, count: int) -> list[int]:
        return [i for i, flag in enumerate(self.take(count)) if flag]


def bits(members: list[int]) -> int:
    return sum(1 << one for one in members)


def decode(v: Any, vector: list[int], viewer: int) -> View:
    """The View that a vector was made of."""
    read, view = Reader(vector), View(viewer=viewer)
    first = 0 if viewer == v.players else viewer

    def seat(i: int) -> int:
        return (i + first) % int(v.players)

    def place(i: int) -> int:
        return seat(i) if i < v.players else i

    view.due = read.which(11)
    assert read.which(6) == (5 if viewer == v.players else viewer)
    view.dealt = bits([seat(i) for i in read.members(SEATS)]) + 32 * read.one()
    view.left, view.turn, view.on_turn = read.one(), read.one(), seat(read.which(SEATS))
    view.card, view.half = read.which(CARDS), read.one()
    view.peeked, view.may, view.face_up = (bits([place(i) for i in read.members(PLACES)]) for _ in range(3))
    view.out = bits([seat(i) for i in read.members(SEATS)])
    winner = read.which(SEATS)
    view.winner, view.how = -1 if winner < 0 else seat(winner), read.which(4)
    view.hand, view.played = bits(read.members(CARDS)), bits(read.members(CARDS))
    for i in range(SEATS):
        card = bits(read.members(CARDS))
        assert i < v.players or not card
        if i < v.players:
            view.last[seat(i)] = card
    assert not read.numbers
    return view


@pytest.mark.parametrize("players", darna.PLAYERS)
def test_a_vector_can_be_read_back(players: int) -> None:
    for steps in games("darna", players, sizes(10, 200), seed=30):
        for table in steps:
            for viewer in range(players + 1):
                view = View()
                darna.view(table.variant, table.state, viewer, view)
                vector = table.observation(SPECTATOR if viewer == players else viewer)
                assert decode(table.variant, vector, viewer) == view


DECK = [
    (1, "show", "swap"),
    (2, "show", "hide"),
    (7, "hide", "peek"),
    (9, "peek", "hide"),
    (12, "peek", "rotate_either"),
]
SMALL = {
    "cards": [{"number": n, "first": first, "second": second, "source": "made for tests"} for n, first, second in DECK]
}


def played(seed: int) -> Table:
    """A whole random game of the small deck."""
    random, table = Random(seed), Table("darna", 2, {"max_turns": 6}, SMALL, Seeded(seed))
    table.advance()
    while not table.over:
        event = choose(table, random)
        table.act(event["by"], event)
    return table


def test_worlds_of_many_kept_cards_and_hidings_are_as_likely_as_they_should_be() -> None:
    """In mid-turn with two cards in hand, after a hiding, and when cards are laid open."""
    most = 0
    for seed in range(sizes(2, 30)):
        whole = played(seed)
        facts = [fact for fact in whole.facts if fact["what"] in ("card_dealt", "drew", "hid", "cards_revealed")]
        at = (
            facts[-1 - seed % 2]["event"] + 1
        )  # in mid-turn with two cards, after a hiding, and when cards are revealed
        table = again(whole, whole.events[:at])
        for viewer in (0, 1, SPECTATOR):
            weights, found = telling(table, viewer), drawn(table, viewer, sizes(3000, 20_000), seed)
            assert set(found) <= set(weights)
            assert deviation(weights, found) < 3.72  # p > 1e-4
            most = max(most, len(weights))
    assert most > 60


def told_by(players: int, *events: dict[str, Any]) -> Table:
    table = Table("darna", players)
    for event in events:
        table.happen(event)
    return table


STONES_AND_CARDS = (
    {"by": "chance", "deal_stone": 3},
    {"by": "chance", "deal_card": 9, "to": 0},
    {"by": "chance", "deal_card": 2, "to": 1},
)


def worlds(table: Table, viewer: Viewer, count: int = 300) -> list[list[dict[str, Any]]]:
    return [table.imagine(viewer, Luck(seed)).events for seed in range(count)]


def test_da_5_what_others_hold_is_any_card_that_was_not_seen() -> None:
    table = told_by(2, *STONES_AND_CARDS)
    found = Counter(events[2]["deal_card"] for events in worlds(table, 0, 1500))
    assert sorted(found) == [card for card in range(1, 17) if card != 9]
    assert all(60 < many < 145 for many in found.values())
    assert {events[1]["deal_card"] for events in worlds(table, 0)} == {9}


def test_da_4_the_bato_lies_anywhere_until_somebody_looks() -> None:
    table = told_by(2, *STONES_AND_CARDS)
    assert {events[0]["deal_stone"] for events in worlds(table, SPECTATOR)} == set(range(5))
    table.happen({"by": 0, "act": "shout"})
    assert {events[0]["deal_stone"] for events in worlds(table, 1)} == {1, 2, 3, 4}


def test_da_7_a_card_that_was_played_had_been_kept_or_was_just_drawn() -> None:
    draw = ({"by": 0, "act": "draw"}, {"by": "chance", "draw": 1}, {"by": 0, "act": "play", "card": 1})
    table = told_by(2, *STONES_AND_CARDS, *draw)
    found = Counter(events[1]["deal_card"] == 1 for events in worlds(table, 1))
    assert found.keys() == {True, False}
    assert 115 < found[True] < 185
    assert all(1 in (events[1]["deal_card"], events[4]["draw"]) for events in worlds(table, 1))


def test_da_13_a_hiding_was_a_swap_in_half_of_all_worlds_and_the_hider_knows() -> None:
    draw = ({"by": 0, "act": "draw"}, {"by": "chance", "draw": 7}, {"by": 0, "act": "play", "card": 7})
    table = told_by(2, *STONES_AND_CARDS, *draw, {"by": 0, "act": "hide", "places": [0, 4], "swapped": True})
    found = Counter(events[-1]["swapped"] for events in worlds(table, 1))
    assert 115 < found[True] < 185
    assert {events[-1]["swapped"] for events in worlds(table, 0)} == {True}
    table.happen({"by": 0, "act": "peek", "place": 3})
    assert {events[0]["deal_stone"] for events in worlds(table, 0)} == {3}


def most_hidings(seed: int) -> Table:
    """A whole game of the deck that has the most hidings."""
    cards = [{"number": n, "first": "hide", "second": "hide", "source": "made for tests"} for n in range(1, 33)]
    random, table = Random(seed), Table("darna", 2, {}, {"cards": cards}, Seeded(seed))
    table.advance()
    while "guess" not in table.legal(table.to_act[0])[0].values():
        table.act(seat := table.to_act[0], next(event for event in table.legal(seat) if event["act"] != "shout"))
        if table.legal(seat) and table.legal(seat)[0]["act"] == "hide":
            table.act(seat, random.choice(table.legal(seat)))
    return table


def test_da_13_the_most_hidings_that_there_can_be_are_weighed_exactly() -> None:
    table = most_hidings(1)
    assert sum(event.get("act") == "hide" for event in table.events) == 60
    world = table.known(SPECTATOR)
    assert sum(world.may) == 5 << 60 < 1 << 63
    assert (len(world.moves), len(world.draws)) == (60, 30)
    found = Counter(table.imagine(SPECTATOR, Luck(seed)).state.bato for seed in range(100))
    assert len(found) == 5


def test_da_18_once_all_cards_are_laid_open_only_the_order_of_draws_is_unknown() -> None:
    whole = next(table for table in map(played, range(50)) if any(f["what"] == "cards_revealed" for f in table.facts))
    revealed = next(fact for fact in whole.facts if fact["what"] == "cards_revealed")
    for events in worlds(whole, SPECTATOR, 50):
        world = again(whole, events)
        assert [f["cards"] for f in world.facts if f["what"] == "cards_revealed"] == [revealed["cards"]]


def test_a_choice_to_draw_is_in_the_world_before_the_card_comes() -> None:
    table = told_by(2, *STONES_AND_CARDS, {"by": 0, "act": "draw"})
    world = table.imagine(1, Luck(1))
    assert world.events[-1] == {"by": 0, "act": "draw"}
    assert world.view(1) == table.view(1)


def test_what_is_known_stands_before_anything_is_filled_in() -> None:
    table = told_by(2, *STONES_AND_CARDS)
    found = darna_worlds.known(table.variant, table.told(1), number_of(table, 1))
    assert found.by == [CHANCE] * 3
    assert [darna.event(table.variant, action) for action in found.actions] == [
        {"deal_stone": 0},
        {"deal_card": 1, "to": 0},
        {"deal_card": 2, "to": 1},
    ]
    assert (found.stones, found.deals, found.last, found.may) == ([0], [1], [-1], [1] * 5)
    assert [table.variant.names[card] for card in range(16) if found.unseen[0] >> card & 1] == [1, *range(3, 17)]
