"""One look for all figures, seaborn's "ticks" in other sizes; that of a policy is the library's."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import seaborn as sns
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from penalized_bandits.common.numbers import format_number
from penalized_bandits.comparison.looks import COLOURS as COLOURS
from penalized_bandits.comparison.looks import look_of as look_of

mpl.use("Agg")

WIDTHS = TEXT_WIDTH, COLUMN_WIDTH = 7.16, 3.5  # inches: both columns, one column
BLUE, VERMILION = COLOURS[:2]
GREY = "#555555"
FRONTIER_COLOUR = GREY
LEVEL_COLOUR = "#8C8C8C"  # of the fairness level; no colour of a policy
SHADE = "#E9E9E9"  # behind the paper's horizons, and what is near enough: negligible, proportional


def shades(n: int) -> list[tuple[float, float, float]]:
    """Return n of seaborn's colours from dark to light, for things in order, but the lightest."""
    return sns.color_palette("viridis", n + 1)[:n]


def use_style() -> None:
    """Set the look for figures drawn from here on."""
    mpl.rcdefaults()
    sheet = Path(__file__).with_name("paper.mplstyle")
    sizes = mpl.rc_params_from_file(sheet, use_default_template=False)
    sns.set_theme("paper", "ticks", COLOURS, rc={**sizes})


def entry(label: str, **style: Any) -> Line2D:
    """Make an entry of a legend."""
    return Line2D([], [], label=label, **style)


def policy_handle(policy: str, **changes: Any) -> Line2D:
    """Make the legend entry of a policy."""
    look = look_of(policy)
    return entry(look.label, **{**look.style, **changes})


def tidy(axes: Axes) -> None:
    """Drop the frame's upper and right side; add a faint grid; write numbers as everywhere."""
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_formatter(), ticker.ScalarFormatter | ticker.LogFormatter):
            # 10k: the exponent of 10^4 would be too small to read.
            short = ticker.EngFormatter(sep="") if axis.get_scale() == "log" else format_number
            axis.set_major_formatter(
                lambda x, _, short=short: short(x) if x >= 1000 else format_number(x)
            )
            axis.set_minor_formatter(ticker.NullFormatter())
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, which="major")
    axes.set_axisbelow(True)
