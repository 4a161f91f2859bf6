"""Arms that sleep and rewards in batches, simulated in the plain loop."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.engine._jobs import Job
from penalized_bandits.engine._plain import play_singly
from penalized_bandits.engine.play import Accrual
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.policies import Policy


@dataclass(frozen=True, eq=False)
class Schedule:
    """Which arms are there in each round, and when rewards come."""

    batch: int = 1
    """Rounds whose rewards come together, after the last of them."""
    available: BoolArray | None = None
    """Whether an arm is there in a round, shape (T, K), in every replicate; by default all are."""
    accrual: Accrual = "always"
    """Rounds in which an arm's floor grows."""

    def owed(self, fairness: FloatArray, horizon: int) -> FloatArray:
        """Return the pulls owed to each arm after each round, shape (T, K)."""
        if self.available is not None and self.accrual == "available":
            return np.cumsum(self.available[:horizon], axis=0) * fairness
        return np.arange(1, horizon + 1)[:, None] * fairness


def simulate_schedule(
    schedule: Schedule,
    policy: Policy,
    instance: Instance,
    checkpoints: tuple[int, ...],
    *,
    replicates: int,
    first_replicate: int,
    seed: int,
    stream: tuple[str, ...],
    tuning: float | None,
    log_of: Literal["n", "n-1"],
    progress: Callable[[int], None] | None,
) -> Simulation:
    """Simulate replicates under a schedule; the rest as in ``simulate_part``."""
    there = None if schedule.available is None else list(map(np.flatnonzero, schedule.available))
    result = Simulation.empty(policy, instance, tuning, np.array(checkpoints), replicates)
    play_singly(
        Job(result, seed, stream, first_replicate, log_of, progress),
        policy,
        schedule.owed(instance.fairness, checkpoints[-1]),
        available=None if there is None else lambda n: there[n - 1].tolist(),
        accrual=schedule.accrual,
        batch=schedule.batch,
    )
    return result
