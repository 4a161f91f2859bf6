"""What two policies lose, and why: what they pay for exploring, what for missed shares."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.patches import Patch

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.figures import base, panels, theory_crossover
from penalized_replication.figures.base import Tables, Values, select
from penalized_replication.figures.overtaking import CLAIM, FIGURE_1_ENDS
from penalized_replication.figures.style import GREY, SHADE, entry, look_of, policy_handle

LEAST = 1.0  # regret below this is not drawn; in units of reward
EXACT = 1e-6  # how nearly the parts add up, as a share of the regret, where means are fixed
PARTS = {"exploration": (0, (1, 1.2)), "missed shares": (0, (4, 1.5))}
"""What regret is made of, and the dashes it is drawn with."""


def parts_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each part by policy and horizon, and the mean regret, ``total``.

    With N_k pulls, e_k = (N_k - tau_k T)_+ of them above the level and s_k = (tau_k T - N_k)_+
    short of it, the penalized regret of eq. (10) is a sum over arms of terms >= 0, linear in N_k
    and s_k: their means are enough where the means of the arms are fixed.

    - missed shares, where Delta_k <= A_k: (A_k - Delta_k) s_k, penalties less the cost of pulls;
    - exploration: Delta_k e_k, and where Delta_k > A_k also (Delta_k - A_k) min(N_k, tau_k T).
    """
    arms = table[table["arm"].notna()]
    by = ["policy", "horizon", "arm", "gap", "penalty_rate", "fairness_fraction"]
    wide = arms.pivot_table(index=by, columns="metric", values="mean", sort=False).reset_index()
    bandit, at = base.bandit_of(table), wide["arm"].to_numpy(int) - 1
    gap, margin, worthless = bandit.gaps[at], bandit.margins[at], bandit.non_critical[at]
    level, short = wide["fairness_fraction"] * wide["horizon"], wide["arm_unfairness"]
    above = wide["pulls"] - level + short
    wide["exploration"] = gap * above - margin * (level - short) * worthless
    wide["missed shares"] = margin * short * ~worthless
    found = wide.groupby(["policy", "horizon"], sort=False)[list(PARTS)].sum()
    regret = select(table, metric="penalized_regret").set_index(["policy", "horizon"])["mean"]
    return found.assign(total=regret).reset_index()


def decomposed(tables: Tables) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Return rows and parts of one case of each setting, by case.

    Where means are drawn anew in each replicate their averages say nothing of the parts: those do
    not add up to the regret, and the case is left out.
    """
    found: dict[str, tuple[pd.DataFrame, pd.DataFrame]] = {}
    table = base.summary_of(tables, "crossover", "movie_crossover")
    table = table[table["policy"].isin(theory_crossover.PAIR)]
    for _, setting in table.groupby(["setting", "group"], sort=False, dropna=False):
        for case, rows in setting.groupby("case", sort=False):
            parts = parts_of(rows)
            if np.allclose(parts[list(PARTS)].sum(axis=1), parts["total"], rtol=EXACT, atol=EXACT):
                found[str(case)] = (rows, parts)
                break
    return found


def caption_values(tables: Tables) -> Values:
    """Return what each policy pays for most at the last horizon, where all cases agree."""
    found: dict[str, set[str]] = {}
    for _rows, parts in decomposed(tables).values():
        for policy in parts["policy"].unique():
            last = select(parts, policy=policy).sort_values("horizon")[list(PARTS)].tail(1)
            last = last[last.max(axis=1) >= LEAST]
            found.setdefault(policy, set()).update(map(str, last.idxmax(axis=1)))
    return {
        "measured": bool(base.comparisons_of(tables, CLAIM)),
        "pays": {policy: next(iter(of)) for policy, of in found.items() if len(of) == 1},
    }


def draw(tables: Tables, *, column: bool = False) -> base.Drawing:
    """Draw loss above why of each case; in one column those of the first, side by side."""
    cases = decomposed(tables)
    if not cases:
        empty = panels.CaseGrid([[""]], 1.0, margin=0.0, column=column)
        empty.axes[0, 0].set_axis_off()
        panels.say(empty.axes[0, 0], 0.5, 0.5, "no bandits with fixed means")
        return empty.figure
    crossed = {shown.case: shown for shown in base.comparisons_of(tables, CLAIM)}
    rows = [[(case, why) for case in cases] for why in (False, True)]
    rows = [[row[0] for row in rows]] if column else rows
    grid = panels.CaseGrid(rows, 1.6, 0.75, column, turned=False, sharex=True, sharey=True)
    horizons = sorted({t for table, _ in cases.values() for t in table["horizon"]})
    for axes, (case, why) in grid:
        table, parts = cases[case]
        if why:
            for (policy, line), name in product(parts.groupby("policy"), PARTS):
                line = line.sort_values("horizon")
                look = {**look_of(str(policy)).style, "linestyle": PARTS[name], "markersize": 2.4}
                every = max(1, len(line) // panels.MARKERS)
                seen = line[name].where(line[name] >= LEAST)
                axes.plot(line["horizon"], seen, markevery=every, **look)
        else:
            regret = select(table, metric="penalized_regret")
            panels.draw_policies(axes, regret, linestyle="-", markersize=2.4, elinewidth=0.7)
        panels.log_axes(axes, horizons)
        theory_crossover.shade(axes)
        title: Values = {"fontsize": 6.8, "pad": 14.8 if not why or column else 4}
        grid.title(axes, "Why" if why else f"Loss: {table['label'].iloc[0]}", **title)
        if not why and case in crossed:
            theory_crossover.mark(axes, crossed[case])
    most = max(parts["total"].max() for _, parts in cases.values())
    grid.axes[0, 0].set_ylim(LEAST / 1.2, 2 * most)
    grid.label("Horizon T (rounds)", "Penalized regret R(T)", once=True)
    handles = [policy_handle(policy, linestyle="") for policy in theory_crossover.PAIR]
    handles += [Patch(facecolor=SHADE, linewidth=0, label=f"T ≤ {FIGURE_1_ENDS:,}")]
    handles += [entry(name, color=GREY, linestyle=dashes) for name, dashes in PARTS.items()]
    handles += [entry("overtakes", color=look_of(PAPER_POLICY).colour)]
    return grid.legend(handles, 2 if column else None)
