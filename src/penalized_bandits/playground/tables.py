"""Tables of the script's logarithm (``engine/elementary.js``)."""

from decimal import Decimal, localcontext

PARTS = 64
"""Logarithms are known at i / 64."""


def logarithms() -> dict[str, list[float]]:
    """Return log 2 and log(i / 64), i below 128, as sums of two floats; 0 for i = 0.

    The first part of log 2 has so few bits that its multiples are exact.  Decimal arithmetic is
    correctly rounded, so that all is the same on every machine.
    """
    with localcontext() as context:
        context.prec = 60
        log_2 = Decimal(2).ln()
        high = Decimal(int(log_2 * 2**36)) / 2**36
        logs = [Decimal(0), *((Decimal(i) / PARTS).ln() for i in range(1, 2 * PARTS))]
        return {
            "LN2": [float(high), float(log_2 - high)],
            "LOG_HIGH": [float(log) for log in logs],
            "LOG_LOW": [float(log - Decimal(float(log))) for log in logs],
        }
