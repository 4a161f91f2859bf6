"""A grid of panels, one for each case: letters, titles, labels at the edges, one legend."""

from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from penalized_replication.figures.style import COLUMN_WIDTH, TEXT_WIDTH


def chunks(cases: Sequence[Any], length: int) -> list[Sequence[Any]]:
    """Return cases in rows of a given length; the last row may be shorter."""
    return [cases[start : start + length] for start in range(0, len(cases), length)]


class Panels:
    """The panels of a figure: letters, labels of all together, one legend."""

    figure: Drawing
    _titled = 0

    def title(self, axes: Axes, text: str, **style: Any) -> None:
        """Title a panel with the next letter."""
        letter = chr(ord("a") + self._titled)
        self._titled += 1
        axes.set_title(f"({letter}) {text}", loc="left", **style)

    def label_once(self, x: str = "", y: str = "") -> None:
        """Label the axes of all panels together."""
        if x:
            self.figure.supxlabel(x, fontsize=7.5)
        if y:
            self.figure.supylabel(y, fontsize=7.5)

    def legend(self, handles: Sequence[Any], columns: int | None = None) -> Drawing:
        """Put one legend above all panels; return the figure."""
        style = {"ncols": columns or len(handles), "handlelength": 2.6, "columnspacing": 1.6}
        self.figure.legend(handles=list(handles), loc="outside upper center", **style)
        return self.figure


class Mosaic(Panels):
    """Panels of different sizes: `matplotlib.pyplot.subplot_mosaic`, ``height`` in inches."""

    def __init__(self, layout: Any, height: float, *, column: bool = False, **ratios: Any) -> None:
        size = {"figsize": (COLUMN_WIDTH if column else TEXT_WIDTH, height)}
        self.axes: dict[Any, Axes]
        self.figure, self.axes = plt.subplot_mosaic(layout, layout="constrained", **size, **ratios)


class CaseGrid(Panels):
    """Panels of cases in rows, which may differ in length.

    Parameters
    ----------
    rows
        The cases of each row; anything that stands for a case.
    height
        Inches of a row.
    margin
        Inches above and below all rows.
    column
        Whether the figure has the width of one column of a page, or that of the text.
    turned
        Whether one column has rows as columns.  Letters follow the order of ``rows``
        nevertheless, because both forms of a figure have one caption.
    share_rows
        Whether panels of one row have one vertical axis.
    shared
        More arguments of `matplotlib.pyplot.subplots`.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[Any]],
        height: float,
        margin: float = 0.5,
        column: bool = False,
        turned: bool = True,
        share_rows: bool = False,
        **shared: Any,
    ) -> None:
        self.rows, turned = [row for row in rows if len(row)], turned and column
        shape = len(self.rows), max(map(len, self.rows))
        shape = shape[::-1] if turned else shape
        if share_rows:
            shared["sharey"] = "col" if turned else "row"
        self.figure, self.axes = plt.subplots(
            *shape,
            figsize=(COLUMN_WIDTH if column else TEXT_WIDTH, margin + height * shape[0]),
            squeeze=False,
            layout="constrained",
            **shared,
        )
        self.lines: Any = self.axes.T if turned else self.axes
        """Panels of each row, those of no case included."""
        for line, row in zip(self.lines, self.rows, strict=True):
            for axes in line[len(row) :]:
                axes.set_axis_off()

    def __iter__(self) -> Iterator[tuple[Axes, Any]]:
        """Yield each panel with its case, row by row."""
        for line, row in zip(self.lines, self.rows, strict=True):
            yield from zip(line, row, strict=False)

    def label(self, x: str = "", y: str = "") -> None:
        """Label the x axes of the last row that is drawn and the y axes of the first column."""
        for axes in self.axes[-1] if x else ():
            axes.set_xlabel(x)
        for axes in self.axes[:, 0] if y else ():
            axes.set_ylabel(y)
