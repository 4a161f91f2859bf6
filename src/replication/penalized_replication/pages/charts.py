"""Interactive charts of the page, as Vega-Lite specifications."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.datasets.counts import read_counts_csv, reward_distributions
from penalized_replication.experiments.base import name_of
from penalized_replication.experiments.catalogue import SETTINGS
from penalized_replication.figures.style import look_of
from penalized_replication.pages.tradeoff import SILENT, WIDE, near, tradeoff_chart
from penalized_replication.storage.summaries import read_summary, read_table

_INK = "#262626"
_AXIS: dict[str, Any] = {"gridColor": "#e4e4e4", "labelColor": _INK, "titleColor": _INK}
_AXIS |= {"titleFontWeight": "normal", "titleFontSize": 13, "labelFontSize": 12}
_AXIS |= {"domainColor": "#666", "tickColor": "#666"}
_LOOK: dict[str, Any] = {
    "background": "white",
    "font": "system-ui, sans-serif",
    "autosize": {"type": "fit-x", "contains": "padding"},
    "config": {
        "axis": _AXIS,
        "legend": {"labelColor": _INK, "labelFontSize": 12, "labelLimit": 220},
        "view": {"stroke": None},
        "font": "system-ui, sans-serif",
    },
}


Tables = Mapping[str, str]
"""Summaries, frontiers and rating counts, by the names of their files."""
Config = Mapping[str, Any]
"""The config as values."""
RATED = next(name for name, setting in SETTINGS.items() if setting.needs_ratings)
"""The paper's setting on ratings."""


def movies_of(tables: Tables, config: Config) -> tuple[pd.DataFrame, dict[int, int]]:
    """Return the arms of the setting on ratings, and their number K by threshold m0.

    Columns are ``title``, ``ratings``, ``reward`` (its mean) and ``panels``; most rated first.
    """
    m0, scale = config[RATED]["m0"], config["readings"]["movielens_rewards"]
    counts = read_counts_csv(Path(tables["rating_counts"])).more_than(min(m0))
    arms = reward_distributions(counts, min(m0), scale)
    frame = counts.table[["title", "n_ratings"]].rename(columns={"n_ratings": "ratings"})
    frame["reward"] = (arms.probabilities * arms.support).sum(axis=1)
    thresholds = {t: counts.n_above(t) for t in sorted(m0, reverse=True)}
    frame["panels"] = [
        ", ".join(f"K = {k}" for t, k in thresholds.items() if n > t) for n in frame["ratings"]
    ]
    return frame, thresholds


def _movies_chart(tables: Tables, config: Config) -> dict[str, Any]:
    movies, thresholds = movies_of(tables, config)
    rows = [{**row, "reward": round(row["reward"], 6)} for row in movies.to_dict("records")]
    lines = [{"m0": m0, "label": f"K = {format_number(k)}"} for m0, k in thresholds.items()]
    # The axis has the thresholds, and steps that keep clear of them.
    steps = range(0, int(movies["ratings"].max()) + 1, 500)
    clear = [n for n in steps if all(abs(n - m0) >= 250 for m0 in thresholds)]
    ticks = sorted({*thresholds, *(n for n in clear if n > min(thresholds))})
    pointed = near()
    rules = alt.Chart(alt.InlineData(values=lines)).encode(x="m0:Q")
    names = rules.mark_text(
        align="center", baseline="bottom", dy=-4, fontSize=12, color=_INK, **SILENT
    )
    x = alt.X("ratings:Q").title("Number of ratings")
    x = x.scale(zero=False, nice=False, padding=12).axis(values=ticks, labelFlush=False)
    y = alt.Y("reward:Q").title("Mean reward").scale(zero=False)
    size = alt.condition(pointed, alt.value(170), alt.value(50))
    tooltip = [
        alt.Tooltip("title:N", title="Title"),
        alt.Tooltip("ratings:Q", title="Ratings", format=","),
        alt.Tooltip("reward:Q", title="Mean reward", format=".4f"),
        alt.Tooltip("panels:N", title="Arm where"),
    ]
    colour = look_of(PAPER_POLICY).colour
    points = alt.Chart(alt.InlineData(values=rows))
    points = points.mark_point(filled=True, opacity=0.9, color=colour, **WIDE)
    text = "Mean rating reward of each movie against its number of ratings"
    return (
        alt.layer(
            rules.mark_rule(strokeDash=[4, 3], color="#767676", **SILENT),
            names.encode(text="label:N", y=alt.value(0)),
            points.encode(x=x, y=y, size=size, tooltip=tooltip).add_params(pointed),
        )
        .properties(height=340, width="container", description=text)
        .to_dict()
    )


@dataclass(frozen=True)
class Chart:
    """An interactive chart."""

    title: str
    hint: str
    """What can be done with it, and where its numbers stand without it."""


_POINT = "Point at a mark, or tap it, for policy, tuning, reward and unfairness. "
# Settings on random numbers draw their instances; ratings are given.
_DRAWN = (
    "The interval of the reward covers the spread between drawn instances; the bars are those of "
    "the distance to the best arm, as in the figure. "
)
MOVIES = "movies"
CHARTS: dict[str, Chart] = {
    MOVIES: Chart(
        "The arms: mean reward of each movie against its number of ratings",
        "Point at a movie, or tap it, for its title. Dashed lines are the thresholds m₀: the K "
        "movies to the right of one are the arms of its panel. The same numbers are in the table "
        "below.",
    ),
    **{
        name: Chart(
            "Reward against unfairness, one panel at a time",
            f"{_POINT}{'' if setting.needs_ratings else _DRAWN}"
            "The same numbers are in the tables linked below.",
        )
        for name, setting in SETTINGS.items()
        if setting.has_frontier
    },
}


def specification(name: str, tables: Tables, config: Config) -> dict[str, Any]:
    """Return a chart as a Vega-Lite specification, the same each time."""
    if name == MOVIES:
        return {**_movies_chart(tables, config), **_LOOK}
    summary, frontier = read_summary(tables[name]), read_table(tables[f"{name}_frontier"])
    title = f"Total expected reward against unfairness in {name_of(name)}"
    return {**tradeoff_chart(summary, frontier, title), **_LOOK}
