"""The page of the playground, built once for the tests that open it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_helpers import Open, chromium, visits
from penalized_bandits.config import load_config
from penalized_bandits.playground.page import build_playground
from penalized_bandits.playground.scripts import engine_source

ROOT = Path(__file__).parents[2]
CONFIGS = (ROOT / "config/config.yaml", ROOT / "config/sharp.yaml")
SMALL = (
    "#mu=0.9,0.6,0.5&law=gaussian&sd=0.3&tau=0.1,0.2,0.2&a=0.35"
    "&p=hard_threshold_ucb,ucb1&t=600&r=5&seed=7"
)
"""A bandit that is played in no time."""
PLAYED = """() => {
  const words = document.getElementById("clock").textContent.split(" ");
  return words.length === 4 && words[1] === words[3];
}"""
"""Whether all rounds have been played and are shown."""


@pytest.fixture(scope="session", name="playground")
def playground_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the playground once."""
    page = build_playground(load_config(CONFIGS[0]), load_config(*CONFIGS), engine_source())
    path = tmp_path_factory.mktemp("playground") / "playground.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture(scope="module", name="browser")
def browser_fixture() -> Iterator[Any]:
    """Start a browser for the tests of a module."""
    with chromium() as started:
        yield started


@pytest.fixture(name="visit")
def visit_fixture(browser: Any, playground: Path) -> Iterator[Open]:
    """Open the playground; afterwards nothing may have gone wrong or been asked of a host."""
    with visits(browser, playground) as opened:
        yield opened


def wait_until_played(page: Any) -> None:
    """Wait until all rounds have been played and are shown."""
    page.wait_for_function(PLAYED)
