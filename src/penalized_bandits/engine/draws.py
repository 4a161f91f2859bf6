"""One random word in, one reward out."""

import numpy as np
from numba import njit

from penalized_bandits.rewards import (
    BERNOULLI,
    BETA,
    CATEGORICAL,
    GAUSSIAN,
    HEAVY_TAILED,
    RewardCode,
)
from penalized_bandits.streams import (
    WEYL,
    ZIGGURAT_EDGES,
    ZIGGURAT_HEIGHTS,
    beta_first_try,
    beta_rejected,
    heavy_tailed,
    mix,
    normal_first_try,
    normal_rejected,
    tape_key,
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


@njit(error_model="numpy")
def draw_number(word: np.uint64, mean: float, family: int, sd: float, tail: float) -> float:
    """Turn one random word into one reward, for families that need no table of their own.

    No array is passed: for each one the compiled caller would count references at every
    call, which takes longer than the draw.
    """
    if family == GAUSSIAN:
        z, again = normal_first_try(word, ZIGGURAT_EDGES)
        if again:
            z = normal_rejected(word, ZIGGURAT_EDGES, ZIGGURAT_HEIGHTS)
        return mean + sd * z
    if family == BERNOULLI:
        return 1.0 if unit(word) < mean else 0.0
    if family == BETA:
        x, again = beta_first_try(word, mean)
        return beta_rejected(word, mean) if again else x
    if family == HEAVY_TAILED:
        return mean + sd * heavy_tailed(word, tail)
    return mean


@njit
def noise_number(key: np.uint64, arm: int, n: int) -> float:
    """Draw the number of an arm in round ``n`` that a policy has for itself.

    ``key`` is that of the replicate in the stream of such numbers.
    """
    word = mix(mix(tape_key(key, arm)) + np.uint64(n) * WEYL)
    return draw_number(word, 0.0, GAUSSIAN, 1.0, 0.0)


@njit
def draw(word: np.uint64, arm: int, mean: float, code: RewardCode) -> float:
    """Turn one random word into one reward of an arm with the given mean."""
    if code.family == CATEGORICAL:
        return categorical(word, arm, code.cumulative, code.support)
    return draw_number(word, mean, code.family, code.sd, code.support[0])
