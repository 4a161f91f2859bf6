"""Rewards with heavy tails, which no bound of the paper covers."""

from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.bandit.rewards import HeavyTailed
from penalized_bandits.experiments.base import (
    Case,
    Context,
    Experiment,
    drawn_means,
    half_spread,
    regret_runs,
)
from penalized_bandits.experiments.keys import (
    ArmNumbers,
    Fraction,
    RegretPolicies,
    RegretSection,
    format_for_id,
)
from penalized_bandits.policies import POLICIES


def _need_no_noise(policies: list[str]) -> list[str]:
    """Check that no policy needs sigma, which is infinite with these tails."""
    for policy in policies:
        if POLICIES[policy].scaled_by_noise:
            raise ValueError(f"policy {policy} needs sigma, which rewards with heavy tails lack")
    return policies


class HeavyTails(RegretSection):
    """Section ``heavy_tails`` of the config."""

    policies: Annotated[RegretPolicies, AfterValidator(_need_no_noise)]
    arms: ArmNumbers
    fairness: Fraction
    """Total tau: each arm has tau_k = tau / K."""
    tails: Annotated[list[Annotated[float, Field(gt=1, le=100)]], Field(min_length=1)]
    """Tail indices; the variance is infinite up to 2."""


def _cases_of(n_arms: int, section: HeavyTails, context: Context) -> list[Case]:
    fairness = np.full(n_arms, section.fairness / n_arms)
    means = drawn_means(context, n_arms, "setting_1", f"K{n_arms}")
    penalties = half_spread(means)
    runs = regret_runs(section.policies, section.horizons, context, penalties)
    # Half of all errors lie within the median, which is Setting 1's for every tail.
    median = 0.6744897501960817 / n_arms
    return [
        Case(
            f"K{n_arms}_tail{format_for_id(tail)}",
            means,
            fairness,
            HeavyTailed(median / (2 ** (1 / tail) - 1), tail),
            runs,
            label=f"K = {n_arms}, tail index {tail:g}",
        )
        for tail in section.tails
    ]


EXPERIMENT = Experiment(
    id="heavy_tails",
    title="Penalized regret under rewards with heavy tails",
    section=HeavyTails,
    cases=lambda section, context: [
        case for n_arms in section.arms for case in _cases_of(n_arms, section, context)
    ],
    readings=("log_of", "means", "lfg"),
)
