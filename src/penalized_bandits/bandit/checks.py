"""What numbers may be: refusals that name the value at fault and what would be right."""

import operator
from typing import Any

import numpy as np

from penalized_bandits.errors import BanditError
from penalized_bandits.typing import FloatArray

LARGEST = 1e12
"""Means, penalty rates, standard deviations and tunings are no larger in size.

Their sums over any run, and the squares of these, then stay finite; and a mean reward of
order 1 keeps its first digits when a rate is added to it.
"""
LEAST_SLACK = 1e-13
"""Least 1 - sum tau: closer to 1 the sum is 1, but for the rounding of the fractions."""
MOST_ROUNDS = 2**31 - 1
"""Pulls and replicates are counted in 32 bits."""


def numbers(name: str, values: Any) -> FloatArray:
    """Bring values to an array of floats.

    Raises
    ------
    BanditError
        If they are no numbers, one of them is not finite or larger than ``LARGEST``.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise BanditError(f"{name} must be numbers in rows of one length: {error}") from None
    if not np.isfinite(array).all():
        raise BanditError(f"a value of {name} is not finite: {array}")
    if array.size and np.abs(array).max() > LARGEST:
        worst = array.flat[np.abs(array).argmax()]
        raise BanditError(f"a value of {name} is {worst:g}: at most {LARGEST:g} in size is allowed")
    return array


def within(value: Any, low: float, high: float) -> bool:
    """Say whether a value is a number from ``low`` to ``high``; nan and a text are not."""
    try:
        return bool(low <= value <= high)
    except (TypeError, ValueError):  # ValueError: several numbers
        return False


def whole(
    name: str, value: Any, least: int | None = None, most: int | None = None, why: str = ""
) -> int:
    """Return a whole number of any type; BanditError if it is none or out of range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise BanditError(f"{name} is {value!r}: it must be a whole number") from None
    if least is not None and number < least:
        raise BanditError(f"{name} is {number}: it must be at least {least}")
    if most is not None and number > most:
        raise BanditError(f"{name} is {number}: it must be at most {most}{why}")
    return number
