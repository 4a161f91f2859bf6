"""Settings for the tests of the research, which is loaded while they are collected, and run.

In between the lists are put back: tests of the replication run in the same process.
"""

from collections.abc import Generator, Iterator

import pytest

from extension_helpers import loaded

pytest_plugins = ["suite"]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Collect tests with it loaded, because their files import the claims that it lists."""
    with loaded("penalized_research"):
        return (yield)


@pytest.fixture(scope="module", autouse=True)
def _research() -> Iterator[None]:
    with loaded("penalized_research"):
        yield
