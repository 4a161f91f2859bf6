"""The policies, one small file each.  A new one is a file and a line here."""

from penalized_bandits.errors import BanditError
from penalized_bandits.policies import (
    explore_then_commit,
    fair_learn,
    hard_threshold_ucb,
    lfg,
    soft_threshold_ucb,
    ucb1,
)
from penalized_bandits.policies.base import NOT_URGENT, Arm, Policy, Tuning

POLICIES: dict[str, Policy] = {
    policy.id: policy
    for policy in (
        hard_threshold_ucb.POLICY,
        lfg.POLICY,
        fair_learn.POLICY,
        ucb1.POLICY,
        soft_threshold_ucb.POLICY,
        explore_then_commit.POLICY,
        lfg.ORIGINAL,
    )
}

__all__ = ["NOT_URGENT", "POLICIES", "Arm", "Policy", "Tuning", "get_policy"]


def get_policy(policy: str | Policy) -> Policy:
    """Return a policy by its id (or itself); raise BanditError for an unknown id."""
    if isinstance(policy, Policy):
        return policy
    if policy not in POLICIES:
        raise BanditError(f"unknown policy {policy!r}: known are {', '.join(POLICIES)}")
    return POLICIES[policy]
