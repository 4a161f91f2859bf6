"""Figure 4: pulls of an arm against its inverse squared gap, Setting 4."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.common.numbers import WORDS
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.limits import PULLS
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.paper.figure_4 import TOLERANCE
from penalized_replication.figures import base
from penalized_replication.figures.base import Tables, comparisons_of, ends_of, select, summary_of
from penalized_replication.figures.panels import CaseGrid, Drawing, draw_means, plain_ticks, say
from penalized_replication.figures.style import GREY, LEVEL_COLOUR, VERMILION, entry, look_of, tidy

_PREDICTED: dict[str, Any] = {"color": VERMILION, "linestyle": "none", "zorder": 5}
_PREDICTED |= {"marker": "_", "markersize": 12, "markeredgewidth": 1.2}
_LIMIT: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 0.8}
ROWS = {"noncritical": "C29", "critical": "C30"}  # groups of cases, and the claims on them
_NOTHING = Comparison(estimate=math.nan, low=math.nan, high=math.nan, status="undecided")


def _words(exponent: Comparison, *, short: bool) -> str:
    if math.isnan(exponent.estimate):
        return f"too few arms{'' if short else ' off the level'}" if exponent.reason else ""
    ends = f"[{exponent.low:.3f}, {exponent.high:.3f}]"
    return f"slope in\n{ends}" if short else f"{WORDS} interval {ends}"


def _slope(exponent: Comparison) -> str:
    """Return the slope for a title, and that of proportion if the interval excludes it."""
    if math.isnan(exponent.estimate):
        return ""
    other = exponent.low > 1 or exponent.high < 1
    return f": slope {exponent.estimate:.2f}{', not 1' if other else ''}"


def arms_of(table: pd.DataFrame, *, critical: bool) -> pd.DataFrame:
    """Return the arms of a case that its row of the figure is about.

    New columns are ``x``, 1/(Delta_k - A_k)^2 of non-critical arms or 1/Delta_k^2 of critical
    ones; ``level``, tau_k T, and ``predicted``, the fluid prediction, in pulls.
    """
    table = table.sort_values("arm")
    bandit, horizon = base.bandit_of(table), table["horizon"]
    arms = bandit.critical if critical else bandit.non_critical
    distance = table["gap"] - (0 if critical else table["penalty_rate"])
    return table.assign(
        x=1 / distance.where(arms) ** 2,
        level=table["fairness_fraction"] * horizon,
        predicted=predicted_pulls(bandit, int(horizon.iloc[0])),
    )[arms]


def _draw_panel(
    axes: Axes, arms: pd.DataFrame, exponent: Comparison, policy: str, *, few: bool
) -> None:
    if arms.empty:
        say(axes, 0.5, 0.5, "no such arms")
        return
    edge = np.array([arms["x"].min() / 1.4, arms["x"].max() * 1.4])
    if policy == PAPER_POLICY:  # the prediction is of its rule
        axes.plot(edge, PULLS * math.log(arms["horizon"].iloc[0]) * edge, **_LIMIT)
        axes.plot(arms["x"], arms["predicted"], **_PREDICTED)
    axes.axhline(arms["level"].iloc[0], color=LEVEL_COLOUR, linewidth=2.0, zorder=1)
    pairs = zip(exponent.values.get("arms", ()), exponent.values.get("used", ()), strict=True)
    fitted = [] if math.isnan(exponent.estimate) else [arm for arm, off in pairs if off]
    used = arms["arm"].isin(fitted)
    for rows, face in ((arms[used], look_of(policy).colour), (arms[~used], "white")):
        if not rows.empty:
            draw_means(axes, rows["x"], rows, markerfacecolor=face, **_points(policy))
    if used.any():
        span = np.array([arms["x"][used].min(), arms["x"][used].max()])
        line = exponent.values["factor"] * span**exponent.estimate
        axes.plot(span, line, color="black", linewidth=1.2)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
    words = _words(exponent, short=few)
    say(axes, 0.98, 0.04, words, ha="right", fontsize=6.5, bbox=box, zorder=6)
    axes.set(xscale="log", yscale="log", xlim=edge)
    plain_ticks(axes.xaxis, few=few)
    plain_ticks(axes.yaxis)
    tidy(axes)


def _points(policy: str) -> dict[str, Any]:
    return look_of(policy).style | {"linestyle": "none", "markersize": 4}


def _policy_of(table: pd.DataFrame) -> str:
    """Return the policy that is drawn: the one that the claims are about, or the first one."""
    policies = [*table["policy"].unique()]
    return PAPER_POLICY if PAPER_POLICY in policies else policies[0]


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw non-critical cases above and critical ones below; in one column left and right."""
    table = summary_of(tables, metric="pulls")
    policy = _policy_of(table)
    table = select(table, policy=policy)
    groups = [group for group in ROWS if group in set(table["group"])]
    rows = [select(table, group=group)["case"].unique() for group in groups]
    height, margin = (1.55, 0.8) if column else (2.05, 0.5)
    grid = CaseGrid(rows, height, margin=margin, column=column, sharey="row")
    for group, line, row in zip(groups, grid.lines, rows, strict=True):
        critical, claim = group == "critical", comparisons_of(tables, ROWS[group])
        kind = "critical" if critical else "non-critical"
        panels = [arms_of(select(table, case=case), critical=critical) for case in row]
        exponents = {one.case: one for one in claim if policy == PAPER_POLICY}
        for number, (axes, case, arms) in enumerate(zip(line, row, panels, strict=False), 1):
            exponent = exponents.get(case, _NOTHING)
            _draw_panel(axes, arms, exponent, policy, few=column)
            grid.title(axes, f"{kind} {number}{_slope(exponent)}", fontsize=6 if column else 7.5)
            axes.set_xlabel("1/Δ²" if critical else "1/(Δ − A)²")
        shown = pd.concat(panels)
        if not shown.empty:
            top = max(shown["mean"].max(), shown["level"].max())
            line[0].set_ylim(shown["mean"].min() / (9 if column else 2), 3 * top)
    grid.label(y="Pulls N(T) of an arm")
    handles = [
        entry("arm off its level, used", **_points(policy)),
        entry("arm not used", markerfacecolor="white", **_points(policy)),
        entry("fluid prediction", **_PREDICTED),
        entry("power law with the slope", color="black"),
        entry("fairness level τT", color=LEVEL_COLOUR, linewidth=2.0),
        entry("limit 2 log T · x, slope 1", **_LIMIT),
    ]
    return grid.legend(handles, 2 if column else 3)


def caption_values(tables: Tables) -> dict[str, Any]:
    """Return the policy, the tolerance, and the ends of slopes and of R² through the origin."""
    exponents = [one for claim in ROWS.values() for one in comparisons_of(tables, claim)]
    slopes = (one.estimate for one in exponents if not math.isnan(one.estimate))
    lines = [one.values for one in exponents if "r_squared" in one.values]
    return {
        "policies": [_policy_of(summary_of(tables))],
        "tolerance": TOLERANCE,
        "slopes": ends_of(slopes, ".2f"),
        "r_squared": ends_of([line["r_squared"] for line in lines], ".3f"),
        "of_square_root": ends_of([line["of_square_root"] for line in lines], ".3f"),
    }
