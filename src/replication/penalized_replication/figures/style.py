"""One look for all figures: the same policy has the same colour and marker everywhere.

Colours are those of Okabe and Ito, safe for the colour-blind, with a dark red for their sky blue,
which thin lines do not show apart from the blue; markers and dashes differ in grey as well.  Sizes
and lines are in ``paper.mplstyle``.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.style import use
from matplotlib.ticker import FuncFormatter, ScalarFormatter

from penalized_bandits.common.numbers import format_number
from penalized_bandits.policies import PAPER_POLICY, POLICIES

mpl.use("Agg")

TEXT_WIDTH = 7.16
"""Inches: both columns."""
COLUMN_WIDTH = 3.5
"""Inches: one column."""
BLUE, VERMILION, GREY = "#0072B2", "#D55E00", "#555555"
FRONTIER_COLOUR = GREY
LEVEL_COLOUR = "#8C8C8C"
"""The fairness level; no colour of a policy."""
SHADE = "#EFEBE0"
"""Behind what is not looked at: horizons up to Figure 1's last, negligible differences."""

COLOURS = {
    PAPER_POLICY: BLUE, "lfg": VERMILION, "fair_learn": "#009E73", "ucb1": "#000000",
    "soft_threshold_ucb": "#CC79A7", "explore_then_commit": "#E69F00", "lfg_original": "#8E0152",
    "kl_hard_threshold": "#8C6D31",
}  # fmt: skip
"""Of the first policies; the others have the same again, by their place in the registry."""
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
_BROKEN = (5, 1.5), (3, 1, 1, 1), (1, 1), (7, 1.5, 1, 1.5), (2, 2), (4, 1, 1, 1, 1, 1), (1, 2)
_DASHES: tuple[Any, ...] = ("-", *((0, lengths) for lengths in _BROKEN))

Colour = tuple[float, float, float]


def shades(n: int) -> list[Colour]:
    """Return n colours from dark to light, for things in order; the lightest is left out."""
    colours = mpl.colormaps["viridis"]([(i + 1) / (n + 2) for i in range(n)])
    return [(float(r), float(g), float(b)) for r, g, b, _ in colours]


def graded(n: int) -> list[dict[str, Any]]:
    """Return colours and markers of n things in order: one hue from dark to light."""
    marks = zip(shades(n), itertools.cycle((*_MARKERS, ">", "p")), strict=False)
    return [{"color": colour, "marker": marker} for colour, marker in marks]


def use_style() -> None:
    """Set the look for figures drawn from here on."""
    mpl.rcdefaults()
    use(Path(__file__).with_name("paper.mplstyle"))


@dataclass(frozen=True)
class Look:
    """How a policy is drawn."""

    label: str
    """As matplotlib is to be given it (`verbatim`)."""
    colour: str
    marker: str
    dashes: Any

    @property
    def style(self) -> dict[str, Any]:
        """Colour, marker and dashes by matplotlib's names."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.dashes}


def verbatim(text: str) -> str:
    """Return text of data so that matplotlib draws it letter by letter.

    What stands between two dollars would be set as mathematics, and a label that begins with
    an underscore would be left out of legends.
    """
    hidden = "\u200b" if text.startswith("_") else ""  # has no width
    return hidden + text.replace("$", r"\$")


def look_of(policy: str) -> Look:
    """Return the look of a policy, by its id or its place in the registry."""
    again, place = divmod(list(POLICIES).index(policy), len(COLOURS))
    colour = COLOURS.get(policy, list(COLOURS.values())[place])
    # A colour that comes again has another marker and other dashes.
    marker, dashes = (place + 3 * again) % len(_MARKERS), (place + 3 * again) % len(_DASHES)
    label = verbatim(POLICIES[policy].label)
    return Look(label, colour, _MARKERS[marker], _DASHES[dashes])


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
        if axis.get_scale() == "linear" and isinstance(axis.get_major_formatter(), ScalarFormatter):
            axis.set_major_formatter(FuncFormatter(lambda value, _: format_number(value)))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, which="major")
    axes.set_axisbelow(True)
