"""Reward against unfairness, and what it is less a rival's (Figures 3 and 5)."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.claims.rules import MoreAtEveryLevel
from penalized_replication.figures.base import Tables, Values, claims_of, select, summary_of
from penalized_replication.figures.panels import Drawing, Mosaic, chunks, policy_handles, say
from penalized_replication.figures.style import FRONTIER_COLOUR, SHADE, entry, look_of, tidy
from penalized_replication.storage.tables import read_table

NEGLIGIBLE = MoreAtEveryLevel.negligible  # share of the frontier's range of reward
TAIL = 0.05  # of the panel's width; runs nearer to the fairest one are about as fair
COLUMNS = 2  # cases beside one another in one column, where they have one reward law
GAIN = "gain "  # before a case's name: the panel of its gains
_ORACLE: Values = {"color": FRONTIER_COLOUR, "linewidth": 1.2}


def _curve(table: pd.DataFrame, policy: str) -> pd.DataFrame:
    """Return reward and unfairness of a policy with half widths, a row for each tuning.

    The half width of the reward is that of the loss against always pulling the best arm:
    what the drawn instances add to every policy's reward alike is left out.
    """
    rows = select(table, policy=policy).sort_values("tuning", kind="stable")
    rows = rows.assign(half=(rows["ci_high"] - rows["ci_low"]) / 2)
    metrics = ("expected_reward", "reward_loss", "unfairness")
    reward, loss, unfairness = (select(rows, metric=m).reset_index() for m in metrics)
    halves = {"reward_half": loss["half"], "unfairness_half": unfairness["half"]}
    return pd.DataFrame({"reward": reward["mean"], "unfairness": unfairness["mean"], **halves})


def tradeoff_panel(axes: Axes, table: pd.DataFrame, frontier: pd.DataFrame) -> None:
    """Draw the policies' curves of a case and the frontier above them."""
    axes.plot(frontier["unfairness"], frontier["expected_reward"], **_ORACLE, zorder=1)
    curves = {policy: _curve(table, policy) for policy in table["policy"].unique()}
    thin = {"markersize": 2.4, "linewidth": 0.9, "elinewidth": 0.6}
    for place, (policy, curve) in enumerate(curves.items()):
        axes.errorbar(
            curve["unfairness"],
            curve["reward"],
            xerr=np.nan_to_num(curve["unfairness_half"]),
            yerr=np.nan_to_num(curve["reward_half"]),
            # The first policy named is the one that the figure is about.
            zorder=3 + len(curves) - place,
            label=policy,
            **{**look_of(policy).style, **thin},
        )
    # Policies reach a small part of the frontier: show that part.
    points = pd.concat(curves.values())
    most = (points["unfairness"] + points["unfairness_half"].fillna(0)).max()
    right = max(1.06 * most, 1.0)  # a little beyond
    top = np.interp(right, frontier["unfairness"], frontier["expected_reward"])
    bottom = min(lowest(curve, TAIL * right) for curve in curves.values())
    margin = 0.05 * (top - bottom)
    axes.set_xlim(-0.04 * right, right)
    axes.set_ylim(bottom - margin, top + margin)
    tidy(axes)


def lowest(curve: pd.DataFrame, near: float) -> float:
    """Return the least reward of a curve; of runs about as fair as its fairest the best counts."""
    fair = curve["unfairness"] <= curve["unfairness"].min() + near
    shown = curve["reward"] - curve["reward_half"].fillna(0)
    return min(shown[~fair].min() if (~fair).any() else np.inf, shown[fair].max())


def difference_panel(axes: Axes, gains: Sequence[Mapping[str, Any]]) -> None:
    """Draw the hard threshold's reward less each rival's, at equal unfairness.

    ``gains`` are facts of a claim: a rival, levels, and shares of the frontier's range at these.
    """
    if not gains:
        say(axes, 0.5, 0.5, "no gains to compare")
        tidy(axes)
        return
    axes.axhspan(-100 * NEGLIGIBLE, 100 * NEGLIGIBLE, color=SHADE, linewidth=0, zorder=0.5)
    axes.axhline(0, color=look_of(PAPER_POLICY).colour, linewidth=0.9, zorder=1)
    for gain in gains:
        look, at = look_of(gain["rival"]), gain["levels"]
        # None, in files, stands for NaN: of one replicate no interval is known.
        ends = ("low", "estimate", "high")
        low, value, high = (100 * np.array(gain[end], np.float64) for end in ends)
        axes.plot(at, value, **look.style, markersize=2.0, linewidth=0.8, zorder=3)
        axes.fill_between(at, low, high, color=look.colour, alpha=0.25, linewidth=0, zorder=2)
    tidy(axes)


