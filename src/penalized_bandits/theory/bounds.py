"""The bounds of section 4 as numbers, without their O(1), O(K) and unnamed constants.

Means mu, fairness fractions tau and penalty rates A have shape (K,) (one number will do
for tau and A).  Horizons T are one number or an array (...): what is said of arms then has
shape (..., K), what is said of the whole run (...).  "Pulls" and "reward" name the unit.
Bounds assume rewards in [0, 1] and the hard-threshold rule with radius sqrt(2 log n/N),
unless said otherwise.  Whether a bandit meets a theorem's conditions is the business of
:mod:`penalized_bandits.theory.conditions`; the bounds are computed for any bandit.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.checks import numbers
from penalized_bandits.errors import BanditError
from penalized_bandits.regret import gaps, optimal_loss
from penalized_bandits.theory.problem import (
    ROUNDING,
    Reading,
    by_arm,
    check_reading,
    horizons,
    problem,
    ratio,
)
from penalized_bandits.typing import BoolArray, FloatArray

PULLS_SLOPES = (1.0, 8.0)
"""The paper's bracket of N_k (Delta_k - A_k)^2/log T, or N_k Delta_k^2/log T for critical
arms: Theorems 4.6 and 4.7 from below, 4.2 b and c from above."""


SPREADS = (1e-50, 1e12)
"""Standard deviations that Theorem 4.8 is computed for: their squares and those of gaps in
their unit are far from overflow."""


class LogSlopes(NamedTuple):
    """Bracket of each arm's part of R(T)/log T as T grows, shape (K,), reward."""

    lower: FloatArray
    upper: FloatArray


def vacuous(bound: FloatArray | float, limit: FloatArray | float) -> BoolArray:
    """Whether an upper bound says nothing: no run can exceed ``limit`` anyway.

    ``limit`` is T for pulls, tau_k T for a deficit and :func:`largest_regret` for regret.
    Elementwise; the shapes broadcast.
    """
    return np.asarray(np.asarray(bound) >= np.asarray(limit))


