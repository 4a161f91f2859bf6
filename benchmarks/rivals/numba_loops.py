"""UCB1 in Numba, one replicate at a time: as a user writes it, and tuned."""

# ruff: noqa: NPY002
import math

import numpy as np
from numba import njit

from benchmarks.cases import Case
from penalized_bandits.common.typing import FloatArray, IntArray


@njit
def _plain(
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


@njit(error_model="numpy")
def _tuned(means: FloatArray, sd: float, bernoulli: bool, horizon: int, seed: int) -> IntArray:
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


def plain(case: Case) -> IntArray:
    """Find every index in every round; return the pulls of all replicates, shape (R, K)."""
    rng, means = np.random.default_rng(0), case.instance.means
    return _plain(rng, means, 1 / case.arms, case.horizon, case.replicates)


def tuned(case: Case) -> IntArray:
    """Do so, computing once what the arms of a round share.

    The logarithm is taken once a round; means and 1 / sqrt(N) are kept; rewards come from Numba's
    own generator, which costs less than one of NumPy's that is passed.
    """
    means, law, seeds = case.instance.means, case.rewards == "bernoulli", range(case.replicates)
    return np.array([_tuned(means, 1 / case.arms, law, case.horizon, seed) for seed in seeds])
