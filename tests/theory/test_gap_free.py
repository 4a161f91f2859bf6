"""Steps of the proofs in docs/pages/theory/gap-free.md, held to numbers."""

from typing import Any

import numpy as np
import pytest

from bandit_factories import kl, random_problem
from penalized_bandits import Bernoulli, Instance, penalized_regret, simulate
from penalized_bandits.theory import gap_free
from penalized_bandits.theory.inputs import instance_of


def path(seed: int, rule: str) -> tuple[float, float, float]:
    """Return the regret of a path beyond its start-up cost, and what eq. (9) and (10) allow."""
    means, fairness, penalties = random_problem(seed, 5)
    rng, n_arms = np.random.default_rng(seed), means.size
    paid, pulls = np.where(fairness > 0, penalties, 0.0), np.zeros(n_arms)
    lost, over, short, rounds = 0.0, 0.0, np.zeros(n_arms), int(rng.integers(n_arms, 40))
    for n in range(1, rounds + 1):
        due = pulls < fairness * n
        worth = means + paid * due
        # An index may have any numbers in the place of means.
        numbers = means + rng.integers(-3, 7, n_arms) / 6
        chances = rng.random(n_arms)
        scores = {"any": chances, "due": due + chances, "best": worth, "worst": -worth}
        scores["index"] = numbers + paid * due
        arm = n - 1 if n <= n_arms else int(scores[rule].argmax())
        pulls[arm] += 1
        if n > n_arms:
            lost += worth.max() - worth[arm]
            over += numbers[arm] - means[arm]
            short = np.maximum(short, means - numbers)
    bandit, best = instance_of(means, fairness, penalties), means.argmax()
    regret = penalized_regret(pulls, bandit)
    share = np.where(paid >= bandit.gaps, fairness, 0.0)
    share[best] += 1 - share.sum()
    return float(regret - gap_free.start_up(bandit)), lost, rounds * float(share @ short) + over


@pytest.mark.parametrize("rule", ["any", "due", "best", "worst", "index"])
@pytest.mark.parametrize("seed", range(60))
def test_lemmas_on_any_path(seed: int, rule: str) -> None:
    regret, lost, missed = path(seed, rule)
    assert regret <= lost + 1e-9, "Lemma R"
    assert rule != "index" or regret <= missed + 1e-9, "Lemma O"


def test_constants_of_the_lower_bounds() -> None:
    eps = np.linspace(1e-3, 1 / 24, 200)
    assert (kl(np.full(200, 0.5), 0.5 + 2 * eps) <= 8.12 * eps**2).all()
    rate, share = np.meshgrid(np.linspace(0.01, 0.5, 50), np.linspace(0.02, 1, 50))
    eps = np.minimum(share * rate, 0.25)
    assert (kl(0.75 - rate - eps, 0.75 - rate + eps) <= 11.1 * eps**2).all()
    assert (1 - np.sqrt(1 / 3)) / 16 > 1 / gap_free.SIGNS
    assert (1 - np.sqrt(8 / 35)) / 24 > 1 / gap_free.SHARE
    assert np.sqrt(15) + np.sqrt(2 * np.pi) + np.sqrt(2) < gap_free.MOSS_RATE


TABLE = [
    ((0.55, *[0.5] * 9), 0.2, 0.0, 20_000, (733.7, 3.0, 4614), (291.6, 6.2, 3489)),
    ((0.75, 0.4, 0.5, 0.4), 0.3, 0.24975, 16_000, (200.3, 2.2, 2586), (78.9, 2.2, 1975)),
    (
        (0.75, 0.25, 0.25), (0.5, 0.45, 0.55), (0.3, 0.35, 0.34), 20_000,
        (115.1, 1.6, 2529), (44.8, 1.3, 1913),
    ),
    (
        (0.9, 0.5, 0.4, 0.2), (10, 0, 0, 0), (0.999, 0, 0, 0), 1000,
        (21.6, 0.02, 591), (21.6, 0.02, 525),
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE)
def test_simulations_and_bounds(row: tuple[Any, ...]) -> None:
    means, rates, tau, horizon, published, moss = row
    one = Instance(means, tau, rates, Bernoulli())
    bounds = (gap_free.upper_bound_i, gap_free.upper_bound_m)
    rules = ("hard_threshold_ucb", None), ("moss_hard_threshold", horizon / len(means))
    for (mean, error, bound), of, (policy, tuning) in zip(
        (published, moss), bounds, rules, strict=True
    ):
        assert of(one, horizon) == pytest.approx(bound, abs=0.6)
        run = simulate(policy, one, horizon, replicates=60, seed=1, tuning=tuning)
        regret = penalized_regret(run.pulls[:, -1], one)
        assert regret.mean() == pytest.approx(mean, abs=4 * error * np.sqrt(1 + 200 / 60))


def test_lower_bounds() -> None:
    # Two of three arms count: the third has fewer than one pull due, or too small a rate.
    for tau, rates in (([0.25, 0.25, 0.001], 0.5), ([0.25, 0.25, 0.25], [0.5, 0.5, 0.01])):
        assert gap_free.lower_bound_j(tau, rates, 400) == pytest.approx(20 / 38)
    assert gap_free.lower_bound_j(0.25 * np.ones(4), 0.5, [400, 1600]) == pytest.approx(
        np.array([30, 60]) / 38
    )
    assert gap_free.bernoulli_bound_4_8([0.5, 0.5], 100) == 0
    assert gap_free.bernoulli_bound_4_8([0.25, 0.25], 100) == pytest.approx(5 / 46)
    rows = instance_of([[0.9, 0.5], [0.5, 0.5]], [0.5, 0.0], [[1.0, 9.0], [2.0, 9.0]])
    assert gap_free.start_up(rows) == pytest.approx([0.4 + 1.0, 2.0])
