"""Facts about the machine that the results carry."""

import os
import platform
from importlib import metadata
from pathlib import Path

from llvmlite import binding as llvm

PACKAGES = ("penalized-bandits", "numpy", "numba", "jax", "snakemake")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _versions() -> str:
    there = {each.name: each.version for each in metadata.distributions()}
    found = [f"{name} {there[name]}" for name in PACKAGES if name in there]
    return ", ".join([f"Python {platform.python_version()}", *found])


def facts() -> dict[str, str]:
    """Return processor, system, versions and load, by column of the results."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "machine": f"{_processor()} ({llvm.get_host_cpu_name()}), {os.cpu_count()} cores, "
        f"{platform.system()}",
        "versions": _versions(),
        "load": load,
    }
