"""UCB1 as a user writes it for Numba: one replicate at a time, every index in every round."""

import numpy as np
from numba import njit

from benchmarks.cases import Case
from penalized_bandits.common.typing import FloatArray, IntArray


@njit
def _play(
    rng: np.random.Generator, means: FloatArray, sd: float, horizon: int, replicates: int
) -> IntArray:
    n_arms = len(means)
    pulls = np.zeros((replicates, n_arms), np.int64)
    for r in range(replicates):
        total = np.zeros(n_arms)
        for n in range(1, horizon + 1):
            choice, best = n - 1, -np.inf
            if n > n_arms:
                for k in range(n_arms):
                    count = pulls[r, k]
                    index = total[k] / count + np.sqrt(2.0 * np.log(n) / count)
                    if index > best:
                        choice, best = k, index
            pulls[r, choice] += 1
            total[choice] += means[choice] + sd * rng.standard_normal()
    return pulls


def play(case: Case) -> IntArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    instance = case.instance
    rng = np.random.default_rng(0)
    return _play(rng, instance.means, 1 / case.arms, case.horizon, case.replicates)
