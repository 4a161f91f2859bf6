"""Ceilings, quotas and the price: section "The split and its price" of research/docs/stairs.md."""

import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Bernoulli, Deterministic, Instance, simulate
from penalized_bandits.bandit.regret import (
    excess,
    loss,
    optimal_loss,
    penalized_regret,
    unfairness,
)
from strategies import random_problem, with_ceilings

HARD = float("inf")


def bandit(means: Any, fairness: Any = 0.0, penalties: Any = 0.0, **ceilings: Any) -> Instance:
    return Instance(means, fairness, penalties, Deterministic(), **ceilings)


@pytest.mark.parametrize(
    ("instance", "price", "split"),
    [
        # Without ceilings the price is mu*, and the best arm takes what floors leave.
        (bandit([0.9, 0.7, 0.4], 0.1, [1, 1, 0.1]), 0.9, [(0.9, 0.9), (0.1, 0.1), (0, 0)]),
        # Half of the rounds at most for the best arm: the second has the rest.
        (
            bandit([0.9, 0.7, 0.4], ceilings=0.5, excess_penalties=HARD),
            *(0.7, [(0.5, 0.5), (0.5, 0.5), (0, 0)]),
        ),
        # Above its ceiling the best arm, at 0.9 - 0.1, is still better than the second.
        (
            bandit([0.9, 0.7, 0.4], ceilings=0.3, excess_penalties=[0.1, 0.4, 0.4]),
            *(0.8, [(1, 1), (0, 0), (0, 0)]),
        ),
        # Floors that fill all rounds and are worth it: the least mean plus rate.
        (bandit([0.9, 0.7, 0.4], [0.5, 0.5, 0], 1), 1.7, [(0.5, 0.5), (0.5, 0.5), (0, 0)]),
        # Quotas of all arms.
        (
            bandit([0.9, 0.7], [0.6, 0.4], 1, ceilings=[0.6, 0.4], excess_penalties=1),
            *(1.7, [(0.6, 0.6), (0.4, 0.4)]),
        ),
    ],
)
def test_price_and_optimal_split(
    instance: Instance, price: float, split: list[tuple[float, float]]
) -> None:
    assert instance.price == pytest.approx(price)
    np.testing.assert_allclose(instance.optimal_split, split, atol=1e-12)


def test_regret_of_an_example() -> None:
    """Gaps to the price 0.7 are (-0.2, 0, 0.3); the ceiling of the first arm is 50 of 100 pulls."""
    capped = bandit([0.9, 0.7, 0.4], ceilings=[0.5, 1, 1], excess_penalties=[0.4, 0, 0])
    pulls = [[50, 50, 0], [40, 60, 0], [60, 40, 0], [50, 40, 10]]
    # 10 pulls that are missing at 0.2; 10 too many at 0.7 - (0.9 - 0.4); 10 of the third at 0.3.
    np.testing.assert_allclose(penalized_regret(pulls, capped), [0, 2, 2, 3], atol=1e-12)
    np.testing.assert_allclose(excess(pulls, capped)[:, 0], [0, 0, 10, 0])
    assert optimal_loss(capped, 100) == pytest.approx(10)
    np.testing.assert_allclose(loss(pulls, capped), [10, 12, 12, 13])


@pytest.mark.parametrize("seed", range(40))
def test_regret_is_the_distance_from_the_best_split(seed: int) -> None:
    """In exact fractions: ends of steps are tenths, so that of ten pulls some split is optimal."""
    rng = np.random.default_rng(seed)
    n_arms = int(rng.integers(1, 5))
    mu, rates, costs = (rng.integers(0, 9, n_arms) for _ in range(3))
    tau = rng.multinomial(int(rng.integers(0, 11)), np.full(n_arms + 1, 1 / (n_arms + 1)))[:-1]
    caps = np.maximum(tau, rng.integers(1, 11, n_arms))
    splits = [n for n in product(range(11), repeat=n_arms) if sum(n) == 10]

    def worth(pulls: tuple[int, ...]) -> Fraction:
        arms = zip(pulls, mu, rates, costs, tau, caps, strict=True)
        eighths = sum(n * m - a * max(t - n, 0) - b * max(n - c, 0) for n, m, a, b, t, c in arms)
        return Fraction(int(eighths), 8)

    most = max(map(worth, splits))
    instance = bandit(mu / 8, tau / 10, rates / 8, ceilings=caps / 10, excess_penalties=costs / 8)
    expected = [float(most - worth(n)) for n in splits]
    np.testing.assert_allclose(penalized_regret(splits, instance), expected, atol=1e-12)
    lost = [float(Fraction(10 * int(mu.max()), 8) - worth(n)) for n in splits]
    np.testing.assert_allclose(loss(splits, instance), lost, atol=1e-12)
    optimal = np.array([n for n in splits if worth(n) == most])
    ends = np.stack([optimal.min(axis=0), optimal.max(axis=0)], axis=-1)
    np.testing.assert_allclose(instance.optimal_split * 10, ends, atol=1e-9)


