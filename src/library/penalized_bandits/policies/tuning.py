"""A policy's own parameter, and its values in the paper's settings."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext


def spaced_in_logarithms(first: float, last: float, points: int) -> list[float]:
    """Return numbers from ``first`` to ``last``, at least two, evenly spaced in logarithms.

    Powers of floats, numpy's above all, differ in the last place between processors; these
    values stand in the tables.  So they are rounded once.
    """
    with localcontext() as context:
        context.prec = 40
        start, ratio = Decimal(str(first)), Decimal(last) / Decimal(str(first))
        return [float(start * ratio ** (Decimal(i) / (points - 1))) for i in range(points)]


@dataclass(frozen=True)
class Tuning:
    """A policy's own parameter, and the values it takes in the paper's experiments.

    Where a rule is None the policy cannot take part in those settings.

    >>> Tuning("alpha", regret=lambda arms, horizon: horizon**0.5 / arms).regret(5, 10_000)
    20.0
    """

    symbol: str
    """Name in messages and figures."""
    regret: Callable[[int, int], float] | None = None
    """Setting 1: the value for (number of arms K, horizon T)."""
    path: Callable[[float, float, int], float] | None = None
    """Setting 2: the value for (scale eta in [0, 1], fairness level tau_1 T, T)."""
    tradeoff: Callable[[int, float, int], list[float]] | None = None
    """Settings 3 and 5: a grid for (number of values, fairness level tau_k T, T)."""
