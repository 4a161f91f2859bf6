"""The smallest penalty rates: by hand, against the prediction that they invert, and simulated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bandit_factories import random_problem
from penalized_bandits.theory.exploration import Exploration, bernoulli_kl, root_log
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties

MEANS, FAIRNESS = np.array([0.9, 0.6, 0.5]), np.array([0.1, 0.2, 0.25])


@settings(max_examples=40)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([300, 10**5]),
    st.sampled_from([root_log(), root_log(0.02), bernoulli_kl()]),
    st.data(),
)
def test_arms_are_kept_by_these_rates_and_by_no_smaller_one(
    seed: int, horizon: int, rule: Exploration, data: st.DataObject
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


def test_arms_that_need_no_rate_and_levels_without_room() -> None:
    assert least_penalties(instance_of([0.9, 0.5], [0.1, 0.01]), [0, 1], 100).tolist() == [0, 0]
    assert least_penalties(instance_of(MEANS, FAIRNESS), [], 100).shape == (0,)
    # A level of one pull is met by the first, however far behind the arm is.
    assert least_penalties(instance_of([9.0, 0.0], [0.0, 0.01]), [1], 100).tolist() == [0]
    crowded = instance_of([0.9, 0.5, 0.1], [0.0, 0.0, 0.999])
    assert least_penalties(crowded, [2], 10).tolist() == [np.inf]
