"""Theory of single claims: assumptions of proofs, arms that sleep, worst cases on two arms."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.paper.lower_bounds import (
    assumption_4_6,
    assumption_4_7,
    least_regret,
)
from penalized_replication.claims.paper.worst_case import commit_regret, least_worst_regret
from strategies import TEN


@pytest.mark.parametrize(("times", "holds"), [(0.99, False), (1.01, True)])
def test_assumptions_4_6_and_4_7_by_hand(times: float, holds: bool) -> None:
    # log T = 10.  Three arms with tau T/2 >= 80/0.64; the first has no condition.
    tau = times * 2 * 80 / 0.64 / TEN
    bandit = instance_of([0.9, 0, 0, 0], [0.0, tau, 1.1 * tau, 1.1 * tau], 0.1)
    assert assumption_4_6(bandit, TEN) == holds
    # Two critical arms with Delta = 0.2, one other with Delta - A = 0.5: tau T <= 250 of the
    # critical ones.
    mu, rates = [0.8, 0.6, 0.6, 0.2], [0.5, 0.5, 0.5, 0.1]
    tau = 250 / times / TEN
    assert assumption_4_7(instance_of(mu, [0.1, 0.01, tau, 0.1], rates), TEN) == holds
    # T/2 > 2 * 80/Delta^2 + 80/0.25.
    gap = math.sqrt(160 * times / (TEN / 2 - 320))
    bandit = instance_of([0.8, 0.8 - gap, 0.8 - gap, 0.2], 1e-4, rates)
    assert assumption_4_7(bandit, TEN) == holds


def highest(risk: Callable[[float], float]) -> float:
    one = optimize.fminbound(lambda p: -risk(float(p)), 0.01, 0.99)
    return risk(float(np.asarray(one)))


def with_one_look(gap: float, prior: float) -> float:
    """Pull arm 2 for half the time, or never, then the arm that is likelier to be the best."""

    def lost(x: float) -> float:
        one, two = (stats.norm.pdf(x, mean, math.sqrt(0.5)) for mean in (0.0, gap))
        return float(min((1 - prior) * one, prior * two))

    wrong = integrate.quad(lost, -12, 12, limit=400)[0]
    return min(prior * gap, (1 - prior) * gap / 2 + wrong * gap / 2)


def test_two_decisions_against_a_quadrature() -> None:
    gap = 0.7
    # The sum of arm 2 over half of all rounds is normal with mean 2 gap/2 or 0, variance 1/2.
    wanted = highest(lambda p: with_one_look(gap, p))
    assert least_regret(gap, 0.0, decisions=2) == pytest.approx(wanted, rel=2e-3)


def test_a_hundred_decisions_are_enough() -> None:
    assert least_regret(0.7, 0.0) == pytest.approx(least_regret(0.7, 0.0, 1000), rel=5e-3)


T = 2000


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
