"""One server for the tests that need no other."""

from collections.abc import Iterator

import pytest

from server.harness import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("data")) as running:
        yield running
