"""The fluid prediction, the smallest penalty rates, the instance lower bound: by other ways."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import penalized_bandits as pb
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.reads import knows_floors_alone
from penalized_bandits.theory import exploration as rules
from penalized_bandits.theory import lower_bound
from penalized_bandits.theory.exploration import spread
from penalized_bandits.theory.fluid import break_points, predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from penalized_bandits.theory.limits import log_constant, proved_constant
from reference_kl import k_inf
from strategies import kl, least_on_unit, random_problem, with_ceilings

seeds = st.integers(0, 2**32 - 1)
SAMPLE = pytest.mark.sample


@settings(max_examples=50)
@given(seeds, st.sampled_from([1000, 10**6]), st.sampled_from([0.5, 2.0]), st.booleans())
def test_all_indices_are_at_one_level(
    seed: int, horizon: int, exploration: float, capped: bool
) -> None:
    """The level lies between an arm's index just above and just below its step."""
    bandit = instance_of(*random_problem(seed))
    bandit = with_ceilings(np.random.default_rng(seed), bandit) if capped else bandit
    pulls = predicted_pulls(bandit, horizon, rule=rules.root_log(exploration))
    values = bandit.means + np.sqrt(exploration * np.log(horizon) / pulls)
    costs = bandit.excess_penalties

    def indices(at: float) -> FloatArray:
        owed, within = (pulls < at * s * horizon for s in (bandit.fairness, bandit.ceilings))
        return values + np.where(owed, bandit.penalties, np.where(within, 0.0, -costs))

    least, most = indices(1 - 1e-9), indices(1 + 1e-9)
    # An arm with its first pull only may lie below the level.
    level = least[pulls > 1].max() if (pulls > 1).any() else least.max()
    tolerance = 1e-6 * max(1.0, float(bandit.penalties.max()))
    assert (least <= level + tolerance).all()
    assert (most >= level - tolerance)[pulls > 1].all()
    assert pulls.sum() == pytest.approx(horizon, rel=1e-9)
    assert (pulls >= 1).all()


@settings(max_examples=30)
@given(seeds, st.sampled_from([1000, 10**5]))
def test_a_break_point_is_the_least_rate_where_the_others_have_it_too(
    seed: int, horizon: int
) -> None:
    mu, tau, _ = random_problem(seed)
    tau *= 0.9
    arm = seed % mu.size
    point = break_points(mu, tau, horizon)[arm]
    least = least_penalties(instance_of(mu, tau, point), [arm], horizon)
    assert least[0] == pytest.approx(point, abs=1e-6)


def test_a_soft_threshold_tends_to_its_share_of_the_level() -> None:
    """It balances at N = tau T (1 - Delta/A), beside the radii."""
    bandit = instance_of([0.9, 0.7, 0.5], 0.2, [1.0, 0.4, 0.5])
    for horizon, tolerance in ((1e6, 0.2), (1e12, 1e-3)):
        pulls = predicted_pulls(bandit, horizon, soft=True)
        assert pulls[1:] / horizon == pytest.approx([0.1, 0.04], rel=tolerance)


@pytest.mark.parametrize(
    ("rule", "constant"),
    [
        # The paper has it between 1 and 8.
        (rules.root_log(), 2 / 0.4**2),
        (rules.root_log(0.5), 0.5 / 0.4**2),
        (rules.bernoulli_kl(), 1 / (0.3 * np.log(0.3 / 0.7) + 0.7 * np.log(0.7 / 0.3))),
        (rules.unknown_variance(np.full(2, 0.2)), 2 / np.log1p(0.4**2 / 0.2)),
    ],
)
def test_bounds_tend_to_their_own_constant(rule: rules.Exploration, constant: float) -> None:
    """N_k/log T tends to c/(Delta - A)^2, or 1/kl(mu, mu* - A)."""
    pulls = predicted_pulls(instance_of([0.9, 0.3], 0.3, 0.2), 1e15, rule=rule)[1]
    assert pulls / np.log(1e15) == pytest.approx(constant, rel=1e-3)


