"""What the machine is, in general terms, and how busy."""

import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENGINE = tuple(
    f"src/penalized_bandits/{name}" for name in ("engine", "policies", "bandit/rewards.py")
)
QUIET = 0.9
"""Share of time without work from which on a machine counts as quiet."""
PACKAGES = ("numba", "llvmlite", "numpy", "snakemake", "SMPyBandits", "mabwiser")


def _processor() -> str:
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory() -> str:
    """Return the size of the memory."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return ""
    return f", {size / 2**30:.0f} GiB"


def _git(*arguments: str) -> str | None:
    """Ask git about the engine's sources; None where it cannot say."""
    command = ["git", *arguments, "--", *ENGINE]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _commit() -> str:
    """Return the last commit that changed the engine, where git can say."""
    commit, changes = _git("log", "-1", "--format=%h"), _git("status", "--porcelain")
    if not commit:
        return ""
    return f", engine of commit {commit}{' and changes since' if changes else ''}"


def _version(name: str) -> str:
    """Return a package's version, if it is there."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return ""


def load() -> str:
    """Return the average number of busy processes in the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _idle() -> float:
    """Return the share of time that the cores have nothing to do in the next two seconds."""
    counts: list[list[int]] = []
    for _ in range(2):
        first, *_ = Path("/proc/stat").read_text(encoding="utf-8").splitlines()
        counts.append([int(word) for word in first.split()[1:9]])
        time.sleep(2 if len(counts) == 1 else 0)
    spent = [after - before for before, after in zip(*counts, strict=True)]
    return (spent[3] + spent[4]) / max(sum(spent), 1)


def wait_until_quiet(seconds: float) -> None:
    """Wait until the machine does little else, but no longer than some time."""
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end and _idle() < QUIET:
            pass
    except OSError:  # no Linux
        return


def describe() -> str:
    """Describe processor, system, versions and load as a Markdown list."""
    cores = os.cpu_count() or 1
    versions = ", ".join(filter(None, (_version(name) for name in PACKAGES)))
    lines = (
        f"{_processor()}, {cores} core{'s' if cores > 1 else ''}{_memory()}",
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        versions,
        f"{_version('penalized-bandits') or 'penalized-bandits'}{_commit()}",
    )
    return "".join(f"- {line}\n" for line in lines)
