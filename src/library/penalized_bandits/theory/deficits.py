"""Bounds of fairness deficits: Theorems 4.1 and 4.3, Lemma 4.4, Observation 1.

Arguments and shapes are those of :mod:`penalized_bandits.theory.bounds`.
"""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import (
    ROUNDING,
    by_arm,
    check_single,
    fractions,
    free_share,
    ratio,
)


def waiting_coefficients(bandit: Instance) -> FloatArray:
    """Proof of Theorem 4.3: b_k, shape (K,), so that arm k waits b_k log T + O(1) rounds.

    Eqs. (28), (33) and (34): the mean number of rounds in which the arm is below its level and not
    pulled, while all arms with more S_k = mu_k + A_k are at theirs.  In the order of
    decreasing S, b_d = 8 sum_{m<d} 1/(S_d - mu_m)^2 + 8 sum_{m>d} 1/(S_d - S_m)^2.  NaN for
    non-critical arms; infinite where one of the differences is 0.
    """
    check_single(bandit)
    sums = bandit.means + bandit.penalties
    order = np.argsort(-sums, kind="stable")
    mu, total = bandit.means[order], sums[order]
    rank = np.arange(bandit.n_arms)
    # Row d, column m: arms before d are at their level, arms after it may not be.
    rival = np.where(rank < rank[:, None], mu, total)
    distance = np.abs(total[:, None] - rival)
    distance[distance < ROUNDING] = 0.0
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
    check_single(bandit)
    order = np.argsort(-(bandit.means + bandit.penalties), kind="stable")
    served = bandit.optimal_or_critical[order]
    # Served arms come first in this order, so the others do not enter their sums.
    b = np.where(served, waiting_coefficients(bandit)[order], 0.0)
    coefficients = np.full(bandit.n_arms, np.nan)
    coefficients[order[served]] = np.cumsum(np.cumsum(b))[served]
    return coefficients


def _shared(pulls: FloatArray, tau: FloatArray, rest: float) -> FloatArray:
    """Return pulls over rest + tau_k, shape (K,); 0 for arms without a fraction."""
    return np.divide(pulls, rest + tau, out=np.zeros_like(tau), where=tau > 0)


def limiting_deficit(fairness: ArrayLike) -> FloatArray:
    """Largest deficit of an arm while arms below their level always go first.

    tau_k (K - 1)/(c_0 + tau_k) pulls, shape (K,), with c_0 = 1 - sum tau; tau_k (K - 1)
    where all fractions are equal, as in Settings 1, 3, 4 and 5.  For bandits without
    non-critical arms; an arm that never goes first only makes the others wait less.  Theorem A
    of docs/pages/theory has it for all bandits, with the arms with A_k > Delta_k alone.

    This is what Observations 3 and 4 in the proof of Theorem 4.2 give.  Let s be the last
    round with no arm below its level: since then every other arm had at most
    tau_j (T - s) + 1 pulls, so arm k is short of at most K - 1 - c_0 (T - s) and of at most
    tau_k (T - s).  Arms with equal fractions fall below their level in the same rounds and
    have all been served K rounds later, before the next time, so there the deficit is
    below 1.  The proof says 1 in general, and Theorem 4.1 rests on it.  Counterexample with
    fixed numbers: p arms with tau = 0.01, A = 2, one with tau = 0.5, A = 1.9, all
    with mu = 0.1, and one with mu = 0.9, tau = 0.1, A = 0.5.  The p arms fall below their
    level together every 100 rounds and go first: at T = 100 m + p the arm with tau = 0.5
    has tau T - p/2 pulls, for every large m.  Two of them contradict Theorem 4.1, three the
    proof's 1.
    """
    tau = fractions(fairness)
    others = tau * (tau.size - 1)
    return others if (tau == tau[0]).all() else _shared(others, tau, free_share(tau))


def drift_bound(bandit: Instance) -> FloatArray:
    """Theorem A, part 3: bound of the deficit of an arm worth serving for large T, shape (K,).

    tau_k (p - 1)/(1 - tau_C + tau_k) pulls, C the p arms with A_k > Delta_k and tau_C their
    fractions together; NaN for all other arms.  It holds from some round on under the hard
    threshold, whatever other arms there are, almost surely.
    """
    check_single(bandit)
    served = bandit.margins > 0
    tau = bandit.fairness
    bound = _shared(tau * (served.sum() - 1), tau, free_share(tau[served]))
    return np.where(served, bound, np.nan)


def deficit_scale(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Lemma 4.4 (Observation 2): the scale of E(tau_k T - N_k)_+, shape (..., K), pulls.

    32 tau_k K log T/(A_k - Delta_k)^2.

    NaN for non-critical arms, infinite where A_k = Delta_k.  The
    lemma bounds the deficit by a constant times it; the proof's constant is 1/c_0 and more
    where the margin is small (see ``condition_lemma_4_4``).
    """
    check_single(bandit)
    margin = np.maximum(bandit.margins, 0.0)
    log = np.log(by_arm(horizon))
    tau = bandit.fairness
    scale = ratio(32 * bandit.n_arms * log * tau, margin**2)
    scale = np.where(tau > 0, scale, 0.0)
    return np.where(bandit.non_critical, np.nan, scale)


def small_margin_bound(fairness: ArrayLike, horizon: float | ArrayLike) -> FloatArray:
    """Observation 1: bound of (A_k - Delta_k)(tau_k T - N_k)_+, shape (..., K), reward.

    Eq. (43) of the proof: tau_k sqrt(32 K T log T), for arms with
    0 <= A_k - Delta_k <= sqrt(32 K log T/T); true
    of every run, whatever the policy.
    """
    tau = fractions(fairness)
    rounds = by_arm(horizon)
    return tau * np.sqrt(32 * tau.size * rounds * np.log(rounds))
