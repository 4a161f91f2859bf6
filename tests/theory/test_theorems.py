"""Steps of the proofs in docs/pages/theory, held to numbers."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from penalized_bandits import Instance
from penalized_bandits.bandit.regret import penalized_regret
from penalized_bandits.bandit.rewards import Bernoulli, Deterministic
from penalized_bandits.engine.simulate import simulate
from penalized_bandits.theory import gap_free
from penalized_bandits.theory.inputs import instance_of
from strategies import kl, random_problem


@pytest.mark.parametrize("seed", range(20))
def test_regret_is_a_sum_of_terms_that_are_not_negative(seed: int) -> None:
    """(D), with several optimal arms and a tie A = Delta."""
    rng = np.random.default_rng(seed)
    horizon, gaps = 1000, np.array([0.0, 0.0, 0.25, 0.25, 0.25, 0.5])
    rates = np.array([0.5, 0.1, 0.5, 0.25, 0.125, 0.25])
    fairness = rng.dirichlet(np.ones(7))[:6]
    pulls = rng.multinomial(horizon, rng.dirichlet(np.full(6, 0.5)))
    excess = np.maximum(pulls - fairness * horizon, 0)
    deficit = np.maximum(fairness * horizon - pulls, 0)
    worth = (rates - gaps) * deficit + gaps * excess
    terms = np.where(gaps <= rates, worth, (gaps - rates) * pulls + rates * excess)
    assert (terms >= 0).all()
    found = penalized_regret(pulls, instance_of(1 - gaps, fairness, rates))
    assert float(terms.sum()) == pytest.approx(float(found), abs=1e-9)


@pytest.mark.parametrize(("mean", "below"), [(0.6, 0.1), (0.95, 0.02), (0.2, 0.15)])
def test_rounds_of_failed_optimism_are_few_with_kl(mean: float, below: float) -> None:
    """Lemma 1, case (K), exactly for Bernoulli rewards."""
    for s in (1, 2, 5, 20, 100, 400):
        means = np.arange(s + 1) / s
        low = means < mean - below
        weight = stats.binom.logpmf(np.arange(s + 1)[low], s, mean)
        exact = np.exp(weight + s * kl(means[low], mean - below)).sum()
        assert exact <= np.exp(-2 * below**2 * s) * (1 + s * np.log(1 / (1 - mean)))


@pytest.mark.parametrize("ratio", [1.0, 1.5, 4.0])
def test_rounds_of_failed_optimism_are_few_with_a_radius(ratio: float) -> None:
    """Lemma 1, case (S), for Gaussian rewards and c = 2 sigma^2 times a ratio."""
    sigma, below = 0.5, 0.2
    for s in (1, 4, 25, 100):
        spread = sigma / np.sqrt(s)

        def density(y: float, s: int = s, spread: float = spread) -> float:
            # Logarithms, as the factors overflow far out.
            log = s * y * y / (2 * sigma**2 * ratio)
            return float(np.exp(log + stats.norm.logpdf(y + below, scale=spread)))

        exact, error = integrate.quad(density, 0, np.inf)
        bound = np.exp(-s * below**2 / (2 * sigma**2)) * (1 + sigma**2 / (s * below**2))
        assert exact + error <= bound


def test_the_deficit_of_a_tie_grows_like_t_and_costs_nothing() -> None:
    """Theorem A.3 holds for A > Delta alone; in (D) the deficit of a tie has the factor 0."""
    horizons = [2000, 8000, 32_000]
    tie = Instance([0.9, 0.5], fairness=[0.1, 0.6], penalties=0.4, rewards=Bernoulli())
    assert tie.penalties[1] == tie.gaps[1]
    run = simulate("hard_threshold_ucb", tie, 32_000, replicates=25, seed=1, checkpoints=horizons)
    deficits = 0.6 * np.array(horizons) - run.pulls[:, :, 1]
    for before, after in pairwise(deficits.T):
        growth, excess = after - before, after - 4 * before
        assert growth.mean() > 4 * stats.sem(growth)
        assert abs(excess.mean()) < 4 * stats.sem(excess)
    regret = penalized_regret(run.pulls[:, -1], tie)
    assert regret.max() < 1e-6


@pytest.mark.parametrize("m", [100, 1000, 1001])
def test_arms_that_come_due_together_cost_a_fifth_of_a(m: int) -> None:
    """Proposition H: whatever A is, one of two arms has 3m + 1 pulls at T = 10m + 4."""
    means, fairness = np.array([0.9, 0.5, 0.5]), np.array([0.1, 0.3, 0.3])
    for rate in (10.0, 1e6, 1e9):
        bandit = Instance(means, fairness, np.full(3, rate), Deterministic())
        run = simulate("hard_threshold_ucb", bandit, 10 * m + 4, replicates=1, seed=1)
        pulls = run.pulls[0, -1]
        assert sorted(pulls[1:]) == [3 * m + 1, 3 * m + 2]
        assert penalized_regret(pulls, bandit) >= (rate - 0.4) / 5


# --- Steps of the proofs in gap-free.md --------------------------------------------


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
    assert (1 - np.sqrt(1 / 3)) / 16 > 1 / 38
    assert (1 - np.sqrt(8 / 35)) / 24 > 1 / 46
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
    each = zip((published, moss), bounds, rules, strict=True)
    for (mean, error, bound), of, (policy, tuning) in each:
        assert of(one, horizon) == pytest.approx(bound, abs=0.6)
        run = simulate(policy, one, horizon, replicates=60, seed=1, tuning=tuning)
        regret = penalized_regret(run.pulls[:, -1], one)
        assert regret.mean() == pytest.approx(mean, abs=4 * error * np.sqrt(1 + 200 / 60))


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
