"""The bounds of regret and pulls of section 4, without their O(1), O(K) and unnamed constants.

A bandit is an :class:`Instance` with means and penalty rates of shape (K,); its reward family does
not matter.  Horizons T are one number or an array (...): results for arms have shape (..., K),
results for the whole run (...).  "Pulls" and "reward" name the unit.  An upper bound that exceeds T
pulls or :func:`largest_regret` is trivial.  Bounds assume rewards in [0, 1] and the hard-threshold
rule with radius sqrt(2 log n/N), unless said otherwise.  They are computed for any bandit;
:mod:`penalized_bandits.theory.conditions` checks the theorems' conditions.  BanditError if
parameters vary by replicate, T is below 2 or above 10^100, or ceilings are charged.

Where fractions sum to 1, which the paper excludes, gaps and sets of arms are those to the price.
If every floor is worth it, that is above mu*, and the leading terms of log T of Theorems 4.2 and
4.7 are bounds by Theorems V and W of research/docs/stairs.md: with gaps to mu* some are not.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import optimal_loss
from penalized_bandits.common.errors import one_of
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.theory.inputs import (
    Interpretation,
    by_arm,
    check_paper,
    fractions,
    free_share,
    horizons,
    ratio,
)

INFORMATION: dict[Interpretation, float] = {"proved": 2.0, "stated": 0.5}
"""C of Theorem 4.8 for Gaussian rewards of variance 1: see :func:`lower_bound_4_8`."""


def largest_regret(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Largest penalized regret of any allocation of T pulls, shape (...), reward.

    The loss of eq. (5) is convex in the pulls, so it is largest with all of them on one
    arm j: Delta_j T + sum over k != j of A_k tau_k T.
    """
    check_paper(bandit)
    rates = bandit.penalties * bandit.fairness
    worst = (bandit.gaps_to_best + rates.sum() - rates).max()
    rounds = horizons(horizon)
    return np.asarray(worst * rounds - optimal_loss(bandit, rounds))


