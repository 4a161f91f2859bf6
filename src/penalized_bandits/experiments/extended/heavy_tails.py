"""Rewards with heavy tails, which no bound of the paper covers."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from penalized_bandits.bandit.rewards import HeavyTailed
from penalized_bandits.experiments import base, keys
from penalized_bandits.experiments.base import Case, Context, declare
from penalized_bandits.policies import POLICIES


def _need_no_noise(policies: list[str]) -> list[str]:
    """Check that no policy needs sigma, which is infinite with these tails."""
    for policy in policies:
        if POLICIES[policy].scaled_by_noise:
            raise ValueError(f"policy {policy} needs sigma, which rewards with heavy tails lack")
    return policies


class HeavyTails(keys.RegretSection):
    """Section ``heavy_tails`` of the config."""

    policies: Annotated[keys.RegretPolicies, AfterValidator(_need_no_noise)]
    arms: keys.ArmNumbers
    fairness: keys.Fraction
    """Total tau: each arm has tau_k = tau / K."""
    tails: keys.Values[Annotated[float, Field(gt=1, le=100)]]
    """Tail indices; the variance is infinite up to 2."""


@declare(
    "heavy_tails",
    title="Penalized regret under rewards with heavy tails",
    readings=("log_of", "means", "lfg"),
    compared=True,
)
def heavy_tails(section: HeavyTails, context: Context) -> Iterator[Case]:
    for n_arms in section.arms:
        fairness = np.full(n_arms, section.fairness / n_arms)
        means = base.drawn_means(context, n_arms, "setting_1", f"K{n_arms}")
        rates = base.half_spread(means)
        runs = base.regret_runs(section.policies, section.horizons, context, rates)
        # Half of all errors lie within the median, which is Setting 1's for every tail.
        median = 0.6744897501960817 / n_arms
        for tail in section.tails:
            name = f"K{n_arms}_tail{keys.format_for_id(tail)}"
            rewards = HeavyTailed(median / (2 ** (1 / tail) - 1), tail)
            label = f"K = {n_arms}, tail index {tail:g}"
            yield Case(name, means, fairness, rewards, runs, label=label)
