"""Theorems P and Q and what their proofs stand on: exact fractions on paths, known values."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from penalized_bandits import BanditError, Bernoulli, Instance, penalized_regret, simulate
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.theory import floors
from penalized_bandits.theory.inputs import instance_of

F = Fraction
PROBLEMS = [
    ([F(1, 2), F(1, 3), F(0)], [F(1), F(3, 2), F(0)], [F(1), F(1, 2), F(0)]),
    ([F(1, 4), F(1, 4), F(1, 2)], [F(1), F(1), F(5)], [F(1, 2), F(1, 2), F(1, 3)]),
    ([F(0), F(7, 10), F(0)], [F(2), F(1), F(1)], [F(1), F(0), F(1)]),
    ([F(0), F(0), F(0)], [F(1), F(1), F(1)], [F(1), F(3, 4), F(0)]),
]
"""Fractions, hard rates and means of three arms: zeros, ties, sums of 1, 7/10 and 0."""


@pytest.mark.parametrize("problem", range(len(PROBLEMS)))
@pytest.mark.parametrize("horizon", [1, 4, 7])
def test_pulls_above_the_final_floor_are_few_on_every_path(problem: int, horizon: int) -> None:
    """Lemma X, and sum E = H + sum D, for all sequences of pulls."""
    tau, rates, means = PROBLEMS[problem]
    gaps = [max(means) - mean for mean in means]
    floor, free = [t * horizon for t in tau], (1 - sum(tau)) * horizon
    least = sum(min(g, a) * t for g, a, t in zip(gaps, rates, tau, strict=True)) * horizon
    most = max(a for a, t in zip(rates, tau, strict=True) if t) if any(tau) else F(0)
    for path in product(range(3), repeat=horizon):
        pulls, late, cost = [0, 0, 0], 0, F(0)
        for n, arm in enumerate(path, 1):
            if pulls[arm] >= floor[arm] + 1:
                cost += gaps[arm]
                late += all(pulls[k] >= tau[k] * n for k in range(3))
            pulls[arm] += 1
        short = [max(floor[k] - pulls[k], F(0)) for k in range(3)]
        beyond = [max(pulls[k] - floor[k], F(0)) for k in range(3)]
        lost = sum(g * n + a * d for g, n, a, d in zip(gaps, pulls, rates, short, strict=True))
        assert sum(beyond) == free + sum(short)
        assert late <= free
        assert lost - least <= most * sum(short) + cost + 4


def test_levels_solve_their_equations() -> None:
    """Eq. (11), and eq. (12) for both ends of w eps*^2, which are reached but for 20 %."""
    rng, ends = np.random.default_rng(0), [np.inf, 0.0]
    for _ in range(2_000):
        n_arms, spread = int(rng.integers(2, 30)), rng.choice([0.05, 0.3, 1, 10])
        tau = rng.dirichlet(np.full(n_arms, spread)) * rng.choice([0.1, 0.5, 0.9, 0.999])
        horizon = 10 ** rng.uniform(0.5, 6)
        free = (1 - tau.sum()) * horizon
        water, soft = floors.water_level(tau, horizon), floors.soft_level(tau, horizon)
        assert np.maximum(water - tau * horizon, 0).sum() == pytest.approx(free, rel=1e-9)
        left = np.exp(-tau * horizon * soft**2).sum()
        assert left == pytest.approx(max(0.5, free * soft**2), rel=1e-9)
        scale = water * soft**2
        most = max(2, np.log(min(4 * n_arms, n_arms * water / free)))
        ends = [min(ends[0], scale / np.log(2)), max(ends[1], scale / most)]
    assert 1 - 1e-9 <= ends[0] <= 1.15
    assert 0.8 <= ends[1] <= 1


def test_levels_where_nothing_is_free() -> None:
    assert floors.water_level([0.5, 0.25, 0.25], 100) == 25
    assert floors.soft_level([1.0, 0.0], 100) == np.inf
    assert floors.lower_bound_p([0.5, 0.5], 100) == 0


def test_one_arm_with_all_floors_has_the_bound_of_4_8() -> None:
    """The first half of Theorem P is then (1 - tau) T sqrt((K - 1)/((1 - tau) T))/45."""
    horizon, tau = 10_000, [0.8, 0, 0, 0, 0]
    expected = np.sqrt(0.2 * 4 * horizon) / 45
    assert floors.lower_bound_p(tau, horizon) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("tau", [[0.2] * 4, [0.7, 0.1, 0.05, 0.0], [0.0, 0.0, 0.9, 0.0]])
@pytest.mark.parametrize("ahead", [1.0, 2.0, 4.0])
def test_due_first_serves_all_floors_and_keeps_its_bound(tau: list[float], ahead: float) -> None:
    horizon, means = 5_000, np.full(4, 0.5)
    means[1] += ahead / np.sqrt(floors.water_level(tau, horizon))
    bandit = Instance(means, tau, 1.0, Bernoulli())
    run = simulate("moss_due_first", bandit, horizon, replicates=100, seed=1, tuning=horizon)
    short = np.maximum(bandit.fairness * horizon - run.pulls[:, -1], 0).sum(axis=1)
    assert short.max() <= 3
    regret = penalized_regret(run.pulls[:, -1], bandit)
    assert regret.max() <= floors.upper_bound_p(bandit, horizon)


def test_published_policy_with_rates_above_1_keeps_its_bound() -> None:
    bandit = Instance([0.6, 0.5, 0.5, 0.4], [0.7, 0.1, 0.05, 0.0], 2.0, Bernoulli())
    run = simulate("hard_threshold_ucb", bandit, 5_000, replicates=100, seed=1)
    assert run.pulls.shape == (100, 1, 4)
    regret = penalized_regret(run.pulls[:, -1], bandit)
    assert regret.max() <= floors.upper_bound_q(bandit, 5_000)


@pytest.mark.parametrize(("horizon", "regret"), [(1_000, 25.9), (16_000, 122.4)])
def test_a_rate_of_1_is_not_enough_for_the_published_policy(horizon: int, regret: float) -> None:
    """Theorem Q's example: sqrt(T log T/128) at least, where due first has a pull's loss."""
    low = np.sqrt(2 * np.log(horizon) / horizon)
    bandit = Instance([1.0, low], [0.0, 1.0], 1.0, Deterministic())
    published = simulate("hard_threshold_ucb", bandit, horizon, replicates=1)
    found = penalized_regret(published.pulls, bandit).item()
    assert found == pytest.approx(regret, abs=0.05)
    assert found >= np.sqrt(horizon * np.log(horizon) / 128)
    due = simulate("moss_due_first", bandit, horizon, replicates=1, tuning=horizon)
    assert penalized_regret(due.pulls, bandit).item() == pytest.approx(low, rel=1e-9)


def test_bounds_refuse_what_they_are_not_about() -> None:
    soft = instance_of([0.5, 0.4], [0.5, 0.2], 0.9)
    with pytest.raises(BanditError, match="needs them at least 1"):
        floors.upper_bound_p(soft, 100)
    with pytest.raises(BanditError, match="needs them above 1"):
        floors.upper_bound_q(instance_of([0.5, 0.4], [0.5, 0.2], 1.0), 100)
    with pytest.raises(BanditError, match="rewards in"):
        floors.upper_bound_p(instance_of([1.5, 0.4], [0.5, 0.2], 1.0), 100)
    with pytest.raises(BanditError, match="two or more"):
        floors.lower_bound_p([0.5], 100)
