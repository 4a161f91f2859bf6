"""UCB1 of SMPyBandits 0.9.7: its policy ``UCB``, asked and told in a loop."""

import contextlib
import importlib
import io
from typing import Any

from scipy import special

from benchmarks.rivals.noise import Rewards
from penalized_bandits import Instance
from penalized_bandits.common.typing import IntArray


def _policy_class() -> type[Any]:
    """Import the policy.

    The package imports all its policies at once, and with them ``scipy.special.btdtri``,
    which scipy has removed in favour of ``betaincinv``; it greets with warnings in print.
    """
    if not hasattr(special, "btdtri"):
        special.btdtri = special.betaincinv  # pyright: ignore[reportAttributeAccessIssue]
    with contextlib.redirect_stdout(io.StringIO()):
        return importlib.import_module("SMPyBandits.Policies").UCB


def is_installed() -> bool:
    """Say whether the package can be imported."""
    try:
        _policy_class()
    except ImportError:
        return False
    return True


def play(instance: Instance, horizon: int, seed: int) -> IntArray:
    """Play one replicate; return the pulls of each arm."""
    policy = _policy_class()(instance.n_arms)
    rewards = Rewards(instance, horizon, seed)
    policy.startGame()
    for turn in range(horizon):
        arm = int(policy.choice())
        policy.getReward(arm, rewards.draw(arm, turn))
    return policy.pulls
