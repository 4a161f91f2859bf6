"""The largest regret over gaps against T, its exponents, and the curves behind it."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.common.numbers import format_number, interval, thousands
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
from penalized_bandits.figures.theory_instances import FEWEST, GUIDE_COLOUR, errors_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.statistics.fits import PowerFit, fit_power
from penalized_bandits.statistics.measurements import Measurements

GUIDES = ((1 / 2, "T$^{1/2}$", "-"), (2 / 3, "T$^{2/3}$", (0, (5, 2))), (1.0, "T", (0, (1, 1.5))))
LOG_POWERS = {PAPER_POLICY: 1 / 2, "explore_then_commit": 1 / 3}
"""Power of log T in the bound of a policy's worst regret."""


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


def fit_of(rows: pd.DataFrame, log_power: float = 0.0) -> PowerFit | None:
    """Fit c T^p to the worst regrets over (log T)^log_power, if horizons are enough."""
    if len(rows) < FEWEST:
        return None
    times = rows["horizon"].to_numpy(dtype=np.float64)
    logs = np.log(times) ** log_power
    data = Measurements(times, rows["mean"].to_numpy() / logs, errors_of(rows) / logs)
    fit = fit_power(data)
    return fit if fit.converged else None


def _growth(axes: Axes, table: pd.DataFrame, policies: list[str]) -> None:
    horizons = np.array(sorted(table["horizon"].unique()), dtype=np.float64)
    lows = []
    for policy in policies:
        rows, look = worst(select(table, policy=policy), "horizon"), look_of(policy)
        draw_means(axes, rows, policy, linestyle="none", markersize=4, elinewidth=0.8, zorder=4)
        lows.append(float(rows["mean"].iloc[0]))
        fit = fit_of(rows)
        if fit is not None:
            axes.plot(
                horizons,
                fit.middle.value * (horizons / fit.reference) ** fit.exponent.value,
                color=look.colour,
                linestyle=look.dashes,
                zorder=3,
            )
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


def _exponents(axes: Axes, table: pd.DataFrame, policies: list[str]) -> None:
    for power, label, dashes in GUIDES:
        axes.axvline(power, color=GUIDE_COLOUR, linestyle=dashes, linewidth=0.8, zorder=1)
        axes.annotate(
            label,
            (power, 1),
            (0, 1),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=6.5,
            color=GUIDE_COLOUR,
        )
    for place, policy in enumerate(policies):
        rows, look = worst(select(table, policy=policy), "horizon"), look_of(policy)
        for shift, log_power in ((-0.16, 0.0), (0.16, LOG_POWERS.get(policy))):
            fit = None if log_power is None else fit_of(rows, log_power)
            if fit is None:
                if not shift > 0:
                    axes.text(0.75, place, "no fit", ha="center", va="center", fontsize=6)
                continue
            found = fit.exponent
            axes.errorbar(
                found.value,
                place + shift,
                xerr=[[found.value - found.low], [found.high - found.value]],
                color=look.colour,
                marker=look.marker,
                markerfacecolor=look.colour if shift < 0 else "white",
                markersize=4,
                elinewidth=0.9,
                zorder=3,
            )
            axes.annotate(
                f"{format_number(found.value, 3)} {interval(found.low, found.high, 3)}",
                (found.value, place + shift),
                (0, 4 if shift < 0 else -4),
                textcoords="offset points",
                ha="center",
                va="bottom" if shift < 0 else "top",
                fontsize=6,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            )
    axes.set_ylim(len(policies) - 0.4, -0.65)
    axes.set_yticks([])
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.3), max(high, 1.2))
    axes.set_xlabel("Exponent of T")
    tidy(axes)
    axes.grid(False)


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
    """Return the figure, and its panels of growth, exponents and each of n policies."""
    if column:
        rows = -(-n // 2)
        figure = plt.figure(figsize=(COLUMN_WIDTH, 5.4 + 1.6 * rows), layout="constrained")
        grid = figure.add_gridspec(2 + rows, 2, height_ratios=(1.4, 1.4, *[1] * rows))
        places = [grid[0, :], grid[1, :], *(grid[2 + i // 2, i % 2] for i in range(n))]
    else:
        figure = plt.figure(figsize=(TEXT_WIDTH, 4.9), layout="constrained")
        # Twice as many columns as policies: the upper row is cut in the middle.
        grid = figure.add_gridspec(2, 2 * n, height_ratios=(1.15, 1))
        places = [grid[0, :n], grid[0, n:], *(grid[1, 2 * i : 2 * i + 2] for i in range(n))]
    return figure, [figure.add_subplot(place) for place in places]


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw growth and exponents above, the curves over gaps of each policy below."""
    table, _ = regrets(tables)
    policies = in_order(table["policy"])
    horizons = sorted(table["horizon"].unique())
    figure, (growth, exponents, *collapses) = _panels(len(policies), column=column)
    _growth(growth, table, policies)
    panel_title(growth, 0, "growth of the worst case")
    _exponents(exponents, table, policies)
    exponents.set_title("(b) fitted exponents", loc="left", pad=14)
    for place, policy in enumerate(policies):
        axes = collapses[place]
        _collapse(axes, select(table, policy=policy), horizons)
        panel_title(axes, 2 + place, look_of(policy).label)
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
