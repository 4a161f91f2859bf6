"""Half-lives of rewards, for policies that forget."""

import math

from penalized_bandits.common.errors import LARGEST, BanditError, whole, within


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
    ranges = {
        "least_share": (least_share, 1.0),
        "smallest_difference": (smallest_difference, LARGEST),
        "rounds_between_changes": (rounds_between_changes, math.inf),
    }
    for name, (value, most) in ranges.items():
        if not within(value, 0.0, most) or value == 0:
            raise BanditError(f"{name} is {value!r:.80}: it must be above 0 and at most {most:g}")
    tau, eps = float(least_share), float(smallest_difference)
    rewards = math.log(whole("horizon", horizon, 2)) / 2.0 / eps / eps
    return min(rewards, (tau * float(rounds_between_changes)) ** (2 / 3)) / (2.0 * tau)