@pytest.mark.parametrize("n", [40.0, 300.0])
@pytest.mark.parametrize(
    "rule",
    [rules.root_log(0.5), rules.empirical_variance([0.3, 0.3]), rules.unknown_variance([0.3, 0.3])],
)
def test_pulls_are_those_at_which_a_bound_has_its_width(rule: rules.Exploration, n: float) -> None:
    height = np.full(2, rule.width(n, 1e4))
    assert rule.pulls(height, np.full(2, 0.5), 1e4) == pytest.approx([n, n])


def test_log_log_is_no_part_of_the_limit() -> None:
    bandit = instance_of([0.9, 0.3], 0.1, [0.0, 0.2])
    more = log_constant(bandit, rules.bernoulli_kl(log_log=3.0))
    assert more == log_constant(bandit, rules.bernoulli_kl())


@pytest.mark.parametrize(
    "policy",
    [
        "hard_threshold_ucb",
        "soft_threshold_ucb",
        pytest.param("frank_wolfe_ucb", marks=SAMPLE),
        "kl_hard_threshold",
        pytest.param("kl_hard_threshold_loglog", marks=SAMPLE),
        pytest.param("hard_threshold_variance", marks=SAMPLE),
    ],
)
def test_policies_follow_their_prediction(policy: str) -> None:
    """Without noise only rounding and waiting are left: a few pulls."""
    bandit = instance_of([0.9, 0.7, 0.4, 0.2], 0.1, [1.0, 0.5, 0.2, 0.3])
    rule, soft = rules.exploration_of(policy, variances=np.zeros(4)), policy == "soft_threshold_ucb"
    assert rule is not None
    limits = {"ceilings": [0.4, 0.3, 1.0, 0.1], "excess_penalties": [np.inf, 0.25, 0.0, 0.2]}
    alone = knows_floors_alone(pb.POLICIES[policy])
    for one in [bandit] if alone else [bandit, replace(bandit, **limits)]:
        played = pb.simulate(policy, one, 5000, replicates=1).pulls[0, 0]
        predicted = predicted_pulls(one, 5000, rule=rule, soft=soft)
        assert np.abs(played - predicted)[1:].max() < 4


MEANS, FAIRNESS = np.array([0.9, 0.6, 0.5]), np.array([0.1, 0.2, 0.25])


@settings(max_examples=40)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([300, 10**5]),
    st.sampled_from([rules.root_log(), rules.root_log(0.02), rules.bernoulli_kl()]),
    st.data(),
)
def test_arms_are_kept_by_these_rates_and_by_no_smaller_one(
    seed: int, horizon: int, rule: rules.Exploration, data: st.DataObject
) -> None:
    mu, tau, rates = random_problem(seed)
    mu, tau = 0.1 + 0.8 * mu, 0.9 * tau  # KL-UCB has no balance where a mean is 1
    keep = data.draw(st.lists(st.integers(0, mu.size - 1), min_size=1, unique=True))
    least = least_penalties(instance_of(mu, tau, rates), keep, horizon, rule=rule)
    level = tau[keep] * horizon

    def pulls(given: np.ndarray) -> np.ndarray:
        chosen = rates.copy()
        chosen[keep] = given
        return predicted_pulls(instance_of(mu, tau, chosen), horizon, rule=rule)[keep]

    assert (pulls(least + 1e-6) >= level * (1 - 1e-9)).all()
    assert (pulls(np.full(len(keep), least.max() + 1e-6)) >= level * (1 - 1e-9)).all()
    for i in np.flatnonzero(least > 1e-5):
        below = least + 1e-6
        below[i] = least[i] - 1e-6
        assert pulls(below)[i] < level[i]


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.4])
def test_fractions_that_sum_to_one(rate: float) -> None:
    """All arms are on their levels: the second stays there if its rate makes up for its gap."""
    bandit = instance_of([0.5, 0.4], 0.5, rate)
    assert least_penalties(bandit, [1], 10_000) == pytest.approx([0.1])
    assert least_penalties(bandit, [0, 1], 10_000) == pytest.approx([0.0, 0.1])
    short = instance_of([0.5, 0.4], 0.5, [rate, 0.099])
    assert predicted_pulls(short, 10_000)[1] < 5000 - 1


