"""Ceilings, quotas and the price: section "The split and its price" of research/docs/stairs.md."""

import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Bernoulli, Deterministic, Instance, simulate
from penalized_bandits.bandit.regret import loss, penalized_regret

HARD = float("inf")


def bandit(means: Any, fairness: Any = 0.0, penalties: Any = 0.0, **ceilings: Any) -> Instance:
    return Instance(means, fairness, penalties, Deterministic(), **ceilings)


@pytest.mark.parametrize("seed", range(40))
def test_regret_is_the_distance_from_the_best_split(seed: int) -> None:
    """In exact fractions: ends of steps are tenths, so that of ten pulls some split is optimal."""
    rng = np.random.default_rng(seed)
    n_arms = int(rng.integers(1, 5))
    mu, rates, costs = (rng.integers(0, 9, n_arms) for _ in range(3))
    tau = rng.multinomial(int(rng.integers(0, 11)), np.full(n_arms + 1, 1 / (n_arms + 1)))[:-1]
    caps = np.maximum(tau, rng.integers(1, 11, n_arms))
    fewer, splits = ([n for n in product(range(11), repeat=n_arms) if sum(n) == t] for t in (9, 10))

    def worth(pulls: tuple[int, ...]) -> Fraction:
        arms = zip(pulls, mu, rates, costs, tau, caps, strict=True)
        eighths = sum(n * m - a * max(t - n, 0) - b * max(n - c, 0) for n, m, a, b, t, c in arms)
        return Fraction(int(eighths), 8)

    most = max(map(worth, splits))
    instance = bandit(mu / 8, tau / 10, rates / 8, ceilings=caps / 10, excess_penalties=costs / 8)
    # The price is the value of the last pull.
    assert instance.price == most - max(map(worth, fewer))
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


def test_without_ceilings_none_are_shown_or_kept() -> None:
    plain = bandit([0.9, 0.5])
    assert plain == bandit([0.9, 0.5], excess_penalties=1.0)
    assert "ceilings" not in repr(plain)
    capped = bandit([0.9, 0.5], ceilings=[0.5, 1], excess_penalties=[HARD, 0])
    assert pickle.loads(pickle.dumps(capped)) == capped != plain


def test_policies_that_know_floors_alone_refuse_ceilings() -> None:
    capped = bandit([0.9, 0.5], 0.1, 0.3, ceilings=0.6, excess_penalties=0.2)
    with pytest.raises(BanditError, match=r"fair_learn is for floors alone: .* choose"):
        simulate("fair_learn", capped, 10, tuning=1.0)


@pytest.mark.parametrize(
    "policy", ["hard_threshold_ucb", "kl_hard_threshold", "hard_threshold_normal"]
)
@pytest.mark.parametrize("cap", [7, 14, 28, 55, 56])
def test_hard_caps_in_percent_are_kept(cap: int, policy: str) -> None:
    """Some of c n are above the whole numbers that they are, as floats."""
    for floor, replicates, delay in ((0, 2, 0), (cap, 9, 0), (cap, 1, 5)):
        given = [0.9, 0.5], [floor / 100, 0], 1.0, Bernoulli(), [cap / 100, 1], np.inf
        how: dict[str, Any] = {"replicates": replicates, "delay": delay}
        run = simulate(policy, Instance(*given), 400, checkpoints=range(1, 401), **how)
        assert (100 * run.pulls[..., 0] - cap * run.checkpoints < 100).all()
        assert np.isfinite(run.regret()).all()
    above = [[cap + 1, 99 - cap], [cap, 100 - cap]]
    assert np.isinf(penalized_regret(above, Instance(*given))).tolist() == [True, False]
