"""Claims whose verdict changes with an alternative interpretation of the paper."""

import pandas as pd
import seaborn as sns

from penalized_replication.figures.base import Drawing, Tables, Values
from penalized_replication.figures.panels import CaseGrid, say
from penalized_replication.storage.tables import read_table

INTERPRETATIONS = {
    "interpretations.log_of: n-1": ("R1", "log(n − 1)\nin the index"),
    "interpretations.means: once": ("R4", "means drawn\nonce"),
    "interpretations.movielens_rewards: fraction": ("R8", "movie reward:\nrating/highest"),
    "interpretations.setting_4_rewards: bernoulli": ("R10", "Setting 4:\nBernoulli rewards"),
    "interpretations.lfg: original": ("R13", "LFG as first\npublished"),
}
"""Numbers of the interpretations in the config's list, and what their alternatives mean."""
SHADES = {
    "holds": "#0B5D43",
    "not contradicted": "#0A4F82",
    "holds in part": "#6D4A00",
    "fails": "#8F3300",
}
_OTHERS = ("undecided", "holds by algebra", "descriptive", "no verdict", "not measured")
SHADES |= dict.fromkeys(_OTHERS, "#474C53")
"""Colours of verdicts on the page; their words are in the cells."""


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a row for each claim and a column for each interpretation; in one column the reverse."""
    table = read_table(tables["verdicts"])
    shown = table[table["id"].isin(table["id"][table["changed"]])]
    same = shown["verdict"] == shown["paper_verdict"]
    failing = (", " + shown["fail"].astype(str) + " fail").where(same, "")
    shown = shown.assign(words=(shown["verdict"] + failing).where(shown["changed"], ""))
    usual = shown["paper_verdict"]
    shown = pd.concat([shown.assign(changes="default", verdict=usual, words=usual), shown])
    # What a scenario of the user's own changes is its name.
    names = {x: INTERPRETATIONS.get(x, ("", x))[1] for x in ("default", *table["changes"].unique())}
    found, words = (
        shown.pivot_table(of, "id", "changes", aggfunc="first")
        .reindex(columns=[*names])
        .rename(columns=names)
        for of in ("verdict", "words")
    )
    if column:
        found, words = found.T, words.T
    grid = CaseGrid([[found]], 0.3 * max(len(found), 1), margin=0.5, column=column)
    axes = grid.axes[0, 0]
    if found.empty:
        say(axes, 0.5, 0.5, "no verdict changes")
        axes.set_axis_off()
        return grid.figure
    codes = found.apply(lambda verdicts: verdicts.map([*SHADES].index, na_action="ignore"))
    look: Values = {"cmap": [*SHADES.values()], "vmin": -0.5, "vmax": len(SHADES) - 0.5}
    look |= {"annot": words.fillna(""), "fmt": "", "annot_kws": {"fontsize": 6.5, "color": "white"}}
    sns.heatmap(codes.astype(float), ax=axes, linewidths=1.5, cbar=False, **look)
    axes.set(xlabel="", ylabel="")
    axes.xaxis.tick_top()
    axes.tick_params(length=0, rotation=0)
    return grid.figure


def caption_values(tables: Tables) -> Values:
    """Return the alternatives, the pairs counted, and the claims with another verdict."""
    table = read_table(tables["verdicts"])
    named = (INTERPRETATIONS.get(x, ("", x)) for x in table["changes"].unique())
    changed = table[table["changed"]]
    return {
        "interpretations_shown": [f"{' '.join(words.split())} ({n})" for n, words in named],
        "pairs": len(table),
        "n_changed": len(changed),
        "changed": sorted(set(changed["id"])),
    }
