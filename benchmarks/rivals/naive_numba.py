"""The hard-threshold rule as one would write it for numba, and a loop that only draws.

One replicate at a time; every index of every arm in every round, with its logarithm,
root and division.  Rewards are the engine's own, so that the pulls can be compared.
"""

import math

import numpy as np
from numba import njit

from penalized_bandits import Instance
from penalized_bandits.engine.draws import draw
from penalized_bandits.rewards import RewardCode
from penalized_bandits.streams import (
    WEYL,
    ZIGGURAT_EDGES,
    ZIGGURAT_HEIGHTS,
    mix,
    replicate_keys,
    stream_key,
    tape_key,
)
from penalized_bandits.typing import FloatArray, IntArray, UIntArray


@njit
def _hard_threshold(
    horizon: int,
    means: FloatArray,
    fairness: FloatArray,
    penalties: FloatArray,
    code: RewardCode,
    edges: FloatArray,
    heights: FloatArray,
    keys: UIntArray,
    pulls: IntArray,
) -> None:
    n_arms = len(means)
    for r in range(len(keys)):
        count, total = np.zeros(n_arms, np.int64), np.zeros(n_arms)
        for n in range(1, horizon + 1):
            choice, best = n - 1, -np.inf
            if n > n_arms:
                for k in range(n_arms):
                    index = total[k] / count[k] + math.sqrt(2.0 * math.log(n) / count[k])
                    if count[k] < fairness[k] * n:
                        index += penalties[k]
                    if index > best:
                        best = index
                        choice = k
            count[choice] += 1
            word = mix(mix(tape_key(keys[r], choice)) + np.uint64(count[choice]) * WEYL)
            total[choice] += draw(word, choice, means[choice], code, edges, heights)
        pulls[r] = count


@njit
def _draws(
    rounds: int,
    means: FloatArray,
    code: RewardCode,
    edges: FloatArray,
    heights: FloatArray,
    keys: UIntArray,
) -> float:
    n_arms = len(means)
    total = 0.0
    for r in range(len(keys)):
        k = 0
        for n in range(1, rounds + 1):
            word = mix(mix(tape_key(keys[r], k)) + np.uint64(n) * WEYL)
            total += draw(word, k, means[k], code, edges, heights)
            k = k + 1 if k + 1 < n_arms else 0
    return total


def _keys(replicates: int, seed: int) -> UIntArray:
    keys = np.empty(replicates, dtype=np.uint64)
    replicate_keys(np.uint64(stream_key(seed)), 0, keys)
    return keys


def play(instance: Instance, horizon: int, replicates: int, seed: int) -> IntArray:
    """Play replicates one by one; return their pulls, shape (R, K)."""
    pulls = np.zeros((replicates, instance.n_arms), dtype=np.int64)
    _hard_threshold(
        *(horizon, instance.means, instance.fairness, instance.penalties, instance.reward_code),
        *(ZIGGURAT_EDGES, ZIGGURAT_HEIGHTS, _keys(replicates, seed), pulls),
    )
    return pulls


def draw_only(instance: Instance, horizon: int, replicates: int, seed: int) -> float:
    """Draw as many rewards as there are pulls, and do nothing else; return their sum."""
    tables = (ZIGGURAT_EDGES, ZIGGURAT_HEIGHTS)
    keys = _keys(replicates, seed)
    return _draws(horizon, instance.means, instance.reward_code, *tables, keys)
