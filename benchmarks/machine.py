"""What the machine is, in general terms, and how busy."""

import ast
import hashlib
import os
import platform
import time
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm
from numba import njit
from numba.core import config

from penalized_bandits.common.typing import FloatArray

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "penalized_bandits"
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


def engine_digest() -> str:
    """Digest of what the tables measure, eight hexadecimal digits: code without its imports."""
    digest = hashlib.sha256()
    others = ("bandit/rewards.py", "policies/base.py", "policies/ziggurat.py")
    for path in sorted((*PACKAGE.glob("engine/*.py"), *(PACKAGE / name for name in others))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        code = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
        digest.update(path.name.encode() + b"\0" + ast.unparse(ast.Module(code, [])).encode())
    return digest.hexdigest()[:8]


def compiled_for() -> str:
    """Return LLVM's name of the processor that numba compiles for."""
    settings: Any = config
    return settings.CPU_NAME or llvm.get_host_cpu_name()


def _multiplied(x: FloatArray, y: FloatArray) -> None:
    for i in range(len(x)):
        x[i] *= y[i]


@cache
def compiled() -> str:
    """Say what numba compiles for: processor, vectors, instructions."""
    settings: Any = config
    kernel: Any = njit("void(float64[::1], float64[::1])")(_multiplied)
    (code,) = kernel.inspect_asm().values()
    widths = {"zmm": 512, "ymm": 256, "xmm": 128}
    found = [bits for name, bits in widths.items() if f"%{name}" in code]
    features = settings.CPU_FEATURES
    if features is None:
        features = llvm.get_host_cpu_features().flatten()
    known = [name for name in ("avx512f", "avx2", "fma") if f"+{name}" in features.split(",")]
    width = f", vectors of {max(found)} bits" if found else ""
    return f"{compiled_for()}{width}" + (f" ({', '.join(known)})" if known else "")


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
        f"compiled for {compiled()}",
        f"{_version('penalized-bandits') or 'penalized-bandits'}, engine {engine_digest()}",
    )
    return "".join(f"- {line}\n" for line in lines)
