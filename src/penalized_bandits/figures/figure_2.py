"""Figure 2: unfairness of each arm along the scale eta, Setting 2."""

import itertools
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.experiments.names import case_name
from penalized_bandits.figures.base import (
    CaptionContext,
    in_order,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import label_edges, panel_grid
from penalized_bandits.figures.style import (
    Colour,
    entry,
    figure_legend,
    look_of,
    panel_title,
    shades,
    thousands,
    tidy,
)
from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.fluid import break_points

STRIP = 0.42
"""Room for arrows below the panels, as a share of their largest value."""
LANES = (0.03, 0.09, 0.15, 0.21)
"""Heights of the arrows, of one arm after another, as shares of the panel."""
_AT_T: dict[str, Any] = {"marker": "o", "markersize": 2.6, "markeredgewidth": 0.7}
_AT_INFINITY: dict[str, Any] = {"marker": ">", "markersize": 2.8, "markeredgewidth": 0}


def dashes_of(arm: int) -> Any:
    """Return the dashes of an arm: neighbours differ, in grey as well."""
    return ("-", (0, (5, 1.5)), (0, (1.2, 1)), (0, (7, 1.5, 1.2, 1.5)))[(arm - 1) % 4]


def _arrow(axes: Axes, start: float, end: float, lane: float, colour: Colour) -> None:
    """Draw where an arm should turn unfair at this T, and where as T grows: at its gap."""
    place: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "clip_on": False, "zorder": 4}
    axes.plot([start, end], [lane, lane], color=colour, linewidth=0.6, **place)
    axes.plot(start, lane, color=colour, markerfacecolor="w", **_AT_T, **place)
    axes.plot(end, lane, color=colour, **_AT_INFINITY, **place)
    axes.annotate(
        f"{end:.2g}", (end, lane), (2.5, 0), xycoords=axes.get_xaxis_transform(),
        textcoords="offset points", fontsize=6, va="center", color=colour,
    )  # fmt: skip


def _panel(axes: Axes, table: pd.DataFrame, colours: list[Colour], marks: bool) -> None:
    arms = table.drop_duplicates("arm").sort_values("arm")
    # Only differences of means matter.
    predicted = break_points(
        arms["gap"].max() - arms["gap"], arms["fairness_fraction"], int(arms["horizon"].iloc[0])
    )
    for arm, colour in enumerate(colours, start=1):
        rows = select(table, arm=arm).sort_values("scale")
        if rows.empty:
            break  # other cases have more arms
        axes.fill_between(
            rows["scale"], rows["ci_low"], rows["ci_high"], color=colour, alpha=0.25, linewidth=0
        )
        axes.plot(rows["scale"], rows["mean"], color=colour, linestyle=dashes_of(arm))
        gap = rows["gap"].iloc[0]
        if marks and gap > 0:
            _arrow(axes, predicted[arm - 1], gap, LANES[arm % len(LANES)], colour)
    axes.set_xlim(-0.02, 1.02)
    tidy(axes)


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each case (rows) and policy (columns)."""
    table = select(summary_of(tables), metric="arm_unfairness")
    cases, policies = in_order(table["case"]), in_order(table["policy"])
    n_arms = int(table["arm"].max())
    # One hue from dark to light: the order of the arms is legible in grey.
    colours = shades(n_arms)
    figure, grid = panel_grid(
        len(cases), len(policies), 0.5 + 1.95 * len(cases), sharex=True, sharey="row"
    )
    places = itertools.product(cases, policies)
    for number, (axes, (case, policy)) in enumerate(zip(grid.flat, places, strict=True)):
        # The gap is where an arm should turn unfair, if the penalty rate is the scale.
        marks = not POLICIES[policy].ignores_penalties
        _panel(axes, select(table, case=case, policy=policy), colours, marks)
        panel_title(axes, number, f"{look_of(policy).label}, {case_name(case)}")
    for row, case in zip(grid, cases, strict=True):
        most = select(table, case=case)["mean"].max()
        row[0].set_ylim(-STRIP * most, 1.06 * most)
        row[0].set_yticks([tick for tick in row[0].get_yticks() if 0 <= tick <= most])
    label_edges(grid, "Scale η (1: fairest)", "Unfairness (τ$_k$T − N$_k$)$_+$ (pulls)")
    handles = [
        entry(f"arm {arm}", color=colour, linestyle=dashes_of(arm))
        for arm, colour in enumerate(colours, start=1)
    ]
    grey: dict[str, Any] = {"color": "0.3", "linestyle": "none"}
    handles += [
        entry("turns unfair at this T (predicted)", markerfacecolor="w", **_AT_T, **grey),
        entry("as T → ∞: at its gap Δ", **_AT_INFINITY, **grey),
    ]
    figure_legend(figure, handles, columns=-(-len(handles) // 2))
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = summary_of(tables)
    n = thousands(replicates_of(table))
    horizon = thousands(int(table["horizon"].iloc[0]))
    return (
        "**Figure 2. Unfairness of each arm along the scale η (Setting 2).** "
        f"Rows are cases, columns policies; T = {horizon}, Gaussian rewards of variance 1/K². "
        "The scale sets the penalty rate A = η of the "
        "hard threshold, α = (1 − η)τ₁T of Flearn and η₀ = (1 − η)T of LFG, so that fairness "
        "counts most at η = 1 (the paper's text says the opposite of its own formulas). "
        f"Lines are means of {n} replicates at "
        f"{context.section['scale_points']} values of η; bands are 95 % t-intervals, and where "
        "none shows it is narrower than the line. Below the hard threshold's curves an open "
        "circle is at the η at which an arm should turn unfair at this T (equal indices, nothing "
        "fitted), and its arrow ends at the arm's gap Δ, the limit as T → ∞. Claim C26P measures "
        "this shift."
    )
