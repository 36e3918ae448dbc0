"""Darna: a test for each rule, then laws over random games. Rule ids are those of docs/rules/darna.md."""

import copy
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.helpers import Match
from kubli.games import darna, darna_set, decks
from kubli.games.contract import FORMAT, Event, Refused
from kubli.games.kit import CHANCE, EVERYONE, NOBODY, OWNER, Luck

PLAYERS = pytest.mark.parametrize("players", darna.PLAYERS)
SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("darna-*.json"))
CLOCKWISE, COUNTERCLOCKWISE = "clockwise", "counterclockwise"

# --- Events, and small games ------------------------------------------------------------------------------------------


def begin(players: int, deck: Any = "standard", **options: Any) -> Match:
    """A game with nothing dealt."""
    return Match(darna, players, options, deck)


def happen(play: Match, events: Iterable[Event]) -> Match:
    return play.do(*events)


def legal(play: Match, seat: int) -> list[Event]:
    return [darna.event(play.v, action) for action in play.actions(seat)]


def legal_for_chance(play: Match) -> list[Event]:
    every = range(darna.ACTIONS, darna.ACTIONS + darna.CHANCE_ACTIONS)
    return [darna.event(play.v, one) for one in every if not darna.refusal(play.v, play.s, CHANCE, one)]


def at_random(players: int, seed: int, deck: Any = "standard", **options: Any) -> Iterator[Match]:
    """A random game, after set-up and after each event."""
    play, luck = begin(players, deck, **options), Luck(seed, players)
    yield play
    while not darna.over(play.v, play.s):
        if n := darna.outcomes(play.v, play.s):
            play.step(CHANCE, darna.draw(play.v, play.s, luck.below(n)))
        else:
            seat = darna.to_act(play.v, play.s).bit_length() - 1
            play.step(seat, luck.pick(play.actions(seat)))
        yield play


def deals(stone: int, *cards: int) -> list[Event]:
    """The Puting Bato at this place, and a card to each seat."""
    given = [{"by": "chance", "deal_card": card, "to": seat} for seat, card in enumerate(cards)]
    return [{"by": "chance", "deal_stone": stone}, *given]


def brings(card: int) -> Event:
    return {"by": "chance", "draw": card}


def does(seat: int, act: str, **more: Any) -> Event:
    return {"by": seat, "act": act, **more}


def plays(seat: int, card: int, drawn: int | None = None) -> list[Event]:
    """Draws a card and plays one: the one drawn if nothing else is said."""
    return [does(seat, "draw"), brings(card if drawn is None else drawn), does(seat, "play", card=card)]


def one_card(first: str, second: str, *others: int, number: int = 50) -> dict[str, Any]:
    """A deck of one card with these instructions, of a few others (swap, peek), and of one more that nobody draws."""
    rest = [{"number": other, "first": "swap", "second": "peek"} for other in (*others, 99)]
    return {"cards": [{"number": number, "first": first, "second": second}, *rest]}


def played(stone: int, first: str, second: str = "peek", players: int = 2) -> Match:
    """Seat 0 has just played a card with these instructions; the Puting Bato lay at this place."""
    others = range(1, players + 1)
    play = begin(players, one_card(first, second, *others))
    return happen(play, [*deals(stone, *others), *plays(0, 50)])


def last_turn(stone: int, *cards: int, drawn: int = 99) -> Match:
    """The Deck has run out: seat 0 has drawn its last card, played it, swapped 3 and 4, and peeked at place 4."""
    deck = {"cards": [{"number": card, "first": "swap", "second": "peek"} for card in (*cards, drawn)]}
    play = begin(len(cards), deck)
    return happen(play, [*deals(stone, *cards), *plays(0, drawn), does(0, "swap", places=[3, 4]), peeks(0, 4)])


def peeks(seat: int, place: int) -> Event:
    return does(seat, "peek", place=place)


def guesses(seat: int, place: int) -> Event:
    return does(seat, "guess", place=place)


def rule_against(play: Match, event: Event) -> str:
    """The rule that refuses this event; nothing may have changed."""
    before = copy.deepcopy(play.s)
    with pytest.raises(Refused) as refused:
        happen(play, [event])
    assert play.s == before
    return refused.value.rule


def of(play: Match, what: str, viewer: int | None = None) -> list[dict[str, Any]]:
    """The facts of this kind, without their rule."""
    found = [fact for fact in play.facts(viewer) if fact["what"] == what]
    return [{name: fact[name] for name in fact if name not in ("what", "rule")} for fact in found]


def rules_of(play: Match, what: str) -> list[int]:
    return [fact["rule"] for fact in play.facts() if fact["what"] == what]


# --- Pieces and set-up ------------------------------------------------------------------------------------------------


def test_da_1_there_is_one_puting_bato_and_a_look_tells_no_plain_stone_from_another() -> None:
    play = begin(2)
    assert [event["deal_stone"] for event in legal_for_chance(play) if "deal_stone" in event] == [0, 1, 2, 3, 4]
    happen(play, deals(0)[:1])
    assert rule_against(play, {"by": "chance", "deal_stone": 1}) == "DA-1"
    assert rule_against(happen(play, deals(0, 1, 2)[1:]), {"by": "chance", "deal_stone": 0}) == "DA-1"
    swapped, left = (
        happen(played(0, "hide"), [does(0, "hide", places=[2, 3], swapped=one), peeks(0, 2)]) for one in (True, False)
    )
    assert of(swapped, "peeked") == of(left, "peeked")
    assert swapped.s.bato == left.s.bato == 0


