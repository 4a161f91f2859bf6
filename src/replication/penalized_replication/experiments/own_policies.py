"""Policies of a user's own, which the config names, in the library's registry."""

import os
from collections.abc import Mapping

from penalized_bandits.common.errors import BanditError
from penalized_bandits.policies import POLICIES, load_policy
from penalized_bandits.policies.base import check_id
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_replication.common.errors import RunError

VARIABLE = "PENALIZED_BANDITS_POLICIES"
"""Environment variable with them, for jobs and notebooks: ``id=module:name,...``."""

REGISTERED: list[str] = []
"""Ids of the user's policies that this process knows of."""


def register(specs: dict[str, str]) -> dict[str, str]:
    """Import ``module:name`` into the library's registry by ids, in the place of those before.

    This process's children know them too. Returns what it is given. Raises BanditError if an id is
    taken by a policy of the package, or a policy cannot be imported.
    """
    for policy_id in REGISTERED:
        POLICIES.pop(policy_id, None)
    REGISTERED.clear()
    os.environ.pop(VARIABLE, None)
    for policy_id, spec in specs.items():
        check_id(policy_id)
        if policy_id in POLICIES:
            taken = f"policy id {policy_id!r} is taken by a policy of the package"
            raise BanditError(f"{taken}: choose another")
        POLICIES[policy_id] = load_policy(spec, policy_id)
        REGISTERED.append(policy_id)
        fingerprint(POLICIES[policy_id], f"policy {policy_id} ({spec})")  # or it is refused
    if specs:
        os.environ[VARIABLE] = ",".join(f"{key}={spec}" for key, spec in specs.items())
    return specs


def check_unchanged(given: Mapping[str, str]) -> None:
    """Raise RunError if policies, by import path and fingerprint, are not those of the plan."""
    for policy_id, planned in given.items():
        if not planned.endswith(fingerprint(POLICIES[policy_id], policy_id)[:12]):
            changed = f"policy {policy_id} changed while the run was at work"
            raise RunError(f"{changed}: run the same command again")
