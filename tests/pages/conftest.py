"""The reproduction page of the smoke run in a browser; a file may visit another page."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser_helpers import Open, visits
from browser_helpers import browser_fixture as browser_fixture
from pages_helpers import PAGE
from workflow_helpers import Project


@pytest.fixture
def visit(browser: Any, smoke_run: Project) -> Iterator[Open]:
    with visits(browser, smoke_run.folder / PAGE) as opened:
        yield opened
