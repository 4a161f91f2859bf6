"""Targets and their files, lint, and what a run leaves."""

import json
import re
import subprocess

import numpy as np
import pandas as pd
import pytest

import smoke_run as smoke
from config_helpers import ROOT
from penalized_replication.config.files import read
from penalized_replication.figures import EVERY_FIGURE
from workflow_helpers import Outcome, Project, contents, made_in, several

FIGURE_4 = smoke.summaries_of("setting_4") | smoke.measured_of("setting_4")
FIGURE_4 |= smoke.figure_of("figure_4")
LOG_LAWS = smoke.replicates_of("log_laws", "deterministic") | smoke.summaries_of("log_laws")
LOG_LAWS |= smoke.measured_of("log_laws")
EVERYTHING = set(smoke.files_with({}).default()) | smoke.MADE
TARGETS = {
    "all": EVERYTHING,
    "get_ratings": smoke.RATINGS,
    "setting_4": FIGURE_4,
    "figure_4": FIGURE_4,
    "log_laws": LOG_LAWS,
    "claims": EVERYTHING & {*smoke.replicates_of(*smoke.EXPERIMENTS), *smoke.RATINGS, *smoke.LEDGER}
    | {file for file in EVERYTHING if "/measured/" in file},
}
"""Files that a run for a target makes."""
SETS = read(ROOT / "config/scenarios.yaml").keys()


@pytest.fixture(scope="module")
def outputs(fresh: Project) -> dict[str, Outcome]:
    """Return the planned files of each target in a copy without results, and lists of rules."""
    requests = {target: fresh.planned(target) for target in TARGETS}
    for option in ("--list-rules", "--lint"):
        requests[option] = fresh.request(options=[option])
    return several(requests, fresh.kernels)


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_makes_its_files_alone(outputs: dict[str, Outcome], target: str) -> None:
    assert made_in(outputs[target]) == TARGETS[target]


def test_targets_are_explained(outputs: dict[str, Outcome]) -> None:
    listed = dict(re.findall(r"(?m)^(\w+)(?: \((.*)\))?$", outputs["--list-rules"].text))
    wanted = {*smoke.EXPERIMENTS, *EVERY_FIGURE, *TARGETS, *SETS}
    assert wanted <= set(listed)
    for rule in (*TARGETS, *SETS, *EVERY_FIGURE):
        assert len(listed[rule]) > 20, rule


def test_lint_asks_only_for_an_environment_per_rule(outputs: dict[str, Outcome]) -> None:
    # One environment serves all rules: see docs/design.md.
    complaints = set(re.findall(r"(?m)^ +\* (.*)$", outputs["--lint"].text))
    assert complaints == {"Specify a conda environment or container for each rule.:"}


def test_the_smoke_run_makes_every_file_and_logs_no_warning(smoke_run: Project) -> None:
    logs = {file for file in smoke_run.files() if "/logs/" in file}
    assert smoke_run.files() - logs == EVERYTHING
    assert all((smoke_run.folder / file).stat().st_size for file in smoke_run.files())
    for log in logs:
        text = (smoke_run.folder / log).read_text(encoding="utf-8")
        assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ INFO ", text), log
        assert not re.search("WARNING|ERROR", text), log
        if "/simulate/" in log:
            # The bound on any job; the smoke run's jobs are mostly imports and compilation.
            peak = re.search(r"peak memory (\d+) MiB", text)
            assert peak is not None, log
            assert 50 < int(peak[1]) <= 1024, log


def test_second_run_finds_nothing_to_do(smoke_run: Project) -> None:
    before = contents(smoke_run)
    again = smoke_run.run()
    assert again.status == 0
    assert "Nothing to be done" in again.text
    assert contents(smoke_run) == before


@pytest.mark.sample
def test_one_figure_on_one_core(smoke_run: Project, one_figure: Project) -> None:
    made = {file for file in one_figure.files() if "/logs/" not in file}
    assert made == FIGURE_4
    for file in made:
        here, there = (project.folder / file for project in (one_figure, smoke_run))
        assert here.read_bytes() == there.read_bytes(), file


def test_provenance_and_checksums(smoke_run: Project) -> None:
    provenance = json.loads((smoke_run.folder / "results/provenance.json").read_text("utf-8"))
    assert provenance["seed"] == provenance["config"]["seed"] == 7
    assert re.fullmatch(r"[0-9a-f]{12}", provenance["code"])
    ratings = provenance["ratings"]
    assert (ratings["source_used"], bool(ratings["retrieved_at"])) == ("bundled", True)
    assert "MovieLens" in ratings["citation"]
    assert provenance["versions"]["numpy"] == np.__version__
    assert provenance["versions"]["pandas"] == pd.__version__
    lines = (smoke_run.folder / "results/checksums.txt").read_text("utf-8").splitlines()
    assert {line.partition("  ")[2] for line in lines} == set(smoke.files_with({}).same())
    command = ["sha256sum", "--check", "--quiet", "--strict", "results/checksums.txt"]
    subprocess.run(command, cwd=smoke_run.folder, check=True)
