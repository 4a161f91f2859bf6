"""Figure 3: reward against unfairness on movie ratings, Setting 3."""

from penalized_replication.datasets.counts import SCALES
from penalized_replication.figures import tradeoff
from penalized_replication.figures.base import Drawing, Tables, Values, summary_of
from penalized_replication.figures.panels import CaseGrid
from penalized_replication.storage.files import read_json


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each threshold m0, with gains below; in one column beside it."""
    cases = summary_of(tables)["case"].unique()
    grid = CaseGrid([cases, cases], 1.75, 0.9 if column else 0.5, column, sharex="col")
    gains = tradeoff.gains_of(tables)
    for axes, case in zip(grid.lines[1], cases, strict=True):
        tradeoff.draw_gains(axes, (gain for gain in gains if gain["case"] == case))
    grid.label_rows(tradeoff.REWARD, tradeoff.GAIN)
    return tradeoff.draw_curves(tables, grid, 2 if column else None)


def caption_values(tables: Tables) -> Values:
    """Return where the ratings came from, and what captions of trade-offs have in common."""
    origin = read_json(tables["provenance"])
    return {"origin": origin, "scales": SCALES, **tradeoff.tradeoff_values(tables, draw(tables))}
