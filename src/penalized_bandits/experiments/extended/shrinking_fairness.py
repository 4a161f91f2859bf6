"""Fairness fractions that depend on the horizon, tau_k(T) = T^-b / K."""

from typing import Annotated

import numpy as np
from pydantic import Field

from penalized_bandits.bandit.rewards import Gaussian
from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    case_of,
    drawn_means,
    half_spread,
    regret_runs,
)
from penalized_bandits.experiments.keys import ArmNumbers, RegretSection, format_for_id


class ShrinkingFairness(RegretSection):
    """Section ``shrinking_fairness`` of the config."""

    arms: ArmNumbers
    powers: Annotated[list[Annotated[float, Field(gt=0, lt=1)]], Field(min_length=1)]
    """Values of b."""


def _cases_of(n_arms: int, section: ShrinkingFairness, context: Context) -> list[Case]:
    means = drawn_means(context, n_arms, "setting_1", f"K{n_arms}")
    penalties = half_spread(means)
    return [
        Case(
            case_of(f"K{n_arms}_b{format_for_id(b)}", horizon),
            means,
            np.full(n_arms, float(horizon) ** -b / n_arms),
            Gaussian(1 / n_arms),
            regret_runs(section.policies, [horizon], context, penalties),
            instance=f"K{n_arms}_b{format_for_id(b)}",
            label=f"K = {n_arms}, b = {b:g}",
            horizon=horizon,
        )
        for b in section.powers
        for horizon in section.horizons
    ]


EXPERIMENT = Experiment(
    id="shrinking_fairness",
    title="Penalized regret where fairness fractions shrink with the horizon",
    section=ShrinkingFairness,
    cases=lambda section, context: [
        case for n_arms in section.arms for case in _cases_of(n_arms, section, context)
    ],
    readings=("log_of", "means", "lfg"),
)
