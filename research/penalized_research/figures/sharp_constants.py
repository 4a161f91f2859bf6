"""Regret over log T up to very long horizons, with its prediction, its limits and the bound."""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.theory.exploration import Exploration, bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_regret
from penalized_bandits.theory.limits import log_constant
from penalized_bandits.theory.lower_bound import lower_constant
from penalized_replication.experiments.base import case_of
from penalized_replication.figures import style
from penalized_replication.figures.base import Tables, Values, bandit_of, select, summary_of
from penalized_replication.figures.panels import CaseGrid, Drawing, draw_means, horizon_axis

LONGEST = "sharp_longest"
"""The study whose bandits are drawn."""
EXPLORATION: dict[str, Exploration] = {
    "hard_threshold_ucb": root_log(),
    "hard_threshold_sigma": root_log(2 * Bernoulli().noise ** 2),
    "kl_hard_threshold": bernoulli_kl(),
}
LIMIT: Values = {"linewidth": 0.8, "linestyle": (0, (4, 2))}
BOUND: Values = {"color": style.FRONTIER_COLOUR, "linewidth": 1.4, "linestyle": (0, (1, 1))}
APART = 1.06
"""Factor between the places of two policies' points, which would hide each other."""


def _rows(tables: Tables) -> pd.DataFrame:
    """Return the rows of runs at their own horizon, those of the most replicates first."""
    every = summary_of(tables, *tables)
    own = every["case"] == [*map(case_of, every["instance"], every["horizon"])]
    return every[own].sort_values("n_replicates", ascending=False, kind="stable")


def bandit_behind(rows: pd.DataFrame) -> Instance:
    """Return the bandit of the rows of an instance, whose rewards are Bernoulli."""
    first = rows.iloc[0]
    run = select(rows, **{key: first[key] for key in ("setting", "case", "policy")})
    # T times the largest mean is what is earned and what is lost.
    parts = run[run["metric"].isin(["expected_reward", "reward_loss"])]
    best = float(parts["mean"].sum() / parts["horizon"].iloc[0])
    bandit = bandit_of(run)
    return replace(bandit, means=best + bandit.means, rewards=Bernoulli())


def panel(axes: Axes, rows: pd.DataFrame, policies: list[str]) -> None:
    """Draw regret over log T of policies on one bandit, with its prediction, limits and bound."""
    bandit, regret = bandit_behind(rows), select(rows, metric="penalized_regret")
    ends = float(regret["horizon"].min()), float(regret["horizon"].max())
    span = np.geomspace(*ends, 100)
    for number, policy in enumerate(policies):
        look, rule = style.look_of(policy), EXPLORATION[policy]
        curve = [float(predicted_regret(bandit, t, rule=rule)) / np.log(t) for t in span]
        axes.plot(span, curve, color=look.colour, zorder=2)
        limit = float(log_constant(bandit, rule))
        axes.axhline(limit, color=look.colour, **LIMIT, zorder=1)
        points = select(regret, policy=policy).drop_duplicates("horizon").sort_values("horizon")
        apart = points["horizon"] * APART ** (number - (len(policies) - 1) / 2)
        marks = {"color": look.colour, "marker": look.marker, "linestyle": "none", "zorder": 3}
        draw_means(axes, apart, points, np.log(points["horizon"]), **marks)
    least = float(lower_constant(bandit))
    axes.axhspan(0, least, color=style.SHADE, linewidth=0, zorder=0)
    axes.axhline(least, **BOUND, zorder=1.5)
    axes.set_ylim(bottom=0)
    horizon_axis(axes, [int(t) for t in ends])
    axes.set(xlabel="Horizon T (rounds)", ylabel="R(T) / log T")
    style.tidy(axes)


def draw(tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a panel for each bandit followed to the longest horizon; both forms have one column."""
    del column
    rows = _rows(tables)
    instances = summary_of(tables, LONGEST)["instance"].unique()
    policies = [p for p in EXPLORATION if p in set(select(rows, instance=instances[0])["policy"])]
    grid = CaseGrid([instances], 2.1, margin=0.6, column=True)
    for axes, name in grid:
        own = select(rows, instance=name)
        panel(axes, own, policies)
        listed = ", ".join(f"{round(mean, 9):g}" for mean in bandit_behind(own).means)
        grid.title(axes, f"μ = ({listed})")
    handles = [style.policy_handle(policy, linestyle="-") for policy in policies]
    marks = [style.entry("limit", color="0.4", **LIMIT), style.entry("lower bound", **BOUND)]
    return grid.legend([*handles, *marks], 2)


def caption_values(tables: Tables) -> Values:
    """Return measured over predicted regret at the longest horizon, and numbers of replicates."""
    every = _rows(tables)
    rows = select(every, metric="penalized_regret")
    instances = summary_of(tables, LONGEST)["instance"].unique()
    shown = rows[rows["policy"].isin(EXPLORATION) & rows["instance"].isin(instances)]
    shown = shown.drop_duplicates(["instance", "policy", "horizon"])
    return {"counts": shown["n_replicates"], **at_the_end(every, shown)}


def at_the_end(every: pd.DataFrame, regret: pd.DataFrame) -> Values:
    """Return the largest horizon, and the ends of measured over predicted regret there."""
    rounds = int(regret["horizon"].max())
    last = select(regret, horizon=rounds)
    names = last["instance"].unique()
    bandits = {name: bandit_behind(select(every, instance=name)) for name in names}
    means = zip(last["instance"], last["policy"], last["mean"], strict=True)
    ratios = [
        mean / float(predicted_regret(bandits[name], rounds, rule=EXPLORATION[policy]))
        for name, policy, mean in means
    ]
    return {"ends": [min(ratios), max(ratios)], "last": rounds}