def test_a_hard_cap_costs_a_fraction_of_a_pull_or_all() -> None:
    """Of ten pulls the cap is 3.5: the half above it is worth 1 less than the least step, 0.5."""
    capped = bandit([0.9, 0.6, 0.5], ceilings=[0.35, 1, 1], excess_penalties=[HARD, 0, 0])
    regret = penalized_regret([[4, 6, 0], [5, 5, 0]], capped)
    np.testing.assert_allclose(regret, [0.5 * (0.6 - (0.5 - 1)), np.inf])
    assert simulate("hard_threshold_ucb", capped, 999, replicates=9).regret().max() < np.inf


@pytest.mark.parametrize("free", ["ceilings", "excess_penalties"])
@pytest.mark.parametrize("seed", range(20))
def test_without_a_charge_all_is_as_without_ceilings(free: str, seed: int) -> None:
    means, tau, rates = random_problem(seed)
    plain = Instance(means, tau, rates, Bernoulli())
    rng = np.random.default_rng(seed)
    given = {"ceilings": np.maximum(tau, 0.25), "excess_penalties": 0.5}
    given[free] = 1.0 if free == "ceilings" else 0.0
    other = Instance(means, tau, rates, Bernoulli(), **given)
    pulls = rng.multinomial(100, np.full(means.size, 1 / means.size), 5)
    for function in (penalized_regret, loss, unfairness):
        np.testing.assert_array_equal(function(pulls, other), function(pulls, plain))
    played = [simulate("hard_threshold_ucb", each, 50, replicates=2) for each in (plain, other)]
    np.testing.assert_array_equal(played[0].pulls, played[1].pulls)


def test_without_ceilings_none_are_shown_or_kept() -> None:
    plain = bandit([0.9, 0.5])
    assert plain == bandit([0.9, 0.5], excess_penalties=1.0)
    assert "ceilings" not in repr(plain)
    capped = bandit([0.9, 0.5], ceilings=[0.5, 1], excess_penalties=[HARD, 0])
    assert pickle.loads(pickle.dumps(capped)) == capped != plain


def test_each_replicate_has_its_own_price() -> None:
    rows = [[0.9, 0.7, 0.4], [0.2, 0.8, 0.5]]
    both = bandit(rows, 0.1, 0.3, ceilings=0.5, excess_penalties=0.6)
    pulls = [[60, 30, 10], [20, 70, 10]]
    for row, mu in enumerate(rows):
        alone = bandit(mu, 0.1, 0.3, ceilings=0.5, excess_penalties=0.6)
        assert both.price[row] == alone.price
        for function in (penalized_regret, loss):
            assert function(pulls, both)[row] == function(pulls[row], alone)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ceilings": [0.0, 1.0]}, r"ceilings\[0\] is 0 and.*: a ceiling must be above 0"),
        ({"ceilings": [1.0, 1.5]}, r"ceilings\[1\] is 1.5.*at most 1"),
        ({"ceilings": 0.1}, r"ceilings\[0\] is 0.1 and its fairness fraction is 0.2"),
        ({"excess_penalties": -1.0}, "excess_penalties holds -1"),
        ({"excess_penalties": [np.nan, 1]}, "excess_penalties is not finite: nan"),
        ({"ceilings": 0.4, "excess_penalties": HARD}, "hard caps .* sum to 0.8"),
        ({"ceilings": [0.4]}, r"ceilings has shape \(1,\), but there are 2 arms"),
    ],
)
def test_ceilings_that_make_no_sense(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        bandit([0.9, 0.5], 0.2, 0.3, **wrong)


def test_policies_that_know_floors_alone_refuse_ceilings() -> None:
    capped = with_ceilings(np.random.default_rng(1), bandit([0.9, 0.6, 0.5, 0.4], 0.1, 0.3))
    with pytest.raises(BanditError, match="policy fair_learn knows floors alone"):
        simulate("fair_learn", capped, 10, tuning=1.0)
    assert simulate("ucb1", capped, 10).pulls.sum() == 1000  # knows neither
