"""The playground and its simulator in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_helpers import Open, visits
from browser_helpers import browser_fixture as browser_fixture
from config_helpers import CONFIG
from penalized_replication.playground.page import build_playground
from penalized_replication.playground.scripts import engine_source


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = build_playground(CONFIG)
    path = tmp_path_factory.mktemp("playground") / "playground.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def visit(browser: Any, playground: Path) -> Iterator[Open]:
    with visits(browser, playground) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(browser: Any) -> Any:
    opened = browser.new_page()
    opened.add_script_tag(content=engine_source())
    return opened
