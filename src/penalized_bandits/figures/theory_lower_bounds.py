"""Regret over the lower bounds of Theorems 4.6, 4.7 and 4.8."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.claims.measures.constructions import Theorem, due, own_regrets
from penalized_bandits.common.numbers import shown
from penalized_bandits.figures.base import (
    CaptionContext,
    in_order,
    joined,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import bars_of, horizon_axis, panel_grid, plain_ticks, say
from penalized_bandits.figures.style import (
    LEVEL_COLOUR,
    entry,
    figure_legend,
    look_of,
    panel_title,
    policy_handle,
    thousands,
    tidy,
)
from penalized_bandits.figures.theory_instances import bandit_of
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.bounds import lower_bound_4_8

_BOUND: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (4, 2))}
_LIMIT: dict[str, Any] = {"color": LEVEL_COLOUR, "linewidth": 0.9, "linestyle": (0, (1, 1.5))}
CONSTRUCTIONS: dict[str, Theorem] = {"4.6": "4_6", "4.7": "4_7"}


def construction(table: pd.DataFrame, theorem: str) -> pd.DataFrame:
    """Return by horizon what claims C16 and C17 measure.

    That is the least ``ratio`` of an arm's own regret, its part of eq. (10), to its part of the
    bound, ``limit``, what the ratio tends to, and whether the proof's assumptions hold.
    """
    wanted = table["case"].str.startswith(f"theorem_{CONSTRUCTIONS[theorem]}_")
    rows = []
    for horizon, found in table[wanted & (table["policy"] == PAPER_POLICY)].groupby("horizon"):
        bandit, time = bandit_of(found), int(str(horizon))
        owed = due(CONSTRUCTIONS[theorem], bandit, time)
        said = owed.bound > 0
        if not said.any():
            continue
        pulls = select(found, metric="pulls").sort_values("arm")["mean"].to_numpy()
        ratios = own_regrets(pulls, bandit, time)[owed.arms][said] / owed.bound[said]
        # In the end an arm is pulled 2 log T/margin^2 times, twice what the theorem says.
        limits = 1 + (owed.margin * owed.least)[said] / owed.bound[said]
        rows.append((time, ratios.min(), limits.min(), owed.assumed))
    return pd.DataFrame(rows, columns=["horizon", "ratio", "limit", "assumed"])


def two_instances(table: pd.DataFrame) -> pd.DataFrame:
    """Return the worse of the two instances of Theorem 4.8, over the bound.

    The second is that in which the arm that the policy pulls least in the first is better.
    """
    rows = []
    for (policy, horizon), found in table.groupby(["policy", "horizon"], sort=False):
        first = select(found, case=f"T{horizon}_first")
        pulls = select(first, metric="pulls").sort_values("arm")
        others = pulls[pulls["arm"] >= 2]
        least = int(others.sort_values("mean", kind="stable")["arm"].iloc[0])
        second = select(found, case=f"T{horizon}_arm{least}")
        both = select(pd.concat([first, second]), metric="penalized_regret")
        worse = both.sort_values("mean").iloc[-1]
        bound = float(lower_bound_4_8(bandit_of(first).fairness, float(str(horizon))))
        values = {name: worse[name] / bound for name in ("mean", "ci_low", "ci_high")}
        rows.append({"policy": policy, "horizon": horizon, **values})
    return pd.DataFrame(rows)


def _deterministic(axes: Axes, table: pd.DataFrame, theorem: str) -> None:
    points, look = construction(table, theorem), look_of(PAPER_POLICY)
    if points.empty:
        text = f"{look.label}:\nno run, or a bound of 0"
        say(axes, 0.5, 0.5, text, va="center")
        return
    axes.plot(points["horizon"], points["ratio"], color=LEVEL_COLOUR, linewidth=0.8, zorder=2)
    held = points[points["assumed"]]
    axes.plot(held["horizon"], held["ratio"], color=look.colour, zorder=3)
    for holds, colour in ((True, look.colour), (False, LEVEL_COLOUR)):
        some = points[points["assumed"] == holds]
        axes.plot(
            some["horizon"],
            some["ratio"],
            color=colour,
            marker=look.marker,
            markerfacecolor=colour if holds else "white",
            markersize=4,
            linestyle="none",
            zorder=4,
        )
    limit = float(points["limit"].iloc[-1])
    axes.axhline(limit, **_LIMIT, zorder=2)
    axes.set_ylim(0, 1.12 * max(points["ratio"].max(), limit))
    horizon_axis(axes, points["horizon"].tolist())
    tidy(axes)


def _policies(axes: Axes, table: pd.DataFrame) -> None:
    points = two_instances(table)
    policies = in_order(points["policy"])
    for place, policy in enumerate(policies):
        rows = select(points, policy=policy)
        # Side by side, as several agree.
        shift = 1.05 ** (2 * place - len(policies) + 1)
        axes.errorbar(
            rows["horizon"] * shift,
            rows["mean"],
            yerr=bars_of(rows),
            **look_of(policy).style,
            markersize=3.4,
            linewidth=0.9,
            elinewidth=0.8,
            zorder=3,
        )
    axes.set_yscale("log")
    axes.set_ylim(0.7, 1.4 * float(points[["mean", "ci_high"]].max().max()))
    plain_ticks(axes.yaxis)
    horizons = sorted(points["horizon"].unique())
    horizon_axis(axes, horizons)
    axes.set_xlim(horizons[0] / 1.6, horizons[-1] * 1.6)
    tidy(axes)


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each theorem."""
    exact, noisy = (summary_of(tables, name) for name in ("deterministic", "two_instances"))
    figure, grid = panel_grid(1, 3, 2.75)
    panels = grid[0]
    for number, theorem in enumerate(CONSTRUCTIONS):
        _deterministic(panels[number], exact, theorem)
        panel_title(panels[number], number, f"Theorem {theorem}")
    _policies(panels[2], noisy)
    panel_title(panels[2], 2, "Theorem 4.8, two instances")
    for axes in panels:
        axes.axhline(1, **_BOUND, zorder=2)
    panels[0].set_ylabel("Regret of an arm/its bound")
    panels[2].set_ylabel("Regret/bound")
    look = look_of(PAPER_POLICY)
    figure_legend(
        figure,
        [
            *(policy_handle(policy) for policy in in_order(noisy["policy"])),
            entry(
                "proof's assumptions not met",
                color=LEVEL_COLOUR,
                marker=look.marker,
                markerfacecolor="white",
            ),
            entry("bound", **_BOUND),
            entry("limit as T → ∞", **_LIMIT),
        ],
        columns=5,
    )
    return figure


