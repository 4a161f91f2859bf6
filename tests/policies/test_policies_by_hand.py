"""The oracle on examples small enough to trace by hand, and policies that must coincide.

Rewards are deterministic, K = 2, mu = (0.5, 0.25).  Arms are numbered from 0.  Radii are
sqrt(2 log n / N); what is needed of them:

    n        2      3      4      5      6      7      8
    2 log n  1.386  2.197  2.773  3.219  3.584  3.892  4.159
    N = 1    1.177  1.482  1.665  1.794  1.893  1.973  2.039
    N = 2    0.833  1.048  1.177  1.269  1.339  1.395  1.442
    N = 3    0.680  0.856  0.961  1.036  1.093  1.139  1.177
    N = 4    0.589  0.741  0.833  0.897  0.947  0.986  1.020
    N = 5    0.527  0.663  0.745  0.802  0.847  0.882  0.912
"""

from typing import Any

import numpy as np
import pytest

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli, Deterministic
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import LogOf, simulate
from strategies import random_instance, random_means


def arms(policy: str, horizon: int = 8, **what: Any) -> list[int]:
    defaults = {"fairness": [0.0, 0.5], "penalties": [0.0, 1.0], "tuning": None, "log_of": "n"}
    given = {**defaults, **what}
    instance = Instance([0.5, 0.25], given["fairness"], given["penalties"], Deterministic())
    run = trace(policy, instance, horizon, tuning=given["tuning"], log_of=given["log_of"])
    assert run.rewards == [(0.5, 0.25)[k] for k in run.arms]
    return run.arms


def test_logarithm_of_the_round_or_of_the_one_before() -> None:
    # mu = (0.75, 0.25): both readings begin alike, and after 16 rounds N = (12, 4).  Round 17:
    # log 17: 0.75 + 0.687 = 1.437 | 0.25 + 1.190 = 1.440 -> 1
    # log 16: 0.75 + 0.680 = 1.430 | 0.25 + 1.177 = 1.427 -> 0
    instance = Instance([0.75, 0.25], 0.0, 0.0, Deterministic())
    now, before = (trace("ucb1", instance, 17, log_of=log).arms for log in ("n", "n-1"))
    assert now[:16] == before[:16]
    assert now[:16].count(0) == 12
    assert (now[16], before[16]) == (1, 0)


def test_hard_threshold() -> None:
    # tau_2 n is 1.5, 2, 2.5, 3, 3.5, 4: below where N_2 is smaller, and then A_2 = 1 is added.
    # n=3: N=(1,1), 1 < 1.5: 1.982 | 0.25 + 1 + 1.482 = 2.732  -> 1
    # n=4: N=(1,2), 2 = 2:   0.5 + 1.665 = 2.165 | 0.25 + 1.177 = 1.427  -> 0
    # n=5: N=(2,2), 2 < 2.5: 1.769 | 0.25 + 1 + 1.269 = 2.519  -> 1
    # n=6: N=(2,3), 3 = 3:   0.5 + 1.339 = 1.839 | 0.25 + 1.093 = 1.343  -> 0
    # n=7: N=(3,3), 3 < 3.5: 0.5 + 1.139 = 1.639 | 0.25 + 1 + 1.139 = 2.389  -> 1
    # n=8: N=(3,4), 4 = 4:   0.5 + 1.177 = 1.677 | 0.25 + 1.020 = 1.270  -> 0
    assert arms("hard_threshold_ucb") == [0, 1, 1, 0, 1, 0, 1, 0]


def test_fair_learn() -> None:
    # Deficits tau_2 (n-1) - N_2, urgent where above alpha = 0:
    # n=3: 1 - 1 = 0, UCB1: 1.982 | 1.732   -> 0
    # n=4: 1.5 - 1 = 0.5                    -> 1
    # n=5: 2 - 2 = 0, N=(2,2): 1.769 | 1.519 -> 0
    # n=6: 2.5 - 2 = 0.5                    -> 1
    # n=7: 3 - 3 = 0, N=(3,3)               -> 0
    # n=8: 3.5 - 3 = 0.5                    -> 1
    assert arms("fair_learn", tuning=0.0) == [0, 1, 0, 1, 0, 1, 0, 1]
    # With tau_2 = 0.75 and alpha = 0.5 the first pull leaves 0.75 * 2 - 1 = 0.5, which is
    # not above alpha; in round 4 it is 0.75 * 3 - 1 = 1.25.
    # n=3: 0.5 -> UCB1 0;  n=4: 1.25 -> 1;  n=5: 3 - 2 = 1 -> 1;  n=6: 3.75 - 3 = 0.75 -> 1
    # n=7: 4.5 - 4 = 0.5 -> UCB1, N=(2,4): 0.5 + 1.395 = 1.895 | 0.25 + 0.986 -> 0
    # n=8: 5.25 - 4 = 1.25 -> 1
    assert arms("fair_learn", fairness=[0.0, 0.75], tuning=0.5) == [0, 1, 0, 1, 1, 1, 0, 1]


