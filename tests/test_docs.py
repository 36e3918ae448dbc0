"""The README's examples run, and the pages it links to are there."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_readme_runs() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted >= 6
    assert found.failed == 0


def test_every_link_in_the_docs_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
