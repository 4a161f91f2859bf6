"""What bounds, conditions and predictions refuse, and that the error names what is wrong."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from bandit_factories import BANDIT, MU, RATES, TAU
from penalized_bandits import BanditError, Deterministic
from penalized_bandits.theory import gap_free
from penalized_bandits.theory.bounds import (
    critical_pulls_bound,
    gap_dependent_bound,
    gap_independent_bound,
    lower_bound_4_8,
)
from penalized_bandits.theory.conditions import conditions_4_2
from penalized_bandits.theory.fluid import predicted_pulls
from penalized_bandits.theory.inputs import instance_of
from penalized_bandits.theory.least_penalties import least_penalties
from penalized_bandits.theory.lower_bound import lower_constant

GOOD = (MU, TAU, RATES)


@pytest.mark.parametrize(
    ("bandit", "horizon", "message"),
    [
        (GOOD, 1, "at least 2"),
        (GOOD, [10, math.nan], "a value of horizon is not finite"),
        (GOOD, math.inf, "horizon is not finite"),
        (GOOD, 1e101, "1e.101.*at most 1e.100"),
        ((MU[None], TAU, RATES), 10, "one bandit"),
        ((MU, TAU, RATES[None]), 10, "one bandit"),
    ],
)
@pytest.mark.parametrize("function", [critical_pulls_bound, conditions_4_2])
def test_bandits_and_horizons(
    function: Callable[..., Any], bandit: tuple[Any, Any, Any], horizon: Any, message: str
) -> None:
    with pytest.raises(BanditError, match=message):
        function(instance_of(*bandit), horizon)


UNKNOWN: Any = "x"
THREE, TWO = instance_of([0.5, 0.4, 0.3], 0.1, 0.1), instance_of([0.5, 0.4], 0.1, 0.1)
WITHOUT_NOISE = instance_of([0.9, 0.1], 0.1, 0.1, Deterministic())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gap_dependent_bound(BANDIT, 10, reading=UNKNOWN), "reading is 'x'"),
        (lambda: lower_bound_4_8([0.5, 0.1], 10, reading=UNKNOWN), "reading is 'x'"),
        (lambda: gap_independent_bound([0.5, 0.6], 10), "fractions sum to 1.1"),
        (lambda: lower_bound_4_8([0.5], 10), "at least 2"),
        (lambda: predicted_pulls(TWO, 1), "at least 2"),
        (lambda: predicted_pulls(THREE, 2), "needs a pull"),
        (lambda: least_penalties(THREE, [3], 100), "arm is 3: it must be at most 2"),
        (lambda: least_penalties(THREE, [1, 1], 100), "one is named twice"),
        (lambda: least_penalties(THREE, [1], 2), "needs a pull"),
        (lambda: lower_constant(WITHOUT_NOISE), "is known here for rewards deterministic"),
        (lambda: gap_free.upper_bound_i(THREE, 2), "at least 3 rounds"),
        (lambda: gap_free.lower_bound_j([0.5, 0.5], 0.6, 100), r"Theorem J needs them in \[0, 1/2"),
        (lambda: gap_free.bernoulli_bound_4_8([0.5, 0.5], 15), "at least 16 rounds"),
    ],
)
def test_other_arguments(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
