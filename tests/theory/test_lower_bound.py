"""The instance lower bound: its divergences against other ways to work them out."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from penalized_bandits.bandit.rewards import Bernoulli, Beta, Categorical, Gaussian
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.limits import proved_constant
from penalized_bandits.theory.lower_bound import (
    divergences,
    least_divergence,
    lower_bound,
    lower_constant,
)
from penalized_replication.theory.explore_then_commit import commit_regret, least_worst_regret
from penalized_replication.theory.two_point_instances import least_regret
from reference_kl import k_inf


def one(means: list[float], fairness: list[float], penalties: list[float], law: object) -> float:
    return float(lower_constant(instance_of(means, fairness, penalties, law)))  # type: ignore[arg-type]


def test_by_hand() -> None:
    # Delta - A = 0.3 and 0.2; the best arm and the arm with Delta < A add nothing.
    found = one([0.9, 0.4, 0.2, 0.8], [0.1] * 4, [0.2, 0.2, 0.5, 0.2], Gaussian(0.5))
    assert found == pytest.approx(2 * 0.5**2 * (1 / 0.3 + 1 / 0.2))
    # Without a fraction the classical constant 2 sigma^2 / Delta, whatever A is.
    assert one([0.9, 0.4], [0.1, 0.0], [0.7, 0.7], Gaussian(1.0)) == pytest.approx(2 / 0.5)
    # No arm to leave below its level.
    assert one([0.9, 0.4], [0.1, 0.1], [0.5, 0.5], Bernoulli()) == 0
    assert one([0.5, 0.5], [0.0, 0.0], [0.0, 0.0], Gaussian(1.0)) == 0


def test_no_arm_is_asked_for_more_than_its_level() -> None:
    means, rates = np.array([[0.9, 0.4, 0.2]]), np.full((1, 3), 0.2)
    law, fairness = Gaussian(0.5), np.array([0.1, 0.1, 0.0])
    # Of arms 2 and 3: Delta - A' = 0.3 and, without a fraction, 0.7.
    pulls = 2 * 0.5**2 / np.array([0.3, 0.7]) ** 2
    for horizon in (10, 10_000):
        level = np.array([0.1, 1.0]) * horizon
        asked = np.minimum(pulls * np.log(horizon), level)
        found = lower_bound(instance_of(means, fairness, rates, law), horizon)
        assert found[0] == pytest.approx(float(asked @ [0.3, 0.7]))
    constant = lower_constant(instance_of(means, fairness, rates, law))
    assert found[0] == pytest.approx(constant[0] * np.log(10_000))


def test_the_optimal_policies_attain_it() -> None:
    parameters = [0.9, 0.4, 0.2], 0.1, 0.2
    known = {"kl_hard_threshold": Bernoulli(), "hard_threshold_sigma": Gaussian(0.3)}
    for policy, law in known.items():
        bandit = instance_of(*parameters, law)
        least = lower_constant(bandit)
        assert proved_constant(policy, bandit) == pytest.approx(float(least))
        ours = proved_constant("hard_threshold_ucb", bandit)
        assert ours is not None
        assert ours > 4 * least
    assert proved_constant("kl_hard_threshold", instance_of(*parameters, Gaussian(0.3))) is None


@pytest.mark.parametrize("policy", ["hard_threshold_ucb", "frank_wolfe_ucb"])
@pytest.mark.parametrize(("sd", "proved"), [(1.0, True), (1.01, False)])
def test_the_published_radius_covers_noise_up_to_1(policy: str, sd: float, proved: bool) -> None:
    constant = proved_constant(policy, instance_of([0.9, 0.4, 0.2], 0.1, 0.2, Gaussian(sd)))
    assert (constant is not None) == proved


def test_beta() -> None:
    mean, target = 0.3, 0.5
    p: Any = stats.beta(mean, 1 - mean)
    q: Any = stats.beta(target, 1 - target)
    # Substituting x = sin^2 takes the poles at 0 and 1 away.

    def density(u: float) -> float:
        x = np.sin(u) ** 2
        return p.pdf(x) * (p.logpdf(x) - q.logpdf(x)) * np.sin(2 * u)

    value, error = integrate.quad(density, 0, np.pi / 2, limit=400)
    found = divergences(Beta(), np.array([mean]), np.array([target]))
    assert found[0] == pytest.approx(value, abs=max(10 * error, 1e-6))


@pytest.mark.parametrize("seed", range(4))
def test_categorical(seed: int) -> None:
    rng = np.random.default_rng(seed)
    support, law = np.arange(21) / 20, np.zeros(21)
    law[::5] = rng.dirichlet(np.ones(5))
    mean = float(law @ support)
    target = mean + rng.uniform(0.05, 0.9) * (0.95 - mean)
    found = least_divergence(support[::5], law[::5], target)
    assert found == pytest.approx(k_inf(law, target), rel=1e-9)
    assert least_divergence(support, law, mean - 0.01) == 0
    assert least_divergence(support, law, 1.0) == np.inf


def test_two_values_are_bernoulli() -> None:
    law = Categorical(np.array([0.0, 1.0]), np.array([[0.7, 0.3], [0.2, 0.8]]))
    found = lower_constant(instance_of(law.means, 0.1, 0.2, law))
    expected = one([0.3, 0.8], [0.1, 0.1], [0.2, 0.2], Bernoulli())
    assert found == pytest.approx(expected, rel=1e-9)


# --- Worst cases on two arms -------------------------------------------------------

# --- The least worst-case regret on two instances: against a quadrature ------------


def test_one_decision_without_information_splits_the_rounds() -> None:
    assert least_regret(0.7, 0.0, decisions=1) == pytest.approx(0.35, rel=1e-3)


def highest(risk: Callable[[float], float]) -> float:
    """Return the largest risk over all priors."""
    one = optimize.fminbound(lambda p: -risk(float(p)), 0.01, 0.99)
    return risk(float(np.asarray(one)))


def with_one_look(gap: float, prior: float) -> float:
    """Pull arm 2 for half the time, or never, then the arm that is likelier to be the best."""

    def lost(x: float) -> float:
        one, two = (stats.norm.pdf(x, mean, math.sqrt(0.5)) for mean in (0.0, gap))
        return float(min((1 - prior) * one, prior * two))

    wrong = integrate.quad(lost, -12, 12, limit=400)[0]
    return min(prior * gap, (1 - prior) * gap / 2 + wrong * gap / 2)


@pytest.mark.parametrize(
    "gap", [0.7, *(pytest.param(g, marks=pytest.mark.slow) for g in (0.3, 1.0))]
)
def test_two_decisions_against_a_quadrature(gap: float) -> None:
    # The sum of arm 2 over half of all rounds is normal with mean 2 gap/2 or 0, variance 1/2.
    wanted = highest(lambda p: with_one_look(gap, p))
    assert least_regret(gap, 0.0, decisions=2) == pytest.approx(wanted, rel=2e-3)


def test_what_levels_ask_for_informs_and_costs_nothing() -> None:
    gap, fairness = 2.0, 0.2
    free = 1 - 2 * fairness
    # With one decision, after tau T pulls of arm 2, only the error of the test counts.
    wanted = gap * free * highest(lambda p: _error(2 * gap * math.sqrt(fairness), p))
    assert least_regret(gap, fairness, decisions=1) == pytest.approx(wanted, rel=2e-3)


def _error(distance: float, prior: float) -> float:
    """Bayes error of a test between two normal laws so many standard deviations apart."""
    cut = distance / 2 + math.log((1 - prior) / prior) / distance
    return float((1 - prior) * stats.norm.sf(cut) + prior * stats.norm.cdf(cut - distance))


def test_a_hundred_decisions_are_enough() -> None:
    assert least_regret(0.7, 0.0) == pytest.approx(least_regret(0.7, 0.0, 1000), rel=5e-3)


# --- Explore-then-commit, and its best lengths -------------------------------------

T = 2000


def test_limits() -> None:
    # No gap, no regret; with T/2 pulls of each arm nothing is left to commit.
    assert commit_regret(0.0, 10, T) == 0
    assert commit_regret(0.3, T / 2, T) == pytest.approx(0.3 * T / 2)
    # A gap that is seen at once costs the exploration.
    assert commit_regret(1.0, 100, T) == pytest.approx(100)


@pytest.mark.parametrize(("gap", "length"), [(0.05, 50), (0.1, 100), (0.3, 20)])
def test_regret_as_simulated(gap: float, length: int) -> None:
    runs = 4000
    generator = np.random.default_rng(3)
    drawn = generator.normal([0.5 + gap, 0.5], 0.5, (runs, length, 2)).mean(axis=1)
    wrong = drawn[:, 1] > drawn[:, 0]
    regret = gap * (length + wrong * (T - 2 * length))
    error = regret.std(ddof=1) / math.sqrt(runs)
    assert abs(regret.mean() - commit_regret(gap, length, T)) < 4 * error


@pytest.mark.parametrize("horizon", [1e4, 1e6])
def test_no_length_has_a_smaller_worst_regret(horizon: float) -> None:
    worst, length = least_worst_regret(horizon)
    gaps = np.linspace(0.001, 1, 3000)
    for other in (length / 1.3, length, length * 1.3):
        assert commit_regret(gaps, other, horizon).max() > 0.98 * worst
    # About 0.24 T^(2/3): m = 0.12 T/sqrt(m).
    assert worst == pytest.approx(0.24 * horizon ** (2 / 3), rel=0.1)
