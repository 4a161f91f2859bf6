"""The registry of policies, their tunings, and what tells LFG from its original."""

import math
from typing import Any, cast

import numpy as np
import pytest

from penalized_bandits import (
    POLICIES,
    Arm,
    BanditError,
    Beta,
    Deterministic,
    Instance,
    Policy,
    get_policy,
    simulate,
)
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import LogOf
from penalized_bandits.policies.explore_then_commit import pulls_per_arm
from strategies import random_instance, random_means


def test_lfg_original_is_lfg_with_fuller_queues_and_less_exploration() -> None:
    rule, original = POLICIES["lfg"], POLICIES["lfg_original"]
    assert (original.index, original.served) == (rule.index, rule.served)
    assert (rule.queues_since, original.queues_since) == (0, -1)
    # sqrt(3 log n / (2 N)) = sqrt(1.5 log n / N)
    assert (original.exploration, original.first_pulls) == (1.5, False)
    assert (rule.exploration, rule.first_pulls) == (2.0, True)
    # The bound of an arm never pulled counts as one.
    unpulled = Arm(
        n=1.0, mean=math.inf, radius=0.0, pulls=0.0, observed=0.0, below=True, fairness=0.1,
        penalty=0.3, queue=0.125, tuning=4.0,
    )  # fmt: skip
    assert original.index(unpulled) == 4.125


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
def test_length_of_the_exploration(arms: int, horizon: int, m: float) -> None:
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


# --- By hand, with deterministic rewards ------------------------------------------------


def test_logarithm_of_the_round_or_of_the_one_before() -> None:
    # mu = (0.75, 0.25): both readings begin alike, and after 16 rounds N = (12, 4).  Round 17:
    # log 17: 0.75 + 0.687 = 1.437 | 0.25 + 1.190 = 1.440 -> 1
    # log 16: 0.75 + 0.680 = 1.430 | 0.25 + 1.177 = 1.427 -> 0
    instance = Instance([0.75, 0.25], 0.0, 0.0, Deterministic())
    now, before = (trace("ucb1", instance, 17, log_of=log).arms for log in ("n", "n-1"))
    assert now[:16] == before[:16]
    assert now[:16].count(0) == 12
    assert (now[16], before[16]) == (1, 0)


def test_lfg_original() -> None:
    def arms_of_original(horizon: int, fairness: float) -> list[int]:
        instance = Instance([0.5, 0.25], [0.0, fairness], [0.0, 1.0], Deterministic())
        return trace("lfg_original", instance, horizon, tuning=1.0).arms

    # No forced pulls; queues hold tau in the first round; an arm never pulled has UCB 1.
    # tau_2 = 0.5, eta_0 = 1, Q_2 = 0.5 at first; radii are sqrt(1.5 log n / N).
    # n=1: 1 | 0.5 + 1 -> 1; Q_2 = max(0.5 + 0.5 - 1, 0) = 0
    # n=2: 1 (never pulled) | min(0.25 + sqrt(1.5 * 0.6931) = 1.27, 1) -> tie, 0; Q_2 = 0.5
    # n=3: 1 | 0.5 + 1 -> 1; Q_2 = 0.  Both UCBs stay above 1, so they take turns:
    # n=8, N = (3, 4): 0.5 + 1.02 | 0.25 + sqrt(1.5 * 2.0794 / 4) = 1.133 -> tie, 0
    assert arms_of_original(8, 0.5) == [1, 0, 1, 0, 1, 0, 1, 0]
    # With tau_2 = 0.125 likewise: 0.125 after a pull of arm 1, 0 after one of arm 2;
    # n=10, N = (4, 5): 0.25 + sqrt(1.5 * 2.3026 / 5) = 1.081 -> tie, 0.
    expected = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    assert arms_of_original(11, 0.125) == expected


def test_deficits_count_the_last_round_too() -> None:
    # tau_2 = 0.75 under UCB1, pulls [0, 1, 0, 1, 0, 0, 1, 0]: 0.75 t - N_2(t) is
    # 0.75, 0.5, 1.25, 1, 1.75, 2.5, 2.25, 3
    instance = Instance([0.5, 0.25], [0.125, 0.75], 0.0, Deterministic())
    for horizon, largest in ((1, 0.75), (2, 0.75), (3, 1.25), (7, 2.5), (8, 3.0)):
        run = trace("ucb1", instance, horizon)
        assert run.max_deficits == [0.0, largest]
        result = simulate("ucb1", instance, horizon, replicates=1)
        assert result.max_deficits[0, 0].tolist() == [0.0, largest]


