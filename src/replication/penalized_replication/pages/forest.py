"""A forest plot of a claim's comparisons: a strip for each, all with their limit in one line.

Comparisons have limits and units of their own, so that what ``templates/macros.html.j2`` draws is
the margin: how far the estimate lies on the claim's side of its limit, as a share of that limit or
of the reference scale.  The scale is symmetric, linear near the limit, logarithmic beyond 10 %.
"""

import math

from penalized_bandits.common.numbers import percent
from penalized_replication.claims.comparisons import Comparison

LINEAR, WIDEST = 0.1, 3.0  # margins at the end of the linear part, and of the scale


def _unit(one: Comparison, edge: float) -> float:
    """Return what a distance to a limit is a share of: if that is 0, of the largest number."""
    if one.reference_scale > 0 or one.trials:
        return one.reference_scale if one.reference_scale > 0 else 1.0
    known = (abs(x) for x in (one.estimate, one.low, one.high) if math.isfinite(x))
    return abs(edge) or max(known, default=0.0) or 1.0


def margin(one: Comparison) -> tuple[float, float, float]:
    """Return how far estimate and interval lie on the claim's side; NaN where there is no limit.

    Positive on the claim's side.  Of two limits the nearer one counts, so that the margin of
    an interval is least at one of its ends and may be largest within.
    """
    limits = [(x, sign) for x, sign in ((one.most, -1), (one.least, 1)) if math.isfinite(x)]
    if not limits:
        return math.nan, math.nan, math.nan
    value, *ends = (
        min(sign * (x - edge) / _unit(one, edge) for edge, sign in limits)
        for x in (one.estimate, one.low, one.high)
    )
    return value, min(ends), max(ends if math.isnan(value) else [*ends, value])


def margin_text(one: Comparison) -> str:
    """Write the margin in percent, where it is a share of something."""
    of_something = 0.0 not in (one.least, one.most) or one.reference_scale > 0 or one.trials
    return percent(margin(one)[0]) if of_something else ""


def place(share: float) -> float:
    """Return where a margin stands in a strip, in percent of its width."""
    size = math.log1p(abs(share) / LINEAR) / math.log1p(WIDEST / LINEAR)
    return 50 + math.copysign(45 * min(size, 1.0), share)
