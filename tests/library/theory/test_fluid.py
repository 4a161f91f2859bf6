"""The fluid prediction and the smallest penalty rates: against equations, limits, each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penalized_bandits import Deterministic, Instance, simulate
from penalized_bandits.theory import exploration as rules
from penalized_bandits.theory.fluid import break_points, predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from penalized_bandits.theory.limits import log_constant
from strategies import random_problem

seeds = st.integers(0, 2**32 - 1)
SAMPLE = pytest.mark.sample


@settings(max_examples=50)
@given(seeds, st.sampled_from([1000, 10**6]), st.sampled_from([0.5, 2.0]))
def test_all_indices_are_at_one_level(seed: int, horizon: int, exploration: float) -> None:
    """The level lies between an arm's index just above and just below its threshold."""
    mu, tau, rates = random_problem(seed)
    pulls = predicted_pulls(instance_of(mu, tau, rates), horizon, rule=rules.root_log(exploration))
    radius = np.sqrt(exploration * np.log(horizon) / pulls)
    least = mu + radius + np.where(pulls < tau * horizon * (1 - 1e-9), rates, 0)
    most = mu + radius + np.where(pulls <= tau * horizon * (1 + 1e-9), rates, 0)
    # An arm with its first pull only may lie below the level.
    level = least[pulls > 1].max() if (pulls > 1).any() else least.max()
    assert (least <= level + 1e-6 * max(1.0, float(rates.max()))).all()
    assert (most >= level - 1e-6 * max(1.0, float(rates.max())))[pulls > 1].all()
    assert pulls.sum() == pytest.approx(horizon, rel=1e-9)
    assert (pulls >= 1).all()


@settings(max_examples=30)
@given(seeds, st.sampled_from([1000, 10**5]))
def test_a_break_point_is_where_the_prediction_meets_the_level(seed: int, horizon: int) -> None:
    mu, tau, _ = random_problem(seed)
    tau *= 0.9
    arm = seed % mu.size
    point = break_points(mu, tau, horizon)[arm]
    level = tau[arm] * horizon
    assert predicted_pulls(instance_of(mu, tau, point + 1e-6), horizon)[arm] >= level * (1 - 1e-9)
    if point > 1e-5:
        assert predicted_pulls(instance_of(mu, tau, point - 1e-6), horizon)[arm] < level
        radius = np.sqrt(2 * np.log(horizon) / level)
        level_index = mu[arm] + point + radius
        # Another arm below its level, or the best arm, has the same index.
        pulls = predicted_pulls(instance_of(mu, tau, point), horizon)
        free = pulls > tau * horizon * (1 + 1e-9)
        reached = (mu + np.sqrt(2 * np.log(horizon) / pulls))[free & (pulls > 1)]
        assert reached == pytest.approx(level_index, abs=1e-6)


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
    mu, tau, rates = np.array([0.9, 0.7, 0.4, 0.2]), 0.1, np.array([1.0, 0.5, 0.2, 0.3])
    horizon = 5000
    played = simulate(policy, Instance(mu, tau, rates, Deterministic()), horizon, replicates=1)
    rule, soft = rules.exploration_of(policy, variances=np.zeros(4)), policy == "soft_threshold_ucb"
    assert rule is not None
    predicted = predicted_pulls(instance_of(mu, tau, rates), horizon, rule=rule, soft=soft)
    assert np.abs(played.pulls[0, 0] - predicted)[1:].max() < 4


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
