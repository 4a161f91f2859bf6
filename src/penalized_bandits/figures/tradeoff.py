"""Panels of reward against unfairness, with the oracle frontier (Figures 3 and 5)."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.figures.base import in_order, replicates_of, select, summary_of
from penalized_bandits.figures.panels import label_edges, panel_grid
from penalized_bandits.figures.style import (
    FRONTIER_COLOUR,
    entry,
    figure_legend,
    look_of,
    panel_title,
    policy_handle,
    thousands,
    tidy,
)
from penalized_bandits.storage.summaries import read_table

METRICS = ("expected_reward", "reward_loss", "unfairness")


def _curve(table: pd.DataFrame, policy: str) -> pd.DataFrame:
    """One row for each tuning: reward and unfairness, with half widths.

    The half width of the reward is that of the loss against always pulling the best arm:
    what the drawn instances add to every policy's reward alike is left out.
    """
    rows = select(table, policy=policy)
    wide = {m: select(rows, metric=m).set_index("tuning", drop=False) for m in METRICS}
    # A policy without a tuning has one row, whose tuning is missing.
    reward, loss, unfairness = (wide[m] for m in METRICS)
    return pd.DataFrame(
        {
            "tuning": reward["tuning"].to_numpy(),
            "reward": reward["mean"].to_numpy(),
            "reward_half": ((loss["ci_high"] - loss["ci_low"]) / 2).to_numpy(),
            "unfairness": unfairness["mean"].to_numpy(),
            "unfairness_half": ((unfairness["ci_high"] - unfairness["ci_low"]) / 2).to_numpy(),
        }
    ).sort_values("tuning")


def tradeoff_panel(axes: Axes, table: pd.DataFrame, frontier: pd.DataFrame) -> None:
    """Draw the policies' curves of a case and the frontier above them."""
    axes.plot(
        frontier["unfairness"],
        frontier["expected_reward"],
        color=FRONTIER_COLOUR,
        linewidth=1.2,
        zorder=1,
    )
    policies = in_order(table["policy"])
    curves = {policy: _curve(table, policy) for policy in policies}
    for policy, curve in curves.items():
        axes.errorbar(
            curve["unfairness"],
            curve["reward"],
            xerr=np.nan_to_num(curve["unfairness_half"]),
            yerr=np.nan_to_num(curve["reward_half"]),
            **look_of(policy).style,
            markersize=2.4,
            linewidth=0.9,
            elinewidth=0.6,
            # The first policy named is the one that the figure is about.
            zorder=3 + len(policies) - policies.index(policy),
        )
    # Policies reach a small part of the frontier: show that part.
    points = pd.concat(curves.values())
    half_x, half_y = (points[c].fillna(0) for c in ("unfairness_half", "reward_half"))
    right = max(1.06 * (points["unfairness"] + half_x).max(), 1.0)
    top = np.interp(right, frontier["unfairness"], frontier["expected_reward"])
    bottom = (points["reward"] - half_y).min()
    margin = 0.05 * (top - bottom)
    axes.set_xlim(-0.04 * right, right)
    axes.set_ylim(bottom - margin, top + margin)
    tidy(axes)


def tradeoff_figure(
    tables: Mapping[str, str], height: float, title_of: Callable[[str, pd.DataFrame], str]
) -> Figure:
    """Draw a panel for each case, those that end in the same word below one another."""
    table, frontier = summary_of(tables), read_table(tables["frontier"])
    cases = in_order(table["case"])
    n_columns = len({case.rsplit("_", 1)[-1] for case in cases})
    n_rows = -(-len(cases) // n_columns)
    figure, grid = panel_grid(n_rows, n_columns, 0.5 + height * n_rows)
    for number, (axes, case) in enumerate(zip(grid.flat, cases, strict=False)):
        rows = select(table, case=case)
        tradeoff_panel(axes, rows, select(frontier, case=case))
        panel_title(axes, number, title_of(case, rows))
    label_edges(grid, "Unfairness Σ$_k$ (τ$_k$T − N$_k$)$_+$ (pulls)", "Total expected reward")
    oracle = entry("Oracle frontier", color=FRONTIER_COLOUR, linewidth=1.2)
    figure_legend(figure, [*(policy_handle(p) for p in in_order(table["policy"])), oracle])
    return figure


def interval_note(table: pd.DataFrame) -> str:
    """Say in a caption what points and bars are."""
    n_tunings = table.groupby(["case", "policy"])["tuning"].nunique().max()
    return (
        f"Points are means of {thousands(replicates_of(table))} replicates at {n_tunings} tuning "
        "values of each policy, joined in the order of the tuning. Bars are 95 % t-intervals in "
        "both directions; for the reward it is the interval of the loss against always pulling the "
        "best arm, which leaves out what the instance adds to every policy alike. The oracle "
        "frontier is the most reward that any allocation of pulls can have at that mean "
        "unfairness; the panels end where the policies' unfairness does."
    )
