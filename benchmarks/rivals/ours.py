"""The engine of this package."""

from benchmarks.cases import Case
from penalized_bandits import simulate
from penalized_bandits.common.typing import PullArray


def play(case: Case) -> PullArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    run = simulate(
        case.policy, case.instance, case.horizon, replicates=case.replicates, threads=case.threads
    )
    return run.pulls[:, -1]
