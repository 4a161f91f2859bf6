"""Bounds of the penalized regret that hold whatever the gaps are.

Theorems I, J and M and Theorem 4.8 with constants, of research/docs/gap-free.md; the first and the
third with ceilings by Theorem Z of research/docs/stairs.md.  Fractions may be 0 and may sum to 1,
ties of all kinds are allowed.  K is the number of arms; results are in the unit of the rewards.
BanditError if a parameter is invalid, T below 2 or above 10^100.
"""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.regret import value_above_caps
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import fractions, free_share, horizons, instance_of

MOSS_RATE = 7.8
"""Theorem M: sqrt(15) + sqrt(2 pi) + sqrt(2), rounded up."""


def start_up(bandit: Instance) -> FloatArray:
    """Return the part of the bounds that does not grow with T, of one bandit or (R,), reward.

    sum Delta_k + (K - 1) max (a_k - Delta_k)+, with a_k = A_k where tau_k > 0, else 0 (Lemma R,
    eq. (9)).  It is the cost of one pull of each arm while another could be due.  With ceilings it
    is (K - 1) max v^0 + max v^1 - sum v^1, v^0 and v^1 the values of an arm's first and last step
    (Lemma R').  Above a hard cap the value is 1 below all steps.
    """
    paid, gaps = np.where(bandit.fairness > 0, bandit.penalties, 0.0), bandit.gaps_to_best
    most = np.maximum(paid - gaps, 0.0).max(axis=-1)
    costs = np.where(bandit.ceilings < 1, bandit.excess_penalties, 0.0)
    beyond = value_above_caps(bandit) + bandit.price - bandit.means.max(axis=-1)
    least = np.where(np.isinf(costs), beyond[..., None], -gaps - costs)
    return np.asarray(least.max(axis=-1) - least.sum(axis=-1) + (bandit.n_arms - 1) * most)


def upper_bound_i(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Theorem I or Z: upper bound of the published policy's regret, rewards in [0, 1], reward.

    sqrt(8 K T log T) + sqrt(2 K T) + start-up + 1/(2 K).  Means and penalty rates have shape
    (K,) or (R, K); the reward family does not matter.  For horizons (...), at least K, the shape
    is (...), or (R, ...).

    >>> from penalized_bandits.theory.inputs import instance_of
    >>> float(upper_bound_i(instance_of([0.55] + [0.5] * 9, 0.0, 0.2), 20_000).round())
    4614.0
    """
    n_arms = bandit.n_arms
    rounds = horizons(horizon, n_arms)
    leading = np.sqrt(8.0 * n_arms * rounds * np.log(rounds))
    growing = leading + np.sqrt(2 * n_arms * rounds)
    return np.add.outer(start_up(bandit), growing) + 0.5 / n_arms


def upper_bound_m(bandit: Instance, horizon: float | ArrayLike) -> FloatArray:
    """Theorem M or Z: upper bound of the regret of MOSS with the hard threshold, reward.

    7.8 sqrt(K T) + start-up, for rewards in [0, 1]; parameters and errors as for
    :func:`upper_bound_i`.
    """
    rounds = horizons(horizon, bandit.n_arms)
    return np.add.outer(start_up(bandit), MOSS_RATE * np.sqrt(bandit.n_arms * rounds))


def lower_bound_j(
    fairness: ArrayLike, penalties: ArrayLike, horizon: float | ArrayLike
) -> FloatArray:
    """Theorem J: lower bound of any policy's regret on its worst means, shape (...), reward.

    The sum of sqrt(tau_k T)/38 over all arms but one with tau_k T >= max(1, 1/(16 A_k^2)); the one
    left out is that which counts least.  Bernoulli rewards, rates up to 1/2.
    """
    tau = fractions(fairness)
    rates = instance_of(np.zeros(tau.size), tau, penalties).penalties
    if rates.max() > 0.5:
        raise BanditError(f"penalty rates are {penalties}: Theorem J needs them in [0, 1/2]")
    levels = tau * horizons(horizon)[..., None]
    counted = (levels >= 1) & (16 * levels * rates**2 >= 1)
    parts = np.where(counted, np.sqrt(levels), 0.0)
    return np.asarray((parts.sum(axis=-1) - parts.min(axis=-1)) / 38.0)


def bernoulli_bound_4_8(fairness: ArrayLike, horizon: float | ArrayLike) -> FloatArray:
    """Theorem 4.8 with constants: lower bound for any policy and rates, shape (...), reward.

    (1 - sum tau) sqrt((K - 1) T)/46 on the worst means, Bernoulli rewards, T >= 16 (K - 1).
    """
    tau = fractions(fairness)
    rounds = horizons(horizon, 16 * (tau.size - 1))
    return np.asarray(free_share(tau) * np.sqrt((tau.size - 1) * rounds) / 46.0)
