"""The engine of this package."""

from benchmarks.cases import Case
from penalized_bandits.common.typing import PullArray
from penalized_bandits.engine.simulate import simulate_part


def play(case: Case) -> PullArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    return simulate_part(
        case.policy,
        case.instance,
        case.horizon,
        replicates=case.replicates,
        threads=case.threads,
        engine=case.loop,
    ).pulls[:, -1]
