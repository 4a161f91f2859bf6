"""The least worst-case regret of any policy on the two instances of Theorem 4.8, for two arms."""

import math
from functools import cache

import numpy as np

from penalized_bandits.common.typing import FloatArray

WIDEST = 16.0
"""Log-odds beyond which a policy is sure."""
POINTS = 3201


@cache
def least_regret(gap: float, fairness: float, decisions: int = 100) -> float:
    """Least regret in the worse of two instances that a policy knows, divided by sqrt(T).

    Arm 1 has mean d = gap/sqrt(T) and arm 2 has 0 in the one instance, 2 d in the other;
    rewards are Gaussian of variance 1, and A_k > d.

    Parameters
    ----------
    gap
        d sqrt(T), above 0.
    fairness
        tau of either arm, from 0 to below 1/2.
    decisions
        How often the policy may change the arm.  For gaps up to 1, a hundred come within
        half a percent of what more would attain.

    Notes
    -----
    Arm 1 has one law in both instances, so that arm 2 alone distinguishes them: the best policy
    pulls arm 2 up to some time and arm 1 from then on.  With the time in units of T, the
    first tau of arm 2 costs nothing, as its level requires it; each further unit costs
    gap sqrt(T) in the first instance, and each missing one as much in the second.  The log-odds
    of the second instance move by +-2 gap^2 a unit with variance 4 gap^2.  The Bayes risk by
    backward induction, at the prior that makes it largest, is the minimax risk.
    """
    odds = np.linspace(-WIDEST, WIDEST, POINTS)
    second = 1 / (1 + np.exp(-odds))
    step = (1 - 2 * fairness) / decisions
    risk = np.zeros(POINTS)
    for left in range(1, decisions + 1):
        explored = (1 - second) * gap * step + _expected(risk, odds, gap, step)
        risk = np.minimum(second * gap * step * left, explored)
    return float(_expected(risk, odds, gap, fairness).max())


def _expected(risk: FloatArray, odds: FloatArray, gap: float, time: float) -> FloatArray:
    """Return what the risk is expected to be after arm 2 was pulled for some time, by odds.

    The log-odds move to y from x with density exp(-v/8) cosh(y/2)/cosh(x/2) times that of the
    normal law of mean x and variance v: the mixture of both instances.
    """
    from scipy.ndimage import gaussian_filter1d

    if time == 0:
        return risk
    variance = 4 * gap**2 * time
    width = math.sqrt(variance) / (odds[1] - odds[0])
    tilt = np.cosh(odds / 2)
    smooth = gaussian_filter1d(tilt * risk, width, mode="constant", truncate=8.0)
    return math.exp(-variance / 8) * smooth / tilt