def test_da_2_every_number_is_on_one_card() -> None:
    play = happen(begin(2), deals(0, 6))
    for event in ({"deal_card": 6, "to": 1}, {"deal_card": 17, "to": 1}, {"deal_card": 0, "to": 1}):
        assert rule_against(play, {"by": "chance", **event}) == "DA-2"
    happen(play, [*deals(0, 6, 2)[2:], *plays(0, 6, drawn=9), does(0, "swap", places=[0, 1]), peeks(0, 1)])
    happen(play, [does(1, "draw")])
    assert {rule_against(play, brings(card)) for card in (6, 2, 9, 40)} == {"DA-2"}  # played, held, held, unknown


def test_da_2_a_deck_may_hold_other_cards_but_more_than_there_are_players() -> None:
    deck = {"cards": [{"number": n, "first": "swap", "second": "show"} for n in (999, 5, 3, 70)]}
    assert begin(3, deck).v.names == [3, 5, 70, 999]
    with pytest.raises(Refused) as refused:
        darna.variant(4, {"first": 0, "max_turns": 200}, deck)
    assert refused.value.rule == "DA-2"
    whole = {"cards": [{"number": 999 - n, "first": "hide", "second": "show"} for n in range(32)]}
    play = happen(begin(2, whole), [*deals(0, 999, 968), does(0, "draw"), brings(998)])
    assert legal(play, 0) == [{"act": "play", "card": 998}, {"act": "play", "card": 999}]


def test_da_2_the_cards_are_those_of_the_rules_file() -> None:
    lines = ["show swap", "show hide", "rotate_clockwise peek", "rotate_counterclockwise peek", "rotate_either peek"]
    lines += ["swap peek", "hide peek", "peek swap", "peek hide", "peek rotate_clockwise"]
    lines += ["peek rotate_counterclockwise", "peek rotate_either", "swap peek_two", "hide peek_two", "peek_two swap"]
    lines += ["peek_two rotate_either"]
    v = begin(2).v
    said = [" ".join(darna.INSTRUCTIONS[one] for one in row) for row in v.instructions[:16]]
    assert said == lines
    assert v.names == list(range(1, 17))


def test_da_3_there_are_five_places() -> None:
    play = begin(5)
    for place in (5, -1, 10**30):
        assert rule_against(play, {"by": "chance", "deal_stone": place}) == "DA-3"
    play = played(0, "swap")
    assert rule_against(play, does(0, "swap", places=[4, 5])) == "DA-3"
    assert rule_against(play, does(0, "swap", places=[-1, 2])) == "DA-3"
    assert rule_against(play, peeks(0, 5)) == "DA-3"


def test_da_4_nobody_sees_where_the_stones_are_dealt() -> None:
    play = happen(begin(3), deals(3, 1, 2, 3))
    assert of(play, "stones_dealt") == [{"place": 3}]
    for viewer in range(4):
        assert of(play, "stones_dealt", viewer) == [{}]
        assert play.view(viewer)["may"] == [0, 1, 2, 3, 4]


def test_da_5_each_player_gets_a_card_that_the_others_do_not_see() -> None:
    play = happen(begin(3), deals(0, 4, 8))
    assert play.view(2)["hands"] == [1, 1, 0]
    assert rule_against(play, {"by": "chance", "deal_card": 9, "to": 1}) == "DA-5"
    assert rule_against(play, {"by": "chance", "deal_card": 9, "to": 3}) == "DA-5"
    assert rule_against(play, {"by": "chance", "deal_card": 9, "to": 5}) == "DA-5"
    assert rule_against(play, does(0, "draw")) == "DA-5"
    assert rule_against(play, brings(9)) == "DA-7"
    happen(play, deals(0, 4, 8, 12)[3:])
    assert rule_against(play, {"by": "chance", "deal_card": 9, "to": 1}) == "DA-5"
    assert of(play, "card_dealt", 1) == [{"seat": 0}, {"seat": 1, "card": 8}, {"seat": 2}]
    assert of(play, "card_dealt", 3) == [{"seat": 0}, {"seat": 1}, {"seat": 2}]
    assert [play.view(viewer)["hand"] for viewer in range(4)] == [[4], [8], [12], []]
    assert play.view(0)["deck"] == 13


def test_da_6_turns_go_clockwise_from_the_seat_that_the_table_says() -> None:
    play = happen(begin(3, first=1), deals(4, 1, 2, 3))
    assert rule_against(play, does(0, "shout")) == rule_against(play, does(2, "draw")) == "DA-6"
    happen(play, [does(seat, "shout") for seat in (1, 2, 0, 1)])
    turns = [(turn["seat"], turn["number"]) for turn in of(play, "turn")]
    assert turns == [(1, 1), (2, 2), (0, 3), (1, 4), (2, 5)]
    assert happen(begin(2), deals(0, 1, 2)).view(0)["on_turn"] == 0


# --- The turn ---------------------------------------------------------------------------------------------------------


def test_da_7_draw_one_card_play_either_and_carry_out_both_instructions_in_order() -> None:
    play = happen(begin(2), deals(0, 1, 2))
    assert rule_against(play, does(0, "play", card=1)) == "DA-7"
    assert rule_against(play, brings(6)) == "DA-7"
    happen(play, [does(0, "draw")])
    assert rule_against(play, does(0, "draw")) == rule_against(play, does(0, "play", card=1)) == "DA-7"
    happen(play, [brings(6)])
    assert of(play, "drew", 1) == of(play, "drew", 2) == [{"seat": 0, "left": 13}]
    assert of(play, "drew", 0) == [{"seat": 0, "card": 6, "left": 13}]
    assert rule_against(play, does(0, "draw")) == rule_against(play, does(0, "play", card=2)) == "DA-7"
    assert legal(play, 0) == [{"act": "play", "card": 1}, {"act": "play", "card": 6}]
    happen(play, [does(0, "play", card=6)])
    assert of(play, "played", 1) == [{"seat": 0, "card": 6}]
    assert rule_against(play, peeks(0, 1)) == "DA-7"
    happen(play, [does(0, "swap", places=[3, 4])])
    assert rule_against(play, does(0, "swap", places=[3, 4])) == "DA-7"
    happen(play, [peeks(0, 1)])
    assert play.view(0)["hand"] == [1]
    assert play.view(0)["on_turn"] == 1


