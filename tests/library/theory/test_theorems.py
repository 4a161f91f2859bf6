"""Steps of the proofs in research/docs, held to numbers."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from penalized_bandits import Bernoulli, Deterministic, Instance, penalized_regret, simulate
from penalized_bandits.theory.inputs import instance_of
from strategies import kl


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
        assert exact <= np.exp(-s * kl(np.array(mean - below), mean)) * (s + 1)


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
