"""Figure 4: pulls of an arm against its inverse squared gap, Setting 4."""

import itertools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.claims.paper.figure_4 import STRAIGHT, TOLERANCE
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.figures.base import (
    CaptionContext,
    claim_of,
    in_order,
    labels_of,
    number,
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
from penalized_bandits.theory.inputs import instance_of

_PREDICTED: dict[str, Any] = {
    "color": "#D55E00",
    "marker": "x",
    "markersize": 5,
    "markeredgewidth": 1.0,
    "linestyle": "none",
    "zorder": 5,
}
_LIMIT: dict[str, Any] = {"color": "#555555", "linestyle": (0, (4, 2)), "linewidth": 0.8}
LIMIT = 2.0
"""N_k (gap)^2/log T tends to this."""
CLAIMS = {"noncritical": "C29", "critical": "C30"}
"""Claims on the rows of the figure."""


class Law(NamedTuple):
    """What a claim says of one panel."""

    exponent: tuple[float, float, float]
    """With its 95 % interval; NaN where too few arms are off their level."""
    straight: float
    """R² on a straight line through the origin."""

    def words(self, *, short: bool) -> str:
        """Return the estimates for the panel."""
        if math.isnan(self.exponent[0]):
            return "too few arms" if short else "too few arms off the level"
        value, low, high = (f"{x:.3f}" for x in self.exponent)
        if short:
            return f"exponent {value}\n[{low}, {high}]\nR² {self.straight:.2f}"
        return f"exponent {value} [{low}, {high}]\nR² through the origin {self.straight:.2f}"


def law_of(tables: Mapping[str, str], case: str) -> Law:
    """Return what the claim on its row says of a case."""
    claim = claim_of(tables, "setting_4_claims", CLAIMS[case.partition("_")[0]])
    parts = {part["name"]: part for part in claim["all_parts"]}
    exponent = parts.get(f"{case} exponent", {})
    line = parts.get(f"{case} line through the origin", {})
    values = (number(exponent.get(key)) for key in ("estimate", "low", "high"))
    return Law(cast("tuple[float, float, float]", tuple(values)), number(line.get("estimate")))


class Panel(NamedTuple):
    """What one panel shows of its arms, and which of them are used."""

    x: FloatArray
    """1/(Delta_k - A_k)^2 of non-critical arms, or 1/Delta_k^2 of critical ones."""
    arms: pd.DataFrame
    used: pd.Series
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
    used = arms["mean"] > 1.01 * level if critical else arms["mean"] < 0.99 * level
    # Only differences of means matter.
    balanced = predicted_pulls(
        instance_of(gap.max() - gap, table["fairness_fraction"], table["penalty_rate"]),
        int(table["horizon"].iloc[0]),
    )
    predicted = balanced[table.index.get_indexer(arms.index)]
    return Panel((1 / distance**2).to_numpy(), arms, used, level, critical, predicted)


def _draw_panel(axes: Axes, panel: Panel, law: Law, policy: str, *, few: bool) -> None:
    arms, x = panel.arms, panel.x
    if arms.empty:
        say(axes, 0.5, 0.5, "no such arms")
        return
    look = look_of(policy)
    mean = arms["mean"].to_numpy()
    horizon = int(arms["horizon"].iloc[0])
    edge = np.array([x.min() / 1.4, x.max() * 1.4])
    axes.plot(edge, LIMIT * math.log(horizon) * edge, **_LIMIT)
    axes.axhline(panel.level, color=LEVEL_COLOUR, linewidth=2.0, zorder=1)
    exponent = law.exponent[0]
    used = panel.used.to_numpy() & (not math.isnan(exponent))
    for chosen, face in ((used, look.colour), (~used, "white")):
        if chosen.any():
            axes.errorbar(
                x[chosen],
                mean[chosen],
                yerr=bars_of(arms[chosen]),
                color=look.colour,
                marker=look.marker,
                markerfacecolor=face,
                markersize=4,
                linestyle="none",
                elinewidth=0.8,
            )
    axes.plot(x, panel.predicted, **_PREDICTED)
    if used.any():
        # Through the arms as the exponent is: by the median.
        scale = np.median(np.log(mean[used]) - exponent * np.log(x[used]))
        span = np.array([x[used].min(), x[used].max()])
        axes.plot(span, np.exp(scale) * span**exponent, color="black", linewidth=1.2)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
    say(axes, 0.98, 0.04, law.words(short=few), ha="right", fontsize=6.5, bbox=box, zorder=6)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(edge[0], edge[1])
    plain_ticks(axes.xaxis, few=few)
    plain_ticks(axes.yaxis)
    tidy(axes)


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw non-critical cases in the upper row, critical ones in the lower.

    In one column they are on the left and on the right.
    """
    table = select(summary_of(tables), metric="pulls")
    policy = in_order(table["policy"])[0]
    table = select(table, policy=policy)
    cases = in_order(table["case"])
    panels = {case: panel_of(select(table, case=case), case) for case in cases}
    rows = [[c for c in cases if c.startswith(p)] for p in ("noncritical_", "critical_")]
    rows = [row for row in rows if row]
    most = max(map(len, rows))
    shape = (most, len(rows)) if column else (len(rows), most)
    height = 0.8 + 1.55 * most if column else 0.5 + 2.05 * len(rows)
    figure, grid = panel_grid(*shape, height, column=column, sharey="col" if column else "row")
    grid = grid.T if column else grid
    numbers = itertools.count()
    for places, names in zip(grid, rows, strict=True):
        for axes, case in zip(places, names, strict=False):
            panel = panels[case]
            _draw_panel(axes, panel, law_of(tables, case), policy, few=column)
            kind, index = "critical" if panel.critical else "non-critical", case.partition("_")[2]
            words = f"{kind} {index}" if column else f"{kind} arms, case {index}"
            panel_title(axes, next(numbers), words)
            axes.set_xlabel("1/Δ$_k^2$" if panel.critical else "1/(Δ$_k$ − A$_k$)$^2$")
        shown = pd.concat([panels[case].arms for case in names])
        if not shown.empty:
            level = (shown["fairness_fraction"] * shown["horizon"]).max()
            top = max(shown["mean"].max(), level)
            places[0].set_ylim(shown["mean"].min() / (9 if column else 2), 3 * top)
        hide(places[len(names) :])
    for axes in grid[0] if column else grid[:, 0]:
        axes.set_ylabel("Pulls N$_k$(T)")
    look = look_of(policy)
    point = {"marker": look.marker, "linestyle": "none", "color": look.colour, "markersize": 4}
    figure_legend(
        figure,
        [
            entry("arm off its level, used", **point),
            entry("arm not used", markerfacecolor="white", **point),
            entry("fluid prediction", **_PREDICTED),
            entry("power law with the exponent", color="black"),
            entry("fairness level τ$_k$T", color=LEVEL_COLOUR, linewidth=2.0),
            entry("limit 2 log T · x", **_LIMIT),
        ],
        columns=2 if column else 3,
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
        "smaller than the points). Filled points lie more than 1 % off the fairness level, below "
        "it in the upper row and above it in the lower; they give the exponent of the pulls as a "
        "power of the inverse squared gap (Theil and Sen), with a 95 % bootstrap interval over "
        "replicates, as in claims C29 and C30. The paper claims proportionality: an exponent of 1 "
        f"(here within {TOLERANCE:g}) and a straight line through the origin (here R² above "
        f"{STRAIGHT:g}). Crosses are the pull counts at which the index μ + A 1(N < τT) + √(2 log "
        "T/N) is the same for all arms; nothing is fitted. Dashed: 2 log T times the inverse "
        "squared gap, to which this prediction tends as T grows and the best arm's own radius √(2 "
        "log T/N) becomes small beside the gap."
    )
