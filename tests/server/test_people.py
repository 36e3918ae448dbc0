"""Seats: taken by name, bound to a browser, freed or given to bots before the deal, moved by a code, kept for later."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubli.server import Outside
from server.harness import FAST, Player, Served, Still, error, ok, play_out, served, table_of


def test_nothing_is_dealt_before_all_seats_are_taken(server: Served) -> None:
    host = Player(server.browser(), "Ana").open(players=3)
    guest = Player(server.browser(), "Ben").join(host.table, 2)
    assert guest.seat == 2
    assert host.look()["now"] is None
    assert all("facts" not in entry for entry in host.look()["log"])
    Player(server.browser(), "Carla").join(host.table)
    assert host.look()["state"] == "playing"
    assert host.look()["now"]["legal"]
    assert error(server.browser().post(host.at("/join"), json={"name": "Dan"}), 409) == "table_full"


def test_a_taken_seat_stays_taken(server: Served) -> None:
    host = Player(server.browser()).open(players=3)
    stranger = server.browser()
    assert error(stranger.post(host.at("/join"), json={"name": "B", "seat": 0}), 409) == "seat_taken"
    assert error(stranger.post(host.at("/join"), json={"name": "B", "seat": 3}), 404) == "no_such_seat"
    assert error(stranger.post(host.at("/join"), json={"name": "B", "seat": -1}), 404) == "no_such_seat"
    assert error(stranger.post(host.at("/join"), json={"seat": 1}), 422) == "name_missing"
    guest = Player(stranger, "B").join(host.table, 1)
    assert ok(guest.post("/join", name="B", seat=1))["token"] == guest.token
    assert error(guest.post("/join", name="B", seat=2), 409) == "already_seated"


def test_before_the_deal_the_host_puts_bots_and_frees_seats(server: Served) -> None:
    host = Player(server.browser()).open(players=4)
    guest = Player(server.browser(), "Ben").join(host.table, 1)
    assert error(guest.post("/seats/2", bot="random"), 403) == "host_only"
    assert error(guest.browser.delete(guest.at("/seats/1")), 403) == "host_only"
    assert error(host.post("/seats/1", bot="random"), 409) == "seat_taken"
    assert error(host.post("/seats/2", bot="nobody"), 422) == "unknown_bot"
    seats = ok(host.post("/seats/2", bot="random"))["seats"]
    assert seats[2] == {"seat": 2, "name": seats[2]["name"], "kind": "bot", "bot": "random", "here": True}
    ok(host.post("/seats/2", bot="simple"))
    ok(host.browser.delete(host.at("/seats/2")))
    assert error(host.browser.delete(host.at("/seats/2")), 409) == "seat_free"
    assert error(host.browser.delete(host.at("/seats/0")), 409) == "host_seat"
    assert error(host.browser.delete(host.at("/seats/9")), 404) == "no_such_seat"
    ok(host.browser.delete(host.at("/seats/1")))
    assert guest.look()["viewer"] == "spectator"
    assert error(server.browser(Authorization=f"Bearer {guest.token}").get(host.at()), 401) == "bad_token"
    ok(host.post("/seats/1", bot="random"))
    ok(host.post("/seats/2", bot="random"))
    assert host.look()["state"] == "waiting"
    ok(host.post("/seats/3", bot="random"))
    assert host.look()["state"] == "playing"
    assert error(host.browser.delete(host.at("/seats/1")), 409) == "already_started"
    assert error(host.post("/seats/1", bot="random"), 409) == "already_started"


def test_bots_have_names_of_their_own(server: Served) -> None:
    host = Player(server.browser(), "Ube").open(players=4, seats=["me", "bot:random", "bot:random", "bot:simple"])
    names = [seat["name"] for seat in host.look()["seats"]]
    assert names[0] == "Ube"
    assert len(set(names)) == 4


@pytest.mark.parametrize(
    "seats", [["me"], ["me", "me"], ["me", "friend", "friend"], ["me", "robot"], ["me", ""], ["bot:", "me"], []]
)
def test_seats_that_may_not_be(server: Served, seats: list[str]) -> None:
    body = {"game": "darna", "players": 2, "seats": seats, "name": "A"}
    assert error(server.browser().post("/api/tables", json=body), 422) in ("bad_seats", "unknown_bot")


@pytest.mark.parametrize(
    ("field", "value"),
    [("game", "chess"), ("players", 1), ("players", 9), ("players", True), ("players", 2.0), ("options", {"x": 1}),
     ("options", {"first": 2}), ("options", {"first": True}), ("options", []), ("deck", "nothing"), ("deck", ""),
     ("deck", "../../etc/passwd"), ("deck", {"cards": 1}), ("deck", {"cards": []}), ("deck", 5), ("name", ""),
     ("name", "\u202e"), ("name", "x" * 33), ("watch", 1), ("seats", "me"), ("unknown", 1)],
)  # fmt: skip
def test_tables_that_may_not_be(server: Served, field: str, value: object) -> None:
    body = {"game": "darna", "players": 2, "seats": ["me", "friend"], "name": "A", field: value}
    assert error(server.browser().post("/api/tables", json=body), 422)


def test_a_host_may_look_on_without_a_seat(server: Served) -> None:
    host = Player(server.browser()).open(seats=["friend", "bot:random"], watch=False)
    assert host.seat is None
    assert host.look()["host"]
    program = Player(server.browser(Authorization=f"Bearer {host.token}"))
    program.table = host.table
    assert program.look()["host"]
    ok(program.post("/seats/0", bot="random"))
    assert host.look()["viewer"] == "spectator"


def test_others_watch_only_if_the_table_allows_it(server: Served) -> None:
    host = Player(server.browser()).open(watch=False)
    stranger = Player(server.browser())
    stranger.table = host.table
    assert stranger.look()["viewer"] == "spectator"
    listening = stranger.listen()
    Player(server.browser(), "Ben").join(host.table)
    assert error(stranger.browser.get(stranger.at()), 403) == "watch_forbidden"
    assert error(stranger.browser.get(stranger.at("/stream")), 403) == "watch_forbidden"
    assert error(stranger.browser.get(stranger.at("/record")), 403) == "watch_forbidden"
    assert listening.ended.wait(5)
    assert listening.seen[-1]["event"] == "closed"
    assert listening.seen[-1]["data"]["error"] == "watch_forbidden"
    assert not any("facts" in entry for entry in listening.entries())


def test_a_code_moves_a_seat_to_another_browser_once(server: Served) -> None:
    host, guest = table_of(server)
    hand = guest.look()["now"]["view"]["hand"]
    given = ok(guest.post("/code"))["code"]
    phone = Player(server.browser())
    moved = ok(phone.browser.post("/api/code", json={"code": given.lower().replace("-", " ")}))
    assert (moved["table"], moved["seat"]) == (guest.table, 1)
    phone.table = guest.table
    assert phone.look()["viewer"] == 1
    assert phone.look()["now"]["view"]["hand"] == hand
    assert guest.look()["viewer"] == "spectator"
    assert error(server.browser(Authorization=f"Bearer {guest.token}").get(guest.at()), 401) == "bad_token"
    assert ok(server.browser(Authorization=f"Bearer {moved['token']}").get(guest.at()))["viewer"] == 1
    assert error(server.browser().post("/api/code", json={"code": given}), 403) == "bad_code"
    assert ok(phone.browser.get("/api/tables"))[0]["seat"] == 1
    assert ok(guest.browser.get("/api/tables")) == []
    assert host.look()["seats"][1]["name"] == "P1"


def test_a_code_tells_its_old_browser_nothing_more(server: Served) -> None:
    host, guest = table_of(server)
    old = guest.listen()
    old.until(guest.look()["entry"])
    given = ok(guest.post("/code"))["code"]
    phone = Player(server.browser())
    phone.table = guest.table
    ok(phone.browser.post("/api/code", json={"code": given}))
    now = phone.look()["now"]
    entry = ok(phone.try_(now["legal"][0], now["asked"]))["entry"]
    old.until(entry)
    last = old.seen[-1]["data"]
    assert last["viewer"] == "spectator"
    assert last["now"]["legal"] == []
    assert last["now"]["view"]["hand"] == []
    assert "card" not in last["entries"][-1]["facts"][0]
    assert host.look()["viewer"] == 0


def test_whoever_moves_the_hosts_seat_is_the_host(server: Served) -> None:
    host = Player(server.browser()).open(players=3)
    phone = Player(server.browser())
    phone.table = host.table
    ok(phone.browser.post("/api/code", json={"code": ok(host.post("/code"))["code"]}))
    assert phone.look()["host"]
    assert not host.look()["host"]
    ok(phone.post("/seats/1", bot="random"))
    assert error(host.post("/seats/2", bot="random"), 403) == "host_only"


def test_codes_that_are_no_good(server: Served, tmp_path: Path) -> None:
    host, guest = table_of(server)
    for code in ("", "ABCD-EFGH", "\x00", "💥" * 10):
        assert error(server.browser().post("/api/code", json={"code": code}), 403) == "bad_code"
    first, second = (ok(guest.post("/code"))["code"] for _ in range(2))
    assert error(server.browser().post("/api/code", json={"code": first}), 403) == "bad_code"
    assert error(host.browser.post("/api/code", json={"code": second}), 409) == "already_seated"
    assert ok(server.browser().post("/api/code", json={"code": second}))["seat"] == 1  # it was not used by that
    world = Still()
    with served(tmp_path, outside=world, limits=replace(FAST, code_seconds=60.0)) as other:
        person = Player(other.browser()).open()
        code = ok(person.post("/code"))["code"]
        world.time += 61
        assert error(other.browser().post("/api/code", json={"code": code}), 403) == "bad_code"


def test_a_code_of_a_freed_seat_is_no_good(server: Served) -> None:
    host = Player(server.browser()).open(players=3)
    guest = Player(server.browser(), "Ben").join(host.table, 1)
    code = ok(guest.post("/code"))["code"]
    ok(host.browser.delete(host.at("/seats/1")))
    Player(server.browser(), "Carla").join(host.table, 1)
    assert error(server.browser().post("/api/code", json={"code": code}), 403) == "bad_code"


def test_the_same_people_play_again(tmp_path: Path) -> None:
    with served(tmp_path, outside=Outside()) as server:
        play_again(server)


def play_again(server: Served) -> None:
    people = table_of(server, 3, deck="standard")
    host, ben, carla = people
    listening = carla.listen()
    play_out(people)
    made = ok(ben.post("/again"))
    listening.until(carla.look()["entry"])
    assert {"entry": carla.look()["entry"], "again": made["table"]} in listening.entries()
    assert carla.look()["again"] == made["table"]
    assert made["seat"] == 1
    new = Player(carla.browser, "P2")
    new.table = made["table"]
    before = new.look()
    assert (before["viewer"], before["offered"], before["state"]) == ("spectator", 2, "waiting")
    assert before["seats"][2] == {"seat": 2, "name": "P2", "kind": "open", "bot": None, "here": False}
    assert ok(carla.browser.get("/api/tables"))[0]["table"] == made["table"]
    stranger = server.browser()
    assert error(stranger.post(new.at("/join"), json={"name": "X", "seat": 2}), 409) == "seat_taken"
    assert error(stranger.post(new.at("/join"), json={"name": "X"}), 409) == "table_full"
    again = ok(host.post("/again"))
    assert (again["table"], again["seat"]) == (made["table"], 0)
    assert new.join(made["table"]).seat == 2
    assert new.look()["state"] == "playing"
    assert new.look()["commitment"] != carla.look()["commitment"]
    assert ok(ben.post("/again"))["token"] == made["token"]


def test_a_seat_kept_for_somebody_may_be_freed(server: Served) -> None:
    people = table_of(server)
    host, guest = people
    play_out(people)
    new = Player(host.browser)
    new.table = ok(host.post("/again"))["table"]
    ok(new.browser.delete(new.at("/seats/1")))
    assert Player(server.browser(), "X").join(new.table).seat == 1
    late = ok(guest.post("/again"))
    assert (late["table"], late["seat"], late["token"]) == (new.table, None, None)


def test_when_it_is_over_everything_is_open(server: Served) -> None:
    people = table_of(server)
    watcher = Player(server.browser())
    watcher.table = people[0].table
    during = ok(watcher.browser.get(watcher.at("/record")))
    assert during["as"] == "spectator"
    assert not any("card" in fact for fact in during["told"])
    play_out(people)
    record = ok(watcher.browser.get(watcher.at("/record")))
    assert record["seats"] == ["P0", "P1"]
    assert record["result"]["utilities"]
    assert record["fairness"]["commitment"] == watcher.look()["commitment"]
    count = len(record["events"])
    step = ok(watcher.browser.get(watcher.at(f"/steps/{count}?as=1")))
    assert step["of"] == step["k"] == count
    assert step["event"] == record["events"][-1]
    deal = record["events"][0]
    for seat in (0, 1):
        fact = ok(watcher.browser.get(watcher.at(f"/steps/1?as={seat}")))["facts"][-1]
        assert fact.get("card") == (deal["deal"] if seat == deal["to"] else None)
    assert ok(watcher.browser.get(watcher.at("/steps/0")))["event"] is None
    assert error(watcher.browser.get(watcher.at(f"/steps/{count + 1}")), 404) == "bad_step"
    assert error(watcher.browser.get(watcher.at("/steps/-1")), 404) == "bad_step"
    for viewer in ("2", "-1", "all", "x", "00"):
        assert error(watcher.browser.get(watcher.at(f"/steps/1?as={viewer}")), 422) == "bad_viewer"
