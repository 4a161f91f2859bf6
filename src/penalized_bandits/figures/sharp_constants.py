"""Regret over log T up to very long horizons, with its prediction, its limits and the bound."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.experiments.base import case_of
from penalized_bandits.figures.base import CaptionContext, in_order, joined, select, summary_of
from penalized_bandits.figures.panels import bars_of, horizon_axis, panel_grid
from penalized_bandits.figures.style import (
    FRONTIER_COLOUR,
    SHADE,
    entry,
    figure_legend,
    look_of,
    panel_title,
    policy_handle,
    thousands,
    tidy,
)
from penalized_bandits.theory.exploration import Exploration, bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import log_constant
from penalized_bandits.theory.lower_bound import lower_constant

LONGEST = "sharp_longest"
"""The study whose bandits are drawn."""
EXPLORATION: dict[str, Exploration] = {
    "hard_threshold_ucb": root_log(),
    "hard_threshold_sigma": root_log(2 * Bernoulli().noise ** 2),
    "kl_hard_threshold": bernoulli_kl(),
}
_LIMIT: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (4, 2))}
_BOUND: dict[str, Any] = {"color": FRONTIER_COLOUR, "linewidth": 1.4, "linestyle": (0, (1, 1))}
POINTS = 100
FEW_ARMS = 5
"""So many means have room above a panel."""
APART = 1.06
"""Factor between the places of two policies' points, which would hide each other."""


def _rows(tables: Mapping[str, str]) -> pd.DataFrame:
    """Return the rows of runs at their own horizon, those of the most replicates first."""
    every = pd.concat([summary_of(tables, study) for study in tables])
    instance = every["case"].str.rpartition("_T")[0]
    own = every["case"] == [
        case_of(name, t) for name, t in zip(instance, every["horizon"], strict=True)
    ]
    return every.assign(instance=instance)[own].sort_values(
        "n_replicates", ascending=False, kind="stable"
    )


def _bandit(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return means, fractions and penalty rates of an instance, shape (K,) each."""
    first = rows.iloc[0]
    run = select(rows, **{key: first[key] for key in ("setting", "case", "policy")})
    # T times the largest mean is what is earned and what is lost.
    parts = run[run["metric"].isin(["expected_reward", "reward_loss"])]
    best = float(parts["mean"].sum() / parts["horizon"].iloc[0])
    arms = select(run, metric="pulls").sort_values("arm")
    gap, tau, rate = (
        arms[name].to_numpy(dtype=np.float64)
        for name in ("gap", "fairness_fraction", "penalty_rate")
    )
    return best - gap, tau, rate


def _panel(axes: Axes, rows: pd.DataFrame, policies: list[str]) -> None:
    means, tau, rates = bandit = _bandit(rows)
    regret = select(rows, metric="penalized_regret")
    ends = float(regret["horizon"].min()), float(regret["horizon"].max())
    span = np.geomspace(*ends, POINTS)
    for number, policy in enumerate(policies):
        look, rule = look_of(policy), EXPLORATION[policy]
        curve = [
            float(penalized_regret(predicted_pulls(instance_of(*bandit), t, rule=rule), *bandit))
            / np.log(t)
            for t in span
        ]
        axes.plot(span, curve, color=look.colour, zorder=2)
        limit = float(log_constant(instance_of(*bandit), rule))
        axes.axhline(limit, color=look.colour, **_LIMIT, zorder=1)
        points = select(regret, policy=policy).drop_duplicates("horizon").sort_values("horizon")
        log = np.log(points["horizon"].to_numpy(dtype=np.float64))
        axes.errorbar(
            points["horizon"] * APART ** (number - (len(policies) - 1) / 2),
            points["mean"] / log,
            yerr=bars_of(points, log),
            color=look.colour,
            marker=look.marker,
            linestyle="none",
            elinewidth=0.8,
            zorder=3,
        )
    least = float(lower_constant(instance_of(means, tau, rates, Bernoulli())))
    axes.axhspan(0, least, color=SHADE, linewidth=0, zorder=0)
    axes.axhline(least, **_BOUND, zorder=1.5)
    axes.set_ylim(bottom=0)
    horizon_axis(axes, [int(t) for t in ends])
    axes.set_ylabel("R(T) / log T")
    tidy(axes)


def draw(tables: Mapping[str, str]) -> Figure:
    """Draw a panel for each bandit that was followed to the longest horizon."""
    wanted = summary_of(tables, LONGEST)
    instances = in_order(wanted["case"].str.rpartition("_T")[0])
    rows = _rows(tables)
    policies = [p for p in EXPLORATION if p in set(select(rows, instance=instances[0])["policy"])]
    figure, grid = panel_grid(len(instances), 1, 2.1 * len(instances) + 0.6, column=True)
    for number, (axes, name) in enumerate(zip(grid.flat, instances, strict=True)):
        own = select(rows, instance=name)
        _panel(axes, own, policies)
        means = _bandit(own)[0]
        named = f"μ = {_listed(means)}" if len(means) <= FEW_ARMS else f"{len(means)} arms"
        panel_title(axes, number, named)
    handles = [policy_handle(policy, linestyle="-") for policy in policies]
    marks = [entry("limit", color="0.4", **_LIMIT), entry("lower bound", **_BOUND)]
    figure_legend(figure, [*handles, *marks], 2)
    return figure


def _listed(values: FloatArray) -> str:
    return "(" + ", ".join(f"{round(value, 9):g}" for value in values) + ")"


def caption(tables: Mapping[str, str], context: CaptionContext) -> str:
    """Say what the figure shows and how it was made."""
    del context
    wanted, rows = summary_of(tables, LONGEST), _rows(tables)
    bandits: list[str] = []
    names = in_order(wanted["case"].str.rpartition("_T")[0])
    for number, name in enumerate(names):
        mu, tau, rate = map(_listed, _bandit(select(rows, instance=name)))
        bandits.append(f"({chr(ord('a') + number)}) μ = {mu}, τ = {tau}, A = {rate}")
    shown = select(rows, metric="penalized_regret")
    shown = shown[shown["policy"].isin(EXPLORATION) & shown["instance"].isin(names)]
    shown = shown.drop_duplicates(["instance", "policy", "horizon"])
    counts = sorted({int(n) for n in shown["n_replicates"]})
    n = " to ".join(thousands(count) for count in dict.fromkeys((counts[0], counts[-1])))
    return (
        "**Penalized regret over log T, its limits and the least that is possible.** Bernoulli "
        f"rewards: {joined(bandits)}. Points are means of {n} replicates with 95 % t-intervals, "
        "each horizon on random numbers of its own, policies drawn a little apart. Solid: the "
        "fluid prediction, which has no parameter that is fitted. Dashed: its limit, the constant "
        "that is proved, "
        "Σ 2/(Δ − A) for the published policy, Σ 1/(2 (Δ − A)) with the radius scaled to σ = 1/2, "
        "Σ (Δ − A)/kl(μ, μ* − A) with KL-UCB's index, over the arms with Δ > A. Dotted: the lower "
        "bound for every consistent policy, the last of these limits; shaded is what no such "
        "policy reaches in the limit."
    )
