"""Penalized regret of every policy over the instance lower bound."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

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
from penalized_bandits.figures.base import CaptionContext
from penalized_bandits.figures.style import thousands

MEASURES = {"over_bound_published": "as published", "over_bound_tuned": "tuned, same budget"}
PANELS = ("Setting 1", "Setting 5's reward laws", "MovieLens")


def _panel_of(row: pd.Series) -> str:
    if row["experiment"] == "extended_1":
        return PANELS[0]
    return PANELS[2] if str(row["case"]).startswith("m0_") else PANELS[1]


def _table(path: str) -> pd.DataFrame:
    table = read_cases(path)
    table = table[table["measure"].isin(list(MEASURES))]
    return table.assign(panel=table.apply(_panel_of, axis=1))


def _published(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["measure"] == "over_bound_published"]


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each setting, a row for each policy."""
    table = _table(tables["comparison_by_case"])
    policies = by_mean(_published(table))
    figure, axes = policy_rows(PANELS, policies)
    for one, panel in zip(axes, PANELS, strict=True):
        for number, measure in enumerate(MEASURES):
            rows = table[(table["panel"] == panel) & (table["measure"] == measure)]
            shift = MEASURE_GAP * (2 * number - 1)
            draw_measure(one, rows, policies, shift, filled=number == 0)
        one.axvline(1, color="0.3", linewidth=0.7, linestyle=(0, (2, 2)), zorder=1)
        log_ticks(one)
    figure.supxlabel("Penalized regret R(T) over the instance lower bound at T", fontsize=7.5)
    dots = [dot(label, filled=not number) for number, label in enumerate(MEASURES.values())]
    two_legends(figure, policies, [*dots, stroke()])
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    table = _table(tables["comparison_by_case"])
    horizons = {
        name: thousands(max(section["horizons"]))
        for name, section in context.section.items()
        if name in ("extended_1", "extended_regret")
    }
    counts = sorted(_published(table)["n_replicates"].unique())
    n = " to ".join(thousands(int(c)) for c in dict.fromkeys((counts[0], counts[-1])))
    return (
        "**Penalized regret of every policy over the instance lower bound.** A dot is a case: in "
        f"Setting 1 at T = {horizons['extended_1']}, else at T = {horizons['extended_regret']}; on "
        "MovieLens the arms are the movies with more than m₀ ratings. A is half the spread of the "
        "true means, which policies that use it are told. The bound asks for log T/KL(ν, μ* − A) "
        "pulls of each arm with Δ > A, here at most its fairness level, at a cost of Δ − A each; "
        "it is asymptotic, so that a ratio below 1 (dashed) is possible at a finite T. Filled: as "
        "published. Open: with the best of the same number of values of one number, its own "
        "parameter or else the exploration constant; chosen on half of the replicates, measured on "
        f"the other. Means of {n} replicates (half as many where tuned); bars are 95 % "
        "t-intervals; vertical strokes are geometric means over cases. Policies are in the order "
        "of that mean over all cases, as published."
    )
