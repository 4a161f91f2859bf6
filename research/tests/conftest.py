"""Settings for the tests of the research, which load it for as long as they run."""

from collections.abc import Iterator

import pytest

from extension_helpers import loaded

pytest_plugins = ["suite"]


@pytest.fixture(scope="module", autouse=True)
def _research() -> Iterator[None]:
    with loaded("penalized_research"):
        yield
