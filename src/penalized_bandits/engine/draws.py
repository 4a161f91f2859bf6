"""One random word in, one reward out."""

import numpy as np
from numba import njit

from penalized_bandits.rewards import BERNOULLI, BETA, CATEGORICAL, GAUSSIAN, RewardCode
from penalized_bandits.streams import (
    beta_first_try,
    beta_rejected,
    normal_first_try,
    normal_rejected,
    unit,
)
from penalized_bandits.typing import FloatArray


@njit(forceinline=True)
def categorical(word: np.uint64, arm: int, cumulative: FloatArray, support: FloatArray) -> float:
    """Draw from arm's row of cumulative probabilities by inversion."""
    # Counting costs less than a search: nothing depends on what was drawn before.
    u = unit(word)
    j = 0
    for i in range(len(support) - 1):
        j += 1 if u >= cumulative[arm, i] else 0
    return support[j]


@njit
def draw(
    word: np.uint64,
    arm: int,
    mean: float,
    code: RewardCode,
    edges: FloatArray,
    heights: FloatArray,
) -> float:
    """Turn one random word into one reward of an arm with the given mean."""
    if code.family == GAUSSIAN:
        z, again = normal_first_try(word, edges)
        if again:
            z = normal_rejected(word, edges, heights)
        return mean + code.sd * z
    if code.family == BERNOULLI:
        return 1.0 if unit(word) < mean else 0.0
    if code.family == BETA:
        x, again = beta_first_try(word, mean)
        return beta_rejected(word, mean) if again else x
    if code.family == CATEGORICAL:
        return categorical(word, arm, code.cumulative, code.support)
    return mean
