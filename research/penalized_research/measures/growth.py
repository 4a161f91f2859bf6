"""How regret grows with T, beside bounds."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import NORMAL, mean_estimate
from penalized_replication.claims import parts
from penalized_replication.claims.base import Evidence, grouped
from penalized_replication.claims.horizon_series import regret_of
from penalized_replication.common.errors import NotMeasuredError
from penalized_replication.storage.replicates import Outcome


def nearest_to_bound(
    evidence: Evidence,
    runs: Sequence[Outcome],
    key: Callable[[Outcome], Any],
    ratio: Callable[[Outcome], FloatArray],
) -> Iterator[parts.Part]:
    """Yield a part for each group of runs by a key: the mean of regret over its bound, below 1.

    ``ratio`` returns that of each replicate, shape (R,).  Intervals hold for all runs at once
    (Bonferroni).
    """
    for group in grouped(runs, key).values():
        found = []
        for one in group:
            mean = mean_estimate(ratio(one), 1 - evidence.level / len(runs))
            found.append(parts.below(mean.interval, 1.0, **parts.about(one)))
        yield max(found, key=lambda part: (parts.against(part), part.high))


def growth_exponent(
    runs: Sequence[Outcome],
    limit: float,
    fields: parts.Fields,
    decide: Callable[..., parts.Part] = parts.below,
) -> parts.Part:
    """Return the part on the exponent of regret in T, which is to lie below a limit, or above.

    The exponent is that between the first horizon and the last; its interval by the delta
    method, the replicates at the two taken as independent (which widens it where they share
    random numbers).
    """
    if len(runs) < 2:
        raise NotMeasuredError("growth takes two horizons, not one")
    first, last = runs[0], runs[-1]
    before, after = regret_of(first), regret_of(last)
    factors = float(np.log(last.horizon / first.horizon))
    if min(before.mean(), after.mean()) <= 0:
        return parts.unknown("regret is not positive", **fields)
    exponent = float(np.log(after.mean() / before.mean())) / factors
    half = np.inf
    if min(before.size, after.size) > 1:
        errors = [v.std(ddof=1) / np.sqrt(v.size) / v.mean() for v in (before, after)]
        half = NORMAL * float(np.hypot(*errors)) / factors
    return decide((exponent, exponent - half, exponent + half), limit, **fields)
