"""What the figures of all policies share: a row for each policy, a dot for each case."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullFormatter

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.engine.oracle import trace
from penalized_bandits.policies import PAPER_POLICY, POLICIES
from penalized_replication.figures.base import Values, select
from penalized_replication.figures.panels import CaseGrid
from penalized_replication.figures.style import BLUE, GREY, VERMILION, entry, look_of, tidy
from penalized_research.comparison import geometric_mean

ROW = 0.23
"""Height of a policy's row, inches."""
MEASURE_GAP = 0.22
"""Distance of a measure's row from the middle of its policy's."""
ROUNDS = 200
"""Rounds that show whether a policy looks at the fairness levels."""
PENALTIES, LEVELS, CLASSICAL = (
    f"looks at {what}" for what in ("penalty rates", "fairness levels alone", "neither")
)
FAMILIES = {PENALTIES: BLUE, LEVELS: VERMILION, CLASSICAL: GREY}
"""Colours by what policies look at, as these are too many for one each."""


def least_and_paper(table: pd.DataFrame, measure: str) -> Values:
    """Return for a caption the policy of the least geometric mean over all cases, and the paper's.

    Empty if a mean is unknown, or the paper's policy is not there.
    """
    by_policy = select(table, measure=measure).groupby("policy")["estimate"]
    means = by_policy.agg(geometric_mean)[by_policy.size() == by_policy.size().max()]
    if PAPER_POLICY not in means or means.isna().any():
        return {"least": None}
    return {"least": means.idxmin(), "least_mean": means.min(), "paper_mean": means[PAPER_POLICY]}


def draw_all(
    table: pd.DataFrame,
    panels: Sequence[str],
    measures: Mapping[str, str],
    *,
    line: float | None = None,
    suffix: str = "",
    column: bool = False,
) -> CaseGrid:
    """Draw panels side by side with a row for each policy, the best on top.

    ``measures`` are labels by measure; a case is a dot of each, filled for the first, which orders
    the policies by its geometric mean.  A dashed ``line`` marks a value; ``suffix`` is the unit.
    """
    first, *_ = measures
    by_policy = select(table, measure=first).groupby("policy", sort=False)["estimate"]
    means = by_policy.agg(geometric_mean).to_dict()
    policies = sorted(map(str, means), key=lambda policy: means[policy])
    grid = CaseGrid([panels], ROW * len(policies), margin=1.1, column=column, sharey=True)
    grid.axes[0, 0].set_yticks(range(len(policies)), [look_of(one).label for one in policies])
    grid.axes[0, 0].set_ylim(len(policies) - 0.4, -0.6)
    for axes, panel in grid:
        tidy(axes)
        axes.grid(axis="y", visible=False)
        for place in range(len(policies)):
            axes.axhline(place, color="#EEEEEE", linewidth=0.5, zorder=0)
        axes.tick_params(axis="y", length=0)
        grid.title(axes, panel)
        for number, measure in enumerate(measures):
            shift = MEASURE_GAP * (2 * number - len(measures) + 1)
            for place, policy in enumerate(policies):
                rows = select(table, panel=panel, measure=measure, policy=policy)
                rows = rows[rows["estimate"] > 0]
                if not rows.empty:
                    colour = FAMILIES[family_of(policy)]
                    _draw_cases(axes, rows, place + shift, colour, not number)
        if line is not None:
            axes.axvline(line, color="0.3", linewidth=0.7, linestyle=(0, (2, 2)), zorder=1)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}{suffix}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    dot: Values = {"color": "0.3", "marker": "o", "markersize": 3, "linestyle": "none"}
    dots = zip(measures.values(), ("0.3", "white"), strict=False)
    marks = [entry(label, markerfacecolor=face, **dot) for label, face in dots]
    marks.append(entry("geometric mean", color="0.3"))
    found = set(map(family_of, policies))
    families = [Patch(color=c, linewidth=0, label=f) for f, c in FAMILIES.items() if f in found]
    # A legend is filled column by column.
    pairs = zip_longest(families, marks, fillvalue=entry("", linestyle="none"))
    columns = 1 if column else max(len(families), len(marks))
    grid.legend([one for pair in pairs for one in pair], columns)
    return grid


def _draw_cases(axes: Axes, rows: pd.DataFrame, height: float, colour: str, filled: bool) -> None:
    # Side by side within the row, so that intervals do not overlap.
    heights = height + np.linspace(-0.09, 0.09, len(rows)) * (len(rows) > 1)
    low = np.maximum(rows["ci_low"], rows["estimate"] / 10)
    bars = [rows["estimate"] - low, rows["ci_high"] - rows["estimate"]]
    dot: Values = {"marker": "o", "markersize": 2.4, "markeredgewidth": 0.6}
    dot |= {"linestyle": "none", "elinewidth": 0.6, "zorder": 3}
    face = colour if filled else "white"
    axes.errorbar(rows["estimate"], heights, xerr=bars, color=colour, markerfacecolor=face, **dot)
    middle = geometric_mean(rows["estimate"])
    axes.plot([middle] * 2, [height - 0.19, height + 0.19], color=colour, zorder=4)


@cache
def family_of(policy: str) -> str:
    """Return a policy's inputs; levels among them if its pulls differ without them."""
    if not POLICIES[policy].ignores_penalties:
        return PENALTIES
    rule = POLICIES[policy].tuning
    tuning = rule.regret(2, ROUNDS) if rule and rule.regret else None
    bandits = (Instance([0.9, 0.5], [0.0, level], 0.0, Deterministic()) for level in (0.0, 0.9))
    without, with_level = (trace(policy, one, ROUNDS, tuning=tuning).arms for one in bandits)
    return LEVELS if without != with_level else CLASSICAL