def test_lfg() -> None:
    # Index Q + eta_0 min(ucb, 1) with eta_0 = 1; every UCB of these rounds exceeds 1, so the
    # queue decides: Q_2 <- max(Q_2 + 0.5 - 1{pulled}, 0), Q_1 = 0 throughout.
    # after n=1: 0.5;  after n=2 (pulled): 0
    # n=3: 1 | 1 -> tie, 0, Q_2 = 0.5;  n=4: 1 | 1.5 -> 1, Q_2 = 0;  and so on
    assert arms("lfg", tuning=1.0) == [0, 1, 0, 1, 0, 1, 0, 1]
    # tau_2 = 0.75: after n=1 0.75, after n=2 0.5;
    # n=3: 1 | 1.5 -> 1, 0.25;  n=4: 1 | 1.25 -> 1, 0;  n=5: tie -> 0, 0.75;
    # n=6: 1.75 -> 1, 0.5;  n=7: 1, 0.25;  n=8: 1, 0
    assert arms("lfg", fairness=[0.0, 0.75], tuning=1.0) == [0, 1, 1, 1, 0, 1, 1, 1]


def test_lfg_original() -> None:
    # No forced pulls; queues hold tau in the first round; an arm never pulled has UCB 1.
    # tau_2 = 0.5, eta_0 = 1, Q_2 = 0.5 at first; radii are sqrt(1.5 log n / N).
    # n=1: 1 | 0.5 + 1 -> 1; Q_2 = max(0.5 + 0.5 - 1, 0) = 0
    # n=2: 1 (never pulled) | min(0.25 + sqrt(1.5 * 0.6931) = 1.27, 1) -> tie, 0; Q_2 = 0.5
    # n=3: 1 | 0.5 + 1 -> 1; Q_2 = 0.  Both UCBs stay above 1, so they take turns:
    # n=8, N = (3, 4): 0.5 + 1.02 | 0.25 + sqrt(1.5 * 2.0794 / 4) = 1.133 -> tie, 0
    assert arms("lfg_original", tuning=1.0) == [1, 0, 1, 0, 1, 0, 1, 0]
    # With tau_2 = 0.125 likewise: 0.125 after a pull of arm 1, 0 after one of arm 2;
    # n=10, N = (4, 5): 0.25 + sqrt(1.5 * 2.3026 / 5) = 1.081 -> tie, 0.
    expected = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    assert arms("lfg_original", 11, fairness=[0.0, 0.125], tuning=1.0) == expected


def test_explore_then_commit() -> None:
    # m = 2: rounds 1 to 4 in turn; then 0.5 | 0.25 + 1 where N_2 < 0.5 n:
    # n=5: 2 < 2.5 -> 1;  n=6: 3 = 3 -> 0;  n=7: 3 < 3.5 -> 1;  n=8: 4 = 4 -> 0
    assert arms("explore_then_commit", tuning=2) == [0, 1, 0, 1, 1, 0, 1, 0]
    # Without a penalty rate the better mean for ever.
    assert arms("explore_then_commit", tuning=2, penalties=0.0) == [0, 1, 0, 1] + [0] * 4


def test_explore_then_commit_freezes_the_means() -> None:
    # With m = 1 and Bernoulli rewards the arm whose first reward was larger wins for ever,
    # whatever it yields later (a tie goes to arm 0).
    instance = Instance([0.5, 0.5], 0.0, 0.0, Bernoulli())
    kept = set()
    for replicate in range(40):
        run = trace("explore_then_commit", instance, 30, replicate=replicate, tuning=1)
        best = int(run.rewards[1] > run.rewards[0])
        assert run.arms == [0, 1] + [best] * 28
        kept.add(best)
    assert kept == {0, 1}


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