def test_da_8_a_shout_shows_the_stone_to_everybody_and_wins_or_ends_the_turn() -> None:
    play = happen(begin(3), [*deals(1, 1, 2, 3), does(0, "shout")])
    for viewer in range(4):
        assert of(play, "shouted", viewer) == [{"seat": 0, "place": 0, "face": "plain"}]
        assert play.view(viewer)["may"] == [1, 2, 3, 4]
        assert play.view(viewer)["face_up"] == []
    assert legal(play, 1) == [{"act": "draw"}, {"act": "shout"}]
    happen(play, [does(1, "shout")])
    assert of(play, "game_over") == [{"winner": 1, "how": "shout"}]
    assert rules_of(play, "game_over") == [8]
    late: list[Event] = [does(0, "draw"), brings(9), {"by": "chance", "deal_stone": 1}]
    assert [rule_against(play, event) for event in late] == ["DA-22"] * 3  # nobody does anything more, nor does chance
    assert [play.view(viewer)["may"] for viewer in range(4)] == [[1]] * 4
    wrong_before = happen(begin(2), [*deals(0, 1, 2)[1:], {"by": "chance", "deal_stone": 1}])
    happen(wrong_before, [does(0, "shout"), *plays(1, 6), does(1, "swap", places=[0, 1]), peeks(1, 0)])
    assert darna.result(wrong_before.v, happen(wrong_before, [does(0, "shout")]).s) == {"winner": 0, "how": "shout"}


def test_da_8_nobody_shouts_once_a_card_was_drawn() -> None:
    play = happen(begin(2), [*deals(0, 1, 2), does(0, "draw"), brings(6)])
    assert rule_against(play, does(0, "shout")) == "DA-8"
    assert rule_against(happen(play, [does(0, "play", card=6)]), does(0, "shout")) == "DA-8"


@PLAYERS
def test_da_9_every_instruction_can_be_carried_out(players: int) -> None:
    ways = {"peek": 4, "peek_two": 4, "swap": 10, "hide": 20, "rotate_either": 2}
    for instruction, count in ways.items():
        assert len(legal(played(4, instruction, players=players), 0)) == count
    assert len(legal(happen(played(4, "peek_two", players=players), [peeks(0, 1)]), 0)) == 3
    for first, second in itertools.product(("show", "rotate_clockwise", "rotate_counterclockwise"), repeat=2):
        play = played(4, first, second, players)
        assert play.view(0)["turn"] == 2  # both happened of themselves, and that was the turn


# --- Instructions -----------------------------------------------------------------------------------------------------


