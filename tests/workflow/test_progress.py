"""Progress of long jobs: the lines, their times, and where they are written."""

import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from penalized_replication.workflow.job import Progress, job_log
from penalized_replication.workflow import job
from workflow_helpers import Project


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


def test_lines_come_ever_less_often(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    progress = Progress(200, logging.getLogger("test"), "setting_1")
    times: list[int] = []
    for second in range(1, 101):
        clock.now += 1
        before = len(caplog.messages)
        progress(2)
        times += [second] * (len(caplog.messages) - before)
    assert times == [5, 8, 12, 18, 27, 41, 62, 93]
    assert caplog.messages[0] == "setting_1: 5 % after 5 s, about 95 s left"


def test_short_jobs_and_first_lines(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    # No estimate before a twentieth; a job of less than five seconds logs its end alone.
    early, short = (Progress(n, logging.getLogger("test"), "setting_1") for n in (100, 4))
    for _ in range(4):
        clock.now += 1.2
        short(1)
    short.finish()
    clock.now += 1.2
    early(4)
    assert caplog.messages == [
        "done: 4 pulls in 4.8 s (1.2e+09 ns each)",
        "setting_1: 4 % after 6 s",
    ]


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_goes_to_the_file_and_to_a_terminal(
    terminal: bool,
    clock: Clock,
    package_log: logging.Logger,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with job_log(tmp_path / "job.log") as log:
        assert log is package_log
        progress = Progress(10, log, "setting_1")
        for _ in range(2):
            clock.now += 3
            progress(2)
        log.info("an information")
        log.warning("a warning")
    text = (tmp_path / "job.log").read_text(encoding="utf-8")
    line = "setting_1: 40 % after 6 s, about 9 s left\n"
    assert re.search(rf"INFO +{re.escape(line)}", text)
    assert "INFO    an information" in text
    assert "WARNING a warning" in text
    assert capsys.readouterr() == ("", f"{line if terminal else ''}a warning\n")


@pytest.mark.sample
def test_a_run_ends_with_where_to_look(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "project")
    (project.folder / "results/index.html").unlink()
    lines = project.run().text.splitlines()
    place = lines.index("Open results/index.html (the ledger: results/claims/claims.md)")
    tally, config, ratings = lines[place + 1 : place + 4]
    assert tally.startswith("The paper's claims: ")
    assert config.startswith("Not the paper's config")
    assert ratings.endswith("bundled counts of its ratings were used.")
    jobs = [line for line in lines if re.match(r"Job \d+: ", line)]
    assert jobs[0].endswith(": Write the reproduction page")
    log = project.folder / "results/logs/simulate/setting_4/1of1.log"
    assert "done: 5.4e+03 pulls in" in log.read_text(encoding="utf-8")
