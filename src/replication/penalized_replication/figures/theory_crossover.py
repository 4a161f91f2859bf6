"""Regret up to long horizons, and where the hard threshold overtakes UCB1."""

import math
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.figures import EVERY_FIGURE, base, overtaking, panels, tables_of
from penalized_replication.figures.overtaking import CLAIM, COMMITTING, FIGURE_1_ENDS, rounded
from penalized_replication.figures.style import COLUMN_WIDTH, GREY, SHADE, look_of, use_style

STUDIES = ("crossover", "movie_crossover")
BAND = "#8FB8D8"
RIVAL = "ucb1"
LIGHT = "#E9E9E9"
PAGE_SHAPE = (1200, 630)  # pixels of the picture that links to a page are shown with


def mark(axes: Axes, crossing: Comparison) -> None:
    """Mark where the hard threshold overtakes, with its interval; write it below the title."""
    if not math.isnan(crossing.estimate):
        left, right = axes.get_xlim()
        low, high = max(crossing.low, left), min(crossing.high, right)
        axes.axvspan(low, high, color=BAND, linewidth=0, zorder=0.6)
        colour = look_of(PAPER_POLICY).colour
        axes.axvline(crossing.estimate, color=colour, linewidth=1.0, zorder=1.5)
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    place |= {"va": "top", "fontsize": 6, "linespacing": 1.25}
    note = axes.annotate(_in_words(crossing), (0, 1), (0, 11.8), **place)
    # The title makes room above; to the right it may go on over the gap between panels.
    note.set_in_layout(False)


def _in_words(crossing: Comparison) -> str:
    """Return where the hard threshold overtakes, in words."""
    if math.isnan(crossing.estimate):
        if crossing.reason:
            return crossing.reason
        if crossing.status == "holds":
            return f"always ahead from T = {rounded(crossing.high)}"
        return f"not yet by T = {rounded(crossing.low)}"
    known = crossing.low > 0 and math.isfinite(crossing.high)
    interval = f" [{rounded(crossing.low)}, {rounded(crossing.high)}]" if known else ""
    change = "" if crossing.status == "holds" else f", {crossing.values['change']}"
    return f"T = {rounded(crossing.estimate)}{interval}{change}"


def draw(tables: base.Tables, *, column: bool = False) -> base.Drawing:
    """Draw a panel for each cell; in one column the example alone, with the finding as title."""
    table = base.summary_of(tables, *STUDIES, metric="penalized_regret")
    late, cases = base.comparisons_of(tables, CLAIM), [*table["case"].unique()]
    if column:
        # The first that crosses stands for all.
        first = next(iter(overtaking.crossings(late)), None)
        return _example(base.select(table, case=first.case if first else cases[0]), first)
    crossed = {one.case: one for one in late}
    grid = panels.CaseGrid(panels.chunks(cases, 4), 1.95, margin=0.6, sharex=True)
    for axes, case in grid:
        rows = base.select(table, case=case)
        panels.draw_policies(axes, rows, markersize=2.4, elinewidth=0.7)
        panels.log_axes(axes, sorted(table["horizon"].unique()))
        shade(axes)
        grid.title(axes, rows["label"].iloc[0], fontsize=6.8, pad=14.8)
        if case in crossed:
            mark(axes, crossed[case])
    grid.label(y="Penalized regret R(T)")
    grid.figure.supxlabel("Horizon T (rounds)")
    patches = [
        Patch(facecolor=SHADE, linewidth=0, label=f"T ≤ {FIGURE_1_ENDS:,}"),
        Patch(facecolor=BAND, linewidth=0, label="hard threshold overtakes UCB1"),
    ]
    return grid.legend([*panels.policy_handles(table), *patches], 3)


def shade(axes: Axes, colour: str = SHADE) -> float:
    """Shade the horizons of the paper's Figure 1; return where they end."""
    left, right = axes.get_xlim()
    ends = min(max(FIGURE_1_ENDS, left), right)
    axes.axvspan(left, ends, color=colour, linewidth=0, zorder=0.4)
    return ends


def _example(table: pd.DataFrame, crossing: Comparison | None) -> base.Drawing:
    """Draw the two curves of one cell with their names, and where they cross."""
    size = (COLUMN_WIDTH, COLUMN_WIDTH * PAGE_SHAPE[1] / PAGE_SHAPE[0])
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    curves = {p: base.select(table, policy=p).sort_values("horizon") for p in (PAPER_POLICY, RIVAL)}
    panels.draw_policies(axes, pd.concat(curves.values()), markersize=2.4, elinewidth=0.7)
    panels.log_axes(axes, sorted(table["horizon"].unique()))
    ends = shade(axes, LIGHT) if overtaking.is_drawn(table["case"].iloc[0]) else math.inf
    beside: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
    beside |= {"fontsize": 6.5, "linespacing": 1.15}
    for policy, rows in curves.items():
        last, look = rows.iloc[-1], look_of(policy)
        name = look.label.replace(" ", "\n")
        place, colour = (last["horizon"], last["mean"]), look.colour
        axes.annotate(name, place, (6, 0), va="center", color=colour, weight="bold", **beside)
    if ends < axes.get_xlim()[1]:
        words, place = "the paper\nstops here", (ends, axes.get_ylim()[1])
        axes.annotate(words, place, (-3, -3), ha="right", va="top", color=GREY, **beside)
    about = f"mean of {table['n_replicates'].max()} replicates, {table['label'].iloc[0]}"
    title = "Penalized regret against the horizon"
    if crossing is not None:
        title = overtaking.FINDING if crossing.estimate > FIGURE_1_ENDS else title
        logs = np.log(curves[RIVAL][["horizon", "mean"]].to_numpy(float))
        at, interval = crossing.estimate, [crossing.low, crossing.high]
        lost = math.exp(np.interp(math.log(at), logs[:, 0], logs[:, 1]))
        axes.plot(interval, [lost, lost], color=BAND, linewidth=4, zorder=2)
        axes.plot(at, lost, "o", color="w", markeredgecolor=GREY, markersize=5, zorder=9)
        words = f"the fair policy overtakes\nat T = {rounded(at)}"
        axes.annotate(words, (at, lost), (3, -7), va="top", **beside)
    figure.suptitle(title, x=0.01, ha="left", fontsize=9, weight="bold")
    axes.set_title(f"Less is better; {about}", loc="left", fontsize=6.5)
    axes.set_xlabel("Horizon T (rounds)", fontsize=6.5)
    axes.set_ylabel("Penalized regret", fontsize=6.5)
    return figure


def save_preview(results: Path, target: Path) -> None:
    """Write the form of one column, from a folder of results, as a PNG of `PAGE_SHAPE`."""
    use_style()
    paths = tables_of(EVERY_FIGURE["theory_crossover"])
    drawn = draw({name: f"{results}/{path}" for name, path in paths.items()}, column=True)
    plt.rcParams["savefig.dpi"] = PAGE_SHAPE[0] / drawn.get_figwidth()
    base.write_drawing(drawn, target)


def caption_values(tables: base.Tables) -> base.Values:
    """Return the least and the largest horizon of a crossing; none if there are none."""
    late = base.comparisons_of(tables, CLAIM)
    horizons = [crossing.estimate for crossing in overtaking.crossings(late)]
    return {
        "measured": bool(late),
        "behind": overtaking.behind(base.comparisons_of(tables, COMMITTING)),
        "crossed": [*dict.fromkeys(rounded(f(horizons)) for f in (min, max))] if horizons else [],
    }
