"""The reproduction page of the miniature in a browser; a file may visit another page."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser_helpers import Open, visits
from browser_helpers import browser_fixture as browser_fixture
from pages_helpers import PAGE
from workflow_helpers import Project


@pytest.fixture
def visit(browser: Any, miniature: Project) -> Iterator[Open]:
    with visits(browser, miniature.folder / PAGE) as opened:
        yield opened
