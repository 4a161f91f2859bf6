"""Figure 4: pulls of an arm against its inverse squared gap, Setting 4."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.claims.paper.figure_4 import EXPONENT, LINE, STRAIGHT, TOLERANCE
from penalized_bandits.claims.parts import unknown
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.figures.base import claim_of, in_order, select, summary_of
from penalized_bandits.figures.case_grid import CaseGrid
from penalized_bandits.figures.panels import bars_of, plain_ticks, say
from penalized_bandits.figures.style import LEVEL_COLOUR, entry, look_of, tidy
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of

_PREDICTED: dict[str, Any] = {
    "color": "#D55E00",
    "marker": "_",
    "markersize": 12,
    "markeredgewidth": 1.2,
    "linestyle": "none",
    "zorder": 5,
}
_LIMIT: dict[str, Any] = {"color": "#555555", "linestyle": (0, (4, 2)), "linewidth": 0.8}
LIMIT = 2.0
"""N_k (gap)^2/log T tends to this."""
ROWS = {"noncritical": "C29", "critical": "C30"}
"""Groups of cases, a row each, and the claims on them."""


class Law(NamedTuple):
    """What a claim measures in one panel."""

    exponent: tuple[float, float, float]
    """With its interval; NaN where too few arms are off their level."""
    straight: float
    """R² on a straight line through the origin."""
    factor: float
    """Pulls on the power law where the inverse squared gap is 1."""
    used: tuple[int, ...]
    """Arms of which the exponent is, from 1."""

    def words(self, *, short: bool) -> str:
        """Return the estimates for the panel."""
        if math.isnan(self.exponent[0]):
            return "too few arms" if short else "too few arms off the level"
        value, low, high = (f"{x:.3f}" for x in self.exponent)
        if short:
            return f"exponent {value}\n[{low}, {high}]\nR² {self.straight:.2f}"
        return f"exponent {value} [{low}, {high}]\nR² through the origin {self.straight:.2f}"


def law_of(tables: Mapping[str, str], case: str, group: str) -> Law:
    """Return what the claim on a group of cases measures in a case."""
    claim = claim_of(tables, "setting_4_claims", ROWS[group])
    parts = {part.quantity: part for part in claim.parts if part.case == case}
    exponent, line = (parts.get(quantity, unknown("")) for quantity in (EXPONENT, LINE))
    values = {"arms": [], "used": [], "factor": math.nan} | dict(exponent.values)
    pairs = zip(values["arms"], values["used"], strict=True)
    used = () if math.isnan(exponent.estimate) else tuple(arm for arm, off in pairs if off)
    interval = exponent.estimate, exponent.low, exponent.high
    return Law(interval, line.estimate, values["factor"], used)


class Panel(NamedTuple):
    """The arms that one panel shows."""

    x: FloatArray
    """1/(Delta_k - A_k)^2 of non-critical arms, or 1/Delta_k^2 of critical ones."""
    arms: pd.DataFrame
    level: float
    predicted: FloatArray
    """Pulls that balance the indices (theory/fluid.py)."""


def panel_of(table: pd.DataFrame, *, critical: bool) -> Panel:
    """Return the arms of a case that its row of the figure is about."""
    gap, rate = table["gap"], table["penalty_rate"]
    arms = table[(gap > 0) & (rate >= gap)] if critical else table[gap > rate]
    distance = arms["gap"] if critical else arms["gap"] - arms["penalty_rate"]
    level = float(table["fairness_fraction"].iloc[0] * table["horizon"].iloc[0])
    # Only differences of means matter.
    balanced = predicted_pulls(
        instance_of(gap.max() - gap, table["fairness_fraction"], table["penalty_rate"]),
        int(table["horizon"].iloc[0]),
    )
    predicted = balanced[table.index.get_indexer(arms.index)]
    return Panel((1 / distance**2).to_numpy(), arms, level, predicted)


def _draw_panel(axes: Axes, panel: Panel, law: Law, policy: str, *, few: bool) -> None:
    arms, x = panel.arms, panel.x
    if arms.empty:
        say(axes, 0.5, 0.5, "no such arms")
        return
    look = look_of(policy)
    mean = arms["mean"].to_numpy()
    edge = np.array([x.min() / 1.4, x.max() * 1.4])
    axes.plot(edge, LIMIT * math.log(int(arms["horizon"].iloc[0])) * edge, **_LIMIT)
    axes.axhline(panel.level, color=LEVEL_COLOUR, linewidth=2.0, zorder=1)
    used = arms["arm"].isin(law.used).to_numpy()
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
        span = np.array([x[used].min(), x[used].max()])
        axes.plot(span, law.factor * span ** law.exponent[0], color="black", linewidth=1.2)
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
    table = summary_of(tables, metric="pulls")
    policy = in_order(table["policy"])[0]
    table = select(table, policy=policy)
    groups = [group for group in ROWS if group in set(table["group"])]
    rows = [in_order(select(table, group=group)["case"]) for group in groups]
    height, margin = (1.55, 0.8) if column else (2.05, 0.5)
    grid = CaseGrid(rows, height, margin=margin, column=column, turned=column, share_rows=True)
    for group, line, row in zip(groups, grid.lines, rows, strict=True):
        critical = group == "critical"
        kind = "critical" if critical else "non-critical"
        panels = [panel_of(select(table, case=case), critical=critical) for case in row]
        for number_, (axes, case, panel) in enumerate(zip(line, row, panels, strict=False), 1):
            _draw_panel(axes, panel, law_of(tables, case, group), policy, few=column)
            grid.title(axes, f"{kind} {'' if column else 'arms, case '}{number_}")
            axes.set_xlabel("1/Δ$_k^2$" if critical else "1/(Δ$_k$ − A$_k$)$^2$")
        shown = pd.concat([panel.arms for panel in panels])
        if not shown.empty:
            top = max(shown["mean"].max(), *(panel.level for panel in panels))
            line[0].set_ylim(shown["mean"].min() / (9 if column else 2), 3 * top)
    grid.label(y="Pulls N$_k$(T)")
    look = look_of(policy)
    point = {"marker": look.marker, "linestyle": "none", "color": look.colour, "markersize": 4}
    return grid.legend(
        [
            entry("arm off its level, used", **point),
            entry("arm not used", markerfacecolor="white", **point),
            entry("fluid prediction", **_PREDICTED),
            entry("power law with the exponent", color="black"),
            entry("fairness level τ$_k$T", color=LEVEL_COLOUR, linewidth=2.0),
            entry("limit 2 log T · x", **_LIMIT),
        ],
        2 if column else 3,
    )


def caption_values(tables: Mapping[str, str], _: Any) -> dict[str, Any]:
    """Return the policy, and the limits of the claims on the rows."""
    policies = in_order(summary_of(tables)["policy"])[:1]
    return {"policies": policies, "tolerance": TOLERANCE, "straight": STRAIGHT}
