"""Darwin's Dice obeys its rules: a test a rule id, then laws over random games.

Most tests play with a deck of just the cards that they name: `play` deals each seat its hand, `trick` throws and lets
all choose.
"""

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.helpers import Match
from kubli.games import darwin, decks
from kubli.games.contract import Event, Refused
from kubli.games.kit import CHANCE, EVERYONE, OWNER

STANDARD = decks.read("darwins-dice", "standard")
SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("darwin-*.json"))
COUNTS = pytest.mark.parametrize("players", darwin.PLAYERS)
POINTS = {name: kind["points"] for name, kind in STANDARD["kinds"].items()}


def play(*hands: str, rounds: int = 1, first: int = 0) -> Match:
    """A table where each seat holds these cards, with nothing left in the deck if there is but one round."""
    cards = [hand.split(", ") for hand in hands]
    copies = Counter(card for hand in cards for card in hand)
    kinds = {name: {"copies": n * rounds, "points": POINTS[name]} for name, n in copies.items()}
    sizes = {str(len(hands)): {"cards": len(cards[0]), "rounds": rounds}}
    game = Match(darwin, len(hands), {"first": first}, {"kinds": kinds, "sizes": sizes})
    deal(game, *hands)
    return game


def deal(game: Match, *hands: str) -> None:
    game.do(*(dealt(card, seat) for seat, hand in enumerate(hands) for card in hand.split(", ")))


def dealt(card: str, seat: int) -> Event:
    return {"by": "chance", "deal": card, "to": seat}


def thrown(faces: str) -> Event:
    sign, colour, number = faces.split()
    return {"by": "chance", "throw": {"colour": colour, "sign": sign, "number": int(number)}}


def chosen(seat: int, card: str) -> Event:
    return {"by": seat, "act": "choose", "card": card}


def trick(game: Match, faces: str, *cards: str) -> None:
    game.do(thrown(faces), *(chosen(seat, card) for seat, card in enumerate(cards)))


def facts(game: Match, what: str = "", viewer: int | None = None) -> list[dict[str, Any]]:
    """What was told, all of it or facts of one kind, with rules as a record has them."""
    some = [fact for fact in game.facts(viewer) if what in ("", fact["what"])]
    return [{**fact, "rule": f"DD-{fact['rule']}"} for fact in some]


def last(game: Match, what: str) -> dict[str, Any]:
    """The latest fact of this kind; {} if there is none."""
    return (facts(game, what) or [{}])[-1]


def won_by(faces: str, *cards: str) -> str:
    """The card that wins this trick, and the number of the rule that says so."""
    game = play(*cards)
    trick(game, faces, *cards)
    turned = last(game, "turned")
    return f"{turned['best']} by {turned['rule']}"


# --- Pieces -----------------------------------------------------------------------------------------------------------


def test_dd_1_the_deck_has_72_cards_of_35_kinds() -> None:
    v = Match(darwin, 2).v
    copies = dict(zip(v.names, v.copies, strict=True))
    assert len(copies) == 35
    assert sum(v.copies) == 72
    assert all(n == 2 for name, n in copies.items() if name != "scorpion 4.5")
    assert copies["owl 0"] == copies["owl 9"] == 2
    assert copies["scorpion 4.5"] == 4


def test_dd_1_a_card_that_does_not_exist_or_is_gone_is_not_dealt() -> None:
    game = Match(darwin, 3)
    assert [game.refused(dealt(card, 0)) for card in ("owl 4", "bear 9", "snake 0", "")] == ["DD-1"] * 4
    game.do(*[dealt("bear 3", seat) for seat in (0, 1)], *[dealt("scorpion 4.5", seat) for seat in (0, 1, 2, 0)])
    assert game.refused(dealt("bear 3", 2)) == game.refused(dealt("scorpion 4.5", 2)) == "DD-1"
    assert game.refused(dealt("bear 4", 2)) == ""


def test_dd_1_a_card_dealt_in_an_earlier_round_does_not_come_back() -> None:
    game = play("bear 8", "lion 8", rounds=2)
    trick(game, "+ fox 1", "bear 8", "lion 8")
    game.do(dealt("bear 8", 0))
    assert game.refused(dealt("bear 8", 1)) == "DD-1"
    assert game.refused(dealt("lion 8", 1)) == ""


def test_dd_2_all_48_throws_are_equally_likely_and_none_shows_a_snake() -> None:
    game = play("bear 8", "lion 8")
    faces = [darwin.event(game.v, darwin.draw(game.v, game.s, k))["throw"] for k in range(48)]
    assert darwin.outcomes(game.v, game.s) == 48
    assert len({json.dumps(one) for one in faces}) == 48
    assert {one["colour"] for one in faces} == {"bear", "lion", "fox"}
    assert faces[0] == {"colour": "bear", "sign": "+", "number": 1}
    assert faces[17] == {"colour": "lion", "sign": "-", "number": 1}
    wrong = ["+ snake 1", "+ owl 1", "* bear 1", "\N{MINUS SIGN} bear 1", "+ bear 0", "+ bear 9"]
    assert [game.refused(thrown(one)) for one in wrong] == ["DD-2"] * 6


