"""Penalized regret of every policy over the instance lower bound."""

import numpy as np

from penalized_replication.figures.base import Drawing, Tables, Values, select
from penalized_replication.storage.tables import read_table
from penalized_research.figures.all_policies import draw_all, least_and_paper

MEASURES = {"over_bound_published": "as published", "over_bound_tuned": "tuned, same budget"}
PANELS = ("Setting 1", "Setting 5's reward laws", "MovieLens")


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each setting, a row for each policy."""
    table = read_table(tables["comparison_by_case"])
    table = table[table["measure"].isin(list(MEASURES))]
    movies = np.where(table["law"] == "categorical", PANELS[2], PANELS[1])
    table = table.assign(panel=np.where(table["experiment"] == "extended_1", PANELS[0], movies))
    grid = draw_all(table, PANELS, MEASURES, line=1, column=column)
    grid.figure.supxlabel("Penalized regret R(T) over the instance lower bound at T")
    return grid.figure


def caption_values(tables: Tables) -> Values:
    """Return the finding, and the numbers of replicates."""
    table, (measure, *_) = read_table(tables["comparison_by_case"]), MEASURES
    counts = select(table, measure=measure)["n_replicates"]
    return {"counts": counts, **least_and_paper(table, measure)}
