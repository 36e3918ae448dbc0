"""What every request passes: hosts, origins, rates, sizes, headers; and garbage, which nothing falls over."""

import json
import socket
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from kubli.server import Rate, openapi
from server.harness import FAST, PLENTY, Player, Served, Still, error, ok, served, table_of, wait


def test_a_browser_of_another_page_may_neither_act_nor_follow(server: Served) -> None:
    host, _ = table_of(server)
    now = host.look()["now"]
    body = {"id": "a", "at": now["asked"], "event": now["legal"][0]}
    foreign = ("https://elsewhere.example", "null", "http://127.0.0.1:1", "http://localhost", "", "file://", "http://[")
    for origin in foreign:
        headers = {"Origin": origin}
        assert error(host.browser.post(host.at("/act"), json=body, headers=headers), 403) == "bad_origin"
        assert error(host.browser.get(host.at("/stream"), headers=headers), 403) == "bad_origin"
        assert error(host.browser.put("/api/me", json={"name": "X"}, headers=headers), 403) == "bad_origin"
        assert error(host.browser.delete(host.at("/seats/1"), headers=headers), 403) == "bad_origin"
    ok(host.browser.post(host.at("/act"), json=body, headers={"Origin": server.url}))


def test_another_page_may_not_even_load_anything_of_the_api(server: Served) -> None:
    browser = server.browser()
    for site in ("cross-site", "same-site"):
        assert error(browser.get("/api/games", headers={"Sec-Fetch-Site": site}), 403) == "bad_origin"
        assert browser.get("/", headers={"Sec-Fetch-Site": site}).status_code == 200
    for site in ("same-origin", "none"):
        ok(browser.get("/api/games", headers={"Sec-Fetch-Site": site}))


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "0.0.0.0", "::1"]
)
def test_on_this_machine_no_other_name_is_answered(server: Served, host: str) -> None:
    assert error(server.browser().get("/api/games", headers={"Host": host}), 403) == "bad_host"


@pytest.mark.parametrize("host", ["localhost", "localhost:9999", "127.0.0.1:80", "[::1]:8400", "LOCALHOST"])
def test_this_machines_own_names_are(server: Served, host: str) -> None:
    ok(server.browser().get("/api/games", headers={"Host": host}))


def test_served_to_others_any_name_is(tmp_path: Path) -> None:
    with served(tmp_path, host="0.0.0.0", port=8400) as other:
        browser = other.browser()
        ok(browser.get("/api/games", headers={"Host": "kubli.home:8400"}))
        put = browser.put("/api/me", json={"name": "A"}, headers={"Host": "a:1", "Origin": "http://b:1"})
        assert error(put, 403) == "bad_origin"
        put = browser.put("/api/me", json={"name": "A"}, headers={"Host": "a:1", "Origin": "http://a:1"})
        ok(put)


def test_every_answer_has_the_headers_that_keep_it_here(server: Served) -> None:
    browser = server.browser()
    answers = [browser.get(path) for path in ("/", "/api/games", "/nothing.js", "/openapi.json", "/t/x", "/health")]
    answers += [browser.post("/api/code", content="{"), browser.get("/health", headers={"Host": "evil.example"})]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


def test_a_body_that_is_too_large_is_refused_unread(server: Served) -> None:
    browser = server.browser()
    large = b"x" * 70_000
    assert error(browser.post("/api/code", content=large), 413) == "too_large"
    assert error(browser.post("/api/code", content=iter([large])), 413) == "too_large"
    assert error(browser.request("GET", "/api/games", content=large), 413) == "too_large"
    deck = {"kinds": {}, "padding": "x" * 60_000}
    body = {"game": "darwins-dice", "players": 2, "seats": ["me", "friend"], "name": "A", "deck": deck}
    assert error(browser.post("/api/tables", json=body), 422) == "unknown_field"


def connected(to: Served) -> socket.socket:
    """A bare connection."""
    return socket.create_connection(("127.0.0.1", urlsplit(to.url).port or 0), timeout=5)


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    with served(tmp_path, limits=replace(FAST, body_seconds=0.2)) as slow, connected(slow) as line:
        line.sendall(b"POST /api/code HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{")
        assert b" 408 " in line.recv(1000)


def test_headers_without_end_are_not_taken(server: Served) -> None:
    with connected(server) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 200_000)
        assert b" 400 " in line.recv(1000)


def test_rates_say_what_the_limit_is_and_when_to_come_back(tmp_path: Path) -> None:
    world = Still()
    rates = {**PLENTY, "any": Rate(5, 0.5), "code": Rate(2, 0.1)}
    with served(tmp_path, outside=world, limits=replace(FAST, rates=rates)) as slow:
        browser = slow.browser()
        for _ in range(5):
            ok(browser.get("/health"))
        answer = browser.get("/health")
        assert error(answer, 429) == "too_many_requests"
        assert answer.headers["retry-after"] == "2"
        assert answer.json()["values"] == {"limit": 5, "seconds": 2}
        world.time += 2
        ok(browser.get("/health"))
        assert browser.get("/health").status_code == 429
        world.time += 100
        for _ in range(2):
            assert error(browser.post("/api/code", json={"code": "A"}), 403) == "bad_code"
        assert error(browser.post("/api/code", json={"code": "A"}), 429) == "too_many_requests"


