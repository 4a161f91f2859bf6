"""Penalized regret of every policy over the instance lower bound."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from penalized_bandits.common.numbers import thousands
from penalized_bandits.figures.all_policies import (
    MEASURE_GAP,
    by_mean,
    dot,
    draw_measure,
    log_ticks,
    policy_rows,
    read_cases,
    stroke,
    two_legends,
)
from penalized_bandits.figures.captions import CaptionContext

MEASURES = {"over_bound_published": "as published", "over_bound_tuned": "tuned, same budget"}
PANELS = ("Setting 1", "Setting 5's reward laws", "MovieLens")


def _panel_of(row: pd.Series) -> str:
    if row["experiment"] == "extended_1":
        return PANELS[0]
    return PANELS[2] if row["law"] == "categorical" else PANELS[1]


def _table(path: str) -> pd.DataFrame:
    table = read_cases(path)
    table = table[table["measure"].isin(list(MEASURES))]
    return table.assign(panel=table.apply(_panel_of, axis=1))


def _published(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["measure"] == "over_bound_published"]


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw a panel for each setting, a row for each policy."""
    table = _table(tables["comparison_by_case"])
    policies = by_mean(_published(table))
    grid = policy_rows(PANELS, policies, column=column)
    for one, panel in grid:
        for number, measure in enumerate(MEASURES):
            rows = table[(table["panel"] == panel) & (table["measure"] == measure)]
            shift = MEASURE_GAP * (2 * number - 1)
            draw_measure(one, rows, policies, shift, filled=number == 0)
        one.axvline(1, color="0.3", linewidth=0.7, linestyle=(0, (2, 2)), zorder=1)
        log_ticks(one)
    grid.label_once("Penalized regret R(T) over the instance lower bound at T")
    dots = [dot(label, filled=not number) for number, label in enumerate(MEASURES.values())]
    return two_legends(grid, policies, [*dots, stroke()])


def caption_values(tables: Mapping[str, str], context: CaptionContext) -> dict[str, Any]:
    """Return the horizons, and the least and the largest number of replicates."""
    counts = sorted(_published(_table(tables["comparison_by_case"]))["n_replicates"].unique())
    ends = dict.fromkeys((counts[0], counts[-1]))
    return {
        "horizons": {
            name: max(section["horizons"])
            for name, section in context.section.items()
            if "horizons" in section
        },
        "counts": " to ".join(thousands(int(count)) for count in ends),
    }
