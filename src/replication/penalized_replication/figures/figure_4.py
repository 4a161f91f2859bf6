"""Figure 4: pulls of an arm against its inverse squared gap, and their slope, Setting 4."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import PULLS
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.paper.figure_4 import OFF, TOLERANCE, theil_slopes
from penalized_replication.figures import base, panels
from penalized_replication.figures.base import Tables, Values, select
from penalized_replication.figures.style import GREY, LEVEL_COLOUR, SHADE, entry, look_of, tidy

_PREDICTED: Values = {"color": "black", "linestyle": "none", "zorder": 5}
_PREDICTED |= {"marker": "_", "markersize": 11, "markeredgewidth": 1.0}
_LIMIT: Values = {"color": GREY, "linestyle": (0, (4, 2)), "linewidth": 0.8}
_SLOPES: tuple[Values, ...] = ({"color": "black"}, {"color": GREY, "linestyle": (0, (1, 1.2))})
"""Looks of predicted slopes with fairness levels and without."""
ROWS = {"noncritical": "C29", "critical": "C30"}  # groups of cases, and the claims on them
HORIZONS = np.geomspace(1e4, 1e7, 25)
"""Horizons of predicted slopes: nothing is simulated there."""
_NOTHING = Comparison(estimate=math.nan, low=math.nan, high=math.nan, status="undecided")
Panel = tuple[pd.DataFrame, Comparison]  # arms of a case, as of `arms_of`, and their slope


def arms_of(table: pd.DataFrame, exponent: Comparison = _NOTHING) -> pd.DataFrame:
    """Return the arms of a case; those that its row of the figure is about have ``x``.

    New columns are ``x``, 1/(Delta_k - A_k)^2 of non-critical arms or 1/Delta_k^2 of critical
    ones; ``level``, tau_k T; ``predicted``, the fluid prediction, in pulls; and ``used``, whether
    the measured slope is of this arm.
    """
    critical = table["group"].iloc[0] == "critical"
    table = table.sort_values("arm")
    bandit, horizon = base.bandit_of(table), table["horizon"]
    arms = bandit.critical if critical else bandit.non_critical
    distance = table["gap"] - (0 if critical else table["penalty_rate"])
    pairs = zip(exponent.values.get("arms", ()), exponent.values.get("used", ()), strict=True)
    fitted = [] if math.isnan(exponent.estimate) else [arm for arm, off in pairs if off]
    return table.assign(
        x=1 / distance.where(arms) ** 2,
        level=table["fairness_fraction"] * horizon,
        predicted=predicted_pulls(bandit, int(horizon.iloc[0])),
        used=table["arm"].isin(fitted),
    )


def slopes_of(table: pd.DataFrame) -> list[FloatArray]:
    """Return predicted slopes at `HORIZONS` of the arms used, or all: NaN if one is on its level.

    Those of critical arms are there without levels too, which for large T are above what
    exploration takes.
    """
    bandit = base.bandit_of(table)
    fitted = table[table["used"]] if table["used"].any() else table.dropna(subset="x")
    which, log_x = fitted["arm"].to_numpy(int) - 1, np.log(fitted["x"].to_numpy(float))
    kinds = [bandit.fairness, np.zeros(bandit.n_arms)][: 1 + bool(bandit.critical[which].all())]
    found: list[FloatArray] = []
    for fairness in kinds if np.unique(log_x).size > 1 else ():
        held = instance_of(bandit.means, fairness, bandit.penalties)
        pulls = np.array([predicted_pulls(held, t)[which] for t in HORIZONS])
        levels = HORIZONS[:, None] * fairness[which]
        off = (np.abs(pulls - levels) > OFF * levels).all(axis=1)
        found.append(np.where(off, theil_slopes(np.log(pulls), log_x), np.nan))
    return found


def _draw_panel(axes: Axes, table: pd.DataFrame, exponent: Comparison, policy: str) -> None:
    if (arms := table.dropna(subset="x")).empty:
        panels.say(axes, 0.5, 0.5, "no such arms")
        return
    edge = np.array([arms["x"].min() / 1.4, arms["x"].max() * 1.4])
    if policy == PAPER_POLICY:  # the prediction is of its rule
        axes.plot(edge, PULLS * math.log(arms["horizon"].iloc[0]) * edge, **_LIMIT)
        axes.plot(arms["x"], arms["predicted"], **_PREDICTED)
    axes.axhline(arms["level"].iloc[0], color=LEVEL_COLOUR, linewidth=2.0, zorder=1)
    used, colour = arms["used"], look_of(policy).colour
    for rows, face in ((arms[used], colour), (arms[~used], "white")):
        if not rows.empty:
            panels.draw_means(axes, rows["x"], rows, markerfacecolor=face, **_points(policy))
    words = "too few arms\noff the level" if exponent.reason else ""
    if used.any():
        span = np.array([arms["x"][used].min(), arms["x"][used].max()])
        axes.plot(span, exponent.values["factor"] * span**exponent.estimate, color=colour)
        words = f"slope {exponent.estimate:.3f}\n[{exponent.low:.3f}, {exponent.high:.3f}]"
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
    panels.say(axes, 0.98, 0.04, words, ha="right", fontsize=6.5, bbox=box, zorder=6)
    axes.set(xscale="log", yscale="log", xlim=edge)
    panels.plain_ticks(axes.xaxis, few=True)
    panels.plain_ticks(axes.yaxis)
    tidy(axes)


def _points(policy: str) -> Values:
    return look_of(policy).style | {"linestyle": "none", "markersize": 4}


def rows_of(tables: Tables) -> tuple[str, dict[str, list[Panel]]]:
    """Return the policy drawn, which is the paper's or the first, and the panels of each group."""
    table = base.summary_of(tables, metric="pulls")
    policies = table["policy"].unique()
    policy = PAPER_POLICY if PAPER_POLICY in policies else policies[0]
    rows: dict[str, list[Panel]] = {}
    for group, claim in ROWS.items():
        exponents = {one.case: one for one in base.comparisons_of(tables, claim)}
        for case, some in select(table, policy=policy, group=group).groupby("case", sort=False):
            exponent = exponents.get(str(case), _NOTHING) if policy == PAPER_POLICY else _NOTHING
            rows.setdefault(group, []).append((arms_of(some, exponent), exponent))
    return str(policy), rows


