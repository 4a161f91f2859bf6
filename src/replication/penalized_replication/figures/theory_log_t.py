"""Penalized regret against log T, with its fluid prediction and the paper's constants."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from penalized_bandits.theory.bounds import log_slopes
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_replication.claims.horizon_series import SETTLED
from penalized_replication.figures.base import Drawing, Tables, Values, in_order, select, summary_of
from penalized_replication.figures.case_grid import CaseGrid, chunks
from penalized_replication.figures.panels import draw_means, horizon_axis
from penalized_replication.figures.style import entry, look_of, policy_handle, tidy
from penalized_replication.figures.theory_instances import GUIDE_COLOUR, LawInstance, law_instances

BAND_COLOUR = "#C9D6DF"
COLUMNS = 4
"""With more, panels are less than an inch wide."""
HEADROOM = 1.4
"""A panel ends here at the latest, in multiples of its largest regret, band or not."""
_FLUID: Values = {"color": GUIDE_COLOUR, "linestyle": (0, (4, 2)), "linewidth": 1.6}
_BEHIND: Values = {"markersize": 5.0, "markerfacecolor": "white"}
"""Curves that coincide: the other one stands out behind."""


def _band(axes: Axes, one: LawInstance, rows: pd.DataFrame) -> str:
    """Draw the cone between the slopes with the paper's constants; return their numbers."""
    limits = log_slopes(one.bandit)
    slopes = float(limits.lower.sum()), float(limits.upper.sum())
    late = rows[rows["horizon"] >= SETTLED]
    if len(late) >= 2:
        span = late["horizon"].to_numpy(dtype=np.float64)
        grown = np.log(span / span[0])
        ends = [late["mean"].iloc[0] + slope * grown for slope in slopes]
        axes.fill_between(span, *ends, color=BAND_COLOUR, linewidth=0, zorder=0.5)
        axes.plot(span, ends[0], color=BAND_COLOUR, linewidth=1.4, zorder=0.5)
    if not any(slopes):
        return "slope with 1 and 8: 0"
    return f"slope with 1: {slopes[0]:.3g}, with 8: {slopes[1]:.3g}"


def _panel(axes: Axes, one: LawInstance) -> list[str]:
    """Draw an instance; return the numbers to write above it."""
    table = select(one.rows, metric="penalized_regret")
    first, *_ = policies = in_order(table["policy"])
    notes = []
    for policy in policies:
        rows = select(table, policy=policy).sort_values("horizon")
        look = {**look_of(policy).style, "markersize": 2.4, "zorder": 4, "linewidth": 0.7}
        behind = {} if policy == first else {**_BEHIND, "zorder": 3}
        draw_means(axes, rows["horizon"], rows, **{**look, **behind})
        if policy == first:
            fluid = [predicted_regret(one.at(horizon), horizon) for horizon in one.horizons]
            axes.plot(one.horizons, np.array(fluid), **_FLUID)
            notes += [_band(axes, one, rows)] if one.fixed else []
            shares = predicted_pulls(one.bandit, one.horizons[-1]) / one.horizons[-1]
            full = np.isclose(shares, one.bandit.fairness) & ~one.bandit.optimal_or_critical
            notes += ["arms with Δ > A still fill", "levels τT: not yet log T"] * int(full.any())
    largest = max(table["ci_high"].fillna(table["mean"]).max(), 1.0)
    lowest = min(0.0, table["mean"].min())
    top = max(line.get_ydata().max() for line in axes.lines)  # type: ignore[union-attr]
    axes.set_ylim(lowest - 0.03 * largest, min(max(top, largest), HEADROOM * largest) * 1.05)
    horizon_axis(axes, one.horizons, label=False)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    tidy(axes)
    return notes


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each instance; those that meet the theorem's conditions first."""
    table = summary_of(tables, "log_laws")
    instances = sorted(law_instances(table), key=lambda one: bool(one.broken))
    across, height, margin = (2, 1.6, 0.8) if column else (COLUMNS, 1.95, 0.5)
    grid = CaseGrid(chunks(instances, across), height, margin=margin, column=column, turned=False)
    for axes, one in grid:
        notes = (one.broken or "meets (i), (ii)", *_panel(axes, one))
        grid.noted_title(axes, one.title, notes, 3)
    grid.label_once("Horizon T (rounds)", "Penalized regret R(T)")
    # Titles and notes of the last column are wider than its panels.
    grid.figure.set_layout_engine("constrained", rect=(0, 0, 0.98, 1))
    first, *others = in_order(pd.concat([one.rows for one in instances])["policy"])
    behind = [policy_handle(policy, **_BEHIND) for policy in others]
    band = Patch(color=BAND_COLOUR, linewidth=0, label="slopes with the paper's constants, 1 to 8")
    handles = [policy_handle(first), *behind, entry("fluid prediction", **_FLUID), band]
    return grid.legend(handles, 1 if column else None)