def test_dd_3_extreme_numbers_are_worth_most() -> None:
    v = Match(darwin, 2).v
    points = dict(zip(v.names, v.points, strict=True))
    for animal in ("bear", "lion", "fox", "snake"):
        assert [points[f"{animal} {n}"] for n in range(1, 9)] == [4, 3, 2, 1, 1, 2, 3, 4]
    assert (points["owl 0"], points["owl 9"], points["scorpion 4.5"]) == (5, 5, 1)


# --- Course -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cards", "rounds"), [(2, 9, 4), (3, 8, 3), (4, 6, 3)])
def test_dd_4_the_number_of_players_says_how_many_cards_and_rounds(players: int, cards: int, rounds: int) -> None:
    game = Match(darwin, players)
    assert [*randomly(game, Random(1))]
    assert len(facts(game, "dealt")) == players * cards * rounds == 72
    assert len(facts(game, "turned")) == cards * rounds
    assert [fact["round"] for fact in facts(game, "round_over")] == [*range(1, rounds + 1)]


def test_dd_4_a_full_hand_gets_no_more_and_nobody_throws_before_all_are_full() -> None:
    game = Match(darwin, 3)
    game.do(*(dealt(f"fox {n}", 0) for n in range(1, 9)))
    assert game.refused(dealt("bear 1", 0)) == "DD-4"
    assert game.refused(dealt("bear 1", 3)) == game.refused(dealt("bear 1", 9)) == "DD-4"
    assert game.refused(dealt("bear 1", 2)) == ""
    assert game.refused(thrown("+ bear 1")) == "DD-6"
    game = play("bear 8, bear 7", "lion 8, lion 7", rounds=2)
    trick(game, "+ fox 1", "bear 8", "lion 8")
    assert game.refused(dealt("bear 8", 0)) == "DD-4"
    assert game.refused({**dealt("bear 8", 0), "by": 0}) == "DD-4"


def test_dd_5_seat_0_is_the_first_darwin_or_whom_the_table_names() -> None:
    game = Match(darwin, 4).do(dealt("bear 1", 3))
    assert last(game, "round_begins") == {"what": "round_begins", "rule": "DD-5", "round": 1, "darwin": 0}
    game = play("bear 8", "lion 8", "fox 8", first=2)
    game.do(thrown("+ fox 1"))
    assert last(game, "thrown")["darwin"] == 2


def test_dd_6_one_throw_then_every_seat_chooses_once_in_any_order() -> None:
    game = play("bear 8, bear 7", "lion 8, lion 7", "fox 8, fox 7")
    assert game.refused(chosen(0, "bear 8")) == "DD-6"
    game.do(thrown("+ fox 1"))
    assert last(game, "thrown") == {
        "what": "thrown",
        "rule": "DD-6",
        "darwin": 0,
        "trump": "fox 1",
        "sign": "+",
        "round": 1,
        "trick": 1,
    }
    assert game.refused(thrown("+ fox 1")) == "DD-6"
    game.do(chosen(2, "fox 8"), chosen(0, "bear 7"))
    assert game.refused(chosen(0, "bear 8")) == game.refused(chosen(2, "fox 7")) == "DD-6"
    assert darwin.to_act(game.v, game.s) == 0b010
    assert not facts(game, "turned")
    game.do(chosen(1, "lion 8"))
    assert last(game, "turned")["cards"] == ["bear 7", "lion 8", "fox 8"]


def test_dd_6_any_card_in_hand_may_be_played_and_no_other() -> None:
    game = play("bear 8, snake 1, snake 1", "lion 8, owl 0, scorpion 4.5")
    game.do(thrown("+ fox 1"))
    assert game.legal(1) == [chosen(1, card) for card in ("lion 8", "owl 0", "scorpion 4.5")]
    assert game.legal(0) == [chosen(0, card) for card in ("bear 8", "snake 1")]
    assert game.refused(chosen(0, "lion 8")) == "DD-6"
    assert game.refused({**chosen(0, "bear 8"), "by": "chance"}) == "DD-6"
    assert game.refused({**thrown("+ fox 1"), "by": 0}) == "DD-6"
    game.do(chosen(0, "snake 1"), chosen(1, "owl 0"), thrown("+ fox 1"))
    assert chosen(0, "snake 1") in game.legal(0)
    game.do(chosen(0, "snake 1"), chosen(1, "lion 8"), thrown("+ fox 1"))
    assert game.refused(chosen(0, "snake 1")) == "DD-6"
    assert game.legal(0) == [chosen(0, "bear 8")]


