"""Checks and arithmetic that all functions of the theory share."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import free_share as free_share
from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.instances import Instance, check_floors_alone
from penalized_bandits.bandit.rewards import Deterministic, RewardFamily
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray

Interpretation: TypeAlias = Literal["stated", "proved"]
"""The paper's theorem as stated, or as its proof supports it, where the two differ."""

LONGEST = 1e100
"""Horizons of bounds are at most this, so that no product with a rate overflows."""


def instance_of(
    means: ArrayLike,
    fairness: ArrayLike,
    penalties: ArrayLike = 0.0,
    rewards: RewardFamily = Deterministic(),  # noqa: B008
) -> Instance:
    """Return an :class:`Instance` whose reward family may be left out: few results depend on it.

    >>> instance_of([0.9, 0.5], 0.2, 0.3).gaps.tolist()
    [0.0, 0.4]
    """
    return Instance(means, fairness, penalties, rewards)


def check_single(bandit: Instance) -> None:
    """Raise BanditError if means or penalty rates vary by replicate."""
    if bandit.n_replicates is not None:
        raise BanditError("means or penalties vary by replicate: bounds are for one bandit")


def fractions(fairness: ArrayLike) -> FloatArray:
    """Return fairness fractions (K,) as an array; raise BanditError if they are invalid."""
    return instance_of(np.zeros(np.shape(fairness)), fairness).fairness


def horizons(horizon: float | ArrayLike, least: float = 2.0) -> FloatArray:
    """Return horizons T; raise BanditError below 2 (log T > 0) or ``least``, or above 10^100."""
    return numbers("horizon", horizon, least=max(least, 2.0), most=LONGEST)


def one_horizon(horizon: float, least: float = 2.0) -> float:
    """Return a horizon T; raise BanditError if it is none, or there are several."""
    rounds = horizons(horizon, least)
    if rounds.ndim:
        raise BanditError(f"horizon is {horizon}: it must be one number here")
    return float(rounds)


def by_arm(horizon: float | ArrayLike, bandit: Instance | None = None) -> FloatArray:
    """Return horizons (...) as (..., 1), to broadcast against values (K,) of a checked bandit."""
    if bandit is not None:
        check_paper(bandit)
    return horizons(horizon)[..., None]


def check_paper(bandit: Instance) -> None:
    """Raise BanditError if the paper's bounds are not about a bandit: ceilings, several rows."""
    check_floors_alone(bandit)
    check_single(bandit)


def margins_to_best(bandit: Instance) -> FloatArray:
    """Return A_k - (mu* - mu_k), (K,) or (R, K); BanditError if ceilings are charged.

    They are the instance's margins, unless the price is above mu*.
    """
    check_floors_alone(bandit)
    return bandit.margins + (bandit.gaps - bandit.gaps_to_best)


def below_price(bandit: Instance) -> FloatArray:
    """Return (lambda - v_k)_+, (K,) or (R, K): what a first pull is worth less than the price.

    v_k is mu_k + A_k, or mu_k where tau_k = 0: there the rate is never paid.
    """
    return np.maximum(-np.where(bandit.fairness > 0, bandit.margins, -bandit.gaps), 0.0)


def ratio(numerator: FloatArray | float, denominator: FloatArray | float) -> FloatArray:
    """Return quotients of non-negative numbers; infinite where the divisor is 0 or next to it."""
    bottom = np.asarray(denominator, dtype=np.float64)
    quotients = np.full(np.broadcast_shapes(np.shape(numerator), bottom.shape), np.inf)
    with np.errstate(over="ignore"):
        return np.divide(numerator, bottom, out=quotients, where=bottom > 0)
