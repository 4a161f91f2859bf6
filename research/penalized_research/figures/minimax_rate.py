"""Regret over sqrt(K T) on the worst gaps, with the bounds that are free of the gaps."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.figures.base import Drawing, Tables, Values, select, summary_of, worst
from penalized_replication.figures.panels import CaseGrid, draw_means, log_axes, policy_handles
from penalized_replication.figures.style import entry, look_of
from penalized_research.experiments.minimax import RATE, WORST
from penalized_research.theory import gap_free

LINES: dict[str, Values] = {
    "Theorem I": {"color": "0.25", "linestyle": "-"},
    "Theorem M": {"color": "0.25", "linestyle": (0, (4, 2))},
    "Theorem J": {"color": "0.25", "linestyle": (0, (1, 1))},
    "Theorem 4.8": {"color": "0.6", "linestyle": "-"},
}


def _worst(tables: Tables) -> pd.DataFrame:
    """Return the largest mean regret of each policy, sum of tau and horizon, for the largest K."""
    regret = summary_of(tables, "minimax_policies", metric="penalized_regret", group=WORST)
    most = regret[regret["n_arms"] == regret["n_arms"].max()]
    return worst(most, "total_fairness", "policy", "horizon")


def _bounds(rows: pd.DataFrame, span: FloatArray) -> dict[str, FloatArray]:
    """Return the bounds over sqrt(K T), with equal fractions, rates of 0.3 and no gaps."""
    arms = int(rows["n_arms"].iloc[0])
    bandit = instance_of(np.zeros(arms), float(rows["total_fairness"].iloc[0]) / arms, RATE)
    bounds = (
        gap_free.upper_bound_i(bandit, span),
        gap_free.upper_bound_m(bandit, span),
        gap_free.lower_bound_j(bandit.fairness, RATE, span),
        gap_free.bernoulli_bound_4_8(bandit.fairness, np.maximum(span, 16 * (arms - 1))),
    )
    return {name: of / np.sqrt(arms * span) for name, of in zip(LINES, bounds, strict=True)}


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    horizons = sorted({int(t) for t in rows["horizon"]})
    span = np.geomspace(horizons[0], horizons[-1], 60)
    for name, heights in _bounds(rows, span).items():
        shown = np.where(heights > 0, heights, np.nan)
        axes.plot(span, shown, linewidth=1.0, zorder=1, **LINES[name])
    for policy in rows["policy"].unique():
        points = select(rows, policy=policy).sort_values("horizon")
        unit = np.sqrt((points["n_arms"] * points["horizon"]).to_numpy(dtype=np.float64))
        style = {"zorder": 3, "elinewidth": None, **look_of(policy).style}
        draw_means(axes, points["horizon"], points, unit, **style)
    log_axes(axes, horizons)


def caption_values(tables: Tables) -> Values:
    """Return the first and the last horizon, and the growth of R / sqrt(K T) by policy."""
    rows = _worst(tables)
    ends = [int(rows["horizon"].min()), int(rows["horizon"].max())]
    first, last = (
        select(rows, horizon=end).set_index(["policy", "total_fairness"])["mean"] / end**0.5
        for end in ends
    )
    growth = (last / first).groupby("policy").agg(["min", "max"])
    return {"horizons": ends, "growth": growth.loc[rows["policy"].unique()]}


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each total of the fractions, of the largest number of arms."""
    rows = _worst(tables)
    totals = sorted(rows["total_fairness"].unique())
    grid = CaseGrid([totals], 2.6, margin=0.9, column=column, sharey=True)
    for axes, total in grid:
        own = select(rows, total_fairness=total)
        _panel(axes, own)
        grid.title(axes, f"K = {int(own['n_arms'].iloc[0])}, Σ τ = {total:g}")
    grid.label("Horizon T (rounds)", "R(T) / √(K T)")
    marks = [entry(name, **style) for name, style in LINES.items()]
    return grid.legend([*policy_handles(rows), *marks], 2 if column else 4)
