"""Progress of long work: what is said, when, and to whom."""

import logging
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from penalized_bandits.workflow.job import Progress, duration, job_log
from penalized_bandits.workflow import job as module
from terminal_helpers import run_in_terminal
from workflow_helpers import Project

LINE = re.compile(r"(.+): (\d+) % \((\d+) s, about (\d+) s left\)")


class Clock:
    """A clock that goes only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def package_log() -> Iterator[logging.Logger]:
    """Return the package's logger, and leave it as it was."""
    log = logging.getLogger("penalized_bandits")
    handlers, level = log.handlers, log.level
    yield log
    log.handlers, log.level = handlers, level


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (99.4, "99 s"), (100, "2 min"), (3600, "60 min"), (6000, "1.7 h")],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_lines_come_ever_less_often(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(1000, logging.getLogger("test"), "setting_1/K20")
    spoke: list[int] = []
    for second in range(1, 501):
        clock.now += 1
        before = len(caplog.records)
        progress(2)
        spoke += [second] * (len(caplog.records) - before)
    # Every 5 s at first, then after half as long again, at last every minute.
    assert spoke == [5, 10, 15, 23, 35, 53, 80, 120, 180, 240, 300, 360, 420, 480]
    assert said(caplog)[:2] == [
        "setting_1/K20: 1 % (5 s, about 8 min left)",
        "setting_1/K20: 2 % (10 s, about 8 min left)",
    ]
    assert said(caplog)[-1] == "setting_1/K20: 96 % (8 min, about 20 s left)"


def test_what_comes_before_the_work_is_not_taken_for_its_pace(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(100, logging.getLogger("test"), "name")
    clock.now += 30  # compiling
    progress(10)
    assert said(caplog) == []  # nobody knows yet
    clock.now += 2
    progress(10)
    # Ten units take two seconds.
    assert said(caplog) == ["name: 20 % (32 s, about 16 s left)"]


def test_short_work_says_nothing_until_it_is_done(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(4, logging.getLogger("test"), "name", unit="pulls")
    for _ in range(4):
        clock.now += 1.2
        progress(1)
    assert said(caplog) == []
    progress.finish()
    assert said(caplog) == ["done: 4 pulls in 4.8 s (1.2e+09 ns each)"]
    # Nor does it say 100 %: what is done is done.
    clock.now += 100
    late = Progress(1, logging.getLogger("test"), "name")
    clock.now += 100
    late(1)
    assert len(caplog.records) == 1


def test_the_file_has_progress_and_a_pipe_has_none(
    clock: Clock,
    package_log: logging.Logger,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with job_log(tmp_path / "job.log") as log:
        assert log is package_log
        progress = Progress(10, log, "setting_1/K5")
        for _ in range(2):
            clock.now += 3
            progress(2)
        log.warning("something to know")
    text = (tmp_path / "job.log").read_text(encoding="utf-8")
    assert re.search(r"INFO +setting_1/K5: 40 % \(6 s, about 9 s left\)\n", text)
    assert "WARNING something to know" in text
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "%" not in captured.err
    assert captured.err.count("\n") == 1
    assert captured.err.endswith("something to know\n")


TALKATIVE = """
import sys
from penalized_bandits.workflow import job
from penalized_bandits.workflow.job import job_log

job.AT_LEAST = job.AT_MOST = 0.0
name = sys.argv[1]
with job_log(f"{name}.log") as log:
    log.info("for the file alone")
    at = job.Progress(101, log, name)
    for _ in range(100):
        at(1)
    at.finish()
"""


def test_jobs_that_share_a_terminal_write_whole_lines(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(TALKATIVE, encoding="utf-8")
    names = [f"setting_{n}/{'long' * 10}" for n in range(4)]
    for name in names:
        (tmp_path / name).parent.mkdir()
    starter = f"""
import subprocess, sys
jobs = [subprocess.Popen([sys.executable, "job.py", name]) for name in {names}]
sys.exit(sum(job.wait() for job in jobs))
"""
    ran = run_in_terminal([sys.executable, "-c", starter], tmp_path)
    assert ran.status == 0, ran.shown
    lines = [LINE.fullmatch(line) for line in ran.shown.splitlines()]
    assert all(lines), ran.shown
    for name in names:
        percent = [int(line[2]) for line in lines if line and line[1] == name]
        assert percent == [round(100 * n / 101) for n in range(2, 101)]
    assert "for the file alone" in (tmp_path / f"{names[0]}.log").read_text(encoding="utf-8")


@pytest.mark.sample
def test_snakemake_hands_the_terminal_to_its_jobs(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        TALKATIVE.replace("sys.argv[1]", "snakemake.wildcards.name")
        + "open(snakemake.output[0], 'w').close()\n",
        encoding="utf-8",
    )
    rule = """
        rule all:
            input: "a.txt", "b.txt"
        rule job:
            output: "{name}.txt"
            script: "job.py"
    """
    (tmp_path / "Snakefile").write_text(textwrap.dedent(rule), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    ran = run_in_terminal(command, tmp_path, all_of_it=True)
    assert ran.status == 0, ran.shown
    # Snakemake ends its own lines in a second write: what a job writes may come before that.
    lines = [LINE.search(line) for line in ran.shown.splitlines()]
    assert {line[1][-1] for line in lines if line} == {"a", "b"}
    # In a pipe there is none.
    (tmp_path / "a.txt").unlink()
    piped = run_in_terminal(["sh", "-c", 'exec "$@" 2>&1', "sh", *command], tmp_path)
    assert (tmp_path / "a.txt").is_file(), piped
    assert "a.txt" in piped.piped
    assert not LINE.search(piped.piped)


@pytest.mark.sample
def test_a_run_says_little_and_at_its_end_where_to_look(miniature: Project, tmp_path: Path) -> None:
    project = miniature.copy(tmp_path / "project")
    (project.folder / "results/index.html").unlink()
    said = project.run().text.splitlines()
    assert "Open results/index.html (the ledger: results/claims/claims.md)" in said
    jobs = [line for line in said if re.match(r"Job \d+: ", line)]
    assert jobs[0].endswith(": Write the reproduction page")
    # A simulating job counts all its pulls.
    log = project.folder / "results/logs/simulate/replicates/setting_4/1of1.log"
    assert "done: 5.4e+03 pulls in" in log.read_text(encoding="utf-8")
