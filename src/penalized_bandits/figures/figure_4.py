"""Figure 4: pulls of an arm against its inverse squared gap, Setting 4."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from penalized_bandits.figures.base import (
    CaptionContext,
    in_order,
    labels_of,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import bars_of, hide, panel_grid, plain_ticks, say
from penalized_bandits.figures.style import (
    LEVEL_COLOUR,
    entry,
    figure_legend,
    look_of,
    panel_title,
    thousands,
    tidy,
)
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.typing import FloatArray

_PREDICTED: dict[str, Any] = {
    "color": "#D55E00",
    "marker": "x",
    "markersize": 5,
    "markeredgewidth": 1.0,
    "linestyle": "none",
    "zorder": 5,
}
_UPPER: dict[str, Any] = {"color": "#555555", "linestyle": (0, (4, 2))}
_LOWER: dict[str, Any] = {"color": "#555555", "linestyle": (0, (1, 1.5))}
LOWER, UPPER = 1.0, 8.0
"""Constants c of c log T / gap^2: Theorems 4.6 and 4.7 below, 4.2 above."""


class PowerLaw(NamedTuple):
    """N = scale * x^elasticity, fitted to logarithms by least squares."""

    scale: float
    elasticity: float
    half_width: float
    """Half width of the 95 % interval of the elasticity; NaN below three points."""


def fit_power_law(x: FloatArray, pulls: FloatArray) -> PowerLaw | None:
    """Fit a power law; None where fewer than two different x are at hand."""
    if len(np.unique(x)) < 2:
        return None
    fit: Any = stats.linregress(np.log(x), np.log(pulls))
    degrees = len(x) - 2
    half = stats.t.ppf(0.975, degrees) * fit.stderr if degrees > 0 else math.nan
    return PowerLaw(math.exp(fit.intercept), fit.slope, half)


class Panel(NamedTuple):
    """What one panel shows of its arms, and what is fitted."""

    x: FloatArray
    """1/(Delta_k - A_k)^2 of non-critical arms, or 1/Delta_k^2 of critical ones."""
    arms: pd.DataFrame
    fitted: pd.Series
    """Arms away from the fairness level on the side that the paper speaks of."""
    level: float
    critical: bool
    predicted: FloatArray
    """Pulls that balance the indices (theory/fluid.py)."""


def panel_of(table: pd.DataFrame, case: str) -> Panel:
    """Pick the arms of a case that its row of the figure is about."""
    critical = case.startswith("critical")
    gap, rate = table["gap"], table["penalty_rate"]
    arms = table[(gap > 0) & (rate >= gap)] if critical else table[gap > rate]
    distance = arms["gap"] if critical else arms["gap"] - arms["penalty_rate"]
    level = float(table["fairness_fraction"].iloc[0] * table["horizon"].iloc[0])
    # Within 1 % of the level the level holds an arm, not its gap.
    fitted = arms["mean"] > 1.01 * level if critical else arms["mean"] < 0.99 * level
    # Only differences of means matter.
    balanced = predicted_pulls(
        gap.max() - gap,
        table["fairness_fraction"],
        table["penalty_rate"],
        int(table["horizon"].iloc[0]),
    )
    predicted = balanced[table.index.get_indexer(arms.index)]
    return Panel((1 / distance**2).to_numpy(), arms, fitted, level, critical, predicted)


def _draw_panel(axes: Axes, panel: Panel, policy: str) -> None:
    arms, x = panel.arms, panel.x
    if arms.empty:
        say(axes, 0.5, 0.5, "no such arms")
        return
    look = look_of(policy)
    mean = arms["mean"].to_numpy()
    horizon = int(arms["horizon"].iloc[0])
    edge = np.array([x.min() / 1.4, x.max() * 1.4])
    for constant, style in ((UPPER, _UPPER), (LOWER, _LOWER)):
        axes.plot(edge, constant * math.log(horizon) * edge, linewidth=0.8, **style)
    axes.axhline(panel.level, color=LEVEL_COLOUR, linewidth=2.0, zorder=1)
    for used in (True, False):
        chosen = (panel.fitted == used).to_numpy()
        if not chosen.any():
            continue
        axes.errorbar(
            x[chosen],
            mean[chosen],
            yerr=bars_of(arms[chosen]),
            color=look.colour,
            marker=look.marker,
            markerfacecolor=look.colour if used else "white",
            markersize=4,
            linestyle="none",
            elinewidth=0.8,
        )
    chosen = panel.fitted.to_numpy()
    axes.plot(x, panel.predicted, **_PREDICTED)
    law = fit_power_law(x[chosen], mean[chosen])
    if law is None:
        text = "elasticity: too few arms off the level"
    else:
        span = np.array([x[chosen].min(), x[chosen].max()])
        axes.plot(span, law.scale * span**law.elasticity, color="black", linewidth=1.2)
        text = f"elasticity {law.elasticity:.2f}"
        if not math.isnan(law.half_width):
            text += f" ± {law.half_width:.2f}"
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
    say(axes, 0.97, 0.04, text, ha="right", fontsize=6.5, bbox=box)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(edge[0], edge[1])
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    tidy(axes)


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw non-critical cases in the upper row, critical ones in the lower."""
    table = select(summary_of(tables), metric="pulls")
    policy = in_order(table["policy"])[0]
    cases = in_order(table["case"])
    rows = [[c for c in cases if c.startswith(p)] for p in ("noncritical_", "critical_")]
    rows = [row for row in rows if row]
    figure, grid = panel_grid(len(rows), max(map(len, rows)), 0.5 + 2.05 * len(rows), sharey="row")
    number = 0
    for row, names in enumerate(rows):
        for column, case in enumerate(names):
            axes = grid[row, column]
            panel = panel_of(select(table, case=case, policy=policy), case)
            _draw_panel(axes, panel, policy)
            kind, _, index = case.partition("_")
            kind = "critical" if panel.critical else "non-critical"
            panel_title(axes, number, f"{kind} arms, case {index}")
            axes.set_xlabel("1/Δ$_k^2$" if panel.critical else "1/(Δ$_k$ − A$_k$)$^2$")
            number += 1
        drawn = select(table, policy=policy)
        shown = pd.concat([panel_of(select(drawn, case=case), case).arms for case in names])
        if not shown.empty:
            level = (shown["fairness_fraction"] * shown["horizon"]).max()
            top = max(shown["mean"].max(), level)
            grid[row, 0].set_ylim(shown["mean"].min() / 2, 3 * top)
        hide(grid[row, len(names) :])
        grid[row, 0].set_ylabel("Pulls N$_k$(T)")
    look = look_of(policy)
    point = {"marker": look.marker, "linestyle": "none", "color": look.colour, "markersize": 4}
    figure_legend(
        figure,
        [
            entry("arm, used in the fit", **point),
            entry("arm not in the fit", markerfacecolor="white", **point),
            entry("balance of the indices", **_PREDICTED),
            entry("fitted power law", color="black"),
            entry("fairness level τ$_k$T", color=LEVEL_COLOUR, linewidth=2.0),
            entry("8 log T · x", **_UPPER),
            entry("log T · x", **_LOWER),
        ],
        columns=4,
    )
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = summary_of(tables)
    n = thousands(replicates_of(table))
    horizon = thousands(int(table["horizon"].iloc[0]))
    gaussian = context.readings.setting_4_rewards == "gaussian"
    law = "Gaussian (variance 1/K²)" if gaussian else "Bernoulli"
    return (
        "**Figure 4. Pulls against the inverse squared gap (Setting 4).** "
        f"{labels_of(in_order(table['policy'])[:1])}, T = {horizon}, {law} rewards (the paper "
        "names no law). Upper row: non-critical arms (Δ > A) against "
        "1/(Δ − A)²; lower row: critical arms (A ≥ Δ > 0) against 1/Δ². Both axes are "
        f"logarithmic. Points are means of {n} replicates, bars 95 % t-intervals (mostly "
        "smaller than the points). Filled points, more than 1 % below (above) the fairness "
        "level in the upper (lower) row, enter the least-squares power law; the paper claims "
        "proportionality, that is elasticity 1; the 95 % interval is over arms. Crosses are the "
        "pulls that balance μ + A 1(below) + √(2 log T/N) over all arms, nothing fitted. Dashed "
        "and dotted, for orientation: 8 log T and log T times the inverse squared gap. The paper's "
        "instances do not meet condition (ii) of Theorem 4.2, which has the first constant in "
        "its bound, and Theorems 4.6 and 4.7, which have the second, are about other instances."
    )
