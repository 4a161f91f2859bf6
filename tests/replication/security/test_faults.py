"""Faults that a run survives: signals, a kill, a full disk, a read-only folder, a second run.

The same command finishes the run, with the bytes of a run that nothing happened to.
"""

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

pytestmark = [pytest.mark.slow, pytest.mark.sample]

TARGETS = (
    "results/summaries/setting_3.csv",
    "results/summaries/setting_3_frontier.csv",
    "results/summaries/setting_4.csv",
    "results/claims/measured/setting_4.json",
    "results/figures/figure_4.svg",
)
"""Outputs of each kind of job: ratings, replicates, summaries, claims and a figure."""


def start(project: Project, *targets: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *project.request(*targets).arguments],
        cwd=project.folder,
        env=environment(project.folder, project.kernels),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )


def at_work(project: Project) -> subprocess.Popen[str]:
    run = start(project, *TARGETS)
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
