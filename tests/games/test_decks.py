"""Decks: the shipped ones, every fault that one may have, files, and whatever else somebody may hand in."""

import contextlib
import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kubli import words
from kubli.games import darna, darwin, decks, narabi
from kubli.games.contract import FORMAT, Refused
from kubli.games.decks import Fault
from kubli.words import reader

MODULES = {"darna": darna, "narabi": narabi, "darwins-dice": darwin}
SENTENCES = {**words.catalogue()["refusals"], **words.catalogue()["faults"]}
BOTH = [pytest.param(*name.split("/"), id=name) for name in decks.shipped()]


def standard(game: str) -> dict[str, Any]:
    return decks.read(game, "standard")


def the_fault(game: str, data: dict[str, Any]) -> Fault:
    """The one thing that is wrong with a deck; `read` must refuse it for the same reason."""
    found = decks.faults(game, data)
    assert len(found) == 1, found
    refused = refusal(game, data)
    assert (refused.rule, refused.code) == (found[0].rule, found[0].code)
    assert refused.values == {"key": found[0].key, **found[0].values}
    return found[0]


def is_said(refused: Refused) -> bool:
    """Whether there is a sentence of this very code with no hole left open, and its values can be sent."""
    json.dumps(refused.values, allow_nan=False).encode()
    sentence = reader.chosen(SENTENCES[refused.code], refused.values)
    assert sentence
    assert words.refusal(refused.rule, refused.code, refused.values)
    return all(hole in refused.values for hole in re.findall(r"\{(\w+)", sentence))


