"""The instance lower bound: its divergences against other ways to work them out."""

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from penalized_bandits import Bernoulli, Beta, Categorical, Gaussian, Instance
from penalized_bandits.theory import lower_bound
from penalized_bandits.theory.exploration import spread
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import proved_constant
from reference_kl import k_inf
from strategies import kl, least_on_unit


def one(means: list[float], fairness: list[float], penalties: list[float], law: object) -> float:
    return float(lower_bound.lower_constant(instance_of(means, fairness, penalties, law)))  # type: ignore[arg-type]


def test_by_hand() -> None:
    # Delta - A = 0.3 and 0.2; the best arm and the arm with Delta < A add nothing.
    found = one([0.9, 0.4, 0.2, 0.8], [0.1] * 4, [0.2, 0.2, 0.5, 0.2], Gaussian(0.5))
    assert found == pytest.approx(2 * 0.5**2 * (1 / 0.3 + 1 / 0.2))
    # Without a fraction the classical constant 2 sigma^2 / Delta, whatever A is.
    assert one([0.9, 0.4], [0.1, 0.0], [0.7, 0.7], Gaussian(1.0)) == pytest.approx(2 / 0.5)
    # No arm to leave below its level.
    assert one([0.9, 0.4], [0.1, 0.1], [0.5, 0.5], Bernoulli()) == 0
    assert one([0.5, 0.5], [0.0, 0.0], [0.0, 0.0], Gaussian(1.0)) == 0
    # An arm whose rewards are all 0 is known after a pull.
    assert one([0.9, 0.0], [0.1, 0.1], [0.1, 0.1], Beta()) == 0


def test_no_arm_is_asked_for_more_than_its_level() -> None:
    means, rates = np.array([[0.9, 0.4, 0.2]]), np.full((1, 3), 0.2)
    law, fairness = Gaussian(0.5), np.array([0.1, 0.1, 0.0])
    # Of arms 2 and 3: Delta - A' = 0.3 and, without a fraction, 0.7.
    pulls = 2 * 0.5**2 / np.array([0.3, 0.7]) ** 2
    for horizon in (10, 10_000):
        level = np.array([0.1, 1.0]) * horizon
        asked = np.minimum(pulls * np.log(horizon), level)
        found = lower_bound.lower_bound(instance_of(means, fairness, rates, law), horizon)
        assert found[0] == pytest.approx(float(asked @ [0.3, 0.7]))
    constant = lower_bound.lower_constant(instance_of(means, fairness, rates, law))
    assert found[0] == pytest.approx(constant[0] * np.log(10_000))


def test_the_optimal_policies_attain_it() -> None:
    parameters = [0.9, 0.4, 0.2], 0.1, 0.2
    known = {"kl_hard_threshold": Bernoulli(), "hard_threshold_sigma": Gaussian(0.3)}
    for policy, law in known.items():
        bandit = instance_of(*parameters, law)
        least = lower_bound.lower_constant(bandit)
        assert proved_constant(policy, bandit) == pytest.approx(float(least))
        ours = proved_constant("hard_threshold_ucb", bandit)
        assert ours is not None
        assert ours > 4 * least
    assert proved_constant("kl_hard_threshold", instance_of(*parameters, Gaussian(0.3))) is None
    # The published radius covers noise up to 1.
    for policy in ("hard_threshold_ucb", "frank_wolfe_ucb"):
        assert proved_constant(policy, instance_of(*parameters, Gaussian(1.0))) is not None
        assert proved_constant(policy, instance_of(*parameters, Gaussian(1.01))) is None


def test_beta() -> None:
    mean, target = 0.3, 0.5
    p: Any = stats.beta(mean, 1 - mean)
    q: Any = stats.beta(target, 1 - target)
    # Substituting x = sin^2 takes the poles at 0 and 1 away.

    def density(u: float) -> float:
        x = np.sin(u) ** 2
        return p.pdf(x) * (p.logpdf(x) - q.logpdf(x)) * np.sin(2 * u)

    value, error = integrate.quad(density, 0, np.pi / 2, limit=400)
    found = lower_bound.divergences(Beta(), np.array([mean]), np.array([target]))
    assert found[0] == pytest.approx(value, abs=max(10 * error, 1e-6))


@pytest.mark.parametrize("seed", range(4))
def test_categorical(seed: int) -> None:
    rng = np.random.default_rng(seed)
    support, law = np.arange(21) / 20, np.zeros(21)
    law[::5] = rng.dirichlet(np.ones(5))
    mean = float(law @ support)
    target = mean + rng.uniform(0.05, 0.9) * (0.95 - mean)
    found = lower_bound.least_divergence(support[::5], law[::5], target)
    assert found == pytest.approx(k_inf(law, target), rel=1e-9)
    assert lower_bound.least_divergence(support, law, mean - 0.01) == 0
    assert lower_bound.least_divergence(support, law, 1.0) == np.inf


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


def test_divergence_rises_faster_than_that_of_two_values() -> None:
    """(K3): K - kl is nondecreasing above the mean, so K >= kl, on 300 random laws."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = rng.random(int(rng.integers(1, 6)))
        chances = rng.dirichlet(np.full(values.size, 0.7))
        mean = float(values @ chances)
        targets = mean + (1 - mean) * np.array([0.1, 0.3, 0.6, 0.9])
        beyond = [least_on_unit(values, chances, x) - kl(np.array(mean), x) for x in targets]
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
    assert lower_bound.lower_constant(bandit) == pytest.approx(2.030, rel=3e-4)
    full = Instance(fairness=0.2, penalties=0.1, rewards=law)
    assert proved_constant("kl_hard_threshold", full) is None


def test_off_the_twentieths_a_law_is_spread() -> None:
    """Its mean stays, and its divergence is between that of Bernoulli rewards and its own."""
    law = Categorical([0.33, 0.905, 0.98], [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])
    wide = spread(law)
    assert wide.means == pytest.approx(law.means)
    for k, target in ((0, 0.95), (1, 0.7)):
        own = least_on_unit(law.support, law.probabilities[k], target)
        seen = lower_bound.least_divergence(wide.support, wide.probabilities[k], target)
        lowest = float(lower_bound.divergences(Bernoulli(), law.means[k], np.array(target)))
        assert lowest < seen < own
