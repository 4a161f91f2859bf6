"""One simulation in a process of its own: what it costs from nothing.

``python -m benchmarks.child '{"n_arms": 20, ...}'`` prints seconds and memory as JSON.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any


def peak_mb() -> float:
    """Return the largest memory of this process so far, in megabytes."""
    # Linux counts the parent's memory into ru_maxrss of a new process; VmHWM is its own.
    try:
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure(
    n_arms: int,
    horizon: int,
    replicates: int,
    policy: str = "hard_threshold_ucb",
    family: str = "gaussian",
    engine: str | None = None,
    calls: int = 1,
    twice: bool = True,
) -> dict[str, float]:
    """Import the package, simulate, again if ``twice``, and say what that took.

    Each of the ``calls`` simulates ``replicates`` more, of which only the sums are kept.
    """
    start = time.perf_counter()
    from penalized_bandits import simulate

    imported = time.perf_counter()
    memory = peak_mb()
    from benchmarks.instances import linear_instance, tuning_of

    instance = linear_instance(n_arms, family)
    options: dict[str, Any] = {
        "replicates": replicates,
        "tuning": tuning_of(policy, n_arms, horizon),
        "engine": engine,
    }
    reports: list[int] = []
    first = time.perf_counter()
    pulls = 0
    for call in range(calls):
        run = simulate(
            policy,
            instance,
            horizon,
            first_replicate=call * replicates,
            progress=reports.append,
            **options,
        )
        pulls += int(run.pulls[:, -1].sum())
    done = time.perf_counter()
    if pulls != calls * replicates * horizon:
        raise RuntimeError(f"{pulls:,} pulls in {calls} x {replicates} x {horizon:,} rounds")
    peak = peak_mb()
    if twice:
        simulate(policy, instance, horizon, **options)
    again = time.perf_counter()
    return {
        "import_s": imported - start,
        "first_s": done - first,
        "second_s": again - done,
        "import_mb": memory,
        "peak_mb": peak,
        "reports": len(reports),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(**json.loads(sys.argv[1]))))
