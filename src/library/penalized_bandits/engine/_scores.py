"""Urgency and index of each arm in a round: ``_specialise.py`` compiles them with ``pick``."""

import math
from typing import Any, TypeAlias

import numpy as np

from penalized_bandits.bandit.checks import ROUNDED_DOWN
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.base import Arm, no_urgency

PULLS, LEVEL, SINCE, QUIET, OBSERVED, SUM, MEAN, ROOT, VARIANCE, CREDIT, FAIRNESS, RATE = range(12)
CEILING, EXCESS, CAPPED = range(12, 15)
"""Rows of a play's statistics, (.., K): N_k; the queue after the arm's last pull and when that was;
pulls since its last reward; the rewards shown, the sum, mean, 1 / sqrt(n) and variance of these;
of its floor the credit beside its pulls, tau_k and A_k; of its ceiling c_k, B_k and the rounds that
do not count for it."""
PULLED, LEARNED = slice(PULLS, OBSERVED), slice(QUIET, CREDIT)
"""Rows that a pull changes, and those that a reward does."""
N_ROWS = 15

index_of = urgency_of = no_urgency  # placeholders, as the flag: bound when the loop is compiled
HAS_URGENCY = False

Now: TypeAlias = tuple[float, float, float, float, float]
"""The round n, the scale of the radius, the rounds that queues count, 0 where there are none (or
1), and the tuning."""


def arm_of(rows: Any, k: int, noise: float, now: Now) -> Arm:
    """Return arm k as the policy sees it; ``rows`` are an array or lists."""
    n, scale, passed, queues, tuning = now
    counted, fairness = rows[PULLS][k] + rows[CREDIT][k], rows[FAIRNESS][k]
    cap = rows[CEILING][k] * ROUNDED_DOWN * (n - rows[CAPPED][k])
    below, over = counted < fairness * n, rows[PULLS][k] >= cap
    return Arm(
        n,
        rows[MEAN][k],
        # sqrt(2 log n / N), in the two factors that the engine has: the last bit decides ties
        # such as 0.1 + 0.2 against 0.3.
        scale * rows[ROOT][k],
        counted,
        rows[OBSERVED][k],
        below,
        fairness,
        rows[RATE][k],
        queues * (rows[LEVEL][k] + fairness * (passed - rows[SINCE][k])),
        tuning,
        noise,
        rows[VARIANCE][k],
        bonus_of(below, rows[RATE][k], over, rows[EXCESS][k]),
    )


def bonus_of(below: bool, penalty: float, over: bool, excess: float) -> float:
    """Return A_k below the fairness level, -B_k from the ceiling on, and 0 between."""
    return -excess if over else (penalty if below else 0.0)


def pick(
    rows: FloatArray, noise: FloatArray, now: Now, urgencies: FloatArray, indices: FloatArray
) -> int:
    """Write urgency and index of each arm; return the one to pull, or -1 if a score is nan."""
    for k in range(len(indices)):
        arm = arm_of(rows, k, noise[k], now)
        indices[k] = index_of(arm)
        if HAS_URGENCY:
            urgencies[k] = urgency_of(arm)
    if HAS_URGENCY:
        best = largest(urgencies)
        if best < 0 or urgencies[best] > -math.inf:
            return best
    return largest(indices)


def largest(scores: FloatArray) -> int:
    """Return the place of the largest number, the first of several; -1 if one is nan."""
    best = int(np.argmax(scores))  # a nan is the largest
    return -1 if math.isnan(scores[best]) else best
