"""Bounds, conditions and predictions at the edge of what is allowed, and what they refuse.

Warnings are errors in all tests: nothing here may divide by zero or overflow.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from penalized_bandits import Bernoulli, Deterministic, Instance, predict
from penalized_bandits.common.errors import LARGEST, BanditError
from penalized_bandits.theory import bounds, conditions, deficits, fluid
from penalized_bandits.theory.inputs import Interpretation, free_share, instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from penalized_bandits.theory.limits import linear_constant, log_constant
from penalized_bandits.theory.lower_bound import lower_bound, lower_constant
from strategies import extreme_bandits

INTERPRETATIONS: tuple[Interpretation, Interpretation] = ("stated", "proved")


@settings(max_examples=60)
@given(
    extreme_bandits(st.integers(1, 5)),
    st.booleans(),
    st.sampled_from((2, 3, 1e3, 2.0**31 - 1, 1e18, 1e100)),
)
def test_bounds_and_conditions_are_numbers(bandit: Instance, tied: bool, horizon: float) -> None:
    fairness = bandit.fairness
    assume(free_share(fairness) > 0)
    bandit = replace(bandit, penalties=np.minimum(bandit.gaps, LARGEST)) if tied else bandit
    optimal, critical = bandit.optimal, bandit.critical
    for found, known in (
        (bounds.critical_pulls_bound(bandit, horizon), critical),
        (bounds.non_critical_pulls_bound(bandit, horizon), ~optimal & ~critical),
        (deficits.deficit_scale(bandit, horizon), optimal | critical),
        (deficits.deficit_coefficients(bandit), optimal | critical),
    ):
        # NaN for the arms that the bound is not about, and for no others.
        assert (np.isnan(found) == ~known).all()
        assert (found[known] >= 0).all()
    for bound in (
        *(bounds.gap_dependent_bound(bandit, horizon, interpretation=r) for r in INTERPRETATIONS),
        bounds.gap_independent_bound(fairness, horizon),
        bounds.lower_bounds_4_6(bandit, horizon).regret.sum(),
        deficits.small_margin_bound(fairness, horizon),
    ):
        assert (bound >= 0).all()
    assert np.isfinite(bounds.largest_regret(bandit, horizon))
    assert not np.isnan(bounds.lower_bounds_4_7(bandit, horizon).regret.sum())
    with np.errstate(invalid="raise"):
        conditions.condition_4_1(bandit, horizon)
        conditions.conditions_4_2(bandit, horizon)
        conditions.condition_lemma_4_4(bandit, horizon)
    with suppress(BanditError):  # too few rounds, or too few digits
        pulls = fluid.predicted_pulls(bandit, horizon)
        assert pulls.sum() == pytest.approx(horizon, rel=fluid.BALANCED)
        assert (fluid.break_points(bandit.means, fairness, horizon) >= 0).all()


THREE = instance_of([0.5, 0.4, 0.3], 0.1, 0.1, Bernoulli())
TWO = instance_of([0.5, 0.4], 0.1, 0.1)
WITHOUT_NOISE = instance_of([0.9, 0.1], 0.1, 0.1, Deterministic())
FAR = instance_of([LARGEST, 0.0], 0.5 - 1e-12, LARGEST)
ROWS = instance_of([0.5, 0.4], 0.1, [[0.1, 0.1]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.gap_dependent_bound(TWO, 10, interpretation="x"), "interpretation is 'x'"),  # type: ignore[arg-type]
        (lambda: bounds.critical_pulls_bound(ROWS, 10), "one bandit"),
        (lambda: bounds.critical_pulls_bound(TWO, 1), "at least 2"),
        (lambda: conditions.conditions_4_2(TWO, 1e101), "1e.101.*at most 1e.100"),
        (lambda: fluid.predicted_pulls(THREE, 2), "holds 2: every value must be at least 3"),
        (lambda: fluid.predicted_pulls(THREE, 1e20), r"horizon is 1e\+20: .* have too few"),
        (lambda: fluid.predicted_pulls(FAR, 2.0**31 - 1), r"1e\+12 leave radii .* too few digits"),
        *(
            (lambda of=of: of(THREE, [100, 200, 300]), "it must be one number here")  # pyright: ignore
            for of in (fluid.predicted_pulls, lower_bound, conditions.condition_4_1)
        ),
        (lambda: least_penalties(THREE, [3], 100), "arm is 3: it must be at most 2"),
        (lambda: least_penalties(THREE, [1, 0, 1], 100), r"keep is \[1, 0, 1\]: each arm must"),
        (lambda: lower_constant(WITHOUT_NOISE), "is known here for rewards deterministic"),
    ],
)
def test_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()


LIMITS: dict[str, Callable[[Instance], object]] = {
    "log_constant": log_constant,
    "lower_constant": lower_constant,
    "lower_bound": lambda bandit: lower_bound(bandit, 1e5),
    "gap_dependent_bound": lambda bandit: bounds.gap_dependent_bound(bandit, 1e5),
    "lower_bounds_4_7": lambda bandit: bounds.lower_bounds_4_7(bandit, 1e5).regret.sum(),
}
FULL = {
    "best has a floor": Instance([0.9, 0.7, 0.4], [0.5, 0.5, 0.0], 1.0, Bernoulli()),
    "best has none": Instance([0.5, 0.5, 0.6], [0.5, 0.5, 0.0], 0.3, Bernoulli()),
    "tenths": Instance([0.5] * 10 + [0.6], [0.1] * 10 + [0.0], 0.3, Bernoulli()),
}


@pytest.mark.parametrize("case", FULL)
def test_bounds_allow_the_limit_where_floors_fill_1_and_pay(case: str) -> None:
    """Gaps are to the price; the lower bound is for variance 1, whose constant is the rule's."""
    limit = log_constant(FULL[case]) * np.log(1e5)
    assert bounds.gap_dependent_bound(FULL[case], 1e5) >= limit > 0
    assert bounds.lower_bounds_4_7(FULL[case], 1e5).regret.sum() <= limit


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_stay_where_floors_fill_1_and_one_does_not_pay(limit: str) -> None:
    means, rates, below = [0.9, 0.7, 0.4], [1.0, 0.1, 0.0], 0.5 - 1e-12
    full, less = (instance_of(means, [0.5, t, 0], rates, Bernoulli()) for t in (0.5, below))
    assert LIMITS[limit](full) == pytest.approx(LIMITS[limit](less), rel=1e-6)


@pytest.mark.parametrize("case", FULL)
def test_predictions_stay_where_floors_fill_1(case: str) -> None:
    table = predict(FULL[case], 1000)
    assert table.loc[table["quantity"] == "pulls", "value"].sum() == pytest.approx(1000)
    assert not predict(FULL[case], 1000, "soft_threshold_ucb")["quantity"].str.contains("/T").any()
    soft = fluid.predicted_regret(FULL[case], 1e14, soft=True) / 1e14
    assert soft == pytest.approx(float(linear_constant(FULL[case])), abs=1e-5)
