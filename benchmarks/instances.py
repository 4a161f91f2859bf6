"""The instance on which everything is measured, for any number of arms."""

from collections.abc import Callable

import numpy as np

from penalized_bandits import Bernoulli, Beta, Categorical, Deterministic, Gaussian, Instance
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import POLICIES

TOTAL_FAIRNESS = 0.7
STARS = 5
"""Values that a categorical reward can take."""


def _categorical(means: FloatArray) -> Categorical:
    """Return rewards in 0, 1/4, ..., 1 with the given means: a binomial over four trials."""
    trials = STARS - 1
    ways = np.array([1.0, 4.0, 6.0, 4.0, 1.0])
    hits = np.arange(STARS)
    table = ways * means[:, None] ** hits * (1 - means[:, None]) ** (trials - hits)
    return Categorical(hits / trials, table / table.sum(axis=1, keepdims=True))


FAMILIES: dict[str, Callable[[FloatArray], RewardFamily]] = {
    "gaussian": lambda means: Gaussian(1 / means.size),
    "bernoulli": lambda means: Bernoulli(),  # noqa: ARG005
    "beta": lambda means: Beta(),  # noqa: ARG005
    "categorical": _categorical,
    "deterministic": lambda means: Deterministic(),  # noqa: ARG005
}


def linear_instance(n_arms: int, family: str) -> Instance:
    """Return means from 0.9 down to 0.1, fairness 0.7 in all, penalty rates 1.

    ``family`` is a key of :data:`FAMILIES`; Gaussian rewards have the standard deviation 1 / K.
    """
    means = np.linspace(0.9, 0.1, n_arms)
    rewards = FAMILIES[family](means)
    return Instance(means, TOTAL_FAIRNESS / n_arms, 1.0, rewards)


def tuning_of(policy: str, n_arms: int, horizon: int) -> float | None:
    """Return a policy's own parameter, as in Setting 1 of the paper where it has one."""
    rule = POLICIES[policy].tuning
    if rule is None or rule.regret is None:
        return None
    if POLICIES[policy].commits:
        # As few as make sense: pulls by schedule say nothing of the rule.
        return 2.0
    return rule.regret(n_arms, horizon)
