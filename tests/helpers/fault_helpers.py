"""Copies of the project that tests damage, and the mounts for a full and a read-only disk."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workflow_helpers import Outcome, Project, environment

TARGETS = (
    "results/summaries/setting_3.csv",
    "results/summaries/setting_3_frontier.csv",
    "results/summaries/setting_4.csv",
    "results/claims/measured/setting_4.json",
    "results/figures/figure_4.svg",
)
"""Outputs of each kind of job: ratings, replicates, summaries, claims and a figure."""
TIMED = ("logs/", "movielens/provenance")
"""Files of the results that have a time in them."""


class Victim:
    """A copy of the project that something happens to."""

    def __init__(self, project: Project, targets: Iterable[str] = TARGETS) -> None:
        self.project = project
        self.targets = targets
        self.folder = project.folder
        self.results = self.folder / "results"

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start the command, in a session of its own."""
        command = [sys.executable, "-m", "snakemake", *self.targets, "--cores", "2"]
        return subprocess.Popen(
            [*command, "--configfile", "tiny.yaml", *options],
            cwd=self.folder,
            env=environment(self.folder, self.project.kernels),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, *options: str) -> Outcome:
        """Run the command to its end."""
        return self.end(self.start(*options))

    def end(self, run: subprocess.Popen[str]) -> Outcome:
        """Wait until a run ends."""
        text, _ = run.communicate(timeout=600)
        return Outcome(run.returncode, text)

    def at_work(self) -> subprocess.Popen[str]:
        """Start the command, and wait until a job is at work."""
        run = self.start()
        # Each job begins with its log.
        assert wait_for(lambda: list(self.results.glob("logs/**/*.log"))), "no job began"
        return run

    def contents(self) -> dict[str, bytes]:
        """Return every file of the results that is the same in each run."""
        files = (path for path in self.results.rglob("*") if path.is_file())
        by_name = {path.relative_to(self.results).as_posix(): path for path in files}
        return {n: p.read_bytes() for n, p in by_name.items() if not n.startswith(TIMED)}


def wait_for(condition: Callable[[], object], seconds: float = 120) -> bool:
    """Wait until a condition is true; return whether it became so in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def _mounted(*arguments: str) -> bool:
    """Mount something; return whether that is allowed here."""
    if shutil.which("mount") is None or os.geteuid() != 0:
        return False
    return subprocess.run(["mount", *arguments], capture_output=True).returncode == 0


@contextmanager
def read_only(folder: Path) -> Iterator[bool]:
    """Make a folder read-only, for root as well; yield whether that was possible."""
    if os.geteuid() != 0:
        modes = {p: p.stat().st_mode for p in (folder, *folder.rglob("*")) if p.is_dir()}
        for path in modes:
            path.chmod(0o555)
        try:
            yield True
        finally:
            for path, mode in modes.items():
                path.chmod(mode)
    elif _mounted("--bind", str(folder), str(folder)):
        try:
            yield _mounted("-o", "remount,ro,bind", str(folder))
        finally:
            subprocess.run(["umount", folder], check=True)
    else:
        yield False


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Callable[[str], bool] | None]:
    """Put a folder on a disk of its own; yield what changes its size, None if impossible."""
    folder.mkdir(parents=True, exist_ok=True)
    if not _mounted("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)):
        yield None
        return
    try:
        yield lambda new: _mounted("-o", f"remount,size={new}", str(folder))
    finally:
        subprocess.run(["umount", folder], check=True)
