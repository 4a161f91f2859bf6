"""Conditions of the theorems of section 4.

Each function takes an :class:`Instance` with parameters of shape (K,) and one horizon T, and
returns whether each arm meets the theorem's condition as stated, shape (K,), for the largest c_0,
which is 1 - sum tau (where that is 0 none is met); True for arms that it is not about.  Docstrings
say what the steps of its proof need beyond that.  BanditError if ceilings are charged.
"""

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.theory.inputs import check_paper, free_share, one_horizon, ratio


def _within_the_theorem(least: FloatArray, tau: FloatArray) -> FloatArray:
    """Return lower limits (K,), infinite for fractions of 0, and for all where they sum to 1."""
    return np.where((tau > 0) & (free_share(tau) > 0), least, np.inf)


def condition_4_1(bandit: Instance, horizon: float) -> BoolArray:
    """Theorem 4.1: every arm's margin A_k - Delta_k is large enough for fairness.

    A_k - Delta_k >= min{sqrt(32 log T/(tau_k T)), 1} and tau_k > 0, for all k.

    The proof has no minimum, and needs a smallest margin above both sqrt(32 K log T/(c_0^2 T)) and
    every sqrt(32 log T/(c_0^2 tau_k T)).  Neither c_0 nor K is in the stated root, and without them
    it is not enough (Theorem 5 of docs/pages/theory/corrections.md).  Even so the conclusion
    N_k(T) >= floor(tau_k T) is more than the proof gives; see
    :func:`penalized_bandits.theory.deficits.drift_bound`.
    """
    check_paper(bandit)
    rounds, tau = one_horizon(horizon), bandit.fairness
    least = np.minimum(np.sqrt(ratio(32 * np.log(rounds), tau * rounds)), 1.0)
    return bandit.margins >= _within_the_theorem(least, tau)


def conditions_4_2(bandit: Instance, horizon: float) -> tuple[BoolArray, BoolArray]:
    """Theorem 4.2 (i) and (ii): critical arms well below their rate, others near theirs.

    (i) c_a > sqrt(16 c_0^2 K log T/T); (ii) for arms of A_non-cr,
    c_a/4 > Delta_k - A_k >= min{sqrt(8 K log T/(c_0^2 T)), sqrt(log(c_0 T)/(tau_k c_0 T))}.
    c_a is taken as large as (i) allows, the smallest A_k - Delta_k over A_opt and A_cr:
    that makes both conditions as easy as can be.

    The proof needs c_a > sqrt(32 K log T/(c_0^2 T)) in (i), c_0 dividing where the theorem has it
    as a factor, and in (ii) at least sqrt(16 K log T/(c_0^2 T)) without a minimum.

    An arm with half the largest gap for its rate (Setting 1) can never meet (ii) if it has
    the largest gap, as then Delta - A = A >= c_a.  With A = 0 (UCB1) c_a = 0, so (i) fails.
    """
    check_paper(bandit)
    rounds = one_horizon(horizon)
    log, c_0 = np.log(rounds), free_share(bandit.fairness)
    n_arms, margin, served = bandit.n_arms, bandit.margins, bandit.optimal_or_critical
    c_a = margin[served].min()
    first = np.sqrt(16 * c_0**2 * n_arms * log / rounds) if c_0 > 0 else np.inf
    arm = ratio(np.log(np.maximum(c_0 * rounds, 1.0)), bandit.fairness * c_0 * rounds)
    second = np.minimum(np.sqrt(ratio(8 * n_arms * log, c_0**2 * rounds)), np.sqrt(arm))
    near = (-margin >= second) & (-margin < c_a / 4)
    return ~served | (c_a > first), ~bandit.non_critical | near


def condition_lemma_4_4(bandit: Instance, horizon: float) -> BoolArray:
    """Lemma 4.4: A_k - Delta_k >= sqrt(32 K log T/T) and tau_k > 0; per arm.

    Each arm stands for itself; arms of A_non-cr are not concerned.

    The proof needs A_k - Delta_k > sqrt(128 K log T/(c_0^2 T)), from 32 K log T/(A - Delta)^2 <
    c_0^2 T/4, and 32 log T/(A_k - Delta_k)^2 <= tau c_0^2 T/4 for the smallest tau of the
    arms whose margin is at least half as large.  Between the two the lemma is
    true nevertheless, as tau_k T is at most a constant times its scale there; but the
    constant depends on c_0 and min tau, so Theorem 4.5's C is not universal.
    """
    check_paper(bandit)
    rounds = one_horizon(horizon)
    least = np.sqrt(32 * bandit.n_arms * (np.log(rounds) / rounds))
    least = _within_the_theorem(least, bandit.fairness)
    return ~bandit.optimal_or_critical | (bandit.margins >= least)
