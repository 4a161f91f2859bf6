"""Factories of evidence on laws of growth: regret and pulls beside their fluid prediction."""

import math
from collections.abc import Callable

import numpy as np

from outcome_factories import Runs, cells, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import PAPER_POLICY
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import alternating
from series_factories import LATE, N, instance_model, log_laws, whole

SOFT = "soft_threshold_ucb"
Law = Callable[[int], float]


def law(level: float = 1.0, change: float = 0.0) -> Law:
    """Return a factor of a level on average that changes so much along log T."""
    return lambda t: level + change * (math.log10(t) - 5) / 2


AS_PREDICTED = law()


def predicted(instance: str, factor: Law = AS_PREDICTED, spread: float = 0.005) -> Runs:
    """Non-critical arms have their fluid prediction times a factor; others have their level."""
    model = instance_model(instance)

    def pulls(t: int) -> list[FloatArray | float]:
        bandit = instance_of(model.means, model.fairness_at(t), model.penalties_at(t))
        by = alternating(factor(t), spread, N)
        arms = zip(predicted_pulls(bandit, t)[1:], bandit.non_critical[1:], strict=True)
        return [by * fluid if noisy else math.ceil(fluid) for fluid, noisy in arms]

    return log_laws(instance, pulls, horizons=LATE)


def regular(level: float, change: float, spread: float) -> Runs:
    return predicted("regular", law(level, change), spread)


def thresholds(
    factor: Law = AS_PREDICTED,
    spread: float = 0.001,
    policy: str = PAPER_POLICY,
    horizons: tuple[int, ...] = LATE,
) -> Runs:
    """Return both thresholds with regret as predicted, that of one policy times a factor.

    Of the hard threshold arm 3 is off its prediction, of the soft one arm 2 that lacks pulls.
    """
    runs, bandit = [], ((0.9, 0.7, 0.3), (0.2, 0.2, 0.2), (0.4, 0.4, 0.4))
    for name in (PAPER_POLICY, SOFT):
        for horizon in horizons:
            soft = name == SOFT
            pulls = np.tile(predicted_pulls(instance_of(*bandit), horizon, soft=soft)[1:], (N, 1))
            by = factor(horizon) if name == policy else 1.0
            by = alternating(by, spread * by, N)
            pulls[:, 1] *= by
            if soft:
                # Regret of arm 2 is 0.2 for each pull that it lacks.
                pulls[:, 0] = 0.2 * horizon - by * (0.2 * horizon - pulls[:, 0])
            runs.append(outcome(pulls, horizon, *bandit, case="a", policy=name))
    return Runs(cells(runs))


def off(level: float, change: float, spread: float, policy: str = PAPER_POLICY) -> Runs:
    return thresholds(law(level, change), spread, policy)


T = 10**8
"""T^0.75 is a whole number."""

BOUND = 16 * math.log(T) / 0.15 + 5


def shrinking(
    ratio: float = 0.5, spread: float = 0.0, deficit: float = 0.0, power: str = "025"
) -> Runs:
    """Arm 2 lacks pulls, whole on each replicate; arm 4, of margin 0.15, is explored."""

    def pulls(t: int) -> list[FloatArray | float]:
        level = t ** (1 - float(power) / 100)
        explored = alternating(ratio * BOUND / 0.15, spread * BOUND / 0.15, N)
        return [level - whole(deficit), level, explored, 0.0]

    return log_laws(f"tau_power_{power}", pulls, horizons=(T,))