@pytest.mark.parametrize("log_of", ["n", "n-1"])
@pytest.mark.parametrize(
    ("policy", "tuning"),
    [("hard_threshold_ucb", None), ("soft_threshold_ucb", None), ("fair_learn", 1e9)],
)
def test_no_fairness_is_ucb1(policy: str, tuning: float | None, log_of: LogOf) -> None:
    # Penalty rates of zero, or a tolerance that no deficit exceeds: C09.
    rng = np.random.default_rng(3)
    for family in ("gaussian", "bernoulli", "deterministic"):
        drawn = random_instance(rng, family, 6, 1)
        instance = Instance(random_means(rng, (6,)), 0.16, 0.0, drawn.rewards)
        common: dict[str, Any] = {"checkpoints": range(1, 501), "replicates": 9, "log_of": log_of}
        same = simulate("ucb1", instance, 500, **common)
        this = simulate(policy, instance, 500, tuning=tuning, **common)
        np.testing.assert_array_equal(this.pulls, same.pulls)


FOUR_ARMS = Instance([0.9, 0.8, 0.5, 0.3], [0.1, 0.3, 0.2, 0.15], [1, 0.6, 0.9, 0.1], Beta())


def seen_by(arms: list[int], rewards: list[float], instance: Instance) -> list[Arm]:
    """Return what is known of each arm after these pulls."""
    n = len(arms) + 1
    seen: list[Arm] = []
    for k, (tau, rate) in enumerate(zip(instance.fairness, instance.penalties, strict=True)):
        own = [reward for arm, reward in zip(arms, rewards, strict=True) if arm == k]
        radius = math.sqrt(2 * math.log(n) / len(own))
        below = len(own) < tau * n
        mean = math.fsum(own) / len(own)
        seen.append(
            Arm(n, mean, radius, len(own), len(own), below, float(tau), float(rate), 0.0, 0.0)
        )
    return seen


def test_frank_wolfe_is_the_hard_threshold_but_for_deficits_of_this_round() -> None:
    played = trace("hard_threshold_ucb", FOUR_ARMS, 400)
    alike = unlike = 0
    for n in range(5, 401):
        seen = seen_by(played.arms[: n - 1], played.rewards[: n - 1], FOUR_ARMS)
        indices = [POLICIES["frank_wolfe_ucb"].index(arm) for arm in seen]
        same = indices.index(max(indices)) == played.arms[n - 1]
        if all(arm.below == (arm.pulls < arm.fairness * (n - 1)) for arm in seen):
            assert same
            alike += 1
        else:
            unlike += not same
    assert alike > 100
    assert unlike > 10


def test_smoothed_threshold_has_the_hard_and_the_soft_one_at_its_ends() -> None:
    hard = trace("hard_threshold_ucb", FOUR_ARMS, 500).arms
    for width in (0.0, 1e-12):
        assert trace("smooth_threshold_ucb", FOUR_ARMS, 500, tuning=width).arms == hard
    for pulls, below in ((0.5, True), (12, True), (20, False), (31, False)):
        arm = Arm(100.0, 0.4, 0.3, pulls, pulls, below, 0.2, 0.7, 0.0, tuning=0.2 * 100.0)
        soft = POLICIES["soft_threshold_ucb"].index(arm)
        assert POLICIES["smooth_threshold_ucb"].index(arm) == pytest.approx(soft, rel=1e-12)


def test_smoothed_threshold_leaves_a_deficit_in_proportion_to_its_width() -> None:
    # w Delta / A = 40 * 0.3 / 0.6, less (r_2 - r_1) w / A = 0.6 for the radii and up to a pull.
    instance = Instance([0.8, 0.5], [0.1, 0.3], 0.6, Deterministic())
    run = simulate("smooth_threshold_ucb", instance, 100_000, replicates=1, tuning=40.0)
    assert 30_000 - run.pulls[0, -1, 1] == pytest.approx(19, abs=1.5)