def refusal(game: str, deck: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        decks.read(game, deck)
    assert is_said(caught.value)
    return caught.value


# --- Shipped decks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "name"), BOTH)
def test_shipped_decks_have_no_faults(game: str, name: str) -> None:
    whole = decks.read(game, name)
    assert decks.faults(game, whole) == []
    assert decks.read(game, whole) == whole
    assert decks.read(game, json.loads(json.dumps(whole))) == whole
    assert decks.which(whole) == game


@pytest.mark.parametrize(("game", "name"), BOTH)
def test_shipped_decks_say_where_each_item_comes_from(game: str, name: str) -> None:
    deck = decks.read(game, name)
    items = [
        *deck.get("cards", ()),
        *deck.get("stones", ()),
        *deck.get("conditions", ()),
        *deck.get("kinds", {}).values(),
    ]
    assert items
    assert all(item["source"] for item in items)


@pytest.mark.parametrize("game", MODULES)
def test_every_number_of_players_can_play_the_standard_deck(game: str) -> None:
    module = MODULES[game]
    for players in module.PLAYERS:
        deck = standard(game)
        decks.for_players(game, deck, players)
        options = {option.name: option.start for option in module.OPTIONS}
        assert module.variant(players, options, deck).players == players


def test_shipped_names() -> None:
    assert {"darna/standard", "darna/tiny", "narabi/standard", "narabi/tiny"} <= set(decks.shipped())
    assert {"darwins-dice/standard", "darwins-dice/tiny"} <= set(decks.shipped())
    assert decks.names("darna") == ["standard", "tiny"]
    files = {f"{path.parent.name}/{path.stem}" for path in decks.FOLDER.glob("*/*")}
    assert files == set(decks.shipped())


def test_the_deck_of_darna() -> None:
    cards = standard("darna")["cards"]
    assert [card["number"] for card in cards] == list(range(1, 17))
    assert (cards[6]["name"], cards[6]["first"], cards[6]["second"]) == ("Valentina", "hide", "peek")
    assert cards[2]["name"] == "Lola Asay"
    assert [card["number"] for card in cards if "name" in card] == [3, 7]
    assert {card["number"] for card in cards if card["source"] == "rulebook"} == {7}
    assert decks.provenance(standard("darna")) == (15, 16)


def test_the_set_of_narabi() -> None:
    deck = standard("narabi")
    white = {stone["id"] for stone in deck["stones"] if stone["colour"] == "white"}
    assert white == {"0", "3", "4", "7", "8", "blank_white_1", "blank_white_2", "blank_white_3"}
    assert [stone["number"] for stone in deck["stones"]] == [*range(10), None, None, None, None, None]
    ids = "any white black even odd higher lower low high same_colour other_colour near far next_player previous_player"
    assert [condition["id"] for condition in deck["conditions"]] == ids.split()
    assert deck["sizes"]["5"] == {"row": 3, "out": {}}
    assert deck["sizes"]["3"] == {"row": 4, "out": {"9": 1, "blank_white": 1, "blank_black": 1}}
    assert deck["exchanges"] == 24
    assert decks.provenance(deck) == (30, 30)


def test_the_deck_of_darwins_dice() -> None:
    deck = standard("darwins-dice")
    assert tuple(deck["kinds"]) == darwin.NAMES
    assert sum(kind["copies"] for kind in deck["kinds"].values()) == 72
    assert [deck["kinds"][f"fox {n}"]["points"] for n in range(1, 9)] == [4, 3, 2, 1, 1, 2, 3, 4]
    assert deck["kinds"]["owl 9"]["points"] == 5
    assert (deck["kinds"]["scorpion 4.5"]["copies"], deck["kinds"]["scorpion 4.5"]["points"]) == (4, 1)
    assert deck["sizes"]["4"] == {"cards": 6, "rounds": 3}
    assert decks.provenance(deck) == (35, 35)


def test_tiny_decks_are_as_the_record_has_them() -> None:
    assert len(decks.read("darna", "tiny")["cards"]) == 3
    deck = decks.read("narabi", "tiny")
    assert (deck["exchanges"], len(deck["stones"]), list(deck["sizes"]), deck["sizes"]["3"]["row"]) == (2, 3, ["3"], 1)
    assert decks.read("darwins-dice", "tiny")["sizes"] == {"2": {"cards": 2, "rounds": 1}}


def test_what_is_read_is_the_readers_to_keep() -> None:
    first = standard("darna")
    first["cards"][0]["number"] = 99
    del first["cards"][1:]
    assert standard("darna")["cards"][0]["number"] == 1
    given = {"exchanges": 3, "stones": decks.read("narabi", "tiny")["stones"]}
    given |= {key: decks.read("narabi", "tiny")[key] for key in ("conditions", "sizes")}
    decks.read("narabi", given)["stones"].clear()
    assert len(given["stones"]) == 3
    assert len(standard("narabi")["stones"]) == 15


def test_text_is_the_file_as_it_is(tmp_path: Path) -> None:
    assert decks.text("darna/standard").startswith("# Darna")
    own = tmp_path / "own.toml"
    own.write_text("# mine\nexchanges = 3\n", encoding="utf-8-sig")
    assert decks.text(str(own)) == "# mine\nexchanges = 3\n"
    with pytest.raises(Refused) as caught:
        decks.text("darna/standart")
    assert (caught.value.code, caught.value.values["like"]) == ("unknown_deck_like", "darna/standard")


# --- What is left out is as shipped -----------------------------------------------------------------------------------


def test_what_is_left_out_is_as_in_the_standard_deck() -> None:
    assert decks.read("narabi", {"exchanges": 12}) == {**standard("narabi"), "exchanges": 12}
    assert decks.read("darna", {}) == standard("darna")


def test_what_is_given_replaces_the_whole_key() -> None:
    sizes = {"5": {"row": 3}}
    assert decks.read("narabi", {"sizes": sizes})["sizes"] == {"5": {"row": 3, "out": {}}}
    kinds = {"bear 1": {"copies": 72, "points": 1}}
    assert list(decks.read("darwins-dice", {"kinds": kinds})["kinds"]) == ["bear 1"]


def test_blank_stones_may_say_null_or_nothing() -> None:
    deck = standard("narabi")
    del deck["stones"][10]["number"]
    assert decks.read("narabi", deck) == standard("narabi")


# --- Faults of any deck -----------------------------------------------------------------------------------------------


def with_card(**changes: Any) -> dict[str, Any]:
    """The deck of Darna with other values in its fourth card; `...` takes a field out."""
    deck = standard("darna")
    card = {**deck["cards"][3], **changes}
    deck["cards"][3] = {key: value for key, value in card.items() if value is not ...}
    return deck


@pytest.mark.parametrize("value", [True, 3.0, "3", None, [3], {}, float("nan")])
def test_wrong_type(value: Any) -> None:
    fault = the_fault("darna", with_card(number=value))
    assert (fault.key, fault.code, fault.rule) == ("cards[3].number", "wrong_type", FORMAT)
    assert fault.values["wanted"] == "a whole number"


@pytest.mark.parametrize("value", [0, -1, 1000, 10**18, pytest.param(1 << 20000, id="huge")])
def test_out_of_range(value: int) -> None:
    fault = the_fault("darna", with_card(number=value))
    assert (fault.key, fault.code, fault.rule) == ("cards[3].number", "out_of_range", FORMAT)
    assert (fault.values["least"], fault.values["most"]) == (1, 999)


def test_unknown_field() -> None:
    fault = the_fault("darna", with_card(Secnd=1))
    assert (fault.key, fault.code, fault.values["like"]) == ("cards[3].Secnd", "unknown_field_like", "second")
    fault = the_fault("darna", with_card(**{"\n" * 500: 1}))
    assert (fault.code, fault.values["known"]) == ("unknown_field", ["number", "first", "second", "name", "source"])
    assert len(fault.values["field"]) < 70
    fault = the_fault("darna", {"card": []})
    assert (fault.key, fault.code, fault.values["like"]) == ("card", "unknown_field_like", "cards")
    fault = the_fault("narabi", {"rounds of play": 3})
    assert (fault.key, fault.code) == ('["rounds of play"]', "unknown_field")
    assert the_fault("darna", with_card(**{"8": 1})).code == "unknown_field"


def test_keys_that_are_no_words() -> None:
    deck: dict[Any, Any] = {1 << 20000: 1, None: 2}
    assert [fault.code for fault in decks.faults("darna", deck)] == ["unknown_field", "unknown_field"]
    sizes: dict[Any, Any] = {4: {"cards": 6, "rounds": 3}}
    fault = the_fault("darwins-dice", {"sizes": sizes})
    assert (fault.code, fault.values["known"]) == ("unknown_word_like", ["2", "3", "4"])


def test_missing_field() -> None:
    fault = the_fault("darna", with_card(second=...))
    assert (fault.key, fault.code, fault.rule) == ("cards[3].second", "missing_field", FORMAT)


def test_name_and_source_are_free_words() -> None:
    assert decks.faults("darna", with_card(name="Ang Babaeng Impakta ½", source="seen on the table")) == []
    for value in ("", " ", " a", "a\nb", "x" * 201, "\ud800"):
        assert the_fault("darna", with_card(source=value)).code == "bad_text"
    assert the_fault("darna", with_card(name="x" * 81)).values == {"most": 80}
    assert the_fault("darna", with_card(name=7)).code == "wrong_type"


def test_a_deck_is_an_object_or_a_name() -> None:
    values: list[Any] = [None, 3, [], True]
    for value in values:
        assert refusal("darna", value).code == "wrong_type"
        assert [fault.key for fault in decks.faults("darna", value)] == ["deck"]


def test_unknown_names() -> None:
    assert refusal("darna", "standart").values["like"] == "standard"
    assert refusal("darna", "darna/standard").code == "unknown_deck_like"
    assert refusal("darna", "../narabi/standard").rule == FORMAT
    assert refusal("darna", "zzz").code == "unknown_deck"
    assert refusal("darna", "small").values["known"] == ["standard", "tiny"]
    assert refusal("chess", "standard").code == "unknown_game"
    for ask in (decks.faults, decks.for_players):
        with pytest.raises(Refused, match="unknown_game"):
            ask("chess", {}, *[2] * (ask is decks.for_players))


def test_all_faults_at_once() -> None:
    deck = with_card(number=True, first="pek", extra=1)
    deck["cards"][5] = 6
    deck["cards"][7]["number"] = 1
    deck["title"] = "mine"
    found = {fault.key: fault.code for fault in decks.faults("darna", deck)}
    assert found == {
        "title": "unknown_field_like",
        "cards[3].extra": "unknown_field",
        "cards[3].number": "wrong_type",
        "cards[3].first": "unknown_word_like",
        "cards[5]": "wrong_type",
        "cards[7].number": "same_twice",
    } or found == {**found, "title": "unknown_field"}


def test_faults_are_not_without_end() -> None:
    deck = {f"key {i}": i for i in range(100_000)}
    assert len(decks.faults("darna", deck)) == decks.MOST_FAULTS


# --- Faults of a deck of Darna ----------------------------------------------------------------------------------------


def test_da_2_numbers_are_unique() -> None:
    fault = the_fault("darna", with_card(number=1))
    assert (fault.key, fault.code, fault.rule) == ("cards[3].number", "same_twice", "DA-2")
    assert fault.values == {"value": 1, "first": "cards[0].number"}


def test_da_2_instructions_are_known() -> None:
    fault = the_fault("darna", with_card(first="rotate_clockwize"))
    assert (fault.key, fault.code, fault.rule) == ("cards[3].first", "unknown_word_like", "DA-2")
    assert (fault.values["like"], fault.values["value"]) == ("rotate_clockwise", "rotate_clockwize")
    fault = the_fault("darna", with_card(second="zzz"))
    assert (fault.code, set(fault.values["known"])) == ("unknown_word", set(darna.INSTRUCTIONS))


def test_da_2_three_cards_at_least_and_more_than_players() -> None:
    cards = standard("darna")["cards"]
    fault = the_fault("darna", {"cards": cards[:2]})
    assert (fault.key, fault.code, fault.rule, fault.values["least"]) == ("cards", "too_few", "DA-2", 3)
    deck = decks.read("darna", {"cards": cards[:4]})
    decks.for_players("darna", deck, 3)
    for players in (4, 5):
        with pytest.raises(Refused) as caught:
            decks.for_players("darna", deck, players)
        assert (caught.value.rule, caught.value.code, caught.value.values["least"]) == (
            "DA-2",
            "too_few_cards",
            players + 1,
        )


def test_at_most_32_cards() -> None:
    cards = [{"number": n, "first": "peek", "second": "show"} for n in range(1, 34)]
    fault = the_fault("darna", {"cards": cards})
    assert (fault.key, fault.code, fault.rule) == ("cards", "too_many", FORMAT)
    assert the_fault("darna", {"cards": [*cards, *[{}] * 1000]}).values == {"count": 1033, "most": 32}
    assert decks.faults("darna", {"cards": cards[:32]}) == []


# --- Faults of a set of Narabi ----------------------------------------------------------------------------------------


def with_items(key: str, at: int, **changes: Any) -> dict[str, Any]:
    """The set of Narabi with other values in one stone or condition."""
    deck = standard("narabi")
    deck[key][at] = {**deck[key][at], **changes}
    return deck


def with_size(players: str, **changes: Any) -> dict[str, Any]:
    """The set of Narabi with another size."""
    deck = standard("narabi")
    deck["sizes"][players] = {**deck["sizes"][players], **changes}
    return deck


def test_na_1_stones_are_white_or_black_with_ids_and_numbers_of_their_own() -> None:
    fault = the_fault("narabi", with_items("stones", 2, colour="whit"))
    assert (fault.key, fault.code, fault.rule) == ("stones[2].colour", "unknown_word_like", "NA-1")
    fault = the_fault("narabi", with_items("stones", 2, id="0"))
    assert (fault.key, fault.code, fault.rule) == ("stones[2].id", "same_twice", "NA-1")
    fault = the_fault("narabi", with_items("stones", 2, number=0))
    assert (fault.key, fault.code, fault.rule) == ("stones[2].number", "same_twice", "NA-1")
    assert the_fault("narabi", with_items("stones", 2, number=100)).code == "out_of_range"
    assert the_fault("narabi", with_items("stones", 2, number=False)).code == "wrong_type"
    assert the_fault("narabi", with_items("stones", 2, id=2)).code == "wrong_type"
    assert the_fault("narabi", with_items("stones", 2, id="")).code == "bad_text"


def test_na_2_as_many_conditions_as_stones() -> None:
    deck = standard("narabi")
    deck["conditions"].pop()
    fault = the_fault("narabi", deck)
    assert (fault.key, fault.code, fault.rule) == ("conditions", "conditions_not_as_stones", "NA-2")
    assert fault.values == {"conditions": 14, "stones": 15}
    fault = the_fault("narabi", with_items("conditions", 4, id="any"))
    assert (fault.key, fault.code, fault.rule) == ("conditions[4].id", "same_twice", "NA-2")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("colour", "grey", "unknown_word"),
        ("parity", "evn", "unknown_word_like"),
        ("compared", "equal", "unknown_word"),
        ("at_least", -1, "out_of_range"),
        ("at_most", 100, "out_of_range"),
        ("distance_at_least", 2.0, "wrong_type"),
        ("distance_at_most", True, "wrong_type"),
        ("whose", 1, "wrong_type"),
        ("whose", [], "too_few"),
        ("whose", [1] * 9, "too_many"),
        ("suits", 3, "unknown_field"),
    ],
)
def test_fields_of_a_condition(field: str, value: Any, code: str) -> None:
    fault = the_fault("narabi", with_items("conditions", 0, **{field: value}))
    assert (fault.key, fault.code, fault.rule) == (f"conditions[0].{field}", code, FORMAT)