def critical_pulls_bound(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Theorem 4.2 b, without O(1): expected pulls of critical arms, shape (..., K).

    max{8 log T/Delta_k^2, tau_k T}; NaN for arms that are not critical.  The proof of this
    part uses neither (i) nor (ii).
    """
    rounds = by_arm(horizon, bandit)
    bound = np.maximum(ratio(8 * np.log(rounds), bandit.gaps**2), bandit.fairness * rounds)
    return np.where(bandit.critical, bound, np.nan)


def non_critical_pulls_bound(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Theorem 4.2 c, without O(1): expected pulls of non-critical arms, shape (..., K).

    max{min{8 log T/(Delta_k - A_k)^2, tau_k T}, 8 log T/Delta_k^2}; NaN for other arms.
    The proof's text has the minimum alone, which A = 0 and tau_k T < 2 log T/Delta_k^2
    would violate; the theorem has it right, and needs neither (i) nor (ii).
    """
    rounds = by_arm(horizon, bandit)
    log = np.log(rounds)
    margin = np.maximum(-bandit.margins, 0.0)
    below = np.minimum(ratio(8 * log, margin**2), bandit.fairness * rounds)
    bound = np.maximum(below, ratio(8 * log, bandit.gaps**2))
    return np.where(bandit.non_critical, bound, np.nan)


def gap_dependent_bound(
    bandit: Instance, horizon: float | ArrayLike, *, interpretation: Interpretation = "stated"
) -> FloatArray:
    """Theorem 4.2 d, eq. (12) without O(K): the regret bound, shape (...), reward.

    Stated, the sum of max{min{8 log T/(Delta - A), (Delta - A) tau T}, 8 log T/Delta} for
    non-critical arms and (8 log T/Delta - tau T)_+ for critical ones.

    Proved, that of each arm's term of eq. (10) with the pulls of 4.2 b or c.  For critical arms
    that is (8 log T/Delta - Delta tau T)_+, which is larger (Delta <= 1); for non-critical
    arms above their level 8 log T/Delta - A tau T, which is smaller.  Optimal arms: theirs is O(1).

    >>> from penalized_bandits.theory.inputs import instance_of
    >>> float(gap_dependent_bound(instance_of([0.9, 0.5], 0.1, 0.2), 10_000).round(1))
    200.0
    """
    rounds = by_arm(horizon, bandit)
    one_of("interpretation", interpretation, "stated", "proved")
    log = np.log(rounds)
    gap, level = bandit.gaps, bandit.fairness * rounds
    margin = np.maximum(-bandit.margins, 0.0)
    of_gap = ratio(8 * log, gap)
    if interpretation == "stated":
        non_critical = np.maximum(np.minimum(ratio(8 * log, margin), margin * level), of_gap)
        critical = np.maximum(of_gap - level, 0.0)
    else:
        # The term is increasing and convex in the pulls, so the O(1) of 4.2 c adds O(1).
        pulls = np.where(bandit.non_critical, non_critical_pulls_bound(bandit, horizon), 0.0)
        non_critical = gap * pulls - bandit.penalties * np.minimum(pulls, level)
        critical = np.maximum(of_gap - gap * level, 0.0)
    parts = np.where(bandit.critical, critical, 0.0)
    return np.asarray(np.where(bandit.non_critical, non_critical, parts).sum(axis=-1))


def gap_independent_bound(fairness: ArrayLike, horizon: float | ArrayLike) -> FloatArray:
    """Theorem 4.5, eq. (14), without C sqrt(K T log T): the regret bound, shape (...), reward.

    8 sqrt(T log T) sum sqrt(tau_k) + 8 sqrt((1 - tau_min) K T log T), whatever the gaps, for
    tau_k > 0 that do not depend on T.  The paper calls C universal; its proof takes it from Lemma
    4.4, with a constant that grows like 1/c_0.  The proof bounds a non-critical arm above its level
    by 4 sqrt(log T/T)(N - tau T) also where Delta > 4 sqrt(log T/T), which is the wrong way round;
    sqrt(8 log T (N - tau T)), as for critical arms, mends it without a change of the bound.
    """
    tau = fractions(fairness)
    rounds = horizons(horizon)
    unit = np.sqrt(rounds * np.log(rounds))
    leading = 8 * np.sqrt(tau).sum() + 8 * math.sqrt(tau.size) * math.sqrt(1 - tau.min())
    return np.asarray(leading * unit)


class ArmLowerBounds(NamedTuple):
    """Lower bounds of Theorem 4.6 or 4.7 for each of the n arms that it concerns."""

    arms: BoolArray
    """The arms concerned, shape (K,)."""
    margin: FloatArray
    """Delta_k - A_k (4.6) or Delta_k (4.7), shape (n,)."""
    pulls: FloatArray
    """log T/margin^2, shape (..., n)."""
    regret: FloatArray
    """Each arm's part of the regret, shape (..., n), reward."""


def lower_bounds_4_6(bandit: Instance, horizon: float | ArrayLike) -> ArmLowerBounds:
    """Theorem 4.6, for its proof's instances: log T/(Delta_k - A_k), non-critical, tau_k > 0."""
    arms = bandit.non_critical & (bandit.fairness > 0)
    margin = -bandit.margins[arms]
    pulls = ratio(np.log(by_arm(horizon, bandit)), margin**2)
    return ArmLowerBounds(arms, margin, pulls, pulls * margin)


def lower_bounds_4_7(bandit: Instance, horizon: float | ArrayLike) -> ArmLowerBounds:
    """Theorem 4.7: Delta_k (log T/Delta_k^2 - tau_k T) for each critical arm.

    Negative once tau_k T exceeds log T/Delta_k^2, as the paper writes no positive part (its
    proof assumes that tau_k T does not).  It holds for the instances of that proof.
    """
    arms, rounds = bandit.critical, by_arm(horizon, bandit)
    margin = bandit.gaps[arms]
    pulls = ratio(np.log(rounds), margin**2)
    return ArmLowerBounds(arms, margin, pulls, margin * (pulls - bandit.fairness[arms] * rounds))


def lower_bound_4_8(
    fairness: ArrayLike, horizon: float | ArrayLike, *, interpretation: Interpretation = "proved"
) -> FloatArray:
    """Theorem 4.8: lower bound of the worse of two instances, any policy, shape (...), reward.

    Eq. (49): (1 - sum tau) sqrt((K - 1) T/C)/(8 e), for variance 1 (s times that for sd s).  In the
    first instance arm 1 has mean gap = sqrt((K - 1)/(C T)) and all others 0; in the second, the arm
    that the policy pulls least in the first has mean 2 gap.  The proof needs rates A_k above the
    gap, and a gap below 1/2.

    C is that of KL(P_1 || P_2) <= C T gap^2/(K - 1).  Proved: 2.  The arm that differs has means
    0 and 2 gap, so each of its pulls carries (2 gap)^2/2, and it has at most T/(K - 1) of them.
    Stated: the paper's example C = 1/2, as if the means differed by one gap only; the bound is
    then twice as large, and not proved.

    Not every law has such a constant: between Bernoulli rewards of mean 0 and 2 gap the divergence
    is of the order of the gap.  Nor is the gap the best one: the proof's bound with another is
    (1 - sum tau) gap T/8 exp(-C T gap^2/(K - 1)), largest at a gap smaller by sqrt(2).
    """
    tau = fractions(fairness)
    one_of("interpretation", interpretation, *INFORMATION)
    rounds = horizons(horizon)
    gap = np.sqrt((tau.size - 1) / (INFORMATION[interpretation] * rounds))
    return np.asarray(free_share(tau) * gap * rounds / (8 * math.e))
