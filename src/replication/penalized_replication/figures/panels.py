"""What panels of several figures share: means with intervals, axes, small print."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from penalized_bandits.common.numbers import format_number
from penalized_bandits.common.typing import FloatArray
from penalized_replication.figures.base import select
from penalized_replication.figures.style import look_of, policy_handle, tidy


def bars_of(rows: pd.DataFrame, scale: Any = 1) -> list[FloatArray]:
    """Return the lengths of a mean's interval below and above it; 0 where there is none."""
    mean = rows["mean"].to_numpy()
    low, high = rows["ci_low"].to_numpy(), rows["ci_high"].to_numpy()
    return [np.nan_to_num(mean - low) / scale, np.nan_to_num(high - mean) / scale]


def draw_means(axes: Axes, x: Any, rows: pd.DataFrame, scale: Any = 1, **style: Any) -> None:
    """Draw means over a scale, with their intervals."""
    style = {"elinewidth": 0.8, **style}
    axes.errorbar(x, rows["mean"] / scale, yerr=bars_of(rows, scale), **style)


def draw_policies(axes: Axes, table: pd.DataFrame, **style: Any) -> None:
    """Draw each policy's means; the first named, which the figure is about, on top."""
    policies = table["policy"].unique()
    for place, policy in enumerate(policies):
        rows = select(table, policy=policy).sort_values("horizon")
        look = {**look_of(policy).style, "zorder": 3 + len(policies) - place, **style}
        draw_means(axes, rows["horizon"], rows, **look)


def policy_handles(table: pd.DataFrame, **changes: Any) -> list[Line2D]:
    """Return the legend entries of the policies of a table."""
    return [policy_handle(policy, **changes) for policy in table["policy"].unique()]


def say(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Write text at a place that is given in shares of the panel."""
    axes.text(x, y, text, transform=axes.transAxes, ha=style.pop("ha", "center"), **style)


def horizon_axis(axes: Axes, horizons: Sequence[int], *, label: bool = True) -> None:
    """Make the x axis one of horizons: logarithmic, powers of ten."""
    axes.set_xscale("log")
    axes.set_xlim(min(horizons) / 1.3, max(horizons) * 1.3)
    axes.xaxis.set_major_locator(LogLocator())
    axes.xaxis.set_minor_locator(NullLocator())
    if label:
        axes.set_xlabel("Horizon T (rounds)")


def log_axes(axes: Axes, horizons: Sequence[int]) -> None:
    """Make both axes logarithmic, the x axis one of horizons."""
    axes.set_yscale("log")
    horizon_axis(axes, horizons, label=False)
    tidy(axes)


TICKS: tuple[tuple[float, ...], ...] = (
    (1,),
    (1, 3),
    (1, 2, 5),
    (1, 2, 3, 5),
    (1, 1.5, 2, 3, 4, 5, 7),
)
"""Multiples of powers of ten that a logarithmic axis marks, from few to many."""


def plain_ticks(axis: Any, *, few: bool = False) -> None:
    """Mark multiples of powers of ten on a logarithmic axis of set limits, as plain numbers.

    These are 1, 2 and 5, or with ``few`` 1 alone; more of them where that makes fewer than three
    numbers.
    """
    low, high = sorted(axis.get_view_interval())
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)

    def enough(subs: tuple[float, ...]) -> bool:
        return sum(low <= sub * 10.0**power <= high for power in powers for sub in subs) >= 3

    subs = next(filter(enough, TICKS[0 if few else 2 :]), TICKS[-1])
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_number(value)))
    axis.set_minor_locator(NullLocator())
