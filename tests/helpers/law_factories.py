"""Replicates that follow a law of growth, and how far chance takes a share from its limit."""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from penalized_bandits.common.typing import FloatArray

Growth: TypeAlias = Callable[[FloatArray], FloatArray]

T: FloatArray = 500.0 * np.array([1.0, 2, 4, 8, 16, 32, 64, 128])


def binomial_bound(p: float, n: int) -> float:
    """Deviation of a share that chance exceeds with probability 6e-5."""
    return 4 * math.sqrt(p * (1 - p) / n)


def replicates(law: Growth, seed: int, n: int, noise: float = 0.3) -> list[FloatArray]:
    """Draw n replicates at each of the horizons T; their spread is a share of the mean."""
    mean = law(T)
    values = mean + noise * np.abs(mean) * np.random.default_rng(seed).normal(size=(n, T.size))
    return list(values.T)
