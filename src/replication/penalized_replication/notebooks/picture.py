"""Pictures inside notebooks: drawn for a screen, embedded, described in words."""

from io import BytesIO

import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import Image
from matplotlib.figure import Figure

from penalized_replication.figures.style import use_style

WIDTH = 6.0
"""Width of a picture in inches."""
CSS_PIXELS = 96
"""Pixels of a web page in an inch."""


def use_screen_style() -> None:
    """Set the style of the paper's figures, with type large enough for a screen."""
    use_style()
    plt.rcParams.update({"font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9})
    plt.rcParams.update({"xtick.labelsize": 8, "ytick.labelsize": 8, "legend.fontsize": 8.5})
    plt.rcParams.update({"lines.linewidth": 1.5, "lines.markersize": 4})
    # A movie's title may hold dollars, which are no mathematics.
    pd.set_option("display.html.use_mathjax", False)


def picture(figure: Figure, description: str) -> Image:
    """Return a figure as an image, with two pixels for each of the page's; close the figure.

    ``description`` is the image's alternative text.
    """
    file = BytesIO()
    figure.savefig(file, format="png", dpi=2 * CSS_PIXELS)
    plt.close(figure)
    width = round(figure.get_figwidth() * CSS_PIXELS)
    return Image(data=file.getvalue(), format="png", width=width, alt=description)
