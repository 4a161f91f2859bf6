"""Each policy's formulas against arithmetic written out, and the contract that all keep."""

import math
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits.engine.simulate import simulate
from penalized_bandits.errors import BanditError
from penalized_bandits.instances import Instance
from penalized_bandits.policies import NOT_URGENT, POLICIES, Arm, Policy, get_policy
from penalized_bandits.policies.base import no_queue, no_urgency
from penalized_bandits.policies.explore_then_commit import pulls_per_arm
from penalized_bandits.rewards import Bernoulli
from strategies import FAMILIES, random_instance, random_tuning

CLOSE: dict[str, Any] = {"rel": 1e-14, "abs": 0.0}  # a few roundings


def arm(**what: Any) -> Arm:
    """An arm in round 100: 8 pulls with mean 0.5, level 0.1 * 100 = 10, penalty rate 0.3."""
    radius = math.sqrt(2 * math.log(100) / 8)  # sqrt(2 log n / N) = sqrt(9.2103.../8) = 1.07298...
    usual = Arm(
        n=100.0,
        mean=0.5,
        radius=radius,
        pulls=8.0,
        below=True,
        fairness=0.1,
        penalty=0.3,
        queue=0.0,
        tuning=0.0,
    )
    return usual._replace(**what)


class TestHardThreshold:
    index = staticmethod(POLICIES["hard_threshold_ucb"].index)

    def test_below_the_level_the_whole_rate_is_added(self) -> None:
        # 0.5 + 0.3 + 1.0729830131446736
        assert self.index(arm()) == pytest.approx(1.8729830131446736, **CLOSE)

    def test_at_the_level_nothing_is_added(self) -> None:
        assert self.index(arm(pulls=10.0, below=False, radius=0.96)) == 0.5 + 0.96


class TestSoftThreshold:
    index = staticmethod(POLICIES["soft_threshold_ucb"].index)

    def test_below_the_level_the_missing_fraction_of_the_rate_is_added(self) -> None:
        # A max(tau n - N, 0) / (tau n) = 0.3 * (10 - 8) / 10 = 0.06
        assert self.index(arm()) == pytest.approx(0.5 + 0.06 + 1.0729830131446736, **CLOSE)

    def test_at_the_level_nothing_is_added(self) -> None:
        assert self.index(arm(pulls=10.0, below=False, radius=0.96)) == 0.5 + 0.96

    def test_fraction_of_zero(self) -> None:
        assert self.index(arm(fairness=0.0, below=False, radius=0.25)) == 0.75


def test_ucb1_index() -> None:
    assert POLICIES["ucb1"].index(arm()) == pytest.approx(1.5729830131446736, **CLOSE)


class TestFairLearn:
    rule = POLICIES["fair_learn"]

    def test_deficit_counts_the_rounds_played(self) -> None:
        # tau (n-1) - N = 0.1 * 99 - 8 = 1.9
        assert self.rule.urgency(arm(tuning=0.0)) == pytest.approx(1.9, rel=1e-14)

    def test_only_a_deficit_above_alpha_is_urgent(self) -> None:
        # tau (n-1) - N = 0.25 * 40 - 8 = 2, exact in binary
        deficit_of_two = arm(n=41.0, fairness=0.25)
        assert self.rule.urgency(deficit_of_two._replace(tuning=1.5)) == 2.0
        assert self.rule.urgency(deficit_of_two._replace(tuning=2.0)) == NOT_URGENT

    def test_no_deficit_is_not_urgent_even_for_alpha_zero(self) -> None:
        assert self.rule.urgency(arm(pulls=10.0)) == NOT_URGENT

    def test_otherwise_ucb1(self) -> None:
        assert self.rule.index(arm()) == POLICIES["ucb1"].index(arm())


class TestLfg:
    rule = POLICIES["lfg"]
    original = POLICIES["lfg_original"]

    def test_ucb_is_truncated_at_one(self) -> None:
        # Q + eta_0 min(0.5 + 1.07, 1) = 2.5 + 4 * 1
        assert self.rule.index(arm(queue=2.5, tuning=4.0)) == 6.5

    def test_ucb_below_one(self) -> None:
        # 2.5 + 4 * (0.5 + 0.25)
        assert self.rule.index(arm(queue=2.5, tuning=4.0, radius=0.25)) == 5.5

    def test_original_has_the_same_index_and_fuller_queues(self) -> None:
        assert self.original.index is self.rule.index
        assert (self.rule.queues_since, self.original.queues_since) == (0, -1)

    def test_arm_never_pulled_counts_as_one(self) -> None:
        one = arm(queue=0.125, tuning=4.0, mean=math.inf, radius=0.0, pulls=0.0)
        assert self.original.index(one) == 4.125

    @pytest.mark.parametrize(
        ("arrived", "after"),
        [
            (0.625, 0.0),  # max(0.5 + 1/8 - 1, 0)
            (1.0, 0.0),
            (2.125, 1.125),  # 2 + 1/8 - 1
        ],
    )
    def test_queue(self, arrived: float, after: float) -> None:
        assert self.rule.served(arrived, 0.5, 10.0) == after
        assert self.original.served is self.rule.served

    def test_original_explores_as_published(self) -> None:
        # sqrt(3 log n / (2 N)) = sqrt(1.5 log n / N)
        assert (self.original.exploration, self.original.first_pulls) == (1.5, False)
        assert (self.rule.exploration, self.rule.first_pulls) == (2.0, True)


