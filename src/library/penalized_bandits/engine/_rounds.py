"""The loop for policies that choose by themselves: one replicate, round by round."""

import math
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine import _state as row
from penalized_bandits.engine._draws import noise_number
from penalized_bandits.engine._state import Rules, bonus_of, is_over, pull
from penalized_bandits.policies.base import Round

choose: Any = None
"""A placeholder, as the flags: :mod:`penalized_bandits.engine._specialise` binds them."""
DRAWS = READS_VARIANCE = READS_BONUS = HAS_CEILINGS = False


def play(
    first_round: int,
    last_round: int,
    rules: Rules,
    code: RewardCode,
    key: np.uint64,
    noise_key: np.uint64,
    arms: FloatArray,
    seen: FloatArray,
    memory: FloatArray,
) -> None:
    """Play rounds ``first_round`` to ``last_round`` of one replicate, updating ``arms`` (15, K).

    ``seen`` is the same, read-only, ``memory`` (M, K) the policy's.  It ends where it names no arm.
    """
    n_arms = arms.shape[1]
    scheduled, exploration, log_shift, tuning = rules
    pulls, means, noise = seen[row.PULLS], seen[row.MEAN], seen[row.NOISE]
    fairness, penalties = seen[row.FAIRNESS], seen[row.PENALTY]
    variances, bonuses = seen[row.VARIANCE], seen[row.BONUS]
    in_force, delays = arms[row.BONUS], np.zeros(n_arms)
    for n in range(first_round, last_round + 1):
        if n <= scheduled:
            choice = (n - 1) % n_arms
        else:
            if DRAWS:
                sd = math.sqrt(0.5 * exploration)
                for k in range(n_arms):
                    arms[row.NOISE, k] = noise_number(noise_key, k, n, sd)
            if READS_BONUS:
                for k in range(n_arms):
                    below, over = pulls[k] < fairness[k] * n, is_over(k, n, HAS_CEILINGS, arms)
                    in_force[k] = bonus_of(below, penalties[k], over, arms[row.EXCESS, k])
            log = math.log(max(n - log_shift, 1))
            statistics = (n, pulls, pulls, means, fairness, penalties)
            rest = (noise, memory, variances, bonuses, delays)
            state = Round(*statistics, tuning, exploration, log, *rest)
            # numba refuses | for a float, and plain Python then says that it is no arm.
            choice = int(choose(state) | 0)
            if choice < 0 or choice >= n_arms:
                return
        pull(choice, n, key, code, READS_VARIANCE, False, False, arms)
