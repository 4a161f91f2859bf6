"""The largest regret over gaps against T, and the curves behind it."""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from penalized_bandits.comparison.looks import MARKERS
from penalized_replication.figures.base import Drawing, Tables, Values, select, summary_of, worst
from penalized_replication.figures.panels import Panels, draw_means, log_axes, policy_handles
from penalized_replication.figures.style import GREY, WIDTHS, entry, look_of, shades, tidy

GUIDES = ((1 / 2, "√T", "-"), (2 / 3, "T^(2/3)", (0, (5, 2))), (1.0, "T", (0, (1, 1.5))))


def regrets(tables: Tables) -> tuple[pd.DataFrame, int]:
    """Return the regret of each run, its gap in multiples of sqrt(K log T / T), and K."""
    table = summary_of(tables, "worst_case")
    n_arms = int(table["arm"].max())
    arms = table[table["arm"].notna()].groupby("case")[["gap", "penalty_rate"]].max()
    regret = select(table, metric="penalized_regret")
    found = regret.drop(columns=arms.columns).join(arms, on="case")
    times, gap = found["horizon"].astype(float), found["gap"].astype(float)
    # Arms that are equal have no gap to hold a rate against.
    ratio = (found["penalty_rate"] / gap).where(gap > 0, 0.0)
    multiple = gap / np.sqrt(n_arms * np.log(times) / times)
    unit = np.sqrt(n_arms * times * np.log(times))
    # Ratios, and multiples that horizons share, differ by more than rounding.
    return found.assign(ratio=ratio.round(6), multiple=multiple.round(6), unit=unit), n_arms


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw growth above, the curves over gaps of each policy below."""
    table, _ = regrets(tables)
    policies, horizons = table["policy"].unique(), sorted(table["horizon"].unique())
    # One hue from dark to light.
    marks = zip(horizons, shades(len(horizons)), cycle((*MARKERS, ">", "p")), strict=False)
    looks: dict[int, Values] = {t: {"color": c, "marker": marker} for t, c, marker in marks}
    across = 2 if column else len(policies)
    lower = np.array([*policies, *["."] * (-len(policies) % across)]).reshape(-1, across)
    size: Values = {"figsize": (WIDTHS[column], 2.4 + 1.6 * len(lower) if column else 4.6)}
    size |= {"height_ratios": (1.4, *[1] * len(lower)), "layout": "constrained"}
    figure, every = plt.subplot_mosaic([["growth"] * across, *lower.tolist()], **size)
    grid, axes = Panels(figure), every["growth"]
    largest = worst(table, "policy", "horizon").sort_values("horizon")
    for policy in policies:
        rows = select(largest, policy=policy)
        draw_means(axes, rows["horizon"], rows, markersize=4, zorder=4, **look_of(policy).style)
    # Guides start below the lowest curve, one point for all.
    start = 0.55 * max(largest.drop_duplicates("policy")["mean"].min(), 1e-9)
    times = np.array(horizons, dtype=np.float64)
    for power, label, dashes in GUIDES:
        line = start * (times / times[0]) ** power
        axes.plot(times, line, color=GREY, linestyle=dashes, linewidth=0.8, zorder=1)
        text = {"textcoords": "offset points", "va": "center", "fontsize": 6.5}
        axes.annotate(label, (times[-1], line[-1]), (3, 0), color=GREY, **text)
    log_axes(axes, horizons)
    # Labels of the guides stand to the right.
    axes.set_xlim(times[0] / 1.2, times[-1] * (times[-1] / times[0]) ** 0.13)
    axes.set(xlabel="Horizon T (rounds)", ylabel="Largest regret over gaps")
    grid.title(axes, "growth of the worst case")
    for policy in policies:
        axes, own = every[policy], select(table, policy=policy)
        for place, (horizon, look) in enumerate(looks.items()):
            rows = worst(select(own, horizon=horizon), "multiple").sort_values("multiple")
            thin = {"markersize": 2.8, "linewidth": 0.8, "elinewidth": 0.6, "zorder": 3 + place}
            draw_means(axes, rows["multiple"], rows, rows["unit"], **thin, **look)
        axes.set(xscale="log", xlabel="Gap Δ/√(K log T/T)")
        axes.set_ylim(bottom=0)
        tidy(axes)
        grid.title(axes, look_of(policy).label)
    every[policies[0]].set_ylabel("Regret/√(K T log T)")
    grid.legend(policy_handles(table), 2 if column else None)
    handles = [entry(f"T = {int(horizon):,}", **look) for horizon, look in looks.items()]
    columns = 3 if column else len(handles)
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, columnspacing=1.6)
    return figure


def caption_values(tables: Tables) -> Values:
    """Return growth by policy, the number of arms and the penalty rates, in multiples of the gap.

    Growth is the power of T from the first horizon to the last; without two there is none.
    """
    table, n_arms = regrets(tables)
    ratios = [f"{ratio:g}" for ratio in sorted(table["ratio"][table["multiple"] > 0].unique())]
    powers: dict[str, str] = {}
    for policy in table["policy"].unique():
        rows = worst(select(table, policy=policy), "horizon").sort_values("horizon")
        means, times = rows["mean"].to_numpy(float), rows["horizon"].to_numpy(float)
        if len(rows) > 1 and means.min() > 0:
            powers[policy] = f"{np.log(means[-1] / means[0]) / np.log(times[-1] / times[0]):.2f}"
    return {"powers": powers, "n_arms": n_arms, "ratios": ratios}
