"""What notebooks have in common, for one import: numpy, pandas, pyplot; pictures and tables."""

from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Image, Markdown
from matplotlib.figure import Figure

from penalized_bandits import POLICIES
from penalized_bandits.common.errors import UserError
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.streams import Stream
from penalized_bandits.statistics.summaries import mean_and_interval
from penalized_replication.common.errors import ResultsError
from penalized_replication.figures import style
from penalized_replication.figures.style import FRONTIER_COLOUR, LEVEL_COLOUR, look_of, tidy
from penalized_replication.storage.files import read_json
from penalized_replication.storage.replicates import read_metadata, read_replicates
from penalized_replication.storage.tables import read_table
from penalized_replication.summaries import summarize

WIDTH = 6.0  # of a picture, in inches
CSS_PIXELS = 96  # of a web page, in an inch


def use_screen_style() -> None:
    """Set the style of the paper's figures, with type large enough for a screen."""
    style.use_style()
    plt.rcParams.update({"font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9})
    plt.rcParams.update({"xtick.labelsize": 8, "ytick.labelsize": 8, "legend.fontsize": 8.5})
    plt.rcParams.update({"lines.linewidth": 1.5, "lines.markersize": 4})
    # A movie's title may hold dollars, which are no mathematics.
    pd.set_option("display.html.use_mathjax", False)


def picture(figure: Figure, description: str) -> Image:
    """Return a figure as an image with alternative text, two pixels for each of the page's."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=2 * CSS_PIXELS)
    plt.close(figure)
    width = round(figure.get_figwidth() * CSS_PIXELS)
    return Image(data=file.getvalue(), format="png", width=width, alt=description)


def results_folder(results: str | Path = "results") -> Path:
    """Return the folder of results, here or above: Jupyter runs a notebook in its own folder."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / results).is_dir():
            return folder / results
    raise UserError(
        f"there is no folder {str(results)!r} in {here} or above it: "
        "run `uv run snakemake --cores all` in the project's folder first"
    )


def replicate_tables(
    results: Path, experiment: str, given: Sequence[str] | None = None
) -> list[Path]:
    """Return an experiment's tables of replicates, parts in order.

    ``given`` are the tables that the workflow passes; by default those that the summary was made
    from, as other splits of other configs may lie beside.  Raises UserError without any.
    """
    if given:
        return [Path(path) for path in given]
    folder, summary = results / "replicates" / experiment, results / f"summaries/{experiment}.csv"
    # Beside tables there may be what a job is writing.
    ends = (path.stem.split("of") for path in folder.glob("[0-9]*of*.parquet"))
    for parts in (int(last) for number, last in ends if number == last):
        split = [folder / f"{number}of{parts}.parquet" for number in range(1, parts + 1)]
        with suppress(OSError, ResultsError):
            means = read_table(summary)["mean"]
            made = summarize(experiment, read_replicates(split))["mean"]
            if len(means) == len(made) and np.allclose(means, made, rtol=1e-12, atol=0):
                return split
    raise UserError(
        f"there are no replicates in {folder} that {summary} was made from: "
        f"run `uv run snakemake --cores all {experiment}` in the project's folder"
    )
