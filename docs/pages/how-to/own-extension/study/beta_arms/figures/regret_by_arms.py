"""Penalized regret at the largest horizon against the number of arms."""

from penalized_replication.figures.base import Drawing, Tables, select, summary_of
from penalized_replication.figures.panels import CaseGrid, draw_means, policy_handles
from penalized_replication.figures.style import look_of, tidy


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a line for each policy."""
    table = summary_of(tables, "seventh", metric="penalized_regret")
    grid = CaseGrid([["all"]], 2.3, column=column)
    for axes, _ in grid:
        for policy in table["policy"].unique():
            rows = select(table, policy=policy, horizon=table["horizon"].max())
            draw_means(axes, rows["n_arms"], rows, **look_of(policy).style)
        tidy(axes)
    grid.label("Number of arms K", "Penalized regret R(T)")
    return grid.legend(policy_handles(table))
