"""The loop that follows a leader: one replicate, indices that cost little.

An index grows until the arm is pulled (``Hints.index_is_nondecreasing``), so that of a later round
bounds it until then; as it jumps where the arm falls below its ceiling or its fairness level,
bounds end before.
While the index of the leader, the arm of the last pull, exceeds all bounds, it alone is looked at;
else the indices of all arms decide, in vector code.  Bounds that spared looks at all arms are
followed by some that hold twice as long, others by some that hold half as long.
"""

from collections.abc import Callable

import numpy as np
from numba import njit

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine import _state as row
from penalized_bandits.engine._state import Rules, arm_at, is_over, pull, radius_scale, raised
from penalized_bandits.policies.base import Arm, no_urgency

index_of: Callable[[Arm], float] = no_urgency
"""A placeholder, as the flag: :mod:`penalized_bandits.engine._specialise` binds it."""
READS_VARIANCE = HAS_CEILINGS = False

WINDOW_MOST = 64  # bounds hold for at most one part in this many of the rounds so far
SIGNLESS = np.int64(0x7FFFFFFFFFFFFFFF)
LOWEST = np.int64(-0x8000000000000000)
NEVER = np.float64(-np.inf).view(np.int64) ^ SIGNLESS  # the order of -inf


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
def first_of(orders: IntArray, order: np.int64) -> int:
    """Return the first place of an order."""
    at = len(orders)
    for j in range(len(orders)):
        at = min(at, j if orders[j] == order else len(orders))
    return at


def play(
    first_round: int,
    last_round: int,
    rules: Rules,
    code: RewardCode,
    key: np.uint64,
    arms: FloatArray,
) -> None:
    """Play rounds of one replicate, updating ``arms`` (15, K), until an index is not a number."""
    n_arms = arms.shape[1]
    orders = np.zeros(n_arms, np.int64)
    # The largest bound holds up to round ``until``; all arms were last looked at in ``looked_at``.
    leader, rivals, until, looked_at, window = 0, 0.0, 0, 0, 0
    for n in range(first_round, last_round + 1):
        choice, scale = leader, radius_scale(rules, n)
        if n <= rules.scheduled:
            choice = (n - 1) % n_arms
        elif (
            n > until
            or not index_of(arm_at(n, scale, n, leader, rules, HAS_CEILINGS, arms)) > rivals
        ):
            top, odd = LOWEST, 0
            for k in range(n_arms):
                index = index_of(arm_at(n, scale, n, k, rules, HAS_CEILINGS, arms))
                odd |= 1 if index != index else 0
                order = order_of(index)
                orders[k] = order
                top = max(top, order)
            if odd != 0:
                return
            choice = first_of(orders, top)
            spared = n > looked_at + 1 or (choice == leader and n > until)
            window = min(2 * window + 1, 8 + n // WINDOW_MOST) if spared else window // 2
            looked_at, until = n, n + window
            if window > 0:
                later, top = radius_scale(rules, until), NEVER
                beyond = np.float64(until + 1)
                soonest = order_of(beyond)
                for k in range(n_arms):
                    index = index_of(arm_at(until, later, n, k, rules, HAS_CEILINGS, arms))
                    # One that is not a number has all arms looked at in the next round.
                    order = order_of(index if index == index else np.inf)
                    top = max(top, NEVER if k == choice else order)
                    below = arms[row.PULLS, k] < arms[row.FAIRNESS, k] * n
                    jump = beyond if below else arms[row.FALL, k]
                    jump = arms[row.RISE, k] if is_over(k, n, HAS_CEILINGS, arms) else jump
                    soonest = min(soonest, order_of(jump))
                rivals = raised(score_at(top))
                until = min(until, np.int64(score_at(soonest)) - 1)

        pull(choice, n, key, code, READS_VARIANCE, True, HAS_CEILINGS, arms)
        leader = choice
