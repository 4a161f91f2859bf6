"""The same config gives the same bytes, however the work is split."""

import shutil
from pathlib import Path

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


def test_everything_at_once(miniature: Project, in_groups: Project) -> None:
    kinds = [path.name for path in (miniature.folder / "results/logs").glob("simulate_*")]
    assert sorted(kinds) == ["simulate_all.log", "simulate_readings"]
    assert (in_groups.folder / "results/logs/simulate_group").is_dir()
    assert different(miniature.folder, in_groups.folder, SAME) == []


def test_one_core_and_two_uneven_parts(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "again")
    for part in ("results", ".snakemake"):
        shutil.rmtree(project.folder / part)
    project.configure({"simulation": {"chunks": 2, "jobs": "setting"}})
    project.make(options=["--cores", "1"])
    named = replicates_of(*EXPERIMENTS, chunks=2, jobs="setting") | flipped_of(*EXPERIMENTS)
    named = {file for file in named if file.endswith(".parquet")}
    assert {file for file in project.files() if file.endswith(".parquet")} == named
    assert different(project.folder, miniature.folder, SAME) == []
