"""Policies of a user's own, from an importable module: ``my_module:policy``."""

import importlib
import re
import sys
from dataclasses import replace
from pathlib import Path

from penalized_bandits.common.errors import BanditError
from penalized_bandits.policies.base import Policy

SPEC = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", re.ASCII)
"""The form ``my_module:policy``."""


def load_policy(spec: str, policy_id: str | None = None) -> Policy:
    """Import ``module:name``, from the working folder first, with another id if one is given.

    Raises BanditError if there is no such policy, or importing it fails.
    """
    if not SPEC.fullmatch(spec):
        raise BanditError(
            f"policy {spec!r} must be of the form my_module:policy, "
            "the name of a module and of a Policy in it"
        )
    module_name, name = spec.split(":")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        module = importlib.import_module(module_name)
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