@pytest.mark.parametrize("rule", [rules.PAPER, rules.bernoulli_kl()])
def test_a_rate_makes_up_for_those_of_arms_below_their_levels(rule: rules.Exploration) -> None:
    bandit = instance_of([0.9, 0.5, 0.3], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0])
    assert least_penalties(bandit, [0], 10_000, rule=rule) == pytest.approx([1.6], abs=0.02)


def test_arms_that_need_no_rate_and_levels_without_room() -> None:
    assert least_penalties(instance_of([0.9, 0.5], [0.1, 0.01]), [0, 1], 100).tolist() == [0, 0]
    assert least_penalties(instance_of(MEANS, FAIRNESS), [], 100).shape == (0,)
    # A level of one pull is met by the first, however far behind the arm is.
    assert least_penalties(instance_of([9.0, 0.0], [0.0, 0.01]), [1], 100).tolist() == [0]
    # Levels of 9.99 pulls in all and two first pulls do not fit into 10 rounds.
    assert break_points([0.9, 0.5, 0.1], [0.0, 0.0, 0.999], 10)[2] == np.inf
    # Of levels that take all rounds it is the least rate that serves them.
    full = instance_of([0.6, 0.2], [0.25, 0.75])
    least = least_penalties(full, [1], 1e4)
    assert break_points(full.means, full.fairness, 1e4)[1] == pytest.approx(least[0], rel=1e-5)
    crowded = instance_of([0.9, 0.5, 0.1], [0.0, 0.0, 0.999])
    assert least_penalties(crowded, [2], 10).tolist() == [np.inf]


def one(means: list[float], fairness: list[float], penalties: list[float], law: object) -> float:
    return float(lower_bound.lower_constant(instance_of(means, fairness, penalties, law)))  # type: ignore[arg-type]


def test_by_hand() -> None:
    # Delta - A = 0.3 and 0.2; the best arm and the arm with Delta < A add nothing.
    found = one([0.9, 0.4, 0.2, 0.8], [0.1] * 4, [0.2, 0.2, 0.5, 0.2], pb.Gaussian(0.5))
    assert found == pytest.approx(2 * 0.5**2 * (1 / 0.3 + 1 / 0.2))
    # Without a fraction the classical constant 2 sigma^2 / Delta, whatever A is.
    assert one([0.9, 0.4], [0.1, 0.0], [0.7, 0.7], pb.Gaussian(1.0)) == pytest.approx(2 / 0.5)
    # No arm to leave below its level.
    assert one([0.9, 0.4], [0.1, 0.1], [0.5, 0.5], pb.Bernoulli()) == 0
    assert one([0.5, 0.5], [0.0, 0.0], [0.0, 0.0], pb.Gaussian(1.0)) == 0
    # An arm whose rewards are all 0 is known after a pull.
    assert one([0.9, 0.0], [0.1, 0.1], [0.1, 0.1], pb.Beta()) == 0


def test_no_arm_is_asked_for_more_than_its_level() -> None:
    means, rates = np.array([[0.9, 0.4, 0.2]]), np.full((1, 3), 0.2)
    law, fairness = pb.Gaussian(0.5), np.array([0.1, 0.1, 0.0])
    # Of arms 2 and 3: Delta - A' = 0.3 and, without a fraction, 0.7.
    pulls = 2 * 0.5**2 / np.array([0.3, 0.7]) ** 2
    for horizon in (10, 10_000):
        level = np.array([0.1, 1.0]) * horizon
        asked = np.minimum(pulls * np.log(horizon), level)
        found = lower_bound.lower_bound(instance_of(means, fairness, rates, law), horizon)
        assert found[0] == pytest.approx(float(asked @ [0.3, 0.7]))
    constant = lower_bound.lower_constant(instance_of(means, fairness, rates, law))
    assert found[0] == pytest.approx(constant[0] * np.log(10_000))


