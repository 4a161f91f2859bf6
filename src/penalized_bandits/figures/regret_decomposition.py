"""Penalized regret arm class by arm class: what comes from over-pulling, what from penalties."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.experiments.names import case_name
from penalized_bandits.figures.base import (
    CaptionContext,
    in_order,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import bars_of, hide, label_edges, log_axes, panel_grid, say
from penalized_bandits.figures.style import (
    entry,
    figure_legend,
    look_of,
    panel_title,
    shades,
    thousands,
)

STUDIES = ("crossover", "movie_crossover")
LEAST = 1.0
"""Regret below this is not drawn; in units of reward."""
EXACT = 1e-6
"""How nearly the parts add up, as a share of the regret, where means are fixed."""
_DARK, _MIDDLE, _LIGHT = shades(3)
_PENALTY: Any = (0, (4, 1.5))
PARTS: dict[str, dict[str, Any]] = {
    "optimal arms: penalty": {"color": _DARK, "linestyle": _PENALTY, "marker": "v"},
    "critical arms: penalty": {"color": _MIDDLE, "linestyle": _PENALTY, "marker": "^"},
    "critical arms: over-pulling": {"color": _MIDDLE, "linestyle": "-", "marker": "o"},
    "non-critical arms: over-pulling": {"color": _LIGHT, "linestyle": "-", "marker": "s"},
}
"""What regret is made of, and how it is drawn: dashed what is paid for too few pulls."""
_TOTAL: dict[str, Any] = {"color": "#555555", "linewidth": 2.2, "alpha": 0.45}


def parts_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each part by policy and horizon, and the mean regret, ``total``.

    With N_k pulls, e_k = (N_k - tau_k T)_+ of them above the level and s_k = (tau_k T - N_k)_+
    short of it, the penalized regret of eq. (10) is a sum over arms, no term of it negative:

    - Delta_k = 0: A_k s_k, penalties;
    - critical, 0 < Delta_k <= A_k: (A_k - Delta_k) s_k, penalties less what the pulls would have
      cost, and Delta_k e_k, over-pulling;
    - non-critical, Delta_k > A_k: Delta_k e_k + (Delta_k - A_k) min(N_k, tau_k T), over-pulling.

    All terms are linear in N_k and s_k, so that mean pulls and shortfalls are enough where the
    means of the arms are fixed.
    """
    arms = table[table["arm"].notna()]
    by = ["policy", "horizon", "arm", "gap", "penalty_rate", "fairness_fraction"]
    wide = arms.pivot_table(index=by, columns="metric", values="mean", sort=False).reset_index()
    gap, rate = wide["gap"].round(12), wide["penalty_rate"].round(12)
    level, short = wide["fairness_fraction"] * wide["horizon"], wide["arm_unfairness"]
    above = wide["pulls"] - level + short
    critical, other = (gap > 0) & (gap <= rate), gap > rate
    values = (
        rate * short * (gap == 0),
        (rate - gap) * short * critical,
        gap * above * critical,
        (gap * above + (gap - rate) * (level - short)) * other,
    )
    wide = wide.assign(**dict(zip(PARTS, values, strict=True)))
    found = wide.groupby(["policy", "horizon"], sort=False)[list(PARTS)].sum()
    regret = select(table, metric="penalized_regret").set_index(["policy", "horizon"])["mean"]
    return found.assign(total=regret).reset_index()


def decomposed(tables: Mapping[str, str]) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Return rows and parts of one case of each setting, by case.

    Where means are drawn anew in each replicate their averages say nothing of the parts: those do
    not add up to the regret, and the case is left out.
    """
    found: dict[str, tuple[pd.DataFrame, pd.DataFrame]] = {}
    settings: set[str] = set()
    for study in STUDIES:
        for case, rows in summary_of(tables, study).groupby("case", sort=False):
            setting = "_".join(str(case).split("_")[:2])
            if setting in settings:
                continue
            parts = parts_of(rows)
            if np.allclose(parts[list(PARTS)].sum(axis=1), parts["total"], rtol=EXACT, atol=EXACT):
                settings.add(setting)
                found[str(case)] = (rows, parts)
    return found


def _panel(axes: Axes, rows: pd.DataFrame, parts: pd.DataFrame) -> None:
    regret = select(rows, metric="penalized_regret").sort_values("horizon")
    axes.errorbar(regret["horizon"], regret["mean"], yerr=bars_of(regret), **_TOTAL, zorder=2)
    for name, style in PARTS.items():
        line = parts[parts[name] >= LEAST].sort_values("horizon")
        axes.plot(line["horizon"], line[name], **style, markersize=2.6, linewidth=1.0, zorder=3)


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each case (rows) and policy (columns)."""
    cases = decomposed(tables)
    if not cases:
        figure, grid = panel_grid(1, 1, 1.0)
        hide(grid.flat)
        say(grid[0, 0], 0.5, 0.5, "no bandits with fixed means")
        return figure
    every = pd.concat([rows for rows, _ in cases.values()])
    policies = in_order(every["policy"])
    figure, grid = panel_grid(
        len(cases), len(policies), 0.6 + 1.6 * len(cases), sharex=True, sharey="row"
    )
    for place, (case, (rows, parts)) in enumerate(cases.items()):
        row = grid[place]
        for column, (policy, axes) in enumerate(zip(policies, row, strict=True)):
            _panel(axes, select(rows, policy=policy), select(parts, policy=policy))
            log_axes(axes, sorted(rows["horizon"].unique()))
            title = look_of(policy).label if place == 0 else ""
            panel_title(axes, place * len(policies) + column, title)
        row[0].set_ylim(LEAST, 2 * select(rows, metric="penalized_regret")["mean"].max())
        row[0].annotate(
            case_name(case), (0.04, 0.95), xycoords="axes fraction", va="top", fontsize=6.5
        )
    label_edges(grid, "Horizon T (rounds)", "Regret, by part")
    seen = pd.concat([parts for _, parts in cases.values()])
    handles = [
        entry(name, **style, markersize=3)
        for name, style in PARTS.items()
        if (seen[name] >= LEAST).any()
    ]
    figure_legend(figure, [*handles, entry("penalized regret R(T)", **_TOTAL)], columns=3)
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    del context
    n, of_movies = (thousands(replicates_of(summary_of(tables, study))) for study in STUDIES)
    return (
        "**What penalized regret is made of.** Columns are policies, rows bandits with fixed "
        "means, for which the regret of eq. (10) is a sum over arms of terms that are never "
        "negative. Solid, over-pulling: a pull beyond the best allocation costs Δ above the level "
        "τT, and Δ − A below it. Dashed, penalty: each pull that an arm lacks costs A − Δ. Arms "
        "are optimal (Δ = 0), critical (0 < Δ ≤ A: worth their share) or non-critical (Δ > A). "
        "The hard threshold adds A to the index of every arm below its level, so it pulls "
        "non-critical arms more often than UCB1 does: this cost is there from the start and grows "
        "like log T. UCB1 saves it and leads early, but lets critical arms fall short, and their "
        "penalties grow in proportion to T. The soft threshold lets them fall short as well. "
        f"Points are means of {n} replicates ({of_movies} on MovieLens), bars are 95 % t-intervals "
        f"of the whole regret. Both axes are logarithmic; parts below {LEAST:g} are not drawn. "
        "Bandits whose means are drawn anew in each replicate are left out."
    )
