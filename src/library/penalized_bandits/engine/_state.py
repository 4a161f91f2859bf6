"""Shared parts of the compiled loops: a policy's numbers, the rows of its state, a pull."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine import _scores
from penalized_bandits.engine._draws import reward_of
from penalized_bandits.policies.base import Arm

FAIRNESS, PENALTY, MEAN, ROOT, PULLS, FALL, EXPECTED, TOTAL, WORST = range(9)
"""Rows of the state of one replicate: what is known of each arm, ..."""
VARIANCE, NOISE, BONUS = 9, 10, 11
"""... the variance of its rewards, for policies that read it, their number and the arm's bonus in
this round, ..."""
CEILING, EXCESS, RISE = 12, 13, 14
"""... the ceiling, the cost of a pull from it on, and the round in which the arm is below it."""
N_ARM_ROWS = 15
MARGIN = 1e-9  # relative margin of bounds on indices: far more than rounding can make of them


class Rules(NamedTuple):
    """The numbers of a policy that are the same for all arms and replicates."""

    scheduled: int  # rounds at the start that pull the arms in turn
    exploration: float  # the constant c in the radius sqrt(c log n / N)
    log_shift: int  # 0 for log n in round n, 1 for log(n - 1) (interpretation R1)
    tuning: float


@njit(forceinline=True, error_model="numpy")
def radius_scale(rules: Rules, n: int) -> float:
    """Return sqrt(c log n), which over sqrt(N_k) is the exploration radius."""
    return math.sqrt(rules.exploration * math.log(max(n - rules.log_shift, 1)))


bonus_of = njit(forceinline=True, error_model="numpy")(_scores.bonus_of)


@njit(forceinline=True, error_model="numpy")
def is_over(k: int, n: int, has_ceilings: bool, arms: FloatArray) -> bool:
    """Return whether arm k is at its ceiling or above in round n."""
    return has_ceilings and arms[PULLS, k] >= arms[CEILING, k] * n


@njit(forceinline=True, error_model="numpy")
def arm_at(
    n: int, scale: float, bonus_at: int, k: int, rules: Rules, has_ceilings: bool, arms: FloatArray
) -> Arm:
    """Return arm k in round n with its :func:`radius_scale`, its bonus as of ``bonus_at``."""
    pulls, f, rate = arms[PULLS, k], arms[FAIRNESS, k], arms[PENALTY, k]
    mean, radius, below = arms[MEAN, k], scale * arms[ROOT, k], pulls < f * bonus_at
    bonus = bonus_of(below, rate, is_over(k, bonus_at, has_ceilings, arms), arms[EXCESS, k])
    known = (pulls, pulls, below, f, rate, 0.0, rules.tuning, 0.0, arms[VARIANCE, k], bonus)
    return Arm(float(n), mean, radius, *known)


@njit(forceinline=True, error_model="numpy")
def raised(bound: float) -> float:
    """Return a bound, and more than rounding can make of it; -inf stays."""
    return bound + MARGIN * (1.0 + abs(bound)) if bound > -np.inf else bound


@njit(forceinline=True, error_model="numpy")
def pull(
    k: int,
    n: int,
    key: np.uint64,
    code: RewardCode,
    reads_variance: bool,
    has_index: bool,
    has_ceilings: bool,
    arms: FloatArray,
) -> None:
    """Pull arm k in round n: draw its reward and record it in ``arms`` (15, K)."""
    before, f = arms[PULLS, k], arms[FAIRNESS, k]
    count = before + 1.0
    reward = reward_of(key, k, count, arms[EXPECTED, k], code)
    arms[WORST, k] = max(arms[WORST, k], f * (n - 1) - before)
    arms[TOTAL, k] += reward
    arms[PULLS, k] = count
    mean = arms[TOTAL, k] / count
    if reads_variance:
        spread = (reward - arms[MEAN, k]) * (reward - mean)
        spread += arms[VARIANCE, k] * (count - 1.0)
        arms[VARIANCE, k] = spread / count if count > 1.0 else 0.0
    arms[MEAN, k] = mean
    if has_index:
        arms[ROOT, k] = 1.0 / math.sqrt(count)
        # Below its level when tau_k n first exceeds N_k; rather a round early than late.
        arms[FALL, k] = math.floor(count / f * (1.0 - 1e-12)) if f > 0.0 else np.inf
        if has_ceilings:
            arms[RISE, k] = math.floor(count / arms[CEILING, k] * (1.0 - 1e-12))
