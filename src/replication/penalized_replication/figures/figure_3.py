"""Figure 3: reward against unfairness on movie ratings, Setting 3."""

from collections.abc import Mapping

from penalized_replication.figures.base import Drawing, Tables, Values
from penalized_replication.figures.captions import CaptionContext
from penalized_replication.figures.tradeoff import tradeoff_figure, tradeoff_values
from penalized_replication.storage.files import read_json

SCALES = {"unit": "(rating − lowest)/(highest − lowest)", "fraction": "rating/highest rating"}
"""Reading R8 in words."""


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each threshold m0."""
    return tradeoff_figure(tables, (2.0, 1.15), column=column)


def caption_values(tables: Tables, context: CaptionContext) -> Values:
    """Return where the ratings came from, and what captions of trade-offs have in common."""
    origin = read_json(tables["provenance"])
    own = origin["source_used"] == "table"
    return {
        # As code, so that the name of a file is shown as it is and not read as markup.
        "data": f"the ratings of `{origin['dataset']}`" if own else origin["title"],
        "arms": "items" if own else "movies",
        "scale": SCALES[context.readings.movielens_rewards],
        "source": source_note(origin),
        **tradeoff_values(tables, draw(tables)),
    }


def source_note(origin: Mapping[str, str | None]) -> str:
    """Return where the ratings came from, and why if that is not the real archive."""
    used = origin["source_used"]
    if used == "bundled":
        return f"Ratings: bundled counts ({origin.get('reason') or 'as configured'})."
    if used == "table":
        return "Ratings: the table named in the config, not MovieLens 1M."
    return f"Ratings: {used} of {origin['title']} (Harper and Konstan 2015)."
