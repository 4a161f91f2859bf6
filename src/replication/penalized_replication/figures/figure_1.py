"""Figure 1: penalized regret R(T) against the horizon T, Setting 1."""

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.figures import panels
from penalized_replication.figures.base import Drawing, Tables, Values, select, summary_of
from penalized_replication.figures.style import tidy

DRAWN_BY_THE_PAPER = (PAPER_POLICY, "lfg", "fair_learn")
HEAVY = (PAPER_POLICY, "ucb1")  # policies in heavy lines: the paper's, and the one that leads it


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each number of arms (rows) and total fairness (columns)."""
    table = summary_of(tables, metric="penalized_regret")
    cases = [some["case"].unique() for _, some in table.groupby("n_arms", sort=False)]
    height, margin = (1.3, 0.6) if column else (1.95, 0.5)
    grid = panels.CaseGrid(cases, height, margin, column, sharex=True, sharey="row")
    for axes, case in grid:
        rows = select(table, case=case)
        heavy = rows["policy"].isin(HEAVY)
        panels.draw_policies(axes, rows[~heavy], linewidth=0.6, markersize=2, zorder=2)
        panels.draw_policies(axes, rows[heavy], linewidth=1.7, markersize=3.5, capsize=1.5)
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
    """Return the policies that the paper does not draw, and at how many points each leads ours."""
    table = summary_of(tables, metric="penalized_regret")
    means = table.pivot(index=["case", "horizon"], columns="policy", values="mean")
    added = [policy for policy in table["policy"].unique() if policy not in DRAWN_BY_THE_PAPER]
    ours = means.get(PAPER_POLICY, means.iloc[:0, 0])
    return {"less": {p: int(means[p].lt(ours).sum()) for p in added}, "points": len(ours)}
