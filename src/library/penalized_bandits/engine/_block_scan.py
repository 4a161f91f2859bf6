"""The scan of one block of arms: its winner now, and bounds that hold for a while.

See ``_arm_blocks.py`` for their use.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit

from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine import _state as row
from penalized_bandits.policies.base import Arm, no_urgency

score_of: Callable[[Arm], float] = no_urgency
HAS_URGENCY = False
HAS_QUEUE = False
COMMITS = False
DRAWS = False
CROSSES_ONCE = False

SCORE, BOUND, TOP_MEAN, TOP_ROOT, TOP_PULLS, TOP_FAIRNESS, TOP_PENALTY = range(7)
"""Rows of what is known of each block: numbers, ..."""
WINNER, LEADS, EXPIRY, SCANNED = range(4)
"""... and whole numbers: winner, whether it leads throughout, until when, last scan."""
NOW, LATER = range(2)
"""Rows of the scratch space of a scan: the order of each score now, and at its end."""

SIGNLESS = np.int64(0x7FFFFFFFFFFFFFFF)
LOWEST = np.int64(-0x8000000000000000)
NEVER = np.float64(-np.inf).view(np.int64) ^ SIGNLESS
"""The order of -inf, the urgency of an arm that is not urgent."""
MARGIN = 1e-9
"""Relative margin of bounds and leads: far more than rounding can make of them."""


@njit(forceinline=True, error_model="numpy")
def order_of(score: float) -> np.int64:
    """Turn a score into a whole number that orders as scores do: its maximum is vector code.

    The bits of negative numbers run the wrong way.  Adding 0.0 makes -0.0 into 0.0.
    """
    bits = np.float64(score + 0.0).view(np.int64)
    return bits ^ ((bits >> 63) & SIGNLESS)


@njit(forceinline=True, error_model="numpy")
def score_at(order: np.int64) -> float:
    """Return the score that has this order."""
    return np.int64(order ^ ((order >> 63) & SIGNLESS)).view(np.float64)


@njit(forceinline=True, error_model="numpy")
def first_of(orders: IntArray, row: int, size: int, order: np.int64) -> int:
    """Return the first place of an order among ``size`` in a row."""
    at = size
    for j in range(size):
        at = min(at, j if orders[row, j] == order else size)
    return at


@njit(forceinline=True, error_model="numpy")
def first_largest(values: IntArray, size: int) -> int:
    """Return the first place of the largest of ``size`` orders."""
    top = LOWEST
    for j in range(size):
        top = max(top, values[0, j])
    return first_of(values, 0, size, top)


class Span(NamedTuple):
    """The rounds of a scan."""

    n: int
    """The round to be played, ..."""
    until: int
    """... a later one, ..."""
    scale: float
    """... and sqrt(c log n) in the first ..."""
    scale_until: float
    """... and in the other."""


def scan(
    block: int,
    n_here: int,
    span: Span,
    tuning: float,
    arms: FloatArray,
    orders: IntArray,
    numbers: FloatArray,
    whole: IntArray,
) -> bool:
    """Find a block's winner in round ``span.n``, and what holds of it up to ``span.until``.

    Writes SCORE and WINNER, the largest score and its lowest arm, BOUND, which no score
    exceeds, and LEADS, whether that arm wins throughout; and lowers EXPIRY, the first
    round for which that need not hold.  ``arms`` is (13, B, size), ``numbers`` (7, B) and
    ``whole`` (4, B); ``orders`` (2, size) is overwritten.  Returns whether a score, now or at
    the end, is not a number: all else then means nothing.
    """
    n, until, scale, scale_until = span
    t, t_later = float(n), float(until)
    top = top_later = LOWEST
    odd = 0
    beyond = np.float64(until + 1)
    soonest = order_of(beyond)
    for j in range(n_here):
        f = arms[row.FAIRNESS, block, j]
        mean, root = arms[row.MEAN, block, j], arms[row.ROOT, block, j]
        pulls, penalty = arms[row.PULLS, block, j], arms[row.PENALTY, block, j]
        below = pulls < f * n
        queue = queue_later = noise = 0.0
        if HAS_QUEUE:
            level, since = arms[row.LEVEL, block, j], arms[row.SINCE, block, j]
            queue = level + f * (n - 1 - since)
            queue_later = level + f * (until - 1 - since)
        if DRAWS:
            noise = arms[row.NOISE, block, j]
        # Fields in the order of ``Arm``.
        radius, final = scale * root, scale_until * root
        arm = Arm(t, mean, radius, pulls, pulls, below, f, penalty, queue, tuning, noise)
        end = Arm(t_later, mean, final, pulls, pulls, below, f, penalty, queue_later, tuning, noise)
        score, score_later = score_of(arm), score_of(end)
        odd |= (1 if score != score else 0) | (1 if score_later != score_later else 0)
        now, later = order_of(score), order_of(score_later)
        orders[NOW, j] = now
        orders[LATER, j] = later
        top = max(top, now)
        top_later = max(top_later, later)
        soonest = min(soonest, order_of(beyond if below else arms[row.FALL, block, j]))
    if odd != 0:
        return True
    at = first_of(orders, NOW, n_here, top)
    best = score_at(top)
    numbers[SCORE, block] = best
    whole[WINNER, block] = at
    if until == n:
        return False
    jump = np.int64(score_at(soonest))
    if HAS_URGENCY:
        top_later = LOWEST
        for j in range(n_here):
            if orders[LATER, j] > NEVER and orders[NOW, j] == NEVER:
                # Urgent by then, not yet: find the first round in which it is.
                f = arms[row.FAIRNESS, block, j]
                mean, pulls = arms[row.MEAN, block, j], arms[row.PULLS, block, j]
                radius, rate = scale * arms[row.ROOT, block, j], arms[row.PENALTY, block, j]
                lo, hi = n, until
                while hi - lo > 1:
                    middle = (lo + hi) // 2
                    queue = 0.0
                    if HAS_QUEUE:
                        since = arms[row.SINCE, block, j]
                        queue = arms[row.LEVEL, block, j] + f * (middle - 1 - since)
                    low = pulls < f * middle
                    t = float(middle)
                    then = Arm(t, mean, radius, pulls, pulls, low, f, rate, queue, tuning, 0.0)
                    if score_of(then) > -np.inf:
                        hi = middle
                    else:
                        lo = middle
                jump = min(jump, hi)
                orders[LATER, j] = NEVER
            top_later = max(top_later, orders[LATER, j])
    bound = score_at(top_later)
    margin = MARGIN * (1.0 + abs(bound))
    numbers[BOUND, block] = bound + margin if bound > -np.inf else -np.inf
    if not HAS_QUEUE:
        mean, root = arms[row.MEAN, block, at], arms[row.ROOT, block, at]
        fairness, penalty = arms[row.FAIRNESS, block, at], arms[row.PENALTY, block, at]
        # Rivals are those that could win by the end, though they do not now; where
        # indices cross once, only those that win at one end.
        first = order_of(best - margin)
        last = order_of(score_at(orders[LATER, at]) - margin) if CROSSES_ONCE else first
        rivals = 0
        for j in range(n_here):
            near = (1 if orders[LATER, j] > last else 0) | (1 if orders[NOW, j] > first else 0)
            rivals += near & (1 if j != at else 0)
        if rivals > 0:
            # The indices of arms with the same statistics stay the same.
            rivals = 0
            for j in range(n_here):
                twin = (
                    (1 if arms[row.MEAN, block, j] == mean else 0)
                    & (1 if arms[row.ROOT, block, j] == root else 0)
                    & (1 if arms[row.FAIRNESS, block, j] == fairness else 0)
                    & (1 if arms[row.PENALTY, block, j] == penalty else 0)
                )
                near = (1 if orders[LATER, j] > last else 0) | (1 if orders[NOW, j] > first else 0)
                rivals += near & (1 - twin)
            # After a commitment nothing moves: ties stay what they are.
            if COMMITS and top == top_later and first_of(orders, LATER, n_here, top) == at:
                rivals = 0
        whole[LEADS, block] = 1 if rivals == 0 else 0
        numbers[TOP_MEAN, block] = mean
        numbers[TOP_ROOT, block] = root
        numbers[TOP_PULLS, block] = arms[row.PULLS, block, at]
        numbers[TOP_FAIRNESS, block] = fairness
        numbers[TOP_PENALTY, block] = penalty
    whole[EXPIRY, block] = min(whole[EXPIRY, block], max(n + 1, jump))
    return False