def _gains(tables: Tables) -> list[Mapping[str, Any]]:
    """Return the gains, which are facts of the measured claims on the setting."""
    return [gain for claim in claims_of(tables) for gain in claim.facts.get("gains", ())]


def _layout(cases: Sequence[str], laws: int, *, column: bool) -> list[list[str]]:
    """Return a layout: the curves of each case, below them its gains, in a panel named after it.

    Gains of several laws share a panel, the fourth of the row, or in one column the one below.
    """
    layout: list[list[str]] = []
    for row in chunks(cases, laws if laws > 1 else COLUMNS if column else len(cases)):
        gains = [GAIN + case for case in (row if laws == 1 else [row[0]] * len(row))]
        layout += [[*row, gains[0]]] if laws > 1 and not column else [[*row], gains]
    width = max(map(len, layout))
    return [row + ["."] * (width - len(row)) for row in layout]


def tradeoff_figure(tables: Tables, heights: tuple[float, float], *, column: bool) -> Drawing:
    """Draw the curves of each case, and differences in reward of a case or of all its laws.

    ``heights`` are of panels with curves and of those with differences below, in inches.
    """
    table, frontier = summary_of(tables), read_table(tables["frontier"])
    laws, cases = table["law"].unique(), [*table["case"].unique()]
    several = len(laws) > 1
    layout = _layout(cases, len(laws), column=column)
    ratios = [heights[row[0].startswith(GAIN)] for row in layout]
    height = sum(ratios) + (0.9 if column else 0.5)
    grid = Mosaic(layout, height, column=column, height_ratios=ratios)
    gains = _gains(tables)
    for case in cases:
        rows = select(table, case=case)
        tradeoff_panel(grid.axes[case], rows, select(frontier, case=case))
        label = rows["label"].iloc[0]
        label = label if several else f"{label} (K = {rows['n_arms'].iloc[0]})"
        if column:  # in lines; a number stays beside its name
            label = textwrap.fill(label.replace(" = ", "\u00a0=\u00a0"), 16)
        grid.title(grid.axes[case], label, fontsize=6.2 if column else 6.8)
    for row in chunks(cases, len(laws)):
        panels, lower = [grid.axes[case] for case in row], grid.axes[GAIN + row[0]]
        difference_panel(lower, [gain for gain in gains if gain["case"] in row])
        lower.set_xlim(panels[0].get_xlim())
        # A row has one number of arms and total: its panels can be compared.
        bottoms, tops = zip(*(axes.get_ylim() for axes in panels), strict=True)
        for axes in panels:
            axes.set_ylim(min(bottoms), max(tops))
            axes.tick_params(labelleft=not several or axes is panels[0], labelbottom=not column)
        if several and not column:
            lower.set_title("Gain (%)", loc="left")
        if row[0] in (line[0] for line in layout):
            panels[0].set_ylabel("Expected reward")
            lower.set_ylabel("" if several and not column else "Gain (%)")
    grid.figure.supxlabel("Unfairness (pulls short of τT, all arms)")
    grid.figure.align_ylabels()
    oracle = entry("Oracle frontier", **_ORACLE)
    return grid.legend([*policy_handles(table), oracle], 2 if column else None)


def tradeoff_values(tables: Tables, drawn: Drawing) -> Values:
    """Return what captions need: claims, negligible gain, and points below the panels drawn."""
    below = [
        (curve.get_label(), *point)
        for axes in drawn.axes
        for curve in axes.containers
        for point in curve[0].get_xydata()
        if point[1] < axes.get_ylim()[0]
    ]
    cut = pd.DataFrame(below, columns=["policy", "unfairness", "reward"])
    claims = [claim.id for claim in claims_of(tables)]
    shares = sorted(100 * x for gain in _gains(tables) for x in gain["estimate"] if x is not None)
    ends = [f"{end:.1f}".replace("-", "−") for end in (*shares[:1], *shares[-1:])]
    return {"claims": claims, "negligible": f"{100 * NEGLIGIBLE:g}", "ends": ends, "cut": cut}
