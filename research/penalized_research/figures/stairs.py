"""Regret over log T under floors and ceilings, with its prediction, its limits and the bound."""

from penalized_replication.figures import style
from penalized_replication.figures.base import Drawing, Tables, Values, select, summary_of
from penalized_replication.figures.panels import CaseGrid, chunks
from penalized_research.figures.sharp_constants import (
    BOUND,
    EXPLORATION,
    LIMIT,
    at_the_end,
    bandit_behind,
    panel,
)


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each bandit."""
    rows = summary_of(tables, *tables)
    policies = [p for p in EXPLORATION if p in set(rows["policy"])]
    cases = chunks(rows["instance"].unique(), 2 if column else 3)
    grid = CaseGrid(cases, 2.1, margin=0.6, column=column, turned=False)
    for axes, name in grid:
        own = select(rows, instance=name)
        panel(axes, own, policies)
        axes.set(xlabel="", ylabel="")
        price = "" if column else f", λ = {bandit_behind(own).price:.2g}"
        grid.title(axes, f"{own['label'].iloc[0]}{price}")
    grid.label("Horizon T (rounds)", "R(T) / log T", once=True)
    handles = [style.policy_handle(policy, linestyle="-") for policy in policies]
    marks = [style.entry("limit", color="0.4", **LIMIT), style.entry("lower bound", **BOUND)]
    return grid.legend([*handles, *marks], 2 if column else None)


def caption_values(tables: Tables) -> Values:
    """Return measured over predicted regret at the longest horizon."""
    rows = summary_of(tables, *tables)
    return at_the_end(rows, select(rows, metric="penalized_regret"))
