"""Steps of Theorem 2′ by enumeration: the least divergence of samples of laws on [0, 1]."""

from itertools import product
from math import lgamma

import numpy as np
import pytest

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.lower_bound import least_divergence

LAWS = [
    ([0.0, 0.5, 1.0], [0.3, 0.4, 0.3]),
    ([0.0, 0.2, 0.9], [0.5, 0.2, 0.3]),
    ([0.4, 0.5], [0.5, 0.5]),
]
"""Values and chances; the first has an atom at 1, the last none at 0."""


def least(values: FloatArray, chances: FloatArray, mean: float) -> float:
    """Return K(nu, x) among all laws on [0, 1], which may put mass on 1."""
    return least_divergence(np.append(values, 1.0), np.append(chances, 0.0), mean)


def samples(chances: list[float], size: int) -> tuple[FloatArray, FloatArray]:
    """Return all laws that samples may show, (M, L), and their chances (M,)."""
    n_values = len(chances)
    counts = np.array([c for c in product(range(size + 1), repeat=n_values) if sum(c) == size])
    logs = lgamma(size + 1) - np.vectorize(lgamma)(counts + 1.0).sum(axis=1)
    return counts / size, np.exp(logs + (counts * np.log(chances)).sum(axis=1))


@pytest.mark.parametrize(("values", "chances"), LAWS)
@pytest.mark.parametrize("size", [1, 2, 5, 12, 25])
def test_the_mean_of_the_exponential_is_at_most_s_and_1(
    values: list[float], chances: list[float], size: int
) -> None:
    """Lemma 1, case (E), by enumeration: E exp(s K(nu_s, mu)) <= s + 1."""
    support, mean = np.array(values), float(np.dot(values, chances))
    seen, weights = samples(chances, size)
    found = [np.exp(size * least(support, law, mean)) for law in seen]
    assert weights.sum() == pytest.approx(1, rel=1e-9)
    assert 1 <= np.dot(weights, found) <= size + 1


@pytest.mark.parametrize(("values", "chances"), LAWS)
@pytest.mark.parametrize("share", [0.05, 0.2])
def test_divergences_of_samples_are_near_that_of_the_law(
    values: list[float], chances: list[float], share: float
) -> None:
    """Lemma 4, case (E): both tails exactly, 20 rewards."""
    size, support, mean = 20, np.array(values), float(np.dot(values, chances))
    target = mean + 0.6 * (1 - mean)
    kappa = least(support, np.array(chances), target)
    near = share * kappa
    parts = np.ceil(2 * target / (near * (1 - target)))
    span = np.log(parts / (1 - target))
    seen, weights = samples(chances, size)
    found = np.array([least(support, law, target) for law in seen])
    bound = np.exp(-size * near**2 / (2 * span**2))
    assert weights[found <= kappa - near].sum() <= bound
    assert weights[np.abs(found - kappa) >= near].sum() <= parts * bound
