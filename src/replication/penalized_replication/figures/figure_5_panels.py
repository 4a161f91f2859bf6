"""The twelve panels of Figure 5, as the paper has them: reward against unfairness, Setting 5."""

from penalized_replication.figures.base import Drawing, Tables, Values, summary_of
from penalized_replication.figures.panels import CaseGrid, chunks
from penalized_replication.figures.tradeoff import REWARD, draw_curves, tradeoff_values


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each (K, τ) (rows) and reward law (columns)."""
    cases = summary_of(tables).drop_duplicates("case")
    rows = chunks(cases["case"].tolist(), cases["law"].nunique())
    grid = CaseGrid(rows, 1.45, 0.9 if column else 0.5, column, turned=False)
    grid.figure.supylabel(REWARD)
    return draw_curves(tables, grid, 2 if column else None)


def caption_values(tables: Tables) -> Values:
    """Return what captions of trade-offs have in common, without gains."""
    return tradeoff_values(tables, draw(tables))
