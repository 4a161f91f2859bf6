"""What the figures of all policies share: a row for each policy, a dot for each case."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from penalized_bandits.figures.style import TEXT_WIDTH, look_of, panel_title, tidy

ROW = 0.23
"""Height of a policy's row, inches."""
MEASURE_GAP = 0.22
"""Distance of a measure's row from the middle of its policy's."""


def read_cases(path: str) -> pd.DataFrame:
    """Read the table of measures by case."""
    from penalized_bandits.summaries import read_table

    return read_table(path, {"chosen": str})


def geometric_mean(values: pd.Series) -> float:
    """Return the geometric mean of positive values; NaN if some are not."""
    array = values.to_numpy(dtype=float)
    return float(np.exp(np.log(array).mean())) if array.size and (array > 0).all() else np.nan


def policy_rows(n_panels: int, policies: Sequence[str]) -> tuple[Figure, list[Axes]]:
    """Make panels side by side with a row for each policy, the first on top."""
    figure, grid = plt.subplots(
        1,
        n_panels,
        figsize=(TEXT_WIDTH, 1.1 + ROW * len(policies)),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    axes = list(grid[0])
    places = range(len(policies))
    axes[0].set_yticks(list(places), [look_of(policy).label for policy in policies])
    axes[0].set_ylim(len(policies) - 0.4, -0.6)
    for one in axes:
        tidy(one)
        one.grid(axis="y", visible=False)
        for place in places:
            one.axhline(place, color="#EEEEEE", linewidth=0.5, zorder=0)
        one.tick_params(axis="y", length=0)
    return figure, axes


def draw_measure(
    axes: Axes, table: pd.DataFrame, policies: Sequence[str], shift: float, *, filled: bool
) -> None:
    """Draw each case as a dot with its interval, and the geometric mean of a policy's as a bar."""
    for place, policy in enumerate(policies):
        rows = table[(table["policy"] == policy) & (table["estimate"] > 0)]
        if rows.empty:
            continue
        colour = look_of(policy).colour
        # Side by side within the row, so that intervals can be told apart.
        heights = place + shift + np.linspace(-0.09, 0.09, len(rows)) * (len(rows) > 1)
        low = np.maximum(rows["ci_low"], rows["estimate"] / 10)
        axes.errorbar(
            rows["estimate"],
            heights,
            xerr=[rows["estimate"] - low, rows["ci_high"] - rows["estimate"]],
            linestyle="none",
            marker="o",
            markersize=2.4,
            markeredgewidth=0.6,
            elinewidth=0.6,
            color=colour,
            markerfacecolor=colour if filled else "white",
            zorder=3,
        )
        middle = geometric_mean(rows["estimate"])
        axes.plot(
            [middle] * 2, [place + shift - 0.19, place + shift + 0.19], color=colour, zorder=4
        )


def log_ticks(axes: Axes, suffix: str = "") -> None:
    """Make the horizontal axis logarithmic, with plain numbers."""
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}{suffix}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def titled(axes: Sequence[Axes], titles: Sequence[str]) -> None:
    """Write each panel's number and title above it."""
    for number, (one, title) in enumerate(zip(axes, titles, strict=True)):
        panel_title(one, number, title)
