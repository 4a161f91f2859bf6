"""UCB1 of other packages, which are called round by round.

Rewards are drawn in advance, so that drawing adds next to nothing to their times.
"""

import contextlib
import importlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from benchmarks.cases import Case
from penalized_bandits.common.typing import IntArray


def _rewards(case: Case, seed: int) -> Callable[[int, int], float]:
    """Return the function (arm, round) of one replicate's rewards."""
    means: list[float] = case.instance.means.tolist()
    noise = np.random.default_rng(seed).standard_normal(case.horizon) / case.arms
    values: list[float] = noise.tolist()
    return lambda arm, turn: means[arm] + values[turn]


def mabwiser(case: Case) -> IntArray:
    """Play all replicates with MABWiser; return their pulls, shape (R, K)."""
    library: Any = importlib.import_module("mabwiser.mab")
    # Its index is mean + alpha sqrt(2 log n / N).
    rule = library.LearningPolicy.UCB1(alpha=1.0)
    pulls = np.zeros((case.replicates, case.arms), np.int64)
    for seed, counts in enumerate(pulls):
        reward = _rewards(case, seed)
        bandit = library.MAB(list(range(case.arms)), rule, seed=seed)
        arms = list(range(min(case.arms, case.horizon)))
        bandit.fit(arms, [reward(arm, arm) for arm in arms])
        counts[arms] = 1
        for turn in range(case.arms, case.horizon):
            arm = bandit.predict()
            bandit.partial_fit([arm], [reward(arm, turn)])
            counts[arm] += 1
    return pulls


def smpybandits(case: Case) -> IntArray:
    """Play all replicates with SMPyBandits; return their pulls, shape (R, K)."""
    # The package imports all its policies at once, and with them a function that scipy has
    # renamed; it prints warnings.
    if not hasattr(special, "btdtri"):
        special.btdtri = special.betaincinv  # pyright: ignore[reportAttributeAccessIssue]
    with contextlib.redirect_stdout(io.StringIO()):
        policies: Any = importlib.import_module("SMPyBandits.Policies")
    pulls = np.zeros((case.replicates, case.arms), np.int64)
    for seed, counts in enumerate(pulls):
        reward = _rewards(case, seed)
        policy = policies.UCB(case.arms)
        policy.startGame()
        for turn in range(case.horizon):
            arm = int(policy.choice())
            policy.getReward(arm, reward(arm, turn))
            counts[arm] += 1
    return pulls
