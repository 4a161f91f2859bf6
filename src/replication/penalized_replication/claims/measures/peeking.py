"""Sums of Bernoulli rewards at looks, and the intervals that missed on the way.

An arm's n-th reward is the same whenever it is pulled: pulls determine the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

import numpy as np
from numba import types
from scipy.special import betaln, stdtr, stdtrit

from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.engine.disk import kept
from penalized_bandits.engine.streams import WEYL, Stream, mix, unit
from penalized_replication.claims.base import Evidence, grouped
from penalized_replication.storage.replicates import Outcome

ALPHA = 0.05
LEAST = 10
"""Rewards from which on a usual interval or test is looked at."""


@dataclass(frozen=True, eq=False)
class Paths:
    """A policy on a bandit, as a user of intervals sees it at C looks."""

    last: Outcome
    """At the last look."""
    means: FloatArray
    """Shape (K,)."""
    pulls: IntArray
    """N, shape (R, C, K)."""
    sums: IntArray
    """S, the rewards' sum, shape (R, C, K)."""
    missed: BoolArray
    """Whether a usual interval, one of 1 - alpha/K, and a beta mixture's missed at some time."""


def half_width(n: FloatArray | IntArray, s: FloatArray | IntArray, alpha: float) -> FloatArray:
    """Return half the t-interval of 0-1 rewards; infinite below ``LEAST``."""
    m, more = s / np.maximum(n, 1), np.maximum(n - 1.0, 1.0)
    half = stdtrit(more, 1 - alpha / 2) * np.sqrt(np.maximum(m * (1 - m), 0.0) / more)
    return np.where(n >= LEAST, half, np.inf)


def covers_usual(n: IntArray, s: IntArray, mean: float | FloatArray, alpha: float) -> BoolArray:
    """Whether the t-interval of n 0-1 rewards with sum s covers a mean."""
    return np.asarray(np.abs(s / np.maximum(n, 1) - mean) <= half_width(n, s, alpha))


def covers_ours(n: IntArray, s: IntArray, mean: float | FloatArray, alpha: float) -> BoolArray:
    """Whether `statistics.anytime.beta_interval` does, by its definition."""
    log_wealth = betaln(s + 1.0, n - s + 1.0) - s * np.log(mean) - (n - s) * np.log(1 - mean)
    return np.asarray(log_wealth < -np.log(alpha))


@cache
def _covering(mean: float, horizon: int, arms: int) -> IntArray:
    """Return the least and the largest sums at which each interval covers, shape (3, 2, T + 1)."""
    n, limits = np.arange(horizon + 1), np.empty((3, 2, horizon + 1), np.int64)
    kinds = (covers_usual, ALPHA), (covers_usual, ALPHA / arms), (covers_ours, ALPHA / arms)
    for ends, (covers, alpha) in zip(limits, kinds, strict=True):
        for end, outside in zip(ends, (np.full_like(n, -1), n + 1), strict=True):
            end[:] = np.rint(n * mean)
            while (np.abs(end - outside) > 1).any():
                middle = (end + outside) // 2
                within = covers(n, middle, mean, alpha)
                end[:], outside = np.where(within, middle, end), np.where(within, outside, middle)
    return limits


def _follow(
    keys: IntArray, mean: float, pulls: IntArray, limits: IntArray, sums: IntArray, missed: IntArray
) -> None:
    for r in range(keys.size):
        total, look = 0, 0
        for n in range(pulls[r, -1] + 1):
            if n > 0:
                total += unit(mix(keys[r] + np.uint64(n) * WEYL)) < mean
            for i in range(3):
                missed[r, i] |= total < limits[i, 0, n] or total > limits[i, 1, n]
            while look < pulls.shape[1] and pulls[r, look] == n:
                sums[r, look] = total
                look += 1


@cache
def _compiled() -> Callable[..., None]:
    counts, table = types.Array(types.int64, 2, "C"), types.Array(types.int64, 3, "C")
    keys = types.uint64[::1]
    return kept(_follow, types.void(keys, types.float64, counts, table, counts, counts))


def paths_of(outcomes: Sequence[Outcome], experiment: str, seed: int) -> Paths:
    """Return the paths of a run from its outcomes, a look each."""
    last = outcomes[-1]
    pulls = np.stack([one.pulls for one in outcomes], axis=1).astype(np.int64)
    replicates, looks, arms = pulls.shape
    keys = Stream(seed, (experiment, last.case)).arm_keys(0, replicates, arms)
    sums = np.zeros((arms, replicates, looks), np.int64)
    missed = np.zeros((replicates, 3), np.int64)
    for k, mean in enumerate(last.means[0].tolist()):
        seen, limits = np.ascontiguousarray(pulls[:, :, k]), _covering(mean, last.horizon, arms)
        _compiled()(np.ascontiguousarray(keys[k]), mean, seen, limits, sums[k], missed)
    return Paths(last, last.means[0], pulls, np.moveaxis(sums, 0, 2), missed.astype(bool))


@lru_cache(maxsize=2)  # for several claims
def every_path(evidence: Evidence, experiment: str) -> list[Paths]:
    """Return the paths of each policy on each bandit of an experiment."""
    runs = grouped(evidence.outcomes(experiment), lambda one: (one.case, one.policy))
    return [paths_of(run, experiment, evidence.seed(experiment)) for run in runs.values()]


def first_significant(paths: Paths) -> tuple[IntArray, IntArray, IntArray]:
    """Return the runs in which Welch's p is below 5 % at some look, the first one, and its pair."""
    n, s = paths.pulls, paths.sums
    m, size = s / np.maximum(n, 1), np.maximum(n - 1.0, 1.0)
    squares = m * (1 - m) / size
    pairs = np.array([*combinations(range(n.shape[2]), 2)])
    (m1, m2), (v1, v2), (f1, f2), (n1, n2) = (
        (x[..., pairs[:, 0]], x[..., pairs[:, 1]]) for x in (m, squares, size, n)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        t, freedom = (m1 - m2) / np.sqrt(v1 + v2), (v1 + v2) ** 2 / (v1**2 / f1 + v2**2 / f2)
        p = 2 * stdtr(freedom, -np.abs(t))
    found = (p < ALPHA) & (np.minimum(n1, n2) >= LEAST)
    runs = np.flatnonzero(found.any(axis=(1, 2)))
    look, pair = np.divmod(found[runs].reshape(runs.size, -1).argmax(axis=1), len(pairs))
    return runs, look, pairs[pair]
