"""Refuse rewards outside [0, 1] to policies that need them there (``needs_unit_rewards``)."""

import warnings

from penalized_bandits.bandit.rewards import Categorical, RewardFamily, UnitIntervalFamily
from penalized_bandits.common.errors import BanditError, UnitRewardsWarning
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies import Policy


def check_range(policy: Policy, what: str, *values: float) -> None:
    """Raise BanditError if a policy needs rewards in [0, 1] and a value leaves it."""
    outside = [value for value in values if not 0 <= value <= 1]
    if policy.needs_unit_rewards and outside:
        raise BanditError(
            f"policy {policy.id} needs rewards in [0, 1], but {what} is {outside[-1]:g}: scale the "
            "rewards, (reward - least) / (largest - least), and divide penalty rates and standard "
            "deviations by (largest - least)"
        )


def check_rewards(policy: Policy, means: FloatArray, rewards: RewardFamily) -> None:
    """Raise BanditError if a policy needs rewards in [0, 1], and means or categories leave it."""
    values = rewards.support if isinstance(rewards, Categorical) else means
    what = "a reward" if isinstance(rewards, Categorical) else "a mean"
    check_range(policy, what, float(values.min()), float(values.max()))


def warn_of_unbounded(policy: Policy, rewards: RewardFamily) -> None:
    """Warn where means lie in [0, 1] but rewards need not."""
    bounded = isinstance(rewards, Categorical | UnitIntervalFamily) or rewards.noise == 0
    if policy.needs_unit_rewards is True and not bounded:
        warnings.warn(
            f"policy {policy.id} is made for rewards in [0, 1], but {rewards.id} rewards leave it: "
            "it is played all the same, and nothing proved of it holds",
            UnitRewardsWarning,
            stacklevel=3,
        )
