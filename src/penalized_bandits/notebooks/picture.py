"""Pictures inside of notebooks: drawn for a screen, embedded, described in words."""

from io import BytesIO
from typing import Any, cast

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import Image
from matplotlib.figure import Figure

from penalized_bandits.figures.style import use_style

WIDTH = 6.0
"""Inches: the width of a picture, which a phone shrinks to half."""
CSS_PIXELS = 96
"""Pixels of a web page in an inch."""
SHARPNESS = 2
"""Pixels of the picture for each of the page's, along a side."""

_SCREEN: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.5,
    "lines.markersize": 4,
}


def use_screen_style() -> None:
    """Set the look of the paper's figures, with type large enough for a screen.

    Jupyter sets no mathematics in tables then: "Trading $1 for $2" is a title.
    """
    use_style()
    mpl.rcParams.update(cast("Any", _SCREEN))
    pd.set_option("display.html.use_mathjax", False)


def picture(figure: Figure, description: str) -> Image:
    """Turn a figure into a picture that a notebook shows.

    ``description`` says what it shows, for readers who cannot see it.  The figure is closed; its
    picture has the same bytes each time: no date, no program's version.
    """
    file = BytesIO()
    figure.savefig(file, format="png", dpi=SHARPNESS * CSS_PIXELS, metadata={"Software": None})
    plt.close(figure)
    width = round(figure.get_figwidth() * CSS_PIXELS)
    return Image(data=file.getvalue(), format="png", width=width, alt=description)