def largest_regret(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Largest penalized regret of any allocation of T pulls, shape (...), reward.

    The loss of eq. (5) is convex in the pulls, so it is largest with all of them on one
    arm j: Delta_j T + sum over k != j of A_k tau_k T.
    """
    bandit = problem(means, fairness, penalties)
    rates = bandit.penalties * bandit.fairness
    worst = (bandit.gaps + rates.sum() - rates).max()
    rounds = horizons(horizon)
    best = optimal_loss(bandit.means, bandit.fairness, bandit.penalties, rounds)
    return np.asarray(worst * rounds - best)


def ucb1_regret_bound(means: ArrayLike, horizon: float | ArrayLike) -> FloatArray:
    """Auer, Cesa-Bianchi and Fischer (2002), Theorem 1: regret of UCB1, shape (...), reward.

    8 sum log T/Delta_k + (1 + pi^2/3) sum Delta_k, over arms with Delta_k > 0.
    """
    gap = problem(means, 0.0, 0.0).gaps
    gap = gap[gap > 0]
    per_arm = ratio(8 * np.log(by_arm(horizon)), gap) + (1 + math.pi**2 / 3) * gap
    return np.asarray(per_arm.sum(axis=-1))


def critical_pulls_bound(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Theorem 4.2 b, without O(1): expected pulls of critical arms, shape (..., K).

    max{8 log T/Delta_k^2, tau_k T}; NaN for arms that are not critical.  The proof of this
    part uses neither (i) nor (ii).
    """
    bandit = problem(means, fairness, penalties)
    rounds = by_arm(horizon)
    bound = np.maximum(ratio(8 * np.log(rounds), bandit.gaps**2), bandit.fairness * rounds)
    return np.where(bandit.critical, bound, np.nan)


def non_critical_pulls_bound(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Theorem 4.2 c, without O(1): expected pulls of non-critical arms, shape (..., K).

    max{min{8 log T/(Delta_k - A_k)^2, tau_k T}, 8 log T/Delta_k^2}; NaN for other arms.
    The proof's text has the minimum alone, which A = 0 and tau_k T < 2 log T/Delta_k^2
    would violate; the theorem has it right, and needs neither (i) nor (ii).
    """
    bandit = problem(means, fairness, penalties)
    rounds = by_arm(horizon)
    log = np.log(rounds)
    margin = np.maximum(bandit.gaps - bandit.penalties, 0.0)
    below = np.minimum(ratio(8 * log, margin**2), bandit.fairness * rounds)
    bound = np.maximum(below, ratio(8 * log, bandit.gaps**2))
    return np.where(bandit.non_critical, bound, np.nan)


def gap_dependent_bound_by_arm(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: float | ArrayLike,
    *,
    reading: Reading = "stated",
) -> FloatArray:
    """Theorem 4.2 d, without O(K): each arm's part of the regret, shape (..., K), reward.

    Stated: max{min{8 log T/(Delta - A), (Delta - A) tau T}, 8 log T/Delta} for non-critical
    arms and (8 log T/Delta - tau T)_+ for critical ones.

    Proved: each arm's term of eq. (10) with the pulls of 4.2 b or c.  For critical arms
    that is (8 log T/Delta - Delta tau T)_+, which is larger (Delta <= 1); for non-critical
    arms above their level 8 log T/Delta - A tau T, which is smaller.  Zero for optimal
    arms: theirs is O(1).
    """
    check_reading(reading)
    bandit = problem(means, fairness, penalties)
    rounds = by_arm(horizon)
    log = np.log(rounds)
    gap, level = bandit.gaps, bandit.fairness * rounds
    margin = np.maximum(gap - bandit.penalties, 0.0)
    of_gap = ratio(8 * log, gap)
    if reading == "stated":
        non_critical = np.maximum(np.minimum(ratio(8 * log, margin), margin * level), of_gap)
        critical = np.maximum(of_gap - level, 0.0)
    else:
        # The term is increasing and convex in the pulls, so the O(1) of 4.2 c adds O(1).
        pulls = np.where(
            bandit.non_critical,
            non_critical_pulls_bound(means, fairness, penalties, horizon),
            0.0,
        )
        non_critical = gap * pulls - bandit.penalties * np.minimum(pulls, level)
        critical = np.maximum(of_gap - gap * level, 0.0)
    bound = np.where(bandit.critical, critical, 0.0)
    return np.where(bandit.non_critical, non_critical, bound)


def gap_dependent_bound(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    horizon: float | ArrayLike,
    *,
    reading: Reading = "stated",
) -> FloatArray:
    """Theorem 4.2 d, without O(K): bound of the regret, shape (...), reward.

    The sum of :func:`gap_dependent_bound_by_arm`.
    """
    return np.asarray(
        gap_dependent_bound_by_arm(means, fairness, penalties, horizon, reading=reading).sum(
            axis=-1
        )
    )


def deficit_coefficients(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike,
    *,
    reading: Reading = "stated",
) -> FloatArray:
    """Theorem 4.3: a_j with E max_t (tau t - N(t))_+ <= a_j log T + O(1), shape (K,), pulls.

    The arms keep their numbers; NaN for non-critical arms.  In the order of decreasing
    S_k = mu_k + A_k, with b_d = 8 sum_{m<d} 1/(S_d - mu_m)^2 + 8 sum_{m>d} 1/(S_d - S_m)^2,

    stated: a_j = sum_{d<=j} (j - d + 1) b_d.

    Proved: the proof arrives at a_j = sum_{d<j} a_d + sum_{d<=j} b_d, which is solved by
    a_j = sum_{d<=j} 2^(j-d) b_d: more than stated from the third arm on.

    A coefficient is infinite where the arm, or one before it, ties with another arm's S or
    has S = mu* (A_k = Delta_k) with an optimal arm before it.
    """
    check_reading(reading)
    bandit = problem(means, fairness, penalties)
    sums = bandit.means + bandit.penalties
    order = np.argsort(-sums, kind="stable")
    mu, total = bandit.means[order], sums[order]
    served = ~bandit.non_critical[order]
    rank = np.arange(bandit.n_arms)
    # Row d, column m: arms before d are at their level, arms after it may not be.
    rival = np.where(rank < rank[:, None], mu, total)
    distance = np.abs(total[:, None] - rival)
    distance[distance < ROUNDING] = 0.0
    terms = np.where(rank == rank[:, None], 0.0, ratio(8.0, distance**2))
    # Served arms come first in this order, so the others do not enter their sums.
    b = np.where(served, terms.sum(axis=1), 0.0)
    if reading == "stated":
        a = np.cumsum(np.cumsum(b))
    else:
        a = np.zeros_like(b)
        for j, value in enumerate(b):
            a[j] = value if j == 0 else 2 * a[j - 1] + value
    coefficients = np.full(bandit.n_arms, np.nan)
    coefficients[order[served]] = a[served]
    return coefficients


def settled_deficit(fairness: ArrayLike) -> FloatArray:
    """How far below tau_k T an arm can be while arms below their level always go first.

    tau_k (K - 1)/(c_0 + tau_k) pulls, shape (K,), with c_0 = 1 - sum tau; tau_k (K - 1)
    where all fractions are equal, as in Settings 1, 3, 4 and 5.  For bandits without
    non-critical arms; an arm that never goes first only makes the others wait less.

    This is what Observations 3 and 4 in the proof of Theorem 4.2 give.  Let s be the last
    round with no arm below its level: since then every other arm had at most
    tau_j (T - s) + 1 pulls, so arm k is short of at most K - 1 - c_0 (T - s) and of at most
    tau_k (T - s).  Arms with equal fractions fall below their level in the same rounds and
    have all been served K rounds later, before the next time, so there the deficit is
    below 1.  The proof says 1 in general, and Theorem 4.1 rests on it.  Counterexample with
    fixed numbers: 20 arms with tau = 0.01, A = 2, one with tau = 0.5, A = 1.9, all
    with mu = 0.1, and one with mu = 0.9, tau = 0.1, A = 0.5.  The 20 arms fall below their
    level together every 100 rounds and go first: at T = 100 m + 20 the arm with tau = 0.5
    has tau T - 10 pulls, for every large m.
    """
    bandit = problem(np.zeros(np.shape(fairness)), fairness, 0.0)
    tau = bandit.fairness
    others = tau * (bandit.n_arms - 1)
    return others if (tau == tau[0]).all() else others / (1.0 - tau.sum() + tau)


def deficit_scale(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Lemma 4.4: the scale 32 tau_k K log T/(A_k - Delta_k)^2 of E(tau_k T - N_k)_+.

    Shape (..., K), pulls; NaN for non-critical arms, infinite where A_k = Delta_k.  The
    lemma bounds the deficit by a constant times it; the proof's constant is 1/c_0 and more
    where the margin is small (see ``condition_lemma_4_4``).
    """
    bandit = problem(means, fairness, penalties)
    margin = np.maximum(bandit.penalties - bandit.gaps, 0.0)
    log = np.log(by_arm(horizon))
    tau = bandit.fairness
    scale = ratio(32 * bandit.n_arms * log * tau, margin**2)
    scale = np.where(tau > 0, scale, 0.0)
    return np.where(bandit.non_critical, np.nan, scale)


def small_margin_bound(fairness: ArrayLike, horizon: float | ArrayLike) -> FloatArray:
    """Observation 1: bound of (A_k - Delta_k)(tau_k T - N_k)_+, shape (..., K), reward.

    tau_k sqrt(32 K T log T), for arms with 0 <= A_k - Delta_k <= sqrt(32 K log T/T); true
    of every run, whatever the policy.
    """
    tau = problem(np.zeros(np.shape(fairness)), fairness, 0.0).fairness
    rounds = by_arm(horizon)
    return tau * np.sqrt(32 * tau.size * rounds * np.log(rounds))


def gap_independent_bound(
    fairness: ArrayLike, horizon: float | ArrayLike, *, constant: float = 0.0
) -> FloatArray:
    """Theorem 4.5: bound of the regret whatever the gaps, shape (...), reward.

    8 sqrt(T log T) sum sqrt(tau_k) + 8 sqrt((1 - tau_min) K T log T) + C sqrt(K T log T),
    with C = ``constant``, so by default without its last term.  The paper calls C
    universal; its proof takes it from Lemma 4.4, with a constant that grows like 1/c_0.

    The proof bounds a non-critical arm above its level by 4 sqrt(log T/T)(N - tau T) also
    where Delta > 4 sqrt(log T/T), which is the wrong way round; sqrt(8 log T (N - tau T)),
    as for critical arms, mends it without a change of the bound.
    """
    if not (math.isfinite(constant) and constant >= 0):
        raise BanditError(f"constant is {constant}: it must be finite and >= 0")
    tau = problem(np.zeros(np.shape(fairness)), fairness, 0.0).fairness
    rounds = horizons(horizon)
    unit = np.sqrt(rounds * np.log(rounds))
    root_k = math.sqrt(tau.size)
    leading = 8 * np.sqrt(tau).sum() + 8 * root_k * math.sqrt(1 - tau.min())
    return np.asarray((leading + constant * root_k) * unit)


def lower_bound_4_6(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Theorem 4.6: sum of log T/(Delta_k - A_k), shape (...), reward.

    Over non-critical arms with tau_k > 0.  It holds of the instances of
    :func:`penalized_bandits.theory.constructions.non_critical_construction`, not of all.
    """
    bandit = problem(means, fairness, penalties)
    chosen = bandit.non_critical & (bandit.fairness > 0)
    margin = (bandit.gaps - bandit.penalties)[chosen]
    return np.asarray(ratio(np.log(by_arm(horizon)), margin).sum(axis=-1))


def lower_bound_4_7(
    means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Theorem 4.7: sum of Delta_k (log T/Delta_k^2 - tau_k T), shape (...), reward.

    Over critical arms; negative once tau_k T exceeds log T/Delta_k^2, as the paper writes
    no positive part (its proof assumes that tau_k T does not).  It holds of the instances
    of :func:`penalized_bandits.theory.constructions.critical_construction`.
    """
    bandit = problem(means, fairness, penalties)
    gap, tau = bandit.gaps[bandit.critical], bandit.fairness[bandit.critical]
    rounds = by_arm(horizon)
    return np.asarray((ratio(np.log(rounds), gap) - gap * tau * rounds).sum(axis=-1))


def information_constant(sd: float = 1.0, *, reading: Reading = "proved") -> float:
    """C of Theorem 4.8 for Gaussian rewards: KL(P_1 || P_2) <= C T gap^2/(K - 1).

    Proved: 2/sd^2.  The arm that differs has means 0 and 2 gap, so each of its pulls
    carries (2 gap)^2/(2 sd^2), and it has at most T/(K - 1) of them.  Stated: the paper's
    example C = 1/2 for sd = 1, a quarter of it, as if the means differed by one gap only.

    Not every reward law has such a constant: between Bernoulli rewards of mean 0 and
    2 gap the divergence is of the order of the gap itself.
    """
    check_reading(reading)
    least, most = SPREADS
    if not least <= sd <= most:
        raise BanditError(
            f"sd of the rewards is {sd}: it must be above 0, from {least:g} to {most:g}"
        )
    return (2.0 if reading == "proved" else 0.5) / sd**2


def two_point_gap(
    n_arms: int, horizon: float | ArrayLike, *, sd: float = 1.0, reading: Reading = "proved"
) -> FloatArray:
    """Gap of Theorem 4.8's instances, sqrt((K - 1)/(C T)), shape (...), reward."""
    if n_arms < 2:
        raise BanditError(f"there are {n_arms} arms: Theorem 4.8 needs at least 2")
    c = information_constant(sd, reading=reading)
    return np.sqrt((n_arms - 1) / (c * horizons(horizon)))


def two_point_bound(
    fairness: ArrayLike, horizon: float | ArrayLike, gap: float | FloatArray, *, sd: float = 1.0
) -> FloatArray:
    """Lower bound of the worse of Theorem 4.8's two instances, any gap, shape (...), reward.

    (1 - sum tau) gap T/8 exp(-2 gap^2 T/((K - 1) sd^2)), for rewards N(mu, sd^2), K >= 2,
    gap < A_k; ``gap`` broadcasts against the horizons.
    """
    tau = problem(np.zeros(np.shape(fairness)), fairness, 0.0).fairness
    if tau.size < 2:
        raise BanditError("there is one arm: Theorem 4.8 needs at least 2")
    rounds = horizons(horizon)
    spread = numbers("gap", gap)
    if spread.size and spread.min() < 0:
        raise BanditError(f"gap is {spread.min():g}: it must be >= 0")
    exponent = information_constant(sd) * rounds * spread**2 / (tau.size - 1)
    return np.asarray((1 - tau.sum()) * spread * rounds / 8 * np.exp(-exponent))


def lower_bound_4_8(
    fairness: ArrayLike,
    horizon: float | ArrayLike,
    *,
    sd: float = 1.0,
    reading: Reading = "proved",
) -> FloatArray:
    """Theorem 4.8: lower bound of the worse of two instances, any policy, shape (...), reward.

    (1 - sum tau) sqrt((K - 1) T/C)/(8 e), with C of :func:`information_constant` at the gap
    of :func:`two_point_gap`, for rewards N(mu, sd^2).  With the example constant of the
    paper ("stated") it is twice as large, and not proved.
    """
    tau = problem(np.zeros(np.shape(fairness)), fairness, 0.0).fairness
    gap = two_point_gap(tau.size, horizon, sd=sd, reading=reading)
    return np.asarray((1 - tau.sum()) * gap * horizons(horizon) / (8 * math.e))


def log_slopes(means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike) -> LogSlopes:
    """Bracket of R(T)/log T, arm by arm, as T grows with all else fixed; shape (K,), reward.

    From above Theorem 4.2 d, from below the form of 4.6 and 4.7, with the constants 8 and 1
    of ``PULLS_SLOPES``.  Non-critical arms: 1/(Delta - A) and 8/(Delta - A).  Critical
    arms: none, as tau_k T outgrows log T.  Where tau_k = 0 the rate A_k is never paid:
    8/Delta from above, and from below 1/Delta for critical arms (4.7), nothing for others
    (4.6 leaves them out).  Optimal arms: none.
    """
    bandit = problem(means, fairness, penalties)
    least, most = PULLS_SLOPES
    gap = gaps(bandit.means)
    margin = np.maximum(gap - bandit.penalties, 0.0)
    free = bandit.fairness == 0
    lower, upper = np.zeros(bandit.n_arms), np.zeros(bandit.n_arms)
    paying = bandit.non_critical & ~free
    lower[paying], upper[paying] = ratio(least, margin[paying]), ratio(most, margin[paying])
    upper[free & (gap > 0)] = ratio(most, gap[free & (gap > 0)])
    lower[free & bandit.critical] = ratio(least, gap[free & bandit.critical])
    return LogSlopes(lower, upper)
