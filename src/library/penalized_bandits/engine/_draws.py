"""From random words to rewards: one at a time, or for all lanes at once."""

import numpy as np
from numba import njit

from penalized_bandits.bandit import rewards as laws
from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray, IntArray, UIntArray
from penalized_bandits.engine.streams import (
    WEYL,
    beta_first_try,
    beta_rejected,
    heavy_tailed,
    mix,
    normal_first_try,
    normal_rejected,
    tape_key,
    unit,
)


def own_code(code: RewardCode) -> RewardCode:
    """Return a law in arrays of its own: threads that share one wait for its reference count."""
    return code._replace(cumulative=code.cumulative.copy(), support=code.support.copy())


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

    To count references of arrays takes longer.  NotImplementedError for a family without a branch.
    """
    if family == laws.GAUSSIAN:
        z, again = normal_first_try(word)
        if again:
            z = normal_rejected(word)
        return mean + sd * z
    if family == laws.BERNOULLI:
        return 1.0 if unit(word) < mean else 0.0
    if family == laws.BETA:
        x, again = beta_first_try(word, mean)
        return beta_rejected(word, mean) if again else x
    if family == laws.HEAVY_TAILED:
        return mean + sd * heavy_tailed(word, tail)
    if family == laws.DETERMINISTIC:
        return mean
    raise NotImplementedError


@njit
def noise_number(key: np.uint64, arm: int, n: int, sd: float) -> float:
    """Draw a policy's N(0, sd^2) number of an arm in round ``n``, ``key`` that of the replicate."""
    word = mix(mix(tape_key(key, arm)) + np.uint64(n) * WEYL)
    return sd * draw_number(word, 0.0, laws.GAUSSIAN, 1.0, 0.0)


@njit
def uniform_number(key: np.uint64, arm: int, n: int, sd: float) -> float:  # noqa: ARG001
    """Draw a number from U[0, 1), for policies that take these in place of `noise_number`'s."""
    return unit(mix(mix(tape_key(key, arm)) + np.uint64(n) * WEYL))


@njit(forceinline=True, error_model="numpy")
def draw(word: np.uint64, arm: int, mean: float, code: RewardCode) -> float:
    """Turn one random word into one reward of an arm with the given mean."""
    family, sd, cumulative, support = code
    if family == laws.CATEGORICAL:
        return categorical(word, arm, cumulative, support)
    return draw_number(word, mean, family, sd, support[0])


@njit(forceinline=True, error_model="numpy")
def reward_of(key: np.uint64, arm: int, pull: float, mean: float, code: RewardCode) -> float:
    """Draw the reward of an arm's pull with that number in the replicate with that key."""
    word = mix(mix(tape_key(key, arm)) + np.uint64(np.int64(pull)) * WEYL)
    return draw(word, arm, mean, code)


@njit(forceinline=True)
def normals_of(
    words: UIntArray, means: FloatArray, sd: float, again: IntArray, rewards: FloatArray
) -> None:
    """Draw the Gaussian reward of each lane's chosen arm."""
    n_again = 0
    for w in range(len(words)):
        z, redo = normal_first_try(words[w])
        rewards[w] = means[w] + sd * z
        again[n_again] = w
        n_again += redo
    for i in range(n_again):
        w = int(again[i])
        rewards[w] = means[w] + sd * normal_rejected(words[w])


def rewards_of(
    words: UIntArray,
    choice: IntArray,
    means: FloatArray,
    code: RewardCode,
    again: IntArray,
    rewards: FloatArray,
) -> None:
    """Draw the reward of each lane's chosen arm: :func:`draw`, in vector code for some families."""
    n_lanes = len(words)
    if code.family == laws.CATEGORICAL:
        for w in range(n_lanes):
            rewards[w] = categorical(words[w], choice[w], code.cumulative, code.support)
    elif code.family == laws.DETERMINISTIC:
        for w in range(n_lanes):  # numba takes twice as long to compile a slice
            rewards[w] = means[w]
    elif code.family == laws.HEAVY_TAILED:
        for w in range(n_lanes):
            rewards[w] = means[w] + code.sd * heavy_tailed(words[w], code.support[0])
    elif code.family == laws.BETA:
        n_again = 0
        for w in range(n_lanes):
            rewards[w], again[w] = beta_first_try(words[w], means[w])
            n_again += again[w]
        if n_again > 0:
            for w in range(n_lanes):
                if again[w]:
                    rewards[w] = beta_rejected(words[w], means[w])
    else:
        for w in range(n_lanes):
            rewards[w] = draw(words[w], choice[w], means[w], code)


def noise_of(keys: UIntArray, n: int, sd: float, again: IntArray, noise: FloatArray) -> None:
    """Draw the policy's own N(0, sd^2) number of each arm and lane, (K, W), in round ``n``."""
    n_arms, n_lanes = noise.shape
    step = np.uint64(n) * WEYL
    for k in range(n_arms):
        n_again = 0
        for w in range(n_lanes):
            z, redo = normal_first_try(mix(keys[k, w] + step))
            noise[k, w] = sd * z
            again[n_again] = w
            n_again += redo
        for i in range(n_again):
            w = again[i]
            noise[k, w] = sd * normal_rejected(mix(keys[k, w] + step))


def uniforms_of(keys: UIntArray, n: int, sd: float, again: IntArray, noise: FloatArray) -> None:  # noqa: ARG001
    """Draw numbers from U[0, 1), for policies that take these in place of `noise_of`'s."""
    n_arms, n_lanes = noise.shape
    step = np.uint64(n) * WEYL
    for k in range(n_arms):
        for w in range(n_lanes):
            noise[k, w] = unit(mix(keys[k, w] + step))
