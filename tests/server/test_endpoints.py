"""Every endpoint answers, and every answer is of the type that /openapi.json says."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from kubli.games import GAMES
from kubli.server import messages, openapi, views
from server.harness import Player, Served, error, ok, play_out, table_of


def typed(kind: Any, answer: Any) -> Any:
    TypeAdapter(kind).validate_python(answer, strict=False)
    return answer


def test_health(server: Served) -> None:
    assert typed(messages.Health, ok(server.browser().get("/health")))["ok"]


def test_games_say_what_there_is_to_play(server: Served) -> None:
    found = typed(list[messages.GameInfo], ok(server.browser().get("/api/games")))
    assert [one["game"] for one in found] == list(GAMES)
    darwin = next(one for one in found if one["game"] == "darwins-dice")
    assert darwin["players"] == [2, 4]
    assert darwin["options"] == [{"name": "first", "rule": "DD-5", "kind": "int", "least": 0, "most": None, "start": 0}]
    assert {"standard", "tiny"} <= {deck["name"] for deck in darwin["decks"]}
    assert {"simple", "random"} <= {bot["name"] for bot in darwin["bots"]}


def test_a_browser_is_remembered_by_name(server: Served) -> None:
    browser = server.browser()
    assert ok(browser.get("/api/me")) == {"name": None}
    assert "set-cookie" not in browser.get("/api/me").headers
    answer = browser.put("/api/me", json={"name": "  Tala  Cruz "})
    assert typed(messages.Me, ok(answer)) == {"name": "Tala Cruz"}
    assert {"httponly", "samesite=lax", "path=/"} <= set(answer.headers["set-cookie"].lower().split("; "))
    assert "secure" not in answer.headers["set-cookie"].lower()
    assert ok(browser.get("/api/me")) == {"name": "Tala Cruz"}
    made = Player(browser, "").open()
    assert made.look()["seats"][0]["name"] == "Tala Cruz"
    assert ok(server.browser().get("/api/me")) == {"name": None}


def test_over_https_the_cookie_is_secure(server: Served) -> None:
    answer = server.browser().put("/api/me", json={"name": "Tala"}, headers={"X-Forwarded-Proto": "https"})
    assert "secure" in answer.headers["set-cookie"].lower()


def test_the_address_says_that_only_this_machine_can_join(server: Served) -> None:
    found = typed(messages.Address, ok(server.browser().get("/api/address")))
    assert found == {"addresses": [], "local_only": True, "command": found["command"]}
    assert found["command"].endswith("--host 0.0.0.0")


@pytest.mark.parametrize(("game", "players"), [("darna", 3), ("narabi", 3), ("darwins-dice", 3)])
def test_a_table_from_its_opening_to_the_end(server: Served, game: str, players: int) -> None:
    host = Player(server.browser(), "Ana").open(game, players)
    before = typed(messages.Snapshot, host.look())
    assert (before["state"], before["now"], before["viewer"], before["host"]) == ("waiting", None, 0, True)
    assert [seat["kind"] for seat in before["seats"]] == ["person", "open", "open"]
    assert len(before["commitment"]) == 64
    guests = [Player(server.browser(), name).join(host.table) for name in ("Ben", "Carla")]
    people = [host, *guests]
    during = typed(messages.Snapshot, guests[0].look())
    assert (during["state"], during["viewer"], during["host"]) == ("playing", 1, False)
    assert [seat["name"] for seat in during["seats"]] == ["Ana", "Ben", "Carla"]
    told = typed(messages.Told, ok(guests[0].browser.get(guests[0].at("/record"))))
    assert told.keys() == {"kubli", "game", "players", "as", "told"}
    assert told["as"] == 1
    acting = people[during["now"]["to_act"][0]]
    typed(messages.Hint, ok(acting.browser.get(acting.at("/hint?bot=random"))))
    now = acting.look()["now"]
    typed(messages.Acted, ok(acting.try_(now["legal"][0], now["asked"])))
    typed(messages.Talked, ok(host.post("/talk", id="t1", text="Good luck")))
    typed(messages.Code, ok(host.post("/code")))
    lines = typed(list[messages.TableLine], ok(host.browser.get("/api/tables")))
    assert lines[0]["table"] == host.table
    assert lines[0]["waiting_for"] == host.look()["now"]["to_act"]
    assert lines[0]["your_turn"] == (0 in lines[0]["waiting_for"])
    play_out(people, pick=1)
    after = typed(messages.Snapshot, host.look())
    assert after["state"] == "over"
    assert after["now"]["view"]["result"]
    typed(messages.Again, ok(host.post("/again")))


@pytest.mark.parametrize("game", list(GAMES))
def test_every_view_on_the_way_is_of_its_type(server: Served, game: str) -> None:
    people = table_of(server, GAMES[game].PLAYERS[-1], game)
    kind = {"darna": views.DarnaView, "narabi": views.NarabiView, "darwins-dice": views.DarwinView}[game]
    watcher = Player(server.browser())
    watcher.table = people[0].table
    play_out(people, pick=3)
    record = ok(watcher.browser.get(watcher.at("/record")))
    for k in range(0, len(record["events"]) + 1, 3):
        for viewer in (0, "spectator"):
            step = ok(watcher.browser.get(watcher.at(f"/steps/{k}?as={viewer}")))
            typed(messages.Step, step)
            typed(kind, step["view"])


def test_the_qr_code_is_a_picture_only_if_others_can_open_it(server: Served) -> None:
    host = Player(server.browser()).open()
    assert error(host.browser.get(host.at("/qr.svg")), 409) == "local_only"


def test_openapi_describes_every_endpoint(server: Served) -> None:
    said = ok(server.browser().get("/openapi.json"))
    assert said == openapi()
    assert list(said["paths"]) == [
        "/health", "/api/games", "/api/me", "/api/address",
        "/api/tables", "/api/tables/{table}/join", "/api/tables/{table}/seats/{seat}", "/api/tables/{table}/code",
        "/api/code", "/api/tables/{table}/again",
        "/api/tables/{table}", "/api/tables/{table}/stream", "/api/tables/{table}/act", "/api/tables/{table}/hint",
        "/api/tables/{table}/talk", "/api/tables/{table}/record", "/api/tables/{table}/steps/{k}",
        "/api/tables/{table}/qr.svg",
    ]  # fmt: skip
    for path, methods in said["paths"].items():
        for method, what in methods.items():
            assert what["description"], f"{method} {path} says nothing"
            assert {"422", "429"} <= what["responses"].keys()
    stream = said["paths"]["/api/tables/{table}/stream"]["get"]["responses"]["200"]["content"]
    assert list(stream) == ["text/event-stream"]


def test_the_docs_pages_that_load_from_elsewhere_are_off(server: Served, tmp_path: Path) -> None:
    for path in ("/docs", "/redoc"):
        assert "cdn" not in server.browser().get(path).text
