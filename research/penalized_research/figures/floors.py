"""Regret under hard floors, over what the water level and the soft level allow."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_replication.figures.base import Drawing, Tables, Values, select, summary_of, worst
from penalized_replication.figures.panels import CaseGrid, draw_means, policy_handles
from penalized_replication.figures.style import entry, look_of, tidy
from penalized_research.experiments.floors import EQUAL, ONE, STUDIES, fractions_of
from penalized_research.theory.floors import soft_level, water_level

KINDS = {EQUAL: ("equal floors", "full", 0.93), ONE: ("one arm has all", "none", 1.07)}
"""Words, the marker's face and its place beside K, by how the floors are shared."""
BOUND: Values = {"color": "0.4", "linewidth": 1.0, "zorder": 1}
UPPER: Values = {**BOUND, "linestyle": (0, (4, 2))}


def _worst(tables: Tables) -> pd.DataFrame:
    """Return the row of the largest mean over gaps and rates, for each bandit's floors.

    New columns are the units, delta T min(1, w^-1/2) and delta T min(1, eps*), eq. (11).
    """
    regret = summary_of(tables, *STUDIES, metric="penalized_regret")
    last = select(regret, horizon=int(regret["horizon"].max()))
    rows = worst(last, "group", "n_arms", "total_fairness", "policy")
    free = 1 - rows["total_fairness"]
    taus = [fractions_of(*of) for of in zip(rows["group"], rows["n_arms"], free, strict=True)]
    bandits = list(zip(taus, rows["horizon"], strict=True))
    water = [min(1.0, water_level(*bandit) ** -0.5) for bandit in bandits]
    soft = [min(1.0, soft_level(*bandit)) for bandit in bandits]
    free *= rows["horizon"]
    return rows.assign(water=free * water, soft=free * soft)


def _panel(axes: Axes, rows: pd.DataFrame, place: int) -> None:
    for policy, (kind, (_, face, beside)) in product(rows["policy"].unique(), KINDS.items()):
        of = select(rows, policy=policy, group=kind)
        if not of.empty:
            look = look_of(policy).style | {"linestyle": "none", "fillstyle": face}
            unit = of[("water", "soft")[place]]
            draw_means(axes, of["n_arms"] * beside, of, unit, **look)
    arms = np.geomspace(rows["n_arms"].min(), rows["n_arms"].max(), 40)
    # Theorem P; its upper bound by eq. (12), w eps*^2 at most max(2, log 4K).
    widest = np.sqrt(np.maximum(2.0, np.log(4 * arms)))
    lower, upper = ((1 / 45, 6.4 + 1.42 * widest), (1 / 110, 6.4 / np.log(2) ** 0.5 + 1.42))[place]
    axes.plot(arms, np.full_like(arms, lower), **BOUND)
    axes.plot(arms, upper * np.ones_like(arms), **UPPER)
    axes.set(xscale="log", yscale="log")
    counts = sorted(set(rows["n_arms"]))
    axes.set_xticks(counts, [f"{count:,}" for count in counts])
    axes.minorticks_off()
    tidy(axes)


def caption_values(tables: Tables) -> Values:
    """Return by policy the least and the largest regret over delta T / sqrt(w)."""
    rows = _worst(tables)
    ends = (rows["mean"] / rows["water"]).groupby(rows["policy"]).agg(["min", "max"])
    return {"ends": ends.loc[rows["policy"].unique()]}


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw the two units of Theorem P side by side."""
    rows = _worst(tables).query("mean > 0")
    grid = CaseGrid([["water level", "soft level"]], 2.6, margin=0.9, column=column, sharey=True)
    for place, (axes, name) in enumerate(grid):
        _panel(axes, rows, place)
        grid.title(axes, f"unit: δT {('/ √w', 'ε*')[place]} ({name})")
    grid.label("Number of arms K", "Worst regret / unit")
    shape = {"color": "black", "marker": "o", "linestyle": "none"}
    handles = [entry(text, fillstyle=face, **shape) for text, face, _ in KINDS.values()]
    bounds = [entry("lower bound", **BOUND), entry("main term of due first's bound", **UPPER)]
    policies = policy_handles(rows, linestyle="none")
    return grid.legend([*policies, *handles, *bounds], 2 if column else 3)
