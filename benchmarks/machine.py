"""What the machine is, in general terms, and how busy."""

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
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


def _commit() -> str:
    """Return which commit is measured, where git can say."""
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return f", commit {done.stdout.strip()}" if done.returncode == 0 else ""


def _version(name: str) -> str:
    """Return a package's version, if it is there."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return ""


def load() -> str:
    """Return the average number of busy processes in the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


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
