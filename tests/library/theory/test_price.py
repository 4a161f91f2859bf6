"""Prediction, limits and lower bound with ceilings, and where floors fill 1: Theorems V and W."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from penalized_bandits import Bernoulli, Beta, Categorical, Instance, predict, simulate
from penalized_bandits.bandit.regret import loss, penalized_regret
from penalized_bandits.bandit.rewards import RewardFamily
from penalized_bandits.common.errors import BanditError
from penalized_bandits.theory import bounds, conditions, deficits
from penalized_bandits.theory.exploration import bernoulli_kl
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from penalized_bandits.theory.limits import linear_constant, log_constant, proved_constant
from penalized_bandits.theory.lower_bound import lower_bound, lower_constant
from strategies import random_problem

INF, LAW = float("inf"), Bernoulli()
BOTH = Instance([0.9, 0.7, 0.4, 0.3], [0, 0, 0.1, 0.1], [0, 0, 0.1, 0.7], LAW, [0.5, 1, 1, 1], 0.5)
CAPPED = Instance([0.9, 0.7, 0.4], 0.0, 0.0, LAW, 0.5, INF)
SOFT = Instance([0.9, 0.7, 0.4], 0.0, 0.0, LAW, 0.3, [0.1, 0.4, 0.4])
FLOORS = Instance([0.9, 0.7, 0.4], [0.5, 0.3, 0.2], [1, 1, 0.1], LAW)
OWED = Instance([0.9, 0.7, 0.4], [0.5, 0.5, 0.0], 1.0, LAW)
BEST_LAST = Instance([0.5, 0.5, 0.6], [0.5, 0.5, 0.0], 0.3, LAW)


@pytest.mark.parametrize(
    ("bandit", "price", "published", "least", "at_a_million"),
    [
        (BOTH, 0.7, 10, 2.4663, 9.22),
        (CAPPED, 0.7, 20 / 3, 1.5622, 6.35),
        (SOFT, 0.8, 25, 4.5976, 22.92),
        (FLOORS, 0.9, 5, 1.0474, 4.85),
        (OWED, 1.7, 2 / 1.3, 0, 1.52),
        (BEST_LAST, 0.8, 10, 1.9111, 9.30),
    ],
)
def test_by_hand(
    bandit: Instance, price: float, published: float, least: float, at_a_million: float
) -> None:
    assert bandit.price == pytest.approx(price)
    assert log_constant(bandit) == pytest.approx(published)
    assert proved_constant("hard_threshold_ucb", bandit) == pytest.approx(published)
    assert lower_constant(bandit) == pytest.approx(least, abs=5e-5)
    assert proved_constant("kl_hard_threshold", bandit) == pytest.approx(least, abs=5e-5)
    assert predicted_regret(bandit, 1e6) / np.log(1e6) == pytest.approx(at_a_million, abs=5e-3)
    assert predicted_regret(bandit, 1e10) / np.log(1e10) == pytest.approx(published, rel=2e-3)
    rows = predict(bandit, 1e6).set_index("quantity")
    assert rows.loc["penalized_regret/log T", "source"] == "Theorem V"
    assert rows.loc["lower_bound/log T", "value"] == pytest.approx(least, abs=5e-5)
    assert rows.loc["lower_bound/log T", "source"] == "Theorem W"


@pytest.mark.parametrize("law", [LAW, Beta(), Categorical([0.0, 1.0], np.full((3, 2), 0.5))])
def test_no_law_has_a_mean_beyond_its_top(law: RewardFamily) -> None:
    """The price is above 1: no rewards in [0, 1] could make the third arm worth a pull."""
    bandit = instance_of([0.5, 0.5, 0.5], OWED.fairness, 1.2, law)
    assert bandit.price == 1.7
    assert lower_constant(bandit) == 0 == lower_bound(bandit, 1e5)
    assert log_constant(bandit, bernoulli_kl()) == 0
    # Nor is an arm asked for more pulls than its ceiling allows, one here.
    assert lower_bound(replace(CAPPED, ceilings=[0.5, 0.5, 1e-5]), 1e5) == pytest.approx(0.3)


@pytest.mark.parametrize("seed", range(20))
def test_without_a_charge_all_is_as_without_ceilings(seed: int) -> None:
    plain, rng = instance_of(*random_problem(seed, 8), rewards=LAW), np.random.default_rng(seed)
    ceilings = np.maximum(plain.fairness, rng.uniform(0.05, 1, plain.n_arms))
    pulls = simulate("hard_threshold_ucb", plain, 50, replicates=2).pulls
    for free in (replace(plain, ceilings=ceilings), replace(plain, excess_penalties=INF)):
        played = simulate("hard_threshold_ucb", free, 50, replicates=2).pulls
        np.testing.assert_array_equal(played, pulls)
        for of in (penalized_regret, loss):
            np.testing.assert_array_equal(of(pulls, free), of(pulls, plain))
        for of in (predicted_pulls, predicted_regret, lower_bound):
            np.testing.assert_allclose(of(free, 1e5), of(plain, 1e5), rtol=1e-12)
        for limit in (log_constant, linear_constant, lower_constant):
            np.testing.assert_allclose(limit(free), limit(plain), rtol=1e-12)


@pytest.mark.parametrize("horizon", [100, 1001, 10**6 + 7, 10**15])
@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [1 / 3] * 3])
def test_caps_that_fill_1_cost_nothing(shares: list[float], horizon: int) -> None:
    for tau in (0.0, shares):
        full = Instance([0.9, 0.7, 0.4], tau, 1.0, LAW, shares, INF)
        pulls = predicted_pulls(full, horizon)
        assert (pulls <= np.array(shares) * horizon * (1 + 1e-12)).all()
        assert predicted_regret(full, horizon) == pytest.approx(0, abs=1e-9 * horizon)
        assert log_constant(full) == 0 == lower_constant(full)


@pytest.mark.parametrize(
    "of",
    [
        lambda b: bounds.gap_dependent_bound(b, 1e4),
        lambda b: bounds.largest_regret(b, 1e4),
        lambda b: conditions.conditions_4_2(b, 1e4),
        deficits.drift_bound,
        lambda b: least_penalties(b, [0], 1e4),
        lambda b: predicted_pulls(b, 1e4, soft=True),
        linear_constant,
        lambda b: predict(b, 1e4, "frank_wolfe_ucb"),
    ],
)
def test_what_is_about_floors_alone_refuses_ceilings(of: Callable[[Instance], object]) -> None:
    of(FLOORS)
    with pytest.raises(BanditError, match="the instance has ceilings"):
        of(SOFT)


def test_policies_without_a_proof() -> None:
    """Frank-Wolfe serves no ceilings; Theorem V has no empirical KL bounds."""
    assert proved_constant("frank_wolfe_ucb", FLOORS) == pytest.approx(5)
    assert proved_constant("frank_wolfe_ucb", SOFT) is None
    assert proved_constant("empirical_kl_hard_threshold", CAPPED) is None
    unaware = predict(CAPPED, 1e4, "ucb1").set_index("quantity")
    assert unaware.loc["penalized_regret", "value"] == INF