def _limits(tables: Mapping[str, str]) -> str:
    """Say what the ratios of the constructions tend to."""
    exact = summary_of(tables, "deterministic")
    found = {theorem: construction(exact, theorem)["limit"] for theorem in CONSTRUCTIONS}
    said = [
        f"{shown(limit.iloc[-1])} in ({'ab'[place]})"
        for place, limit in enumerate(found.values())
        if len(limit)
    ]
    return f" As T → ∞ it tends to {joined(said)}." if said else ""


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = summary_of(tables, "two_instances")
    n = thousands(replicates_of(table))
    section = context.section["two_instances"]
    return (
        "**Regret over the lower bounds (Theorems 4.6 to 4.8).** Above the dashed line regret "
        "is at least the bound. (a), (b) Hard threshold on the bandits of the proofs, whose "
        "rewards have no noise, so that one run says all. The bounds are sums over arms, and "
        "each arm is held against its own part, as in claims C16 and C17: (a) non-critical arms, "
        "ΔN + A(τT − N)₊ − AτT over log T/(Δ − A); (b) critical arms, Δ(N − τT) + A(τT − N)₊ over "
        "Δ(log T/Δ² − τT). Drawn is the arm with the least ratio; the regret of other arms does "
        f"not count.{_limits(tables)} Open grey points: the horizon is too small for what the "
        "proof assumes, and the theorem says nothing. (c) "
        f"Gaussian rewards of variance 1, K = {section['arms']}, Σ τ$_k$ = "
        f"{section['fairness']:g}, A = {section['penalty']:g}. Each policy plays two bandits; in "
        "the second, the arm that it pulls least in the first is the best. Drawn is the larger of "
        "its two mean regrets over (1 − Σ τ$_k$)√((K − 1)T/2)/(8e), the bound with the constant "
        "that the proof gives; the paper's example constant makes the bound twice as large. "
        f"Points are means of {n} replicates, moved sideways a little where they would cover each "
        "other; bars are 95 % t-intervals; vertical axis logarithmic."
    )
