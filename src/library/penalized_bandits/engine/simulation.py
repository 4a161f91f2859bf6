"""The result of a simulation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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

    @classmethod
    def empty(
        cls,
        policy: Policy,
        instance: Instance,
        tuning: float | None,
        checkpoints: IntArray,
        replicates: int,
    ) -> "Simulation":
        """Return a simulation without counts so far."""
        shape = (replicates, checkpoints.size, instance.n_arms)
        pulls, deficits = np.zeros(shape, np.int32), np.zeros(shape)
        sums = np.zeros((replicates, instance.n_arms))
        return cls(policy, instance, tuning, checkpoints, pulls, deficits, sums)

    @property
    def n_replicates(self) -> int:
        """Number of replicates R."""
        return self.pulls.shape[0]

    def record(
        self, row: int, arms: Sequence[int], rewards: Sequence[float], owed: FloatArray
    ) -> None:
        """Set the counts of a replicate, the row, from its arms and rewards round by round.

        ``owed``, (T, K), is what floors come to after each round.
        """
        pulled, at = np.array(arms), self.checkpoints - 1
        for k in range(self.instance.n_arms):
            counts = np.cumsum(pulled == k)
            short = owed[:, k] - counts
            self.pulls[row, :, k] = counts[at]
            self.max_deficits[row, :, k] = np.maximum.accumulate(np.maximum(short, 0.0))[at]
        self.reward_sums[row] = np.bincount(pulled, rewards, self.instance.n_arms)
