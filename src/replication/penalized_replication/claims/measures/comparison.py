"""Reward at equal unfairness, along the trade-off curves of Figures 3 and 5."""

from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from penalized_bandits.bandit.regret import expected_reward, unfairness
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics import estimates
from penalized_replication.claims.base import Evidence


class Curve(NamedTuple):
    """One policy in one panel: J tunings, R replicates."""

    unfairness: FloatArray
    """Total unfairness in pulls, shape (R, J)."""
    reward: FloatArray
    """Total expected reward, shape (R, J)."""

    def at(self, levels: FloatArray) -> FloatArray:
        """Return the mean reward at levels of mean unfairness, shape (L,)."""
        x, y = (values.mean(axis=0)[None] for values in self)
        return interpolated(x, y, levels)[0]


def curve_of(evidence: Evidence, setting: str, case: str, policy: str) -> Curve:
    """Return the curve of a policy in a panel, of all its tunings."""
    runs = evidence.outcomes(setting, case=case, policy=policy)
    return Curve(
        np.stack([unfairness(run.pulls, run.bandits) for run in runs], axis=1),
        np.stack([expected_reward(run.pulls, run.bandits) for run in runs], axis=1),
    )


def interpolated(x: FloatArray, y: FloatArray, levels: FloatArray) -> FloatArray:
    """Return B curves through points (B, J), in order of x, at levels (L,) or (B, L): (B, L).

    As `numpy.interp` row by row: constant beyond the ends; of points with equal x the last
    stands for those to its right, the first for those to its left.
    """
    order = np.argsort(x, axis=1, kind="stable")
    x, y = np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1)
    last = x.shape[1] - 1
    right = (x[:, :, None] <= np.atleast_2d(levels)[:, None]).sum(axis=1)
    ends = [np.clip(right + step, 0, last) for step in (-1, 0)]
    x_left, x_right = (np.take_along_axis(x, end, axis=1) for end in ends)
    y_left, y_right = (np.take_along_axis(y, end, axis=1) for end in ends)
    width = x_right - x_left
    share = np.divide(levels - x_left, width, out=np.zeros_like(width), where=width > 0)
    return y_left + share * (y_right - y_left)


def common_levels(curves: list[Curve]) -> FloatArray | None:
    """Return nine levels of unfairness that all curves reach; None if there are none in common."""
    means = [curve.unfairness.mean(axis=0) for curve in curves]
    low, high = max(map(np.min, means)), min(map(np.max, means))
    # Less than a pull is no range: all tunings are fair, or all equally unfair.
    return low + np.arange(1, 10) / 10 * (high - low) if high - low >= 1 else None


def resampled_curves(ours: Curve, theirs: Curve) -> list[FloatArray]:
    """Return unfairness and reward of both, (1 + B, J) each: their means, and those resampled."""
    rows = np.hstack([*ours, *theirs])
    ends = np.cumsum([array.shape[1] for array in (*ours, *theirs)])[:-1]
    return np.split(np.vstack([rows.mean(axis=0), estimates.resampled_means(rows)]), ends, axis=1)


class CurveDifference(NamedTuple):
    """Reward of one curve less that of another at levels of unfairness, shape (L,) each."""

    levels: FloatArray
    interval: FloatArray
    """The difference and the ends of its interval, shape (3, L)."""
    p_greater: FloatArray
    p_less: FloatArray

    @property
    def worst(self) -> int:
        """Index of the level with the least difference."""
        return int(np.argmin(self.interval[0]))


def curve_difference(ours: Curve, theirs: Curve, levels: FloatArray) -> CurveDifference:
    """Compare curves at levels by a bootstrap of pairs of replicates; one decides nothing."""
    difference, n = ours.at(levels) - theirs.at(levels), len(ours.reward)
    if n == 1:
        ones = np.ones_like(difference)
        interval = np.stack([difference, -np.inf * ones, np.inf * ones])
        return CurveDifference(levels, interval, ones, ones)
    x, y, other_x, other_y = resampled_curves(ours, theirs)
    resampled = (interpolated(x, y, levels) - interpolated(other_x, other_y, levels))[1:]
    # The bootstrap's variance is that of n - 1 in the place of n.
    error = resampled.std(axis=0) * np.sqrt(n / (n - 1))
    rounding = estimates.ROUNDING * np.abs(ours.at(levels)).max()
    error = np.where(error > rounding, error, 0.0)
    certain = np.where(np.abs(difference) > rounding, np.copysign(np.inf, difference), 0.0)
    scaled = np.divide(difference, error, out=certain, where=error > 0)
    half = estimates.student(n) * error
    exact = (error == 0) & (scaled == 0)
    p_values = (np.where(exact, 1.0, stdtr(n - 1, score)) for score in (-scaled, scaled))
    interval = np.stack([difference, difference - half, difference + half])
    return CurveDifference(levels, interval, *p_values)
