"""Tables of the script's logarithm (``engine/elementary.js``)."""

from decimal import Decimal, localcontext

PARTS = 128
"""Logarithms are known at i / 128, from sqrt(1/2) to sqrt(2)."""
FIRST, LAST = 91, 181


def logarithms() -> dict[str, list[float]]:
    """Return log 2 and log(i / 128) as sums of two floats, and 128 / i; 0 for smaller i.

    The first part of log 2 has so few bits that its multiples are exact.  Decimal arithmetic is
    correctly rounded, so that all is the same on every machine.
    """
    with localcontext() as context:
        context.prec = 60
        log_2 = Decimal(2).ln()
        high = Decimal(int(log_2 * 2**36)) / 2**36
        logs = [(Decimal(i) / PARTS).ln() for i in range(FIRST, LAST + 1)]
        none = [0.0] * FIRST
        return {
            "LN2": [float(high), float(log_2 - high)],
            "LOG_HIGH": [*none, *(float(log) for log in logs)],
            "LOG_LOW": [*none, *(float(log - Decimal(float(log))) for log in logs)],
            "INVERSES": [*none, *(PARTS / i for i in range(FIRST, LAST + 1))],
        }
