"""What holds for the tree as a whole: what may be committed, what is pinned, what is shipped, who imports whom."""

import ast
import gzip
import importlib.metadata
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "src" / "kubli" / "server" / "static"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])

# Spelled in parts, for this file is searched too.
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("debian", "org"))]
PLACES = ["/" + name + "/" for name in ("work", "root", "tmp")]
LATER = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]


def tracked() -> Iterator[tuple[str, str]]:
    """Every committed file that is text: its name and content."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes()):
            yield name, content.decode()


def found(pattern: str) -> list[str]:
    """Each place in the committed files that a pattern matches, as file:line."""
    sought = re.compile(pattern)
    return [
        f"{name}:{number}"
        for name, text in tracked()
        for number, line in enumerate(text.splitlines(), 1)
        if sought.search(line)
    ]


def test_no_committed_file_names_a_package_registry() -> None:
    assert found("|".join(re.escape(host) for host in HOSTS)) == []


def test_no_committed_file_names_a_place_on_somebodys_machine() -> None:
    assert found("|".join(rf"(?<![\w.}}*-]){place}" for place in PLACES)) == []


def test_nothing_is_left_for_later() -> None:
    assert found("|".join(rf"\b{word}\b" for word in LATER)) == []


def test_lock_files_keep_hashes_and_no_addresses() -> None:
    for path in (ROOT / "web" / "package-lock.json", ROOT / "scripts" / "chromium" / "package-lock.json"):
        packages = json.loads(path.read_text())["packages"]
        others = [package for name, package in packages.items() if name]
        assert others
        assert all("integrity" in package and "resolved" not in package for package in others)


def installed() -> dict[str, str]:
    """What is installed because this project asks for it, directly or not: {name: version}."""
    versions: dict[str, str] = {}
    waiting: list[tuple[str, tuple[str, ...]]] = [("kubli", ("dev",))]
    while waiting:
        name, extras = waiting.pop()
        for text in importlib.metadata.requires(name) or []:
            needs = Requirement(text)
            applies = any(needs.marker is None or needs.marker.evaluate({"extra": extra}) for extra in ("", *extras))
            key = canonicalize_name(needs.name)
            if applies and key not in versions:
                versions[key] = importlib.metadata.version(key)
                waiting.append((key, tuple(needs.extras)))
    return versions


def test_every_package_that_an_install_brings_is_pinned() -> None:
    assert {name: PINS.get(name) for name in installed()} == installed()


def test_direct_requirements_are_the_pins() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    direct = [Requirement(text) for text in sum(extras.values(), PROJECT["project"]["dependencies"])]
    assert {needs.name: str(needs.specifier) for needs in direct} == {
        needs.name: f"=={PINS[needs.name]}" for needs in direct
    }


def imports(path: Path) -> set[str]:
    """The modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("path", sorted((ROOT / "src/kubli/games").glob("*.py")), ids=lambda path: path.stem)
def test_a_game_knows_the_standard_library_and_no_other_game(path: Path) -> None:
    games = {"darna", "narabi", "darwin"}
    own = path.stem.split("_")[0]
    for name in imports(path):
        if not name.startswith("kubli"):
            assert name.split(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}"
            continue
        assert name.startswith("kubli.games."), f"{path.name} imports {name}"
        other = name.split(".")[2].split("_")[0]
        assert own not in games or other not in games - {own}, f"{path.name} imports {name}"


def test_the_built_page_is_there_and_light() -> None:
    page = (STATIC / "index.html").read_text()
    scripts = re.findall(r'(?:src|rel="modulepreload"[^>]*href)="/(assets/[^"]+\.js)"', page)
    assert scripts
    assert sum(len(gzip.compress((STATIC / name).read_bytes())) for name in scripts) <= 80_000


def test_the_page_holds_no_inline_script_or_style() -> None:
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    assert not re.search(r'(?:src|href)="(?!/)', page)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with this tree's wheel and sdist."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True)
    return folder


def test_the_wheel_carries_page_decks_words_and_rules(packed: Path) -> None:
    names = zipfile.ZipFile(next(packed.glob("*.whl"))).namelist()
    assert "kubli/server/static/index.html" in names
    assert "kubli/words/en.json" in names
    assert any(re.fullmatch(r"kubli/games/decks/[\w/-]+\.toml", name) for name in names)
    assert any(re.fullmatch(r"kubli/rules/[\w-]+\.md", name) for name in names)


def test_the_sdist_can_be_built_without_node(packed: Path) -> None:
    with tarfile.open(next(packed.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"hatch_build.py", "scripts/build_web.py", "web/package-lock.json"} <= names
    assert {"src/kubli/server/static/index.html", "src/kubli/server/static/.digest"} <= names
    assert not any("node_modules" in name for name in names)