def test_dd_7_the_winner_takes_trick_and_middle_and_is_darwin() -> None:
    game = play("bear 8, bear 1", "bear 8, lion 8", "bear 2, fox 5")
    trick(game, "+ fox 1", "bear 8", "bear 8", "bear 2")
    trick(game, "+ fox 1", "bear 1", "lion 8", "fox 5")
    won = last(game, "trick_won")
    assert (won["rule"], won["seat"], won["darwin"]) == ("DD-7", 1, 1)
    assert won["cards"] == ["bear 1", "bear 2", "bear 8", "bear 8", "fox 5", "lion 8"]
    assert last(game, "round_over")["gained"] == [0, 4 + 4 + 3 + 4 + 4 + 1, 0]


def test_dd_8_piles_are_scored_and_safe_and_the_darwin_carries_over() -> None:
    game = play("bear 8", "scorpion 4.5", rounds=2)
    trick(game, "+ fox 1", "bear 8", "scorpion 4.5")
    assert last(game, "round_over") == {
        "what": "round_over",
        "rule": "DD-8",
        "round": 1,
        "gained": [5, 0],
        "score": [5, 0],
    }
    deal(game, "scorpion 4.5", "bear 8")
    trick(game, "- bear 8", "scorpion 4.5", "bear 8")
    assert last(game, "piles_lost")["lost"] == {"1": []}
    assert last(game, "round_over")["score"] == [10, 0]
    game = play("bear 1", "lion 8", rounds=2)
    trick(game, "+ fox 1", "bear 1", "lion 8")
    assert last(game, "round_begins") == {"what": "round_begins", "rule": "DD-8", "round": 2, "darwin": 1}
    deal(game, "bear 1", "lion 8")
    game.do(thrown("+ fox 1"))
    assert (last(game, "thrown")["darwin"], last(game, "thrown")["round"]) == (1, 2)


def test_dd_8_a_pile_lost_in_one_round_leaves_the_points_of_the_round_before() -> None:
    game = play("bear 8, bear 3", "lion 1, scorpion 4.5", rounds=2)
    for _ in range(2):
        trick(game, "+ fox 1", "bear 8", "lion 1")
        trick(game, "+ bear 3", "bear 3", "scorpion 4.5")
        if not darwin.over(game.v, game.s):
            deal(game, "bear 8, bear 3", "lion 1, scorpion 4.5")
    assert [fact["gained"] for fact in facts(game, "round_over")] == [[0, 3], [0, 3]]
    assert last(game, "game_over")["points"] == [0, 6]


def test_dd_9_after_the_last_round_most_points_win_and_nothing_happens_any_more() -> None:
    game = play("bear 1", "lion 8")
    trick(game, "+ fox 1", "bear 1", "lion 8")
    assert darwin.over(game.v, game.s)
    assert last(game, "game_over") == {"what": "game_over", "rule": "DD-9", "points": [0, 8], "winners": [1]}
    assert darwin.result(game.v, game.s) == {"points": [0, 8], "winners": [1], "how": "points"}
    late = [thrown("+ fox 1"), chosen(0, "bear 1"), dealt("bear 1", 0)]
    assert [game.refused(event) for event in late] == ["DD-9"] * 3
    assert darwin.outcomes(game.v, game.s) == darwin.to_act(game.v, game.s) == 0


def test_dd_9_equal_points_share_the_win() -> None:
    game = play("bear 8, bear 1", "lion 1, lion 8")
    trick(game, "+ fox 1", "bear 8", "lion 1")
    trick(game, "+ fox 1", "bear 1", "lion 8")
    assert last(game, "game_over")["points"] == [8, 8]
    assert last(game, "game_over")["winners"] == [0, 1]


# --- Who wins a trick -------------------------------------------------------------------------------------------------


def test_dd_10_the_trump_has_the_colour_and_the_number_thrown() -> None:
    assert won_by("+ fox 2", "bear 8", "fox 2") == "fox 2 by DD-12"
    assert won_by("+ fox 2", "bear 8", "lion 2") == "bear 8 by DD-13"
    assert won_by("+ fox 2", "bear 8", "fox 3") == "bear 8 by DD-13"
    assert won_by("- bear 8", "bear 8", "lion 1") == "bear 8 by DD-12"


def test_dd_11_a_scorpion_beats_the_trump() -> None:
    for sign in "+-":
        assert won_by(f"{sign} lion 3", "lion 3", "scorpion 4.5", "owl 9", "owl 0") == "scorpion 4.5 by DD-11"


def test_dd_12_the_trump_beats_all_but_a_scorpion() -> None:
    for sign in "+-":
        assert won_by(f"{sign} lion 4", "lion 4", "owl 9", "owl 0", "bear 4") == "lion 4 by DD-12"


def test_dd_13_in_a_fight_the_highest_number_wins_then_the_biggest_animal() -> None:
    assert won_by("+ fox 1", "snake 7", "bear 6", "lion 5", "fox 6") == "snake 7 by DD-13"
    assert won_by("+ fox 1", "snake 7", "fox 7", "lion 7", "bear 7") == "bear 7 by DD-13"
    assert won_by("+ fox 1", "snake 7", "fox 7", "lion 7") == "lion 7 by DD-13"
    assert won_by("+ fox 1", "snake 7", "fox 7") == "fox 7 by DD-13"


