"""A real Slurm of one node runs a part of the quick config, jobs die, and no byte is lost.

    uv run --group slurm pytest -m sample tests/workflow/test_slurm.py

The run on Slurm is hurt in three ways: a job is cancelled, another is killed, and then
Snakemake itself, whose jobs live on.  The commands of docs/pages/how-to/cluster.md finish it.
"""

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

import pytest

from docs_pages import blocks
from fault_helpers import wait_for
from miniature import TOPICS, summaries_of
from penalized_bandits.workflow.paths import measured_files
from slurm_helpers import Slurm, missing, running_slurm
from workflow_helpers import Project, environment

pytestmark = [pytest.mark.sample, pytest.mark.skipif(missing() != "", reason=missing())]

CHECKED = ("setting_1", "setting_3", "crossover")
"""Topics of claims that need jobs of every kind: all topics would need more, of the same kinds."""
STAND_ON = sorted({experiment for topic in CHECKED for experiment in TOPICS[topic]})
TABLES = sorted({*summaries_of(*STAND_ON), *measured_files(*CHECKED)})
OPTIONS = [
    *("--profile", "profiles/slurm", "--jobs", "12", "--slurm-no-account"),
    # There is no database of jobs, and nobody else's jobs to be considerate of.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
]
ENOUGH = 1500
"""Seconds that a run may take on a machine with much else to do."""

Run: TypeAlias = "subprocess.Popen[bytes]"


@dataclass(frozen=True)
class Finished:
    """What a run on Slurm left, and what was seen of it."""

    project: Project
    arguments: list[str]
    """Of the command, the same each time."""
    jobs: dict[str, str]
    """Rule and wildcards of every job that Slurm had, by its number."""
    completed: dict[str, str]
    cancelled: str
    killed: str
    """What the jobs were that were cancelled and killed."""
    left: dict[str, str]
    """Jobs that lived on when Snakemake was killed."""
    said: str


def configured(project: Project) -> list[str]:
    """Write a config that needs no network; return the option that names the configs."""
    (project.folder / "local.yaml").write_text("movielens: {source: bundled}\n", encoding="utf-8")
    return ["--configfile", "config/quick.yaml", "local.yaml"]


