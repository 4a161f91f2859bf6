"""Figure 1 as the paper has it: penalized regret R(T) against the horizon T, Setting 1."""

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.figures import panels
from penalized_replication.figures.base import Drawing, Tables, Values, select, summary_of
from penalized_replication.figures.style import tidy

ELSEWHERE = ("ucb1", "soft_threshold_ucb")
"""Policies that the paper does not draw: `theory_crossover` has them, up to longer horizons."""


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each number of arms (rows) and total fairness (columns)."""
    table = summary_of(tables, metric="penalized_regret")
    shown = table[~table["policy"].isin(ELSEWHERE)]
    table = table if shown.empty else shown
    cases = [some["case"].unique() for _, some in table.groupby("n_arms", sort=False)]
    height, margin = (1.3, 0.6) if column else (1.95, 0.5)
    grid = panels.CaseGrid(cases, height, margin, column, sharex=True, sharey="row")
    for axes, case in grid:
        rows = select(table, case=case)
        # Thin lines on a heavy one: curves that are equal are both seen.
        heavy = rows["policy"] == PAPER_POLICY
        panels.draw_policies(axes, rows[heavy], linewidth=2.6, markersize=5)
        panels.draw_policies(axes, rows[~heavy], linewidth=0.9, markersize=2.4, zorder=5)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        horizons = sorted(rows["horizon"].unique())
        numbered = horizons[::-2] if len(horizons) > 3 else horizons  # There is no room for more.
        axes.set_xticks(numbered, [format_number(horizon) for horizon in numbered])
        axes.set_xticks(horizons, [""] * len(horizons), minor=True)
        panels.plain_ticks(axes.yaxis)
        tidy(axes)
        grid.title(axes, rows["label"].iloc[0])
    grid.label("Horizon T (rounds)", "Penalized regret R(T)")
    return grid.legend(panels.policy_handles(table), 2 if column else None)


def caption_values(tables: Tables) -> Values:
    """Return at how many points the hard threshold has less mean regret than each rival."""
    table = summary_of(tables, metric="penalized_regret")
    means = table.pivot(index=["case", "horizon"], columns="policy", values="mean")
    ours = means.get(PAPER_POLICY, means.iloc[:0, 0])
    rivals = [p for p in means.columns if p not in (*ELSEWHERE, PAPER_POLICY)]
    return {"more": {p: int(means[p].gt(ours).sum()) for p in rivals}, "points": len(ours)}
