"""Checks of arrays of numbers: errors name the value at fault and the valid range."""

from collections.abc import Hashable, Iterable, Mapping, Set
from typing import Any

import numpy as np

from penalized_bandits.common.errors import LARGEST, BanditError, is_number
from penalized_bandits.common.typing import FloatArray

ROUNDED_DOWN = 1 - 2**-50
"""Times a ceiling: a level c n that is a whole number N in decimals is at most N then."""
ROUNDED_SUM = 1e-13
"""Sums of fractions up to 1 + this are 1, but for the rounding of the fractions."""


def free_share(fairness: FloatArray) -> float:
    """Return 1 - sum tau, the largest c_0 of section 4; 0 where the sum is 1 up to rounding."""
    rest = 1.0 - float(fairness.sum())
    return rest if rest > ROUNDED_SUM else 0.0


def is_row(values: Any) -> bool:
    """Return whether values have an order and one dimension: of a dict keys would be taken."""
    return not isinstance(values, Mapping | Set) and getattr(values, "ndim", 1) == 1


def in_order(name: str, values: Any, arms: Iterable[Hashable] | None, *, axis: int = -1) -> Any:
    """Return values in the order of named arms; BanditError if labels of pandas are others."""
    if arms is None or not hasattr(values, "axes"):
        return values
    labels, names = values.axes[axis].tolist(), [*arms]
    if len(labels) != len(names) or {*labels} != {*names}:
        raise BanditError(f"{name} has labels {labels!s:.80}: they must be the arms {names!s:.80}")
    return values.reindex(names, axis=axis % values.ndim)


def numbers(
    name: str, values: Any, *, least: float = -LARGEST, most: float = LARGEST, inf: bool = False
) -> FloatArray:
    """Return a read-only copy of values as an array of floats: the one way into the package.

    Raises BanditError for what NumPy would convert in silence (texts, dates, complex numbers,
    masked values), if rows have several lengths, or a value is not finite or out of range; with
    ``inf``, +inf is in range.
    """
    try:
        if np.ma.is_masked(values):
            raise TypeError("some are masked")
        given = np.asarray(values)
        if given.dtype.kind == "O":
            strange = [x for x in given.flat if not is_number(x)]
        else:
            strange = [] if given.dtype.kind in "biuf" else [given.dtype]
        if strange:
            raise TypeError(f"found {strange[0]!r:.60}")
        array = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise BanditError(f"{name} must be numbers in rows of one length: {error}") from None
    valid = np.isfinite(array) | (np.isposinf(array) & inf)
    if not valid.all():
        raise BanditError(f"a value of {name} is not finite: {array[~valid].flat[0]}")
    if array.size and array.min() < least > -LARGEST:
        raise BanditError(f"{name} holds {array.min():g}: every value must be at least {least:g}")
    sizes = np.where(np.isinf(array), 0.0, np.abs(array))
    if array.size and sizes.max() > most:
        worst = array.flat[sizes.argmax()]
        raise BanditError(f"a value of {name} is {worst:g}: at most {most:g} in size is allowed")
    array.flags.writeable = False
    return array
