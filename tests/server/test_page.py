"""The page as built: from memory, at every address that is no file; one clear sentence if it is not there."""

import gzip
from pathlib import Path

import pytest

from server.harness import Served, error, served


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Kubli</title>")
    (folder / "assets" / "index-abc123.js").write_text("export const a = 1;" * 100)
    (folder / "assets" / "font-abc.woff2").write_bytes(b"\x00\x01")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / ".stamp").write_text("x")
    return folder


def test_the_page_is_at_every_address_that_is_no_file(tmp_path: Path, built: Path) -> None:
    with served(tmp_path / "data", static=built) as small:
        browser = small.browser()
        for path in ("/", "/t/abc", "/t/abc/", "/rules", "/a/b/c"):
            answer = browser.get(path)
            assert answer.status_code == 200, path
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["cache-control"] == "no-store"
            assert "<title>Kubli" in answer.text
        assert browser.head("/").status_code == 200
        for path in ("/nothing.js", "/assets/old-1.js", "/api", "/api/nothing", "/.stamp", "/favicon.ico"):
            status = browser.get(path).status_code
            assert status == (200 if path == "/api" else 404), path


def test_files_with_a_hash_in_their_name_are_kept_for_good(tmp_path: Path, built: Path) -> None:
    with served(tmp_path / "data", static=built) as small:
        browser = small.browser()
        script = browser.get("/assets/index-abc123.js", headers={"Accept-Encoding": "gzip"})
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert script.headers["content-encoding"] == "gzip"
        assert len(gzip.compress(b"export const a = 1;" * 100)) < 200
        assert script.text == "export const a = 1;" * 100
        plain = browser.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.text == script.text
        assert browser.get("/assets/font-abc.woff2").headers["content-type"] == "font/woff2"
        assert browser.get("/favicon.svg").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "//etc/passwd.x"]
)
def test_no_file_outside_is_given(tmp_path: Path, built: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    with served(tmp_path / "data", static=built) as small:
        answer = small.browser().get(path)
        assert answer.status_code == 404
        assert "secret" not in answer.text


def test_a_page_that_is_built_anew_is_served_anew(tmp_path: Path, built: Path) -> None:
    with served(tmp_path / "data", static=built) as small:
        browser = small.browser()
        browser.get("/")
        (built / "assets" / "index-def456.js").write_text("2")
        (built / "index.html").write_text("<title>New")
        assert "New" in browser.get("/").text
        assert browser.get("/assets/index-def456.js").text == "2"


def test_without_the_page_one_sentence_says_so(tmp_path: Path) -> None:
    with served(tmp_path / "data", static=tmp_path / "nowhere") as small:
        answer = small.browser().get("/")
        assert answer.status_code == 503
        assert answer.text.count("\n") == 1
        assert "./kubli" in answer.text
        assert error(small.browser().get("/api/nothing"), 404) == "not_found"


def test_the_page_of_this_package_asks_nobody_else(server: Served) -> None:
    answer = server.browser().get("/")
    if answer.status_code == 200:
        assert "http://" not in answer.text.replace("http://www.w3.org", "")
        assert "<script>" not in answer.text