@pytest.mark.parametrize(("value", "code"), [(0, "seat_itself"), (5, "out_of_range"), (True, "wrong_type")])
def test_whose_is_a_list_of_seats_away(value: Any, code: str) -> None:
    fault = the_fault("narabi", with_items("conditions", 0, whose=[1, value]))
    assert (fault.key, fault.code) == ("conditions[0].whose[1]", code)


def test_a_condition_may_have_all_fields() -> None:
    fields = {"colour": "same", "parity": "odd", "at_least": 0, "at_most": 99, "compared": "lower"}
    fields |= {"distance_at_least": 1, "distance_at_most": 9}
    assert decks.faults("narabi", with_items("conditions", 0, **fields, whose=[1, -1, 2], name="All")) == []


def test_na_3_what_is_out_must_be_there() -> None:
    fault = the_fault("narabi", with_size("3", out={"9": 1, "blank_whit": 1, "blank_black": 1}))
    assert (fault.key, fault.code, fault.rule) == ("sizes.3.out.blank_whit", "unknown_word_like", "NA-3")
    fault = the_fault("narabi", with_size("3", out={"9": 2, "blank_white": 1}))
    assert (fault.key, fault.code, fault.rule) == ("sizes.3.out.9", "out_of_range", "NA-3")
    assert fault.values["most"] == 1
    fault = the_fault("narabi", with_size("3", out={"blank_black": 3}))
    assert fault.values["most"] == 2
    assert the_fault("narabi", with_size("3", out={"9": -1})).rule == FORMAT
    assert the_fault("narabi", with_size("3", out={"9": True})).code == "wrong_type"
    assert the_fault("narabi", with_size("3", out=["9"])).code == "wrong_type"
    assert decks.faults("narabi", with_size("3", out={"1": 1, "blank_white": 2, "9": 0})) == []


