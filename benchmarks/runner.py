"""Run cases in child processes, in alternation, and collect medians and quartiles."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from benchmarks.cases import ROOT, Case
from benchmarks.child import Measurement
from benchmarks.machine import facts


def _measured(case: Case, folder: str) -> Measurement:
    """Return the cost of a case in a new process that works in a folder."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "benchmarks.child", json.dumps(asdict(case))],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def run(cases: Sequence[Case], repetitions: int) -> pd.DataFrame:
    """Measure cases and return the results, one row a case.

    Each repetition measures every case once, in alternating order, so that a change of the
    machine's load meets all of them.  The processes share a temporary folder.
    """
    about = facts()
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
