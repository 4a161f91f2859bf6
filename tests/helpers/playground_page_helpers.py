"""The playground's page in tests: configs, a small bandit, waiting and saved numbers."""

import csv
from pathlib import Path
from typing import Any

from config_helpers import PAPER, ROOT
from penalized_replication.config.scenarios import Scenarios

SCENARIOS = Scenarios(PAPER, ROOT / "config/scenarios.yaml")
CONFIGS = (SCENARIOS.config(), SCENARIOS.config("scenarios/sharp/"))
SMALL = (
    "#mu=0.9,0.6,0.5&law=gaussian&sd=0.3&tau=0.1,0.2,0.2&a=0.35"
    "&p=hard_threshold_ucb,ucb1&t=600&r=5&seed=7"
)
"""A bandit that is played quickly."""
PLAYED = """() => {
  const words = document.getElementById("clock").textContent.split(" ");
  return words.length === 4 && words[1] === words[3];
}"""


def wait_until_played(page: Any) -> None:
    """Wait until all rounds have been played and are shown."""
    page.wait_for_function(PLAYED)


def address(page: Any) -> dict[str, str]:
    """Return the fields of the address."""
    return dict(field.split("=") for field in page.evaluate("location.hash").lstrip("#").split("&"))


def numbers_of(page: Any) -> list[dict[str, str]]:
    """Save all numbers and return their rows, one for each policy, round and arm."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="All numbers (CSV)").click()
    return list(csv.DictReader(Path(waiting.value.path()).read_text("utf-8").splitlines()))
