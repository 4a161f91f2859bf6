"""Penalized regret against log T, with fitted slopes and those of the paper's constants."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from penalized_bandits.figures.base import (
    CaptionContext,
    in_order,
    joined,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import (
    draw_means,
    hide,
    horizon_axis,
    noted_title,
    panel_grid,
    with_interval,
)
from penalized_bandits.figures.style import (
    entry,
    figure_legend,
    policy_handle,
    thousands,
    tidy,
)
from penalized_bandits.figures.theory_instances import (
    FEWEST,
    GUIDE_COLOUR,
    SETTLED,
    LawInstance,
    errors_of,
    law_instances,
)
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.fits import LogFit, fit_log
from penalized_bandits.statistics.measurements import Measurements
from penalized_bandits.theory.bounds import log_slopes
from penalized_bandits.theory.inputs import instance_of

BAND_COLOUR = "#C9D6DF"
COLUMNS = 4
"""With more, panels are less than an inch wide."""
HEADROOM = 1.4
"""A panel ends here at the latest, in multiples of its largest regret, band or not."""


def _fit(rows: pd.DataFrame) -> LogFit | None:
    """Fit a + b log T from ``SETTLED`` on, if there are horizons enough."""
    late = rows[rows["horizon"] >= SETTLED]
    if len(late) < FEWEST:
        return None
    data = Measurements(late["horizon"].to_numpy(), late["mean"].to_numpy(), errors_of(late))
    return fit_log(data)


def _band(axes: Axes, one: LawInstance, rows: pd.DataFrame) -> str:
    """Draw the cone between the slopes with the paper's constants; return their numbers."""
    limits = log_slopes(instance_of(*one.bandit))
    slopes = float(limits.lower.sum()), float(limits.upper.sum())
    late = rows[rows["horizon"] >= SETTLED]
    if len(late) >= 2:
        span = late["horizon"].to_numpy(dtype=np.float64)
        grown = np.log(span / span[0])
        start = late["mean"].iloc[0]
        ends = [start + slope * grown for slope in slopes]
        axes.fill_between(span, *ends, color=BAND_COLOUR, linewidth=0, zorder=0.5)
        axes.plot(span, ends[0], color=BAND_COLOUR, linewidth=1.4, zorder=0.5)
    if not any(slopes):
        return "slope with 1 and 8: 0"
    return f"slope with 1: {slopes[0]:.3g}, with 8: {slopes[1]:.3g}"


def _panel(axes: Axes, one: LawInstance) -> list[str]:
    """Draw an instance; return the numbers to write above it."""
    table = select(one.rows, metric="penalized_regret")
    policies = in_order(table["policy"])
    notes = []
    for policy in policies:
        rows = select(table, policy=policy).sort_values("horizon")
        first = policy == policies[0]
        # Curves that coincide: the other one stands out behind.
        behind = {} if first else {"markersize": 5.0, "markerfacecolor": "white", "zorder": 3}
        front = {"markersize": 2.4, "zorder": 4, "linewidth": 0.7, "elinewidth": 0.8}
        draw_means(axes, rows, policy, **{**front, **behind})
        if not first:
            continue
        fit = _fit(rows)
        if not one.grows:
            pass  # a line through what comes and goes would say nothing
        elif fit is None:
            notes.append("too few horizons")
        else:
            span = rows["horizon"][rows["horizon"] >= SETTLED].to_numpy(dtype=np.float64)
            line = fit.intercept.value + fit.slope.value * np.log(span)
            axes.plot(span, line, color=GUIDE_COLOUR, linewidth=1.6, linestyle=(0, (4, 2)))
            slope = fit.slope
            notes.append(f"b\u2009=\u2009{with_interval(slope.value, slope.low, slope.high)}")
        if one.fixed:
            notes.append(_band(axes, one, rows))
    largest = max(table["ci_high"].fillna(table["mean"]).max(), 1.0)
    lowest = min(0.0, table["mean"].min())
    top = max(line.get_ydata().max() for line in axes.lines)  # type: ignore[union-attr]
    axes.set_ylim(lowest - 0.03 * largest, min(max(top, largest), HEADROOM * largest) * 1.05)
    horizon_axis(axes, sorted(table["horizon"].unique()), label=False)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    tidy(axes)
    return notes


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each instance; those that meet the theorem's conditions first."""
    found = law_instances(summary_of(tables, "log_laws"))
    instances = sorted(found, key=lambda one: bool(one.broken))
    columns = min(len(instances), COLUMNS)
    rows = -(-len(instances) // columns)
    figure, grid = panel_grid(rows, columns, 0.5 + 1.95 * rows)
    for number, (axes, one) in enumerate(zip(grid.flat, instances, strict=False)):
        notes = (one.broken or "meets (i), (ii)", *_panel(axes, one))
        noted_title(axes, number, one.title, notes, 3)
    hide(grid.flat[len(instances) :])
    figure.supxlabel("Horizon T (rounds)", fontsize=7.5)
    figure.supylabel("Penalized regret R(T)", fontsize=7.5)
    # Titles and notes of the last column are wider than its panels.
    figure.set_layout_engine("constrained", rect=(0, 0, 0.98, 1))
    policies = in_order(pd.concat([one.rows for one in found])["policy"])
    figure_legend(
        figure,
        [
            policy_handle(policies[0]),
            *(policy_handle(p, markerfacecolor="white", markersize=5) for p in policies[1:]),
            entry("a + b log T", color=GUIDE_COLOUR, linestyle=(0, (4, 2)), linewidth=1.6),
            Patch(
                color=BAND_COLOUR, linewidth=0, label="slopes with the paper's constants, 1 to 8"
            ),
        ],
    )
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    del context
    table = summary_of(tables, "log_laws")
    instances = law_instances(table)
    n = thousands(replicates_of(table))
    settled = thousands(SETTLED)
    text = (
        "**Penalized regret against log T (Theorem 4.2).** Bernoulli rewards; each instance and "
        "horizon on random numbers of its own. The first instances meet conditions (i) and (ii) of "
        "the theorem at the largest horizon; the others break the condition that their panel "
        f"names. Points are means of {n} replicates; bars are 95 % t-intervals (mostly smaller "
        f"than the points). Dashed: least squares a + b log T from T = {settled} on, weights "
        "1/se²; the 95 % interval of b is widened where the residuals are larger than the "
        f"standard errors allow. Shaded: growth from the mean at T = {settled} with slopes c Σ "
        "1/(Δ − A) over the non-critical arms, c from 1 to 8, the paper's constants, for "
        "orientation. The 8 is that of the upper bound, Theorem 4.2 d, which needs conditions (i) "
        "and (ii). The 1 is that of Theorem 4.6, which says that some bandit has at least this "
        "growth: it is no lower bound for the bandits drawn here. The slopes are for fixed τ "
        "and A, so instances whose τ or A depends on T have no shading. Without non-critical arms "
        "they are 0, and no line is fitted. Vertical axes differ."
    )
    if max(table["horizon"]) < SETTLED or any(
        _fit(
            select(one.rows, metric="penalized_regret", policy=PAPER_POLICY).sort_values("horizon")
        )
        is None
        for one in instances
    ):
        text += f" Where fewer than {FEWEST} horizons are that large, nothing is fitted."
    both = [one for one in instances if len(in_order(one.rows["policy"])) > 1]
    if both:
        names = joined([one.title for one in both])
        text += f" Where A = 0 ({names}), the curves of the policies coincide."
    return text
