"""Theorems 2′, I, J, M, P, Q and 4.8 with constants: steps of proofs, simulations, refusals."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import lgamma
from typing import Any

import numpy as np
import pytest

from penalized_bandits import BanditError, Bernoulli, Instance, penalized_regret, simulate
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from penalized_research.theory import floors, gap_free
from strategies import kl, least_on_unit, random_problem


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
    share = np.where(paid >= bandit.gaps_to_best, fairness, 0.0)
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
    assert (1 - np.sqrt(1 / 3)) / 16 > 1 / 38
    assert (1 - np.sqrt(1 / 12)) / 32 > 1 / 45
    assert np.sqrt(15) + np.sqrt(2 * np.pi) + np.sqrt(2) < gap_free.MOSS_RATE


def test_lower_bounds() -> None:
    # Two of three arms count: the third has fewer than one pull due, or too small a rate.
    for tau, rates in (([0.25, 0.25, 0.001], 0.5), ([0.25, 0.25, 0.25], [0.5, 0.5, 0.01])):
        assert gap_free.lower_bound_j(tau, rates, 400) == pytest.approx(20 / 38)
    found = gap_free.lower_bound_j(0.25 * np.ones(4), 0.5, [400, 1600])
    assert found == pytest.approx(np.array([30, 60]) / 38)
    assert gap_free.bernoulli_bound_4_8([0.5, 0.5], 100) == 0
    assert gap_free.bernoulli_bound_4_8([0.25, 0.25], 100) == pytest.approx(5 / 46)
    rows = instance_of([[0.9, 0.5], [0.5, 0.5]], [0.5, 0.0], [[1.0, 9.0], [2.0, 9.0]])
    assert gap_free.start_up(rows) == pytest.approx([0.4 + 1.0, 2.0])
    # First steps .9, .8, .5; last ones .5, or at a hard cap 1 below the least, -.5.
    for cost, expected in ((0.4, 1.8 + 0.5 - 1.5), (np.inf, 1.8 + 0.5 - 0.5)):
        shares = (0.0, 0.2, 0.0), (0.0, 0.3, 9.0), Bernoulli(), (0.5, 1.0, 1.0)
        capped = Instance((0.9, 0.5, 0.5), *shares, (cost, 9.0, 9.0))
        assert gap_free.start_up(capped) == pytest.approx(expected)


@pytest.mark.parametrize("bound", [gap_free.upper_bound_i, gap_free.upper_bound_m])
def test_many_bandits_are_as_alone(bound: Callable[..., Any]) -> None:
    means, rates = np.random.default_rng(3).random((2, 6, 4))
    together = bound(instance_of(means, 0.2, rates, Bernoulli()), [100, 1000])
    for r, (mu, a) in enumerate(zip(means, rates, strict=True)):
        assert (together[r] == bound(instance_of(mu, 0.2, a), [100, 1000])).all()


# --- Theorems P and Q, on hard floors: exact fractions on paths, known values ------

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


def test_levels_where_nothing_is_free_and_where_one_arm_has_all_floors() -> None:
    assert floors.water_level([0.5, 0.25, 0.25], 100) == 25
    assert floors.soft_level([1.0, 0.0], 100) == np.inf
    assert floors.lower_bound_p([0.5, 0.5], 100) == 0
    # The first half of Theorem P is then (1 - tau) T sqrt((K - 1)/((1 - tau) T))/45.
    expected = np.sqrt(0.2 * 4 * 10_000) / 45
    assert floors.lower_bound_p([0.8, 0, 0, 0, 0], 10_000) == pytest.approx(expected, rel=1e-12)


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


def two_arms(rates: float, best: float = 0.5) -> Instance:
    return instance_of([best, 0.4], [0.5, 0.2], rates)


@pytest.mark.parametrize(
    ("of", "about", "horizon", "message"),
    [
        (partial(gap_free.lower_bound_j, [0.5, 0.5]), 0.6, 100, r"J needs them in \[0, 1/2"),
        (gap_free.bernoulli_bound_4_8, [0.5, 0.5], 15, "holds 15: every value must be at least 16"),
        (floors.upper_bound_p, two_arms(0.9), 100, "needs them at least 1"),
        (floors.upper_bound_q, two_arms(1.0), 100, "needs them above 1"),
        (floors.upper_bound_p, two_arms(1.0, best=1.5), 100, "rewards in"),
        (floors.lower_bound_p, [0.5], 100, "two or more"),
        (gap_free.bernoulli_bound_4_8, np.zeros(2, "m8[s]"), 1000, "must be numbers"),
        (floors.water_level, np.zeros(2, "U9"), 1000, "must be numbers"),
    ],
)
def test_bounds_refuse_what_they_are_not_about(
    of: Callable[..., Any], about: Any, horizon: int, message: str
) -> None:
    with pytest.raises(BanditError, match=message):
        of(about, horizon)


# --- Theorem 2′, by enumeration: the least divergence of samples of laws on [0, 1] ---

LAWS = [
    ([0.0, 0.5, 1.0], [0.3, 0.4, 0.3]),
    ([0.0, 0.2, 0.9], [0.5, 0.2, 0.3]),
    ([0.4, 0.5], [0.5, 0.5]),
]
"""Values and chances; the first has an atom at 1, the last none at 0."""


def empirical(chances: list[float], size: int) -> tuple[FloatArray, FloatArray]:
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
    seen, weights = empirical(chances, size)
    found = [np.exp(size * least_on_unit(support, law, mean)) for law in seen]
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
    kappa = least_on_unit(support, np.array(chances), target)
    near = share * kappa
    parts = np.ceil(2 * target / (near * (1 - target)))
    span = np.log(parts / (1 - target))
    seen, weights = empirical(chances, size)
    found = np.array([least_on_unit(support, law, target) for law in seen])
    bound = np.exp(-size * near**2 / (2 * span**2))
    assert weights[found <= kappa - near].sum() <= bound
    assert weights[np.abs(found - kappa) >= near].sum() <= parts * bound