def draw(tables: Tables, *, column: bool = False) -> base.Drawing:
    """Draw non-critical cases above and critical ones below; in one column left and right.

    The last panel of each has slopes against T, which are predicted for the paper's policy.
    """
    policy, rows = rows_of(tables)
    panel_rows = [[*row, "slopes"] if policy == PAPER_POLICY else row for row in rows.values()]
    height, margin = (1.55, 0.8) if column else (2.05, 0.5)
    grid = panels.CaseGrid(panel_rows, height, margin, column)
    grid.label_rows(*["Pulls N(T) of an arm"] * len(rows))
    for (group, row), line in zip(rows.items(), grid.lines, strict=True):
        kind, x = ("critical", "1/Δ²") if group == "critical" else ("non-critical", "1/(Δ − A)²")
        for number, (axes, (table, exponent)) in enumerate(zip(line, row, strict=False), 1):
            if number > 1:
                axes.sharey(line[0])
                axes.tick_params(labelleft=column)
            _draw_panel(axes, table, exponent, policy)
            grid.title(axes, f"{kind} {number}")
            axes.set_xlabel(x)
        shown = pd.concat([table for table, _ in row]).dropna(subset="x")
        if not shown.empty:
            top = max(shown["mean"].max(), shown["level"].max())
            line[0].set_ylim(shown["mean"].min() / 9, 3 * top)
        if policy == PAPER_POLICY:
            last = line[len(row)]
            last.axhspan(1 - TOLERANCE, 1 + TOLERANCE, color=SHADE, linewidth=0, zorder=0.5)
            for table, exponent in row:
                for slopes, look in zip(slopes_of(table), _SLOPES, strict=False):
                    last.plot(HORIZONS, slopes, linewidth=0.9, **look)
                if table["used"].any():
                    at = table["horizon"].iloc[:1]
                    ends = {"mean": exponent.estimate, "ci_low": exponent.low}
                    ends |= {"ci_high": exponent.high}
                    panels.draw_means(last, at, pd.DataFrame(ends, at.index), **_points(policy))
            last.set_ylim(0.4, 1.15)
            panels.horizon_axis(last, HORIZONS.tolist())
            tidy(last)
            grid.title(last, f"slopes, {kind}")
            last.set(xlabel="Horizon T (rounds)", ylabel="Slope")
    handles = [
        entry("arm off its level, used", **_points(policy)),
        entry("arm not used", markerfacecolor="white", **_points(policy)),
        entry("power law with the slope", color=look_of(policy).colour),
        entry("fairness level τT", color=LEVEL_COLOUR, linewidth=2.0),
        entry("fluid prediction", color="black"),
        entry("limit 2 log T · x, slope 1", **_LIMIT),
        entry("predicted without levels", **_SLOPES[1]),
    ]
    return grid.legend(handles, 2 if column else 4)


def caption_values(tables: Tables) -> Values:
    """Return the policy, the tolerance, and ends of slopes: measured; predicted at the last T."""
    policy, rows = rows_of(tables)
    every = [panel for row in rows.values() for panel in row]
    last = (x[-1] for t, _ in every if policy == PAPER_POLICY for x in slopes_of(t)[:1])
    measured = (exponent.estimate for table, exponent in every if table["used"].any())
    return {
        "policies": [policy],
        "tolerance": TOLERANCE,
        "slopes": base.ends_of(measured, ".2f"),
        "late": base.ends_of((slope for slope in last if slope > 0), ".2f"),
    }
