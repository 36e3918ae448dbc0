"""The bot `simple`: it never chooses what may not be, it is sensible where the answer is plain, and it beats chance.

The positions are made by hand from a seat's side of a table, as it is handed to a bot.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from statistics import NormalDist
from typing import Any

import pytest

from kubli import words
from kubli.bots import BOTS, kept, simple_narabi
from kubli.games import GAMES, decks
from kubli.games.contract import Event, Refused
from kubli.games.kit import Luck
from kubli.play.chance import Seeded
from kubli.play.record import write
from kubli.play.simulate import simulate
from kubli.play.summary import winners_of
from kubli.play.table import Table
from laws.worlds import COUNTS, options_of, sizes

SIMPLE, RANDOM = BOTS["simple"], BOTS["random"]
SMALL = [("darna", 2), ("darna", 3), ("narabi", 3), ("narabi", 4), ("darwins-dice", 2)]

# --- Never what may not be --------------------------------------------------------------------------------------------


def played(table: Table, bots: list[Any], seed: int) -> Iterator[tuple[Table, int, Event, dict[str, Any]]]:
    """Each choice of a game, before it happens; the table is then as the seat has it."""
    luck = [Luck(seed, seat) for seat in range(table.players)]
    table.advance()
    while not table.over:
        seat = table.to_act[-1]
        legal = table.legal(seat)
        event, why = bots[seat](table.seen(seat), table.told(seat), legal, luck[seat], 0.0)
        assert event in legal
        yield table, seat, event, why
        table.act(seat, event)


def tables(game: str, players: int, count: int) -> Iterator[tuple[Table, int]]:
    """Tables of every kind: options by lot, and each shipped deck that is for so many players."""
    random = Random(f"bots {game} {players}")
    names = [name for name in decks.NAMES if fits(game, name, players)]
    for number in range(count):
        deck = names[number % len(names)]
        yield Table(game, players, options_of(game, players, random), deck, chance=Seeded(7, number)), number


def fits(game: str, deck: str, players: int) -> bool:
    """Whether this is a deck of the game, and for so many."""
    try:
        Table(game, players, None, deck)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_it_never_chooses_what_may_not_be_and_says_why(game: str, players: int) -> None:
    """With others that play by lot, so that positions come up which no sensible game has."""
    for table, number in tables(game, players, sizes(4, 100)):
        bots = [(SIMPLE, RANDOM)[(seat + number) % 2] for seat in range(players)]
        teller = words.Teller(game, None, [f"P{seat}" for seat in range(players)], dict(table.variant.deck))
        facts = 0
        for now, seat, _event, why in played(table, bots, number):
            for fact in now.facts[facts:]:
                teller.say(fact)
            facts = len(now.facts)
            said = words.text(teller.reason({**why, "seat": seat}))
            assert re.fullmatch(r"[^{}|…]+", said), (why, said)


@pytest.mark.parametrize(("game", "players"), SMALL)
def test_it_plays_small_decks(game: str, players: int) -> None:
    names = [name for name in ("tiny", "small") if fits(game, name, players)]
    for name in names:
        for number in range(5):
            table = Table(game, players, None, name, chance=Seeded(3, number))
            assert all(True for _ in played(table, [SIMPLE] * players, number))
            assert table.over


def test_it_plays_a_deck_that_somebody_wrote() -> None:
    """Stones with gaps, more blanks, and conditions of other fields."""
    whole = decks.read("narabi", "standard")
    whole["conditions"][0] = {"id": "own", "distance_at_most": 1, "whose": [1, -1], "source": "made up"}
    whole["exchanges"] = 9
    table = Table("narabi", 3, None, whole, chance=Seeded(1))
    assert sum(1 for _ in played(table, [SIMPLE] * 3, 1)) >= 1


@pytest.mark.parametrize("game", list(GAMES))
def test_the_same_seed_gives_the_same_game_whatever_the_hash_seed(game: str) -> None:
    players = GAMES[game].PLAYERS[0]
    code = (
        "from kubli.bots import BOTS; from kubli.play.record import write; from kubli.play.simulate import simulate;"
        f"print(*map(write, simulate({game!r}, {players}, 2, 5, [('simple', BOTS['simple'])] * {players})))"
    )
    run = [
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": n}, capture_output=True, check=True).stdout
        for n in "12"
    ]
    assert run[0]
    assert run[0] == run[1]


def test_it_keeps_nothing_of_a_game_between_choices() -> None:
    """Two tables played in turns go as each does by itself."""
    for game in GAMES:
        players = GAMES[game].PLAYERS[0]
        alone = [next(simulate(game, players, 1, seed, [("s", SIMPLE)] * players)) for seed in (1, 2)]
        tables = [Table(game, players, chance=Seeded(seed, 0)) for seed in (1, 2)]
        luck = [[Luck(seed, 0, 0x626F74, seat) for seat in range(players)] for seed in (1, 2)]
        for table in tables:
            table.advance()
        while not all(table.over for table in tables):
            for table, lucks in zip(tables, luck, strict=True):
                if not table.over:
                    seat = table.to_act[0]
                    table.act(seat, SIMPLE(table.seen(seat), table.told(seat), table.legal(seat), lucks[seat], 0.0)[0])
        assert [write({"e": table.events}) for table in tables] == [write({"e": one["events"]}) for one in alone]


def test_a_variant_is_kept_only_for_its_own_table() -> None:
    seen = Table("narabi", 3).seen(0)
    other = replace(seen, options={**seen.options, "no_return": True})
    assert kept.variant(seen) is kept.variant(Table("narabi", 3).seen(1))
    assert (kept.variant(seen).no_return, kept.variant(other).no_return) == (0, 1)


# --- Sensible where the answer is plain -------------------------------------------------------------------------------


def asked(table: Table, seat: int, **view: Any) -> tuple[Event, dict[str, Any]]:
    seen = table.seen(seat)
    return SIMPLE(replace(seen, view={**seen.view, **view}), table.told(seat), table.legal(seat), Luck(1), 0.0)


def darna(events: list[dict[str, Any]]) -> Table:
    """Two players with the cards 1 and 8; the Puting Bato lies in the centre, at the last place."""
    table = Table("darna", 2)
    deal = [{"deal_stone": 4}, {"deal_card": 1, "to": 0}, {"deal_card": 8, "to": 1}]
    for event in [*({"by": "chance", **one} for one in deal), *events]:
        table.happen(event)
    return table


def test_darna_shouts_when_it_knows() -> None:
    """It sees the Puting Bato in the centre, swaps it home, and shouts in its next turn."""
    draw = {"by": 0, "act": "draw"}
    table = darna([draw, {"by": "chance", "draw": 15}])
    assert asked(table, 0)[0]["card"] in (1, 15)
    for event in ({"act": "play", "card": 15}, {"act": "peek", "place": 4}, {"act": "peek", "place": 3}):
        table.act(0, event)
    event, why = asked(table, 0)
    assert (event["act"], event["places"], why["code"]) == ("swap", [0, 4], "swap_stone_to_me")
    table.act(0, event)
    table.act(1, {"act": "shout"})
    event, why = asked(table, 0)
    assert (event["act"], why["code"], why["place"]) == ("shout", "shout_sure", 0)


def test_darna_does_not_shout_what_it_knows_to_be_plain() -> None:
    table = darna([{"by": 0, "act": "shout"}, {"by": 1, "act": "shout"}])
    event, why = asked(table, 0)
    assert (event["act"], why["code"]) == ("draw", "draw_not_mine")


def test_darna_does_not_peek_where_it_knows() -> None:
    table = darna([{"by": 0, "act": "shout"}, {"by": 1, "act": "shout"}, {"by": 0, "act": "draw"}])
    table.happen({"by": "chance", "draw": 9})
    table.act(0, {"act": "play", "card": 9})
    event, why = asked(table, 0)
    assert event["place"] in (2, 3, 4)  # the Stones before players were seen by all
    assert why["code"] == "peek_where_unsure"


def narabi(stones: str, conditions: list[str]) -> Table:
    """Three players; the stones by place, a blank is a letter, and by place its condition."""
    table = Table("narabi", 3)
    names = {"w": ["blank_white_1", "blank_white_2"], "b": ["blank_black_1"]}
    for place, (stone, condition) in enumerate(zip(stones, conditions, strict=True)):
        name = names[stone].pop(0) if stone in names else stone
        table.happen({"by": "chance", "sleeve": {"stone": name, "condition": condition}, "place": place})
    return table


CONDITIONS = ["any", "white", "black", "even", "odd", "higher", "lower", "low", "high", "same_colour", "far", "near"]


def test_narabi_wins_when_it_can() -> None:
    """Stones 4 and 0 are to change places; 0 lies in row 1, which is on turn, and its condition lets it go anywhere."""
    table = narabi("41w230w56b78", [*CONDITIONS[1:6], "any", *CONDITIONS[6:]])
    assert table.to_act == [1]
    event, why = asked(table, 1)
    assert (event["act"], event["own"], event["other"], why["code"]) == ("exchange", 5, 0, "wins_now")


def test_narabi_asks_only_what_it_does_not_know() -> None:
    for number in range(8):
        table = Table("narabi", 3, chance=Seeded(11, number))
        for now, seat, event, _ in played(table, [SIMPLE] * 3, number):
            if event["act"] == "ask":
                assert not now.view(seat)["ring"][event["place"]]["seen"]


def slow_away(ring: list[int], kinds: int) -> int:
    """The fewest stones out of place, by trying each ring in order: what the bits are to say."""
    places, best = len(ring), len(ring)
    for way in (1, -1):
        for begin in range(kinds):
            for blanks in subsets(places, places - kinds):
                order, wanted = begin, []
                for place in range(places):
                    wanted.append(0 if place in blanks else order % kinds + 1)
                    order += 0 if place in blanks else way
                best = min(best, sum(a != b for a, b in zip(ring, wanted, strict=True)))
    return best


def subsets(n: int, k: int) -> Iterator[set[int]]:
    for bits in range(1 << n):
        if bits.bit_count() == k:
            yield {i for i in range(n) if bits >> i & 1}


@pytest.mark.parametrize(("places", "kinds"), [(3, 3), (4, 1), (6, 4), (8, 5)])
def test_narabi_the_nearest_order_is_the_nearest(places: int, kinds: int) -> None:
    random, ring = Random(3), [*range(1, kinds + 1), *[0] * (places - kinds)]
    for _ in range(5):
        random.shuffle(ring)
        near, every = simple_narabi.nearest(places, kinds, ring)
        counts = simple_narabi.counted([near[place][kind] for place, kind in enumerate(ring)])
        most = max(n for n in range(places + 1) if simple_narabi.exactly(counts, n) & every)
        assert places - most == slow_away(ring, kinds)


def test_darwin_plays_the_last_card() -> None:
    table = Table("darwins-dice", 2, chance=Seeded(4, 0))
    last = [
        (event, why)
        for now, seat, event, why in played(table, [SIMPLE, RANDOM], 4)
        if len(now.legal(seat)) == 1 and seat == 0
    ]
    assert last
    assert all(why == {"code": "only_card", "card": event["card"]} for event, why in last)


def test_darwin_takes_the_trick_that_nobody_else_can() -> None:
    """The trump wins here, and no scorpion is left that could beat it."""
    table = Table("darwins-dice", 2, chance=Seeded(4, 0))
    table.advance()
    seen = table.seen(0)
    hand, trump = ["bear 3", "lion 4", "fox 5"], {"colour": "bear", "sign": "+", "number": 3, "trump": "bear 3"}
    unseen = {"fox 1": 2, "lion 1": 2, "snake 2": 2}
    view = {**seen.view, "hand": hand, "throw": {**seen.view["throw"], **trump}, "unseen": unseen}
    legal: list[Event] = [{"by": 0, "act": "choose", "card": card} for card in hand]
    event, why = SIMPLE(replace(seen, view=view), [], legal, Luck(1), 0.0)
    assert (event["card"], why["code"]) == ("bear 3", "trump")


# --- Stronger than chance ---------------------------------------------------------------------------------------------

CERTAIN = 1e-3  # how likely chance alone may be to bring what is found


def beats(wins: float, games: int, chance: float) -> bool:
    """Whether so many wins are too many for one who wins each game with this chance (normal approximation)."""
    sigma = (chance * (1 - chance) / games) ** 0.5
    return 1 - NormalDist().cdf((wins / games - chance) / sigma) < CERTAIN


@pytest.mark.parametrize(("game", "players"), [one for one in COUNTS if one[0] != "narabi"])
def test_it_beats_others_that_play_by_lot(game: str, players: int) -> None:
    wins, games, each = 0.0, 0, sizes(60, 400) if game == "darna" else sizes(14, 80)
    for seat in range(players):
        bots: list[tuple[str, Callable[..., Any]]] = [("random", RANDOM)] * players
        bots[seat] = ("simple", SIMPLE)
        for one in simulate(game, players, each, 100 + seat, bots):
            winners = winners_of(one["result"], players)
            wins += (seat in winners) / max(1, len(winners))
            games += 1
    assert beats(wins, games, 1 / players), (wins, games)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_narabi_is_won_together_as_a_rule(players: int) -> None:
    """By lot it is won once in a thousand games; here twelve of fifteen at least."""
    wins = sum(one["result"]["won"] for one in simulate("narabi", players, 15, 9, [("simple", SIMPLE)] * players))
    assert wins >= 12
