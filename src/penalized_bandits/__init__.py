"""Replication of "On Penalization in Stochastic Multi-armed Bandits".

The pieces that notebooks and scripts use: an :class:`Instance` with a reward family, the
policies by id, :func:`simulate`, and pure functions for penalized regret.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penalized_bandits.bandit.frontier import Frontier, oracle_frontier
    from penalized_bandits.bandit.instances import Instance
    from penalized_bandits.bandit.regret import (
        expected_reward,
        optimal_loss,
        penalized_regret,
        unfairness,
    )
    from penalized_bandits.bandit.rewards import (
        Bernoulli,
        Beta,
        Categorical,
        Deterministic,
        Gaussian,
        HeavyTailed,
    )
    from penalized_bandits.common.errors import BanditError
    from penalized_bandits.engine.simulate import simulate
    from penalized_bandits.engine.simulation import Simulation
    from penalized_bandits.policies import (
        POLICIES,
        Arm,
        Card,
        Hints,
        Policy,
        Round,
        Tuning,
        get_policy,
    )

# Imported at first use: the workflow reads the config in every job, and must not pay
# for numba there.
_NAMES = {
    "bandit.frontier": ("Frontier", "oracle_frontier"),
    "bandit.instances": ("Instance",),
    "bandit.regret": ("expected_reward", "optimal_loss", "penalized_regret", "unfairness"),
    "bandit.rewards": (
        "Bernoulli",
        "Beta",
        "Categorical",
        "Deterministic",
        "Gaussian",
        "HeavyTailed",
    ),
    "engine.simulate": ("simulate",),
    "engine.simulation": ("Simulation",),
    "common.errors": ("BanditError",),
    "policies": ("POLICIES", "Arm", "Card", "Hints", "Policy", "Round", "Tuning", "get_policy"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "POLICIES",
    "Arm",
    "BanditError",
    "Bernoulli",
    "Beta",
    "Card",
    "Categorical",
    "Deterministic",
    "Frontier",
    "Gaussian",
    "HeavyTailed",
    "Hints",
    "Instance",
    "Policy",
    "Round",
    "Simulation",
    "Tuning",
    "expected_reward",
    "get_policy",
    "optimal_loss",
    "oracle_frontier",
    "penalized_regret",
    "simulate",
    "unfairness",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
