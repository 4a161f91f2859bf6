"""The same config gives the same bytes, however the work is split."""

import shutil
from pathlib import Path

import pytest

from workflow_helpers import Project

pytestmark = pytest.mark.slow


def test_one_core_and_two_uneven_parts(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "again")
    for part in ("results", ".snakemake"):
        shutil.rmtree(project.folder / part)
    project.configure({"simulation": {"chunks": 2}})
    project.make(options=["--cores", "1"])
    assert (project.folder / "results/replicates/setting_1/2of2.parquet").is_file()
    sums = "results/checksums.txt"
    assert (project.folder / sums).read_bytes() == (smoke_run.folder / sums).read_bytes()
