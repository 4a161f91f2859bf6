"""Figure 3: reward against unfairness on movie ratings, Setting 3."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from penalized_bandits.figures.base import MadeWith, in_order, replicates_of, select, summary_of
from penalized_bandits.figures.style import TEXT_WIDTH, figure_legend, panel_title, thousands
from penalized_bandits.figures.tradeoff import interval_note, tradeoff_handles, tradeoff_panel
from penalized_bandits.origins import read_json
from penalized_bandits.summaries import read_table

SCALES = {
    "unit": "(rating − lowest)/(highest − lowest)",
    "fraction": "rating/highest rating",
}
"""Reading R8 in words."""


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each threshold m0."""
    table, frontier = summary_of(tables), read_table(tables["frontier"])
    cases = in_order(table["case"])
    figure, grid = plt.subplots(
        1, len(cases), figsize=(TEXT_WIDTH, 2.75), squeeze=False, layout="constrained"
    )
    for number, (axes, case) in enumerate(zip(grid.flat, cases, strict=True)):
        rows = select(table, case=case)
        tradeoff_panel(axes, rows, select(frontier, case=case))
        axes.set_xlabel("Unfairness Σ$_k$ (τ$_k$T − N$_k$)$_+$ (pulls)")
        m0 = thousands(int(case.removeprefix("m0_")))
        panel_title(axes, number, f"m₀ = {m0} (K = {int(rows['arm'].max())})")
    grid[0, 0].set_ylabel("Total expected reward")
    figure_legend(figure, tradeoff_handles(table))
    return figure


def caption(tables: Mapping[str, str], made_with: MadeWith) -> str:
    """Say what the figure shows, how it was made, and where the ratings came from."""
    table = summary_of(tables)
    origin = read_json(tables["provenance"])
    own = origin["source_used"] == "table"
    # As code, so that the name of a file is shown as it is and not read as markup.
    data = f"the ratings of `{origin['dataset']}`" if own else origin["title"]
    return (
        f"**Figure 3. Reward against unfairness on {data} (Setting 3).** "
        f"Arms are the {'items' if own else 'movies'} with more than m₀ ratings; a pull draws "
        f"one of the ratings, as the reward {SCALES[made_with.readings.movielens_rewards]}. "
        f"T = {thousands(int(table['horizon'].iloc[0]))}, τ = {made_with.section['fairness']:g} "
        "in all, the same for each arm: the paper gives neither, nor the grids of the tuning. "
        + interval_note(
            thousands(replicates_of(table)),
            table.groupby(["case", "policy"])["tuning"].nunique().max(),
        )
        + " "
        + source_note(origin)
    )


def source_note(origin: Mapping[str, str | None]) -> str:
    """Say where the ratings came from; loudly where they are not the real archive."""
    used = origin["source_used"]
    if used == "bundled":
        note = "**Ratings: the bundled counts, not the downloaded archive"
        reason = origin.get("reason")
        return f"{note} ({reason}).**" if reason else f"{note}, as the config asks.**"
    if used == "table":
        return "Ratings: the table named in the config, not MovieLens 1M."
    note = f"Ratings: {used} of {origin['title']} (Harper and Konstan 2015)"
    paper = origin["dataset"] == "movielens_1m"
    return f"{note}." if paper else f"{note}, not MovieLens 1M as in the paper."
