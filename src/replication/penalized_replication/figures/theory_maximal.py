"""The largest deficit over all rounds, beside the bound and beside what the start forces."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.deficits import deficit_coefficients
from penalized_replication.claims.base import FAR
from penalized_replication.claims.horizon_series import SETTLED
from penalized_replication.figures.base import Drawing, Tables, Values, in_order, select, summary_of
from penalized_replication.figures.case_grid import Mosaic
from penalized_replication.figures.panels import draw_means, horizon_axis
from penalized_replication.figures.style import entry, graded, tidy
from penalized_replication.figures.theory_instances import GUIDE_COLOUR, LawInstance, law_instances

LATER = 0.01
"""Pulls by which a largest deficit exceeds that of the first rounds, to be one of later rounds."""
PATHS = "BCDE"
"""Panels of the instances whose deficits are drawn against the horizon."""
LINEAR = 1.0
"""Pulls up to which an axis of large deficits is linear."""
LARGE = 10.0
"""Pulls: an axis that goes beyond is logarithmic from ``LINEAR`` on."""
Looks = dict[int, Values]
"""Colour and marker by the number of the arm."""


def deficits_of(one: LawInstance) -> pd.DataFrame:
    """Return the largest deficits of an instance's optimal and critical arms, by horizon.

    New columns are ``title``, that of the instance; ``bound``, a_k log T with a_k as stated, in
    pulls (infinite with ties, NaN where tau or A depends on T); ``later``, pulls beyond
    (k - 1) tau_k, which one pull of each arm in turn forces, where they are most; ``decides``,
    whether the bound is compared at the horizon.
    """
    bandit = one.bandit
    with np.errstate(divide="ignore"):  # ties give infinite coefficients
        found = deficit_coefficients(bandit) if one.fixed else np.full(bandit.n_arms, math.nan)
    table = select(one.rows, policy=PAPER_POLICY, metric="max_deficit")
    table = table.sort_values(["arm", "horizon"]).astype({"arm": int})
    table = table[bandit.optimal_or_critical[table["arm"] - 1]]
    start = (table["arm"] - 1) * table["fairness_fraction"]
    bound = pd.Series(found[table["arm"] - 1] * np.log(table["horizon"]), table.index)
    vacuous = bound >= table["fairness_fraction"] * table["horizon"]
    return table.assign(
        title=one.title,
        bound=bound,
        later=(table["mean"] - start).groupby(table["arm"]).transform("max"),
        decides=(table["horizon"] >= SETTLED) & ~vacuous.groupby(table["arm"]).transform("last"),
    )


def _every(tables: Tables) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the deficits of all instances, and those above 0 with a bound that is compared."""
    table = pd.concat(map(deficits_of, law_instances(summary_of(tables, "log_laws"))))
    decides = table["decides"] & np.isfinite(table["bound"])
    return table, table[decides & (table["mean"] > 0)]


def _style(rows: pd.DataFrame, looks: Looks) -> Values:
    """Return the look of an arm, hollow where it has no more than the start forces."""
    look = looks[rows["arm"].iloc[0]]
    return {**look, "markerfacecolor": look["color"] if rows["later"].max() > LATER else "white"}


def _ratios(axes: Axes, table: pd.DataFrame, looks: Looks) -> None:
    titles = in_order(table["title"])
    for place, title in enumerate(titles):
        axes.axhline(place, color="#DDDDDD", linewidth=0.5, zorder=0.5)
        for _, rows in select(table, title=title).groupby("arm"):
            largest = (rows["mean"] / rows["bound"]).max()
            axes.plot(largest, place, markersize=4, linestyle="none", **_style(rows, looks))
    axes.axvline(1, color=GUIDE_COLOUR, linewidth=1.2)
    axes.set_xscale("log")
    axes.set_xlim(axes.get_xlim()[0] / 2, 4)
    axes.set_yticks(range(len(titles)), titles)
    axes.set_ylim(max(len(titles), 1) - 0.5, -0.5)
    axes.set_xlabel("Largest deficit over a$_j$ log T")
    tidy(axes)


def _paths(axes: Axes, table: pd.DataFrame, looks: Looks) -> None:
    thin = {"markersize": 2.5, "linewidth": 0.9, "elinewidth": 0.6}
    for _, rows in table.groupby("arm"):
        draw_means(axes, rows["horizon"], rows, **thin, **_style(rows, looks))
    horizon_axis(axes, table["horizon"].tolist(), label=False)
    largest = table["mean"].max()
    if largest > LARGE:
        axes.set_yscale("symlog", linthresh=LINEAR)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_number(value)))
        axes.set_ylim(-0.1, 2 * largest)
    else:
        axes.set_ylim(bottom=-0.06 * axes.get_ylim()[1])
    tidy(axes)


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw ratios to the bound, and paths of the deficits that later rounds exceed."""
    table, bounded = _every(tables)
    looks: Looks = dict(enumerate(graded(table["arm"].max()), start=1))
    if column:
        grid = Mosaic([["A"], [[["B", "C"], ["D", "E"]]]], 7.0, column=True, height_ratios=(1.2, 1))
    else:
        grid = Mosaic("AABC;AADE", 3.5, width_ratios=(1.2, 1.2, 1, 1))
    _ratios(grid.axes["A"], bounded, looks)
    grid.title(grid.axes["A"], "observed over bound")
    most = table.groupby("title", sort=False)["later"].max()
    chosen = most.sort_values(ascending=False, kind="stable").index[: len(PATHS)]
    shown = [title for title in most.index if title in chosen]
    for number, (panel, title) in enumerate(zip(PATHS, shown, strict=False)):
        axes = grid.axes[panel]
        _paths(axes, select(table, title=title), looks)
        grid.title(axes, title)
        if number % 2 == 0:
            axes.set_ylabel("Deficit (pulls)")
        if number + 2 >= len(shown):
            axes.set_xlabel("Horizon T (rounds)")
    for panel in PATHS[len(shown) :]:
        grid.axes[panel].remove()
    hollow = {"marker": "o", "color": GUIDE_COLOUR, "markerfacecolor": "white"}
    handles = [
        *(entry(f"arm {arm}", linestyle="none", **look) for arm, look in looks.items()),
        entry("no more than the start forces", linestyle="none", **hollow),
        entry("the bound", color=GUIDE_COLOUR, linewidth=1.2),
    ]
    return grid.legend(handles, 2 if column else None)


def _at_most(value: float) -> str:
    """Return a number with two digits, rounded up."""
    if value <= 0:
        return "0"
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return format_number(math.ceil(round(value / step, 6)) * step)


def caption_values(tables: Tables, _: object) -> Values:
    """Return the largest ratio to a bound, in percent."""
    _, rows = _every(tables)
    ratio = float((rows["mean"] / rows["bound"]).max())
    return {
        "settled": SETTLED,
        "ratio": "" if rows.empty else _at_most(100 * ratio),
        "far": ratio < 1 / FAR,
        "later": f"{LATER:g}",
    }
