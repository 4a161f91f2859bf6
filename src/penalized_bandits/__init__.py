"""Replication of "On Penalization in Stochastic Multi-armed Bandits".

The pieces that notebooks and scripts use: an :class:`Instance` with a reward family, the
policies by id, :func:`simulate`, and pure functions for penalized regret.
"""

from penalized_bandits.engine.simulate import Simulation, simulate
from penalized_bandits.errors import BanditError
from penalized_bandits.frontier import Frontier, oracle_frontier
from penalized_bandits.instances import Instance
from penalized_bandits.policies import POLICIES, Policy, get_policy
from penalized_bandits.regret import (
    expected_reward,
    optimal_loss,
    penalized_regret,
    unfairness,
)
from penalized_bandits.rewards import Bernoulli, Beta, Categorical, Deterministic, Gaussian

__all__ = [
    "POLICIES",
    "BanditError",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Deterministic",
    "Frontier",
    "Gaussian",
    "Instance",
    "Policy",
    "Simulation",
    "expected_reward",
    "get_policy",
    "optimal_loss",
    "oracle_frontier",
    "penalized_regret",
    "simulate",
    "unfairness",
]
