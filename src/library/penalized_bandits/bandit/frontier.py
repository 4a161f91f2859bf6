"""The oracle frontier: the most reward that any allocation has at a given unfairness.

With every arm at its fairness level and the rest of the pulls on the best arm, the
reward is T mu* - sum_k tau_k T Delta_k.  Each pull that arm k gives up for the best arm
gains Delta_k and costs one unit of unfairness, up to tau_k T of them: the best use of u
units of unfairness gives up arms with the largest gaps first (a fractional knapsack).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from penalized_bandits.bandit.checks import numbers
from penalized_bandits.bandit.instances import Instance, check_instance
from penalized_bandits.common.errors import whole
from penalized_bandits.common.typing import FloatArray


@dataclass(frozen=True, eq=False)
class Frontier:
    """A concave, piecewise linear frontier through its corners.

    >>> Frontier(np.array([0.0, 25.0]), np.array([80.0, 90.0])).reward_at([10.0, 99.0])
    array([84., 90.])
    """

    unfairness: FloatArray
    """Total unfairness at the corners, pulls, increasing from 0."""
    reward: FloatArray
    """Most total expected reward at the corners."""

    def reward_at(self, unfairness: ArrayLike) -> FloatArray:
        """Most reward at an unfairness, the shape of it; constant beyond the last corner.

        Raises BanditError for a negative unfairness, which no allocation has, and for NaN.
        """
        asked = numbers("unfairness", unfairness, least=0.0, most=np.inf)
        return np.asarray(np.interp(asked, self.unfairness, self.reward))


def oracle_frontier(instance: Instance, horizon: float) -> Frontier:
    """Frontier of mean reward against mean unfairness over T rounds.

    Where it begins, at no unfairness, it is the optimum of eq. (2), with the shares at T.

    Where the means differ by replicate, (R, K), the frontier is that of averages over replicates:
    an oracle may be unfair where it pays most, which is more than the average of the replicates'
    own frontiers, and it is what bounds a policy's average.  Penalty rates do not matter, and
    ceilings have no part in it.

    >>> from penalized_bandits import Bernoulli
    >>> oracle_frontier(Instance([0.9, 0.5], 0.25, 1.0, Bernoulli()), 100).reward.tolist()
    [80.0, 90.0, 90.0]
    """
    horizon = whole("horizon", horizon, 0)
    check_instance(instance)
    rows, gap = np.atleast_2d(instance.means), np.atleast_2d(instance.gaps_to_best)
    if (rows == rows[0]).all():
        rows, gap = rows[:1], gap[:1]
    levels = np.broadcast_to(instance.fairness * horizon, gap.shape)
    fair = horizon * rows.max(axis=1) - (levels * gap).sum(axis=1)
    order = np.argsort(-gap, axis=None, kind="stable")
    given_up = np.cumsum(levels.ravel()[order]) / len(rows)
    gained = np.cumsum((levels * gap).ravel()[order]) / len(rows)
    return Frontier(np.insert(given_up, 0, 0.0), fair.mean() + np.insert(gained, 0, 0.0))