def test_na_4_rows_hold_all_stones_in_play() -> None:
    fault = the_fault("narabi", with_size("4", row=2))
    assert (fault.key, fault.code, fault.rule) == ("sizes.4", "stones_in_play", "NA-4")
    assert fault.values == {"players": 4, "row": 2, "needed": 8, "left": 12}
    assert the_fault("narabi", with_size("5", row=0)).code == "out_of_range"
    assert the_fault("narabi", with_size("5", rows=3)).code == "unknown_field_like"
    deck = standard("narabi")
    deck["sizes"]["6"] = {"row": 2, "out": {}}
    assert the_fault("narabi", deck).values["known"] == ["3", "4", "5"]
    assert the_fault("narabi", {"sizes": {}}).code == "too_few"


def test_na_4_a_set_says_how_so_many_play() -> None:
    deck = decks.read("narabi", "tiny")
    decks.for_players("narabi", deck, 3)
    with pytest.raises(Refused) as caught:
        decks.for_players("narabi", deck, 4)
    assert (caught.value.rule, caught.value.code) == ("NA-4", "no_size")
    assert caught.value.values == {"key": "sizes", "players": 4, "known": [3]}


def test_na_6_somebody_must_begin() -> None:
    deck = decks.read("narabi", "tiny")
    for stone in deck["stones"]:
        stone["number"] = None
    fault = the_fault("narabi", deck)
    assert (fault.key, fault.code, fault.rule) == ("sizes.3", "no_number", "NA-6")


