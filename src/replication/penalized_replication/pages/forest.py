"""A forest plot of a claim's comparisons: a strip for each, all with their limit in one line.

Comparisons have limits and units of their own, so that what is drawn is the margin: how far the
estimate lies on the claim's side of its limit, as a share of that limit or of what is at
reference scale.  The scale is symmetric, linear near the limit and logarithmic beyond 10 %.
It is drawn by ``templates/macros.html.j2``.
"""

import math
from collections.abc import Sequence

from penalized_bandits.common.numbers import percent
from penalized_replication.claims.comparisons import Comparison, against

LINEAR = 0.1
WIDEST = 3.0
"""Margin at the end of the scale."""


def worst_first(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return comparisons by how much they speak against their claim, vacuous ones last."""
    return sorted(comparisons, key=against, reverse=True)


def _unit(comparison: Comparison, edge: float) -> float:
    """Return what a distance to a limit is a share of: if that is 0, of the largest number."""
    if comparison.reference_scale > 0:
        return comparison.reference_scale
    if comparison.trials:
        return 1.0
    known = (
        abs(x) for x in (comparison.estimate, comparison.low, comparison.high) if math.isfinite(x)
    )
    return abs(edge) or max(known, default=0.0) or 1.0


def _sides(comparison: Comparison, value: float) -> list[float]:
    """Return how far a value lies within each limit, as a share."""
    sides = (
        (comparison.most, comparison.most - value),
        (comparison.least, value - comparison.least),
    )
    return [beyond / _unit(comparison, edge) for edge, beyond in sides if math.isfinite(edge)]


def margin(comparison: Comparison) -> tuple[float, float, float]:
    """Return how far estimate and interval lie on the claim's side; NaN where there is no limit.

    Positive on the claim's side.  Of two limits the nearer one counts, so that the margin of
    an interval is least at one of its ends and may be largest within.
    """
    if math.isinf(comparison.least) and math.isinf(comparison.most):
        return math.nan, math.nan, math.nan
    value, *ends = (
        min(_sides(comparison, x)) for x in (comparison.estimate, comparison.low, comparison.high)
    )
    inner = ends if math.isnan(value) else [*ends, value]
    return value, min(ends), max(inner)


def margin_text(comparison: Comparison) -> str:
    """Write the margin in percent, where it is a share of something."""
    edges = [edge for edge in (comparison.least, comparison.most) if math.isfinite(edge)]
    of_nothing = 0.0 in edges and not comparison.reference_scale > 0 and not comparison.trials
    return "" if of_nothing else percent(margin(comparison)[0])


def place(share: float) -> float:
    """Return where a margin stands in a strip, in percent of its width."""
    size = math.log1p(abs(share) / LINEAR) / math.log1p(WIDEST / LINEAR)
    return 50 + math.copysign(45 * min(size, 1.0), share)
