"""Figure 3: reward against unfairness on movie ratings, Setting 3."""

from penalized_replication.datasets.counts import SCALES
from penalized_replication.figures.base import Drawing, Tables, Values
from penalized_replication.figures.tradeoff import tradeoff_figure, tradeoff_values
from penalized_replication.storage.files import read_json


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each threshold m0."""
    return tradeoff_figure(tables, (2.0, 1.15), column=column)


def caption_values(tables: Tables) -> Values:
    """Return where the ratings came from, and what captions of trade-offs have in common."""
    origin = read_json(tables["provenance"])
    return {"origin": origin, "scales": SCALES, **tradeoff_values(tables, draw(tables))}
