"""The compiled engine pulls the arms that the plain-Python oracle pulls, round by round.

On random bandits, and on numbers at the edge of what is allowed.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from golden_pulls import takes
from penalized_bandits import POLICIES, Bernoulli, Deterministic, Gaussian, Instance, get_policy
from penalized_bandits.bandit.rewards import EXAMPLES, UnitIntervalFamily
from penalized_bandits.common.errors import LARGEST
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import LogOf, simulate_part
from penalized_bandits.policies.base import Hints, Policy, Round
from strategies import ANY, SIZES, TINY, Request, assert_as_the_oracle, requests

# The oracle takes about 2 microseconds for each arm of each round.
ORACLE_BUDGET = 30_000


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(data=st.data())
def test_any_simulation(policies: list[str], data: st.DataObject) -> None:
    request = data.draw(requests(policies, st.one_of(SIZES, st.sampled_from([118, 300]))))
    step = max(1, request.replicates * request.instance.n_arms * request.horizon // ORACLE_BUDGET)
    # The last replicate too.
    some = {*range(0, request.replicates, step), request.replicates - 1}
    assert_as_the_oracle(request, sorted(some))


def test_ties_made_by_rounding() -> None:
    # 0.1 + 0.2 exceeds 0.3 by one unit in the last place: whether the indices of two such
    # arms tie depends on the last bit of the radius, in engine and oracle alike.
    rng = np.random.default_rng(0)
    for seed in range(20):
        n_arms = int(rng.integers(2, 6))
        means, penalties = rng.integers(0, 4, (2, n_arms)) / 10
        instance = Instance(means, 0.99 / n_arms, penalties, Deterministic())
        for policy in ("hard_threshold_ucb", "soft_threshold_ucb"):
            assert_as_the_oracle(Request(policy, instance, 200, 1, seed, None, "n"), [0])


def test_normal_numbers_of_a_policy() -> None:
    instance = Instance([0.9, 0.6, 0.3], [0.1, 0.2, 0.3], [0.5, 1.0, 0.25], Bernoulli())
    assert_as_the_oracle(Request("thompson_hard_threshold", instance, 300, 3, 5, None, "n"))


LAWS = [law for law in EXAMPLES.values() if law.id != "categorical"]  # has means of its own
LAWS += [Gaussian(TINY), Gaussian(LARGEST)]


def tunings(policy: str) -> list[float | None]:
    rule = POLICIES[policy]
    if rule.tuning is None:
        return [None]
    return [1.0, 3.0, LARGEST] if rule.commits else [0.0, TINY, 3.0, LARGEST]


@st.composite
def extreme_vector(draw: st.DrawFn, n_arms: int, special: tuple[float, ...]) -> FloatArray:
    """Draw numbers, most of them special ones or equal to one another."""
    values = st.one_of(st.sampled_from(special), st.floats(0, 1))
    if draw(st.booleans()):
        return np.full(n_arms, draw(values))
    pool = draw(st.lists(values, min_size=1, max_size=4))
    chosen = draw(st.lists(st.integers(0, len(pool) - 1), min_size=n_arms, max_size=n_arms))
    return np.array(pool)[chosen]


@st.composite
def extreme_bandits(draw: st.DrawFn) -> Instance:
    """Draw an instance whose numbers are at their limits, beside others that are not."""
    n_arms = draw(st.one_of(st.integers(1, 6), st.sampled_from([129, 140])))
    family = draw(st.sampled_from(LAWS))
    wide = not isinstance(family, UnitIntervalFamily)
    special = (0.0, 1.0, 0.5, TINY, 1 - 2**-53) + ((LARGEST, -LARGEST, -1.0) if wide else ())
    means = draw(extreme_vector(n_arms, special))
    penalties = draw(extreme_vector(n_arms, (0.0, TINY, 1e9, LARGEST)))
    weights = draw(extreme_vector(n_arms, (0.0, TINY, 1e-9, 1.0)))
    total = draw(st.sampled_from([0.0, 0.5, 1.0]))
    fairness = weights / max(math.fsum(weights), 1e-300) * total
    return Instance(means, fairness, penalties, family)


@pytest.mark.parametrize("policies", ANY)
@settings(max_examples=50)
@given(
    bandit=extreme_bandits(),
    horizon=st.integers(1, 60),
    log_of=st.sampled_from(["n", "n-1"]),
    data=st.data(),
)
def test_any_extremes(
    policies: list[str], bandit: Instance, horizon: int, log_of: LogOf, data: st.DataObject
) -> None:
    policy = data.draw(st.sampled_from(sorted(policies)))
    assume(takes(policy, bandit.rewards.id))
    tuning = data.draw(st.sampled_from(tunings(policy)))
    rounds = horizon if bandit.n_arms < 100 else bandit.n_arms + horizon
    if get_policy(policy).needs_unit_rewards:
        bandit = replace(bandit, means=np.clip(bandit.means, 0.0, 1.0))
    assert_as_the_oracle(Request(policy, bandit, rounds, 1, 1, tuning, log_of))


def noisy(state: Round) -> int:
    best, choice = -np.inf, 0
    for k in range(len(state.pulls)):
        if state.means[k] + state.noise[k] > best:
            best, choice = state.means[k] + state.noise[k], k
    return choice


def test_a_policy_that_chooses_has_the_same_normal_numbers() -> None:
    policy = Policy("noisy", choose=noisy, hints=Hints(compiles=True), draws=True, exploration=0.5)
    instance = Instance([0.8, 0.5, 0.4], 0.0, 0.0, Gaussian(0.2))
    expected = np.bincount(trace(policy, instance, 300).arms, minlength=3)
    pulls = simulate_part(policy, instance, 300, replicates=1, engine="rounds").pulls
    np.testing.assert_array_equal(pulls[0, -1], expected)
