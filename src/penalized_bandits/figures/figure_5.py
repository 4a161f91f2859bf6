"""Figure 5: reward against unfairness under three reward laws, Setting 5."""

import re
from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from penalized_bandits.figures.base import MadeWith, in_order, replicates_of, select, summary_of
from penalized_bandits.figures.style import TEXT_WIDTH, figure_legend, panel_title, thousands
from penalized_bandits.figures.tradeoff import interval_note, tradeoff_handles, tradeoff_panel
from penalized_bandits.summaries import read_table

LAWS = {"gaussian": "N(μ, 1/K²)", "beta": "Beta(μ, 1 − μ)", "bernoulli": "Bernoulli(μ)"}


def _title(case: str) -> str:
    match = re.fullmatch(r"K(\d+)_tau(.+)_(\w+)", case)
    return f"K = {match[1]}, τ = {match[2]}, {match[3].capitalize()}" if match else case


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each (K, τ) (rows) and reward law (columns)."""
    table, frontier = summary_of(tables), read_table(tables["frontier"])
    cases = in_order(table["case"])
    n_columns = len({case.rsplit("_", 1)[-1] for case in cases})
    n_rows = -(-len(cases) // n_columns)
    figure, grid = plt.subplots(
        n_rows,
        n_columns,
        figsize=(TEXT_WIDTH, 0.5 + 1.95 * n_rows),
        squeeze=False,
        layout="constrained",
    )
    for number, (axes, case) in enumerate(zip(grid.flat, cases, strict=False)):
        tradeoff_panel(axes, select(table, case=case), select(frontier, case=case))
        panel_title(axes, number, _title(case))
    for axes in grid[:, 0]:
        axes.set_ylabel("Total expected reward")
    for axes in grid[-1]:
        axes.set_xlabel("Unfairness Σ$_k$ (τ$_k$T − N$_k$)$_+$ (pulls)")
    figure_legend(figure, tradeoff_handles(table))
    return figure


def caption(tables: Mapping[str, str], made_with: MadeWith) -> str:
    """Say what the figure shows and how it was made."""
    table = summary_of(tables)
    laws = ", ".join(LAWS[law] for law in made_with.section["rewards"])
    return (
        "**Figure 5. Reward against unfairness under three reward laws (Setting 5).** "
        "Rows are numbers of arms K and totals τ of the fairness fractions (τ/K each), columns "
        f"the reward laws {laws}; {made_with.drawn_means()}, the same for all policies. T = "
        f"{thousands(int(table['horizon'].iloc[0]))}, which the paper does not give. "
        + interval_note(
            thousands(replicates_of(table)),
            table.groupby(["case", "policy"])["tuning"].nunique().max(),
        )
    )
