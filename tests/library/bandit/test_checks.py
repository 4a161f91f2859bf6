"""Numbers on their way into the package: what NumPy would convert in silence is refused."""

import math
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pickle import dumps, loads
from typing import Any

import numpy as np
import pandas as pd
import pytest

import penalized_bandits as pb
from penalized_bandits.bandit.checks import numbers
from penalized_bandits.common.errors import LARGEST, whole, within
from penalized_bandits.statistics.anytime import beta_interval
from penalized_bandits.statistics.estimates import holm, mean_estimate
from penalized_bandits.theory.bounds import gap_dependent_bound, lower_bound_4_8
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.deficits import drift_bound, small_margin_bound
from penalized_bandits.theory.fluid import predicted_pulls, predicted_regret
from penalized_bandits.theory.inputs import free_share, instance_of
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_constant

STRANGE = {
    "dates": np.array(["2020-01-01", "2021-01-01"], "M8[D]"),
    "texts": ["0.5", "0.4"],
    "text beside number": [0.5, "0.4"],
    "complex": np.array([0.5, 0.4 + 0j]),
    "masked": np.ma.masked_array([0.5, 0.4], [False, True]),
    "missing": pd.array([0.5, None], "Float64"),
    "none": [0.5, None],
    "a set": {0.5, 0.4},
    "rows of two lengths": [[0.5], [0.4, 0.3]],
    "unsigned and too large": np.array([1, 2**64 - 1], np.uint64),
}
PLAIN = {
    **{kind: np.array([1, 0], kind) for kind in "?bhilqBHILQefdg"},
    "decimals": [Decimal("0.5"), Fraction(1, 4)],
    "mixed objects": np.array([1, 0.5, np.float32(0.25), True, np.True_], object),
    "nullable": pd.array([1, 0], "Int64"),
    "unmasked": np.ma.masked_array([0.5, 0.4], [False, False]),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_values_that_are_no_numbers_are_refused(kind: str) -> None:
    with pytest.raises(pb.BanditError, match=r"^(a value of )?means "):
        numbers("means", STRANGE[kind])


@pytest.mark.parametrize("kind", PLAIN)
def test_numbers_of_all_kinds_are_taken(kind: str) -> None:
    found = numbers("means", PLAIN[kind])
    assert found.dtype == np.float64
    assert found.tolist() == [float(value) for value in PLAIN[kind]]


NO_NUMBER: list[Any] = ["1", b"1", 1j, None, [1], np.ones(1), np.ma.masked]
SPANS = [np.timedelta64(1, "s"), np.timedelta64(1, "ns")]
ONE: list[Any] = [1, 1.0, True, Decimal(1), Fraction(1), np.int8(1), np.float32(1), np.array(1)]


@pytest.mark.parametrize("value", [*NO_NUMBER, *SPANS, 10**400, np.float16("inf")])
def test_one_number_is_no_date_and_no_text(value: Any) -> None:
    assert not within(value, 0, LARGEST)
    with pytest.raises(pb.BanditError, match="sd of Gaussian rewards is"):
        pb.Gaussian(value)


@pytest.mark.parametrize("value", ONE)
def test_one_number_of_any_type(value: Any) -> None:
    assert within(value, 0, 2)
    assert pb.HeavyTailed(value, 1.5) == pb.HeavyTailed(1.0, 1.5)


@pytest.mark.parametrize(
    "value", [*NO_NUMBER, *SPANS, True, np.True_, np.array(True), 1e4 + 0.5, math.nan, -math.inf]
)
def test_what_is_counted_is_whole(value: Any) -> None:
    with pytest.raises(pb.BanditError, match=r"^n is .*: it must be a whole number$"):
        whole("n", value)


def test_counts_are_taken_as_people_write_them() -> None:
    plain = pb.simulate("ucb1", BANDIT, 200, replicates=5, seed=3, checkpoints=[10, 20])
    kinds: list[Any] = [float, np.float64, np.uint8, np.array, Fraction]
    for kind in kinds:
        counts = {"replicates": kind(5), "seed": kind(3), "checkpoints": (kind(10), kind(20))}
        run = pb.simulate("ucb1", BANDIT, kind(200), **counts)
        np.testing.assert_array_equal(run.pulls, plain.pulls)
    with pytest.raises(pb.BanditError, match=r"^horizon is 10000\.5: it must be a whole number"):
        pb.simulate("ucb1", BANDIT, 1e4 + 0.5)  # pyright: ignore[reportArgumentType]
    corners = pb.oracle_frontier(BANDIT, kinds[2](100)).reward
    np.testing.assert_array_equal(corners, pb.oracle_frontier(BANDIT, 1e2).reward)


@pytest.mark.parametrize("copied", [lambda x: x, copy, deepcopy, lambda x: loads(dumps(x))])
def test_arrays_of_an_instance_are_its_own_and_read_only(copied: Callable[[Any], Any]) -> None:
    means = np.array([0.5, 0.5])
    law = pb.Categorical(np.array([0.0, 1.0]), np.full((2, 2), 0.5))
    bandit = copied(pb.Instance(means, np.array([0.1, 0.2]), np.full((3, 2), 0.3), law))
    means[0] = 7.0
    assert bandit.means.tolist() == [0.5, 0.5]
    law, code = bandit.rewards, bandit.reward_code
    own = (bandit.means, bandit.fairness, bandit.penalties, bandit.gaps, bandit.margins)
    for array in (*own, law.support, law.probabilities, code.support, code.cumulative):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1.0


BANDIT = instance_of([0.9, 0.7, 0.3], [0.1, 0.2, 0.3], [0.5, 0.3, 0.2])


@pytest.mark.parametrize("kind", ["m8[s]", "U9", "c16"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: pb.Instance(x, 0.1, 0.0, pb.Gaussian(0.1)),
        lambda x: pb.penalized_regret(x, BANDIT),
        lambda x: gap_dependent_bound(BANDIT, x),
        lambda x: small_margin_bound(x, 1000),
        mean_estimate,
        holm,
        lambda x: beta_interval([1, 1, 1], x, 0.05),
    ],
)
def test_no_function_takes_what_is_no_number(function: Callable[[Any], Any], kind: str) -> None:
    with pytest.raises(pb.BanditError, match="must be numbers"):
        function(np.array([0, 1, 0]).astype(kind))


@pytest.mark.parametrize(
    ("function", "rtol"),
    [(lambda bandit: predicted_pulls(bandit, 10**4), 1e-9), (lower_constant, 1e-14)],
)
def test_many_bandits_are_as_alone(function: Callable[[pb.Instance], Any], rtol: float) -> None:
    means, rates = np.random.default_rng(3).random((2, 6, 4))
    together = function(instance_of(means, 0.2, rates, pb.Bernoulli()))
    for r, (mu, a) in enumerate(zip(means, rates, strict=True)):
        alone = function(instance_of(mu, 0.2, a, pb.Bernoulli()))
        np.testing.assert_allclose(together[r], alone, rtol=rtol)


GOOD: dict[str, Any] = {
    "means": [0.9, 0.5, 0.1],
    "fairness": [0.1, 0.2, 0.3],
    "penalties": [0.0, 0.4, 0.5],
    "rewards": pb.Gaussian(0.1),
}


@pytest.mark.parametrize(
    ("wrong", "culprit"),
    [
        ({"means": []}, "means must have shape"),
        ({"means": np.zeros((2, 2, 2))}, "means must have shape"),
        ({"means": [0.9, math.nan, 0.1]}, "a value of means is not finite"),
        ({"fairness": [0.1, 0.2]}, r"fairness has shape \(2,\).*3 arms: it must be \(3,\)$"),
        ({"fairness": np.full((2, 3), 0.1)}, r"fairness has shape \(2, 3\)"),
        ({"fairness": [0.1, 0.2, -0.1]}, "fairness holds -0.1"),
        ({"fairness": [0.25, 0.25, 0.5 + 1e-9]}, "sum to 1.000000001: the sum must be at most 1"),
        ({"penalties": [0.1] * 4}, r"penalties has shape \(4,\).*must be \(3,\) or \(R, 3\)$"),
        ({"penalties": [0.1, -2.0, 0.0]}, "penalties holds -2"),
        ({"means": [0, -1.01e12, 0]}, "a value of means is -1.01e.12: at most 1e.12"),
        ({"means": None}, r"^means are missing, and Gaussian\(sd=0.1\) does not know them"),
        ({"fairness": None}, "fairness must be numbers in rows of one length: found None"),
        ({"rewards": "gaussian"}, "rewards is 'gaussian': it must be a reward family"),
        ({"means": np.full((4, 3), 0.5), "penalties": np.ones((5, 3))}, r"shape \(5, 3\)"),
        ({"ceilings": [0.0, 1, 1]}, r"ceilings\[0\] is 0: it must be above 0, .* 0.1 and"),
        ({"ceilings": [1, 1.5, 1]}, r"ceilings\[1\] is 1.5.*at most 1"),
        ({"excess_penalties": -1.0}, "excess_penalties holds -1"),
        ({"excess_penalties": [math.nan, 1, 1]}, "excess_penalties is not finite: nan"),
    ],
)
def test_errors_name_the_culprit(wrong: dict[str, Any], culprit: str) -> None:
    pb.Instance(**GOOD)
    with pytest.raises(pb.BanditError, match=culprit):
        pb.Instance(**{**GOOD, **wrong})


@pytest.mark.parametrize("n_arms", [3, 10, 49, 1000])
def test_equal_shares_of_one_are_one_however_they_round(n_arms: int) -> None:
    # 49 times 1/49 is less than 1 in binary, ten times 0.1 less or 1 by the order of adding.
    means = np.full(n_arms, 0.5)
    bandit = pb.Instance(means, 1 / n_arms, 0.0, pb.Bernoulli())
    assert free_share(bandit.fairness) == 0 == lower_bound_4_8(bandit.fairness, 100)
    alone = pb.Instance([0.5, 0.5], [1.0, 0.0], 1.0, pb.Bernoulli())
    np.testing.assert_array_equal(drift_bound(alone), [np.inf, np.nan])
    assert (drift_bound(replace(bandit, penalties=1.0)) == n_arms - 1).all()
    with pytest.raises(pb.BanditError, match="the sum must be at most 1"):
        pb.Instance(means, (1 + 1e-12) / n_arms, 0.0, pb.Bernoulli())


def test_conditions_of_theorems_are_not_met_without_a_free_share() -> None:
    bandit = pb.Instance([0.9, 0.5, 0.1], [0.5, 0.5, 0.0], [5.0, 5.0, 0.0], pb.Bernoulli())
    first, second = conditions_4_2(bandit, 1e9)
    assert not first[:2].any()
    assert not second[2]


def test_sets_of_arms() -> None:
    # Gaps 0, 0.25, 0.5, 0.75, 0: A = Delta is critical, A < Delta is not.
    rates = [0.0, 0.25, 0.25, 0.75, 9.0]
    instance = pb.Instance([1.0, 0.75, 0.5, 0.25, 1.0], 0.1, rates, pb.Gaussian(1))
    assert instance.gaps.tolist() == [0.0, 0.25, 0.5, 0.75, 0.0]
    assert instance.optimal.tolist() == [True, False, False, False, True]
    assert instance.critical.tolist() == [False, True, False, True, False]
    assert instance.non_critical.tolist() == [False, False, True, False, False]
    assert instance.optimal_or_critical.tolist() == [True, True, False, True, True]


def test_an_arm_far_off_leaves_the_gaps_of_others() -> None:
    bandit = pb.Instance([0.5, 0.4999, -1e11], 0.1, 0.2, pb.Gaussian(0.1))
    assert bandit.gaps[1] == pytest.approx(1e-4)
    assert bandit.margins[1] == pytest.approx(0.2 - 1e-4)


def test_a_rate_that_is_the_gap_in_decimals_is_the_gap() -> None:
    """On all pairs of hundredths, at means that are shifted and stretched too."""
    for shift, unit in ((0.0, 0.01), (0.0, 0.05), (3.0, 0.01), (-1.0, 0.01), (0.0, 10.0)):
        high, low = np.triu_indices(101)[::-1]
        means = np.round(shift + np.stack([high, low], axis=1) * unit, 9)
        bandit = pb.Instance(means, 0.2, (unit * (high - low))[:, None] * [1, 1], pb.Gaussian(1))
        assert (bandit.margins[:, 1] == 0).all()
        assert not bandit.non_critical.any()
        for limit in (log_constant, linear_constant, lower_constant):
            assert (limit(bandit) == 0).all()
        # A digit that people write is no rounding.
        apart = replace(bandit, penalties=np.maximum(bandit.penalties - 1e-9 * unit, 0.0))
        assert (apart.non_critical[:, 1] == (high > low)).all()


@pytest.mark.parametrize("tau", [0.0, 0.1])
def test_means_that_are_equal_in_decimals_are_equal(tau: float) -> None:
    bandit = pb.Instance([0.3, 0.1 + 0.2, 0.1], tau, 0.0, pb.Bernoulli())
    same = replace(bandit, means=[0.3, 0.3, 0.1])
    assert bandit.optimal.tolist() == [True, True, False]
    for function in (log_constant, lower_constant, lambda b: gap_dependent_bound(b, 1e4)):
        assert function(bandit) == pytest.approx(function(same))


def test_a_rate_that_is_never_paid_is_none() -> None:
    """An arm without a fraction costs its whole gap: 2/Delta for each log T."""
    bandit = pb.Instance([0.9, 0.5], [0.2, 0.0], 0.3, pb.Bernoulli())
    assert log_constant(bandit) == pytest.approx(2 / 0.4)
    assert log_constant(bandit) == log_constant(replace(bandit, penalties=0.0))
    assert predicted_regret(bandit, 1e15) / np.log(1e15) == pytest.approx(5.0, rel=1e-5)
