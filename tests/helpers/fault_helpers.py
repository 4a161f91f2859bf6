"""A copy of the project that something happens to, and tools to make it happen.

What is compared with an undisturbed run is every file below ``results`` but logs and the
record of when the ratings were read.
"""

import os
import shutil
import signal
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
"""Ratings, replicates, summaries, claims and a figure: what each kind of job writes."""
TIMED = ("logs/", "movielens/provenance")


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
        """Start the command, and wait until jobs are at work."""
        run = self.start()
        assert wait_for(self.jobs), "no job began"
        return run

    def contents(self) -> dict[str, bytes]:
        """Return every file of the results that is the same in each run."""
        files = (path for path in self.results.rglob("*") if path.is_file())
        named = {path.relative_to(self.results).as_posix(): path for path in files}
        return {n: p.read_bytes() for n, p in named.items() if not n.startswith(TIMED)}

    def jobs(self) -> list[int]:
        """Return the processes of jobs of runs in this folder."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                command = (entry / "cmdline").read_bytes()
                here = (entry / "cwd").resolve() == self.folder.resolve()
            except OSError:
                continue
            if here and b".snakemake/scripts/" in command and not command.startswith(b"/bin/"):
                found.append(int(entry.name))
        return found


def kill_all(run: subprocess.Popen[str]) -> None:
    """Kill a run with all its jobs, as a crash would."""
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate(timeout=60)


def wait_for(condition: Callable[[], object], seconds: float = 120) -> bool:
    """Wait until something is so; return whether it came to be."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def mounted(*arguments: str) -> bool:
    """Mount something, if that is allowed here."""
    command = shutil.which("mount")
    if command is None or os.geteuid() != 0:
        return False
    return subprocess.run([command, *arguments], capture_output=True, check=False).returncode == 0


def unmount(folder: Path) -> None:
    """Take a mount away."""
    command = shutil.which("umount")
    assert command is not None
    subprocess.run([command, str(folder)], check=True)


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
    elif mounted("--bind", str(folder), str(folder)):
        try:
            yield mounted("-o", "remount,ro,bind", str(folder))
        finally:
            unmount(folder)
    else:
        yield False


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Callable[[str], bool] | None]:
    """Put a folder on a disk of its own; yield what changes its size, None if impossible.

    What is in the folder in the end stays when the disk is taken away.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not mounted("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)):
        yield None
        return
    aside = folder.with_name(f"{folder.name}-aside")
    try:
        yield lambda new: mounted("-o", f"remount,size={new}", str(folder))
        shutil.copytree(folder, aside)
    finally:
        unmount(folder)
    # What an earlier damage left lies below the disk, where nothing looked at it.
    shutil.rmtree(folder)
    aside.rename(folder)