def test_da_10_peek_at_a_stone_that_is_not_your_own() -> None:
    play = played(3, "peek", "swap")
    assert rule_against(play, peeks(0, 0)) == "DA-10"
    assert legal(play, 0) == [{"act": "peek", "place": place} for place in (1, 2, 3, 4)]
    happen(play, [peeks(0, 3)])
    assert of(play, "peeked", 0) == [{"seat": 0, "place": 3, "face": "puting_bato"}]
    assert of(play, "peeked", 1) == of(play, "peeked", 2) == [{"seat": 0, "place": 3}]
    assert rules_of(play, "peeked") == [10]
    assert [play.view(viewer)["may"] for viewer in range(3)] == [[3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]
    moved = happen(played(1, "swap"), [does(0, "swap", places=[0, 1])])
    assert rule_against(moved, peeks(0, 0)) == "DA-10"  # what lies before you is your own, wherever it came from
    assert of(happen(moved, [peeks(0, 1)]), "peeked", 0) == [{"seat": 0, "place": 1, "face": "plain"}]


def test_da_11_peek_at_two_different_stones_one_after_the_other() -> None:
    play = played(3, "peek_two", "swap")
    assert rule_against(play, peeks(0, 0)) == "DA-11"
    happen(play, [peeks(0, 2)])
    assert of(play, "peeked", 0) == [{"seat": 0, "place": 2, "face": "plain"}]  # seen before the second is chosen
    assert play.view(1)["doing"] == {"card": 50, "instruction": "peek_two", "half": 0, "peeked": [2]}
    assert rule_against(play, peeks(0, 2)) == rule_against(play, peeks(0, 0)) == "DA-11"
    assert rule_against(play, does(0, "swap", places=[1, 2])) == "DA-7"
    assert legal(play, 0) == [{"act": "peek", "place": place} for place in (1, 3, 4)]
    happen(play, [peeks(0, 3)])
    assert rules_of(play, "peeked") == [11, 11]
    assert play.view(0)["doing"] == {"card": 50, "instruction": "swap", "half": 1, "peeked": []}
    again = happen(played(3, "peek_two", "peek_two"), [peeks(0, 2), peeks(0, 3), peeks(0, 2)])
    assert again.view(0)["doing"] == {"card": 50, "instruction": "peek_two", "half": 1, "peeked": [2]}


@pytest.mark.parametrize(("low", "high"), darna_set.PAIRS)
def test_da_12_swap_the_stones_of_any_two_places(low: int, high: int) -> None:
    for stone in range(5):
        play = happen(played(stone, "swap"), [does(0, "swap", places=[high, low])])
        assert play.s.bato == {low: high, high: low}.get(stone, stone)
        for viewer in range(3):
            assert of(play, "swapped", viewer) == [{"seat": 0, "places": [low, high]}]


def test_da_12_a_swap_is_of_two_different_places() -> None:
    for places in ([3, 3], [3], [1, 2, 3], []):
        assert rule_against(played(0, "swap"), does(0, "swap", places=places)) == "DA-12"


def test_da_13_hide_two_stones_and_only_you_know_whether_they_were_swapped() -> None:
    for swapped in (True, False):
        play = happen(played(0, "hide"), [does(0, "hide", places=[4, 0], swapped=swapped)])
        assert play.s.bato == (4 if swapped else 0)
        assert of(play, "hid", 0) == [{"seat": 0, "places": [0, 4], "swapped": swapped}]
        assert of(play, "hid", 1) == of(play, "hid", 2) == [{"seat": 0, "places": [0, 4]}]
    assert rule_against(played(0, "hide"), does(0, "hide", places=[4, 4], swapped=False)) == "DA-13"


def test_da_13_a_hiding_widens_what_the_others_think_possible() -> None:
    for swapped, hider in ((True, [3]), (False, [4])):
        deck = {"cards": [{"number": n, "first": "peek_two", "second": "hide"} for n in range(1, 6)]}
        events = [*deals(4, 1, 2, 3), does(0, "shout"), does(1, "shout"), does(2, "shout"), *plays(0, 4)]
        hiding = does(0, "hide", places=[3, 4], swapped=swapped)
        play = happen(begin(3, deck), [*events, peeks(0, 3), peeks(0, 1), hiding])
        assert play.view(0)["may"] == hider
        assert play.view(1)["may"] == play.view(3)["may"] == [3, 4]
        then = [*plays(1, 5), peeks(1, 3), peeks(1, 0), does(1, "hide", places=[2, 3], swapped=False)]
        happen(play, then)
        assert play.view(1)["may"] == ([3] if swapped else [4])
        assert play.view(2)["may"] == [2, 3, 4]


@PLAYERS
def test_da_14_clockwise_each_stone_of_the_players_goes_to_the_next_seat(players: int) -> None:
    for stone in range(5):
        play = played(stone, "rotate_clockwise", players=players)
        assert play.s.bato == (stone if stone >= players else (stone + 1) % players)
        assert of(play, "rotated", players) == [{"seat": 0, "direction": CLOCKWISE}]
        assert rules_of(play, "rotated") == [14]


@PLAYERS
def test_da_15_counterclockwise_is_the_other_way_round(players: int) -> None:
    for stone in range(5):
        play = played(stone, "rotate_counterclockwise", players=players)
        assert play.s.bato == (stone if stone >= players else (stone - 1) % players)
        assert of(play, "rotated", players) == [{"seat": 0, "direction": COUNTERCLOCKWISE}]
        assert rules_of(play, "rotated") == [15]


@PLAYERS
def test_da_16_rotate_either_leaves_the_direction_to_you(players: int) -> None:
    for way, by in ((CLOCKWISE, 1), (COUNTERCLOCKWISE, -1)):
        play = played(0, "rotate_either", players=players)
        assert legal(play, 0) == [{"act": "rotate", "direction": one} for one in (CLOCKWISE, COUNTERCLOCKWISE)]
        assert rule_against(play, does(0, "rotate", direction="left")) == "DA-16"
        happen(play, [does(0, "rotate", direction=way)])
        assert play.s.bato == by % players
        assert of(play, "rotated", 1) == [{"seat": 0, "direction": way}]
        assert rules_of(play, "rotated") == [16]
    assert rule_against(played(0, "rotate_clockwise"), does(0, "rotate", direction=COUNTERCLOCKWISE)) == "DA-7"


def test_da_17_show_lets_the_others_see_your_stone_and_not_you() -> None:
    for stone, face in ((0, "puting_bato"), (1, "plain")):
        play = played(stone, "show", players=3)
        assert of(play, "showed", 0) == of(play, "showed", 3) == [{"seat": 0, "place": 0}]
        assert of(play, "showed", 1) == of(play, "showed", 2) == [{"seat": 0, "place": 0, "face": face}]
        seen = [0] if stone == 0 else [1, 2, 3, 4]
        assert [play.view(viewer)["may"] for viewer in range(4)] == [[0, 1, 2, 3, 4], seen, seen, [0, 1, 2, 3, 4]]


# --- When the Deck has run out ----------------------------------------------------------------------------------------


def test_da_18_when_the_last_card_is_drawn_the_turn_is_finished_and_all_reveal_their_cards() -> None:
    deck = {"cards": [{"number": card, "first": "peek", "second": "peek"} for card in (6, 12, 5, 9)]}
    play = happen(begin(3, deck), [*deals(4, 6, 12, 5), *plays(0, 9), peeks(0, 1)])
    assert of(play, "cards_revealed") == []
    assert play.view(0)["revealed"] is None
    assert rule_against(play, guesses(0, 0)) == "DA-18"
    happen(play, [peeks(0, 2)])
    for viewer in range(4):
        assert of(play, "cards_revealed", viewer) == [{"cards": {"0": 6, "1": 12, "2": 5}, "order": [2, 0, 1]}]
        assert play.view(viewer)["revealed"] == {"0": 6, "1": 12, "2": 5}
    assert {rule_against(play, does(2, act)) for act in ("draw", "shout")} == {"DA-18"}
    assert len(of(play, "turn")) == 1  # guesses are not turns


def test_da_18_nobody_guesses_before() -> None:
    play = happen(begin(2), deals(0, 1, 2))
    assert rule_against(play, guesses(0, 0)) == "DA-18"


def test_da_19_the_lowest_card_guesses_first_and_names_any_stone_not_turned_up_by_a_guess() -> None:
    play = last_turn(4, 6, 12, 5, 3)
    assert play.view(0)["guessers"] == [3, 2, 0, 1]
    assert [rule_against(play, guesses(seat, 2)) for seat in (0, 1, 2)] == ["DA-19"] * 3
    happen(play, [guesses(3, 3 - 1)])
    assert play.view(0)["guessers"] == [2, 0, 1]
    assert play.view(0)["face_up"] == [2]
    assert rule_against(play, guesses(3, 0)) == "DA-19"
    assert rule_against(play, guesses(2, 2)) == "DA-19"
    assert legal(play, 2) == [{"act": "guess", "place": place} for place in (0, 1, 3, 4)]
    happen(play, [guesses(2, 4)])  # looked at before by seat 0, but by no guess
    assert play.view(1)["to_act"] == [0]
    happen(play, [guesses(0, 0)])  # its own place
    for viewer in range(5):
        told = [(one["seat"], one["place"], one["face"]) for one in of(play, "guessed", viewer)]
        assert told == [(3, 2, "plain"), (2, 4, "plain"), (0, 0, "plain")]
        assert play.view(viewer)["may"] == [1, 3] if viewer else [3]


def test_da_20_the_first_right_guess_wins_and_a_wrong_one_is_out() -> None:
    play = happen(last_turn(4, 6, 12, 5, 3), [guesses(3, 0)])
    assert of(play, "out") == [{"seat": 3}]
    assert play.view(2)["out"] == [3]
    happen(play, [guesses(2, 3)])
    assert of(play, "game_over") == [{"winner": 2, "how": "guess"}]
    assert rules_of(play, "game_over") == [20]
    assert of(play, "out") == [{"seat": 3}]
    assert play.view(0)["face_up"] == [0, 3]


def test_da_20_if_all_guess_wrong_nobody_wins() -> None:
    play = happen(last_turn(4, 6, 7), [guesses(0, 0), guesses(1, 1)])
    assert of(play, "out") == [{"seat": 0}, {"seat": 1}]
    assert of(play, "game_over") == [{"winner": None, "how": "all_wrong"}]
    assert darna.result(play.v, play.s) == {"winner": None, "how": "all_wrong"}


def test_da_20_of_five_players_somebody_wins() -> None:
    play = happen(last_turn(4, 1, 2, 3, 4, 5), [guesses(seat, place) for seat, place in enumerate((0, 1, 2, 4))])
    assert legal(play, 4) == [{"act": "guess", "place": 3}]
    assert darna.result(play.v, happen(play, [guesses(4, 3)]).s) == {"winner": 4, "how": "guess"}


def test_da_21_after_so_many_turns_with_cards_in_the_deck_nobody_wins() -> None:
    play = happen(begin(2), [*deals(4, 1, 2), *(does(turn % 2, "shout") for turn in range(199))])
    assert not darna.over(play.v, play.s)
    assert legal(play, 1) == [{"act": "draw"}, {"act": "shout"}]
    happen(play, [does(1, "shout")])
    assert of(play, "turn_limit") == [{"turns": 200}]
    assert of(play, "game_over") == [{"winner": None, "how": "turn_limit"}]
    assert rules_of(play, "game_over") == [21]
    assert of(play, "turn")[-1] == {"seat": 1, "number": 200}


def test_da_21_a_table_may_set_another_limit_and_a_turn_with_a_card_counts_when_it_is_finished() -> None:
    play = happen(begin(2, max_turns=1), [*deals(1, 1, 2), *plays(0, 6), does(0, "swap", places=[0, 1])])
    assert of(play, "turn_limit") == []
    assert darna.result(play.v, happen(play, [peeks(0, 1)]).s) == {"winner": None, "how": "turn_limit"}
    right = happen(begin(2, max_turns=1), [*deals(0, 1, 2), does(0, "shout")])
    assert darna.result(right.v, right.s) == {"winner": 0, "how": "shout"}


def test_da_21_if_the_last_turn_draws_the_last_card_the_guesses_come() -> None:
    deck = {"cards": [{"number": card, "first": "show", "second": "show"} for card in (1, 2, 3)]}
    play = happen(begin(2, deck, max_turns=1), [*deals(4, 1, 2), *plays(0, 3)])
    assert play.view(0)["phase"] == "guess"
    assert of(play, "turn_limit") == []


@PLAYERS
def test_da_22_the_winner_takes_one_from_each_of_the_others(players: int) -> None:
    cards = range(1, players + 1)
    won = happen(begin(players), [*deals(0, *cards), does(0, "shout")])
    assert won.utilities() == [players - 1, *[-1] * (players - 1)]
    drawn = happen(begin(players, max_turns=1), [*deals(1, *cards), does(0, "shout")])
    assert drawn.utilities() == [0] * players
    assert rule_against(won, does(1, "draw")) == rule_against(drawn, does(1, "shout")) == "DA-22"
    assert legal_for_chance(won) == legal_for_chance(drawn) == []


# --- Views and events -------------------------------------------------------------------------------------------------


def test_a_view_follows_a_game() -> None:
    play = begin(2, one_card("peek_two", "hide", 7, 8))
    start = {"phase": "deal", "turn": 0, "max_turns": 200, "on_turn": None, "to_act": [], "hand": [], "hands": [0, 0]}
    start |= {"deck": 4, "played": [], "last_played": None, "doing": None, "may": [0, 1, 2, 3, 4], "face_up": []}
    start |= {"guessers": [], "out": [], "revealed": None, "result": None}
    assert play.view(0) == play.view(2) == start
    happen(play, deals(3, 8, 7))
    turn = start | {"phase": "turn", "turn": 1, "on_turn": 0, "to_act": [0], "hand": [8], "hands": [1, 1], "deck": 2}
    assert play.view(0) == turn
    happen(play, [does(0, "draw")])
    assert play.view(0) == turn | {"phase": "play", "to_act": []}  # the card comes
    happen(play, [brings(50)])
    drawn = turn | {"phase": "play", "hands": [2, 1], "deck": 1}
    assert play.view(0) == drawn | {"hand": [8, 50]}
    assert play.view(1) == drawn | {"hand": [7]}
    assert play.view(2) == drawn | {"hand": []}
    happen(play, [does(0, "play", card=50), peeks(0, 1)])
    doing = {"card": 50, "instruction": "peek_two", "half": 0, "peeked": [1]}
    shown = turn | {"phase": "instruction", "deck": 1, "played": [50], "last_played": 50, "doing": doing}
    assert play.view(0) == shown | {"may": [0, 2, 3, 4]}
    happen(play, [peeks(0, 2), does(0, "hide", places=[0, 3], swapped=True)])
    happen(play, [does(1, "draw"), brings(99), does(1, "play", card=99), does(1, "swap", places=[1, 2]), peeks(1, 0)])
    guess = turn | {"phase": "guess", "turn": 2, "on_turn": 1, "to_act": [1], "deck": 0, "played": [50, 99]}
    guess |= {"last_played": 99, "guessers": [1, 0], "revealed": {"0": 8, "1": 7}}
    assert play.view(0) == guess | {"may": [0, 3, 4]}
    assert play.view(1) == guess | {"hand": [7], "may": [0]}
    happen(play, [guesses(1, 4), guesses(0, 0)])
    over = guess | {"phase": "over", "on_turn": None, "to_act": [], "guessers": [], "out": [1], "face_up": [0, 4]}
    over |= {"may": [0], "result": {"winner": 0, "how": "guess"}}
    assert play.view(0) == over
    assert play.view(2) == over | {"hand": []}


@pytest.mark.parametrize(
    ("event", "rule", "code"),
    [
        ({"by": 0}, FORMAT, "unknown_event"),
        ({"by": 0, "act": 5}, FORMAT, "wrong_type"),
        ({"by": 0, "act": ["peek"]}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "jump", "place": 1}, FORMAT, "unknown_act"),
        ({"by": 0, "act": "draw", "card": 1}, FORMAT, "unknown_field"),
        ({"by": 0, "act": "peek"}, FORMAT, "missing_field"),
        ({"by": 0, "act": "peek", "place": True}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "peek", "place": 1.0}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "swap", "places": [0, "1"]}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "swap", "places": [0, True]}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "swap", "places": [0, None]}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "swap", "places": {}}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "hide", "places": [0, 1]}, FORMAT, "missing_field"),
        ({"by": 0, "act": "hide", "places": [0, 1], "swapped": 1}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "rotate", "direction": 1}, FORMAT, "wrong_type"),
        ({"by": 0, "act": "play", "card": None}, FORMAT, "wrong_type"),
        ({"by": 0, "deal_stone": 1}, FORMAT, "chance_only"),
        ({"by": 0, "draw": 1}, FORMAT, "chance_only"),
        ({"by": "chance", "act": "draw"}, FORMAT, "seat_only"),
        ({"by": "chance", "deal_stone": 1, "act": "draw"}, FORMAT, "seat_only"),
        ({"by": "chance", "deal_card": 1}, FORMAT, "missing_field"),
        ({"by": "chance", "deal_card": 1, "to": "0"}, FORMAT, "wrong_type"),
        ({"by": "chance", "deal_card": 1, "to": -1}, "DA-5", "DA-5"),
        ({"by": "chance", "draw": 1, "left": 3}, FORMAT, "unknown_field"),
        ({"by": 0, "act": "play", "card": 17}, "DA-2", "DA-2"),
        ({"by": 0, "act": "guess", "place": -1}, "DA-3", "DA-3"),
        ({"by": 0, "act": "hide", "places": [5, 5], "swapped": True}, "DA-3", "DA-3"),
        ({"by": 0, "act": "rotate", "direction": ""}, "DA-16", "DA-16"),
    ],
)
def test_an_event_that_names_no_action_is_refused(event: Event, rule: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        darna.action(begin(2).v, event)
    assert (refused.value.rule, refused.value.code) == (rule, code)


def test_every_action_has_one_event_and_every_event_one_action() -> None:
    v = begin(5, {"cards": [{"number": n, "first": "swap", "second": "show"} for n in range(1, 33)]}).v
    every = [darna.event(v, action) for action in range(darna.ACTIONS + darna.CHANCE_ACTIONS)]
    assert [darna.action(v, event) for event in every] == list(range(len(every)))
    assert len({json.dumps(event) for event in every}) == len(v.events) == len(every)
    for due, act in ((darna.PLAY, "play"), (darna.PEEK, "peek"), (darna.SWAP, "swap"), (darna.HIDE, "hide")):
        first, count = darna.FIRST[due], darna.COUNT[due]
        assert {event["act"] for event in every[first : first + count]} == {act}
        assert every[first - 1]["act"] != act != every[first + count]["act"]


def test_an_event_is_a_copy() -> None:
    play = played(0, "swap")
    legal(play, 0)[0]["places"].reverse()
    assert legal(play, 0)[0] == {"act": "swap", "places": [0, 1]}
    of(happen(play, [does(0, "swap", places=[0, 1])]), "swapped")[0]["places"].reverse()
    assert darna_set.PAIRS[0] == [0, 1]


# --- Scenarios --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    scenario = json.loads(path.read_text())
    record, expect = scenario["record"], scenario["expect"]
    wrong = expect.get("illegal")
    if wrong and wrong["index"] == -1:
        assert record["players"] not in darna.PLAYERS
        return
    play = begin(record["players"], record.get("deck", "standard"), **record["options"])
    if wrong:
        happen(play, record["events"][: wrong["index"]])
        assert rule_against(play, record["events"][wrong["index"]]) == wrong["rule"]
        return
    happen(play, record["events"])
    check(play, expect)


def check(play: Match, expect: dict[str, Any]) -> None:
    rest = iter(play.facts())
    assert all(any(has(fact, one) for fact in rest) for one in expect.get("facts", []))
    assert not any(has(fact, one) for one in expect.get("never", []) for fact in play.facts())
    assert darna.over(play.v, play.s) is expect.get("finished", darna.over(play.v, play.s))
    if "result" in expect:
        found = {**darna.result(play.v, play.s), "utilities": play.utilities()}
        assert found == {name: expect["result"].get(name, value) for name, value in found.items()}
    for who, wanted in expect.get("legal", {}).items():
        check_legal(play, who, wanted)
    for who, wanted in expect.get("views", {}).items():
        told = play.facts(play.v.players if who == "spectator" else int(who))
        assert all(any(has(fact, one) for fact in told) for one in wanted.get("has", []))
        assert not any(has(fact, one) for fact in told for one in wanted.get("not", []))
        assert not any(has(fact, one) and name in fact for fact in told for one, name in wanted.get("without", []))


def check_legal(play: Match, who: str, wanted: dict[str, Any]) -> None:
    by: Any = "chance" if who == "chance" else int(who)
    found = [{"by": by, **event} for event in (legal_for_chance(play) if who == "chance" else legal(play, by))]
    order = [json.dumps(event, sort_keys=True) for event in found]
    exactly = wanted.get("exactly", found)
    assert sorted(order) == sorted(json.dumps(event, sort_keys=True) for event in exactly)
    assert all(event in found for event in wanted.get("has", []))
    assert not any(event in found for event in wanted.get("not", []))
    assert len(found) == wanted.get("count", len(found))


def has(fact: dict[str, Any], partial: dict[str, Any]) -> bool:
    return all(name in fact and fact[name] == value for name, value in partial.items())


# --- Laws over random games -------------------------------------------------------------------------------------------

ODD_CARDS = [(7 * n + 3, darna.INSTRUCTIONS[n % 8], darna.INSTRUCTIONS[n * 3 % 7]) for n in range(13)]
ODD = {"cards": [{"number": n, "first": first, "second": second} for n, first, second in ODD_CARDS]}


def random_games(players: int, count: int) -> Iterator[Iterator[Match]]:
    for seed in range(count):
        deck: Any = ODD if seed % 3 == 2 else "standard"
        options = {"first": seed % players, "max_turns": (200, 6, 1000)[seed % 3]}
        yield at_random(players, seed, deck, **options)


@PLAYERS
def test_legal_is_exactly_what_refusal_lets_through(players: int) -> None:
    for game in random_games(players, 25):
        for play in game:
            for by in range(-1, players):
                allowed = [
                    action
                    for action in range(darna.ACTIONS + darna.CHANCE_ACTIONS)
                    if not darna.refusal(play.v, play.s, by, action)
                ]
                if by == CHANCE:
                    drawn = {darna.draw(play.v, play.s, k) for k in range(darna.outcomes(play.v, play.s))}
                    assert drawn <= set(allowed)
                    assert bool(drawn) == bool(allowed)
                else:
                    assert [darna.action(play.v, event) for event in legal(play, by)] == allowed
                    assert bool(allowed) == bool(darna.to_act(play.v, play.s) >> by & 1)


@PLAYERS
def test_a_game_ends_within_its_turns_and_pays_out_nothing(players: int) -> None:
    for game in random_games(players, 60):
        *_, play = game
        assert darna.over(play.v, play.s)
        assert len(of(play, "turn")) == play.s.turn <= play.v.max_turns
        assert sum(play.utilities()) == 0
        assert [legal(play, seat) for seat in range(players)] == [[]] * players
        assert darna.outcomes(play.v, play.s) == darna.to_act(play.v, play.s) == 0


def test_games_end_in_every_way_that_the_rules_know() -> None:
    ends = Counter([*game][-1].s.how for players in darna.PLAYERS for game in random_games(players, 60))
    assert set(ends) == {darna.BY_SHOUT, darna.BY_GUESS, darna.ALL_WRONG, darna.TURN_LIMIT}


@PLAYERS
def test_every_card_is_in_one_place(players: int) -> None:
    for game in random_games(players, 25):
        for play in game:
            lots = [play.s.deck, play.s.played, *play.s.hand]
            assert sum(lots) == (1 << play.v.cards) - 1 == lots[0] | lots[1] | sum(lots[2:])
            assert play.s.left == play.s.deck.bit_count()
            assert play.view(0)["hands"] == [hand.bit_count() for hand in play.s.hand[:players]]


@PLAYERS
def test_the_puting_bato_lies_where_the_facts_take_it(players: int) -> None:
    for game in random_games(players, 25):
        *_, play = game
        stones = ["plain"] * 5
        for fact in play.facts():
            carry_out(stones, fact, players)
            if "face" in fact:
                assert fact["face"] == stones[fact["place"]]
        assert stones.index("puting_bato") == play.s.bato


def carry_out(stones: list[str], fact: dict[str, Any], players: int) -> None:
    """What a fact does to the five Stones as they lie on the table."""
    if fact["what"] == "stones_dealt":
        stones[fact["place"]] = "puting_bato"
    elif fact["what"] == "swapped" or (fact["what"] == "hid" and fact["swapped"]):
        p, q = fact["places"]
        stones[p], stones[q] = stones[q], stones[p]
    elif fact["what"] == "rotated":
        own = stones[:players]
        stones[:players] = own[-1:] + own[:-1] if fact["direction"] == CLOCKWISE else own[1:] + own[:1]


@PLAYERS
def test_a_viewer_remembers_just_what_it_was_told(players: int) -> None:
    """`may` is the set of places in all worlds that agree with what the viewer was told, found by trying them all."""
    random, tried = Random(players), 0
    for game in random_games(players, 40):
        for play in game:
            if random.random() < 0.15 or darna.over(play.v, play.s):
                for viewer in range(players + 1):
                    told = play.facts(viewer)
                    if sum(fact["what"] == "hid" and "swapped" not in fact for fact in told) <= 7:
                        tried += 1
                        assert play.view(viewer)["may"] == places_in_all_worlds(told, players)
    assert tried > 200


def places_in_all_worlds(told: list[dict[str, Any]], players: int) -> list[int]:
    unknown = [fact for fact in told if fact["what"] == "hid" and "swapped" not in fact]
    found = set()
    for start, *swaps in itertools.product(range(5), *[(False, True)] * len(unknown)):
        stones = ["plain"] * 5
        stones[start] = "puting_bato"
        truth = iter(swaps)
        for fact in told:
            if fact["what"] == "hid" and "swapped" not in fact:
                carry_out(stones, {**fact, "swapped": next(truth)}, players)
            elif fact["what"] != "stones_dealt":
                carry_out(stones, fact, players)
            if fact.get("face", stones[fact.get("place", 0)]) != stones[fact.get("place", 0)]:
                break
        else:
            found.add(stones.index("puting_bato"))
    return sorted(found)


@PLAYERS
def test_what_a_viewer_may_not_know_leaves_its_view_as_it_was(players: int) -> None:
    random, hidden = Random(players), 0
    for game in random_games(players, 12):
        for play in game:
            for viewer in range(players + 1):
                before, options = play.view(viewer), play.actions(viewer)
                other = copy.copy(play)
                other.s = copy.deepcopy(play.s)
                hidden += overwrite(other.s, viewer, random)
                assert other.view(viewer) == before
                assert other.actions(viewer) == options
    assert hidden > 1000


def overwrite(s: Any, viewer: int, random: Random) -> int:
    """Other numbers where this viewer may not look; returns how many entries that were."""
    hidden = 0
    for one in fields(s):
        meta = one.metadata
        if meta.get("known") == NOBODY:
            setattr(s, one.name, random.randint(meta["least"], meta["most"]))
            hidden += 1
        elif meta.get("known") == OWNER:
            row = getattr(s, one.name)
            for i in range(len(row)):
                if i != viewer:
                    row[i] = random.randint(meta["least"], meta["most"])
                    hidden += 1
        else:
            assert "words" in meta or meta["known"] == EVERYONE
    return hidden


@PLAYERS
def test_the_deals_of_the_set_up_in_any_order_give_the_same_state(players: int) -> None:
    cards = [16, 3, 9, 1, 12][:players]
    whole = happen(begin(players), deals(2, *cards))
    for order in itertools.islice(itertools.permutations(deals(2, *cards)), 120):
        assert happen(begin(players), order).s == whole.s


@PLAYERS
def test_the_engine_deals_the_stones_and_then_seat_by_seat_each_card_alike(players: int) -> None:
    play, drawn = begin(players), []
    while n := darna.outcomes(play.v, play.s):
        events = [darna.event(play.v, darna.draw(play.v, play.s, k)) for k in range(n)]
        drawn.append(events)
        happen(play, [{"by": "chance", **events[n // 2]}])
    assert drawn[0] == [{"deal_stone": place} for place in range(5)]
    for seat, events in enumerate(drawn[1:]):
        cards = [event["deal_card"] for event in events]
        assert cards == sorted(set(cards))
        assert len(cards) == 16 - seat
        assert {event["to"] for event in events} == {seat}
    happen(play, [does(0, "draw")])
    left = [darna.event(play.v, darna.draw(play.v, play.s, k)) for k in range(darna.outcomes(play.v, play.s))]
    assert left == legal_for_chance(play)
    assert len(left) == 16 - players


def test_no_rule_reads_what_viewers_remember(monkeypatch: pytest.MonkeyPatch) -> None:
    with_memory = [[*game][-1] for players in darna.PLAYERS for game in random_games(players, 10)]
    for name in darna.MEMORY:
        monkeypatch.setattr(darna, name, lambda *_: None)
    without = [[*game][-1] for players in darna.PLAYERS for game in random_games(players, 10)]
    for one, other in zip(with_memory, without, strict=True):
        assert one.facts() == other.facts()
        assert other.s.may == [darna.ALL_PLACES] * 6
        other.s.may = one.s.may
        assert one.s == other.s


@PLAYERS
def test_ints_stay_in_their_ranges(players: int) -> None:
    for game in random_games(players, 25):
        for play in game:
            for holder in (play.v, play.s):
                for one in fields(holder):
                    if "shape" in one.metadata:
                        flat = flattened(getattr(holder, one.name))
                        assert all(one.metadata["least"] <= value <= one.metadata["most"] for value in flat), one.name


def flattened(value: Any) -> list[int]:
    return [one for row in value for one in flattened(row)] if isinstance(value, list) else [value]


def test_the_shipped_decks_can_be_played() -> None:
    assert decks.read("darna", "tiny")["cards"]
    *_, play = at_random(2, 5, "tiny", max_turns=20)
    assert darna.over(play.v, play.s)