def test_dd_14_in_a_flight_the_lowest_number_wins_then_the_smallest_animal() -> None:
    assert won_by("- fox 1", "snake 2", "bear 3", "lion 5", "fox 3") == "snake 2 by DD-14"
    assert won_by("- fox 1", "snake 7", "bear 7", "lion 7", "fox 7") == "fox 7 by DD-14"
    assert won_by("- fox 1", "snake 7", "bear 7", "lion 7") == "lion 7 by DD-14"
    assert won_by("- fox 1", "snake 7", "bear 7") == "bear 7 by DD-14"


def test_dd_15_owls_and_scorpions_take_part_with_their_numbers() -> None:
    assert won_by("+ fox 1", "owl 9", "bear 8") == "owl 9 by DD-13"
    assert won_by("- fox 1", "owl 9", "snake 8") == "snake 8 by DD-14"
    assert won_by("- fox 1", "owl 0", "fox 2") == "owl 0 by DD-14"
    assert won_by("+ fox 1", "owl 0", "snake 1") == "snake 1 by DD-13"
    assert won_by("+ fox 1", "scorpion 4.5", "bear 4") == "scorpion 4.5 by DD-13"
    assert won_by("+ fox 1", "scorpion 4.5", "snake 5") == "snake 5 by DD-13"
    assert won_by("- fox 1", "scorpion 4.5", "snake 5") == "scorpion 4.5 by DD-14"
    assert won_by("- fox 1", "scorpion 4.5", "fox 4") == "fox 4 by DD-14"


def test_dd_16_two_trumps_leave_no_winner() -> None:
    game = play("fox 2, bear 1", "fox 2, bear 2", "bear 8, bear 3", first=1)
    trick(game, "+ fox 2", "fox 2", "fox 2", "bear 8")
    assert last(game, "turned")["by"] == [0, 1]
    assert last(game, "no_winner") == {
        "what": "no_winner",
        "rule": "DD-16",
        "kind": "fox 2",
        "middle": ["bear 8", "fox 2", "fox 2"],
        "darwin": 1,
    }
    assert not facts(game, "trick_won")
    game.do(thrown("+ lion 1"))
    assert last(game, "thrown")["darwin"] == 1


def test_dd_16_a_doubled_best_card_leaves_no_winner_and_the_next_best_does_not_win() -> None:
    game = play("bear 8, bear 1", "bear 8, bear 2", "owl 0, bear 3")
    trick(game, "+ fox 2", "bear 8", "bear 8", "owl 0")
    assert last(game, "no_winner")["kind"] == "bear 8"
    game = play("bear 8, bear 1", "bear 7, bear 2", "bear 7, bear 3")
    trick(game, "+ fox 2", "bear 8", "bear 7", "bear 7")
    assert last(game, "trick_won")["seat"] == 0


def test_dd_16_two_scorpions_tie_but_one_scorpion_beats_two_trumps() -> None:
    game = play("lion 3, bear 1", "scorpion 4.5, bear 2", "scorpion 4.5, bear 3")
    trick(game, "+ lion 3", "lion 3", "scorpion 4.5", "scorpion 4.5")
    assert last(game, "no_winner")["kind"] == "scorpion 4.5"
    game = play("lion 3, bear 1", "lion 3, bear 2", "scorpion 4.5, bear 3")
    trick(game, "+ lion 3", "lion 3", "lion 3", "scorpion 4.5")
    assert last(game, "trick_won")["seat"] == 2


def test_dd_16_what_lies_in_the_middle_leaves_the_game_with_the_round() -> None:
    game = play("bear 8, owl 9", "bear 8, owl 9", rounds=2)
    trick(game, "+ fox 2", "bear 8", "bear 8")
    assert not facts(game, "middle_removed")
    trick(game, "+ fox 2", "owl 9", "owl 9")
    assert last(game, "middle_removed")["cards"] == ["bear 8", "bear 8", "owl 9", "owl 9"]
    assert last(game, "round_over")["score"] == [0, 0]
    deal(game, "bear 8, bear 8", "owl 9, owl 9")
    trick(game, "+ fox 2", "bear 8", "owl 9")
    assert last(game, "trick_won")["cards"] == ["bear 8", "owl 9"]
    trick(game, "+ fox 2", "bear 8", "owl 9")
    assert len(facts(game, "middle_removed")) == 1
    assert last(game, "game_over")["points"] == [0, 18]


# --- What poisons -----------------------------------------------------------------------------------------------------


def with_piles() -> Match:
    """Four seats; seats 0, 1 and 2 have won a trick each, of bears 1 to 4 and a bear 8."""
    low = "lion 1, lion 2, lion 4"
    hands = [f"bear {8 - seat}, {low}" for seat in range(3)] + [f"fox 1, {low}"]
    last_cards = ["fox 3, snake 8, owl 9", "fox 3, fox 7, owl 0", "scorpion 4.5, bear 7, snake 3"]
    hands = [f"{hand}, {more}" for hand, more in zip(hands, [*last_cards, "scorpion 4.5, fox 7, lion 8"], strict=True)]
    game = play(*hands)
    trick(game, "+ fox 8", "bear 8", "lion 1", "lion 1", "lion 1")
    trick(game, "+ fox 8", "lion 1", "bear 7", "lion 2", "lion 2")
    trick(game, "+ fox 8", "lion 2", "lion 2", "bear 6", "fox 1")
    assert [fact["seat"] for fact in facts(game, "trick_won")] == [0, 1, 2]
    return game


