"""Claims on intervals of users who look at any time, the usual ones and ours.

They look at sums of Bernoulli rewards.  An arm's n-th reward is the same whenever it is pulled:
pulls determine the rest.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numba import types
from scipy.special import betaln, stdtr, stdtrit, xlog1py, xlogy

from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.engine.disk import kept
from penalized_bandits.engine.streams import WEYL, Stream, mix, unit
from penalized_bandits.statistics import estimates
from penalized_bandits.statistics.anytime import beta_interval
from penalized_replication.claims.base import Evidence, Measured, claim, grouped
from penalized_replication.claims.parts import Fields, about, above, below, frequency, irrelevant
from penalized_replication.storage.replicates import Outcome

ALPHA = 0.05
LEAST = 10
"""Rewards from which on a usual interval or test is looked at."""
STUDY, LOOKS = "peeking", "peeking_looks"
THOMPSON = "thompson_floors"
MOST_RUNS, TWO_ARMS = 0.5, 1 - 2 * ALPHA
EXCESS, PRICE = 1.5, 2.1
NEAR, FAIR = 0.1, 0.3
"""The largest spread of means of a pair that is near; the least total of floors that is large."""
WIDTHS = 400
"""Replicates in which widths are measured."""
USUAL, OURS = "usual intervals", "beta mixture"

WHERE = "not in the paper; intervals that hold at every moment"


class Paths(NamedTuple):
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

    def about(self, quantity: str = "", **values: float) -> Fields:
        """Return the fields of a part about these; its bandit and floors for the figure."""
        known = {"bandit": self.last.info.group, "floors": self.last.info.total_fairness}
        return about(self.last) | {"values": known | values, "quantity": quantity}


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
    log_wealth = betaln(s + 1.0, n - s + 1.0) - xlogy(s, mean) - xlog1py(n - s, -mean)
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
    look, pair = np.divmod(found[runs].reshape(runs.size, found[0].size).argmax(axis=1), len(pairs))
    return runs, look, pairs[pair]


@claim(
    "S24",
    where=WHERE,
    statement="The usual 95 % t-intervals of three arms, looked at after each reward from the "
    f"{LEAST}th on, miss some mean at some time in most runs, whatever the policy and the floors.",
    rule="For each policy, bandit and total of floors: the share of runs in which the interval of "
    f"some arm misses its mean at some time holds if above {MOST_RUNS:g} with its 95 % interval, "
    "fails if below.",
    quantity="runs in which a usual 95 % interval misses a mean at some time",
    plain="Looking at ordinary 95 % intervals day after day, one sees at least one of them wrong "
    "in most experiments.",
)
def usual_misses(evidence: Evidence) -> Measured:
    every = every_path(evidence, STUDY)
    for paths in every:
        yield frequency(paths.missed[:, 0], least=MOST_RUNS, **paths.about())
    yield {"divided": [float(paths.missed[:, 1].mean()) for paths in every]}


@claim(
    "S25",
    where=WHERE,
    statement="The 95 % intervals of Robbins' beta mixture, looked at after each reward, miss "
    "some mean at some time in at most 5 % of runs, whatever the policy and the floors.",
    rule="For each policy, bandit and total of floors: the share of runs in which the interval of "
    f"some arm misses its mean at some time holds if below {ALPHA:g} with its 95 % interval, fails "
    "if above.",
    quantity="runs in which a beta mixture's 95 % interval misses a mean at some time",
    kind="theorem",
)
def ours_misses(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, STUDY):
        yield frequency(paths.missed[:, 2], most=ALPHA, **paths.about())


@claim(
    "S26",
    where=WHERE,
    statement="At the first look at which Welch's test of two arms has p < 0.05, the usual 95 % "
    f"intervals of both cover in less than {100 * TWO_ARMS:g} % of runs, the promise of two, if "
    f"means are within {NEAR:g} of each other; those of the beta mixture in more than 95 %.",
    rule="For each policy, bandit with such means and total of floors, of the runs with p < 0.05 "
    f"at some look, from {LEAST} rewards of both arms on: the share in which both intervals cover "
    f"at the first such look holds if below {TWO_ARMS:g} with its 95 % interval and fails if "
    f"above; for the beta mixture it holds if above {1 - ALPHA:g} and fails if below.",
    quantity="runs in which both intervals cover at the first significant look",
)
def at_first_significant(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, LOOKS):
        runs, look, pair = first_significant(paths)
        if np.ptp(paths.means) > NEAR + 1e-9 or not runs.size:
            continue
        n, s = (x[runs[:, None], look[:, None], pair] for x in (paths.pulls, paths.sums))
        usual = covers_usual(n, s, paths.means[pair], ALPHA)
        ours = covers_ours(n, s, paths.means[pair], ALPHA / paths.means.size)
        yield frequency(np.all(usual, axis=1), most=TWO_ARMS, **paths.about(quantity=USUAL))
        yield frequency(np.all(ours, axis=1), least=1 - ALPHA, **paths.about(quantity=OURS))


@claim(
    "S27",
    where=WHERE,
    statement="If means are equal, the usual 95 % interval at a fixed T misses more than "
    f"{EXCESS:g} times as often as promised under Thompson sampling without floors, and less often "
    f"than that with floors of {100 * FAIR:g} % of the rounds or more.",
    rule="For each bandit with equal means and each total of floors, under Thompson sampling: the "
    f"mean share of arms missed at T, over 5 %, holds without floors if above {EXCESS:g} with its "
    f"95 % interval and fails if below; with floors from {100 * FAIR:g} % on the other way round. "
    "Nothing is said of other policies, bandits and floors.",
    quantity="share of arms that a usual 95 % interval misses at T, over 5 %",
)
def at_fixed_time(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, STUDY):
        covered = covers_usual(paths.pulls[:, -1], paths.sums[:, -1], paths.means, ALPHA)
        missed = estimates.mean_estimate(1 - np.mean(covered, axis=1)) / ALPHA
        floors = paths.last.info.total_fairness
        decided = above if floors == 0 else below
        part = decided(missed.interval, EXCESS, **paths.about())
        said = paths.last.policy == THOMPSON and np.ptp(paths.means) == 0
        if not said or 0 < floors < FAIR:
            part = irrelevant(part, "nothing is said of it")
        yield part


@claim(
    "S28",
    where=WHERE,
    statement="The beta mixture's intervals, for all times and all of three arms, are at most "
    f"{PRICE:g} times as wide at T as the usual one, for one time and one arm.",
    rule="For each policy, bandit and total of floors, at T, among the first "
    f"{WIDTHS} runs in those with {LEAST} rewards or more of each arm: the ratio of mean widths, "
    f"arms together, holds if below {PRICE:g} with its 95 % interval, fails if above.",
    quantity="mean width of the beta mixture's intervals over that of the usual ones at T",
)
def price(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, STUDY):
        n, s = paths.pulls[:WIDTHS, -1], paths.sums[:WIDTHS, -1]
        seen = (n >= LEAST).all(axis=1)
        if seen.sum() > 1:
            usual = 2 * half_width(n[seen], s[seen], ALPHA)
            ours = np.ptp(beta_interval(n[seen], s[seen], ALPHA / paths.means.size), axis=-1)
            ratio = estimates.ratio_of_means(ours.mean(axis=1), usual.mean(axis=1))
            widest = float(ours.max(axis=1).mean())
            yield below(ratio.interval, PRICE, **paths.about(widest=widest))