class TestExploreThenCommit:
    rule = POLICIES["explore_then_commit"]

    def test_no_radius(self) -> None:
        assert self.rule.index(arm()) == 0.8
        assert self.rule.index(arm(below=False)) == 0.5

    @pytest.mark.parametrize(
        ("arms", "horizon", "m"),
        [
            (8, 8000, 208),  # (1000)^(2/3) (log 8000)^(1/3) = 100 * 2.0791... = 207.9...
            (5, 500, 40),  # 100^(2/3) (log 500)^(1/3) = 21.544 * 1.8383 = 39.6...
            (20, 30, 1),  # no more than T/K pulls
            (20, 3, 1),  # and never none
            (1, 1, 1),
        ],
    )
    def test_length_of_the_exploration(self, arms: int, horizon: int, m: float) -> None:
        assert pulls_per_arm(arms, horizon) == m


@pytest.mark.parametrize("symbol", ["alpha", "eta_0"])
def test_tunings_of_the_settings(symbol: str) -> None:
    # alpha = 0 and (1 - eta) tau_1 T; eta_0 = sqrt(T) and (1 - eta) T: Settings 1 and 2.
    tuning = POLICIES["fair_learn" if symbol == "alpha" else "lfg"].tuning
    assert tuning is not None
    assert tuning.regret is not None
    assert tuning.path is not None
    assert tuning.tradeoff is not None
    if symbol == "alpha":
        assert tuning.regret(5, 400) == 0.0
        assert tuning.path(0.25, 600.0, 10000) == 450.0
        assert tuning.tradeoff(5, 100.0, 10000) == [0.0, 25.0, 50.0, 75.0, 100.0]
    else:
        assert tuning.regret(5, 400) == 20.0
        assert tuning.path(0.25, 600.0, 10000) == 7500.0
        assert tuning.tradeoff(3, 100.0, 10000) == pytest.approx([1.0, 100.0, 10000.0])


@given(
    st.sampled_from([p for p in POLICIES.values() if p.urgency is no_urgency]),
    st.floats(0, 1),
)
def test_only_fair_learn_overrides_the_index(policy: Policy, mean: float) -> None:
    assert policy.id != "fair_learn"
    assert policy.urgency(arm(mean=mean)) == NOT_URGENT


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_who_keeps_queues(policy: Policy) -> None:
    assert (policy.served is no_queue) == (policy.id not in ("lfg", "lfg_original", "primal_dual"))
    assert no_queue(3.0, 0.5, 10.0) == 3.0


@pytest.mark.parametrize("policy", POLICIES)
def test_says_truly_whether_it_ignores_penalties(policy: str) -> None:
    rng = np.random.default_rng(1)
    tuning = random_tuning(rng, policy, 300)
    pulls = []
    for rate in (0.0, 0.4):
        instance = random_instance(np.random.default_rng(2), "deterministic", 5, 1)
        with_rate = type(instance)(instance.means, 0.15, rate, instance.rewards)
        run = simulate(policy, with_rate, 300, tuning=tuning, replicates=1)
        pulls.append(run.pulls.tolist())
    assert (pulls[0] == pulls[1]) == POLICIES[policy].ignores_penalties


@given(
    policy=st.sampled_from(sorted(POLICIES)),
    family=st.sampled_from(FAMILIES),
    n_arms=st.integers(1, 12),
    seed=st.integers(0, 2**32 - 1),
)
def test_every_round_pulls_one_arm(policy: str, family: str, n_arms: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, family, n_arms, 3)
    tuning = random_tuning(rng, policy, 100)
    run = simulate(
        policy, instance, 100, replicates=3, seed=seed, tuning=tuning, checkpoints=range(1, 101)
    )
    steps = np.diff(run.pulls, axis=1, prepend=0)
    assert (steps >= 0).all()
    assert (steps.sum(axis=2) == 1).all()


def test_registry() -> None:
    assert all(policy.id == name for name, policy in POLICIES.items())
    assert {
        "hard_threshold_ucb",
        "lfg",
        "fair_learn",
        "ucb1",
        "soft_threshold_ucb",
        "explore_then_commit",
    } <= set(POLICIES)
    assert len({policy.label for policy in POLICIES.values()}) == len(POLICIES)
    assert get_policy("lfg") is get_policy(POLICIES["lfg"]) is POLICIES["lfg"]
    with pytest.raises(BanditError, match=r"unknown policy 'epsilon'.*hard_threshold_ucb"):
        get_policy("epsilon")
    nothing: Any = None
    with pytest.raises(BanditError, match="policy is None: it must be an id, my_module:policy or"):
        simulate(nothing, Instance([0.9, 0.6], 0.2, 0.4, Bernoulli()), 10)
    with pytest.raises(BanditError, match="instance is None: it must be an Instance"):
        simulate("ucb1", nothing, 10)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_tuning_checks(policy: Policy) -> None:
    if policy.tuning is None:
        assert policy.check_tuning(None) == 0.0
        with pytest.raises(BanditError, match=f"{policy.id} has no tuning"):
            policy.check_tuning(1.0)
        return
    assert policy.check_tuning(3) == 3.0
    for wrong in (None, -1.0, math.nan, math.inf, cast("float", "one")):
        with pytest.raises(BanditError, match=policy.id):
            policy.check_tuning(wrong)
