"""UCB1 of mabwiser 2.7.4, asked and told in a loop."""

import importlib
import importlib.util

import numpy as np

from benchmarks.rivals.noise import Rewards
from penalized_bandits import Instance
from penalized_bandits.common.typing import IntArray


def is_installed() -> bool:
    """Say whether the package is there."""
    return importlib.util.find_spec("mabwiser") is not None


def play(instance: Instance, horizon: int, seed: int) -> IntArray:
    """Play one replicate; return the pulls of each arm."""
    library = importlib.import_module("mabwiser.mab")
    n_arms = instance.n_arms
    rewards = Rewards(instance, horizon, seed)
    # Its index is mean + alpha sqrt(2 log n / N).
    rule = library.LearningPolicy.UCB1(alpha=1.0)
    bandit = library.MAB(list(range(n_arms)), rule, seed=seed)
    arms = list(range(min(n_arms, horizon)))
    bandit.fit(arms, [rewards.draw(arm, arm) for arm in arms])
    pulls = np.zeros(n_arms, dtype=np.int64)
    pulls[arms] = 1
    for turn in range(n_arms, horizon):
        arm = bandit.predict()
        bandit.partial_fit([arm], [rewards.draw(arm, turn)])
        pulls[arm] += 1
    return pulls
