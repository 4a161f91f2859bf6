"""How regret grows in experiments of few horizons: its elasticity, and what that says."""

import numpy as np

from penalized_bandits.claims.base import Part, below
from penalized_bandits.claims.figure_1 import regret_of
from penalized_bandits.errors import NotMeasuredError
from penalized_bandits.replicates import Outcome


def growth_part(name: str, runs: list[Outcome], limit: float) -> Part:
    """Make a part that says: the exponent of regret in T lies below a limit.

    The exponent is that between the first horizon and the last; its 95 % interval by the delta
    method, the replicates at the two being taken as independent (which widens it where they
    share random numbers).
    """
    if len(runs) < 2:
        raise NotMeasuredError("growth takes two horizons, not one")
    first, last = runs[0], runs[-1]
    before, after = regret_of(first), regret_of(last)
    decades = float(np.log(last.horizon / first.horizon))
    if min(before.mean(), after.mean()) <= 0:
        return Part(name, np.nan, np.nan, np.nan, "undecided", limit, "regret is not positive")
    exponent = float(np.log(after.mean() / before.mean())) / decades
    errors = [v.std(ddof=1) / np.sqrt(v.size) / v.mean() for v in (before, after)]
    half = 1.96 * float(np.hypot(*errors)) / decades
    return below(name, exponent, exponent - half, exponent + half, limit)
