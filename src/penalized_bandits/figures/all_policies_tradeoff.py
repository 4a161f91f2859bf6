"""Reward that every policy loses against the oracle frontier at equal unfairness."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from penalized_bandits.figures.all_policies import (
    by_mean,
    dot,
    draw_measure,
    log_ticks,
    policy_rows,
    read_cases,
    stroke,
    two_legends,
)
from penalized_bandits.figures.base import CaptionContext
from penalized_bandits.figures.style import thousands

PANELS = ("MovieLens", "Gaussian", "Beta", "Bernoulli")


def _panel_of(row: pd.Series) -> str:
    if row["experiment"] == "extended_3":
        return PANELS[0]
    return str(row["case"]).rpartition("_")[2].capitalize()


def _table(path: str) -> pd.DataFrame:
    table = read_cases(path)
    table = table[table["measure"] == "below_frontier"]
    percent = {name: 100 * table[name] for name in ("estimate", "ci_low", "ci_high")}
    return table.assign(panel=table.apply(_panel_of, axis=1), **percent)


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each reward law, a row for each policy."""
    table = _table(tables["comparison_by_case"])
    policies = by_mean(table)
    figure, axes = policy_rows(PANELS, policies)
    for one, panel in zip(axes, PANELS, strict=True):
        draw_measure(one, table[table["panel"] == panel], policies, 0.0, filled=True)
        log_ticks(one, " %")
    figure.supxlabel(
        "Reward below the oracle frontier at equal unfairness (share of its range)", fontsize=7.5
    )
    two_legends(figure, policies, [dot("a panel of Setting 3 or 5"), stroke()])
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = _table(tables["comparison_by_case"])
    three, five = (context.section[name] for name in ("extended_3", "extended_5"))
    n = " and ".join(thousands(int(c)) for c in sorted(table["n_replicates"].unique()))
    return (
        "**Reward lost against the oracle frontier at equal unfairness.** A dot is a panel of "
        f"Setting 3 (MovieLens, T = {thousands(three['horizon'])}) or Setting 5 "
        f"(T = {thousands(five['horizon'])}): the policy's distance below the most reward that any "
        "allocation has at its mean unfairness, as a share of what the frontier gains from no "
        "unfairness to all of it, averaged over nine levels of unfairness that both the policy and "
        "the paper's hard threshold reach; for a policy without a trade-off to make, at its own. "
        f"Each policy's trade-off runs over {three['tuning_values']} values. Means of {n} "
        "replicates; bars are 95 % intervals from a bootstrap of replicates; vertical strokes are "
        "geometric means. A policy is left out of a panel where they have no unfairness in common."
    )
