"""The little that every game stands on, where no rule tests it: learners' parts, exact draws, seats that go round."""

from collections import Counter

import pytest

from kubli.games.kit import Luck, Part, around, bits_of, fair, flags, key_of, length, one_of, put, shuffled, weighed


@pytest.mark.parametrize("n", [1, 2, 6, 48, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 3 << 70])
def test_a_fair_number_is_below_any_n_and_reaches_all_of_it(n: int) -> None:
    luck = Luck(n)
    found = [fair(luck, n) for _ in range(300)]
    assert all(0 <= one < n for one in found)
    assert len({4 * one // n for one in found}) == min(n, 4)
    again = Luck(n)
    assert found == [fair(again, n) for _ in range(300)]


def test_a_weight_of_0_is_never_taken_and_others_as_they_weigh() -> None:
    luck = Luck(5)
    found = Counter(weighed(luck, [0, 3 << 80, 0, 1 << 80]) for _ in range(4000))
    assert found.keys() == {1, 3}
    assert 2850 < found[1] < 3150


def test_all_orders_come_as_often_and_nothing_is_lost() -> None:
    luck, three = Luck(6), ["a", "b", "c"]
    found = Counter("".join(shuffled(three, 2, luck)) for _ in range(3000))
    assert sorted(found) == ["ab", "ac", "ba", "bc", "ca", "cb"]
    assert all(400 < many < 600 for many in found.values())
    assert three == ["a", "b", "c"]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_seats_go_round_and_places_in_the_centre_stay(n: int) -> None:
    for first in range(n):
        for places in range(32):
            wanted = bits_of((i - first) % n if i < n else i for i in range(5) if places >> i & 1)
            assert around(places, n, first) == wanted


def test_parts_are_written_one_after_the_other() -> None:
    out = [0] * length([Part("a", 1, 9, "one"), Part("b", 3, 1, "which"), Part("c", 3, 1, "set")])
    assert flags(out, one_of(out, put(out, 0, 7), 3, 1), 3, 0b101) == 7
    assert out == [7, 0, 1, 0, 1, 0, 1]
    assert one_of(out, 0, 3, -1) == one_of(out, 0, 3, 3) == 3
    assert out == [7, 0, 1, 0, 1, 0, 1]


def test_a_key_is_of_the_viewer_and_of_facts_in_order_whatever_their_events() -> None:
    one, two = {"what": "played", "event": 3, "seat": 1}, {"what": "played", "event": 4, "seat": 0}
    assert key_of(0, [one, two]) == key_of(0, [{**one, "event": 8}, two])
    assert len({key_of(0, [one, two]), key_of(0, [two, one]), key_of(1, [one, two]), key_of(0, [one])}) == 4
