"""Rounds of the hard threshold, one by one: steps of the proofs of Theorems 4.2 and 4.3.

This simulation has random numbers of its own: each replicate draws one uniform number a round,
whatever arm is pulled.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import BoolArray, FloatArray, IntArray
from penalized_bandits.engine.disk import kept

SEED = 20250402
HORIZON, REPLICATES = 10_000, 100
"""Of the steps of the proofs."""


class ProofSteps(NamedTuple):
    """Counts of rounds, by replicate, that the proofs of Theorems 4.2 and 4.3 bound."""

    applicable: IntArray
    """Rounds to which Observations 3 and 4 apply, shape (2, R)."""
    violated: IntArray
    """Those of them in which they are wrong, shape (2, R)."""
    waits: IntArray
    """Rounds in which an arm is below its level and not pulled, while all arms with more
    mu + A are at theirs, shape (R, K): eq. (28) bounds their mean."""
    deficits: FloatArray
    """Largest (tau_k n - N_k(n))_+ over the rounds, shape (R, K)."""
    pulls: FloatArray
    """N_k(T), shape (R, K)."""


def proof_steps(bandit: Instance, horizon: int, replicates: int) -> ProofSteps:
    """Return the quantities of the proofs, from R replicates of T rounds with Bernoulli rewards.

    The same arguments give the same rounds.  Both observations are those of C42; c_a is the least
    margin A - Delta of optimal and critical arms.
    """
    margin, shape = bandit.margins, (replicates, bandit.n_arms)
    least = margin[margin >= 0].min()
    explored = 8 * np.log(horizon) / least**2 if least > 0 else np.inf
    applicable, violated = np.zeros((2, 2, replicates), dtype=np.int64)
    waits, (deficits, pulls) = np.zeros(shape, dtype=np.int64), np.zeros((2, *shape))
    order = np.argsort(-(bandit.means + bandit.penalties), kind="stable")
    given = bandit.means, bandit.fairness, bandit.penalties, margin >= 0, order, explored
    generator, play = np.random.default_rng(SEED), _compiled()
    for row in range(replicates):
        results = applicable[:, row], violated[:, row], waits[row], deficits[row], pulls[row]
        play(*given, generator.random(horizon), *results)
    return ProofSteps(applicable, violated, waits, deficits, pulls)


@cache
def _compiled() -> Callable[..., None]:
    given, row = types.Array(types.float64, 1, "C", readonly=True), types.float64[::1]
    counts, waits = types.int64[:], types.int64[::1]
    inputs = given, given, given, types.boolean[::1], waits, types.float64, row
    return kept(_play, types.void(*inputs, counts, counts, waits, row, row))


def _play(
    means: FloatArray,
    fairness: FloatArray,
    penalties: FloatArray,
    served: BoolArray,
    order: IntArray,
    explored: float,
    draws: FloatArray,
    applicable: IntArray,
    violated: IntArray,
    waited: IntArray,
    deficits: FloatArray,
    pulls: FloatArray,
) -> None:
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
                applicable[0] += 1
                violated[0] += not waits
            if waiting > 0 and many_others > 0:
                applicable[1] += 1
                violated[1] += pulls[chosen] > explored and not served[chosen]
        for k in order:
            if pulls[k] < fairness[k] * n:
                waited[k] += k != chosen
                break
        sums[chosen] += draws[n - 1] < means[chosen]
        pulls[chosen] += 1
        for k in range(arms):
            deficits[k] = max(deficits[k], fairness[k] * n - pulls[k])
