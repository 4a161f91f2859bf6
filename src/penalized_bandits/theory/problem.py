"""What every function of the theory starts from: checked parameters of one bandit."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray

Reading: TypeAlias = Literal["stated", "proved"]
"""What the paper's theorem says, or what its proof supports, where the two differ."""

ROUNDING = 1e-12
"""Sums mu + A of the order of 1 that are nearer to each other than this are equal."""

LONGEST = 1e100
"""Horizons of bounds are at most this, so that no product with a rate overflows."""


def problem(means: ArrayLike, fairness: ArrayLike, penalties: ArrayLike) -> Instance:
    """Check the parameters of one bandit, each of shape (K,) or one number for tau and A.

    The reward family of the instance is of no importance: no bound depends on it.

    Raises
    ------
    BanditError
        If a parameter varies by replicate, or :class:`Instance` refuses it.
    """
    for name, values in (("means", means), ("penalties", penalties)):
        if np.ndim(values) > 1:
            raise BanditError(f"{name} has shape {np.shape(values)}: bounds are for one bandit")
    return Instance(means, fairness, penalties, Deterministic())


def fractions(fairness: ArrayLike) -> FloatArray:
    """Check fairness fractions (K,) of a bandit of which nothing else matters."""
    return problem(np.zeros(np.shape(fairness)), fairness, 0.0).fairness


def horizons(horizon: float | ArrayLike) -> FloatArray:
    """Check horizons T of any shape: at least 2, so that log T > 0, and at most 10^100."""
    rounds = np.asarray(horizon, dtype=np.float64)
    if not ((rounds >= 2) & (rounds <= LONGEST)).all():
        raise BanditError(
            f"horizon is {horizon}: it must be finite, at least 2 and at most {LONGEST:g}"
        )
    return rounds


def by_arm(horizon: float | ArrayLike) -> FloatArray:
    """Return horizons (...) as (..., 1), to broadcast against values (K,)."""
    return horizons(horizon)[..., None]


def check_reading(reading: Reading) -> None:
    """Raise BanditError unless the reading is one of the two."""
    if reading not in ("stated", "proved"):
        raise BanditError(f"reading is {reading!r}: it must be 'stated' or 'proved'")


def ratio(numerator: FloatArray | float, denominator: FloatArray) -> FloatArray:
    """Divide non-negative numbers; anything over zero, or next to it, is infinite."""
    bottom = np.asarray(denominator, dtype=np.float64)
    found = np.full(np.broadcast_shapes(np.shape(numerator), bottom.shape), np.inf)
    with np.errstate(over="ignore"):
        return np.divide(numerator, bottom, out=found, where=bottom > 0)
