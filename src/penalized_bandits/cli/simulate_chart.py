"""The chart of ``penalized-bandits simulate --chart``."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from penalized_bandits.experiments.summaries import mean_and_interval, run_metrics
from penalized_bandits.figures.style import figure_legend, look_of, policy_handle, tidy, use_style
from penalized_bandits.storage.replicates import Outcome

SIZE = (4.6, 3.0)
"""Inches."""
MARKERS = 6
"""Markers on a line, about."""


def draw_regret(outcomes: Sequence[Outcome]) -> Figure:
    """Draw mean penalized regret against rounds, with bands of 95 % t-intervals.

    There is an outcome for each policy and round, rounds increasing within a policy.
    """
    use_style()
    policies = list(dict.fromkeys(outcome.policy for outcome in outcomes))
    figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
    for policy in policies:
        own = [outcome for outcome in outcomes if outcome.policy == policy]
        points = [mean_and_interval(run_metrics(outcome)["penalized_regret"]) for outcome in own]
        rounds = [outcome.horizon for outcome in own]
        mean, _, half = np.array(points).T
        look = look_of(policy)
        axes.plot(
            rounds,
            mean,
            color=look.colour,
            marker=look.marker,
            linestyle=look.dashes,
            markevery=max(1, len(own) // MARKERS),
        )
        axes.fill_between(rounds, mean - half, mean + half, color=look.colour, alpha=0.2, lw=0)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Round t")
    axes.set_ylabel("Penalized regret R(t)")
    tidy(axes)
    figure_legend(figure, [policy_handle(policy) for policy in policies], columns=3)
    return figure