def test_exchanges() -> None:
    assert the_fault("narabi", {"exchanges": 0}).code == "out_of_range"
    assert the_fault("narabi", {"exchanges": 24.0}).code == "wrong_type"


def test_fifteen_at_most() -> None:
    deck = standard("narabi")
    deck["stones"].append({"id": "10", "number": 10, "colour": "white"})
    deck["conditions"].append({"id": "more"})
    assert [fault.code for fault in decks.faults("narabi", deck)] == ["too_many", "too_many"]


# --- Faults of a deck of Darwin's Dice --------------------------------------------------------------------------------


def with_kind(name: str, **changes: Any) -> dict[str, Any]:
    """The deck of Darwin's Dice with other values in one kind."""
    deck = standard("darwins-dice")
    deck["kinds"][name] = {**deck["kinds"].get(name, {"copies": 0, "points": 1}), **changes}
    return deck


def test_dd_1_kinds_are_known() -> None:
    fault = the_fault("darwins-dice", with_kind("owl 4"))
    assert (fault.key, fault.code, fault.rule) == ('kinds["owl 4"]', "unknown_word_like", "DD-1")
    assert fault.values["like"] in ("owl 0", "owl 9")
    fault = the_fault("darwins-dice", with_kind("scorpion 4½"))
    assert fault.values["like"] == "scorpion 4.5"
    assert [fault.code for fault in decks.faults("darwins-dice", {"kinds": {}})] == ["too_few"]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("copies", -1, "out_of_range"),
        ("copies", 2.0, "wrong_type"),
        ("points", 100, "out_of_range"),
        ("points", "5", "wrong_type"),
        ("pionts", 5, "unknown_field_like"),
    ],
)
def test_fields_of_a_kind(field: str, value: Any, code: str) -> None:
    fault = the_fault("darwins-dice", with_kind("scorpion 4.5", **{field: value}))
    assert (fault.key, fault.code, fault.rule) == (f'kinds["scorpion 4.5"].{field}', code, FORMAT)


