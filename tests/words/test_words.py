"""The words say what they should, to whom they should, and nothing is missing from the catalogue.

vectors.json holds facts as viewers got them and the sentences of each; web/src/lib/words.test.ts reads the same file.
With KUBLI_WRITE=1 the sentences are written anew, to be read in review like code.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubli import words
from kubli.games import GAMES
from kubli.games.kit import EVERYONE, NOBODY, Luck
from kubli.words import reader

WORDS = words.catalogue()
VECTORS = Path(__file__).with_name("vectors.json")
DATA: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))
SOURCE = Path(words.__file__).parents[1]
DOCS = Path(__file__).parents[2] / "docs" / "rules"


def entries(section: str) -> Iterator[tuple[str, Any]]:
    """Every entry of a section with its path."""

    def walk(path: str, node: Any) -> Iterator[tuple[str, Any]]:
        if isinstance(node, dict):
            for key, one in node.items():
                yield from walk(f"{path}.{key}", one)
        else:
            yield path, node

    yield from walk(section, WORDS[section])


def sentences() -> list[tuple[str, str]]:
    """Every sentence of the catalogue with its path."""
    said: list[tuple[str, str]] = []
    for section in WORDS:
        if section not in ("language", "told"):
            for path, entry in entries(section):
                said += [(path, entry)] if isinstance(entry, str) else [(path, one["say"]) for one in entry]
    return said


# --- What is said of each vector --------------------------------------------------------------------------------------


def teller(one: dict[str, Any]) -> words.Teller:
    found = words.Teller(one["game"], one["viewer"], one["seats"], one.get("deck"))
    found.ring = {int(place): stone for place, stone in one.get("ring", {}).items()}
    return found


def told(table: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a table's vectors, as they are said."""
    speaker, lines = teller(table), []
    for line in table["lines"]:
        fact = line["fact"]
        also = {"mark": speaker.mark(fact), "why": words.text(speaker.why(fact))}
        lines.append(
            {"fact": fact, "says": words.text(speaker.say(fact)), **{name: one for name, one in also.items() if one}}
        )
    return lines


def of_page(one: dict[str, Any]) -> str:
    group, key = one["key"].split(".")
    entry = WORDS["ui"][group][key]
    if "table" not in one:
        return words.text(reader.render(WORDS, reader.chosen(entry, one["values"]) or "", one["values"]))
    game, viewer, seats = one["table"]
    return words.text(teller({**one, "game": game, "viewer": viewer, "seats": seats}).line(entry, one["values"]))


SAY: dict[str, Callable[[dict[str, Any]], str]] = {
    "reasons": lambda one: words.text(teller(one).reason(one["why"])),
    "refusals": lambda one: words.refusal(one["rule"], one["code"], one["values"]),
    "errors": lambda one: words.error(one["code"], one["values"]),
    "ui": of_page,
    "conditions": lambda one: reader.condition_more(WORDS, one["item"]),
}


def written() -> dict[str, Any]:
    """The vectors with the sentences as they are said now."""
    tables = [{**table, "lines": told(table)} for table in DATA["tables"]]
    rest = {name: [{**one, "says": say(one)} for one in DATA[name]] for name, say in SAY.items()}
    return {"tables": tables, **rest}


def as_text(data: dict[str, Any]) -> str:
    """The vectors as a file, a vector a line."""

    def line(one: Any) -> str:
        return json.dumps(one, ensure_ascii=False)

    def listed(items: list[Any], indent: str) -> str:
        return "[\n" + ",\n".join(f"{indent} {line(one)}" for one in items) + f"\n{indent}]"

    tables = []
    for table in data["tables"]:
        head = "".join(f'  "{name}": {line(one)},\n' for name, one in table.items() if name != "lines")
        tables.append(f'  {{\n{head}  "lines": {listed(table["lines"], "  ")}\n  }}')
    rest = "".join(f',\n "{name}": {listed(data[name], " ")}' for name in SAY)
    return '{\n "tables": [\n' + ",\n".join(tables) + "\n ]" + rest + "\n}\n"


if "KUBLI_WRITE" in os.environ:
    DATA = written()
    VECTORS.write_text(as_text(DATA), encoding="utf-8")


def test_vectors_are_said() -> None:
    for name, vectors in DATA.items():
        for now, then in zip(written()[name], vectors, strict=True):
            assert now == then


def test_vectors_hold_nothing_unsaid() -> None:
    known = {one["says"] for one in DATA["refusals"] if "…" in one["says"]}
    assert len(known) == 3  # the ones that are cut, or given nothing, on purpose
    for table in DATA["tables"][:-1]:  # the last is of facts that nobody checked
        for line in table["lines"]:
            assert not re.search(r"[{}…_#]|None|null|  ", line["says"]), line
    for name in ("reasons", "errors", "ui", "conditions"):
        assert not [one for one in DATA[name] if re.search(r"[{}…#]|None|null|  ", one["says"])]


