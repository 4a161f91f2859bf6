"""Unsafe names, on which no shell acts, a table of ratings, and faults that a run survives."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from workflow_helpers import Outcome, Project, environment, small_disk, wait_for

pytestmark = pytest.mark.slow

FOLDER = 'it\'s a "project"; $(touch RAN) {setting}\n & > RAN'
"""A name that a shell, or Snakemake, would take for something else."""
TABLE = "my 'own' \"ratings\"; touch RAN $(touch RAN) & | > RAN * ? ~ # %s <img src=x>.csv"
REPLICATES = "results/replicates/setting_4/1of1.parquet"
CONFIG = "unsafe; touch RAN.yaml"


@pytest.fixture(scope="module", name="ran")
def ran_fixture(
    fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Outcome]:
    """Return a run in a folder, and with a table of ratings, that have unsafe names."""
    project = fresh.copy(tmp_path_factory.mktemp("unsafe") / FOLDER)
    rows = [f"{user},{film},{1 + (user * film) % 5}" for user in range(9) for film in range(4)]
    (project.folder / TABLE).write_text("\n".join(["who,film{x},stars", *rows]) + "\n", "utf-8")
    table = {"path": TABLE, "user": "who", "item": "film{x}", "rating": "stars"}
    changes = {"movielens": {"source": "table", "table": table}, "setting_3": {"m0": [8]}}
    project.configure({**changes, "movie_crossover": {"m0": [8]}}, CONFIG)
    return project, project.run("get_ratings", REPLICATES, config=CONFIG)


@pytest.mark.sample
def test_a_python_that_starts_no_job_is_refused(fresh: Project, tmp_path: Path) -> None:
    (tmp_path / "my project").symlink_to(sys.prefix, target_is_directory=True)
    python = tmp_path / "my project" / Path(sys.executable).relative_to(sys.prefix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        outcome = fresh.run("get_ratings", options=["--dry-run"])
    assert outcome.status == 1
    assert "my project/bin/python: Snakemake takes no path with any of" in outcome.text


@pytest.mark.sample
def test_braces_in_the_path_from_elsewhere_are_refused(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "p{a}b/project")
    where = ["--snakefile", str(project.folder / "Snakefile"), "--directory", str(tmp_path)]
    outcome = project.snakemake([*where, "--list-rules", "--configfile", "config/config.yaml"])
    assert outcome.status == 1
    assert f"{'/p{a}b/project'}: Snakemake takes no path with any of '{{}}'" in outcome.text


@pytest.mark.sample
def test_hostile_names(ran: tuple[Project, Outcome]) -> None:
    project, outcome = ran
    assert outcome.status == 0, outcome.text
    assert (project.folder / REPLICATES).is_file()
    ratings = json.loads((project.folder / "results/movielens/provenance.json").read_text("utf-8"))
    assert (ratings["dataset"], ratings["n_ratings_total"]) == (TABLE, 36)
    base = project.folder.parent
    assert not [path for path in base.rglob("*") if path.name.startswith("RAN")]
    assert [path.name for path in base.iterdir()] == [FOLDER]


def test_braces_in_the_folder_are_no_wildcards_of_any_rule(ran: tuple[Project, Outcome]) -> None:
    project, _ = ran
    project.make("all", config=CONFIG, options=["--dry-run", "--quiet", "all"])


def test_the_content_of_a_table_of_ratings_counts(
    ran: tuple[Project, Outcome], tmp_path: Path
) -> None:
    project = ran[0].copy(tmp_path / "project")
    table, other = project.folder / TABLE, project.folder / "other.csv"
    counts = project.folder / "results/movielens/rating_counts.csv"
    before = counts.read_text("utf-8")
    # A new time is no change, and an older file in its place is one.
    table.touch()
    assert "Nothing to be done" in project.run("get_ratings", config=CONFIG).text
    other.write_text(table.read_text("utf-8").replace(",5\n", ",3\n"), "utf-8")
    os.utime(other, (10**9, 10**9))  # as `cp -p`, `mv`, `rsync -a` and unzip leave it
    other.replace(table)
    project.make("get_ratings", config=CONFIG)
    assert counts.read_text("utf-8") != before
    # Counts of an earlier run do not stand in for a missing file.
    table.unlink()
    outcome = project.run("get_ratings", config=CONFIG)
    assert outcome.status == 1
    assert f"movielens.table.path: there is no file {TABLE!r}" in outcome.text


TARGETS = (
    "results/summaries/setting_3.csv",
    "results/summaries/setting_3_frontier.csv",
    "results/summaries/setting_4.csv",
    "results/claims/measured/setting_4.json",
    "results/figures/figure_4.svg",
)
"""Outputs of each kind of job: ratings, replicates, summaries, claims and a figure."""


def at_work(project: Project) -> subprocess.Popen[str]:
    run = subprocess.Popen(
        [sys.executable, "-m", "snakemake", *project.request(*TARGETS).arguments],
        cwd=project.folder,
        env=environment(project.folder, project.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )
    # Each job begins with its log.
    logs = project.folder / "results/logs"
    assert wait_for(lambda: list(logs.rglob("*.log"))), "no job began"
    return run


def end(run: subprocess.Popen[str]) -> Outcome:
    text, _ = run.communicate(timeout=600)
    return Outcome(run.returncode, text)


def check_finishes(project: Project, undisturbed: Project) -> None:
    files = project.make(*TARGETS).files()
    for file in (f for f in files if not re.search("/logs/|movielens/provenance", f)):
        here, there = ((one.folder / file).read_bytes() for one in (project, undisturbed))
        assert here == there, file


@pytest.fixture(name="victim")
def victim_fixture(smoke_run: Project, fresh: Project, tmp_path: Path) -> Project:
    assert smoke_run.kernels == fresh.kernels
    return fresh.copy(tmp_path / "project")


@pytest.mark.sample
def test_kill(victim: Project, smoke_run: Project) -> None:
    run = at_work(victim)
    time.sleep(1)
    os.killpg(run.pid, signal.SIGKILL)
    end(run)
    locked = victim.run(*TARGETS)
    assert locked.status == 1
    assert "--unlock" in locked.text
    assert victim.run(*TARGETS, options=["--unlock"]).status == 0
    check_finishes(victim, smoke_run)


@pytest.mark.sample
def test_full_disk(victim: Project, smoke_run: Project) -> None:
    results = victim.folder / "results"
    with small_disk(results, "3m") as resize:
        if resize is None:
            pytest.skip("there is no small disk here: mounting is not allowed")
        ballast = results / "logs" / "ballast"
        ballast.parent.mkdir()
        run = at_work(victim)
        with suppress(OSError):  # the run writes too
            ballast.write_bytes(bytes(shutil.disk_usage(results).free))
        outcome = end(run)
        assert outcome.status == 1, outcome.text
        lines = [line for line in outcome.text.splitlines() if "No space left on device" in line]
        assert lines, outcome.text
        assert all("results" in line and "make room" in line for line in lines), lines
        assert "Traceback" not in outcome.text
        ballast.unlink()
        assert resize("100m")
        check_finishes(victim, smoke_run)