def test_counts_are_limited(tmp_path: Path) -> None:
    limits = replace(FAST, tables_of_browser=2, tables=3, streams_of_browser=2, streams_of_address=3)
    with served(tmp_path, limits=limits) as small:
        host = Player(small.browser())
        for _ in range(2):
            host.open()
        body = {"game": "darna", "players": 2, "seats": ["me", "friend"], "name": "A"}
        answer = host.browser.post("/api/tables", json=body)
        assert error(answer, 429) == "too_many_tables"
        assert answer.json()["values"]["limit"] == 2
        assert answer.headers["retry-after"]
        other = Player(small.browser()).open()
        assert error(small.browser().post("/api/tables", json=body), 429) == "too_many_tables"
        open_ = [host.listen(), host.listen()]
        assert error(host.browser.get(host.at("/stream")), 429) == "too_many_streams"
        open_.append(other.listen())
        assert error(small.browser().get(host.at("/stream")), 429) == "too_many_streams"
        assert [one.status for one in open_] == [200] * 3


GARBAGE: list[Any] = [
    b"", b"{", b"null", b"[]", b'"x"', b"1", b"\xff\xfe", b"{" * 5000, b"[" * 60_000, b'{"a":' * 9000, b"NaN",
    b'{"code": NaN}', b'{"code": 1e999}', b'{"code": ' + b"9" * 5000 + b"}", b'{"code": "\\ud800"}', b'{"code": null}',
    b'{"id": "\\u0000", "at": 1, "event": {"act": "\\ud83d"}}', b'{"id": {}, "at": [], "event": 1}',
    b'{"name": ["A"]}', b'{"name": "A", "name": 1}', b'{"event": {"__class__": 1}, "id": "a", "at": 1}',
    b'{"at": 123456789012345678901234567890, "id": "a", "event": {}}', b'{"at": -1, "id": "", "event": {}}',
]  # fmt: skip


def test_garbage_is_refused_in_one_sentence(server: Served) -> None:
    host, _ = table_of(server)
    paths = [("POST", "/api/tables"), ("PUT", "/api/me"), ("POST", "/api/code")]
    paths += [("POST", host.at(rest)) for rest in ("/act", "/join", "/talk", "/seats/1", "/seats/x", "/code", "/again")]
    before = host.look()
    for method, path in paths:
        for number, body in enumerate(GARBAGE * 2):
            kind = ["application/json", "application/json", "text/plain", "multipart/form-data; boundary=x"][number % 4]
            answer = host.browser.request(method, path, content=body, headers={"Content-Type": kind})
            if path.endswith("/code") and answer.status_code == 200:
                continue  # asks for no body
            assert 400 <= answer.status_code < 500, (path, body[:40], answer.text)
            assert len(error(answer, answer.status_code)) < 30
            assert len(answer.content) < 1000 or answer.json()["error"] == "stale"
    assert host.look() == before


def test_random_requests_are_answered(server: Served) -> None:
    """Whatever is sent to whatever there is: an answer that is no failure, and the table as it was."""
    host, _ = table_of(server)
    before, random, said = host.look(), Random(3), openapi()["paths"]
    pieces = ["", "0", "-1", "99999999999999999999", "x", "..", "%00", "%ff", "💥", "a" * 3000, host.table, "spectator"]
    values: list[Any] = [
        None,
        True,
        0,
        -1,
        2**70,
        1.5,
        "",
        "x",
        "\ud800",
        [],
        {},
        [[]],
        {"a": 1},
        "me",
        "friend",
        host.table,
    ]
    for _ in range(400):
        path = random.choice(list(said))
        for name in ("{table}", "{seat}", "{k}"):
            path = path.replace(name, random.choice(pieces))
        query = {random.choice(["after", "as", "bot", "x"]): random.choice(pieces)}
        names = random.sample(["id", "at", "event", "name", "seat", "code", "bot", "text", "game"], 4)
        body = {name: random.choice(values) for name in names}
        method = random.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
        headers = {"Content-Type": "application/json", "Last-Event-ID": random.choice(["", "x", "-1", "1e9", "9" * 50])}
        if path.endswith("/stream"):
            headers["Origin"] = "http://elsewhere.example"
        answer = host.browser.request(method, path, params=query, content=json.dumps(body).encode(), headers=headers)
        assert answer.status_code < 500, (method, path, body, answer.text)
    assert host.look()["now"] == before["now"]


def test_a_failure_says_nothing_of_itself(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the asker nor the log is told what a failure holds: it may be a hand of cards."""

    class Broken(Still):
        def commitment(self, secret: bytes) -> str:
            raise ValueError(f"secret {secret.hex()}")

    with served(tmp_path, outside=Broken()) as broken:
        host = Player(broken.browser()).open()
        answer = host.browser.get(host.at())
        assert error(answer, 500) == "failed"
        wait(lambda: "ValueError" in caplog.text)
        for said in (answer.text, caplog.text):
            assert "00000" not in said
            assert host.table not in said
