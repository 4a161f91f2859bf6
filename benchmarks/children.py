"""Run a simulation in a fresh process: see ``child.py``."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping

import numpy as np

from benchmarks.machine import ROOT
from benchmarks.timing import Spread, spread
from penalized_bandits.engine.disk import cache_root


def fresh(job: Mapping[str, int | str], *, cold: bool = False) -> dict[str, float]:
    """Simulate once in a new process; ``job`` has the arguments of ``child.measure``.

    ``cold`` says whether nothing has been compiled yet; else the compiled kernels are there.
    """
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "PENALIZED_BANDITS_CACHE": str(cache_root().parent)}
        if cold:
            # numba's own folder as well: the random numbers' small kernels lie there.
            environment |= {"PENALIZED_BANDITS_CACHE": empty, "NUMBA_CACHE_DIR": empty}
        command = [sys.executable, "-m", "benchmarks.child", json.dumps(job)]
        done = subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        raise RuntimeError(f"simulation in a new process failed:\n{done.stderr}")
    return json.loads(done.stdout)


def fresh_spread(
    job: Mapping[str, int | str], repetitions: int, *, cold: bool = False
) -> dict[str, Spread]:
    """Repeat :func:`fresh`; the first warm process may compile and is not counted."""
    if not cold:
        fresh(job)
    found = [fresh(job, cold=cold) for _ in range(repetitions)]
    return {name: spread(np.array([one[name] for one in found])) for name in found[0]}