def test_dd_4_the_deck_is_used_up() -> None:
    deck = standard("darwins-dice")
    deck["sizes"]["3"]["cards"] = 7
    fault = the_fault("darwins-dice", deck)
    assert (fault.key, fault.code, fault.rule) == ("sizes.3", "not_used_up", "DD-4")
    assert fault.values == {"players": 3, "cards": 7, "rounds": 3, "needed": 63, "total": 72}
    found = decks.faults("darwins-dice", with_kind("owl 0", copies=3))
    assert [(fault.key, fault.values["total"]) for fault in found] == [
        ("sizes.2", 73),
        ("sizes.3", 73),
        ("sizes.4", 73),
    ]
    assert len(decks.faults("darwins-dice", with_kind("owl 0", copies=1))) == 3
    assert the_fault("darwins-dice", {"sizes": {"2": {"cards": 37, "rounds": 1}}}).code == "out_of_range"
    assert the_fault("darwins-dice", {"sizes": {"2": {"cards": 0, "rounds": 1}}}).code == "out_of_range"
    assert the_fault("darwins-dice", {"sizes": {"2": [9, 4]}}).code == "wrong_type"
    assert the_fault("darwins-dice", {"sizes": []}).code == "wrong_type"


def test_dd_4_a_deck_says_how_so_many_play() -> None:
    with pytest.raises(Refused) as caught:
        decks.for_players("darwins-dice", decks.read("darwins-dice", "tiny"), 3)
    assert (caught.value.rule, caught.value.code, caught.value.values["known"]) == ("DD-4", "no_size", [2])


def test_not_more_cards_than_the_rules_can_hold() -> None:
    deck = {"kinds": {"bear 1": {"copies": 126, "points": 1}}, "sizes": {"2": {"cards": 21, "rounds": 3}}}
    assert [fault.code for fault in decks.faults("darwins-dice", deck)] == ["out_of_range"]
    deck["kinds"] = {"bear 1": {"copies": 63, "points": 1}, "bear 2": {"copies": 63, "points": 1}}
    assert the_fault("darwins-dice", deck).code == "too_many"


