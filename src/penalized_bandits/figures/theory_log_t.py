"""Penalized regret against log T, with its fluid prediction and the paper's constants."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from penalized_bandits.claims.horizon_series import SETTLED
from penalized_bandits.figures.base import in_order, select, summary_of
from penalized_bandits.figures.case_grid import CaseGrid, chunks
from penalized_bandits.figures.panels import draw_means, horizon_axis
from penalized_bandits.figures.style import entry, policy_handle, tidy
from penalized_bandits.figures.theory_instances import (
    GUIDE_COLOUR,
    LawInstance,
    bandit_of,
    law_instances,
)
from penalized_bandits.theory.bounds import log_slopes
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.inputs import instance_of

BAND_COLOUR = "#C9D6DF"
COLUMNS = 4
"""With more, panels are less than an inch wide."""
HEADROOM = 1.4
"""A panel ends here at the latest, in multiples of its largest regret, band or not."""


def _predicted(one: LawInstance) -> tuple[list[int], list[float]]:
    """Return the horizons of an instance and the fluid prediction of regret at each."""
    horizons = sorted(one.rows["horizon"].unique().tolist())
    bandits = [instance_of(*bandit_of(select(one.rows, horizon=t))) for t in horizons]
    regrets = [predicted_regret(bandit, t) for bandit, t in zip(bandits, horizons, strict=True)]
    return horizons, [float(regret) for regret in regrets]


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
        rows = _regrets(one, policy)
        first = policy == policies[0]
        # Curves that coincide: the other one stands out behind.
        behind = {} if first else {"markersize": 5.0, "markerfacecolor": "white", "zorder": 3}
        front = {"markersize": 2.4, "zorder": 4, "linewidth": 0.7, "elinewidth": 0.8}
        draw_means(axes, rows, policy, **{**front, **behind})
        if not first:
            continue
        line = {"linewidth": 1.6, "linestyle": (0, (4, 2))}
        axes.plot(*_predicted(one), color=GUIDE_COLOUR, **line)
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


def instances_of(tables: Mapping[str, str]) -> list[LawInstance]:
    """Return the instances in the order of the panels: first those that meet the conditions."""
    return sorted(law_instances(summary_of(tables, "log_laws")), key=lambda one: bool(one.broken))


def _regrets(one: LawInstance, policy: str) -> pd.DataFrame:
    """Return the penalized regret of a policy by horizon."""
    return select(one.rows, metric="penalized_regret", policy=policy).sort_values("horizon")


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw a panel for each instance; those that meet the theorem's conditions first."""
    instances = instances_of(tables)
    across, height, margin = (2, 1.6, 0.8) if column else (COLUMNS, 1.95, 0.5)
    grid = CaseGrid(chunks(instances, across), height, margin=margin, column=column)
    for axes, one in grid:
        notes = (one.broken or "meets (i), (ii)", *_panel(axes, one))
        grid.noted_title(axes, one.title, notes, 3)
    grid.label_once("Horizon T (rounds)", "Penalized regret R(T)")
    # Titles and notes of the last column are wider than its panels.
    grid.figure.set_layout_engine("constrained", rect=(0, 0, 0.98, 1))
    first, *others = in_order(pd.concat([one.rows for one in instances])["policy"])
    fluid = entry("fluid prediction", color=GUIDE_COLOUR, linestyle=(0, (4, 2)), linewidth=1.6)
    band = Patch(color=BAND_COLOUR, linewidth=0, label="slopes with the paper's constants, 1 to 8")
    behind = [policy_handle(p, markerfacecolor="white", markersize=5) for p in others]
    return grid.legend([policy_handle(first), *behind, fluid, band], 1 if column else None)
