"""Reward that every policy loses against the oracle frontier at equal unfairness."""

import pandas as pd

from penalized_replication.figures.base import Drawing, Tables, Values, select
from penalized_replication.storage.tables import read_table
from penalized_research.figures.all_policies import draw_all, least_and_paper

PANELS = ("MovieLens", "Gaussian", "Beta", "Bernoulli")


def _table(tables: Tables) -> pd.DataFrame:
    return select(read_table(tables["comparison_by_case"]), measure="below_frontier")


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each reward law, a row for each policy."""
    table = _table(tables)
    percent = {name: 100 * table[name] for name in ("estimate", "ci_low", "ci_high")}
    panel = table["law"].str.capitalize().replace("Categorical", PANELS[0])
    table = table.assign(panel=panel, **percent)
    measures = {"below_frontier": "a panel of Setting 3 or 5"}
    grid = draw_all(table, PANELS, measures, suffix=" %", column=column)
    grid.figure.supxlabel("Reward below the oracle frontier at equal unfairness")
    return grid.figure


def caption_values(tables: Tables) -> Values:
    """Return the finding and the numbers of replicates."""
    table = _table(tables)
    counts = [f"{int(count):,}" for count in sorted(table["n_replicates"].unique())]
    return {"counts": counts, **least_and_paper(table, "below_frontier")}
