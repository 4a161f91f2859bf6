"""The same config gives the same bytes, however the work is split."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from miniature import (
    CHECKSUMS,
    EXPERIMENTS,
    LEDGER,
    SENSITIVITY,
    figure_of,
    flipped_of,
    replicates_of,
    summaries_of,
)
from penalized_bandits.figures import ALL_FIGURES
from workflow_helpers import Project

pytestmark = pytest.mark.slow

VERDICTS = LEDGER | SENSITIVITY
SAME = summaries_of(*EXPERIMENTS) | figure_of(*ALL_FIGURES) | VERDICTS | CHECKSUMS


def different(one: Path, other: Path, files: set[str]) -> list[str]:
    """Return the files whose bytes differ in two projects."""
    return [f for f in sorted(files) if (one / f).read_bytes() != (other / f).read_bytes()]


def made_again(
    miniature: Project, folder: Path, simulation: dict[str, Any], *asked: str
) -> Project:
    """Run the miniature again in a copy, the work split in another way."""
    project = miniature.copy(folder)
    for part in ("results", ".snakemake"):
        shutil.rmtree(project.folder / part)
    project.configure({"simulation": simulation})
    outcome = project.run(options=asked)
    assert outcome.status == 0, outcome.text
    rules = set(re.findall(r"(?m)^Job \d+: rule (simulate_\w+):", outcome.text))
    whole = {"simulate_all", "simulate_readings"}
    assert (rules == whole) if simulation == {"jobs": "all"} else not rules & whole
    return project


@pytest.mark.sample
def test_everything_at_once(miniature: Project, tmp_path: Path) -> None:
    wanted = VERDICTS | summaries_of("setting_3", "deterministic")
    again = made_again(miniature, tmp_path / "again", {"jobs": "all"}, *sorted(wanted))
    assert different(again.folder, miniature.folder, wanted) == []


def test_one_core_and_two_uneven_parts(miniature: Project, tmp_path: Path) -> None:
    simulation = {"chunks": 2, "jobs": "setting"}
    again = made_again(miniature, tmp_path / "again", simulation, "--cores", "1")
    named = replicates_of(*EXPERIMENTS, chunks=2, jobs="setting") | flipped_of(*EXPERIMENTS)
    named = {file for file in named if file.endswith(".parquet")}
    assert {file for file in again.files() if file.endswith(".parquet")} == named
    assert different(again.folder, miniature.folder, SAME) == []