FIRST, SECOND, THIRD = (
    ["bear 8", "lion 1", "lion 1", "lion 1"],
    ["bear 7", "lion 1", "lion 2", "lion 2"],
    ["bear 6", "fox 1", "lion 2", "lion 2"],
)


def test_dd_17_a_scorpion_poisons_everyone_who_played_the_trump() -> None:
    game = with_piles()
    trick(game, "- fox 3", "fox 3", "fox 3", "bear 7", "scorpion 4.5")
    lost = {"0": FIRST, "1": SECOND}
    assert last(game, "piles_lost") == {"what": "piles_lost", "rule": "DD-17", "seats": [0, 1], "lost": lost}
    assert game.view(4)["pile_points"][:2] == [0, 0]
    assert game.view(4)["piles"][2] == THIRD


def test_dd_17_scorpions_that_tie_poison_too() -> None:
    game = with_piles()
    trick(game, "+ fox 3", "fox 3", "lion 4", "scorpion 4.5", "scorpion 4.5")
    assert last(game, "piles_lost")["lost"] == {"0": FIRST}
    assert last(game, "no_winner")["kind"] == "scorpion 4.5"


def test_dd_17_a_scorpion_without_a_trump_poisons_nobody() -> None:
    game = with_piles()
    trick(game, "- fox 5", "owl 9", "fox 7", "scorpion 4.5", "fox 7")
    assert last(game, "trick_won")["seat"] == 2
    assert not facts(game, "piles_lost")


def test_dd_18_a_snake_that_wins_poisons_all_who_were_second_best() -> None:
    game = with_piles()
    trick(game, "+ fox 8", "snake 8", "fox 7", "snake 3", "fox 7")
    assert last(game, "piles_lost") == {
        "what": "piles_lost",
        "rule": "DD-18",
        "seats": [1, 3],
        "lost": {"1": SECOND, "3": []},
    }
    assert last(game, "trick_won")["seat"] == 0


def test_dd_18_of_equal_numbers_the_chain_says_who_is_second() -> None:
    game = with_piles()
    trick(game, "+ fox 8", "snake 8", "fox 7", "bear 7", "fox 7")
    assert last(game, "piles_lost")["lost"] == {"2": THIRD}


def test_dd_18_a_snake_that_does_not_win_poisons_nobody() -> None:
    for other in ("fox 8", "snake 8", "owl 9"):
        game = play("snake 8, bear 1", f"{other}, bear 2", "lion 7, bear 3")
        trick(game, "+ fox 1", "snake 8", other, "lion 7")
        assert not facts(game, "piles_lost"), other


def test_dd_19_neither_this_trick_nor_the_middle_is_lost_and_the_winner_takes_after_the_loss() -> None:
    game = play("owl 9, bear 8, bear 2, snake 7", "owl 9, bear 8, fox 6, lion 6", first=1)
    trick(game, "+ fox 1", "bear 8", "fox 6")
    trick(game, "+ fox 1", "owl 9", "owl 9")
    trick(game, "+ fox 1", "bear 2", "bear 8")
    assert last(game, "trick_won")["cards"] == ["bear 2", "bear 8", "owl 9", "owl 9"]
    trick(game, "+ fox 1", "snake 7", "lion 6")
    assert last(game, "piles_lost")["lost"] == {"1": ["bear 2", "bear 8", "owl 9", "owl 9"]}
    order = [fact["what"] for fact in facts(game)][-5:]
    assert order == ["turned", "piles_lost", "trick_won", "round_over", "game_over"]
    assert last(game, "game_over")["points"] == [6 + 5, 0]


def test_dd_19_a_loser_gets_nothing_back_from_the_middle() -> None:
    game = play("owl 9, lion 3, bear 8", "owl 9, scorpion 4.5, bear 7")
    trick(game, "+ fox 1", "owl 9", "owl 9")
    trick(game, "+ lion 3", "lion 3", "scorpion 4.5")
    assert last(game, "piles_lost")["lost"] == {"0": []}
    assert last(game, "trick_won")["cards"] == ["lion 3", "owl 9", "owl 9", "scorpion 4.5"]


def test_dd_20_utilities_are_points_minus_the_mean() -> None:
    game = play("bear 8", "lion 8", "fox 5")
    trick(game, "+ fox 1", "bear 8", "lion 8", "fox 5")
    out = [0.0] * 3
    darwin.utilities(game.v, game.s, out)
    assert out == [6.0, -3.0, -3.0]


