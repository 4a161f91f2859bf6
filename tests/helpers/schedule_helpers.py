"""A bandit whose arms sleep, and its runs in the plain loop."""

import numpy as np

from penalized_bandits import Bernoulli, Instance
from penalized_bandits.engine.schedule import Schedule
from penalized_bandits.engine.simulate import Simulation, simulate_part
from penalized_bandits.engine.streams import Stream
from penalized_bandits.policies import POLICIES

BANDIT = Instance([0.9, 0.6, 0.3], [0.1, 0.2, 0.3], [1.0, 1.0, 0.25], Bernoulli())
THERE = np.random.default_rng(3).random((400, 3)) < 0.7
THERE[:, 0] |= ~THERE.any(axis=1)


def scheduled(schedule: Schedule, policy: str = "hard_threshold_ucb") -> Simulation:
    """Return three replicates of a policy under a schedule."""
    rule = POLICIES[policy]
    return simulate_part(
        rule,
        BANDIT,
        400,
        replicates=3,
        stream=Stream(5),
        checkpoints=(100, 400),
        tuning=rule.published_tuning(BANDIT.n_arms, 400),
        schedule=schedule,
    )
