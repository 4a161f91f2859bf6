"""The largest regret over gaps against T, and the curves behind it."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.common.numbers import thousands
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.figures.base import in_order, select, summary_of
from penalized_bandits.figures.panels import bars_of, draw_means, log_axes, policy_handles
from penalized_bandits.figures.style import (
    COLUMN_WIDTH,
    TEXT_WIDTH,
    entry,
    figure_legend,
    graded,
    look_of,
    panel_title,
    tidy,
)
from penalized_bandits.figures.theory_instances import GUIDE_COLOUR

GUIDES = ((1 / 2, "T$^{1/2}$", "-"), (2 / 3, "T$^{2/3}$", (0, (5, 2))), (1.0, "T", (0, (1, 1.5))))


def gap_scale(n_arms: int, horizons: FloatArray) -> FloatArray:
    """Return sqrt(K log T / T), on which a gap is hardest to see."""
    return np.sqrt(n_arms * np.log(horizons) / horizons)


def regrets(tables: Mapping[str, str]) -> tuple[pd.DataFrame, int]:
    """Return the regret of each run with its gap in multiples of the scale, and K."""
    table = summary_of(tables, "worst_case")
    n_arms = int(table["arm"].max())
    gaps = table[table["arm"].notna()].groupby("case")["gap"].max()
    rates = table[table["arm"].notna()].groupby("case")["penalty_rate"].max()
    found = select(table, metric="penalized_regret").copy()
    times = found["horizon"].to_numpy(dtype=np.float64)
    gap = found["case"].map(gaps).to_numpy(dtype=np.float64)
    rate = found["case"].map(rates).to_numpy(dtype=np.float64)
    # Arms that are equal have no gap to hold a rate against.
    found["ratio"] = np.round(np.divide(rate, gap, out=np.zeros_like(gap), where=gap > 0), 6)
    # Multiples that horizons share differ by more than rounding.
    found["multiple"] = np.round(gap / gap_scale(n_arms, times), 6)
    found["unit"] = np.sqrt(n_arms * times * np.log(times))
    return found, n_arms


def worst(rows: pd.DataFrame, *by: str) -> pd.DataFrame:
    """Return the row with the largest regret for each value of some columns, in order."""
    return rows.loc[rows.groupby(list(by))["mean"].idxmax()].sort_values(list(by))


def _growth(axes: Axes, table: pd.DataFrame, policies: list[str]) -> None:
    horizons = np.array(sorted(table["horizon"].unique()), dtype=np.float64)
    lows = []
    for policy in policies:
        rows = worst(select(table, policy=policy), "horizon")
        draw_means(axes, rows, policy, markersize=4, elinewidth=0.8, zorder=4)
        lows.append(float(rows["mean"].iloc[0]))
    # Guides start below the lowest curve, one point for all.
    start = 0.55 * max(min(lows), 1e-9)
    for power, label, dashes in GUIDES:
        line = start * (horizons / horizons[0]) ** power
        axes.plot(horizons, line, color=GUIDE_COLOUR, linestyle=dashes, linewidth=0.8, zorder=1)
        axes.annotate(
            label,
            (horizons[-1], line[-1]),
            (3, 0),
            textcoords="offset points",
            va="center",
            fontsize=6.5,
            color=GUIDE_COLOUR,
        )
    log_axes(axes, horizons.tolist())
    # Labels of the guides stand to the right.
    axes.set_xlim(horizons[0] / 1.2, horizons[-1] * (horizons[-1] / horizons[0]) ** 0.13)
    axes.set_xlabel("Horizon T (rounds)")
    axes.set_ylabel("Largest penalized regret over gaps")


def _collapse(axes: Axes, table: pd.DataFrame, horizons: list[int]) -> None:
    for place, (horizon, look) in enumerate(zip(horizons, graded(len(horizons)), strict=True)):
        rows = worst(select(table, horizon=horizon), "multiple")
        axes.errorbar(
            rows["multiple"],
            rows["mean"] / rows["unit"],
            yerr=bars_of(rows, rows["unit"]),
            markersize=2.8,
            linewidth=0.8,
            elinewidth=0.6,
            zorder=3 + place,
            **look,
        )
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Gap Δ/√(K log T/T)")
    tidy(axes)


def _panels(n: int, *, column: bool) -> tuple[Figure, list[Axes]]:
    """Return the figure, and its panels of growth and of each of n policies."""
    across = 2 if column else n
    rows = -(-n // across)
    size = (COLUMN_WIDTH, 2.4 + 1.6 * rows) if column else (TEXT_WIDTH, 4.6)
    figure = plt.figure(figsize=size, layout="constrained")
    grid = figure.add_gridspec(1 + rows, across, height_ratios=(1.4, *[1] * rows))
    places = [grid[0, :], *(grid[1 + i // across, i % across] for i in range(n))]
    return figure, [figure.add_subplot(place) for place in places]


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw growth above, the curves over gaps of each policy below."""
    table, _ = regrets(tables)
    policies = in_order(table["policy"])
    horizons = sorted(table["horizon"].unique())
    figure, (growth, *collapses) = _panels(len(policies), column=column)
    _growth(growth, table, policies)
    panel_title(growth, 0, "growth of the worst case")
    for place, policy in enumerate(policies):
        axes = collapses[place]
        _collapse(axes, select(table, policy=policy), horizons)
        panel_title(axes, 1 + place, look_of(policy).label)
        if place == 0:
            axes.set_ylabel("Penalized regret/√(K T log T)")
    figure_legend(figure, policy_handles(table), 2 if column else None)
    marks = [
        entry(f"T = {thousands(int(horizon))}", **look)
        for horizon, look in zip(horizons, graded(len(horizons)), strict=True)
    ]
    columns = 3 if column else len(marks)
    figure.legend(handles=marks, loc="outside lower center", ncols=columns, columnspacing=1.6)
    return figure


def caption_values(tables: Mapping[str, str], _: Any) -> dict[str, Any]:
    """Return the number of arms and the penalty rates, in multiples of the gap."""
    table, n_arms = regrets(tables)
    ratios = [f"{ratio:g}" for ratio in sorted(table["ratio"].unique())]
    return {"n_arms": n_arms, "ratios": ratios}
