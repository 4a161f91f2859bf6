"""The instances of Theorems 4.6 to 4.8, played."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from penalized_bandits import BanditError, Instance, penalized_regret, simulate
from penalized_bandits.theory.bounds import lower_bound_4_8, two_point_bound
from penalized_bandits.theory.constructions import (
    Construction,
    critical_construction,
    instance_pair,
    non_critical_construction,
    pair_against,
)
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.typing import FloatArray

ONE_EACH = {
    "critical_gap": 0.2,
    "critical_penalty": 0.5,
    "non_critical_gap": 0.6,
    "non_critical_penalty": 0.1,
    "fairness": 0.1,
}


def played(construction: Construction) -> tuple[FloatArray, float]:
    """Pulls of the hard-threshold rule and its regret; rewards are deterministic."""
    bandit = construction.instance
    result = simulate("hard_threshold_ucb", bandit, construction.horizon, replicates=1)
    pulls = result.pulls[0, -1]
    regret = penalized_regret(pulls, bandit.means, bandit.fairness, bandit.penalties)
    return pulls.astype(np.float64), float(regret)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(2, 6),
    st.sampled_from([1000, 5000, 20_000]),
    st.floats(0.3, 1.0),
    st.floats(0.0, 0.9),
    st.floats(0.1, 0.9),
    st.floats(0.0, 0.5),
)
def test_theorem_4_6_on_its_construction(
    n_arms: int, horizon: int, gap: float, share: float, total: float, first: float
) -> None:
    """Wherever the proof's conditions hold, pulls and regret are what it says."""
    tau = np.full(n_arms, total / n_arms)
    tau[0] = min(first, 0.999 - tau[1:].sum())
    c = non_critical_construction(n_arms, horizon, gap=gap, penalty=share * gap, fairness=tau)
    assume(c.holds)
    pulls, regret = played(c)
    assert (pulls >= c.pulls_bound).all()
    assert regret >= c.regret_bound


def test_theorem_4_6_by_hand() -> None:
    c = non_critical_construction(4, 20_000, gap=0.9, penalty=0.1, fairness=[0.1, 0.2, 0.2, 0.2])
    assert c.holds
    assert c.instance.means.tolist() == [0.9, 0, 0, 0]
    assert c.instance.non_critical.tolist() == [False, True, True, True]
    assert c.pulls_bound[1:] == pytest.approx(math.log(20_000) / 0.64)
    assert c.regret_bound == pytest.approx(3 * math.log(20_000) / 0.8)


def test_the_constant_of_theorem_4_6_is_2_on_its_construction() -> None:
    """Not 1, nor the 8 of the upper bound."""
    c = non_critical_construction(3, 1_000_000, gap=0.9, penalty=0.1, fairness=0.1)
    pulls, regret = played(c)
    assert pulls[1:] / c.pulls_bound[1:] == pytest.approx(2, rel=0.05)
    assert regret / c.regret_bound == pytest.approx(2, rel=0.05)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 3),
    st.integers(0, 3),
    st.sampled_from([5000, 20_000, 100_000]),
    st.floats(4.0, 12.0),
    st.floats(0.0, 1.0),
    st.floats(0.0, 0.7),
)
def test_theorem_4_7_on_its_construction(
    n_critical: int, n_non_critical: int, horizon: int, scale: float, level: float, share: float
) -> None:
    """Gaps of the order sqrt(log T/T), fractions up to what the proof assumes."""
    gap = scale * math.sqrt(n_critical * math.log(horizon) / horizon)
    assume(gap < 0.4)
    tau = np.full(1 + n_critical + n_non_critical, 0.1)
    tau[1 : 1 + n_critical] = min(level * math.log(horizon) / gap**2 / horizon, 0.1)
    c = critical_construction(
        n_critical,
        n_non_critical,
        horizon,
        critical_gap=gap,
        critical_penalty=gap + 0.3,
        non_critical_gap=0.6,
        non_critical_penalty=0.6 * share,
        fairness=tau,
    )
    assume(c.holds)
    pulls, regret = played(c)
    assert (pulls >= c.pulls_bound).all()
    assert regret >= c.regret_bound


def test_theorem_4_7_by_hand() -> None:
    c = critical_construction(2, 1, 10_000, **{**ONE_EACH, "fairness": [0.1, 0.01, 0.02, 0.1]})
    assert c.holds
    assert c.instance.means == pytest.approx([0.8, 0.6, 0.6, 0.2])
    assert c.instance.penalties.tolist() == [0.5, 0.5, 0.5, 0.1]
    assert c.instance.critical.tolist() == [False, True, True, False]
    assert c.instance.non_critical.tolist() == [False, False, False, True]
    log = math.log(10_000)
    assert c.pulls_bound == pytest.approx([0, log / 0.04, log / 0.04, 0])
    assert c.regret_bound == pytest.approx(2 * log / 0.2 - 0.2 * 300)


@pytest.mark.parametrize("horizon", [1000, 10_000, 100_000])
def test_theorem_4_7_where_its_last_step_fails(horizon: int) -> None:
    """Delta_2 = 4.05 sqrt(log T/T) is what the proof assumes, but not what it uses.

    Its last inequality wants 4.83 sqrt(log T/T) and more, as it counts T/2 pulls of arm 1,
    which has far more: the claim holds all the same.
    """
    gap = 4.05 * math.sqrt(math.log(horizon) / horizon)
    c = critical_construction(
        1,
        0,
        horizon,
        critical_gap=gap,
        critical_penalty=gap + 0.3,
        non_critical_gap=0.3,
        non_critical_penalty=0.0,
        fairness=[0.1, 0.05],
    )
    assert [x.holds for x in c.conditions] == [True, True, True, True, False]
    pulls, regret = played(c)
    assert (pulls >= c.pulls_bound).all()
    assert regret >= c.regret_bound > 0


