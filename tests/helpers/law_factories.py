"""Replicates that follow a law of growth, and how far chance takes a share from its limit."""

import math

import numpy as np

from penalized_bandits.common.typing import FloatArray

T: FloatArray = 500.0 * np.array([1.0, 2, 4, 8, 16, 32, 64, 128])


def binomial_bound(p: float, n: int) -> float:
    """Deviation of a share that chance exceeds with probability 6e-5."""
    return 4 * math.sqrt(p * (1 - p) / n)