# --- The form of events -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        {"deal": "bear 1"},
        {"deal": "bear 1", "to": True},
        {"deal": "bear 1", "to": 0.0},
        {"deal": "bear 1", "to": 0, "act": "choose"},
        {"throw": "bear"},
        {"throw": {"colour": "bear", "sign": "+"}},
        {"throw": {"colour": "bear", "sign": "+", "number": "1"}},
        {"throw": {"colour": "bear", "sign": "+", "number": 1, "by": 0}},
        {"act": "choose"},
        {"act": "draw", "card": "bear 1"},
        {"act": "choose", "card": "bear 1", "place": 1},
        {},
    ],
)
def test_an_event_of_another_form_is_refused(event: Event) -> None:
    with pytest.raises(Refused) as refused:
        darwin.action(Match(darwin, 2).v, event)
    assert refused.value.rule == "FORMAT"


@COUNTS
def test_every_action_has_a_name_and_the_name_the_action(players: int) -> None:
    v = Match(darwin, players).v
    for action in range(darwin.ACTIONS + darwin.CHANCE_ACTIONS):
        assert darwin.action(v, darwin.event(v, action)) == action


# --- Laws -------------------------------------------------------------------------------------------------------------


def randomly(game: Match, random: Random) -> Iterator[None]:
    """Play on at random, and stop before every event and at the end."""
    yield
    while not darwin.over(game.v, game.s):
        if n := darwin.outcomes(game.v, game.s):
            game.step(CHANCE, darwin.draw(game.v, game.s, random.randrange(n)))
        else:
            bits = darwin.to_act(game.v, game.s)
            seat = random.choice([seat for seat in range(game.players) if bits >> seat & 1])
            game.step(seat, random.choice(game.actions(seat)))
        yield


def seen(game: Match, viewer: int) -> darwin.View:
    out = darwin.View()
    darwin.view(game.v, game.s, viewer, out)
    return out


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    scenario = json.loads(path.read_text())
    record, expect = scenario["record"], scenario["expect"]
    if record["players"] not in darwin.PLAYERS:
        assert expect["illegal"]["index"] == -1
        return
    game, illegal = Match(darwin, record["players"], record.get("options", {})), None
    for index, event in enumerate(record["events"]):
        if rule := game.refused(event):
            illegal = {"index": index, "rule": rule}
            break
        game.do(event)
    assert illegal == expect.get("illegal")
    rest = iter(facts(game))
    assert all(any(has(fact, wanted) for fact in rest) for wanted in expect.get("facts", []))
    assert not any(has(fact, never) for never in expect.get("never", []) for fact in facts(game))
    assert darwin.over(game.v, game.s) == expect.get("finished", darwin.over(game.v, game.s))
    if "result" in expect:
        assert has({**darwin.result(game.v, game.s), "utilities": game.utilities()}, expect["result"])
    for who, wanted in expect.get("legal", {}).items():
        legal = for_chance(game) if who == "chance" else game.legal(int(who))
        assert legal == wanted.get("exactly", legal)
        assert all(event in legal for event in wanted.get("has", []))
        assert not any(event in legal for event in wanted.get("not", []))
    for who, wanted in expect.get("views", {}).items():
        told = facts(game, viewer=game.players if who == "spectator" else int(who))
        assert all(any(has(fact, one) for fact in told) for one in wanted.get("has", []))
        assert not any(has(fact, one) and field in fact for one, field in wanted.get("without", []) for fact in told)


def for_chance(game: Match) -> list[Event]:
    actions = range(darwin.ACTIONS, darwin.ACTIONS + darwin.CHANCE_ACTIONS)
    allowed = [action for action in actions if not darwin.refusal(game.v, game.s, CHANCE, action)]
    return [{"by": "chance", **darwin.event(game.v, action)} for action in allowed]


def has(fact: dict[str, Any], partial: dict[str, Any]) -> bool:
    return all(name in fact and fact[name] == value for name, value in partial.items())


def oracle(sign: str, trump: str, cards: list[str]) -> tuple[str, set[int]]:
    """Who wins and who loses a pile, as a person would say it from the book."""
    number = {card: float(card.split()[1]) for card in cards}
    animal = {card: card.split()[0] for card in cards}
    chain = ["bear", "lion", "fox", "snake"] if sign == "+" else ["fox", "lion", "bear", "snake"]

    def beats(one: str, other: str) -> bool:
        if number[one] != number[other]:
            return (number[one] > number[other]) == (sign == "+")
        return chain.index(animal[one]) < chain.index(animal[other])

    def best_of(some: list[str]) -> str:
        return next(one for one in some if all(one == other or beats(one, other) for other in some))

    if trump in cards and "scorpion 4.5" in cards:
        return "scorpion 4.5", {seat for seat, card in enumerate(cards) if card == trump}
    if trump in cards:
        return trump, set()
    best = best_of(cards)
    if animal[best] != "snake" or cards.count(best) > 1:
        return best, set()
    second = best_of([card for card in cards if card != best])
    return best, {seat for seat, card in enumerate(cards) if card == second}