@pytest.fixture(scope="module", name="local")
def local_fixture(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return a copy in which the tables were made without Slurm."""
    project = fresh.copy(tmp_path_factory.mktemp("local") / "project")
    outcome = project.snakemake([*TABLES, "--cores", "2", *configured(project)])
    assert outcome.status == 0, outcome.text
    return project


@pytest.fixture(scope="module", name="slurm")
def slurm_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    with running_slurm(tmp_path_factory.mktemp("cluster")) as slurm:
        yield slurm


@pytest.fixture(scope="module", name="finished")
def finished_fixture(
    # After the local run, which has compiled the kernels.
    local: Project,
    fresh: Project,
    slurm: Slurm,
    tmp_path_factory: pytest.TempPathFactory,
) -> Finished:
    """Run the tables on Slurm, hurt the run, and finish it as the documentation says."""
    assert local.kernels == fresh.kernels
    project = fresh.copy(tmp_path_factory.mktemp("slurm") / "project")
    configs = configured(project)
    # Other jobs than those of the local run.
    with (project.folder / "local.yaml").open("a", encoding="utf-8") as file:
        file.write("simulation: {chunks_of: {setting_1: 3}}\n")
    arguments = [*TABLES, *OPTIONS, *configs]
    with (project.folder / "first.log").open("wb") as log:
        run = started(project, arguments, log)
    try:
        cancelled, killed = hurt(slurm, run)
        run.send_signal(signal.SIGKILL)
    finally:
        run.kill()
        run.wait()
    first = (project.folder / "first.log").read_text(encoding="utf-8")
    left = slurm.jobs("PENDING", "RUNNING")
    clean_up(project)
    assert wait_for(lambda: not slurm.jobs("PENDING", "RUNNING", "COMPLETING")), "jobs are left"
    assert project.snakemake(["--unlock"]).status == 0
    with (project.folder / "second.log").open("wb") as log:
        run = started(project, arguments, log)
        try:
            status = run.wait(ENOUGH)
        finally:
            run.kill()
            run.wait()
    second = (project.folder / "second.log").read_text(encoding="utf-8")
    assert status == 0, f"{first}\n{second}\n{slurm.said()}"
    return Finished(
        project,
        arguments,
        slurm.jobs(),
        slurm.jobs("COMPLETED"),
        cancelled,
        killed,
        left,
        first + second,
    )


def started(project: Project, arguments: list[str], log: IO[bytes]) -> Run:
    """Start Snakemake, and do not wait for it."""
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *arguments],
        cwd=project.folder,
        env=environment(project.folder, project.kernels),
        stdout=log,
        stderr=subprocess.STDOUT,
    )


def hurt(slurm: Slurm, run: Run) -> tuple[str, str]:
    """Cancel a job and kill another, and wait until both were started again."""

    def simulating() -> dict[str, str]:
        assert run.poll() is None, "Snakemake ended"
        return {n: what for n, what in slurm.jobs("RUNNING").items() if "simulate" in what}

    assert wait_for(lambda: len(simulating()) >= 2, 180), "no two simulations run"
    first, second = list(simulating().items())[:2]
    slurm.command("scancel", first[0])
    assert wait_for(lambda: slurm.kill(second[0])), "nothing to kill in the job"
    for number, what in (first, second):
        assert wait_for(
            lambda n=number, w=what: any(j != n and of == w for j, of in slurm.jobs().items()), 180
        ), f"{what} was not started again"
    return first[1], second[1]


def clean_up(project: Project) -> None:
    """Cancel what lives on, by the command that the documentation gives."""
    (command,) = (b.text for b in blocks("how-to/cluster.md") if "scancel" in b.text)
    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=project.folder, timeout=60, check=True
    )


def test_tables_are_the_same_bytes(local: Project, finished: Finished) -> None:
    for file in TABLES:
        there = finished.project.folder / file
        assert there.read_bytes() == (local.folder / file).read_bytes(), file


def test_jobs_went_through_slurm(finished: Finished) -> None:
    # A job that is cancelled in its last seconds has done its work all the same.
    had = "\n".join(finished.jobs.values())
    for rule in ("simulate", "summarize", "measure_claims"):
        assert rule in had
    # Each part of the one experiment that was split, and short jobs together.
    assert len(set(re.findall(r"setting_1\S*", had))) >= 3, had
    tables = [what for what in finished.completed.values() if "summarize" in what]
    assert 1 <= len(tables) < len(STAND_ON), tables


def test_the_work_was_split_in_another_way(local: Project, finished: Finished) -> None:
    folder = "results/replicates/setting_1"
    assert f"{folder}/3of3.parquet" in finished.project.files(folder)
    assert f"{folder}/1of1.parquet" in local.files(folder)


def test_damage_was_done(finished: Finished) -> None:
    for job in (finished.cancelled, finished.killed):
        assert sum(what == job for what in finished.jobs.values()) >= 2, job
    assert finished.left
    assert "CANCELLED" in finished.said
    assert "FAILED" in finished.said


def test_nothing_is_left_to_do(finished: Finished) -> None:
    outcome = finished.project.snakemake(["--dry-run", *finished.arguments])
    assert outcome.status == 0, outcome.text
    assert "Nothing to be done" in outcome.text, outcome.text


def commands(beginning: str) -> list[list[str]]:
    """Return the arguments of the commands of the guide that begin in this way."""
    lines = [line for block in blocks("how-to/cluster.md") for line in block.text.splitlines()]
    found = [shlex.split(line.removeprefix(beginning)) for line in lines if beginning in line]
    return [[word for word in words if word != "--dry-run"] for words in found]


def test_documented_commands(fresh: Project) -> None:
    usual, large = commands("uv run --group slurm snakemake --profile profiles/slurm")
    outcome = fresh.snakemake(["--dry-run", "--profile", "profiles/slurm", *usual])
    assert outcome.status == 0, outcome.text
    assert ": Simulate " in outcome.text
    # Another test runs this one without the profile.
    assert large in commands("uv run snakemake ")


def test_the_cluster_is_that_of_the_test(slurm: Slurm) -> None:
    assert Path("/etc/slurm/slurm.conf").readlink() == slurm.folder / "slurm.conf"
    assert slurm.command("sinfo", "-h", "-o", "%P %D").split() == ["debug*", "1"]
