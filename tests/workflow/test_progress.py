"""Progress of long jobs: the lines, their times, and where they are written."""

import logging
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from penalized_bandits.workflow.job import Progress, duration, job_log
from penalized_bandits.workflow import job
from terminal_helpers import run_in_terminal
from workflow_helpers import Project

LINE = re.compile(r"(.+): (\d+) % \((\d+) s, about (\d+) s left\)")


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(job, "time", clock)
    return clock


@pytest.fixture
def package_log() -> Iterator[logging.Logger]:
    """Return the package's logger, and restore it afterwards."""
    log = logging.getLogger("penalized_bandits")
    handlers, level = log.handlers, log.level
    yield log
    log.handlers, log.level = handlers, level


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (99.4, "99 s"), (100, "2 min"), (3600, "60 min"), (6000, "1.7 h")],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_lines_come_ever_less_often(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(1000, logging.getLogger("test"), "setting_1")
    times: list[int] = []
    for second in range(1, 501):
        clock.now += 1
        before = len(caplog.messages)
        progress(2)
        times += [second] * (len(caplog.messages) - before)
    assert times == [5, 10, 15, 23, 35, 53, 80, 120, 180, 240, 300, 360, 420, 480]
    assert caplog.messages[0] == "setting_1: 1 % (5 s, about 8 min left)"
    assert caplog.messages[-1] == "setting_1: 96 % (8 min, about 20 s left)"


def test_compilation_does_not_count_as_pace(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(100, logging.getLogger("test"), "setting_1")
    for seconds in (30, 2):
        clock.now += seconds
        progress(10)
    assert caplog.messages == ["setting_1: 20 % (32 s, about 16 s left)"]


def test_short_jobs_log_only_their_end(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(4, logging.getLogger("test"), "setting_1")
    for _ in range(4):
        clock.now += 1.2
        progress(1)
    progress.finish()
    assert caplog.messages == ["done: 4 pulls in 4.8 s (1.2e+09 ns each)"]


def test_progress_goes_to_the_file_and_not_to_a_pipe(
    clock: Clock, package_log: logging.Logger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with job_log(tmp_path / "job.log") as log:
        assert log is package_log
        progress = Progress(10, log, "setting_1")
        for _ in range(2):
            clock.now += 3
            progress(2)
        log.warning("a warning")
    text = (tmp_path / "job.log").read_text(encoding="utf-8")
    assert re.search(r"INFO +setting_1: 40 % \(6 s, about 9 s left\)\n", text)
    assert "WARNING a warning" in text
    assert capsys.readouterr() == ("", "a warning\n")


JOB = """
from penalized_bandits.workflow import job

job.AT_LEAST = job.AT_MOST = 0.0
name = snakemake.wildcards.name
with job.job_log(f"{name}.log") as log:
    progress = job.Progress(101, log, name)
    for _ in range(100):
        progress(1)
open(snakemake.output[0], "w").close()
"""
RULES = """
    rule all:
        input: "a.txt", "b.txt"
    rule job:
        output: "{name}.txt"
        script: "job.py"
"""


@pytest.mark.sample
def test_jobs_of_snakemake_write_to_its_terminal_alone(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB, encoding="utf-8")
    (tmp_path / "Snakefile").write_text(textwrap.dedent(RULES), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    ran = run_in_terminal(command, tmp_path, all_of_it=True)
    assert ran.status == 0, ran.shown
    # Snakemake ends its own lines in a second write: a job's line may come before that.
    lines = [LINE.search(line) for line in ran.shown.splitlines()]
    assert {line[1][-1] for line in lines if line} == {"a", "b"}
    (tmp_path / "a.txt").unlink()
    piped = run_in_terminal(["sh", "-c", 'exec "$@" 2>&1', "sh", *command], tmp_path)
    assert "a.txt" in piped.piped
    assert not LINE.search(piped.piped)


@pytest.mark.sample
def test_a_run_ends_with_where_to_look(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    (project.folder / "results/index.html").unlink()
    lines = project.run().text.splitlines()
    assert "Open results/index.html (the ledger: results/claims/claims.md)" in lines
    jobs = [line for line in lines if re.match(r"Job \d+: ", line)]
    assert jobs[0].endswith(": Write the reproduction page")
    log = project.folder / "results/logs/simulate/replicates/setting_4/1of1.log"
    assert "done: 5.4e+03 pulls in" in log.read_text(encoding="utf-8")
