"""Run cases in child processes, in alternation, and collect medians and quartiles."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
from llvmlite import binding as llvm

from benchmarks.cases import ROOT, Case
from benchmarks.child import Measurement

PACKAGES = ("penalized-bandits", "numpy", "numba", "jax", "snakemake")


def _facts() -> dict[str, str]:
    """Return processor, system, versions and load, by column of the results."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    there = {each.name: each.version for each in metadata.distributions()}
    versions = [f"{name} {there[name]}" for name in PACKAGES if name in there]
    cpu = llvm.get_host_cpu_name()
    return {
        "machine": f"{name} ({cpu}), {os.cpu_count()} cores, {platform.system()}",
        "versions": ", ".join([f"Python {platform.python_version()}", *versions]),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown",
    }


def _measured(case: Case, folder: str) -> Measurement:
    """Return the cost of a case in a new process that works in a folder."""
    command = [sys.executable, "-m", "benchmarks.child", json.dumps(asdict(case))]
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    return json.loads(subprocess.check_output(command, cwd=folder, env=settings))  # noqa: S603


def run(cases: Sequence[Case], repetitions: int) -> pd.DataFrame:
    """Measure cases and return the results, one row a case.

    Each repetition measures every case once, in alternating order, so that a change of the
    machine's load meets all of them.  The processes share a temporary folder.
    """
    about = _facts()
    costs: list[list[Measurement]] = [[] for _ in cases]
    with tempfile.TemporaryDirectory() as folder:
        for repetition in range(repetitions):
            numbers = range(len(cases))
            for i in numbers if repetition % 2 == 0 else reversed(numbers):
                costs[i].append(_measured(cases[i], folder))
                sys.stderr.write(f"{repetition + 1}/{repetitions}: {cases[i].name}\n")
    rows = [
        {**asdict(case), "repetitions": repetitions, **_spreads(cost), **about}
        for case, cost in zip(cases, costs, strict=True)
    ]
    return pd.DataFrame(rows).drop(columns="warm_up")


def _spreads(costs: Sequence[Measurement]) -> dict[str, float]:
    """Return median and quartiles of each cost, six digits."""
    columns: dict[str, float] = {}
    for key in Measurement.__annotations__:
        quartiles = np.percentile([cost[key] for cost in costs], [50, 25, 75])
        for suffix, value in zip(("", "_q1", "_q3"), quartiles, strict=True):
            columns[key + suffix] = float(f"{value:.6g}")
    return columns
