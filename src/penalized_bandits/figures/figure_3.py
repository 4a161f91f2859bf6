"""Figure 3: reward against unfairness on movie ratings, Setting 3."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from penalized_bandits.figures.base import CaptionContext, summary_of
from penalized_bandits.figures.style import thousands
from penalized_bandits.figures.tradeoff import interval_note, tradeoff_figure
from penalized_bandits.storage.files import read_json

CLAIM = "C28"
SCALES = {
    "unit": "(rating − lowest)/(highest − lowest)",
    "fraction": "rating/highest rating",
}
"""Reading R8 in words."""


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each threshold m0."""
    return tradeoff_figure(tables, CLAIM, (2.0, 1.15))


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows, how it was made, and where the ratings came from."""
    table = summary_of(tables)
    origin = read_json(tables["provenance"])
    own = origin["source_used"] == "table"
    # As code, so that the name of a file is shown as it is and not read as markup.
    data = f"the ratings of `{origin['dataset']}`" if own else origin["title"]
    return (
        f"**Figure 3. Reward against unfairness on {data} (Setting 3).** "
        f"Arms are the {'items' if own else 'movies'} with more than m₀ ratings; a pull draws "
        f"one of the ratings, as the reward {SCALES[context.readings.movielens_rewards]}. "
        f"T = {thousands(int(table['horizon'].iloc[0]))}, τ = {context.section['fairness']:g} "
        "in all, the same for each arm: the paper gives neither, nor the grids of the tuning. "
        f"{interval_note(table, CLAIM)} {source_note(origin)}"
    )


def source_note(origin: Mapping[str, str | None]) -> str:
    """Say where the ratings came from; and if they are not the real archive."""
    used = origin["source_used"]
    if used == "bundled":
        asked = "`movielens/provenance.json` says why" if origin.get("reason") else "as asked for"
        return (
            "Ratings: the bundled counts of how often each movie was given each rating, not the "
            f"downloaded archive ({asked})."
        )
    if used == "table":
        return "Ratings: the table named in the config, not MovieLens 1M."
    return f"Ratings: {used} of {origin['title']} (Harper and Konstan 2015)."
