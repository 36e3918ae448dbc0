"""What holds for the tree as a whole."""

import kubli


def test_the_package_knows_its_version() -> None:
    assert kubli.__version__
