"""One timed call of a case in a process of its own.

``python -m benchmarks.child CASE`` reads the fields of a ``Case`` and prints a ``Measurement``,
both as JSON.
"""

import json
import os
import pkgutil
import resource
import sys
import time
from pathlib import Path
from typing import TypedDict

import numpy as np

from benchmarks.cases import Case


class Measurement(TypedDict):
    """Cost of one call."""

    seconds: float
    """Wall-clock time."""
    cpu_seconds: float
    """Processor time, over all threads and processes that the call started."""
    peak_mb: float
    """Largest memory of a process, in megabytes."""


def cpu_seconds() -> float:
    """Return the processor time of this process and of its ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def peak_mb() -> float:
    """Return the largest memory so far of this process or of one of its children."""
    unit = 1e6 if sys.platform == "darwin" else 1e6 / 1024
    processes = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    own, children = (resource.getrusage(each).ru_maxrss / unit for each in processes)
    # On Linux ru_maxrss of a new process begins at its parent's; VmHWM does not.
    status = Path("/proc/self/status")
    if status.is_file():
        lines = status.read_text(encoding="utf-8").splitlines()
        own = next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))
    return max(own, children)


def measure(case: Case) -> Measurement:
    """Return the cost of one call of a case.

    Raises RuntimeError if the call made another number of pulls than the case has.
    """
    if hasattr(os, "sched_setaffinity"):
        # Before the program is imported: libraries count the cores then.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-case.threads :])
    play = pkgutil.resolve_name(f"benchmarks.{case.program}")
    if case.warm_up:
        play(case)
    start, cpu = time.perf_counter(), cpu_seconds()
    pulls = play(case)
    # A program may return the seconds of what it has timed itself.
    seconds = pulls if isinstance(pulls, float) else time.perf_counter() - start
    cost = Measurement(seconds=seconds, cpu_seconds=cpu_seconds() - cpu, peak_mb=peak_mb())
    expected = case.horizon * case.replicates
    if expected and (played := int(np.sum(pulls))) != expected:
        raise RuntimeError(f"{case.name}: {played:,} pulls, {expected:,} expected")
    return cost


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Case(**json.loads(sys.argv[1])))))
