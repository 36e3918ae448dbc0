"""The stream: every entry in order, from where one left off; the same for two tabs; ended when the server stops."""

from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from kubli.server import messages
from server.harness import FAST, Player, Served, error, play_out, served, table_of, wait


def test_a_stream_brings_every_entry_as_the_log_has_it(server: Served) -> None:
    people = table_of(server, 3)
    listening = [one.listen() for one in people]
    play_out(people)
    for one, stream in zip(people, listening, strict=True):
        whole = one.look()
        stream.until(whole["entry"])
        assert stream.entries() == whole["log"]
        assert [entry["entry"] for entry in stream.entries()] == list(range(1, whole["entry"] + 1))
        news = [event for event in stream.seen if event["event"] == "entry"]
        for event in news:
            TypeAdapter(messages.News).validate_python(event["data"], strict=False)
            assert event["id"] == str(event["data"]["entry"]) == str(event["data"]["entries"][-1]["entry"])
        assert news[-1]["data"]["now"] == whole["now"]
        assert news[-1]["data"]["state"] == "over"


def test_a_stream_goes_on_where_it_left_off(server: Served) -> None:
    people = table_of(server)
    for _ in range(3):
        for one in people:
            one.act()
    whole = people[0].look()
    middle = whole["entry"] - 4
    for listening in (
        people[0].listen(after=middle),
        people[0].listen(after=0, **{"Last-Event-ID": str(middle)}),
    ):
        listening.until(whole["entry"])
        assert listening.entries() == whole["log"][middle:]
    nothing = people[0].listen(after=whole["entry"])
    wait(lambda: nothing.seen)
    assert nothing.seen[0]["event"] == "seats"
    assert nothing.entries() == []


def test_places_that_are_not_in_the_log(server: Served) -> None:
    host, _ = table_of(server)
    for query in ("after=-1", "after=x", "after=1.5", "after=99999999999999999999999"):
        assert error(host.browser.get(host.at(f"/stream?{query}")), 422)
    assert error(host.browser.get(host.at("/stream?after=9999")), 422) == "bad_after"
    for place in ("x", "-1", "1 2", "9" * 30, "²"):
        headers = {b"Last-Event-ID": place.encode()}
        assert error(host.browser.get(host.at("/stream"), headers=headers), 422)


def test_two_tabs_of_one_player_get_the_same(server: Served) -> None:
    host, guest = table_of(server)
    entry = host.look()["entry"]
    tabs = [host.listen(entry), host.listen(entry)]
    for _ in range(3):
        tabs[0].until(host.act()["entry"])
        guest.act()
        entry = host.look()["entry"]
        for tab in tabs:
            tab.until(entry)
    first, second = ([event for event in tab.seen if event["event"] == "entry"] for tab in tabs)
    assert [one["data"]["entries"] for one in first] == [one["data"]["entries"] for one in second]
    assert first[-1] == second[-1]


def test_a_person_is_here_while_a_page_of_theirs_is_open(tmp_path: Path) -> None:
    with served(tmp_path, limits=replace(FAST, ping=0.05)) as quick:
        host, guest = table_of(quick)
        watching = host.listen(host.look()["entry"])
        assert [seat["here"] for seat in host.look()["seats"]] == [True, False]
        theirs = guest.listen()
        wait(lambda: any(event["data"]["seats"][1]["here"] for event in watching.seen if event["event"] == "seats"))
        theirs.close()
        wait(lambda: not host.look()["seats"][1]["here"])
        wait(lambda: not [e for e in watching.seen if e["event"] == "seats"][-1]["data"]["seats"][1]["here"])


def test_a_named_ping_is_a_sign_of_life(tmp_path: Path) -> None:
    with served(tmp_path, limits=replace(FAST, ping=0.05)) as quick:
        host = Player(quick.browser()).open()
        listening = host.listen()
        wait(lambda: [event["event"] for event in listening.seen].count("ping") >= 3)
        assert {event["id"] for event in listening.seen if event["event"] == "ping"} == {None}


def test_the_server_stops_with_streams_open(tmp_path: Path) -> None:
    with served(tmp_path) as running:
        people = table_of(running)
        listening = [one.listen() for one in people]
        wait(lambda: all(one.seen for one in listening))
    for one in listening:
        assert one.ended.wait(5)


def test_a_bots_moves_come_by_the_stream(server: Served) -> None:
    host = Player(server.browser()).open(players=3, seats=["me", "bot:random", "bot:simple"])
    listening = host.listen()
    for _ in range(3):
        now = host.look()["now"]
        host.act()
        host.asked_again(now["asked"])
    listening.until(host.look()["entry"])
    chosen = [
        fact["seat"] for entry in listening.entries() for fact in entry.get("facts", ()) if fact["what"] == "chose"
    ]
    assert sorted(chosen[:3]) == [0, 1, 2]
