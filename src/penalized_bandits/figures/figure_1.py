"""Figure 1: penalized regret R(T) against the horizon T, Setting 1."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from penalized_bandits.common.numbers import shown
from penalized_bandits.experiments.names import case_name
from penalized_bandits.figures.base import (
    CaptionContext,
    in_order,
    labels_of,
    replicates_of,
    select,
    summary_of,
)
from penalized_bandits.figures.panels import draw_policies, label_edges, panel_grid, plain_ticks
from penalized_bandits.figures.style import (
    figure_legend,
    panel_title,
    policy_handle,
    thousands,
    tidy,
)
from penalized_bandits.policies import PAPER_POLICY

DRAWN_BY_THE_PAPER = (PAPER_POLICY, "lfg", "fair_learn")


def _panel(axes: Axes, table: pd.DataFrame) -> None:
    draw_policies(axes, table, elinewidth=0.8, capsize=1.5)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    horizons = sorted(table["horizon"].unique())
    # Every second one has its number: there is no room for more.
    axes.xaxis.set_major_locator(FixedLocator(horizons[::-2]))
    axes.xaxis.set_minor_locator(FixedLocator(horizons))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: shown(x)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    plain_ticks(axes.yaxis)
    tidy(axes)


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw a panel for each number of arms (rows) and total fairness (columns).

    In one column the totals are the rows.
    """
    table = select(summary_of(tables), metric="penalized_regret")
    cases = in_order(table["case"])
    rows = in_order(pd.Series(cases).str.extract(r"K(\d+)_")[0])
    n_columns = -(-len(cases) // len(rows))
    shape = (n_columns, len(rows)) if column else (len(rows), n_columns)
    figure, grid = panel_grid(
        *shape,
        (0.6 + 1.3 * n_columns) if column else (0.5 + 1.95 * len(rows)),
        column=column,
        sharex=True,
        sharey="col" if column else "row",
    )
    # The same letters in both forms, as they have one caption.
    places = (grid.T if column else grid).flat
    for number, (axes, case) in enumerate(zip(places, cases, strict=False)):
        _panel(axes, select(table, case=case))
        panel_title(axes, number, case_name(case))
    label_edges(grid, "Horizon T (rounds)", "Penalized regret R(T)")
    handles = [policy_handle(p) for p in in_order(table["policy"])]
    figure_legend(figure, handles, columns=2 if column else None)
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = summary_of(tables)
    n = thousands(replicates_of(table))
    policies = in_order(table["policy"])
    added = [policy for policy in policies if policy not in DRAWN_BY_THE_PAPER]
    text = (
        "**Figure 1. Penalized regret against the horizon (Setting 1).** "
        "Each panel has K arms, each with the fairness fraction τ/K, Gaussian rewards of "
        f"variance 1/K² and {context.drawn_means()}, the same for all policies and horizons; "
        "the penalty rate of every arm is half the range of the true means, which only an oracle "
        "knows. LFG has η₀ = √T, Flearn α = 0. Both axes are logarithmic. "
        f"Points are means of {n} replicates; bars are 95 % t-intervals{context.spread()}; "
        "most bars are smaller than the points."
    )
    if added:
        text += f" The paper does not draw {labels_of(added)}."
    return text
