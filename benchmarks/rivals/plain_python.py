"""UCB1 in plain Python, as one would write it without a library."""

from math import log, sqrt

import numpy as np

from benchmarks.rivals.noise import Rewards
from penalized_bandits import Instance
from penalized_bandits.common.typing import IntArray


def play(instance: Instance, horizon: int, seed: int) -> IntArray:
    """Play one replicate; mean and 1 / sqrt(N) are kept, the logarithm taken once a round."""
    n_arms = instance.n_arms
    rewards = Rewards(instance, horizon, seed)
    arms = range(n_arms)
    pulls, total, mean, root = [0] * n_arms, [0.0] * n_arms, [0.0] * n_arms, [0.0] * n_arms
    for n in range(1, horizon + 1):
        if n <= n_arms:
            k = n - 1
        else:
            scale = sqrt(2.0 * log(n))
            index = [m + scale * r for m, r in zip(mean, root, strict=True)]
            k = max(arms, key=index.__getitem__)
        total[k] += rewards.draw(k, n - 1)
        pulls[k] += 1
        mean[k] = total[k] / pulls[k]
        root[k] = 1.0 / sqrt(pulls[k])
    return np.array(pulls)