# --- Whose deck it is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "game"),
    [
        ({"cards": []}, "darna"),
        ({"exchanges": 12}, "narabi"),
        ({"conditions": [], "sizes": {}}, "narabi"),
        ({"kinds": {}}, "darwins-dice"),
        ({"sizes": {"3": {"row": 4}}}, "narabi"),
        ({"sizes": {"3": {"cards": 8}}}, "darwins-dice"),
        ({"card": []}, "darna"),
        ({"Stones": []}, "narabi"),
    ],
)
def test_which(data: dict[str, Any], game: str) -> None:
    assert decks.which(data) == game


@pytest.mark.parametrize("data", [{}, {"sizes": {}}, {"sizes": 3}, {"cards": [], "kinds": {}}, {"zzz": 1}])
def test_which_cannot_tell(data: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        decks.which(data)
    assert caught.value.code == "which_game"
    assert caught.value.values["games"] == (["darna", "darwins-dice"] if "cards" in data else [])


# --- Files ------------------------------------------------------------------------------------------------------------


def broken(path: Path, said: bytes) -> Refused:
    path.write_bytes(said)
    with pytest.raises(Refused) as caught:
        decks.load(path)
    assert caught.value.rule == FORMAT
    assert caught.value.values["file"] == str(path)
    assert is_said(caught.value)
    return caught.value


def test_load_toml_and_json(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbf# from Windows\r\nexchanges = 12\r\n")
    (tmp_path / "a.json").write_text('{"exchanges": 12}')
    for path in (tmp_path / "a.toml", tmp_path / "a.json"):
        assert decks.load(path) == {"exchanges": 12}
        assert decks.read("narabi", path)["exchanges"] == 12


@pytest.mark.parametrize("name", decks.shipped())
def test_shipped_files_load(name: str) -> None:
    assert decks.read(name.split("/")[0], decks.FOLDER / f"{name}.toml") == decks.read(*name.split("/"))


@pytest.mark.parametrize(
    ("name", "said", "code", "line"),
    [
        ("a.toml", b"exchanges = 12\n\nstones = [\n", "broken_file", 4),
        ("a.toml", b"exchanges = 12\nexchanges = 13\n", "broken_file", 2),
        ("a.toml", b"exchanges = 12\nrow\n", "broken_file", 2),
        ("a.toml", b"a = " + b"[" * 30000, "broken_file", 1),
        ("a.toml", b"a = " + b"9" * 5000, "broken_file", 1),
        ("a.json", b'{"exchanges": 12,\n "a"}', "broken_file", 2),
        ("a.json", b"", "broken_file", 1),
        ("a.json", b"[" * 60000, "broken_file", 1),
        ("a.json", b'{"a": NaN}', "broken_file", 1),
        ("a.json", b'{"a": ' + b"9" * 5000 + b"}", "broken_file", 1),
        ("a.json", b"\n\n\xff", "not_utf8", 3),
        ("a.toml", b"# caf\xe9\n", "not_utf8", 1),
    ],
)
def test_broken_files_say_where(tmp_path: Path, name: str, said: bytes, code: str, line: int) -> None:
    refused = broken(tmp_path / name, said)
    assert (refused.code, refused.values["line"]) == (code, line)
    why = refused.values.get("why", "")
    assert "line" not in why
    assert "column" not in why
    assert len(why) < 200


def test_other_faults_of_files(tmp_path: Path) -> None:
    assert broken(tmp_path / "a.json", b'{"a": {"b": 1, "b": 2}}').code == "same_key"
    assert broken(tmp_path / "a.json", b"[1]").code == "not_an_object"
    assert broken(tmp_path / "a.json", b" " * (decks.LARGEST + 1)).values["limit"] == decks.LARGEST
    assert broken(tmp_path / "a.yaml", b"a: 1").code == "not_toml_or_json"
    for path, code in ((tmp_path / "none.toml", "no_file"), (tmp_path / "dir.toml", "unreadable")):
        (tmp_path / "dir.toml").mkdir(exist_ok=True)
        with pytest.raises(Refused) as caught:
            decks.load(path)
        assert caught.value.code == code
    assert caught.value.values["why"] == "Not a file"


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.toml"
    path.write_text("")

    def closed(*_: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(Refused) as caught:
        decks.load(path)
    assert (caught.value.code, caught.value.values["why"]) == ("unreadable", "Permission denied")


def test_found(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("exchanges = 12\n")
    (tmp_path / "bad.json").write_text('{"cards": [], "x": 1}')
    (tmp_path / "torn.toml").write_text("exchanges = \n")
    (tmp_path / ".hidden.toml").write_text("")
    (tmp_path / "notes.txt").write_text("")
    bad, own, torn = decks.found(tmp_path)
    assert (own.name, own.game, own.faults) == ("own.toml", "narabi", [])
    assert own.deck == {**standard("narabi"), "exchanges": 12}
    assert (bad.game, bad.deck, [fault.code for fault in bad.faults]) == ("darna", None, ["unknown_field", "too_few"])
    assert (torn.game, torn.deck, [fault.code for fault in torn.faults]) == (None, None, ["broken_file"])
    assert decks.found(tmp_path / "none") == []


# --- Whatever anybody hands in ----------------------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-5, 30)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["peek", "white", "0", "blank_white", "bear 1", "any", "number", "3"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every list or object within a value, with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


def mutate(deck: dict[str, Any], at: int, how: int, value: Any) -> None:
    """Put a value somewhere in a deck, take something out, or put the value beside it."""
    inside, key = places(deck)[at % len(places(deck))]
    if how == 0:
        inside[key] = value
    elif how == 1:
        del inside[key]
    elif isinstance(inside, list):
        inside.insert(key, copy.deepcopy(inside[key]))
    else:
        inside[str(value)] = inside[key]


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(decks.shipped()),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 2), VALUES), min_size=1, max_size=4),
)
def test_mutated_decks_are_refused_or_right(name: str, changes: list[tuple[int, int, Any]]) -> None:
    game = name.split("/")[0]
    deck = decks.read(*name.split("/"))
    for change in changes:
        if places(deck):
            mutate(deck, *change)
    found = decks.faults(game, deck)
    json.dumps([fault.values for fault in found], allow_nan=False).encode()
    if found:
        refused = refusal(game, deck)
        assert (refused.rule, refused.code, refused.values["key"]) == (found[0].rule, found[0].code, found[0].key)
    else:
        assert can_be_played(game, decks.read(game, deck))