def test_a_trick_goes_as_a_slow_oracle_says() -> None:
    random, kinds = Random(5), list(darwin.NAMES)
    for _ in range(3000):
        some = random.sample(kinds, 4)
        cards = [random.choice(some) for _ in range(random.choice(darwin.PLAYERS))]
        sign, trump = random.choice("+-"), random.choice([*some, "fox 5"])
        if trump.split()[0] not in darwin.COLOURS:
            trump = "bear 4"
        game = play(*cards)
        trick(game, f"{sign} {trump}", *cards)
        best, losers = oracle(sign, trump, cards)
        assert last(game, "turned")["best"] == best
        assert set(last(game, "piles_lost").get("seats", [])) == losers
        alone = cards.count(best) == 1
        assert [fact["seat"] for fact in facts(game, "trick_won")] == ([cards.index(best)] if alone else [])


@COUNTS
def test_legal_is_what_refusal_lets_through_and_cards_are_conserved(players: int) -> None:
    for seed in range(6):
        game = Match(darwin, players)
        v, s = game.v, game.s
        for _ in randomly(game, Random(seed)):
            for seat in range(players):
                allowed = [a for a in range(darwin.ACTIONS) if not darwin.refusal(v, s, seat, a)]
                assert allowed == game.actions(seat)
                assert bool(allowed) == bool(darwin.to_act(v, s) >> seat & 1)
            chance = range(darwin.ACTIONS, darwin.ACTIONS + darwin.CHANCE_ACTIONS)
            open_to_chance = {a for a in chance if not darwin.refusal(v, s, CHANCE, a)}
            drawn = {darwin.draw(v, s, k) for k in range(darwin.outcomes(v, s))}
            assert drawn <= open_to_chance
            assert bool(drawn) == bool(open_to_chance)
            assert not any(darwin.refusal(v, s, seat, a) == 0 for a in chance for seat in range(players))
            conserved(v, s)
        assert sum(s.seen) == 72


