"""Steps of Theorems 2′ and 3′: the least divergence of laws on [0, 1], exactly and on samples."""

from itertools import product
from math import lgamma

import numpy as np
import pytest

from penalized_bandits import Bernoulli, Categorical, Instance
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.exploration import spread
from penalized_bandits.theory.limits import proved_constant
from penalized_bandits.theory.lower_bound import divergences, least_divergence, lower_constant
from strategies import kl

FIVE = np.array(
    [
        [8, 25, 148, 589, 1457],
        [8, 22, 106, 228, 387],
        [11, 62, 262, 492, 206],
        [16, 54, 169, 180, 51],
        [29, 54, 128, 87, 25],
    ]
)
"""Ratings of 1 to 5 of the movies 318, 899, 11, 2311 and 1030 of MovieLens 1M."""
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


def test_divergence_rises_faster_than_that_of_two_values() -> None:
    """(K3): K - kl is nondecreasing above the mean, so K >= kl, on 300 random laws."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = rng.random(int(rng.integers(1, 6)))
        chances = rng.dirichlet(np.full(values.size, 0.7))
        mean = float(values @ chances)
        targets = mean + (1 - mean) * np.array([0.1, 0.3, 0.6, 0.9])
        beyond = [least(values, chances, x) - kl(np.array(mean), x) for x in targets]
        assert beyond[0] >= -1e-9
        assert (np.diff(beyond) >= -1e-9).all()


def test_limits_on_five_movies() -> None:
    """The least possible, KL's and the published policy's: the text has 2.030, 7.663, 40.45."""
    law = Categorical(np.arange(5) / 4, FIVE / FIVE.sum(axis=1, keepdims=True))
    bandit = Instance(fairness=0.1, penalties=0.1, rewards=law)
    expected = {"empirical_kl_hard_threshold_log": 2.030, "kl_hard_threshold": 7.663}
    expected |= {"empirical_kl_hard_threshold": 2.030, "hard_threshold_ucb": 40.45}
    for policy, limit in expected.items():
        assert proved_constant(policy, bandit) == pytest.approx(limit, rel=3e-4), policy
    assert lower_constant(bandit) == pytest.approx(2.030, rel=3e-4)
    full = Instance(fairness=0.2, penalties=0.1, rewards=law)
    assert proved_constant("kl_hard_threshold", full) is None


def test_off_the_twentieths_a_law_is_spread() -> None:
    """Its mean stays, and its divergence is between that of Bernoulli rewards and its own."""
    law = Categorical([0.33, 0.905, 0.98], [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])
    wide = spread(law)
    assert wide.means == pytest.approx(law.means)
    for k, target in ((0, 0.95), (1, 0.7)):
        full = np.append(law.support, 1.0)
        own = least_divergence(full, np.append(law.probabilities[k], 0.0), target)
        seen = least_divergence(wide.support, wide.probabilities[k], target)
        least = float(divergences(Bernoulli(), law.means[k], np.array(target)))
        assert least < seen < own
