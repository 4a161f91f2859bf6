"""What the figures of all policies share: a row for each policy, a dot for each case."""

from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullFormatter

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.engine.oracle import trace
from penalized_bandits.figures.base import in_order
from penalized_bandits.figures.case_grid import CaseGrid
from penalized_bandits.figures.style import entry, look_of, tidy
from penalized_bandits.policies import POLICIES
from penalized_bandits.storage.summaries import read_table

ROW = 0.23
"""Height of a policy's row, inches."""
MEASURE_GAP = 0.22
"""Distance of a measure's row from the middle of its policy's."""


ROUNDS = 200
"""Rounds that show whether a policy looks at the fairness levels."""


class Family(NamedTuple):
    """Policies that look at the same things: one colour, as policies are too many for one each."""

    label: str
    colour: str


PENALTIES = Family("looks at penalty rates", "#0072B2")
LEVELS = Family("looks at fairness levels alone", "#D55E00")
CLASSICAL = Family("looks at neither", "#555555")


def read_cases(path: str) -> pd.DataFrame:
    """Read the table of measures by case."""
    return read_table(path, {"chosen": str})


def geometric_mean(values: pd.Series) -> float:
    """Return the geometric mean of positive values; NaN if some are not."""
    array = values.to_numpy(dtype=float)
    return float(np.exp(np.log(array).mean())) if array.size and (array > 0).all() else np.nan


def by_mean(table: pd.DataFrame) -> list[str]:
    """Return the policies in the order of their geometric means, the smallest first."""
    score = {
        policy: geometric_mean(table[table["policy"] == policy]["estimate"])
        for policy in in_order(table["policy"])
    }
    return sorted(score, key=lambda policy: score[policy])


def policy_rows(panels: Sequence[str], policies: Sequence[str], *, column: bool) -> CaseGrid[str]:
    """Return panels side by side with a row for each policy, the first on top."""
    height = ROW * len(policies)
    grid = CaseGrid([panels], height, margin=1.1, column=column, turned=column, sharey=True)
    places = range(len(policies))
    first = grid.axes[0, 0]
    first.set_yticks(list(places), [look_of(policy).label for policy in policies])
    first.set_ylim(len(policies) - 0.4, -0.6)
    for axes, panel in grid:
        tidy(axes)
        axes.grid(axis="y", visible=False)
        for place in places:
            axes.axhline(place, color="#EEEEEE", linewidth=0.5, zorder=0)
        axes.tick_params(axis="y", length=0)
        grid.title(axes, panel)
    return grid


def draw_measure(
    axes: Axes, table: pd.DataFrame, policies: Sequence[str], shift: float, *, filled: bool
) -> None:
    """Draw each case as a dot with its interval, and the geometric mean of a policy's as a bar."""
    for place, policy in enumerate(policies):
        rows = table[(table["policy"] == policy) & (table["estimate"] > 0)]
        if rows.empty:
            continue
        colour = family_of(policy).colour
        # Side by side within the row, so that intervals do not overlap.
        heights = place + shift + np.linspace(-0.09, 0.09, len(rows)) * (len(rows) > 1)
        low = np.maximum(rows["ci_low"], rows["estimate"] / 10)
        axes.errorbar(
            rows["estimate"],
            heights,
            xerr=[rows["estimate"] - low, rows["ci_high"] - rows["estimate"]],
            linestyle="none",
            marker="o",
            markersize=2.4,
            markeredgewidth=0.6,
            elinewidth=0.6,
            color=colour,
            markerfacecolor=colour if filled else "white",
            zorder=3,
        )
        middle = geometric_mean(rows["estimate"])
        axes.plot(
            [middle] * 2, [place + shift - 0.19, place + shift + 0.19], color=colour, zorder=4
        )


def log_ticks(axes: Axes, suffix: str = "") -> None:
    """Make the horizontal axis logarithmic, with plain numbers."""
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}{suffix}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


@cache
def heeds_fairness(policy: str) -> bool:
    """Play a bandit with and without fairness levels; return whether the pulls differ."""
    rule = POLICIES[policy].tuning
    tuning = rule.regret(2, ROUNDS) if rule and rule.regret else None
    played = [
        trace(
            policy, Instance([0.9, 0.5], [0.0, level], 0.0, Deterministic()), ROUNDS, tuning=tuning
        ).arms
        for level in (0.0, 0.9)
    ]
    return played[0] != played[1]


def family_of(policy: str) -> Family:
    """Return the family of a policy, by what it looks at."""
    if not POLICIES[policy].ignores_penalties:
        return PENALTIES
    return LEVELS if heeds_fairness(policy) else CLASSICAL


def two_legends(grid: CaseGrid[str], policies: Sequence[str], marks: Sequence[Line2D]) -> Figure:
    """Put the families that some policies are of above all panels, and below them the marks."""
    found = {family_of(policy) for policy in policies}
    families = [
        Patch(color=family.colour, linewidth=0, label=family.label)
        for family in (PENALTIES, LEVELS, CLASSICAL)
        if family in found
    ]
    # A legend is filled column by column.
    pairs = zip_longest(families, marks, fillvalue=entry("", linestyle="none"))
    columns = 1 if len(grid.axes) > 1 else max(len(families), len(marks))
    return grid.legend([one for pair in pairs for one in pair], columns)


def dot(label: str, *, filled: bool = True) -> Line2D:
    """Make the legend entry of a case's dot."""
    face = "0.3" if filled else "white"
    return entry(
        label, color="0.3", marker="o", markersize=3, linestyle="none", markerfacecolor=face
    )


def stroke() -> Line2D:
    """Make the legend entry of the strokes at the means."""
    return entry("geometric mean", color="0.3")
