"""The largest deficit over all rounds, beside the bound and beside what the start forces."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import FuncFormatter

from penalized_bandits.claims.base import FAR
from penalized_bandits.claims.horizon_series import SETTLED
from penalized_bandits.common.numbers import format_number
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.figures.base import select, summary_of
from penalized_bandits.figures.panels import bars_of, horizon_axis
from penalized_bandits.figures.style import (
    COLUMN_WIDTH,
    TEXT_WIDTH,
    entry,
    figure_legend,
    graded,
    panel_title,
    tidy,
)
from penalized_bandits.figures.theory_instances import (
    GUIDE_COLOUR,
    LawInstance,
    law_instances,
)
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.deficits import deficit_coefficients
from penalized_bandits.theory.inputs import instance_of

LATER = 0.01
"""Pulls by which a largest deficit exceeds that of the first rounds, to be one of later rounds."""
SHOWN = 4
"""Instances whose deficits are drawn against the horizon."""
LINEAR = 1.0
"""Pulls up to which an axis of large deficits is linear."""
LARGE = 10.0
"""Pulls: an axis that goes beyond is logarithmic from ``LINEAR`` on."""


class Arm(NamedTuple):
    """What is known of an optimal or critical arm of an instance."""

    number: int
    rows: pd.DataFrame
    """Largest deficits, by horizon."""
    start: FloatArray
    """(k - 1) tau_k, what one pull of each arm in turn forces, by horizon."""
    coefficient: float
    """a_k as stated; infinite with ties, NaN where tau or A depends on T."""

    @property
    def over_the_start(self) -> float:
        """By how many pulls it goes beyond the start, at the horizon where it does most."""
        return float((self.rows["mean"].to_numpy() - self.start).max())

    @property
    def over_the_bound(self) -> FloatArray:
        """Observed over a_k log T, by horizon."""
        return (self.rows["mean"] / (self.coefficient * np.log(self.rows["horizon"]))).to_numpy()

    @property
    def decisive(self) -> FloatArray:
        """The same at the horizons that decide C11; empty if a_k log T exceeds tau_k T at last."""
        last = self.rows.iloc[-1]
        vacuous = self.coefficient * np.log(last.horizon) >= last.fairness_fraction * last.horizon
        return self.over_the_bound[(self.rows["horizon"] >= SETTLED) & ~vacuous]


def arms_of(one: LawInstance) -> list[Arm]:
    """Return the optimal and critical arms of an instance."""
    found = np.full(one.bandit.means.size, math.nan)
    if one.fixed:
        with np.errstate(divide="ignore"):  # ties give infinite coefficients
            found = deficit_coefficients(instance_of(*one.bandit))
    arms = []
    for number in one.bandit.served_arms:
        rows = select(one.rows, policy=PAPER_POLICY, metric="max_deficit", arm=number)
        rows = rows.sort_values("horizon")
        start = (number - 1) * rows["fairness_fraction"].to_numpy(dtype=np.float64)
        arms.append(Arm(number, rows, start, float(found[number - 1])))
    return arms


def _ratios(axes: Axes, drawn: dict[str, list[Arm]], looks: dict[int, dict[str, Any]]) -> None:
    """Draw the largest ratio to the bound of each arm, an instance a line."""
    for place, arms in enumerate(drawn.values()):
        axes.axhline(place, color="#DDDDDD", linewidth=0.5, zorder=0.5)
        for arm in arms:
            face = looks[arm.number]["color"] if arm.over_the_start > LATER else "white"
            style = {**looks[arm.number], "markersize": 4, "linestyle": "none"}
            axes.plot(float(arm.over_the_bound.max()), place, markerfacecolor=face, **style)
    axes.axvline(1, color=GUIDE_COLOUR, linewidth=1.2)
    axes.set_xscale("log")
    left, _ = axes.get_xlim()
    axes.set_xlim(left / 2, 4)
    axes.set_yticks(range(len(drawn)), list(drawn))
    axes.set_ylim(len(drawn) - 0.5, -0.5)
    axes.set_xlabel("Largest deficit over a$_j$ log T")
    tidy(axes)


def _paths(axes: Axes, arms: list[Arm], looks: dict[int, dict[str, Any]]) -> None:
    """Draw the largest deficits of an instance against the horizon."""
    for arm in arms:
        face = looks[arm.number]["color"] if arm.over_the_start > LATER else "white"
        axes.errorbar(
            arm.rows["horizon"],
            arm.rows["mean"],
            yerr=bars_of(arm.rows),
            markersize=2.5,
            linewidth=0.9,
            elinewidth=0.6,
            markerfacecolor=face,
            **looks[arm.number],
        )
    horizon_axis(axes, sorted(arms[0].rows["horizon"].unique()), label=False)
    largest = largest_of(arms)
    if largest > LARGE:
        axes.set_yscale("symlog", linthresh=LINEAR)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_number(value)))
        axes.set_ylim(-0.1, 2 * largest)
    else:
        axes.set_ylim(bottom=-0.06 * axes.get_ylim()[1])
    tidy(axes)


def largest_of(arms: list[Arm]) -> float:
    """Return the largest mean deficit of some arms, pulls."""
    return max(float(arm.rows["mean"].max()) for arm in arms)


def _bounded(arms: list[Arm]) -> list[Arm]:
    """Return the arms that have a finite bound and a deficit at all."""
    return [a for a in arms if math.isfinite(a.coefficient) and a.rows["mean"].max() > 0]


def _panels(*, column: bool) -> tuple[Figure, Axes, list[SubplotSpec]]:
    """Return the figure, the panel of ratios, and the places of the others, two in a row."""
    if column:
        figure = plt.figure(figsize=(COLUMN_WIDTH, 7.0), layout="constrained")
        upper, lower = figure.add_gridspec(2, 1, height_ratios=(1.2, 1))
        grid = lower.subgridspec(2, 2)
        return figure, figure.add_subplot(upper), [grid[divmod(i, 2)] for i in range(SHOWN)]
    figure = plt.figure(figsize=(TEXT_WIDTH, 3.5), layout="constrained")
    grid = figure.add_gridspec(2, 4, width_ratios=(1.2, 1.2, 1, 1))
    others = [grid[i // 2, 2 + i % 2] for i in range(SHOWN)]
    return figure, figure.add_subplot(grid[:, :2]), others


def draw(tables: Mapping[str, str], *, column: bool = False) -> Figure:
    """Draw ratios to the bound, and paths of the deficits that later rounds exceed."""
    instances = law_instances(summary_of(tables, "log_laws"))
    arms = {one.title: arms_of(one) for one in instances}
    most = max(arm.number for some in arms.values() for arm in some)
    looks = dict(enumerate(graded(most), start=1))
    figure, first, others = _panels(column=column)
    axes = first
    bounded = {name: _bounded(some) for name, some in arms.items()}
    bounded = {name: some for name, some in bounded.items() if some}
    _ratios(axes, bounded, looks)
    panel_title(axes, 0, "observed over bound")
    later = sorted(arms, key=lambda name: -max(arm.over_the_start for arm in arms[name]))
    for number, name in enumerate(name for name in arms if name in later[:SHOWN]):
        row, place = divmod(number, 2)
        axes = figure.add_subplot(others[number])
        _paths(axes, arms[name], looks)
        panel_title(axes, number + 1, name)
        if place == 0:
            axes.set_ylabel("Deficit (pulls)")
        if row == 1 or number + 2 >= min(SHOWN, len(arms)):
            axes.set_xlabel("Horizon T (rounds)")
    figure_legend(
        figure,
        [
            *(entry(f"arm {arm}", linestyle="none", **look) for arm, look in looks.items()),
            entry("no more than the start forces", **_HOLLOW),
            entry("the bound", color=GUIDE_COLOUR, linewidth=1.2),
        ],
        2 if column else None,
    )
    return figure


_HOLLOW: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "color": GUIDE_COLOUR,
    "markerfacecolor": "white",
}


def _at_most(value: float) -> str:
    """Return a number with two digits, rounded up."""
    if value <= 0:
        return "0"
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return format_number(math.ceil(round(value / step, 6)) * step)


def caption_values(tables: Mapping[str, str], _: Any) -> dict[str, Any]:
    """Return the largest ratio to a bound, in percent."""
    every = [a for one in law_instances(summary_of(tables, "log_laws")) for a in arms_of(one)]
    ratios = [float(ratio) for arm in _bounded(every) for ratio in arm.decisive]
    return {
        "settled": SETTLED,
        "ratio": _at_most(100 * max(ratios)) if ratios else "",
        "far": bool(ratios) and max(ratios) < 1 / FAR,
        "later": f"{LATER:g}",
    }
