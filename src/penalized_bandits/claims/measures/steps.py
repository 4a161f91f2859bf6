"""Rounds of the hard-threshold rule, one by one: what steps of the proofs say of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.typing import BoolArray, FloatArray, IntArray

SEED = 20250402


@dataclass(frozen=True, eq=False)
class Steps:
    """How often Observations 3 and 4 spoke of a round, and were wrong, shape (R,) each."""

    spoken_3: IntArray
    wrong_3: IntArray
    spoken_4: IntArray
    wrong_4: IntArray


def watch(
    means: FloatArray, fairness: FloatArray, penalties: FloatArray, horizon: int, replicates: int
) -> Steps:
    """Play the rule with Bernoulli rewards, and watch Observations 3 and 4 in each round.

    Parameters
    ----------
    means, fairness, penalties
        mu, tau and A, shape (K,).
    horizon
        T.
    replicates
        R.

    Notes
    -----
    Rewards are drawn round by round.  Both observations are of arms with more than
    E = 8 log T/c_a^2 pulls, c_a being the least margin A - Delta of optimal and critical arms.
    3: if one critical arm is below its level, and all other arms are at theirs and have more than
    E pulls, it is pulled.  4: a non-critical arm with more than E pulls is pulled only if all
    critical arms are at their level.
    """
    margin = penalties - gaps(means)
    explored = 8 * np.log(horizon) / margin[margin >= 0].min() ** 2
    counts = np.zeros((4, replicates), dtype=np.int64)
    generator = np.random.default_rng(SEED)
    play = _compiled()
    for row in range(replicates):
        draws = generator.random(horizon)
        play(means, fairness, penalties, margin >= 0, explored, draws, counts[:, row])
    return Steps(*counts)


@cache
def _compiled() -> Callable[..., None]:
    return njit(_play)


def _play(
    means: FloatArray,
    fairness: FloatArray,
    penalties: FloatArray,
    served: BoolArray,
    explored: float,
    draws: FloatArray,
    counts: IntArray,
) -> None:
    """Play one replicate, and add to its four counts."""
    arms = means.size
    pulls, sums = np.zeros(arms), np.zeros(arms)
    for n in range(1, draws.size + 1):
        chosen = n - 1
        if n > arms:
            waiting, others, many_others, best = 0, 0, 0, -np.inf
            for k in range(arms):
                below, many = pulls[k] < fairness[k] * n, pulls[k] > explored
                index = sums[k] / pulls[k] + np.sqrt(2 * np.log(n) / pulls[k])
                if below:
                    index += penalties[k]
                if index > best:
                    best, chosen = index, k
                waiting += below and served[k]
                others += many and not below
                many_others += many and not served[k]
            waits = pulls[chosen] < fairness[chosen] * n and served[chosen]
            if waiting == 1 and others == arms - 1:
                counts[0] += 1
                counts[1] += not waits
            if waiting > 0 and many_others > 0:
                counts[2] += 1
                counts[3] += pulls[chosen] > explored and not served[chosen]
        sums[chosen] += draws[n - 1] < means[chosen]
        pulls[chosen] += 1
