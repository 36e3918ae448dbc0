"""The little that every game stands on, where no rule tests it: learners' parts, exact draws, seats that go round."""

from collections import Counter

import pytest

from kubli.games.kit import (
    ALL,
    EVERYONE,
    NOBODY,
    SEALED,
    Fact,
    Field,
    Luck,
    Part,
    around,
    bits_of,
    fair,
    flags,
    fresh_keys,
    heard,
    knowers,
    known_to,
    known_to_others,
    length,
    one_of,
    put,
    weighed,
)


@pytest.mark.parametrize("n", [1, 2, 6, 48, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 5 << 60, 1 << 63])
def test_a_fair_number_is_below_any_n_and_reaches_all_of_it(n: int) -> None:
    luck = Luck(n)
    found = [fair(luck, n) for _ in range(300)]
    assert all(0 <= one < n for one in found)
    assert len({4 * one // n for one in found}) == min(n, 4)
    again = Luck(n)
    assert found == [fair(again, n) for _ in range(300)]


def test_a_weight_of_0_is_never_taken_and_others_as_they_weigh() -> None:
    luck = Luck(5)
    found = Counter(weighed(luck, [9, 0, 3 << 60, 0, 1 << 60, 9], 1, 5) for _ in range(4000))
    assert found.keys() == {2, 4}
    assert 2850 < found[2] < 3150


@pytest.mark.parametrize("weights", [[], [0, 0]])
def test_from_nothing_nothing_is_drawn(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        weighed(Luck(1), weights, 0, len(weights))


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


# --- Facts and keys ---------------------------------------------------------------------------------------------------

SEAT = Field(EVERYONE)
MET = Fact("met", **{"seat": SEAT, "with": SEAT, "both": Field(known_to("seat", "with")), "none": Field(NOBODY)})
SHOWED = Fact("showed", seat=SEAT, face=Field(known_to_others("seat")))
CHOSE = Fact("chose", SEALED, seat=SEAT, card=Field(known_to("seat")))


def keys(*told: tuple[Fact, int, list[int]], players: int = 3) -> list[int]:
    found = fresh_keys(players)
    for fact, number, given in told:
        heard(found, players, fact.sealed, fact.who, [number, *given])
    return found


def test_an_audience_is_as_its_fields_name_it() -> None:
    met = [1, 2, 0, 7, 7]
    assert [knowers(3, who, met) for who in MET.who] == [0b1111, 0b1111, 0b1111, 0b101, 0]
    assert [knowers(3, who, [2, 1, 7]) for who in SHOWED.who] == [0b1111, 0b1111, 0b101]
    assert knowers(3, MET.who[3], [1, -1, 2, 7, 7]) == 0b100  # nobody is named by -1
    assert knowers(5, ALL, [1]) == 0b111111


def test_a_key_is_of_the_viewer_and_of_all_that_it_may_know_in_order() -> None:
    assert len(set(keys())) == 4
    one, other = (MET, 1, [2, 0, 5, 6]), (MET, 1, [2, 0, 4, 6])
    assert [a == b for a, b in zip(keys(one), keys(other), strict=True)] == [False, True, False, True]
    assert keys((MET, 1, [2, 0, 5, 6])) == keys((MET, 1, [2, 0, 5, 9]))
    shown = [keys((SHOWED, 2, [1, face])) for face in (0, 1)]
    assert [a == b for a, b in zip(*shown, strict=True)] == [False, True, False, True]
    both = keys(one, (SHOWED, 2, [1, 0])), keys((SHOWED, 2, [1, 0]), one), keys(one), keys(), shown[0]
    assert all(len({each[viewer] for each in both}) == 5 for viewer in range(4))
    assert all(0 <= key < 1 << 64 for each in both for key in each)


def test_a_sealed_choice_enters_only_the_key_of_who_made_it() -> None:
    early, late = keys((CHOSE, 3, [1, 8]), (CHOSE, 3, [0, 9])), keys((CHOSE, 3, [0, 9]), (CHOSE, 3, [1, 8]))
    assert early == late
    assert [a == b for a, b in zip(early, keys(), strict=True)] == [False, False, True, True]
    assert keys((CHOSE, 3, [1, 8]))[1] != keys((CHOSE, 3, [1, 9]))[1]
