"""Regret up to long horizons, and where the hard threshold overtakes UCB1."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from penalized_bandits.common.numbers import thousands
from penalized_bandits.figures.base import claim_of, in_order, number, select, summaries_of
from penalized_bandits.figures.case_grid import CaseGrid, chunks
from penalized_bandits.figures.panels import draw_policies, log_axes, policy_handles
from penalized_bandits.figures.style import SHADE, look_of
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
    table = summaries_of(tables, STUDIES, metric="penalized_regret")
    parts = by_case(claim_of(tables, "crossover_claims", CLAIM))
    cases = in_order(table["case"])
    if column:
        cases = [example(parts) or cases[0]]
    grid = CaseGrid(
        chunks(cases, COLUMNS), 2.4 if column else 1.95, margin=0.6, column=column, sharex=True
    )
    for axes, case in grid:
        rows = select(table, case=case)
        label, notes = rows["label"].iloc[0], _panel(axes, rows, parts.get(case))
        if column:
            axes.set_title("\n".join((label, *notes)), loc="left")
        else:
            grid.noted_title(axes, label, notes, 1)
    grid.label(y="Penalized regret R(T)")
    grid.label_once("Horizon T (rounds)")
    patches = [
        Patch(facecolor=SHADE, linewidth=0, label=f"T ≤ {thousands(FIGURE_1_ENDS)}"),
        Patch(facecolor=BAND, linewidth=0, label="hard threshold overtakes UCB1"),
    ]
    return grid.legend([*policy_handles(table), *patches], 2 if column else 3)


def caption_values(tables: Mapping[str, str], _: Any) -> dict[str, Any]:
    """Return the least and the largest horizon of a crossing; none if there are none."""
    parts = by_case(claim_of(tables, "crossover_claims", CLAIM)).values()
    held = [number(part["estimate"]) for part in parts if part["status"] == "holds"]
    crossed = [horizon for horizon in held if not math.isnan(horizon)]
    return {
        "measured": bool(parts),
        "crossed": [rounded(min(crossed)), rounded(max(crossed))] if crossed else [],
    }
