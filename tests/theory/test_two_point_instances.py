"""Worst cases on two arms: the least regret, and that of explore-then-commit."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from penalized_replication.theory.explore_then_commit import commit_regret, least_worst_regret
from penalized_replication.theory.two_point_instances import least_regret

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
