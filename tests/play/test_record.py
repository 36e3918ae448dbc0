"""The record's format: what is read, what is refused and how, and that nothing at all makes it fall over."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kubli import words
from kubli.games.contract import Refused
from kubli.play.record import LIMIT, Illegal, lines, parse, write
from kubli.play.replay import answer, read, replay
from laws.worlds import COUNTS, sizes, steps

SMALL: dict[str, Any] = {"game": "darna", "players": 2, "events": [{"by": "chance", "deal_stone": 4}]}


def refused(line: bytes) -> Illegal:
    with pytest.raises(Illegal) as found:
        answer(parse(line))
    assert len(words.refusal(found.value.rule, found.value.code, found.value.values)) > 10
    return found.value


def changed(**more: Any) -> bytes:
    return json.dumps({**SMALL, **more}).encode()


def told(*facts: Any, **more: Any) -> bytes:
    return json.dumps({"game": "darna", "players": 2, "as": 0, "told": facts, **more}).encode()


def test_only_game_players_and_events_must_be_there() -> None:
    found = answer(parse(json.dumps(SMALL).encode()))
    assert found["ok"]
    assert not found["finished"]
    for name in SMALL:
        assert refused(json.dumps({key: SMALL[key] for key in SMALL if key != name}).encode()).code == "missing_field"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "not_json"),
        (b"\xff\xfe{}", "not_utf8"),
        (b'{"game":"darna","game":"darna"}', "duplicate_key"),
        (b'{"game":"darna","players":2,"events":[{"by":0,"by":1}]}', "duplicate_key"),
        (b"[" * 100_000, "too_deep"),
        (b'{"game":"darna","players":2,"events":[' + b'{"a":' * 100_000, "too_deep"),
        (b'{"game":"darna","players":NaN,"events":[]}', "not_json"),
        (b'{"game":"darna","players":' + b"9" * 5000 + b',"events":[]}', "number_too_long"),
        (b'{"game":"darna","players":2,"events":[],"seats":["\\ud800","a"]}', "lone_surrogate"),
        (b"[]", "wrong_type"),
        (b"null", "wrong_type"),
        (changed(players=2.0), "wrong_type"),
        (changed(players=True), "wrong_type"),
        (changed(players="2"), "wrong_type"),
        (changed(players=9), "players_out_of_range"),
        (changed(game="chess"), "unknown_game"),
        (changed(kubli=2), "unknown_version"),
        (changed(kubli=True), "wrong_type"),
        (changed(rules="0.0"), "unknown_rules"),
        (changed(extra=1), "unknown_field"),
        (changed(options={"speed": 1}), "unknown_option"),
        (changed(options={"first": True}), "wrong_type"),
        (changed(options={"first": 2}), "option_out_of_range"),
        (changed(deck="gold"), "unknown_deck"),
        (changed(seats=["a"]), "seats_count"),
        (changed(seats=["a", 1]), "wrong_type"),
        (changed(seed=1.5), "wrong_type"),
        (changed(notes=[{"at": 0, "by": None}]), "missing_field"),
        (changed(notes=[{"at": 9, "by": None, "what": "x"}]), "note_at"),
        (changed(fairness={"secret": "xyz"}), "not_hex"),
        (changed(fairness={"draws": [[3, 3]]}), "draw"),
        (changed(fairness={"key": 1}), "unknown_field"),
        (changed(result={"winner": 0}), "result"),
        (changed(told=[], **{"as": 0}), "told_and_events"),
        (json.dumps({"game": "darna", "players": 2, "as": 5, "told": []}).encode(), "viewer"),
        (told(options={"speed": 1}), "unknown_option"),
        (told(deck="gold"), "unknown_deck"),
        (told(3), "wrong_type"),
        (told({"what": "turn", "rule": "DA-6"}), "missing_field"),
        (told({"what": "turn", "event": 1.0, "rule": "DA-6"}), "wrong_type"),
        (told({"what": "answered", "event": 1, "rule": "DA-6"}), "unknown_word"),
        (told({"what": "turn", "event": 1, "rule": "DA-6", "face": "plain"}), "unknown_field"),
        (changed(seed=0)[:-1] + b',"notes":[{"at":0,"by":null,"what":"x","y":1e999}]}', "number_too_long"),
        (b'{"game":"darna",' + b",".join(b'"%d":1' % i for i in range(99_999)) + b',"99998":1}', "duplicate_key"),
    ],
)
def test_a_header_that_may_not_be_is_refused_with_index_minus_one(line: bytes, code: str) -> None:
    why = refused(line)
    assert (why.index, why.code) == (-1, code)
    assert why.rule == ("DA-6" if code == "option_out_of_range" else "FORMAT")


def test_a_line_cut_short_is_wrong_where_it_ends() -> None:
    why = refused(b'{"game": "darna"\r\n')
    assert (why.values["line"], why.values["column"]) == (1, 17)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (7, "wrong_type"),
        ({"deal_card": 3, "to": 0}, "missing_field"),
        ({"by": 2, "act": "draw"}, "by"),
        ({"by": True, "act": "draw"}, "by"),
        ({"by": "me", "act": "draw"}, "by"),
        ({"by": "chance", "deal_card": "3", "to": 0}, "wrong_type"),
        ({"by": "chance", "deal_card": 3, "to": 0, "now": 1}, "unknown_field"),
    ],
)
def test_a_malformed_event_is_refused_by_its_index(event: Any, code: str) -> None:
    why = refused(changed(events=[SMALL["events"][0], event]))
    assert (why.index, why.rule, why.code) == (1, "FORMAT", code)


def test_a_result_must_agree_with_the_events() -> None:
    table = list(steps("darwins-dice", 2, Random(1)))[-1]
    record = table.record()
    assert replay(parse(write(record).encode())).over
    assert table.result is not None
    points = table.result["points"]
    for wrong in (None, {"points": [1, 2]}, {**table.result, "winners": [0.0]}, {"points": points, "x": 1}):
        why = refused(write({**record, "result": wrong}).encode())
        assert (why.index, why.code) == (-1, "result")
    assert refused(write({**record, "result": {"utilities": [10**400, 0]}}).encode()).code == "result"
    del record["result"]
    assert answer(parse(write(record).encode()))["finished"]


def test_what_one_viewer_was_told_is_read_and_not_checked() -> None:
    told = [{"what": "turn", "event": 3, "rule": "DA-6", "seat": 0, "number": 1}]
    found = answer(parse(json.dumps({"game": "darna", "players": 2, "as": "spectator", "told": told}).encode()))
    assert found["told"] == {"spectator": told}
    assert found["checked"] is False


def test_what_one_viewer_was_told_is_not_another_viewers() -> None:
    line = json.dumps({"game": "darna", "players": 2, "as": 0, "told": []}).encode()
    assert answer(parse(line), 0)["told"] == {"0": []}
    with pytest.raises(Illegal) as refused:
        answer(parse(line), 1)
    assert (refused.value.index, refused.value.code) == (-1, "told_to_another")


def test_a_file_may_be_lines_or_one_object_over_many(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n" + json.dumps(SMALL) + "\n\n" + json.dumps(SMALL))
    assert len(read(path)) == 2
    path.write_text(json.dumps(SMALL, indent=2))
    assert len(read(path)) == 1
    path.write_text("")
    assert read(path) == []


def test_after_a_bad_line_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps(SMALL).encode()
    path.write_bytes(b'{"game": "dar\n' + good + b"\n\xff\n" + b"x" * (LIMIT + 2) + b"\n" + good)
    found = []
    for line in lines(path):
        try:
            if isinstance(line, Refused):
                raise line
            found.append(answer(parse(line))["ok"])
        except Refused as why:
            found.append(why.code)
    assert found == ["not_json", True, "not_utf8", "line_too_long", True]


def test_a_brace_alone_is_a_bad_line_if_records_follow(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{\n" + json.dumps(SMALL) + "\n")
    assert [line.strip() for line in lines(path) if isinstance(line, bytes)] == [b"{", json.dumps(SMALL).encode()]
    broken = json.dumps({**SMALL, "players": "two"}, indent=2)[:-1]
    path.write_text(broken)
    assert list(lines(path)) == [broken.encode()]


def mutated(value: Any, random: Random) -> Any:
    """The same record with one thing in it changed."""
    value = json.loads(json.dumps(value))
    spots: list[tuple[Any, Any]] = []

    def walk(one: Any) -> None:
        for key in one if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ():
            spots.append((one, key))
            walk(one[key])

    walk(value)
    where, key = random.choice(spots)
    kind = random.randrange(4)
    if kind == 0:
        del where[key]
    elif kind == 1 and isinstance(where, dict):
        where[random.choice(["by", "act", "x", "to", "card"])] = where.pop(key)
    elif kind == 2 and isinstance(where, list):
        where.insert(key, where[key])
    else:
        where[key] = random.choice([None, True, -1, 0, 1, 3.0, 10**30, "", "chance", "bear 9", [], {}, [[]], "\u202e"])
    return value


@pytest.mark.parametrize(("game", "players"), COUNTS)
def test_mutated_records_are_accepted_or_refused_in_one_sentence(game: str, players: int) -> None:
    random = Random(f"mutate {game} {players}")
    for _ in range(sizes(30, 500)):
        table = list(steps(game, players, random))[-1]
        line = write(mutated(table.record(), random)).encode()
        if random.random() < 0.2:
            line = line[: random.randrange(len(line))]
        if random.random() < 0.1:
            i = random.randrange(len(line) + 1)
            line = line[:i] + bytes([random.randrange(256)]) + line[i:]
        try:
            assert answer(parse(line))["ok"]
        except Illegal as why:
            sentence = words.refusal(why.rule, why.code, why.values)
            assert "\n" not in sentence
            assert sentence.endswith((".", "?"))
