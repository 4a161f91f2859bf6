"""Penalized regret and what goes with it, as pure functions of pull counts.

All take counts of shape (..., K) (replicates and checkpoints in front) and an instance's
means, fairness fractions and penalty rates, which broadcast against them: pass
``means[:, None, :]`` for counts (R, C, K) and means (R, K).  Regret is measured on mean
rewards (pseudo-regret) and on tau_k T not rounded (reading R12).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from penalized_bandits.typing import FloatArray

Counts = NDArray[Any]


def gaps(means: FloatArray) -> FloatArray:
    """Suboptimality gaps Delta_k = mu* - mu_k, below eq. (5)."""
    return means.max(axis=-1, keepdims=True) - means


def optimal_loss(
    means: FloatArray,
    fairness: FloatArray,
    penalties: FloatArray,
    horizon: float | FloatArray,
) -> FloatArray:
    """L*(T) = T sum_k min(Delta_k, A_k) tau_k, eq. (9): what a prophet loses."""
    return np.asarray(
        (np.minimum(gaps(means), penalties) * fairness).sum(axis=-1) * horizon,
        dtype=np.float64,
    )


def shortfall(pulls: Counts, fairness: FloatArray, horizon: float | FloatArray) -> FloatArray:
    """(tau_k T - N_k)_+, the unfairness of each arm, shape (..., K).

    ``horizon`` is T, or an array (..., 1) that broadcasts against the counts.
    """
    return np.maximum(fairness * horizon - pulls, 0.0)


def unfairness(pulls: Counts, fairness: FloatArray, horizon: float | FloatArray) -> FloatArray:
    """Sum over arms of (tau_k T - N_k)_+, the unfairness level of Settings 3 and 5."""
    return shortfall(pulls, fairness, horizon).sum(axis=-1)


def expected_reward(pulls: Counts, means: FloatArray) -> FloatArray:
    """Sum over rounds of mu_{pi_t}, the total expected reward of Settings 3 and 5."""
    return (pulls * means).sum(axis=-1)


def loss(
    pulls: Counts, means: FloatArray, fairness: FloatArray, penalties: FloatArray
) -> FloatArray:
    """L(T) of one run, eq. (5) with this run's counts; T is the number of pulls."""
    horizon = pulls.sum(axis=-1, keepdims=True).astype(np.float64)
    return (gaps(means) * pulls + penalties * shortfall(pulls, fairness, horizon)).sum(axis=-1)


def penalized_regret(
    pulls: Counts, means: FloatArray, fairness: FloatArray, penalties: FloatArray
) -> FloatArray:
    """Penalized regret R(T) = L(T) - L*(T) of one run, eq. (10); T is the number of pulls.

    Never negative: L* is the least loss of any allocation of T pulls.
    """
    horizon = pulls.sum(axis=-1).astype(np.float64)
    return loss(pulls, means, fairness, penalties) - optimal_loss(
        means, fairness, penalties, horizon
    )


def regret_by_arm(
    pulls: Counts, means: FloatArray, fairness: FloatArray, penalties: FloatArray
) -> FloatArray:
    """Each arm's term of eq. (10), shape (..., K): its sum is the penalized regret.

    Optimal arms: A (tau T - N)_+.  Critical arms: Delta (N - tau T) + A (tau T - N)_+.
    Non-critical arms: Delta N + A ((tau T - N)_+ - tau T).
    """
    horizon = pulls.sum(axis=-1, keepdims=True).astype(np.float64)
    gap = gaps(means)
    short = penalties * shortfall(pulls, fairness, horizon)
    level = fairness * horizon
    critical = gap * (pulls - level) + short
    non_critical = gap * pulls + short - penalties * level
    return np.where(gap == 0, short, np.where(penalties >= gap, critical, non_critical))
