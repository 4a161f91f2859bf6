"""Bandits for the tests of the theory."""

import math

import numpy as np
from scipy.special import rel_entr

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from strategies import fairness_fractions, random_means, random_penalties

# One optimal, one critical, one non-critical arm; log T = 10.
MU, TAU, RATES = np.array([0.9, 0.7, 0.3]), np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.3, 0.2])
BANDIT = instance_of(MU, TAU, RATES)
TEN = math.exp(10)


def random_problem(seed: int, most_arms: int = 12) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw means, fairness fractions and penalty rates, with ties and zeros among them."""
    rng = np.random.default_rng(seed)
    n_arms = int(rng.integers(1, most_arms + 1))
    return (
        random_means(rng, (n_arms,)),
        fairness_fractions(rng, n_arms),
        random_penalties(rng, (n_arms,)),
    )


def kl(p: FloatArray, q: FloatArray | float) -> FloatArray:
    """Return the divergence of Bernoulli laws."""
    return rel_entr(p, q) + rel_entr(1 - p, 1 - q)
