"""The instances in which the paper's lower bounds of Theorems 4.6 and 4.7 are attained.

Rewards are deterministic.  In 4.6 arm 1 always pays Delta, all others nothing, A_k = A < Delta:
every other arm is non-critical and must be pulled log T/(Delta - A)^2 times, at a cost of
Delta - A each.  For large T the pulls are 2 log T/(Delta - A + sqrt(2 log T/N_1))^2, twice the
claim.

In 4.7 arm 1 pays Delta_1 + Delta_2, critical arms Delta_1 (their gap is Delta_2 < A_2), others
Delta_2 (their gap is Delta_1 > A_1).  Critical arms must be pulled log T/Delta_2^2 times, which
is beyond their level.  The paper leaves the rate of arm 1 open; its index has no bonus where it
matters.

The proofs look at a round n_a after which arm 1 has been pulled T/2 times and is pulled again,
so its index is the largest: mu* + sqrt(4 log T/T) at most.  An arm with fewer pulls than claimed
would have a larger one.  Both functions below return the proof's assumption first and then what
else its steps need; where one of these fails the bound may still hold, but the proof does not
show it.
"""

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.theory.conditions import Condition, condition
from penalized_bandits.theory.inputs import check_single, one_horizon, ratio


def _steps(
    bandit: Instance, rounds: float, arms: BoolArray, margin: FloatArray, explored: FloatArray
) -> tuple[Condition, ...]:
    """Return what the steps of both proofs need for the arms that must be pulled.

    ``margin``, (K,), separates their indices from arm 1's without the radii, so log T/margin^2
    pulls are claimed; ``explored``, (K,), is what exploration may take.

    n_a is T at most: T/2 + 1, the others' pulls and this arm's own fit into T rounds.  Arm 1 is
    above its level with T/2 pulls: else A_1 adds to its index.  And an arm with the pulls claimed
    overtakes arm 1 by round T/2: margin + sqrt(4 log T/T) < sqrt(2 log(T/2)/pulls).
    """
    log = np.log(rounds)
    pulls = ratio(log, margin**2)
    others = explored.sum() - np.where(np.isfinite(explored), explored, 0.0)
    last = rounds / 2 + 1 + others + np.ceil(pulls)
    radius = np.sqrt(ratio(2 * np.log(rounds / 2), pulls))
    least = margin + np.sqrt(4 * log / rounds)
    return (
        condition("T >= n_a", np.full(arms.size, rounds), least=last, applies=arms),
        condition("tau_1 <= 1/2", 0.5, least=bandit.fairness[bandit.optimal].max()),
        condition("arm 1 is overtaken", radius, least=least, applies=arms, strict=True),
    )


def conditions_4_6(bandit: Instance, horizon: float) -> tuple[Condition, ...]:
    """Theorem 4.6: tau_k T/2 >= 8 log T/(Delta_k - A_k)^2 for non-critical arms, and more.

    The proof also needs tau_1 <= 1/2, that its round n_a is not after T, and that T is large
    enough for the last inequality.
    """
    check_single(bandit)
    rounds, arms = one_horizon(horizon), bandit.non_critical
    margin = np.where(arms, -bandit.margins, np.inf)
    explored = ratio(8 * np.log(rounds), margin**2)
    assumed = condition("Theorem 4.6", bandit.fairness * rounds / 2, least=explored, applies=arms)
    return (assumed, *_steps(bandit, rounds, arms, margin, explored))


def conditions_4_7(bandit: Instance, horizon: float) -> tuple[Condition, ...]:
    """Theorem 4.7: exploration as in Theorem 4.2 takes less than T/2 rounds in all, and more.

    That is 8 log T/(Delta_k - A_k)^2 pulls of non-critical arms and 8 log T/Delta_k^2 of
    critical ones.  The proof also assumes tau_k T <= log T/Delta_k^2 for critical arms: for
    fixed gaps and fractions that ends at some T, so the bound speaks of fractions that shrink
    like log T/T, or gaps like sqrt(log T/T).  It also needs tau_1 <= 1/2, and Delta_2 a little
    larger than assumed (with one critical arm Delta_2 > 4 sqrt(log T/T) is assumed and about
    4.83 sqrt(log T/T) used).
    """
    check_single(bandit)
    rounds, arms = one_horizon(horizon), bandit.critical
    margin = np.where(bandit.non_critical, -bandit.margins, bandit.gaps)
    margin[bandit.optimal] = np.inf
    explored = ratio(8 * np.log(rounds), margin**2)
    level = bandit.fairness * rounds
    pulls = ratio(np.log(rounds), margin**2)
    return (
        condition("Theorem 4.7", rounds / 2, least=explored.sum(), strict=True),
        condition("log T/Delta^2 >= tau T", pulls, least=level, applies=arms),
        *_steps(bandit, rounds, arms, margin, explored),
    )
