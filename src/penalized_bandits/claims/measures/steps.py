"""Rounds of the hard-threshold rule, one by one: what steps of the proofs say of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit

from penalized_bandits.bandit.regret import gaps
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray

SEED = 20250402


@dataclass(frozen=True, eq=False)
class Steps:
    """What the proofs of Theorems 4.2 and 4.3 speak of."""

    spoken_3: IntArray
    """Rounds of which Observation 3 speaks, shape (R,); those in which it is wrong, and so on."""
    wrong_3: IntArray
    spoken_4: IntArray
    wrong_4: IntArray
    waits: IntArray
    """Rounds in which an arm is below its level and not pulled, while all arms with more
    mu + A are at theirs, shape (R, K): eq. (28) bounds their mean."""
    deficits: FloatArray
    """Largest (tau_k n - N_k(n))_+ over the rounds, shape (R, K)."""
    pulls: FloatArray
    """N_k(T), shape (R, K)."""


def watch(
    means: FloatArray, fairness: FloatArray, penalties: FloatArray, horizon: int, replicates: int
) -> Steps:
    """Play the rule with Bernoulli rewards, and watch what the proofs speak of in each round.

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
    The same arguments give the same rounds, and are played once.  Rewards are drawn round by
    round.  Both observations are of arms with more than
    E = 8 log T/c_a^2 pulls, c_a being the least margin A - Delta of optimal and critical arms.
    3: if one critical arm is below its level, and all other arms are at theirs and have more than
    E pulls, it is pulled.  4: a non-critical arm with more than E pulls is pulled only if all
    critical arms are at their level.
    """
    bandit = (tuple(values.tolist()) for values in (means, fairness, penalties))
    return _watched(*bandit, horizon, replicates)


@cache
def _watched(
    mu: tuple[float, ...],
    tau: tuple[float, ...],
    rates: tuple[float, ...],
    horizon: int,
    replicates: int,
) -> Steps:
    means, fairness, penalties = np.array(mu), np.array(tau), np.array(rates)
    margin = penalties - gaps(means)
    least = margin[margin >= 0].min()
    explored = 8 * np.log(horizon) / least**2 if least > 0 else np.inf
    counts = np.zeros((4, replicates), dtype=np.int64)
    waits = np.zeros((replicates, means.size), dtype=np.int64)
    deficits, pulls = np.zeros((2, replicates, means.size))
    order = np.argsort(-(means + penalties), kind="stable")
    generator = np.random.default_rng(SEED)
    play = _compiled()
    for row in range(replicates):
        draws = generator.random(horizon)
        seen = counts[:, row], waits[row], deficits[row], pulls[row]
        play(means, fairness, penalties, margin >= 0, order, explored, draws, *seen)
    spoken_3, wrong_3, spoken_4, wrong_4 = counts
    return Steps(spoken_3, wrong_3, spoken_4, wrong_4, waits, deficits, pulls)


@cache
def _compiled() -> Callable[..., None]:
    try:
        return njit(_play, cache=True)
    except RuntimeError:  # no folder to keep it in
        return njit(_play)


def _play(
    means: FloatArray,
    fairness: FloatArray,
    penalties: FloatArray,
    served: BoolArray,
    order: IntArray,
    explored: float,
    draws: FloatArray,
    counts: IntArray,
    waited: IntArray,
    deficits: FloatArray,
    pulls: FloatArray,
) -> None:
    """Play one replicate, and add to what is seen of it."""
    arms = means.size
    sums = np.zeros(arms)
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
        for k in order:
            if pulls[k] < fairness[k] * n:
                waited[k] += k != chosen
                break
        sums[chosen] += draws[n - 1] < means[chosen]
        pulls[chosen] += 1
        for k in range(arms):
            deficits[k] = max(deficits[k], fairness[k] * n - pulls[k])
