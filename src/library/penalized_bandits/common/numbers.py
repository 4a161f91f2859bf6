"""Numbers for reading, in one style: estimates with as many digits as their intervals allow."""

import math
from typing import Any

CONFIDENCE = 0.95
"""Of all intervals shown.  It is no key of the config: rules of claims declare it before data."""
WORDS = f"{100 * CONFIDENCE:g} %"  # the same for reading
TAILS = (round((1 - CONFIDENCE) / 2, 12), round((1 + CONFIDENCE) / 2, 12))
"""Quantiles of a bootstrap distribution that are the ends of an interval."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS = "\u2212"
NOTHING = 1e-9  # smaller numbers are rounding errors, and written 0


def _finite(value: Any) -> float | None:
    """Return a number of the claims, whose JSON writes infinities as text."""
    if value is None or value == "":
        return None
    number = float(value)
    return None if math.isnan(number) else number


def format_number(value: Any, decimals: int | None = None) -> str:
    """Write a number: four significant digits, or a given number of decimals.

    Missing numbers are empty; "inf" and "-inf" are read as infinities.

    >>> format_number(12345.678), format_number(0.012345), format_number(-1e-12)
    ('12,346', '0.01235', '0')
    """
    number = _finite(value)
    if number is None:
        return ""
    if math.isinf(number):
        return "∞" if number > 0 else f"{_MINUS}∞"
    size = abs(number)
    if size < NOTHING:
        number = size = 0.0
    if number and not 1e-4 <= size < 1e7 and decimals is None:
        mantissa, exponent = f"{number:.2e}".split("e")
        power = str(int(exponent)).translate(_SUPERSCRIPTS)
        return f"{mantissa.replace('-', _MINUS)} × 10{power}"
    four = max(0, 3 - math.floor(math.log10(size))) if number else 0
    text = f"{number:,.{four if decimals is None else decimals}f}"
    if not text.strip("-0.,"):
        text = text.removeprefix("-")  # no minus before a rounded zero
    if decimals is None and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", _MINUS)


def plus_minus(mean: float, half_width: float) -> str:
    """Write a mean and the half width of its interval, which has two significant digits.

    >>> plus_minus(1234.567, 8.91)
    '1234.6 ± 8.9'
    """
    mean = 0.0 if abs(mean) < NOTHING else mean
    if not math.isfinite(half_width):
        return f"{mean:.12g}"
    if half_width < NOTHING:
        return f"{mean:.12g} ± 0"
    digits = max(0, 1 - math.floor(math.log10(half_width)))
    return f"{mean:.{digits}f} ± {half_width:.{digits}f}"


def interval(low: Any, high: Any, decimals: int | None = None) -> str:
    """Write an interval in brackets; an end at infinity is open."""
    least, most = _finite(low), _finite(high)
    if least is None or most is None:
        return ""
    left = "(" if math.isinf(least) else "["
    right = ")" if math.isinf(most) else "]"
    return f"{left}{format_number(low, decimals)}, {format_number(high, decimals)}{right}"


def percent(share: Any) -> str:
    """Write a share in percent, with two significant digits.

    >>> percent(0.98765), percent(0.0000617), percent(1.0), percent(math.inf)
    ('99 %', '0.0062 %', '100 %', '∞ %')
    """
    number = _finite(share)
    if number is None:
        return ""
    size = abs(100 * number)
    some = 100 * NOTHING <= size < math.inf
    decimals = max(0, 1 - math.floor(math.log10(size))) if some else 0
    return f"{format_number(100 * number, min(decimals, 6))} %"


def estimate(value: Any, low: Any, high: Any) -> str:
    """Write an estimate with its 95 % interval, left out if it has no width; or that alone."""
    least, most = _finite(low), _finite(high)
    known = _finite(value) is not None
    if least is None or most is None or (known and most - least < NOTHING):
        return format_number(value)
    decimals, half = None, (most - least) / 2
    if 0 < half < math.inf and max(abs(least), abs(most)) < 1e7:
        enough = max(0, 1 - math.floor(math.log10(half)))
        decimals = enough if enough <= 5 else None
    return f"{format_number(value, decimals)} {interval(low, high, decimals)}".strip()
