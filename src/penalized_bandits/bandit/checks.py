"""Checks of arrays of numbers: errors name the value at fault and the valid range."""

from typing import Any

import numpy as np

from penalized_bandits.common.errors import LARGEST, BanditError
from penalized_bandits.common.typing import FloatArray

ROUNDED_SUM = 1e-13
"""Sums of fractions up to 1 + this are 1, but for the rounding of the fractions."""


def numbers(name: str, values: Any) -> FloatArray:
    """Bring values to an array of floats.

    Raises BanditError if they are no numbers, or one is not finite or larger than ``LARGEST``.
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
