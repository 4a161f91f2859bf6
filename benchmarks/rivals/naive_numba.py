"""The hard-threshold rule as one would write it for numba, and a loop that only draws.

One replicate at a time; every index of every arm in every round, with its logarithm,
root and division.  Rewards are the engine's own, so that the pulls can be compared.
They are drawn by functions of numbers alone, the tables being constants: an array that is
handed to a function is counted in and out, which takes longer than a draw.
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numba import njit

from penalized_bandits import Instance
from penalized_bandits.bandit.rewards import BERNOULLI, BETA, CATEGORICAL, GAUSSIAN
from penalized_bandits.common.typing import FloatArray, IntArray, UIntArray
from penalized_bandits.engine.draws import categorical
from penalized_bandits.engine.streams import (
    WEYL,
    beta_first_try,
    beta_rejected,
    mix,
    normal_first_try,
    normal_rejected,
    replicate_keys,
    stream_key,
    tape_key,
    unit,
)


@njit(forceinline=True)
def _gaussian(word: np.uint64, mean: float, sd: float) -> float:
    z, again = normal_first_try(word)
    if again:
        z = normal_rejected(word)
    return mean + sd * z


@njit(forceinline=True)
def _bernoulli(word: np.uint64, mean: float, sd: float) -> float:  # noqa: ARG001
    return 1.0 if unit(word) < mean else 0.0


@njit(forceinline=True)
def _beta(word: np.uint64, mean: float, sd: float) -> float:  # noqa: ARG001
    x, again = beta_first_try(word, mean)
    return beta_rejected(word, mean) if again else x


@njit(forceinline=True)
def _deterministic(word: np.uint64, mean: float, sd: float) -> float:  # noqa: ARG001
    return mean


_DRAWS: dict[int, Callable[..., float]] = {
    GAUSSIAN: _gaussian,
    BERNOULLI: _bernoulli,
    BETA: _beta,
}


@cache
def _hard_threshold(family: int) -> Callable[..., None]:
    """Compile the rule for one reward family."""
    draw_one = _DRAWS[family]

    @njit
    def play_all(
        horizon: int,
        means: FloatArray,
        fairness: FloatArray,
        penalties: FloatArray,
        sd: float,
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
                total[choice] += draw_one(word, means[choice], sd)
            pulls[r] = count

    return play_all


@cache
def _draws(family: int) -> Callable[..., float]:
    """Compile the loop that only draws for one reward family."""
    draw_one = _DRAWS.get(family, _deterministic)
    many = family == CATEGORICAL

    @njit
    def draw_all(
        rounds: int,
        means: FloatArray,
        sd: float,
        cumulative: FloatArray,
        support: FloatArray,
        keys: UIntArray,
    ) -> float:
        n_arms = len(means)
        total = 0.0
        for r in range(len(keys)):
            k = 0
            for n in range(1, rounds + 1):
                word = mix(mix(tape_key(keys[r], k)) + np.uint64(n) * WEYL)
                if many:
                    total += categorical(word, k, cumulative, support)
                else:
                    total += draw_one(word, means[k], sd)
                k = k + 1 if k + 1 < n_arms else 0
        return total

    return draw_all


def _keys(replicates: int, seed: int) -> UIntArray:
    keys = np.empty(replicates, dtype=np.uint64)
    replicate_keys(np.uint64(stream_key(seed)), 0, keys)
    return keys


def play(instance: Instance, horizon: int, replicates: int, seed: int) -> IntArray:
    """Play replicates one by one; return their pulls, shape (R, K)."""
    pulls = np.zeros((replicates, instance.n_arms), dtype=np.int64)
    code = instance.reward_code
    _hard_threshold(code.family)(
        *(horizon, instance.means, instance.fairness, instance.penalties, code.sd),
        *(_keys(replicates, seed), pulls),
    )
    return pulls


def draw_only(instance: Instance, horizon: int, replicates: int, seed: int) -> float:
    """Draw as many rewards as there are pulls, and do nothing else; return their sum."""
    code = instance.reward_code
    loop = _draws(code.family)
    keys = _keys(replicates, seed)
    return loop(horizon, instance.means, code.sd, code.cumulative, code.support, keys)
