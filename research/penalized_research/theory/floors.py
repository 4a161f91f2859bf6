"""What learning costs where every arm has a floor: levels of the data that floors bring, bounds.

Theorems P and Q of research/docs/floors.md.  With n_k = tau_k T and H = (1 - sum tau) T the
floors of n_k pulls come first, so that H pulls are to be chosen by what they show.  Floors are hard
if A_k >= 1 wherever tau_k > 0.  Fractions may be 0 and may sum to 1, ties of all kinds are
allowed, rewards lie in [0, 1].  Regret is in the unit of the rewards.  BanditError if a fraction or
the horizon is invalid, or parameters vary by replicate.
"""

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import check_single, fractions, free_share, one_horizon


def _floors(fairness: ArrayLike, horizon: float) -> tuple[FloatArray, float]:
    """Return n_k, shape (K,), and H, in pulls."""
    tau, rounds = fractions(fairness), one_horizon(horizon, 1)
    return tau * rounds, free_share(tau) * rounds


def water_level(fairness: ArrayLike, horizon: float) -> float:
    """Return the water level w: sum (w - n_k)+ = H, eq. (11), pulls.

    It is the least over m of (H + the m smallest n_k)/m: H pulls more lift the arms of the lowest
    floors to it.  From H/K to T/K.

    >>> water_level([0.2, 0.2, 0.2, 0.2], 1000), water_level([0.8, 0.0, 0.0, 0.0], 1000)
    (250.0, 66.66666666666664)
    """
    floors, free = _floors(fairness, horizon)
    return float(((free + np.cumsum(np.sort(floors))) / np.arange(1, floors.size + 1)).min())


def soft_level(fairness: ArrayLike, horizon: float) -> float:
    """Return the soft level eps*: sum exp(-n_k eps^2) = max(1/2, H eps^2), eq. (11), reward.

    The gap that the data of the floors leave unseen; infinite where H = 0 and an arm has no
    floor.  w eps*^2 is between log 2 and max(2, log min(4 K, K w/H)), eq. (12).

    >>> round(soft_level([0.2, 0.2, 0.2, 0.2], 1000), 4)
    0.0775
    """
    (floors, free), level = _floors(fairness, horizon), water_level(fairness, horizon)
    if level == 0:
        return np.inf

    def excess(x: float) -> float:
        return float(np.exp(-floors * x).sum() - max(0.5, free * x))

    # Eq. (12), a little wider for rounding.
    ends = 0.999 * np.log(2) / level, 1.001 * max(2.0, np.log(4.0 * floors.size)) / level
    from scipy.optimize import root_scalar  # takes long to import

    # The root may be far below 1: only its relative error counts.
    solution = root_scalar(excess, bracket=ends, method="brentq", xtol=1e-300, rtol=1e-14)
    return float(np.sqrt(solution.root))


def lower_bound_p(fairness: ArrayLike, horizon: float) -> float:
    """Theorem P: lower bound of any policy's regret on its worst means, whatever the rates are.

    The larger of H min(1, w^-1/2)/45 and H min(1, eps*)/110; Bernoulli rewards, K >= 2; reward.
    """
    floors, free = _floors(fairness, horizon)
    if floors.size < 2:
        raise BanditError("fairness has one arm: Theorem P is for two or more")
    if free == 0:
        return 0.0
    water = min(1.0, water_level(fairness, horizon) ** -0.5) / 45.0
    return free * max(water, min(1.0, soft_level(fairness, horizon)) / 110.0)


def _rates(bandit: Instance, least: float) -> FloatArray:
    """Return A_k of the arms with a floor; raise BanditError unless the bounds are about them."""
    check_single(bandit)
    if bandit.means.min() < 0 or bandit.means.max() > 1:
        raise BanditError(f"means are {bandit.means}: the bound needs rewards in [0, 1]")
    rates = bandit.penalties[bandit.fairness > 0]
    if rates.size and not (rates.min() >= 1 and rates.min() > least):
        raise BanditError(
            f"penalty rates are {bandit.penalties}: where an arm has a floor the bound needs them "
            f"{'above' if least == 1 else 'at least'} 1"
        )
    return rates


def upper_bound_p(bandit: Instance, horizon: float) -> float:
    """Theorem P: upper bound of the regret of due first, then MOSS at the water level, reward.

    H min(1, 6.4 w^-1/2 + 1.42 eps*) + (max A_k + 2)(K - 1), A_k of the arms that have a floor;
    sqrt(15) + sqrt(2 pi) and sqrt(2), rounded up.  BanditError if floors are not hard or a mean
    leaves [0, 1].
    """
    rates = _rates(bandit, 0.0)
    _, free = _floors(bandit.fairness, horizon)
    learning = 0.0
    if free > 0:
        water, soft = (level(bandit.fairness, horizon) for level in (water_level, soft_level))
        learning = free * min(1.0, 6.4 / np.sqrt(water) + 1.42 * soft)
    return float(learning + (rates.max(initial=0.0) + 2) * (bandit.n_arms - 1))


def upper_bound_q(bandit: Instance, horizon: float) -> float:
    """Theorem Q: upper bound of the published policy's regret where all rates exceed 1, reward.

    H min(1, sqrt(32 log T/w)) + (2 max A_k + 3) K (1 + 2 log T/alpha^2), alpha the least of
    A_k - 1 over the arms that have a floor.  BanditError if that is not above 0, T is below K, or a
    mean leaves [0, 1].
    """
    rates, n_arms = _rates(bandit, 1.0), bandit.n_arms
    log = np.log(one_horizon(horizon, n_arms))
    _, free = _floors(bandit.fairness, horizon)
    alpha = rates.min(initial=np.inf) - 1
    learning = 0.0
    if free > 0:
        learning = free * min(1.0, np.sqrt(32 * log / water_level(bandit.fairness, horizon)))
    return float(learning + (2 * rates.max(initial=0.0) + 3) * n_arms * (1 + 2 * log / alpha**2))
