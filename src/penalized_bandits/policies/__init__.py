"""The policies, one small file each.  A new one is a file and a line here.

Those of a user's own are named in the config, and join them (``imported.py``).
"""

from penalized_bandits.errors import BanditError
from penalized_bandits.policies import (
    explore_then_commit,
    fair_learn,
    hard_threshold_sigma,
    hard_threshold_ucb,
    hard_threshold_variance,
    imported,
    kl_ucb,
    lfg,
    pond,
    primal_dual,
    soft_threshold_ucb,
    strict_rate_ucb,
    thompson,
    ucb1,
)
from penalized_bandits.policies.base import NOT_URGENT, Arm, Policy, Round, Tuning

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
        kl_ucb.POLICY,
        thompson.POLICY,
        hard_threshold_sigma.POLICY,
        hard_threshold_variance.POLICY,
        primal_dual.POLICY,
        pond.POLICY,
        strict_rate_ucb.POLICY,
        kl_ucb.CLASSICAL,
        thompson.CLASSICAL,
        hard_threshold_sigma.CLASSICAL,
    )
}

__all__ = ["NOT_URGENT", "POLICIES", "Arm", "Policy", "Round", "Tuning", "get_policy"]


def get_policy(policy: str | Policy) -> Policy:
    """Return a policy by its id, as ``my_module:policy``, or itself.

    Raises
    ------
    BanditError
        If the id is unknown or the policy cannot be imported.
    """
    if isinstance(policy, Policy):
        return policy
    if imported.is_spec(policy):
        return imported.load_policy(policy)
    if policy not in POLICIES:
        raise BanditError(f"unknown policy {policy!r}: known are {', '.join(POLICIES)}")
    return POLICIES[policy]


# Last: a module of a user's own imports from here.
imported.register_given(POLICIES)
