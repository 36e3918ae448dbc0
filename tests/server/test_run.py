"""Starting: what prevents it is one clear sentence and exit code 1."""

import socket
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from kubli.server import address, run, serve
from kubli.server.limits import neighbours
from kubli.server.wire import Prompt
from server.harness import Player, error, ok, served, wait


def said(capsys: pytest.CaptureFixture[str]) -> str:
    text = capsys.readouterr().err
    assert text.count("\n") == 1, text
    return text


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert serve("127.0.0.1", port, tmp_path, open_browser=False) == 1
    assert f"Port {port} is taken" in said(capsys)


def test_an_address_that_is_not_of_this_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for host in ("192.0.2.77", "no-such-host.invalid", "::gg"):
        assert serve(host, 0, tmp_path, open_browser=False) == 1
        assert host in said(capsys)


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert serve("127.0.0.1", 0, tmp_path / "file" / "data", open_browser=False) == 1
    assert "cannot be written" in said(capsys)


def test_a_file_that_is_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kubli.sqlite3").write_bytes(b"nonsense" * 1000)
    assert serve("127.0.0.1", 0, tmp_path, open_browser=False) == 1
    assert "damaged" in said(capsys)


def test_a_folder_that_another_kubli_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with run.held(tmp_path):
        assert serve("127.0.0.1", 0, tmp_path, open_browser=False) == 1
    assert "used by another Kubli" in said(capsys)
    with run.held(tmp_path):
        pass


def test_tables_of_a_newer_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "kubli.sqlite3")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert serve("127.0.0.1", 0, tmp_path, open_browser=False) == 1
    assert "newer Kubli" in said(capsys)


def test_a_log_that_the_rules_do_not_play_is_closed_and_the_others_go_on(tmp_path: Path) -> None:
    with served(tmp_path) as before:
        broken = Player(before.browser()).open(seats=["me", "bot:random"])
        fine = Player(before.browser()).open(seats=["me", "bot:random"])
        cookies = [dict(one.browser.cookies) for one in (broken, fine)]
    with closing(sqlite3.connect(tmp_path / "kubli.sqlite3")) as connection, connection:
        other = '{"event":{"by":"chance","deal":"owl 9","to":1}}'
        changed = "UPDATE entries SET data = ? WHERE table_id = ? AND number = 2"
        connection.execute(changed, (other, broken.table))
    with served(tmp_path) as after:
        for one, cookie in zip((broken, fine), cookies, strict=True):
            one.browser = after.browser()
            one.browser.cookies.update(cookie)
        assert error(broken.browser.get(broken.at()), 409) == "closed"
        assert fine.look()["now"]["legal"]


def test_where_tables_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run.data_folder() == tmp_path / "kubli"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run.data_folder() == tmp_path / ".local" / "share" / "kubli"
    monkeypatch.setattr("sys.platform", "darwin")
    assert run.data_folder() == tmp_path / "Library" / "Application Support" / "kubli"


def test_the_bots_pause_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run.limits().bot_pause == 0.8
    for given, pause in (("0", 0.0), ("0.1", 0.1), ("-3", 0.0), ("soon", 0.8), ("", 0.8)):
        monkeypatch.setenv("KUBLI_BOT_PAUSE", given)
        assert run.limits().bot_pause == pause


def test_addresses_that_others_can_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for host in ("127.0.0.1", "localhost", "::1", "127.0.0.9"):
        assert address.is_local(host)
        assert address.addresses(host, 8400) == []
    assert address.addresses("192.168.1.5", 8400) == ["http://192.168.1.5:8400"]
    assert address.addresses("fd00::5", 80) == ["http://[fd00::5]"]
    for found in address.addresses("0.0.0.0", 8400):
        assert found.startswith("http://")
        assert "127." not in found
    monkeypatch.setenv("KUBLI_COMMAND", "./kubli")
    assert address.command(8400, 8400) == "./kubli --host 0.0.0.0"
    assert address.command(9000, 8400) == "./kubli --host 0.0.0.0 --port 9000"


@pytest.mark.parametrize(
    ("host", "bound", "called"),
    [("127.1", "127.0.0.1", "127.0.0.1"), ("my-machine", "127.0.1.1", "127.0.1.1"), ("localhost", "::1", "::1"),
     ("0", "0.0.0.0", "0.0.0.0"), ("::", "::", "::"), ("::ffff:127.0.0.1", "::ffff:127.0.0.1", "127.0.0.1"),
     ("kubli.home", "192.168.1.5", "kubli.home"), ("fe80::1%eth0", "fe80::1%eth0", "fe80::1%eth0")],
)  # fmt: skip
def test_another_name_for_this_machine_is_what_it_stands_for(host: str, bound: str, called: str) -> None:
    """Else nobody would look at the Host of requests that only this machine can make."""
    assert address.plain(host, bound) == called


def test_callers_of_both_kinds_are_told_apart() -> None:
    assert neighbours("::ffff:192.168.1.5") == neighbours("192.168.1.5") != neighbours("::ffff:192.168.1.6")
    assert neighbours("2001:db8::1") == neighbours("2001:db8::2") != neighbours("2001:db8:0:1::1")


def test_a_connection_that_asks_nothing_is_not_kept() -> None:
    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, http=Prompt, lifespan="off", log_level="critical", timeout_keep_alive=1)
    server = uvicorn.Server(config)
    whole = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        wait(lambda: server.started)
        for begun in (b"", whole[:20], whole, whole + whole[:20]):
            with socket.create_connection(listener.getsockname(), timeout=8) as line:
                line.sendall(begun)
                while line.recv(1000):
                    pass
        server.should_exit = True
        thread.join(10)


def test_served_to_others_there_is_an_address_and_a_picture_of_the_link(tmp_path: Path) -> None:
    with served(tmp_path, host="192.168.1.5", port=8400) as open_:
        host = Player(open_.browser()).open()
        found = ok(host.browser.get("/api/address"))
        assert (found["addresses"], found["local_only"]) == (["http://192.168.1.5:8400"], False)
        picture = host.browser.get(host.at("/qr.svg"))
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.text.startswith("<svg")
        assert f"http://192.168.1.5:8400/t/{host.table}" in picture.text
        assert "style" not in picture.text


def test_there_are_files_enough_for_all_connections() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
        run.allow_files(300)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 300
        run.allow_files(100)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 300
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
