"""Where compiled code is kept: named after all that it was made of, safe at once and without a home."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numba as nb
import pytest

from kubli.batch import cache

PLAY = "from kubli.batch import random_play; print(random_play('darna', 2, 100, 3).decisions)"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources, which may be changed."""
    for name in ("games", "batch"):
        shutil.copytree(cache.PACKAGE / name, tmp_path / name)
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["games/darna_set.py", "games/kit.py", "batch/loops.py", "batch/native.py"])
def test_a_change_in_any_source_is_another_folder(sources: Path, name: str) -> None:
    before = cache.digest.__wrapped__()
    with (sources / name).open("a") as file:
        file.write("\n# changed\n")
    assert cache.digest.__wrapped__() != before


def test_another_numba_or_processor_is_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.digest.__wrapped__()
    monkeypatch.setattr(nb.config, "CPU_NAME", "generic")
    other = cache.digest.__wrapped__()
    monkeypatch.setattr(nb, "__version__", "0.0")
    assert len({before, other, cache.digest.__wrapped__()}) == 3


def test_the_folder_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBLI_CACHE", str(tmp_path / "here"))
    assert cache.folder().parent == tmp_path / "here"
    monkeypatch.delenv("KUBLI_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder().parent == tmp_path / "xdg" / "kubli"


def test_a_home_that_cannot_be_written_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KUBLI_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert cache.folder().parent == cache.temporary()
    cache.temporary().chmod(0o777)  # anybody could put code there
    found = cache.folder()
    assert found.is_dir()
    assert found.parent == tmp_path


def test_two_processes_at_once_compile_and_a_third_finds_it(tmp_path: Path) -> None:
    environment = {**os.environ, "KUBLI_CACHE": str(tmp_path)}

    def start() -> subprocess.Popen[str]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([sys.executable, "-c", PLAY], env=environment, text=True, **pipes)  # type: ignore[call-overload,no-any-return]

    said = [one.communicate() for one in [start(), start()]]
    again = start().communicate()
    assert all("Compiling Darna" in error for _, error in said)
    assert again == (said[0][0], "")
    assert said[0][0] == said[1][0]
    assert int(again[0]) > 0
