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
would have a larger one.  Both functions below check the proof's assumption.  Its steps also need
tau_1 <= 1/2, that n_a is not after T, and that an arm with the pulls claimed overtakes arm 1 by
round T/2; where one of these fails the bound may still hold, but the proof does not show it.
"""

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.theory.inputs import check_single, one_horizon, ratio


def assumption_4_6(bandit: Instance, horizon: float) -> bool:
    """Theorem 4.6: tau_k T/2 >= 8 log T/(Delta_k - A_k)^2 for non-critical arms."""
    check_single(bandit)
    rounds, arms = one_horizon(horizon), bandit.non_critical
    explored = ratio(8 * np.log(rounds), bandit.margins**2)
    return bool((bandit.fairness * rounds / 2 >= explored)[arms].all())


def assumption_4_7(bandit: Instance, horizon: float) -> bool:
    """Theorem 4.7: exploration as in Theorem 4.2 takes less than T/2 rounds in all, and more.

    That is 8 log T/(Delta_k - A_k)^2 pulls of non-critical arms and 8 log T/Delta_k^2 of
    critical ones.  The proof also assumes tau_k T <= log T/Delta_k^2 for critical arms: for
    fixed gaps and fractions that ends at some T, so the bound speaks of fractions that shrink
    like log T/T, or gaps like sqrt(log T/T).  Its steps need Delta_2 a little larger than assumed
    (with one critical arm Delta_2 > 4 sqrt(log T/T) is assumed and about 4.83 sqrt(log T/T) used).
    """
    check_single(bandit)
    rounds, arms = one_horizon(horizon), bandit.critical
    margin = np.where(bandit.non_critical, -bandit.margins, bandit.gaps)
    explored = ratio(8 * np.log(rounds), margin**2)[~bandit.optimal]
    pulls = ratio(np.log(rounds), margin**2)
    low = (pulls >= bandit.fairness * rounds)[arms]
    return bool(rounds / 2 > explored.sum() and low.all())
