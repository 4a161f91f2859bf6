"""Regret up to long horizons, and where the hard threshold overtakes UCB1."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from penalized_bandits.experiments.names import case_name
from penalized_bandits.figures.base import (
    CaptionContext,
    claim_of,
    in_order,
    number,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import draw_policies, hide, log_axes, noted_title, panel_grid
from penalized_bandits.figures.style import SHADE, figure_legend, look_of, policy_handle, thousands
from penalized_bandits.policies import PAPER_POLICY

CLAIM = "C34"
STUDIES = ("crossover", "movie_crossover")
OTHER = "ucb1"
FIGURE_1_ENDS = 16_000
BAND = "#8FB8D8"
COLUMNS = 4


def by_case(claim: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the parts of the claim on overtaking UCB1, by case; none if it was not measured."""
    return {part["name"].removesuffix(f" against {OTHER}"): part for part in claim["all_parts"]}


def rounded(value: float) -> str:
    """Write a horizon with three digits."""
    digits = 2 - math.floor(math.log10(value))
    return f"{value:.{digits}f}" if digits > 0 else thousands(int(round(value, digits)))


def horizon_of(part: Mapping[str, Any]) -> str:
    """Write the horizon from which the hard threshold is ahead, with its interval."""
    at, low, high = (number(part[key]) for key in ("estimate", "low", "high"))
    interval = f" [{rounded(low)}, {rounded(high)}]" if low > 0 and math.isfinite(high) else ""
    return f"T = {rounded(at)}{interval}"


def _mark(axes: Axes, found: Mapping[str, Any] | None) -> list[str]:
    """Mark where the hard threshold overtakes, with its interval; return it in words."""
    if found is None:
        return []
    at, low, high = (number(found[key]) for key in ("estimate", "low", "high"))
    if math.isnan(at):
        return [found["detail"]]
    left, right = axes.get_xlim()
    colour = look_of(PAPER_POLICY).colour
    axes.axvspan(max(low, left), min(high, right), color=BAND, linewidth=0, zorder=0.6)
    axes.axvline(at, color=colour, linewidth=1.0, zorder=1.5)
    text = horizon_of(found)
    return [text if found["status"] == "holds" else f"{text}, {found['detail']}"]


def _panel(axes: Axes, table: pd.DataFrame, found: Mapping[str, Any] | None) -> list[str]:
    """Draw a cell; return what to write above it."""
    draw_policies(axes, table, markersize=2.4, elinewidth=0.7)
    log_axes(axes, sorted(table["horizon"].unique()))
    left, right = axes.get_xlim()
    axes.axvspan(left, min(max(FIGURE_1_ENDS, left), right), color=SHADE, linewidth=0, zorder=0.4)
    return _mark(axes, found)


def example(parts: Mapping[str, Any]) -> str:
    """Return the case that stands for all where one is shown: the first that crosses, or none."""
    crossed = (case for case, row in parts.items() if row["status"] == "holds")
    return next((case for case in crossed if not math.isnan(number(parts[case]["estimate"]))), "")


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw a panel for each cell; in one column that of the example alone."""
    both = pd.concat([summary_of(tables, study) for study in STUDIES], ignore_index=True)
    table = select(both, metric="penalized_regret")
    parts = by_case(claim_of(tables, "crossover_claims", CLAIM))
    cases = in_order(table["case"])
    if column:
        cases = [example(parts) or cases[0]]
    n_columns = min(COLUMNS, len(cases))
    n_rows = -(-len(cases) // n_columns)
    height = 0.6 + (2.4 if column else 1.95) * n_rows
    figure, grid = panel_grid(n_rows, n_columns, height, column=column, sharex=True)
    for place, (axes, case) in enumerate(zip(grid.flat, cases, strict=False)):
        rows = select(table, case=case)
        notes = _panel(axes, rows, parts.get(case))
        if column:
            axes.set_title("\n".join((case_name(case), *notes)), loc="left")
        else:
            noted_title(axes, place, case_name(case), notes, 1)
    hide(list(grid.flat)[len(cases) :])
    for axes in grid[:, 0]:
        axes.set_ylabel("Penalized regret R(T)")
    figure.supxlabel("Horizon T (rounds)", fontsize=7.5)
    figure_legend(
        figure,
        [
            *(policy_handle(policy) for policy in in_order(table["policy"])),
            Patch(facecolor=SHADE, linewidth=0, label=f"T ≤ {thousands(FIGURE_1_ENDS)}"),
            Patch(facecolor=BAND, linewidth=0, label="hard threshold overtakes UCB1"),
        ],
        columns=2 if column else 3,
    )
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    n, of_movies = (thousands(replicates_of(summary_of(tables, study))) for study in STUDIES)
    parts = by_case(claim_of(tables, "crossover_claims", CLAIM))
    held = (number(part["estimate"]) for part in parts.values() if part["status"] == "holds")
    crossed = [horizon for horizon in held if not math.isnan(horizon)]
    text = (
        "**Regret beyond the horizons of Figure 1.** K arms with the fairness fraction τ/K each, "
        f"{context.drawn_means()}, as in Setting 1, and bandits of Settings 2 and 4; Gaussian "
        "rewards of variance 1/K². MovieLens: the movies with more than m₀ ratings, "
        f"τ = {context.section['movie_crossover']['fairness']:g}. A is "
        "half the range of the means; Setting 4 has its own A. All policies meet the same rewards "
        "at all horizons. Explore-then-commit is tuned to each horizon, and runs at fewer of "
        f"them. Both axes are logarithmic. Points are means of {n} replicates ({of_movies} on "
        f"MovieLens); bars are 95 % t-intervals{context.spread()}. Shaded: T ≤ "
        f"{thousands(FIGURE_1_ENDS)}, where Figure 1 ends. Blue line and band: the horizon from "
        "which the hard threshold has less regret than UCB1, with its 95 % bootstrap interval, "
        "from paired differences (claim C34); the bars of the two curves cannot tell it. Setting "
        "1's cells take it from the replicates of Figure 1, which are more, where it is within "
        "their horizons"
    )
    if not parts:
        text += f". It is in no panel: {CLAIM} is not measured under this config"
    if len(crossed) > 1:
        text += f". Over the panels it goes from {rounded(min(crossed))} to {rounded(max(crossed))}"
    return text + "."
