"""Reward that every policy loses against the oracle frontier at equal unfairness."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from penalized_bandits.common.numbers import thousands
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

PANELS = ("MovieLens", "Gaussian", "Beta", "Bernoulli")


def _panel_of(row: pd.Series) -> str:
    return PANELS[0] if row["law"] == "categorical" else str(row["law"]).capitalize()


def _table(path: str) -> pd.DataFrame:
    table = read_cases(path)
    table = table[table["measure"] == "below_frontier"]
    percent = {name: 100 * table[name] for name in ("estimate", "ci_low", "ci_high")}
    return table.assign(panel=table.apply(_panel_of, axis=1), **percent)


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw a panel for each reward law, a row for each policy."""
    table = _table(tables["comparison_by_case"])
    policies = by_mean(table)
    grid = policy_rows(PANELS, policies, column=column)
    for one, panel in grid:
        draw_measure(one, table[table["panel"] == panel], policies, 0.0, filled=True)
        log_ticks(one, " %")
    grid.label_once("Reward below the oracle frontier at equal unfairness (share of its range)")
    return two_legends(grid, policies, [dot("a panel of Setting 3 or 5"), stroke()])


def caption_values(tables: Mapping[str, str], _: Any) -> dict[str, Any]:
    """Return the numbers of replicates."""
    counts = sorted(_table(tables["comparison_by_case"])["n_replicates"].unique())
    return {"counts": [thousands(int(count)) for count in counts]}
