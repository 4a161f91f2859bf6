"""A forest plot of a claim's comparisons: a strip for each, all with their limit in one line.

Comparisons have limits and units of their own, so that what is drawn is the margin: how far the
estimate lies on the claim's side of its limit, as a share of that limit or of what is at
reference scale.  The scale is symmetric, linear near the limit and logarithmic beyond 10 %.
Its lines, its numbers and the marks are in ``templates/macros.html.j2``.
"""

import math
from collections.abc import Sequence

from markupsafe import Markup

from penalized_bandits.common.numbers import percent
from penalized_replication.claims.comparisons import Comparison, against

LINEAR = 0.1
WIDEST = 3.0
"""Margin at the end of the scale."""
ENDS = (3.0, 97.0)
"""Places for comparisons without a limit in numbers, in percent of a strip: they fail or hold."""


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


def _mark(name: str, x: float, kind: str = "") -> str:
    return f'<use href="#mark-{name}" x="{x:.1f}%" y="9" class="{kind or name}"/>'


def strip(comparison: Comparison) -> Markup:
    """Draw one comparison: interval, estimate, and the lines of the scale behind them."""
    value, low, high = margin(comparison)
    drawn = ['<use href="#forest-scale"/>']
    if math.isnan(low) or math.isnan(high):
        side = {"holds": ENDS[1], "fails": ENDS[0]}.get(comparison.status, 50.0)
        drawn.append(_mark(comparison.status, side if math.isnan(value) else place(value)))
    else:
        left, right = place(low), place(high)
        if right > left:
            x = f'x1="{left:.1f}%" x2="{right:.1f}%"'
            drawn.append(f'<line {x} y1="9" y2="9" class="{comparison.status}"/>')
        drawn += [_mark("left", 5.0, comparison.status)] if low < -WIDEST else []
        drawn += [_mark("right", 95.0, comparison.status)] if high > WIDEST else []
        if not math.isnan(value):
            drawn.append(_mark(comparison.status, place(value)))
    return Markup(f'<svg class="strip" aria-hidden="true">{"".join(drawn)}</svg>')  # noqa: S704
