"""Panels of figures: a grid with letters and one legend, means with intervals, axes."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from penalized_bandits.common.numbers import format_number
from penalized_replication.figures.base import select
from penalized_replication.figures.style import WIDTHS, look_of, policy_handle, tidy

MARKERS = 12  # about as many horizons of a curve are marked where it has more


def draw_means(axes: Axes, x: Any, rows: pd.DataFrame, scale: Any = 1, **style: Any) -> None:
    """Draw means over a scale, with their intervals where there are any."""
    style = {"elinewidth": 0.8, **style}
    bars = rows[["ci_low", "ci_high"]].sub(rows["mean"], axis=0) * [-1, 1]
    yerr = bars.fillna(0).to_numpy().T / np.asarray(scale)
    axes.errorbar(x, rows["mean"] / scale, yerr=yerr, **style)


def draw_policies(axes: Axes, table: pd.DataFrame, **style: Any) -> None:
    """Draw each policy's means, the first named on top; of many horizons some have an interval."""
    policies = table["policy"].unique()
    for place, policy in enumerate(policies):
        rows = select(table, policy=policy).sort_values("horizon")
        every = max(1, len(rows) // MARKERS)
        look = {"markevery": every, "errorevery": every, "zorder": 3 + len(policies) - place}
        look |= look_of(policy).style | style
        draw_means(axes, rows["horizon"], rows, **look)


def policy_handles(table: pd.DataFrame, **changes: Any) -> list[Line2D]:
    """Return the legend entries of the policies of a table."""
    return [policy_handle(policy, **changes) for policy in table["policy"].unique()]


def say(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Write text at a place that is given in shares of the panel."""
    axes.text(x, y, text, transform=axes.transAxes, ha=style.pop("ha", "center"), **style)


def horizon_axis(axes: Axes, horizons: Sequence[int]) -> None:
    """Make the x axis one of horizons: logarithmic, powers of ten."""
    axes.set_xscale("log")
    axes.set_xlim(min(horizons) / 1.3, max(horizons) * 1.3)
    axes.xaxis.set_major_locator(LogLocator())
    axes.xaxis.set_minor_locator(NullLocator())


def log_axes(axes: Axes, horizons: Sequence[int]) -> None:
    """Make both axes logarithmic, the x axis one of horizons."""
    axes.set_yscale("log")
    horizon_axis(axes, horizons)
    tidy(axes)


TICKS = [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5], [1, 1.5, 2, 3, 4, 5, 7]]
"""Multiples of powers of ten that a logarithmic axis marks, from few to many."""


def plain_ticks(axis: Any, *, few: bool = False) -> None:
    """Mark multiples of powers of ten on a logarithmic axis of set limits, as plain numbers.

    These are 1, 2 and 5, or with ``few`` 1 alone; more where that makes fewer than three numbers.
    """
    low, high = sorted(axis.get_view_interval())
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for subs in TICKS[0 if few else 2 :]:
        axis.set_major_locator(LogLocator(subs=subs))
        if sum(low <= sub * 10.0**power <= high for power in powers for sub in subs) >= 3:
            break
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_number(value)))
    axis.set_minor_locator(NullLocator())


def chunks(cases: Sequence[Any], length: int) -> list[Sequence[Any]]:
    """Return cases in rows of a given length; the last row may be shorter."""
    return [cases[start : start + length] for start in range(0, len(cases), length)]


class Panels:
    """The panels of a figure: letters, one legend."""

    def __init__(self, figure: Drawing) -> None:
        self.figure, self._titled = figure, 0

    def title(self, axes: Axes, text: str, **style: Any) -> None:
        """Title a panel with the next letter."""
        letter = chr(ord("a") + self._titled)
        self._titled += 1
        axes.set_title(f"({letter}) {text}", loc="left", **style)

    def legend(self, handles: Sequence[Any], columns: int | None = None) -> Drawing:
        """Put one legend above all panels; return the figure."""
        style = {"ncols": columns or len(handles), "handlelength": 2.6, "columnspacing": 1.6}
        self.figure.legend(handles=list(handles), loc="outside upper center", **style)
        return self.figure


class CaseGrid(Panels):
    """Panels of cases in rows, which may differ in length.

    ``height`` of a row, and ``margin`` above and below all of them, are in inches.  With ``column``
    the figure is one column of a page wide, and if ``turned`` rows are columns: letters follow
    ``rows`` nevertheless, because both forms have one caption.  ``shared`` are arguments of
    `matplotlib.pyplot.subplots`; with ``sharey="row"`` a row has one vertical axis in both forms.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[Any]],
        height: float,
        margin: float = 0.5,
        column: bool = False,
        turned: bool = True,
        **shared: Any,
    ) -> None:
        self.rows, shape = rows, (len(rows), max(map(len, rows)))
        self.turned = turned and column
        if self.turned:
            shape, swap = shape[::-1], {"row": "col", "col": "row"}
            shared = {axis: swap.get(which, which) for axis, which in shared.items()}
        figure, self.axes = plt.subplots(
            *shape,
            figsize=(WIDTHS[column], margin + height * shape[0]),
            squeeze=False,
            layout="constrained",
            **shared,
        )
        super().__init__(figure)
        self.lines: Any = self.axes.T if self.turned else self.axes
        """Panels of each row, those of no case included."""
        for line, row in zip(self.lines, self.rows, strict=True):
            for axes in line[len(row) :]:
                axes.set_axis_off()

    def __iter__(self) -> Iterator[tuple[Axes, Any]]:
        """Yield each panel with its case, row by row."""
        for line, row in zip(self.lines, self.rows, strict=True):
            yield from zip(line, row, strict=False)

    def label_rows(self, *labels: str) -> None:
        """Label the y axis of each row, on its first panel; on all where rows are columns."""
        for line, label in zip(self.lines, labels, strict=True):
            plt.setp(line if self.turned else line[:1], ylabel=label)

    def label(self, x: str, y: str, *, once: bool = False) -> None:
        """Label the x axes of the last row and the y axes of the first column, or all at once."""
        if once:
            self.figure.supxlabel(x)
            self.figure.supylabel(y)
        else:
            plt.setp(self.axes[-1], xlabel=x)
            plt.setp(self.axes[:, 0], ylabel=y)