def test_vectors_use_every_variant_of_every_fact() -> None:
    used: set[tuple[str, str, str]] = set()
    for table in DATA["tables"]:
        speaker, facts = teller(table), WORDS["facts"][table["game"]]
        for fact in (line["fact"] for line in table["lines"]):
            for what in (fact["what"], f"{fact['what']}_why"):
                values = {**fact, **speaker._more(fact["what"], fact)}
                used.add((table["game"], what, reader.chosen(facts.get(what), values, speaker.me) or ""))
            speaker.say(fact)
    every = {(g, what, one["say"]) for g, facts in WORDS["facts"].items() for what, vs in facts.items() for one in vs}
    assert every - used == set()


@pytest.mark.parametrize("section", ["bots", "errors", "refusals", "faults", "cli", "ui"])
def test_every_entry_is_said_whole(section: str) -> None:
    """Each sentence with a value in every hole that it has: nothing is left open, and nothing breaks."""
    for path, entry in entries(section):
        for said in [entry] if isinstance(entry, str) else [one["say"] for one in entry]:
            holes = {hole.split("|")[0].split(" ")[0] for hole in re.findall(r"\{([^{}]*)\}", said)}
            for value in (1, 2, "word", ["a", "b"]):
                values = {hole.removesuffix("'s").lower(): value for hole in holes}
                spans = reader.render(WORDS, said, values)
                assert "|" in said or not re.search("[{}|…]", words.text(spans)), path


# --- The catalogue ----------------------------------------------------------------------------------------------------


def test_the_file_has_each_key_once_and_is_written_in_one_way() -> None:
    """So that several people can add keys: load, add, dump with indent=1."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs), pairs
        return dict(pairs)

    said = (Path(words.__file__).parent / "en.json").read_text(encoding="utf-8")
    assert said == json.dumps(json.loads(said, object_pairs_hook=once), indent=1, ensure_ascii=False) + "\n"


def test_sentences_are_set_as_they_should_be() -> None:
    for path, said in sentences():
        plain = re.sub(r"\{[^{}]*\}", "#", said)
        assert not re.search(r"""['"`]|--(?![a-z])|1/2|4\.5|\.\.\.|  """, plain), path
        assert plain == plain.strip() or path.startswith(("forms.", "faults.at")), path
        assert not re.search(r"\b(oops|please|sorry|whoops)\b", plain, re.I), path
        if not path.startswith(("ui.app", "ui.about")):  # general talk of owners, no player
            assert not re.search(r"\b(he|she|his|him|hers?|theirs?)\b", plain, re.I), path
        if "!" in plain:
            assert re.search(r"win|Darna!|Puting Bato!", plain), path


def test_holes_are_whole() -> None:
    for path, said in sentences():
        outside = re.sub(r"\{[^{}]*\}", "", said)
        assert not re.search("[{}]", outside), path
        for hole in re.findall(r"\{([^{}]*)\}", said):
            head, *cases = hole.split("|")
            assert re.fullmatch(r"[A-Za-z_]+('s)?( [a-z]+){0,2}", head), (path, hole)
            if cases:
                kinds = [case.partition(":")[0] for case in cases]
                assert re.fullmatch(r"(=\d+ )*(one )?other", " ".join(kinds)), path


def test_refusals_say_what_then_why() -> None:
    for path, entry in [*entries("refusals"), *entries("errors")]:
        for said in [entry] if isinstance(entry, str) else [one["say"] for one in entry]:
            assert re.search(r"[.:?] ?.+[.}]$", said), path


def test_the_actor_is_you_and_nobody_else() -> None:
    for table in DATA["tables"]:
        for line in table["lines"]:
            if not isinstance(table["viewer"], int):
                assert not re.search(r"\byou\b|\byour\b", line["says"].split("“")[0], re.I) or "asked" in line["says"]


@pytest.mark.parametrize("prefix", ["DA", "NA", "DD"])
def test_every_rule_has_a_title_and_a_refusal(prefix: str) -> None:
    count = 22 if prefix == "DA" else 20
    ids = [f"{prefix}-{n}" for n in range(1, count + 1)]
    assert [one for one in WORDS["rules"] if one.startswith(prefix)] == ids
    assert set(ids) <= set(WORDS["refusals"])


def test_every_rule_of_the_docs_has_a_title() -> None:
    named = {id_ for file in DOCS.glob("*.md") for id_ in re.findall(r"\b(?:DA|NA|DD)-\d+", file.read_text("utf-8"))}
    assert named - set(WORDS["rules"]) == set()


RAISED = {
    r'\b(?:fault|nearest)\(\s*"(\w+)"': ("refusals", "faults"),
    r'\b(?:Refused|Fault|unknown)\([^(){}]*?,\s*"([a-z]\w*)"': ("refusals", "faults"),
    r'\bProblem\(\s*\d+,\s*"(\w+)"': ("errors", "refusals", "faults"),
    r'\b(?:words\.)?error\(\s*"(\w+)"': ("errors",),
    r'\bwords\.cli\(\s*"(\w+)"': ("cli",),
    r'"code":\s*"(\w+)"': ("bots",),
}
"""How a code stands in the program, and in which sections its sentence may be."""


@pytest.mark.parametrize("pattern", list(RAISED))
def test_every_code_of_the_program_has_a_sentence(pattern: str) -> None:
    found = {
        (code, file.name)
        for file in SOURCE.rglob("*.py")
        for code in re.findall(pattern, file.read_text(encoding="utf-8"))
        if '"code":' not in pattern or file.parent.name == "bots"
    }
    assert found
    said = set().union(*(WORDS[section] for section in RAISED[pattern]))
    assert {one for one in found if one[0] not in said} == set()


# --- With the games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(GAMES))
def test_every_fact_of_a_game_has_sentences_that_name_its_fields(name: str) -> None:
    facts = {fact.what: fact for fact in GAMES[name].FACTS}
    said = {what for what in WORDS["facts"][name] if not what.endswith("_why")}
    assert said == set(facts)
    for what, variants in WORDS["facts"][name].items():
        known = {*facts[what.removesuffix("_why")].fields, "rule", "came", "ring", "equals", "why"}
        for one in variants:
            holes = {hole.split("|")[0].split(" ")[0] for hole in re.findall(r"\{([^{}]*)\}", one["say"])}
            assert {hole.removesuffix("'s").lower() for hole in holes} <= known
            assert set(one.get("when", {})) <= known


@pytest.mark.parametrize("name", list(GAMES))
def test_marks_are_of_the_fields_that_not_everybody_may_know(name: str) -> None:
    for fact in GAMES[name].FACTS:
        hidden = {field for field, one in fact.fields.items() if one.known not in (EVERYONE, NOBODY)}
        assert set(WORDS["told"][name].get(fact.what, {})) == hidden, fact.what


@pytest.mark.parametrize("name", list(GAMES))
def test_options_have_words(name: str) -> None:
    assert {option.name for option in GAMES[name].OPTIONS} <= set(WORDS["ui"]["options"])


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_is_told_whole(name: str) -> None:
    """Random games: every fact, for every viewer, has a sentence without a gap, and no name that it should not have."""
    from kubli.play.chance import Seeded
    from kubli.play.table import SPECTATOR, Table

    for players in GAMES[name].PLAYERS:
        table, rng = Table(name, players, chance=Seeded(players, 0)), Luck(players)
        table.advance()
        while not table.over:
            seat = rng.pick(table.to_act)
            table.act(seat, rng.pick(table.legal(seat)))
        names = [f"Name{seat}" for seat in range(players)]
        for viewer in [*range(players), SPECTATOR, None]:
            speaker = words.Teller(name, viewer, names)
            for fact in table.facts if viewer is None else table.told(viewer):
                said = words.text(speaker.say(fact))
                assert not re.search(r"[{}…_#]|None|null|  |\bplace \d", said), (fact, said)
                assert viewer is None or f"Name{viewer}" not in said.split("“")[0].split(":")[0], said


# --- Whatever comes ---------------------------------------------------------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("0123ab"), inner, max_size=3),
    max_leaves=4,
)
FIELDS = sorted({field for table in DATA["tables"] for line in table["lines"] for field in line["fact"]})
FACTS = sorted({line["fact"]["what"] for table in DATA["tables"] for line in table["lines"]})


