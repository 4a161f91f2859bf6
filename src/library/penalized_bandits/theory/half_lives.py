"""Half-lives of rewards, for policies that forget."""

import math

from penalized_bandits.common.errors import LARGEST, TINY, number_in, whole


def half_life(
    least_share: float,
    smallest_difference: float,
    horizon: float,
    rounds_between_changes: float = math.inf,
) -> float:
    """Return a half-life in rounds for ``forgetting_threshold``: a rule of thumb without proof.

    It is g/(2 tau) with g = min(log T/(2 eps^2), (tau L)^(2/3)) rewards of the arm of the least
    fraction tau > 0; eps is the least difference of means that matters, of rewards in [0, 1], T the
    horizon, and L the rounds between abrupt changes or a quarter of the cycle of a drift.  Measured
    (research/docs/drift.md): regret at most 1.45 times that of the best half-life in the eleven
    cases from which the 2 is, 0.96 to 1.68 times in four others.  BanditError if a parameter is
    out of range.

    >>> round(half_life(0.1, 0.1, horizon=10_000, rounds_between_changes=2_000), 1)
    171.0
    """
    above_0 = "above 0 and at most {:g}".format
    tau = number_in("least_share", least_share, TINY, 1, above_0(1))
    eps = number_in("smallest_difference", smallest_difference, TINY, LARGEST, above_0(LARGEST))
    apart = number_in("rounds_between_changes", rounds_between_changes, TINY, math.inf, "above 0")
    rewards = math.log(whole("horizon", horizon, 2)) / 2.0 / eps / eps
    return min(rewards, (tau * apart) ** (2 / 3)) / (2.0 * tau)
