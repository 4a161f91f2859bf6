"""Penalized regret, loss, unfairness and reward as pure functions of pull counts.

All take counts of shape (..., K) (replicates and checkpoints in front) and an instance's
means, fairness fractions and penalty rates, arrays or lists, which broadcast against them: pass
``means[:, None, :]`` for counts (R, C, K) and means (R, K).  Regret is measured on mean
rewards (pseudo-regret) and on tau_k T not rounded (reading R12).
"""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.common.typing import FloatArray


def gaps(means: ArrayLike) -> FloatArray:
    """Suboptimality gaps Delta_k = mu* - mu_k, below eq. (5)."""
    means = np.asarray(means)
    return means.max(axis=-1, keepdims=True) - means


def optimal_loss(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: ArrayLike
) -> FloatArray:
    """L*(T) = T sum_k min(Delta_k, A_k) tau_k, eq. (9): what a prophet loses.

    It is T times the least value of eq. (6), which the shares of eq. (7) attain: the pulls
    of eq. (8).
    """
    return np.asarray(
        (np.minimum(gaps(means), penalties) * fairness).sum(axis=-1) * horizon, dtype=np.float64
    )


def shortfall(pulls: ArrayLike, fairness: ArrayLike, horizon: ArrayLike) -> FloatArray:
    """(tau_k T - N_k)_+, the unfairness of each arm, shape (..., K).

    ``horizon`` is T, or an array (..., 1) that broadcasts against the counts.
    """
    return np.maximum(np.multiply(fairness, horizon) - pulls, 0.0)


def unfairness(pulls: ArrayLike, fairness: ArrayLike, horizon: ArrayLike) -> FloatArray:
    """Sum over arms of (tau_k T - N_k)_+, shape (...), pulls: unfairness of Settings 3 and 5."""
    return shortfall(pulls, fairness, horizon).sum(axis=-1)


def expected_reward(pulls: ArrayLike, means: ArrayLike) -> FloatArray:
    """Sum over rounds of mu_{pi_t}, shape (...): the expected reward of Settings 3 and 5."""
    return np.multiply(pulls, means).sum(axis=-1)


def loss(
    pulls: ArrayLike, means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike
) -> FloatArray:
    """L(T) of one run, eq. (5) with this run's counts; T is the number of pulls.

    It is mu* T less the penalized reward: that of eq. (3), with mean rewards as in eq. (4).
    """
    horizon = np.sum(pulls, axis=-1, keepdims=True).astype(np.float64)
    short = np.multiply(penalties, shortfall(pulls, fairness, horizon))
    return (np.multiply(gaps(means), pulls) + short).sum(axis=-1)


def penalized_regret(
    pulls: ArrayLike, means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike
) -> FloatArray:
    """Penalized regret R(T) = L(T) - L*(T) of one run, eq. (10); T is the number of pulls.

    Never negative: L* is the least loss of any allocation of T pulls.  Without penalties
    it is the classical regret, eq. (1).

    Parameters
    ----------
    pulls
        N_k(T), shape (..., K).
    means, fairness, penalties
        mu, tau and A, of shapes that broadcast against the counts.

    Returns
    -------
    FloatArray
        Shape (...), in units of reward.

    Examples
    --------
    >>> float(penalized_regret([85, 10, 5], [0.9, 0.7, 0.2], [0.2, 0.3, 0.25], [0.5, 0.4, 0.3]))
    6.0
    """
    horizon = np.sum(pulls, axis=-1).astype(np.float64)
    return loss(pulls, means, fairness, penalties) - optimal_loss(
        means, fairness, penalties, horizon
    )
