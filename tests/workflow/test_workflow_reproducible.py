"""The same config gives the same bytes, however the work is split."""

import re
import shutil
from pathlib import Path

import pytest

from workflow_helpers import (
    CHECKSUMS,
    EXPERIMENTS,
    LEDGER,
    SENSITIVITY,
    Project,
    every_figure,
    figure_of,
    flipped_of,
    fresh_fixture,  # noqa: F401  (miniature is made from it)
    miniature_fixture,  # noqa: F401
    replicates_of,
    summaries_of,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def split(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the miniature again on one core, each setting's replicates in two uneven parts.

    In the same folder, where the compiled kernels are found again; the results of the
    first run are put aside meanwhile.
    """
    aside = tmp_path_factory.mktemp("aside")
    results = tmp_path_factory.mktemp("split") / "results"
    parts = ("results", ".snakemake")
    for part in parts:
        (miniature.folder / part).rename(aside / part)
    try:
        miniature.configure({"simulation": {"chunks": 2, "jobs": "setting"}}, "split.yaml")
        outcome = miniature.run(config="split.yaml", options=["--cores", "1"])
        shutil.copytree(miniature.folder / "results", results)
    finally:
        for part in parts:
            shutil.rmtree(miniature.folder / part, ignore_errors=True)
            (aside / part).rename(miniature.folder / part)
    assert outcome.status == 0, outcome.text
    return results


@pytest.fixture(scope="module")
def at_once(miniature: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Simulate everything in one job, and everything flipped in another."""
    project = miniature.copy(tmp_path_factory.mktemp("at_once") / "project")
    for part in ("results", ".snakemake"):
        shutil.rmtree(project.folder / part)
    project.configure({"simulation": {"jobs": "all"}}, "at_once.yaml")
    targets = sorted(SENSITIVITY | summaries_of("setting_3", "deterministic"))
    outcome = project.run(*targets, config="at_once.yaml", options=["--cores", "2"])
    assert outcome.status == 0, outcome.text
    rules = re.findall(r"(?m)^Job \d+: rule (simulate_\w+):", outcome.text)
    assert sorted(rules) == ["simulate_all", "simulate_readings"]
    return project


@pytest.mark.sample
@pytest.mark.parametrize(
    "file", sorted(LEDGER | SENSITIVITY | summaries_of("setting_3", "deterministic"))
)
def test_everything_at_once_gives_the_same_bytes(
    miniature: Project, at_once: Project, file: str
) -> None:
    assert (at_once.folder / file).read_bytes() == (miniature.folder / file).read_bytes()


def test_the_work_was_split(split: Path) -> None:
    made = {f"results/{path.relative_to(split)}" for path in split.rglob("*.parquet")}
    named = replicates_of(*EXPERIMENTS, chunks=2, jobs="setting") | flipped_of(*EXPERIMENTS)
    assert made == {file for file in named if file.endswith(".parquet")}


@pytest.mark.parametrize("file", sorted(summaries_of(*EXPERIMENTS)))
def test_summaries_are_the_same_bytes(miniature: Project, split: Path, file: str) -> None:
    assert (split.parent / file).read_bytes() == (miniature.folder / file).read_bytes()


@pytest.mark.parametrize("file", sorted(figure_of(*every_figure())))
def test_figures_are_the_same_bytes(miniature: Project, split: Path, file: str) -> None:
    assert (split.parent / file).read_bytes() == (miniature.folder / file).read_bytes()


@pytest.mark.parametrize("file", sorted(LEDGER | SENSITIVITY | CHECKSUMS))
def test_verdicts_are_the_same_bytes(miniature: Project, split: Path, file: str) -> None:
    assert (split.parent / file).read_bytes() == (miniature.folder / file).read_bytes()
