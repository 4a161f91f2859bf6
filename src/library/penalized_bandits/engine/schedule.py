"""Arms that sleep and rewards in batches, which the plain loop plays."""

from dataclasses import dataclass

import numpy as np

from penalized_bandits.common.typing import BoolArray, FloatArray
from penalized_bandits.engine.play import Accrual


@dataclass(frozen=True, eq=False)
class Schedule:
    """Which arms are there in each round, and when rewards come."""

    batch: int = 1
    """Rounds whose rewards come together, after the last of them."""
    available: BoolArray | None = None
    """Whether an arm is there in a round, shape (T, K), in every replicate; by default all are."""
    accrual: Accrual = "always"
    """Rounds in which an arm's floor grows."""

    def arms(self, n: int) -> list[int] | None:
        """Return the arms that are there in round n; None for all."""
        return None if self.available is None else np.flatnonzero(self.available[n - 1]).tolist()

    def owed(self, fairness: FloatArray, horizon: int) -> FloatArray:
        """Return the pulls owed to each arm after each round, shape (T, K)."""
        if self.available is not None and self.accrual == "available":
            return np.cumsum(self.available[:horizon], axis=0) * fairness
        return np.arange(1, horizon + 1)[:, None] * fairness


NO_SCHEDULE = Schedule()
"""All arms are there, and rewards come at once."""
