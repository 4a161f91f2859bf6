"""Penalized regret arm class by arm class: what comes from over-pulling, what from penalties."""

from typing import Any

import numpy as np
import pandas as pd

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.figures.base import Tables, Values, bandit_of, select, summary_of
from penalized_replication.figures.panels import CaseGrid, Drawing, bars_of, log_axes, say
from penalized_replication.figures.style import GREY, entry, look_of, shades

STUDIES = ("crossover", "movie_crossover")
LEAST = 1.0
"""Regret below this is not drawn; in units of reward."""
EXACT = 1e-6
"""How nearly the parts add up, as a share of the regret, where means are fixed."""
_DARK, _MIDDLE, _LIGHT = shades(3)
_PENALTY: Any = (0, (4, 1.5))
PARTS: dict[str, Values] = {
    "optimal arms: penalty": {"color": _DARK, "linestyle": _PENALTY, "marker": "v"},
    "critical arms: penalty": {"color": _MIDDLE, "linestyle": _PENALTY, "marker": "^"},
    "critical arms: over-pulling": {"color": _MIDDLE, "linestyle": "-", "marker": "o"},
    "non-critical arms: over-pulling": {"color": _LIGHT, "linestyle": "-", "marker": "s"},
}
"""What regret is made of, and how it is drawn: dashed what is paid for too few pulls."""
_PLAIN = dict(zip(PARTS, (*("missed shares",) * 2, *("exploration",) * 2), strict=True))
"""The same in plain words."""
_TOTAL: Values = {"color": GREY, "linewidth": 2.2, "alpha": 0.45}


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
    bandit, at = bandit_of(table), wide["arm"].to_numpy(int) - 1
    gap, margin, critical = bandit.gaps[at], bandit.margins[at], bandit.critical[at]
    level, short = wide["fairness_fraction"] * wide["horizon"], wide["arm_unfairness"]
    above = wide["pulls"] - level + short
    values = (
        margin * short * bandit.optimal[at],
        margin * short * critical,
        gap * above * critical,
        (gap * above - margin * (level - short)) * bandit.non_critical[at],
    )
    wide = wide.assign(**dict(zip(PARTS, values, strict=True)))
    found = wide.groupby(["policy", "horizon"], sort=False)[list(PARTS)].sum()
    regret = select(table, metric="penalized_regret").set_index(["policy", "horizon"])["mean"]
    return found.assign(total=regret).reset_index()


def decomposed(tables: Tables) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Return rows and parts of one case of each setting, by case.

    Where means are drawn anew in each replicate their averages say nothing of the parts: those do
    not add up to the regret, and the case is left out.
    """
    found: dict[str, tuple[pd.DataFrame, pd.DataFrame]] = {}
    by = ["setting", "group"]
    for _, setting in summary_of(tables, *STUDIES).groupby(by, sort=False, dropna=False):
        for case, rows in setting.groupby("case", sort=False):
            parts = parts_of(rows)
            if np.allclose(parts[list(PARTS)].sum(axis=1), parts["total"], rtol=EXACT, atol=EXACT):
                found[str(case)] = (rows, parts)
                break
    return found


def caption_values(tables: Tables) -> Values:
    """Return what two policies pay for most at the last horizon, where all cases agree."""
    found: dict[str, set[str]] = {}
    for _rows, parts in decomposed(tables).values():
        for policy in (PAPER_POLICY, "ucb1"):
            last = select(parts, policy=policy).sort_values("horizon")[list(PARTS)].tail(1)
            found.setdefault(policy, set()).update(
                _PLAIN[str(most)] for most in last.idxmax(axis=1)
            )
    return {"pays": {policy: next(iter(of)) for policy, of in found.items() if len(of) == 1}}


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each case (rows) and policy (columns); in one column (a) and (b) alone."""
    cases = decomposed(tables)
    if not cases:
        empty = CaseGrid([[""]], 1.0, margin=0.0, column=column)
        empty.axes[0, 0].set_axis_off()
        say(empty.axes[0, 0], 0.5, 0.5, "no bandits with fixed means")
        return empty.figure
    if column:
        cases = dict([next(iter(cases.items()))])
    policies = pd.concat([rows for rows, _ in cases.values()])["policy"].unique()
    policies = policies[:2] if column else policies
    panels = [[(case, policy) for policy in policies] for case in cases]
    form: Values = {"margin": 0.55 if column else 0.6, "column": column, "turned": False}
    grid = CaseGrid(panels, 1.6, sharex=True, share_rows=True, **form)
    for place, (axes, (case, policy)) in enumerate(grid):
        rows, parts = (select(table, policy=policy).sort_values("horizon") for table in cases[case])
        regret = select(rows, metric="penalized_regret")
        axes.errorbar(regret["horizon"], regret["mean"], yerr=bars_of(regret), **_TOTAL, zorder=2)
        thin: Values = {"markersize": 2.6, "linewidth": 1.0}
        for name, style in PARTS.items():
            line = parts[parts[name] >= LEAST]
            axes.plot(line["horizon"], line[name], **style, **thin, zorder=3)
        log_axes(axes, sorted(cases[case][0]["horizon"].unique()))
        label = look_of(policy).label if place < len(policies) else ""
        if column and len(parts):
            largest = str(parts[list(PARTS)].iloc[-1].idxmax())
            label = f"{label}:\nin the end {_PLAIN[largest]}"
        grid.title(axes, label)
    for (first, *_), (rows, _) in zip(grid.lines, cases.values(), strict=True):
        first.set_ylim(LEAST, 2 * select(rows, metric="penalized_regret")["mean"].max())
        label = rows["label"].iloc[0]
        first.annotate(label, (0.04, 0.95), xycoords="axes fraction", va="top", fontsize=6.5)
    grid.label("" if column else "Horizon T (rounds)", "Regret, by part")
    grid.label_once("Horizon T (rounds)" if column else "")
    seen = pd.concat([parts for _, parts in cases.values()])
    drawn = {name: style for name, style in PARTS.items() if (seen[name] >= LEAST).any()}
    handles = [entry(name, **style, markersize=3) for name, style in drawn.items()]
    return grid.legend([*handles, entry("penalized regret R(T)", **_TOTAL)], 2 if column else 3)
