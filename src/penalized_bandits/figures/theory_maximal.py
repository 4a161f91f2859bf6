"""The largest deficit over all rounds, arm by arm, beside the deficit at the end."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.figures.base import CaptionContext, replicates_of, select, summary_of
from penalized_bandits.figures.panels import bars_of, horizon_axis
from penalized_bandits.figures.style import entry, figure_legend, shades, thousands, tidy
from penalized_bandits.figures.theory_instances import (
    GUIDE_COLOUR,
    LawInstance,
    instance_grid,
    instance_title,
    law_instances,
)
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.deficits import deficit_coefficients
from penalized_bandits.typing import FloatArray

_SHAPES = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")

_AT_THE_END: dict[str, Any] = {"linestyle": (0, (1, 1.5)), "markerfacecolor": "white"}
METRICS: dict[str, dict[str, Any]] = {
    "max_deficit": {"elinewidth": 0.8, "zorder": 3},
    "arm_unfairness": {"linewidth": 0.8, "elinewidth": 0.6, "zorder": 2, **_AT_THE_END},
}
"""How what is drawn of an arm is drawn."""


def _looks(instances: list[LawInstance]) -> dict[int, dict[str, Any]]:
    """Return colour and marker of each arm drawn anywhere: one hue from dark to light."""
    n = max(one.bandit.served_arms[-1] for one in instances)
    return {
        arm: {"color": colour, "marker": _SHAPES[(arm - 1) % len(_SHAPES)]}
        for arm, colour in enumerate(shades(n), start=1)
    }


def coefficients(one: LawInstance) -> FloatArray:
    """Return a_j of the optimal and critical arms, as stated, shape (K,)."""
    # Ties give infinite coefficients.
    with np.errstate(divide="ignore"):
        return deficit_coefficients(*one.bandit)


def _panel(axes: Axes, one: LawInstance, looks: dict[int, dict[str, Any]]) -> None:
    table = select(one.rows, policy=PAPER_POLICY).sort_values("horizon")
    for arm in one.bandit.served_arms:
        for metric, style in METRICS.items():
            rows = select(table, metric=metric, arm=arm)
            axes.errorbar(rows["horizon"], rows["mean"], yerr=bars_of(rows), **style, **looks[arm])
    horizon_axis(axes, sorted(table["horizon"].unique()), label=False)
    tidy(axes)


def _bound(axes: Axes, one: LawInstance, looks: dict[int, dict[str, Any]]) -> list[str]:
    """Draw a_j log T where the panel reaches it; say where it is."""
    if not one.fixed:
        return []
    horizons = np.array(sorted(one.rows["horizon"].unique()), dtype=np.float64)
    bottom, top = axes.get_ylim()
    found = coefficients(one)
    for arm in np.flatnonzero(found * math.log(horizons[0]) <= top).tolist():
        bound = found[arm] * np.log(horizons)
        axes.plot(
            horizons, bound, color=looks[arm + 1]["color"], linestyle=(0, (6, 2)), linewidth=1.4
        )
    axes.set_ylim(bottom, top)
    least = float(np.nanmin(found)) * math.log(horizons[-1])
    return ["a$_j$ infinite (ties)" if math.isinf(least) else f"a$_j$ log T ≥ {_pulls(least)}"]


def _pulls(value: float) -> str:
    return thousands(round(value)) if value >= 10 else f"{value:.2g}"


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each instance; those that meet Theorem 4.2's conditions first."""
    instances = law_instances(summary_of(tables, "log_laws"))
    looks = _looks(instances)
    figure, panels = instance_grid(instances, 1.6, share_y=True)
    for axes, one in panels:
        _panel(axes, one, looks)
    bottom, top = panels[0][0].get_ylim()
    panels[0][0].set_ylim(min(bottom, -0.03 * top), 1.05 * top)
    for number, (axes, one) in enumerate(panels):
        instance_title(axes, number, one, _bound(axes, one, looks), 2)
    figure.supylabel("Deficit (pulls)", fontsize=7.5)
    figure_legend(
        figure,
        [
            *(entry(f"arm {arm}", **look) for arm, look in looks.items()),
            entry("largest over all rounds", color=GUIDE_COLOUR),
            entry("at the end", color=GUIDE_COLOUR, marker="o", **_AT_THE_END),
        ],
    )
    return figure


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    del context
    table = summary_of(tables, "log_laws")
    instances = law_instances(table)
    n = thousands(replicates_of(table))
    last = int(table["horizon"].max())
    served = [
        select(select(one.rows, policy=PAPER_POLICY, metric="max_deficit"), arm=arm)["mean"].max()
        for one in instances
        for arm in one.bandit.served_arms
    ]
    bounds = [np.nanmin(coefficients(one)) * math.log(last) for one in instances if one.fixed]
    text = (
        "**The largest deficit over all rounds (Theorem 4.3).** Hard threshold, Bernoulli "
        "rewards, the instances of the study log_laws (above those that meet Theorem 4.2, below "
        "those that break what the panel names). Solid: E max over t ≤ T of "
        "(τ$_j$t − N$_j$(t))₊ for each optimal and critical arm, of which the theorem speaks; "
        "dotted with open points: the deficit at the end, E(τ$_j$T − N$_j$(T))₊. Points are "
        f"means of {n} replicates; bars are 95 % t-intervals (mostly smaller than the points). "
        f"No mean exceeds {max(served):.2g} pulls"
    )
    finite = [bound for bound in bounds if math.isfinite(bound)]
    if finite:
        text += (
            f"; the bound a$_j$ log T is at least {_pulls(min(finite))} pulls at T = "
            f"{thousands(last)}, and each panel with fixed τ and A says its smallest"
        )
    text += (
        ". Where it is on the scale it is drawn dashed. Where τT is no whole number the deficit at "
        "the end has a fraction of a pull. Arms tied in μ + A have no finite "
        "coefficient. Non-critical arms, which fall short by nearly τT, are left out."
    )
    return text
