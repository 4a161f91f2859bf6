"""The policies, one small file each.  A new one is a file in a folder of `KINDS`."""

import copyreg
import pickle
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from penalized_bandits.common.errors import BanditError
from penalized_bandits.policies.base import Policy as Policy

PAPER_POLICY = "hard_threshold_ucb"
"""The policy that the paper proposes, with which all others are compared."""

_ORDER = f"""
    {PAPER_POLICY} lfg fair_learn ucb1 soft_threshold_ucb explore_then_commit lfg_original
    kl_hard_threshold thompson_hard_threshold hard_threshold_sigma hard_threshold_variance
    primal_dual pond strict_rate_ucb kl_ucb thompson ucb_sigma kl_hard_threshold_loglog
    kl_ucb_loglog thompson_beta_hard_threshold thompson_beta imed moss ucb_v
    hard_threshold_normal ucb_normal empirical_kl_hard_threshold empirical_kl_ucb
    frank_wolfe_ucb smooth_threshold_ucb plan_and_track revenue_floors banditq tscsf_b
    thompson_floors moss_hard_threshold moss_due_first empirical_kl_hard_threshold_log
    hard_threshold_unit forgetting_threshold
""".split()
"""Order of tables and looks.  Policies that are not in it follow, in the order of their files."""

KINDS = ("paper", "classical", "fair", "ours")  # folders of policies

OWN = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", re.ASCII)  # the form ``my_module:policy``

FILES: dict[str, str] = {}  # the file of each policy of the package, as ``paper/lfg.py``, by the id


def _policies() -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    for kind in KINDS:
        for file in iter_modules([f"{__path__[0]}/{kind}"]):
            for policy in vars(import_module(f"{__name__}.{kind}.{file.name}")).values():
                if isinstance(policy, Policy):
                    assert policy.id not in policies, f"two policies: {policy.id}"  # noqa: S101
                    policies[policy.id] = policy
                    FILES[policy.id] = f"{kind}/{file.name}.py"
    return {name: policies[name] for name in dict.fromkeys([*_ORDER, *policies])}


POLICIES: dict[str, Policy] = _policies()


def get_policy(policy: str | Policy) -> Policy:
    """Return a policy by its id, as ``my_module:policy``, or itself.

    Raises BanditError if it is neither, the id is unknown or the policy cannot be imported.

    >>> get_policy("hard_threshold_ucb").tuning is None
    True
    """
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise BanditError(f"policy is {policy!r:.80}: it must be an id, my_module:policy or Policy")
    if OWN.fullmatch(policy):
        return load_policy(policy)
    if policy not in POLICIES:
        raise BanditError(unknown_policy(policy))
    return POLICIES[policy]


def load_policy(spec: str, policy_id: str | None = None) -> Policy:
    """Import ``module:name``, from the working folder first, with another id if one is given."""
    if not OWN.fullmatch(spec):
        raise BanditError(f"policy {spec!r} must be of the form my_module:policy, a Policy")
    module_name, name = spec.split(":")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and module_name.split(".")[0] == error.name.split(".")[0]:
            raise BanditError(
                f"policy {spec!r}: there is no module {module_name!r}; it must lie in the "
                "folder where the command is run, or be installed"
            ) from None
        raise BanditError(f"policy {spec!r}: {module_name} needs {error.name!r}") from error
    except Exception as error:
        # Whatever a user's file raises is reported as theirs, not as our own failure.
        kind = type(error).__name__
        raise BanditError(f"policy {spec!r}: importing it failed: {kind}: {error}") from error
    policy = getattr(module, name, None)
    if not isinstance(policy, Policy):
        own = [key for key, value in vars(module).items() if isinstance(value, Policy)]
        known = ", ".join(own) or "none"
        raise BanditError(f"policy {spec!r} is no penalized_bandits.Policy: there are {known}")
    return policy if policy_id is None or policy.id == policy_id else replace(policy, id=policy_id)


def _reduced(policy: Policy) -> tuple[Callable[..., Policy], tuple[Any, ...]]:
    """Pickle a policy of the package by its id, others with functions that pickle refuses."""
    if POLICIES.get(policy.id) is policy and policy.id in FILES:
        return get_policy, (policy.id,)
    from numba import cloudpickle  # takes long to import

    return _restored, (cloudpickle.dumps(vars(policy)),)


def _restored(fields: bytes) -> Policy:
    return Policy(**pickle.loads(fields))  # noqa: S301


copyreg.pickle(Policy, _reduced)


def unknown_policy(name: str) -> str:
    """Return the message for an id that no policy has, with the most similar ids or a few."""
    if similar := get_close_matches(name.lower(), POLICIES):
        return f"unknown policy {name!r:.80}: did you mean {', '.join(similar)}?"
    return f"unknown policy {name!r:.80}: there are {', '.join([*POLICIES][:4])}, ..."
