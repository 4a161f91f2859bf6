"""Figure 2: unfairness of each arm along the scale eta, Setting 2."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.fluid import break_points
from penalized_replication.figures.base import Drawing, Tables, Values, in_order, select, summary_of
from penalized_replication.figures.case_grid import CaseGrid
from penalized_replication.figures.style import Colour, entry, look_of, shades, tidy

_AT_T: Values = {"marker": "o", "markersize": 2.6, "markeredgewidth": 0.7}
_AT_INFINITY: Values = {"marker": ">", "markersize": 2.8, "markeredgewidth": 0}


def dashes_of(arm: int) -> Any:
    """Return the dashes of an arm: neighbours differ, in grey as well."""
    return ("-", (0, (5, 1.5)), (0, (1.2, 1)), (0, (7, 1.5, 1.2, 1.5)))[(arm - 1) % 4]


class Room(NamedTuple):
    """Room for an arrow below the curves."""

    lane: float
    """Height, as a share of the panel."""
    edge: float
    """Height above the first arrow, and below the last."""
    label: float
    """Width of its number, on the scale of the penalty rate."""


ROOM, COLUMN_ROOM = Room(0.047, 0.04, 0.085), Room(0.085, 0.06, 0.2)


class Arrow(NamedTuple):
    """Where an arm should turn unfair at this T, and where as T grows."""

    arm: int
    start: float
    end: float
    """Its gap."""
    lane: int
    """How many arrows are above it."""


def arrows_of(table: pd.DataFrame, room: Room = ROOM) -> list[Arrow]:
    """Return the arrows of a case, each in the first lane that is free, with its number."""
    arms = table.drop_duplicates("arm").sort_values("arm")
    # Only differences of means matter.
    horizon = int(arms["horizon"].iloc[0])
    predicted = break_points(-arms["gap"], arms["fairness_fraction"], horizon).tolist()
    found = zip(predicted, arms["gap"], arms["arm"], strict=True)
    arrows, taken = [], []
    for start, gap, arm in sorted(one for one in found if one[1] > 0):
        lane = next((i for i, until in enumerate(taken) if until < start), len(taken))
        taken[lane : lane + 1] = [gap + room.label]
        arrows.append(Arrow(arm, start, gap, lane))
    return arrows


def _draw_arrow(axes: Axes, arrow: Arrow, height: float, colour: Colour) -> None:
    place: Values = {"transform": axes.get_xaxis_transform(), "clip_on": False, "zorder": 4}
    axes.plot([arrow.start, arrow.end], [height, height], color=colour, linewidth=0.6, **place)
    axes.plot(arrow.start, height, color=colour, markerfacecolor="w", **_AT_T, **place)
    axes.plot(arrow.end, height, color=colour, **_AT_INFINITY, **place)
    text: Values = {"textcoords": "offset points", "fontsize": 6, "va": "center"}
    ends = (arrow.end, height)
    axes.annotate(f"{arrow.end:.2g}", ends, (2.5, 0), axes.get_xaxis_transform(), **text)


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each case (rows) and policy (columns)."""
    table = summary_of(tables, metric="arm_unfairness")
    # One hue from dark to light: the order of the arms is legible in grey.
    colours = shades(int(table["arm"].max()))
    cases, policies = in_order(table["case"]), in_order(table["policy"])
    rows = [[(case, policy) for policy in policies] for case in cases]
    height, margin = (1.6, 0.9) if column else (1.95, 0.5)
    grid = CaseGrid(rows, height, margin=margin, sharex=True, share_rows=True, column=column)
    for axes, (case, policy) in grid:
        rows = select(table, case=case, policy=policy)
        for arm in in_order(rows["arm"]):
            path = select(rows, arm=arm).sort_values("scale")
            look: Values = {"color": colours[arm - 1]}
            axes.fill_between(
                path["scale"], path["ci_low"], path["ci_high"], alpha=0.25, linewidth=0, **look
            )
            axes.plot(path["scale"], path["mean"], linestyle=dashes_of(arm), **look)
        tidy(axes)
        # In one column the last number needs room on the right.
        axes.set_xlim(-0.02, 1.15 if column else 1.02)
        gap = "\n" if column else " "
        grid.title(axes, f"{look_of(policy).label},{gap}{rows['label'].iloc[0]}")
    for line, case in zip(grid.lines, cases, strict=True):
        rows = select(table, case=case)
        panels = dict(zip(policies, line, strict=True))
        _draw_arrows(panels, rows, colours, COLUMN_ROOM if column else ROOM)
    label = grid.label_once if column else grid.label
    label("Scale η (1: fairest)", "Unfairness (τ$_k$T − N$_k$)$_+$ (pulls)")
    handles = [
        entry(f"arm {arm}", color=colour, linestyle=dashes_of(arm))
        for arm, colour in enumerate(colours, start=1)
    ]
    grey: Values = {"color": "0.3", "linestyle": "none"}
    handles += [
        entry("turns unfair at this T (predicted)", markerfacecolor="w", **_AT_T, **grey),
        entry("as T → ∞: at its gap Δ", **_AT_INFINITY, **grey),
    ]
    return grid.legend(handles, 3 if column else -(-len(handles) // 2))


def _draw_arrows(
    panels: Mapping[str, Axes], rows: pd.DataFrame, colours: list[Colour], room: Room
) -> None:
    """Make room for the arrows of a case in all its panels; draw them where the scale is A."""
    most, arrows = rows["mean"].max(), arrows_of(rows, room)
    # The arrows' room is a strip below 0, and no higher than they need.
    strip = 2 * room.edge + room.lane * max((arrow.lane for arrow in arrows), default=0)
    first, *_ = panels.values()
    first.set_ylim(-1.06 * most * strip / (1 - strip), 1.06 * most)
    for policy, axes in panels.items():
        for arrow in () if POLICIES[policy].ignores_penalties else arrows:
            height = strip - room.edge - room.lane * arrow.lane
            _draw_arrow(axes, arrow, height, colours[arrow.arm - 1])
    first.set_yticks([tick for tick in first.get_yticks() if 0 <= tick <= most])
