"""The result of a simulation."""

from dataclasses import dataclass

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray, IntArray, PullArray
from penalized_bandits.policies import Policy


@dataclass(frozen=True, eq=False)
class Simulation:
    """Pulls, deficits and rewards of R replicates on K arms at C checkpoints."""

    policy: Policy
    instance: Instance
    tuning: float | None
    checkpoints: IntArray
    """Rounds after which the counts were taken, increasing, shape (C,)."""
    pulls: PullArray
    """N_k(t), shape (R, C, K)."""
    max_deficits: FloatArray
    """max over t' <= t of (tau_k t' - N_k(t'))_+, shape (R, C, K)."""
    reward_sums: FloatArray
    """Sum of the rewards of each arm at the last checkpoint, shape (R, K)."""

    @property
    def n_replicates(self) -> int:
        """Number of replicates R."""
        return self.pulls.shape[0]