@settings(deadline=None)
@given(st.sampled_from(list(MODULES)), VALUES)
def test_anything_is_refused_or_right(game: str, deck: Any) -> None:
    with contextlib.suppress(Refused):
        assert can_be_played(game, decks.read(game, deck))


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from([".toml", ".json"]))
def test_any_bytes_are_refused_or_read(tmp_path_factory: pytest.TempPathFactory, said: bytes, ending: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{ending}"
    path.write_bytes(said)
    with contextlib.suppress(Refused):
        assert isinstance(decks.load(path), dict)


def can_be_played(game: str, deck: dict[str, Any]) -> bool:
    """Whether somebody can play this deck through at random, at each number of players that may."""
    module: Any = MODULES[game]
    options = {option.name: option.start for option in module.OPTIONS} | ({"max_turns": 5} if game == "darna" else {})
    played = False
    for players in module.PLAYERS:
        try:
            decks.for_players(game, deck, players)
        except Refused:
            continue
        played = True
        play_through(module, module.variant(players, options, deck), random.Random(players))
    return played


def play_through(module: Any, v: Any, luck: random.Random) -> None:
    """One random game to its end."""
    s = module.State()
    module.setup(v, s)
    room = [0] * module.ACTIONS
    while not module.over(v, s):
        if n := module.outcomes(v, s):
            module.step(v, s, -1, module.draw(v, s, luck.randrange(n)))
            continue
        seat = luck.choice([seat for seat in range(v.players) if module.to_act(v, s) >> seat & 1])
        module.step(v, s, seat, luck.choice(room[: module.legal(v, s, seat, room)]))
