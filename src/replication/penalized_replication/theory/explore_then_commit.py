"""Explore-then-commit on two arms without penalties: its regret, and its best lengths.

Each arm is pulled m times, then the one with the larger mean for good.  With normal rewards of
standard deviation 1/2 (the largest that rewards in [0, 1] have) the difference of the means has
variance 1/(2 m), so that the wrong arm is chosen with probability Phi(-Delta sqrt(2 m)) and

    R(T) = m Delta + (T - 2 m) Delta Phi(-Delta sqrt(2 m)).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from penalized_bandits.common.typing import FloatArray

LENGTHS = 600
"""Lengths m that are tried, evenly in logarithms from 1 to T/2."""
GAPS = 400
"""Gaps that are tried, evenly in logarithms up to 1."""


def commit_regret(gap: ArrayLike, length: ArrayLike, horizon: float) -> FloatArray:
    """Return R(T) for gaps Delta and lengths m, which broadcast, in units of reward."""
    delta, m = np.asarray(gap), np.asarray(length)
    wrong = ndtr(-delta * np.sqrt(2 * m))
    return np.asarray(m * delta + (horizon - 2 * m) * delta * wrong)


def lengths_of(horizon: float) -> FloatArray:
    """Return the lengths m that are tried at a horizon, pulls, shape (LENGTHS,)."""
    return np.geomspace(1, horizon / 2, LENGTHS)


def gaps_of(horizon: float) -> FloatArray:
    """Return the gaps Delta among which the worst is looked for, shape (GAPS,)."""
    return np.geomspace(0.01 / np.sqrt(horizon), 1, GAPS)


def best_length(gap: float, horizon: float) -> float:
    """Return the length m with the least regret at a gap Delta and a horizon T, pulls."""
    lengths = lengths_of(horizon)
    return float(lengths[np.argmin(commit_regret(gap, lengths, horizon))])


def least_worst_regret(horizon: float) -> tuple[float, float]:
    """Return the least over m of the largest regret over gaps in (0, 1], and that m."""
    lengths = lengths_of(horizon)
    worst = commit_regret(gaps_of(horizon)[:, None], lengths, horizon).max(axis=0)
    best = int(np.argmin(worst))
    return float(worst[best]), float(lengths[best])
