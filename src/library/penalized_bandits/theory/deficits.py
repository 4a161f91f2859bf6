"""Bounds of fairness deficits: Theorems 4.1 and 4.3, Lemma 4.4, Observation 1.

Arguments and shapes are those of :mod:`penalized_bandits.theory.bounds`.
"""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import TIED, Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import (
    by_arm,
    check_paper,
    fractions,
    free_share,
    margins_to_best,
    ratio,
)


def waiting_coefficients(bandit: Instance) -> FloatArray:
    """Proof of Theorem 4.3: b_k, shape (K,), so that arm k waits b_k log T + O(1) rounds.

    Eqs. (28), (33) and (34): the mean number of rounds in which the arm is below its level and not
    pulled, while all arms with more S_k = mu_k + A_k are at theirs.  In the order of
    decreasing S, b_d = 8 sum_{m<d} 1/(S_d - mu_m)^2 + 8 sum_{m>d} 1/(S_d - S_m)^2.  NaN for
    non-critical arms; infinite where one of the differences is 0.
    """
    check_paper(bandit)
    sums = bandit.means + bandit.penalties
    order = np.argsort(-sums, kind="stable")
    mu, total = bandit.means[order], sums[order]
    rank = np.arange(bandit.n_arms)
    # Row d, column m: arms before d are at their level, arms after it may not be.
    rival = np.where(rank < rank[:, None], mu, total)
    distance = np.abs(total[:, None] - rival)
    distance[distance < TIED * np.maximum(np.abs(total[:, None]), np.abs(rival))] = 0.0
    terms = np.where(rank == rank[:, None], 0.0, ratio(8.0, distance**2))
    coefficients = np.empty(bandit.n_arms)
    coefficients[order] = terms.sum(axis=1)
    return np.where(bandit.non_critical, np.nan, coefficients)


def deficit_coefficients(bandit: Instance) -> FloatArray:
    """Theorem 4.3: a_j with E max_t (tau t - N(t))_+ <= a_j log T + O(1), shape (K,), pulls.

    Eq. (13); eqs. (30), (33) and (34) of the proof.  The arms keep their numbers; NaN for
    non-critical arms.  In the order of decreasing S_k = mu_k + A_k, eq. (20), with the b_d of
    :func:`waiting_coefficients`, a_j = sum_{d<=j} (j - d + 1) b_d.

    The proof arrives at a_j = sum_{d<j} a_d + sum_{d<=j} b_d, which is solved by
    a_j = sum_{d<=j} 2^(j-d) b_d: more than stated from the third arm on.

    A coefficient is infinite where the arm, or one before it, ties with another arm's S or
    has S = mu* (A_k = Delta_k) with an optimal arm before it.
    """
    check_paper(bandit)
    order = np.argsort(-(bandit.means + bandit.penalties), kind="stable")
    served = bandit.optimal_or_critical[order]
    # Served arms come first in this order, so the others do not enter their sums.
    b = np.where(served, waiting_coefficients(bandit)[order], 0.0)
    coefficients = np.full(bandit.n_arms, np.nan)
    coefficients[order[served]] = np.cumsum(np.cumsum(b))[served]
    return coefficients


def drift_bound(bandit: Instance) -> FloatArray:
    """Theorem A, part 3: bound of the deficit of an arm worth serving for large T, shape (K,).

    tau_k (p - 1)/(1 - tau_C + tau_k) pulls, C the p arms with A_k > Delta_k and tau_k > 0, tau_C
    their fractions together; infinite where these leave no pull to explore the others, for which
    it is NaN.  It holds from some round on under the hard threshold, whatever other arms there
    are, almost surely.

    For bandits without non-critical arms this is what Observations 3 and 4 in the proof of
    Theorem 4.2 give.  The proof says 1, and Theorem 4.1 rests on it; bandits that contradict both
    are in docs/pages/theory/corrections.md.
    """
    check_paper(bandit)
    tau = bandit.fairness
    served = (margins_to_best(bandit) > 0) & (tau > 0)
    free = free_share(tau[served])
    bound = ratio(tau * (served.sum() - 1), free + tau)
    return np.where(served, bound if free or served.all() else np.inf, np.nan)


def deficit_scale(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Lemma 4.4 (Observation 2): the scale of E(tau_k T - N_k)_+, shape (..., K), pulls.

    32 tau_k K log T/(A_k - Delta_k)^2; NaN for non-critical arms, infinite where A_k = Delta_k.
    The lemma bounds the deficit by a constant times it; the proof's constant is 1/c_0 and more
    where the margin is small (see ``condition_lemma_4_4``).
    """
    log, tau, margin = np.log(by_arm(horizon, bandit)), bandit.fairness, margins_to_best(bandit)
    scale = ratio(32 * bandit.n_arms * log * tau, np.maximum(margin, 0.0) ** 2)
    return np.where(margin < 0, np.nan, np.where(tau > 0, scale, 0.0))


def small_margin_bound(fairness: ArrayLike, horizon: float | ArrayLike) -> FloatArray:
    """Observation 1: bound of (A_k - Delta_k)(tau_k T - N_k)_+, shape (..., K), reward.

    Eq. (43) of the proof: tau_k sqrt(32 K T log T), for arms with 0 <= A_k - Delta_k <=
    sqrt(32 K log T/T); true of every run, whatever the policy.
    """
    tau, rounds = fractions(fairness), by_arm(horizon)
    return tau * np.sqrt(32 * tau.size * rounds * np.log(rounds))
