"""Regret over the lower bounds of Theorems 4.6, 4.7 and 4.8."""

import math

import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.figures import base, panels
from penalized_replication.figures.case_grid import CaseGrid, Drawing
from penalized_replication.figures.style import LEVEL_COLOUR, entry, look_of, tidy

_BOUND: base.Values = {"color": "black", "linewidth": 0.9, "linestyle": (0, (4, 2))}
_LIMIT: base.Values = {"color": LEVEL_COLOUR, "linewidth": 0.9, "linestyle": (0, (1, 1.5))}
CONSTRUCTIONS = {"4.6": "C16", "4.7": "C17"}
"""Theorems with a deterministic construction, and the claims on them."""


def construction(tables: base.Tables, theorem: str) -> pd.DataFrame:
    """Return by horizon the least ratio of an arm's own regret to its bound, as measured.

    Beside the ``ratio`` are its ``limit``, and whether the proof's assumptions hold.
    """
    parts = base.claim_of(tables, "small_studies_claims", CONSTRUCTIONS[theorem]).parts
    known = (part for part in parts if not math.isnan(part.estimate))
    rows = [(p.horizon, p.estimate, p.asymptote, p.status != "vacuous") for p in known]
    return pd.DataFrame(rows, columns=["horizon", "ratio", "limit", "assumed"])


def two_instances(tables: base.Tables) -> pd.DataFrame:
    """Return by policy and horizon the larger regret in two instances over its bound."""
    parts = base.claim_of(tables, "small_studies_claims", "C18").parts
    rows = [(p.policy, p.horizon, p.estimate, p.low, p.high) for p in parts if p.policy]
    points = pd.DataFrame(rows, columns=["policy", "horizon", "mean", "ci_low", "ci_high"])
    # One replicate has an infinite interval, which is drawn as none.
    return points.replace([math.inf, -math.inf], math.nan)


def _deterministic(axes: Axes, points: pd.DataFrame) -> None:
    look = look_of(PAPER_POLICY)
    if points.empty:
        panels.say(axes, 0.5, 0.5, f"{look.label}:\nno run, or a bound of 0", va="center")
        return
    axes.plot(points["horizon"], points["ratio"], color=LEVEL_COLOUR, linewidth=0.8, zorder=2)
    held = points["assumed"].astype(bool)
    axes.plot(points["horizon"][held], points["ratio"][held], color=look.colour, zorder=3)
    marks = {"marker": look.marker, "markersize": 4, "linestyle": "none", "zorder": 4}
    for some, colour, face in ((held, look.colour, look.colour), (~held, LEVEL_COLOUR, "white")):
        rows = points[some]
        axes.plot(rows["horizon"], rows["ratio"], color=colour, markerfacecolor=face, **marks)
    limit = float(points["limit"].iloc[-1])
    axes.axhline(limit, **_LIMIT, zorder=2)
    axes.set_ylim(0, 1.12 * max(points["ratio"].max(), limit))
    panels.horizon_axis(axes, points["horizon"].tolist())
    tidy(axes)


def _policies(axes: Axes, points: pd.DataFrame) -> None:
    if points.empty:
        panels.say(axes, 0.5, 0.5, "not measured", va="center")
        return
    policies = base.in_order(points["policy"])
    for place, policy in enumerate(policies):
        rows = base.select(points, policy=policy)
        # Side by side, as several agree.
        shift = 1.05 ** (2 * place - len(policies) + 1)
        look = {**look_of(policy).style, "markersize": 3.4, "linewidth": 0.9, "zorder": 3}
        panels.draw_means(axes, rows["horizon"] * shift, rows, **look)
    axes.set_yscale("log")
    axes.set_ylim(0.7, 1.4 * float(points[["mean", "ci_high"]].max().max()))
    panels.plain_ticks(axes.yaxis)
    panels.horizon_axis(axes, points["horizon"].tolist())
    axes.set_xlim(points["horizon"].min() / 1.6, points["horizon"].max() * 1.6)
    tidy(axes)


def draw(tables: base.Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each theorem."""
    noisy = base.summary_of(tables, "two_instances")
    height, margin = (1.8, 0.9) if column else (2.75, 0.0)
    grid = CaseGrid([[*CONSTRUCTIONS, "4.8"]], height, margin=margin, column=column)
    for axes, theorem in grid:
        if theorem in CONSTRUCTIONS:
            _deterministic(axes, construction(tables, theorem))
            grid.title(axes, f"Theorem {theorem}")
        else:
            _policies(axes, two_instances(tables))
            grid.title(axes, f"Theorem {theorem}, two instances")
    for axes, _ in grid:
        axes.axhline(1, **_BOUND, zorder=2)
    grid.label(y="Regret of an arm/its bound")
    grid.axes[-1, -1].set_ylabel("Regret/bound")
    marker = {"marker": look_of(PAPER_POLICY).marker, "markerfacecolor": "white"}
    open_point = entry("proof's assumptions not met", color=LEVEL_COLOUR, **marker)
    lines = entry("bound", **_BOUND), entry("limit as T → ∞", **_LIMIT)
    return grid.legend([*panels.policy_handles(noisy), open_point, *lines], 2 if column else 5)


def caption_values(tables: base.Tables, _: object) -> base.Values:
    """Return what the ratios of the constructions tend to."""
    limits = [construction(tables, theorem)["limit"] for theorem in CONSTRUCTIONS]
    pairs = zip("ab", limits, strict=True)
    shown = [f"{format_number(x.iloc[-1])} in ({at})" for at, x in pairs if len(x)]
    return {"limits": shown}