def test_the_optimal_policies_attain_it() -> None:
    parameters = [0.9, 0.4, 0.2], 0.1, 0.2
    known = {"kl_hard_threshold": pb.Bernoulli(), "hard_threshold_sigma": pb.Gaussian(0.3)}
    stars = pb.Categorical([0, 0.5, 1], [[0.0, 0.2, 0.8], [0.4, 0.4, 0.2], [0.7, 0.2, 0.1]])
    known |= {"empirical_kl_hard_threshold": stars, "empirical_kl_hard_threshold_log": stars}
    for policy, law in known.items():
        bandit = instance_of(*parameters, law)
        least = lower_bound.lower_constant(bandit)
        assert proved_constant(policy, bandit) == pytest.approx(float(least))
        ours = proved_constant("hard_threshold_ucb", bandit)
        assert ours is not None
        assert ours > 4 * least
    assert proved_constant("kl_hard_threshold", instance_of(*parameters, pb.Gaussian(0.3))) is None
    # Theorem V, which is about fractions that sum to 1 too, has no empirical KL bounds.
    full = instance_of([0.9, 0.4], 0.5, 0.2, pb.Bernoulli())
    assert proved_constant("empirical_kl_hard_threshold", full) is None
    # The published radius covers noise up to 1.
    for policy in ("hard_threshold_ucb", "frank_wolfe_ucb"):
        assert proved_constant(policy, instance_of(*parameters, pb.Gaussian(1.0))) is not None
        assert proved_constant(policy, instance_of(*parameters, pb.Gaussian(1.01))) is None


def test_beta() -> None:
    mean, target = 0.3, 0.5
    p: Any = stats.beta(mean, 1 - mean)
    q: Any = stats.beta(target, 1 - target)
    divergence = p.expect(lambda x: p.logpdf(x) - q.logpdf(x))
    found = lower_bound.divergences(pb.Beta(), np.array([mean]), np.array([target]))
    assert found[0] == pytest.approx(divergence, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_categorical(seed: int) -> None:
    rng = np.random.default_rng(seed)
    support, law = np.arange(21) / 20, np.zeros(21)
    law[::5] = rng.dirichlet(np.ones(5))
    mean = float(law @ support)
    target = mean + rng.uniform(0.05, 0.9) * (0.95 - mean)
    found = lower_bound.least_divergence(support[::5], law[::5], target)
    assert found == pytest.approx(k_inf(law, target), rel=1e-9)
    assert lower_bound.least_divergence(support, law, mean - 0.01) == 0
    assert lower_bound.least_divergence(support, law, 1.0) == np.inf


def test_divergence_rises_faster_than_that_of_two_values() -> None:
    """(K3): K - kl is nondecreasing above the mean, so K >= kl, on 300 random laws."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = rng.random(int(rng.integers(1, 6)))
        chances = rng.dirichlet(np.full(values.size, 0.7))
        mean = float(values @ chances)
        targets = mean + (1 - mean) * np.array([0.1, 0.3, 0.6, 0.9])
        beyond = [least_on_unit(values, chances, x) - kl(np.array(mean), x) for x in targets]
        assert beyond[0] >= -1e-9
        assert (np.diff(beyond) >= -1e-9).all()


def test_off_the_twentieths_a_law_is_spread() -> None:
    """Its mean stays, and its divergence is between that of Bernoulli rewards and its own."""
    law = pb.Categorical([0.33, 0.905, 0.98], [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]])
    wide = spread(law)
    assert wide.means == pytest.approx(law.means)
    for k, target in ((0, 0.95), (1, 0.7)):
        own = least_on_unit(law.support, law.probabilities[k], target)
        seen = lower_bound.least_divergence(wide.support, wide.probabilities[k], target)
        lowest = float(lower_bound.divergences(pb.Bernoulli(), law.means[k], np.array(target)))
        assert lowest < seen < own
