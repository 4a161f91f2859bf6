"""UCB1 in Numba, tuned for one long run: what a round can share is computed once.

The logarithm is taken once a round; means and 1 / sqrt(N) are kept; rewards come from Numba's own
generator, which costs less than one of NumPy's that is passed.
"""

# ruff: noqa: NPY002
import math

import numpy as np
from numba import njit

from benchmarks.cases import Case
from penalized_bandits.common.typing import FloatArray, IntArray


@njit(error_model="numpy")
def _play(means: FloatArray, sd: float, bernoulli: bool, horizon: int, seed: int) -> IntArray:
    np.random.seed(seed)
    n_arms = len(means)
    pulls, total, mean, root = np.zeros((4, n_arms))
    for n in range(1, horizon + 1):
        choice, best = n - 1, -np.inf
        if n > n_arms:
            scale = math.sqrt(2.0 * math.log(n))
            for k in range(n_arms):
                index = mean[k] + scale * root[k]
                if index > best:
                    choice, best = k, index
        if bernoulli:
            reward = 1.0 if np.random.random() < means[choice] else 0.0
        else:
            reward = means[choice] + sd * np.random.standard_normal()
        pulls[choice] += 1.0
        total[choice] += reward
        mean[choice] = total[choice] / pulls[choice]
        root[choice] = 1.0 / math.sqrt(pulls[choice])
    return pulls.astype(np.int64)


def play(case: Case) -> IntArray:
    """Play all replicates; return their pulls, shape (R, K)."""
    means, bernoulli = case.instance.means, case.rewards == "bernoulli"
    runs = [
        _play(means, 1 / case.arms, bernoulli, case.horizon, seed)
        for seed in range(case.replicates)
    ]
    return np.array(runs)
