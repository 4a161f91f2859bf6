"""What the compiled loops have in common: a policy's numbers and the rows of its state."""

import math
from typing import NamedTuple

from numba import njit

FAIRNESS, PENALTY, MEAN, ROOT, PULLS, FALL, LEVEL, SINCE, EXPECTED, TOTAL, WORST = range(11)
"""Rows of the state of one replicate: what is known of each arm, ..."""
GAIN, NOISE = 11, 12
"""... what its queue gains a round, and the policy's own number in this one."""
N_ARM_ROWS = 13


class Rules(NamedTuple):
    """The numbers of a policy that are the same for all arms and replicates."""

    scheduled: int
    """Rounds at the start that pull the arms in turn."""
    exploration: float
    """The constant c in the radius sqrt(c log n / N)."""
    log_shift: int
    """0 for log n in round n, 1 for log(n - 1) (reading R1)."""
    tuning: float


@njit(forceinline=True, error_model="numpy")
def radius_scale(rules: Rules, n: int) -> float:
    """Return sqrt(c log n), which over sqrt(N_k) is the exploration radius."""
    return math.sqrt(rules.exploration * math.log(max(n - rules.log_shift, 1)))
