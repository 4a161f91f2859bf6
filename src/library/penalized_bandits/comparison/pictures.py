"""Lines with 95 % bands and a label at the end of each, at the width of a paper's column."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import isotonic_regression

from penalized_bandits.common.errors import BanditError, extra
from penalized_bandits.common.numbers import WORDS, format_number
from penalized_bandits.comparison.looks import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMN_WIDTH, LEAST_HEIGHT = 3.5, 2.4  # inches
LABEL_SIZE, LABEL_GAP = 6.5, 8.5  # points: letters of labels, and from one label to the next
_SIZES = {"axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.markersize": 3, "savefig.dpi": 300}
SHORT = {"regret": "penalized_regret", "reward": "expected_reward", "loss": "reward_loss"}
UNITS = dict.fromkeys(SHORT.values(), "reward") | {"unfairness": "pulls"}
"""Of metrics of whole runs."""


def metric_of(name: str, changing: bool = False) -> str:
    """Return a metric of whole runs by its name or a short one; raise BanditError for another.

    The regret is dynamic where means are ``changing``.
    """
    regret = "dynamic_regret" if changing else SHORT["regret"]
    metric = (SHORT | {"regret": regret}).get(str(name), name)
    known = [regret, *[*UNITS][1:]]
    if metric not in known:  # whatever it is
        raise BanditError(f"metric is {name!r:.80}: metrics of whole runs are {', '.join(known)}")
    return metric


def draw(
    lines: Sequence[tuple[Look, Sequence[Mapping[str, Any]]]],
    x: Sequence[float],
    metric: str,
    axes: "Axes | None",
    xlabel: str,
    in_logarithms: bool,
) -> "Axes":
    """Draw means over x with their intervals; return the axes, by default of a new figure.

    Each line is a look, and a row (``mean``, ``ci_low``, ``ci_high``, ``n_replicates``) for each x.
    """
    pyplot, ticker = (extra("plot", f"matplotlib.{name}") for name in ("pyplot", "ticker"))
    seaborn = extra("plot", "seaborn")
    with pyplot.rc_context(seaborn.axes_style("ticks") | _SIZES):
        if axes is None:
            height = max(LEAST_HEIGHT, 0.8 + len(lines) * LABEL_GAP / 72)
            axes = pyplot.subplots(figsize=(COLUMN_WIDTH, height), layout="constrained")[1]
        assert axes is not None  # noqa: S101
        step = max(1, len(x) // 8)
        marked = (len(x) - 1) % step, step
        for look, rows in lines:
            mean, low, high = ([row[of] for row in rows] for of in ("mean", "ci_low", "ci_high"))
            axes.plot(x, mean, **look.style, markevery=marked, label=look.label)
            axes.fill_between(x, low, high, color=look.colour, alpha=0.18, linewidth=0)
            if len(x) == 1:
                axes.vlines(x, low, high, color=look.colour)
    if in_logarithms:
        axes.set_xscale("log")
        few = x[-1] < 30 * x[0]
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if few else (1,)))
        # Powers of ten would have exponents that are too small to read.
        axes.xaxis.set_major_formatter(ticker.EngFormatter(sep=""))
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    elif len(x) == 1:
        axes.set_xticks(x)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda y, _: format_number(y)))
    axes.tick_params(labelsize=LABEL_SIZE)
    seaborn.despine(ax=axes)
    axes.grid(True, color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)
    axes.set_xlabel(xlabel, fontsize=7.5)
    axes.set_ylabel(f"{metric.replace('_', ' ')} ({UNITS.get(metric, 'reward')})", fontsize=7.5)
    n = lines[0][1][0]["n_replicates"]
    text = f"means of {n:,} replicates, {WORDS} intervals" if n > 1 else "1 replicate"
    axes.set_title(text, fontsize=LABEL_SIZE, loc="left")
    _label_ends(axes, x[-1], [(look, rows[-1]["mean"]) for look, rows in lines])
    return axes


def _label_ends(axes: "Axes", x: float, ends: Sequence[tuple[Look, float]]) -> None:
    """Write labels beside the ends of lines, moved as little as is needed to be apart."""
    figure = axes.get_figure(root=True)
    assert figure is not None  # noqa: S101
    figure.draw_without_rendering()  # the layout settles the height of the axes
    ends = sorted(ends, key=lambda end: end[1])
    in_pixels = axes.transData.transform([(x, mean) for _, mean in ends])
    places = axes.transAxes.inverted().transform(in_pixels)[:, 1]
    gap = LABEL_GAP / 72 * figure.dpi / axes.get_window_extent().height
    steps = gap * np.arange(len(ends))
    apart = isotonic_regression(places - steps).x
    heights = np.clip(apart, 0.0, max(0.0, 1.0 - steps[-1])) + steps
    for (look, mean), height in zip(ends, heights, strict=True):
        axes.annotate(
            look.label,
            (x, mean),
            (1.06, height),
            textcoords="axes fraction",
            fontsize=LABEL_SIZE,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": look.colour, "lw": 0.6, "relpos": (0, 0.5)},
        )
