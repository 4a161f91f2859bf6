"""Tables of the script's logarithm and exponential (``engine/elementary.js``)."""

from collections.abc import Iterable
from decimal import Decimal, localcontext

PARTS = 64
"""Logarithms are known at i / 64, powers of 2 at j / 64."""


def _split(values: Iterable[Decimal], name: str) -> dict[str, list[float]]:
    """Return numbers as sums of two floats."""
    pairs = [(float(v), float(v - Decimal(float(v)))) for v in values]
    return {f"{name}_HIGH": [a for a, _ in pairs], f"{name}_LOW": [b for _, b in pairs]}


def _with_exact_multiples(value: Decimal) -> list[float]:
    """Return a number below 1 as two floats, the first of few bits, whose multiples are exact."""
    high = Decimal(int(value * 2**36)) / 2**36
    return [float(high), float(value - high)]


def elementary_tables() -> dict[str, list[float]]:
    """Return log 2, log(2) / 64, the logarithms of i / 64 and the powers 2^(j / 64).

    Decimal arithmetic is correctly rounded, so that they are the same on every machine.
    """
    with localcontext() as context:
        context.prec = 60
        log_2 = Decimal(2).ln()
        places = [Decimal(i) / PARTS for i in range(1, 2 * PARTS)]
        return {
            "LN2": _with_exact_multiples(log_2),
            "STEP": _with_exact_multiples(log_2 / PARTS),
            **_split([Decimal(0), *(place.ln() for place in places)], "LOG"),
            **_split([(log_2 * j / PARTS).exp() for j in range(PARTS)], "ROOT"),
        }
