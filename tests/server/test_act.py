"""An action: stored before it is answered, once however often it is sent, and never on a table that has moved on."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from server.harness import FAST, Player, Served, error, ok, served, table_of


def test_a_resend_makes_one_move(server: Served) -> None:
    host, _guest = table_of(server)
    now = host.look()["now"]
    first = ok(host.try_(now["legal"][0], now["asked"], "one"))
    entries = host.look()["entry"]
    again = ok(host.try_(now["legal"][0], now["asked"], "one"))
    assert again["entry"] == first["entry"]
    assert host.look()["entry"] == entries


def test_resent_at_the_same_moment_it_is_still_one_move(server: Served) -> None:
    host, _guest = table_of(server)
    now, before = host.look()["now"], host.look()["entry"]
    body = {"id": "one", "at": now["asked"], "event": now["legal"][0]}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: host.browser.post(host.at("/act"), json=body), range(8)))
    assert {ok(answer)["entry"] for answer in answers} == {before + 1}
    assert host.look()["entry"] == before + 1


def test_the_same_id_for_another_action_is_refused(server: Served) -> None:
    host, _guest = table_of(server)
    now = host.look()["now"]
    ok(host.try_(now["legal"][0], now["asked"], "one"))
    others = [now["legal"][-1], {"act": "nonsense"}, {}, {"act": "choose", "card": "bear 99"}]
    for event in others:
        assert error(host.try_(event, now["asked"], "one"), 409) == "same_request"
    assert error(host.post("/talk", id="one", text="hello"), 409) == "same_request"


def test_ids_of_requests_are_each_seats_own(server: Served) -> None:
    host, guest = table_of(server)
    for one in (host, guest):
        now = one.look()["now"]
        ok(one.try_(now["legal"][0], now["asked"], "same"))
    assert host.look()["now"]["view"]["trick"] >= 1


def test_another_seats_choice_makes_nobodys_stale(server: Served) -> None:
    host, guest = table_of(server)
    mine = host.look()["now"]
    guest.act()
    after = host.look()["now"]
    assert after["asked"] == mine["asked"]
    assert after["legal"] == mine["legal"]
    ok(host.try_(mine["legal"][0], mine["asked"]))


def test_what_comes_too_late_is_refused_with_what_holds_now(server: Served) -> None:
    host, guest = table_of(server)
    old = host.look()["now"]
    host.act()
    guest.act()
    answer = host.try_(old["legal"][-1], old["asked"])
    assert error(answer, 409) == "stale"
    assert answer.json()["now"] == host.look()["now"]
    for at in (0, -5, 10**9):
        assert error(host.try_(old["legal"][-1], at), 409) == "stale"


def test_whoever_is_not_asked_is_told_so(server: Served) -> None:
    people = table_of(server, 2, "darna")
    now = people[0].look()["now"]
    waiting = people[1 - now["to_act"][0]]
    assert error(waiting.try_({"act": "draw"}, now["asked"] or 1), 409) == "stale"
    assert waiting.look()["now"]["legal"] == []
    assert waiting.look()["now"]["asked"] is None


def test_a_rule_refuses_with_its_id_and_a_sentence(server: Served) -> None:
    people = table_of(server, 2, "darna")
    acting = people[people[0].look()["now"]["to_act"][0]]
    now = acting.look()["now"]
    answer = acting.try_({"act": "peek", "place": 4}, now["asked"])
    assert error(answer, 422).startswith("DA-")
    assert answer.json()["rule"] == answer.json()["error"]
    assert acting.look()["now"] == now


@pytest.mark.parametrize(
    "event",
    [{}, {"act": "choose"}, {"act": "choose", "card": 7}, {"act": "choose", "card": "bear 1", "x": 1}, {"act": []},
     {"act": "choose", "card": "\ud800"}, {"card": {"a": [None] * 50}}, {"throw": {"colour": "bear"}}],
)  # fmt: skip
def test_what_is_no_event_is_refused(server: Served, event: dict[str, object]) -> None:
    host, _guest = table_of(server)
    now = host.look()["now"]
    assert error(host.try_(event, now["asked"]), 422)
    assert host.look()["now"] == now


@pytest.mark.parametrize("by", [1, "chance", True, None, 1.0, "0"])
def test_nobody_acts_for_another(server: Served, by: object) -> None:
    host, _guest = table_of(server)
    now = host.look()["now"]
    assert error(host.try_({**now["legal"][0], "by": by}, now["asked"]), 403) == "not_your_seat"


def test_a_program_plays_with_the_token_of_its_seat(server: Served) -> None:
    host, guest = table_of(server)
    program = Player(server.browser(Authorization=f"Bearer {guest.token}"))
    program.table = host.table
    assert program.look()["viewer"] == 1
    assert not program.look()["host"]
    program.act()
    assert guest.look()["now"]["view"]["has_chosen"] == [False, True]
    for token in ("x", "x" * 43, guest.token[:-1], host.token + "=", "\xe9"):
        stranger = server.browser(Authorization=f"Bearer {token}".encode("latin-1"))  # type: ignore[arg-type]
        assert error(stranger.get(host.at()), 401) == "bad_token"


def test_a_token_of_one_table_is_none_at_another(server: Served) -> None:
    host, _ = table_of(server)
    other, _ = table_of(server)
    stranger = server.browser(Authorization=f"Bearer {host.token}")
    assert error(stranger.get(other.at()), 401) == "bad_token"


def test_nothing_is_done_before_the_game_and_after_it(server: Served) -> None:
    host = Player(server.browser()).open()
    assert error(host.try_({"act": "choose", "card": "bear 1"}, 1), 409) == "not_started"
    assert error(host.browser.get(host.at("/record")), 409) == "not_started"
    assert error(host.browser.get(host.at("/hint")), 409) == "no_hint"
    assert error(host.browser.get(host.at("/steps/0")), 409) == "not_over"
    assert error(host.post("/again"), 409) == "not_over"


def test_tables_that_are_not_there(server: Served) -> None:
    browser = server.browser()
    for path in ("", "/stream", "/record", "/steps/0", "/hint", "/qr.svg"):
        assert error(browser.get(f"/api/tables/nowhere{path}"), 404) == "no_table"
    for path, body in (("/act", {"id": "a", "at": 1, "event": {}}), ("/join", {"name": "A"}), ("/code", None)):
        assert error(browser.post(f"/api/tables/nowhere{path}", json=body), 404) == "no_table"


def test_a_watcher_neither_acts_nor_talks(server: Served) -> None:
    host, _ = table_of(server)
    watcher = Player(server.browser())
    watcher.table = host.table
    seen = watcher.look()
    assert (seen["viewer"], seen["now"]["legal"], seen["now"]["asked"]) == ("spectator", [], None)
    assert not seen["talk_allowed"]
    assert error(watcher.try_({"act": "choose", "card": "bear 1"}, 1), 403) == "no_seat"
    assert error(watcher.post("/talk", id="a", text="hello"), 403) == "no_seat"
    assert error(watcher.browser.get(watcher.at("/hint")), 403) == "no_seat"
    assert error(watcher.post("/code"), 403) == "no_seat"
    assert error(watcher.post("/again"), 403) == "no_seat"


def test_talk_is_in_the_log_of_all_once(server: Served) -> None:
    host, guest = table_of(server)
    entry = ok(host.post("/talk", id="t", text=" Hello\n <b>you</b> "))["entry"]
    assert ok(host.post("/talk", id="t", text="Hello <b>you</b>"))["entry"] == entry
    assert guest.look()["log"][-1] == {"entry": entry, "talk": {"seat": 0, "text": "Hello <b>you</b>"}}
    assert error(host.post("/talk", id="t", text="other"), 409) == "same_request"
    assert error(host.post("/talk", id="u", text="  "), 422) == "talk_empty"
    assert error(host.post("/talk", id="v", text="x" * 501), 422) == "talk_too_long"
    assert error(host.post("/talk", id="w", text="a\u202eb"), 422) == "talk_bad"


def test_a_table_keeps_so_many_lines_of_talk(tmp_path: Path) -> None:
    with served(tmp_path, limits=replace(FAST, lines=3)) as small:
        host, guest = table_of(small)
        for k in range(3):
            ok(guest.post("/talk", id=f"t{k}", text="hm"))
        assert error(host.post("/talk", id="x", text="hm"), 409) == "talk_full"
        ok(guest.post("/talk", id="t2", text="hm"))  # sent again


def test_talk_makes_no_decision_stale(server: Served) -> None:
    host, guest = table_of(server)
    now = host.look()["now"]
    ok(guest.post("/talk", id="t", text="hm"))
    assert host.look()["now"] == now
    ok(host.try_(now["legal"][0], now["asked"]))


def test_at_a_silent_table_nobody_talks_while_it_is_played(server: Served) -> None:
    host = Player(server.browser()).open("narabi", 3, options={"silent": True})
    ok(host.post("/talk", id="t", text="before"))
    for _ in range(2):
        Player(server.browser()).join(host.table)
    assert not host.look()["talk_allowed"]
    assert error(host.post("/talk", id="u", text="during"), 403) == "silent"


def test_a_hint_is_one_of_what_is_legal_and_the_same_when_asked_again(server: Served) -> None:
    host, _ = table_of(server)
    first = ok(host.browser.get(host.at("/hint?bot=simple")))
    assert first["event"] in host.look()["now"]["legal"]
    assert first["why"]["code"]
    assert ok(host.browser.get(host.at("/hint?bot=simple"))) == first
    assert error(host.browser.get(host.at("/hint?bot=nobody")), 422) == "unknown_bot"
    host.act()
    assert error(host.browser.get(host.at("/hint")), 409) == "no_hint"