def test_theorem_4_7_cannot_hold_for_fixed_numbers_and_all_horizons() -> None:
    """tau T overtakes log T/Delta^2, and the bound turns negative."""
    of = [critical_construction(1, 1, t, **ONE_EACH) for t in (4000, 10**5)]
    assert of[0].holds is False
    assert of[1].regret_bound < 0


def test_theorem_4_6_with_a_large_fraction_for_the_best_arm() -> None:
    """tau_1 > 1/2 is outside the proof; the pulls are as claimed at T."""
    horizon = 10_000
    margin = 1.02 * math.sqrt(16 * math.log(horizon) / (0.1 * horizon))
    c = non_critical_construction(
        3, horizon, gap=0.9, penalty=0.9 - margin, fairness=[0.75, 0.1, 0.1]
    )
    assert [x.holds for x in c.conditions] == [True, True, False, True]
    pulls, regret = played(c)
    assert (pulls >= c.pulls_bound).all()
    assert regret >= c.regret_bound


def test_constructions_follow_the_fluid_prediction() -> None:
    for c in (
        non_critical_construction(3, 20_000, gap=0.8, penalty=0.2, fairness=0.2),
        critical_construction(1, 2, 20_000, **{**ONE_EACH, "fairness": [0.1, 0.01, 0.1, 0.1]}),
    ):
        i = c.instance
        predicted = predicted_pulls(i.means, i.fairness, i.penalties, c.horizon)
        assert np.abs(played(c)[0] - predicted).max() <= i.n_arms


def expected_regrets(
    policy: str, pair: tuple[Instance, Instance], horizon: int, tuning: float | None
) -> tuple[float, float]:
    """Return both mean regrets, four standard errors lower each."""
    lower = []
    for bandit in pair:
        result = simulate(policy, bandit, horizon, replicates=100, seed=7, tuning=tuning)
        regret = penalized_regret(
            result.pulls[:, -1], bandit.means, bandit.fairness, bandit.penalties
        )
        lower.append(float(regret.mean() - 4 * regret.std(ddof=1) / math.sqrt(regret.size)))
    return lower[0], lower[1]


@pytest.mark.parametrize(
    ("policy", "tuning"),
    [
        ("hard_threshold_ucb", None),
        ("ucb1", None),
        ("soft_threshold_ucb", None),
        ("fair_learn", 0.0),
        ("lfg", 50.0),
        ("explore_then_commit", 20.0),
    ],
)
def test_theorem_4_8_against_every_policy(policy: str, tuning: float | None) -> None:
    horizon, tau = 2000, np.array([0.1, 0.05, 0.1, 0.1])
    pair = pair_against(policy, tau, 0.5, horizon, tuning=tuning, replicates=50)
    assert pair.holds
    assert pair.arm == 1 + int(np.argmin(pair.pulls[1:]))
    assert pair.regret_bound == pytest.approx(float(lower_bound_4_8(tau, horizon)))
    regrets = expected_regrets(policy, (pair.first, pair.second), horizon, tuning)
    assert max(regrets) >= pair.regret_bound


def test_instance_pair_by_hand() -> None:
    first, second = instance_pair([0.1, 0.2, 0.3], 0.5, gap=0.125, arm=2, sd=0.5)
    assert first.means.tolist() == [0.125, 0, 0]
    assert second.means.tolist() == [0.125, 0, 0.25]
    assert first.rewards == second.rewards
    assert second.penalties.tolist() == [0.5] * 3


def test_pair_with_another_gap_and_small_rates() -> None:
    tau = [0.1, 0.2, 0.3]
    pair = pair_against("ucb1", tau, [0.1, 0.3, 0.3], 500, gap=0.2, sd=0.5, replicates=10)
    assert pair.gap == 0.2
    assert pair.regret_bound == pytest.approx(float(two_point_bound(tau, 500, 0.2, sd=0.5)))
    # The first arm's rate is below the gap.
    assert not pair.holds
    assert pair.conditions[2].per_arm.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: non_critical_construction(1, 100, gap=0.5, penalty=0.1, fairness=0.1), "arms"),
        (lambda: non_critical_construction(2, 100, gap=0.5, penalty=0.5, fairness=0.1), "gap"),
        (lambda: non_critical_construction(2, 100, gap=1.5, penalty=0.5, fairness=0.1), "gap"),
        (lambda: non_critical_construction(2, 1, gap=0.5, penalty=0.1, fairness=0.1), "horizon"),
        (lambda: non_critical_construction(2, 9, gap=0.5, penalty=0.1, fairness=[0.1]), "shape"),
        (lambda: non_critical_construction(2, 9, gap=0.5, penalty=0.1, fairness=0.5), "sum"),
        (lambda: critical_construction(0, 1, 100, **ONE_EACH), "at least 1"),
        (lambda: critical_construction(1, 1, 9, **{**ONE_EACH, "critical_gap": 0.5}), "critical"),
        (lambda: critical_construction(1, 1, 9, **{**ONE_EACH, "non_critical_gap": 0.9}), "gap"),
        (lambda: instance_pair([0.1, 0.1], 0.5, gap=0.1, arm=0), "arm is 0"),
        (lambda: instance_pair([0.1, 0.1], 0.5, gap=0.1, arm=2), "arm is 2"),
        (lambda: pair_against("ucb1", [0.1], 0.5, 100), "at least 2"),
        (lambda: pair_against("ucb2", [0.1, 0.1], 0.5, 100), "ucb2"),
    ],
)
def test_refuses(call, message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
