"""Fairness fractions that depend on the horizon, tau_k(T) = T^-b / K."""

from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    drawn_means,
    half_spread,
    regret_runs,
)
from penalized_bandits.experiments.keys import ArmNumbers, RegretSection, shown


class ShrinkingFairness(RegretSection):
    """Section ``shrinking_fairness`` of the config."""

    arms: ArmNumbers
    powers: Annotated[list[Annotated[float, Field(gt=0, lt=1)]], Field(min_length=1)]
    """Values of b."""


def _cases(section: ShrinkingFairness, group: str, context: Context) -> list[Case]:
    n_arms = int(group.removeprefix("K"))
    means = drawn_means(context, n_arms, "setting_1", group)
    penalties = half_spread(means)
    return [
        Case(
            f"{group}_b{shown(b)}_T{horizon}",
            means,
            np.full(n_arms, float(horizon) ** -b / n_arms),
            Gaussian(1 / n_arms),
            regret_runs(section.policies, [horizon], context, penalties),
        )
        for b in section.powers
        for horizon in section.horizons
    ]


EXPERIMENT = Experiment(
    id="shrinking_fairness",
    title="Penalized regret where fairness fractions shrink with the horizon",
    section=ShrinkingFairness,
    groups=lambda section: [f"K{n_arms}" for n_arms in section.arms],
    cases=_cases,
    readings=("log_of", "means", "lfg"),
)
