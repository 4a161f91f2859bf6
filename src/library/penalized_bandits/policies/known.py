"""What a policy knows in a round: of one arm, or of all arms."""

import math
import re
from typing import NamedTuple

from penalized_bandits.common.typing import FloatArray


class Arm(NamedTuple):
    """Statistics of arm k that a policy knows in round n.

    >>> from penalized_bandits import Policy
    >>> Policy("mine", index=lambda arm: arm.mean + arm.bonus).label
    'mine'
    """

    n: float
    """The round to be played, from 1."""
    mean: float
    """Mean of the rewards seen, m_k(n-1); +inf before the first pull."""
    radius: float
    """Exploration radius sqrt(2 log n / N_k(n-1)), as eq. (11) has it; before the first pull it is
    without bound for n > 1, 0 in round 1."""
    pulls: float
    """N_k(n-1), the number of pulls in rounds 1 to n-1, which fairness counts; for a live player
    whose fractions changed what the new ones count, negative for some."""
    observed: float
    """Pulls whose reward is known, which estimates count: N_k(n-1), unless rewards come late."""
    below: bool
    """N_k(n-1) < tau_k n: the arm is below its fairness level."""
    fairness: float
    """Fairness fraction tau_k."""
    penalty: float
    """Penalty rate A_k."""
    queue: float
    """The arm's virtual queue Q_k(n-1), for policies that have queues; 0 at the start, or tau_k
    (``Policy.first_pulls``)."""
    tuning: float
    """The policy's tuning parameter."""
    noise: float = 0.0
    """A number of this replicate, arm and round, for policies that draw: N(0, c / 2), c the
    policy's ``exploration``, so standard normal by default; or U[0, 1), as ``Policy.draws`` says.
    It depends on nothing else, and rewards do not depend on it."""
    variance: float = math.nan
    """Variance of the rewards seen, divided by their number: 0 after the first, +inf before.  It is
    kept for policies whose functions name it; for others it is not a number."""
    bonus: float = 0.0
    """Value of the pull beside its reward: A_k below the fairness level, -B_k from the ceiling on
    (N_k(n-1) >= c_k n), else 0; -inf at a hard cap."""


class Round(NamedTuple):
    """Statistics of all arms in round n, for a policy with ``choose``; arrays are (K,).

    >>> from penalized_bandits import Policy
    >>> Policy("mine", choose=lambda now: int((now.means + now.log / now.pulls).argmax())).label
    'mine'
    """

    n: int
    """The round to be played, from 1."""
    pulls: FloatArray
    """N_k(n-1), which fairness counts."""
    observed: FloatArray
    """Pulls whose reward is known, which estimates count."""
    means: FloatArray
    """m_k(n-1), mean of the rewards seen; +inf before the first pull."""
    fairness: FloatArray
    """Fairness fractions tau_k."""
    penalties: FloatArray
    """Penalty rates A_k."""
    tuning: float
    """The policy's tuning parameter."""
    exploration: float
    """The constant c of the policy's ``exploration``."""
    log: float
    """log n, or log(n - 1) under the other interpretation R1."""
    noise: FloatArray
    """The number of each arm (``Arm.noise``), for policies that draw; else zeros."""
    memory: FloatArray
    """Numbers that the policy keeps, shape (``Policy.memory``, K): zeros at first."""
    variances: FloatArray
    """Variances of the rewards seen (``Arm.variance``), for policies that name them."""
    bonuses: FloatArray
    """Values of the pulls beside their rewards (``Arm.bonus``), for policies that name them."""
    delays: FloatArray
    """Rounds by which the reward that is new in this round comes later than in the round after its
    choice, for policies with a memory: 0 for arms without one."""


def wrong_field(error: Exception) -> str | None:
    """Return the message for an unknown field of an Arm or a Round; None for another error."""
    for kind in (Arm, Round):
        if isinstance(error, AttributeError) and isinstance(error.obj, kind):
            name = error.name
        else:  # numba's own error
            match = re.search(rf"Unknown attribute '(\w+)' of type {kind.__name__}\(", str(error))
            name = match and match[1]
        if name is not None:
            fields = ", ".join(kind._fields)
            return f"{kind.__name__} has no field {name!r}: its fields are {fields}"
    return None