@given(
    st.sampled_from(list(WORDS["facts"])),
    st.lists(st.tuples(st.sampled_from(FACTS), st.dictionaries(st.sampled_from(FIELDS), ANYTHING)), max_size=3),
    ANYTHING,
    ANYTHING,
)
def test_nothing_that_is_told_breaks_the_reader(
    game: str, facts: list[tuple[str, dict[str, Any]]], viewer: Any, value: Any
) -> None:
    speaker = words.Teller(game, viewer, ["Tala", None, "Jonas"])
    for what, fields in facts:
        assert words.text(speaker.say({**fields, "what": what}))
    words.text(speaker.reason({"code": "nearer_order", "own": value, "other": value, "place": value}))
    assert words.refusal("FORMAT", "wrong_type", {"field": value, "where": value, "wanted": value})
    assert words.error("too_many_requests", {"limit": value, "seconds": value})


def test_what_others_wrote_is_cut_and_cleaned() -> None:
    said = words.refusal("FORMAT", "unknown_field", {"field": "a\u202eb\n" + "x" * 500, "where": "event"})
    assert not re.search("[\u202e\n]", said)
    assert len(said) < 150


def test_readers_are_told_whom_a_mark_is_for() -> None:
    spans = words.say("darna", {"what": "peeked", "seat": 1, "place": 2}, 0, ["Ligaya", "Tala", "Jonas"])
    assert spans == [
        {"seat": 1, "t": "Tala"},
        {"t": " peeked at "},
        {"place": 2, "seat": 2, "t": "Jonas\u2019s Stone"},
        {"t": "."},
    ]


def test_a_title_and_what_has_none() -> None:
    assert words.title("DA-10") == "Peek"
    assert words.title("DA-99") == "DA-99"
    with pytest.raises(FileNotFoundError):
        words.catalogue("xx")
