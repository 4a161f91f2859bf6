"""Regret under hard floors, over what the water level and the soft level allow."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.theory.floors import soft_level, water_level
from penalized_replication.experiments.extended.floors import EQUAL, ONE, STUDIES, fractions_of
from penalized_replication.figures.base import in_order, select, summaries_of
from penalized_replication.figures.case_grid import CaseGrid
from penalized_replication.figures.panels import draw_means, policy_handles
from penalized_replication.figures.style import entry, look_of, tidy

BESIDE = {EQUAL: 0.93, ONE: 1.07}
"""Places beside K, by how the floors are shared."""
BOUND: dict[str, Any] = {"color": "0.4", "linewidth": 1.0, "zorder": 1}
UPPER: dict[str, Any] = {**BOUND, "linestyle": (0, (4, 2))}
FACES = {EQUAL: "full", ONE: "none"}


def _worst(tables: Mapping[str, str]) -> pd.DataFrame:
    """Return the row of the largest mean over gaps and rates, for each bandit's floors."""
    regret = summaries_of(tables, STUDIES, metric="penalized_regret")
    last = select(regret, horizon=int(regret["horizon"].max()))
    order = last.sort_values("mean", ascending=False, kind="stable")
    return order.drop_duplicates(["group", "n_arms", "total_fairness", "policy"])


def _levels(row: Any) -> tuple[float, float]:
    """Return min(1, w^-1/2) and min(1, eps*), eq. (11)."""
    tau = fractions_of(row.group, row.n_arms, 1 - row.total_fairness)
    water, soft = water_level(tau, row.horizon), soft_level(tau, row.horizon)
    return min(1.0, water**-0.5), min(1.0, soft)


def _panel(axes: Axes, rows: pd.DataFrame, place: int) -> None:
    levels = np.array([_levels(row) for row in rows.itertuples()])
    free = ((1 - rows["total_fairness"]) * rows["horizon"]).to_numpy()
    for policy in in_order(rows["policy"]):
        for kind, beside in BESIDE.items():
            of = ((rows["policy"] == policy) & (rows["group"] == kind)).to_numpy()
            if not of.any():
                continue
            look = look_of(policy).style | {"linestyle": "none", "fillstyle": FACES[kind]}
            unit = free[of] * levels[of, place]
            draw_means(axes, rows["n_arms"][of] * beside, rows[of], unit, **look)
    arms = np.geomspace(rows["n_arms"].min(), rows["n_arms"].max(), 40)
    # Theorem P; its upper bound by eq. (12), w eps*^2 at most max(2, log 4K).
    widest = np.sqrt(np.maximum(2.0, np.log(4 * arms)))
    lower, upper = ((1 / 45, 6.4 + 1.42 * widest), (1 / 110, 6.4 / np.log(2) ** 0.5 + 1.42))[place]
    axes.plot(arms, np.full_like(arms, lower), **BOUND)
    axes.plot(arms, upper * np.ones_like(arms), **UPPER)
    axes.set_xscale("log")
    axes.set_yscale("log")
    counts = sorted(set(rows["n_arms"]))
    axes.set_xticks(counts, [f"{count:,}" for count in counts])
    axes.minorticks_off()
    tidy(axes)


def caption_values(tables: Mapping[str, str], _: object) -> dict[str, Any]:
    """Return by policy the least and the largest regret over delta T / sqrt(w)."""
    rows = _worst(tables)
    water = np.array([_levels(row)[0] for row in rows.itertuples()])
    over = rows["mean"] / ((1 - rows["total_fairness"]) * rows["horizon"] * water)
    ends = over.groupby(rows["policy"]).agg(["min", "max"])
    return {"ends": ends.loc[in_order(rows["policy"])]}


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw the two units of Theorem P side by side."""
    rows = _worst(tables)
    rows = rows[rows["mean"] > 0]
    grid = CaseGrid([["water level", "soft level"]], 2.6, margin=0.9, column=column, sharey=True)
    for place, (axes, name) in enumerate(grid):
        _panel(axes, rows, place)
        grid.title(axes, f"unit: δT {('/ √w', 'ε*')[place]} ({name})")
    grid.label("Number of arms K", "Worst regret / unit")
    shapes = {EQUAL: "equal floors", ONE: "one arm has all"}
    shape = {"color": "black", "marker": "o", "linestyle": "none"}
    handles = [entry(text, fillstyle=FACES[kind], **shape) for kind, text in shapes.items()]
    bounds = [entry("lower bound", **BOUND), entry("main term of due first's bound", **UPPER)]
    return grid.legend(
        [*policy_handles(rows, linestyle="none"), *handles, *bounds], 2 if column else 3
    )
