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


def dashes_of(arm: int) -> Any:
    """Return the dashes of an arm: neighbours differ, in grey as well."""
    return ("-", (0, (5, 1.5)), (0, (1.2, 1)), (0, (7, 1.5, 1.2, 1.5)))[(arm - 1) % 4]


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
            mark: dict[str, Any] = {"color": colour, "clip_on": False, "zorder": 4}
            axes.plot(gap, 0, marker=7, markersize=4, **mark)
            axes.plot(predicted[arm - 1], 0, marker=6, markersize=4, markerfacecolor="w", **mark)
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
    label_edges(grid, "Scale η (1: fairest)", "Unfairness (τ$_k$T − N$_k$)$_+$ (pulls)")
    handles = [
        entry(f"arm {arm}", color=colour, linestyle=dashes_of(arm))
        for arm, colour in enumerate(colours, start=1)
    ]
    figure_legend(figure, handles)
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
        f"{context.section['scale_points']} values of η; bands are 95 % t-intervals, narrower "
        "than the lines where none shows. Triangles on the axis of the hard threshold's panels "
        "mark η = Δ, where the theory has the arm turn unfair as T grows (full, from above), and "
        "where it should at this T by a balance of the indices, nothing fitted (hollow, from "
        "below)."
    )
