"""One run at a time, and none beside jobs of a killed one; files from the future."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chaos_helpers import read_only, small_disk, wait_for
from penalized_bandits.common.errors import RunError
from penalized_bandits.workflow import runs
from penalized_bandits.workflow.runs import INSIDE, Run, at_work, date_back

RUN = """
import sys
from penalized_bandits.workflow.runs import Run
run = Run()
run.prepare(lambda text: print(text, file=sys.stderr, flush=True))
run.begin()
print("begun", flush=True)
sys.stdin.read()
"""
JOB = """
import sys
from penalized_bandits.workflow.runs import at_work
with at_work():
    print("begun", flush=True)
    sys.stdin.read()
"""


@contextmanager
def process(code: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run code in a process of its own, until it says that it has begun."""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as started:
        try:
            assert started.stdout is not None
            assert started.stdout.readline() == "begun\n"
            yield started
        finally:
            started.kill()


@pytest.fixture(name="said")
def said_fixture() -> list[str]:
    return []


def test_one_run_at_a_time(tmp_path: Path, said: list[str]) -> None:
    with process(RUN, tmp_path) as other:
        run = Run(tmp_path)
        run.prepare(said.append)
        with pytest.raises(RunError, match=rf"another run \(process {other.pid} on .*wait until"):
            run.begin()
        other.kill()
        other.wait()
        # Nothing is left of a killed run's claim.
        run.prepare(said.append)
        run.begin()
        run.end()
    assert said == []


def test_a_run_that_began_to_look_has_the_folder(tmp_path: Path, said: list[str]) -> None:
    first, second = Run(tmp_path), RUN.replace("run.begin()\n", "assert run._handle is None\n")
    first.prepare(said.append)
    with process(second, tmp_path):
        pass
    first.begin()
    first.end()


def test_two_runs_of_one_process_one_after_the_other(tmp_path: Path, said: list[str]) -> None:
    for _ in range(2):
        run = Run(tmp_path)
        run.prepare(said.append)
        run.begin()
    assert said == []


def test_a_snakemake_within_a_run_takes_nothing(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(INSIDE, "1")
    with process(JOB, tmp_path):
        Run(tmp_path).prepare(said.append)
    assert said == []


def test_jobs_that_outlived_their_run_are_waited_for(tmp_path: Path, said: list[str]) -> None:
    run = Run(tmp_path)
    run.keep_notes(said.append)
    os.utime(run.notes, (1, 1))
    with process(JOB, tmp_path) as job:

        def say(text: str) -> None:
            said.append(text)
            job.kill()

        run.prepare(say)
        assert job.wait(timeout=60) != 0
    (text,) = said
    assert text.startswith("Jobs of a run that was killed are still at work in this folder")
    if sys.platform == "linux":
        assert f"(process {job.pid})" in text
    # What they wrote meanwhile is not taken for up to date.
    assert run.notes.stat().st_mtime > 1
    run.begin()
    run.end()


def test_jobs_of_a_run_are_beside_one_another(tmp_path: Path) -> None:
    with process(JOB, tmp_path), at_work(tmp_path):
        pass


def test_a_job_may_begin_while_a_run_is_at_work(tmp_path: Path) -> None:
    with process(RUN, tmp_path), process(JOB, tmp_path) as job:
        assert job.poll() is None


def test_without_locks(tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    with process(RUN, tmp_path):
        monkeypatch.setattr(runs.fcntl, "flock", no_locks)
        run = Run(tmp_path)
        run.prepare(said.append)
        run.begin()
        with at_work(tmp_path):
            pass
        run.end()
    assert said == []


def test_what_crashes_left_is_deleted(tmp_path: Path, said: list[str]) -> None:
    folder = tmp_path / "results" / "replicates"
    folder.mkdir(parents=True)
    left = folder / ".0123456789abcdef.K5.1of1.parquet"
    own = folder / ".gitkeep"
    for path in (left, own):
        path.write_text("")
    run = Run(tmp_path)
    run.prepare(said.append)
    assert left.exists()
    run.begin()
    run.end()
    assert not left.exists()
    assert own.exists()


def test_notes_are_younger_than_results_without_them(tmp_path: Path, said: list[str]) -> None:
    table = tmp_path / "results" / "table.csv"
    table.parent.mkdir()
    table.write_text("x\n")
    future = time.time() + 1e6
    os.utime(table, (future, future))
    run = Run(tmp_path)
    run.keep_notes(said.append)
    first = run.notes.stat().st_mtime_ns
    assert run.notes.stat().st_mtime > future
    # Once they are there they stay.
    run.keep_notes(said.append)
    assert run.notes.stat().st_mtime_ns == first
    assert said == []


def test_files_from_the_future_keep_their_order(tmp_path: Path) -> None:
    now = time.time()
    times = {"old": now - 1e6, "recent": now - 5, "a": now + 100, "b": now + 1e7, "c": now + 100}
    for name, when in times.items():
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (when, when))
    changed = date_back([tmp_path / "old", tmp_path])
    assert sorted(path.name for path in changed) == ["a", "b", "c"]
    after = {name: (tmp_path / name).stat().st_mtime_ns for name in times}
    assert after["old"] < after["recent"] < after["a"] == after["c"] < after["b"]
    assert after["b"] <= time.time_ns()
    assert abs(after["recent"] - int(times["recent"] * 1e9)) < 1000
    assert date_back([tmp_path]) == []


def test_results_that_cannot_be_written(tmp_path: Path, said: list[str]) -> None:
    results = tmp_path / "results"
    results.mkdir()
    run = Run(tmp_path)
    with read_only(results) as possible:
        if not possible:
            pytest.skip("nothing can be made read-only here: mounting is not allowed")
        run.prepare(said.append)
    (text,) = said
    assert text.startswith(f"{results}: ")
    assert text.endswith("then run the same command again")
    with pytest.raises(RunError, match="make the"):
        run.begin()


def test_a_full_disk(tmp_path: Path, said: list[str]) -> None:
    results = tmp_path / "results"
    with small_disk(results, "200k") as resize:
        if resize is None:
            pytest.skip("there is no small disk here: mounting is not allowed")
        run = Run(tmp_path)
        run.prepare(said.append)
        assert said == [
            f"{results}: No space left on device; make room on the disk, "
            "then run the same command again"
        ]
        assert list(results.iterdir()) == []


def test_waiting_ends(tmp_path: Path) -> None:
    # The helper of these tests itself: it must not say yes to what is not so.
    assert not wait_for(lambda: (tmp_path / "none").exists(), seconds=0.1)
