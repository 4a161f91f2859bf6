"""The reproduction page of the miniature in a browser; a file may visit another page."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser_helpers import Open, chromium, visits
from pages_helpers import PAGE
from workflow_helpers import Project


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def visit(browser: Any, miniature: Project) -> Iterator[Open]:
    with visits(browser, miniature.folder / PAGE) as opened:
        yield opened
