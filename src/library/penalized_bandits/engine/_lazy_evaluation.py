"""Lazy evaluation of indices that need an equation solved: one replicate, few indices a round.

Bounds are those of ``_leader.py``; the arm of the last pull has none yet.  A round takes the arm
with the largest bound.  It is pulled if its index exceeds the bounds of all others, which
``Hints.index_exceeds`` tests without a solve.  If not, its bound or its index is computed, and the
largest is taken again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine import _state as row
from penalized_bandits.engine._state import Rules, arm_at, is_over, pull, radius_scale, raised
from penalized_bandits.policies.base import Arm, no_urgency

index_of: Callable[[Arm], float] = no_urgency
index_exceeds: Any = None
"""Placeholders, as the flag: :mod:`penalized_bandits.engine._specialise` binds them."""
READS_VARIANCE = HAS_CEILINGS = False

WINDOW = 64  # a bound holds for about one part in this many of the rounds so far, ...
WINDOW_LONG = 4  # ... up to one in this many for an arm that has not been looked at for long, ...
WINDOW_AGAIN = 1024  # ... and one in this many where the bound was not close enough


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
    bounds, indices = np.zeros(n_arms), np.zeros(n_arms)
    # The first round for which a bound need not hold, and the round whose index is known.
    expiry, known = np.zeros(n_arms, np.int64), np.zeros(n_arms, np.int64)
    windows = np.full(n_arms, WINDOW)
    # The arm of the last pull, as long as it has no bound.
    pulled = -1
    for n in range(first_round, last_round + 1):
        choice, looked_at = (n - 1) % n_arms, -1
        while n > rules.scheduled:
            # Where all are -inf, the first.
            best, second, choice = -np.inf, -np.inf, 0
            for k in range(n_arms):
                if k == pulled:
                    value = np.inf
                else:
                    if expiry[k] <= n:
                        until = n + 8 + n // windows[k]
                        windows[k] = max(windows[k] // 2, WINDOW_LONG)
                        later = radius_scale(rules, until)
                        bound = index_of(arm_at(until, later, n, k, rules, HAS_CEILINGS, arms))
                        if bound != bound:
                            return
                        bounds[k] = raised(bound)
                        expiry[k] = until + 1
                        over = is_over(k, n, HAS_CEILINGS, arms)
                        if over or arms[row.PULLS, k] >= arms[row.FAIRNESS, k] * n:
                            jump = arms[row.RISE if over else row.FALL, k]
                            expiry[k] = max(n + 1, np.int64(min(jump, np.float64(until))))
                    value = indices[k] if known[k] == n else bounds[k]
                if value > best:
                    best, second, choice = value, best, k
                elif value > second:
                    second = value
            if looked_at >= 0 and looked_at != choice:
                # Its bound was not close enough.
                windows[looked_at], expiry[looked_at] = WINDOW_AGAIN, 0
            if choice != pulled and known[choice] == n:
                break
            now = arm_at(n, radius_scale(rules, n), n, choice, rules, HAS_CEILINGS, arms)
            if index_exceeds(now, raised(second)):
                break
            if choice == pulled:
                pulled = -1
            else:
                indices[choice] = index_of(now)
                if indices[choice] != indices[choice]:
                    return
                known[choice] = n
                looked_at = choice

        pull(choice, n, key, code, READS_VARIANCE, True, HAS_CEILINGS, arms)
        windows[choice], expiry[choice] = WINDOW, 0
        pulled = choice
