"""The oracle frontier: the most reward that any allocation has at a given unfairness.

With every arm at its fairness level and the rest of the pulls on the best arm, the
reward is T mu* - sum_k tau_k T Delta_k.  Each pull that arm k gives up for the best arm
gains Delta_k and costs one unit of unfairness, up to tau_k T of them: the best use of u
units of unfairness gives up arms with the largest gaps first (a fractional knapsack).
"""

from dataclasses import dataclass

import numpy as np

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray


@dataclass(frozen=True, eq=False)
class Frontier:
    """A concave, piecewise linear frontier through its corners."""

    unfairness: FloatArray
    """Total unfairness at the corners, pulls, increasing from 0."""
    reward: FloatArray
    """Most total expected reward at the corners."""

    def reward_at(self, unfairness: float | FloatArray) -> FloatArray:
        """Most reward at an unfairness; constant beyond the last corner.

        Raises BanditError for a negative unfairness, which no allocation has, and for NaN.
        """
        if not np.min(unfairness) >= 0:
            raise BanditError(f"unfairness is {np.min(unfairness):g}: it must be >= 0")
        return np.asarray(np.interp(unfairness, self.unfairness, self.reward))


def oracle_frontier(means: FloatArray, fairness: FloatArray, horizon: int) -> Frontier:
    """Frontier of mean reward against mean unfairness over T rounds.

    Where it begins, at no unfairness, it is the optimum of eq. (2), with the shares at T.

    - ``means``: shape (K,), or (R, K) where the means differ by replicate.  The frontier is then
      that of averages over replicates: an oracle may be unfair where it pays most, which is more
      than the average of the replicates' own frontiers, and it is what bounds a policy's average.
    - ``fairness``: fractions tau, shape (K,).
    - ``horizon``: rounds T.
    """
    rows = np.atleast_2d(means)
    gap = gaps(rows)
    levels = np.broadcast_to(fairness * horizon, gap.shape)
    fair = horizon * rows.max(axis=1) - (levels * gap).sum(axis=1)
    order = np.argsort(-gap, axis=None, kind="stable")
    given_up = np.cumsum(levels.ravel()[order]) / len(rows)
    gained = np.cumsum((levels * gap).ravel()[order]) / len(rows)
    return Frontier(
        np.concatenate([[0.0], given_up]), fair.mean() + np.concatenate([[0.0], gained])
    )