def conserved(v: Any, s: Any) -> None:
    face_down = [s.chosen[seat] for seat in range(v.players) if s.phase == darwin.CHOOSE and not s.waiting >> seat & 1]
    undealt = [v.kind[card] for card in range(72) if s.undealt[card // darwin.WORD] >> card % darwin.WORD & 1]
    for kind in range(darwin.KINDS):
        held = sum(hand[kind] for hand in s.hand)
        assert s.left[kind] == undealt.count(kind)
        assert s.left[kind] + held + face_down.count(kind) + s.seen[kind] == v.copies[kind]
    for seat in range(v.players):
        assert s.held[seat] == sum(1 << kind for kind in range(darwin.KINDS) if s.hand[seat][kind])
    for where in range(darwin.SEATS + 1):
        assert s.pile[where] == sum(POINTS[card] for card in darwin.cards_in(v, s, where))


@COUNTS
def test_a_game_ends_with_the_points_that_were_told(players: int) -> None:
    for seed in range(10):
        game = Match(darwin, players, {"first": players - 1})
        assert [*randomly(game, Random(seed))]
        pile, score = [0] * players, [0] * players
        for fact in facts(game):
            for seat in fact.get("seats", []):
                assert sum(POINTS[card] for card in fact["lost"][str(seat)]) == pile[seat]
                pile[seat] = 0
            if fact["what"] == "trick_won":
                pile[fact["seat"]] += sum(POINTS[card] for card in fact["cards"])
            if fact["what"] == "round_over":
                score = [sum(both) for both in zip(score, pile, strict=True)]
                assert (fact["gained"], fact["score"]) == (pile, score)
                pile = [0] * players
        out = [0.0] * players
        darwin.utilities(game.v, game.s, out)
        assert last(game, "game_over")["points"] == score
        assert sum(out) == pytest.approx(0)
        assert game.view(0)["result"] == {
            "points": score,
            "winners": last(game, "game_over")["winners"],
            "how": "points",
        }


@pytest.mark.parametrize(("cards", "rounds", "copies"), [(36, 1, 72), (31, 2, 124), (1, 31, 62)])
def test_a_deck_may_be_as_large_as_can_be(cards: int, rounds: int, copies: int) -> None:
    kinds = {"bear 8": {"copies": copies - 2, "points": 99}, "snake 1": {"copies": 2, "points": 0}}
    deck = {"kinds": kinds, "sizes": {"2": {"cards": cards, "rounds": rounds}}}
    for seed in range(5):
        game = Match(darwin, 2, {}, deck)
        assert [*randomly(game, Random(seed))]
        dealt_cards = Counter(fact["card"] for fact in facts(game, "dealt"))
        assert dealt_cards == {"bear 8": copies - 2, "snake 1": 2}
        assert last(game, "game_over")["points"] == [int(points) for points in game.s.score[:2]]


def test_deals_and_choices_in_any_order_give_the_same_state() -> None:
    hands = ("bear 8, owl 9", "bear 8, scorpion 4.5", "snake 2, owl 9")
    deals = [dealt(card, seat) for seat, hand in enumerate(hands) for card in hand.split(", ")]
    choices = [chosen(0, "bear 8"), chosen(1, "scorpion 4.5"), chosen(2, "snake 2")]
    states = []
    for seed, order in enumerate(permutations(choices)):
        game = Match(darwin, 3)
        rest = [
            dealt(f"{animal} {n}", seat) for seat, animal in enumerate(["lion", "fox", "snake"]) for n in range(3, 9)
        ]
        game.do(*Random(seed).sample(deals + rest, 24), thrown("+ fox 1"), *order)
        states.append(game.s)
    assert all(state == states[0] for state in states)


# --- Who knows what ---------------------------------------------------------------------------------------------------


@COUNTS
def test_a_view_says_what_was_told_and_no_more(players: int) -> None:
    game = Match(darwin, players)
    for count, _ in enumerate(randomly(game, Random(players))):
        for viewer in range(players + 1) if count % 7 == 0 else ():
            told, shown = facts(game, viewer=viewer), game.view(viewer)
            own = Counter(fact["card"] for fact in told if fact["what"] == "dealt" and "card" in fact)
            turned = Counter(card for fact in told if fact["what"] == "turned" for card in fact["cards"])
            mine = Counter(f["cards"][viewer] for f in told if f["what"] == "turned") if viewer < players else Counter()
            face_down = Counter([shown["chosen"]] if shown["chosen"] else [])
            assert Counter(shown["hand"]) == own - mine - face_down
            copies = Counter({name: kind["copies"] for name, kind in STANDARD["kinds"].items()})
            assert shown["unseen"] == copies - turned - (own - mine)
            latest = [fact for fact in told if fact["what"] in ("turned", "trick_won", "no_winner")][-2:]
            winner = latest[-1].get("seat") if latest else None
            assert shown["last"] == ({"cards": latest[0]["cards"], "winner": winner} if latest else None)
            assert shown["to_act"] == [seat for seat in range(players) if darwin.to_act(game.v, game.s) >> seat & 1]


def test_a_view_in_the_middle_of_a_trick() -> None:
    game = with_piles()
    game.do(thrown("- fox 3"), chosen(3, "scorpion 4.5"), chosen(0, "owl 9"))
    shown = game.view(0)
    assert (shown["phase"], shown["round"], shown["rounds"]) == ("choose", 1, 1)
    assert (shown["trick"], shown["tricks"], shown["darwin"]) == (4, 7, 2)
    assert shown["throw"] == {"colour": "fox", "sign": "-", "number": 3, "trump": "fox 3"}
    assert shown["hand"] == ["lion 4", "fox 3", "snake 8"]
    assert shown["hands"] == [3, 4, 4, 3]
    assert (shown["chosen"], shown["has_chosen"], shown["to_act"]) == ("owl 9", [True, False, False, True], [1, 2])
    assert (shown["middle"], shown["piles"]) == ([], [FIRST, SECOND, THIRD, []])
    assert (shown["pile_points"], shown["score"]) == ([16, 13, 12, 0], [0, 0, 0, 0])
    assert shown["last"] == {"cards": ["lion 2", "lion 2", "bear 6", "fox 1"], "winner": 2}
    assert shown["result"] is None
    assert game.view(4)["hand"] == []
    assert game.view(4)["chosen"] is game.view(1)["chosen"] is None
    assert game.view(4)["has_chosen"] == shown["has_chosen"]


def test_only_the_owner_is_told_a_card_dealt_or_chosen() -> None:
    game = play("bear 8", "lion 8")
    game.do(thrown("+ fox 1"), chosen(1, "lion 8"))
    for what in ("dealt", "chose"):
        for viewer in range(3):
            assert all(("card" in fact) == (fact["seat"] == viewer) for fact in facts(game, what, viewer))


@COUNTS
def test_overwriting_what_a_viewer_may_not_know_leaves_its_view(players: int) -> None:
    random, game = Random(players), Match(darwin, players)
    for count, _ in enumerate(randomly(game, random)):
        for viewer in range(players + 1) if count % 11 == 0 else ():
            honest, before = game.s, seen(game, viewer)
            game.s = deepcopy(honest)
            hidden = sum(overwrite(game.s, field, viewer, random) for field in fields(game.s))
            assert hidden > 100
            assert seen(game, viewer) == before
            game.s = honest


def overwrite(s: Any, field: Any, viewer: int, random: Random) -> int:
    """Write another value to every entry of a field that this viewer may not know; returns how many there were."""
    meta, rows = field.metadata, getattr(s, field.name)
    if "shape" not in meta or meta["known"] == EVERYONE:
        return 0
    count = 0
    for i, row in enumerate(rows):
        if meta["known"] == OWNER and i == viewer:
            continue
        for where in [row] if isinstance(row, list) else [rows]:
            places = range(len(row)) if isinstance(row, list) else [i]
            for place in places:
                where[place] = random.choice([n for n in (meta["least"], meta["most"]) if n != where[place]])
                count += 1
    return count
