"""Agreement with the fluid prediction: its limits, its power, its errors."""

from dataclasses import replace

import numpy as np
import pytest

from penalized_bandits.claims.measures.fluid_law import (
    FluidComparison,
    agreement,
    detection_of_rivals,
    rival_facts,
)
from penalized_bandits.common.typing import FloatArray
from rule_helpers import alternating

HORIZONS = np.array([1e4, 31_623, 1e5, 316_228, 1e6])
CURVE = 20 * np.log(HORIZONS)
ALONG = (np.log10(HORIZONS) - 5) / 2
"""From -1/2 to 1/2 along log T."""
RUNS = 400


def around(factor: FloatArray | float, spread: float, n: int = 30) -> FluidComparison:
    """Return values around a curve that grows like log T times a factor, half above, half below."""
    measured = [alternating(centre, spread * centre, n) for centre in CURVE * factor]
    return FluidComparison(HORIZONS, measured, list(CURVE))


def drawn(generator: np.random.Generator, spread: float, factor: FloatArray) -> FluidComparison:
    """Return thirty normal values around the curve times a factor."""
    measured = [generator.normal(x, spread * x, 30) for x in CURVE * factor]
    return FluidComparison(HORIZONS, measured, list(CURVE))


def test_a_prediction_of_zero_has_no_law() -> None:
    bounded = FluidComparison(HORIZONS, list(np.ones((5, 30))), list(0 * CURVE))
    assert agreement(bounded).status == "vacuous"
    usual = around(1.0, 0.1)
    assert rival_facts([bounded, usual]) == rival_facts([usual])


@pytest.mark.parametrize(
    ("rival", "factor"),
    [("log² T", np.log(HORIZONS)), ("log T log log T", np.log(np.log(HORIZONS)))],
)
@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_rivals_are_detected_as_often_as_computed(
    rival: str, factor: FloatArray, spread: float
) -> None:
    generator = np.random.default_rng(4)
    computed = np.mean(
        [detection_of_rivals(drawn(np.random.default_rng(i), spread, CURVE**0))[rival]
         for i in range(20)]
    )  # fmt: skip
    shape = factor / factor.mean()
    statuses = [agreement(drawn(generator, spread, shape)).status for _ in range(RUNS)]
    # Three standard errors, and the error of normal quantiles with 29 degrees of freedom.
    margin = 3 * np.sqrt(0.25 / RUNS) + 0.02
    assert 1 - statuses.count("holds") / RUNS == pytest.approx(computed, abs=margin)


def test_the_ratio_of_means_weighs_bandits_by_what_they_cost() -> None:
    """Replicates of which half cost ten times as much, each exactly as predicted."""
    costs = np.tile([1.0, 10.0], 15)
    exact = FluidComparison(HORIZONS, [costs.copy()] * 5, [costs] * 5)
    assert exact.ratios() == pytest.approx(1)
    assert exact.error_of(np.eye(5)) == pytest.approx(0, abs=1e-12)
    assert agreement(exact).status == "holds"


def test_horizons_of_the_same_runs_are_not_independent() -> None:
    """Runs that are off by one share throughout: five horizons show no more than one."""
    off = np.random.default_rng(3).normal(1.0, 0.1, 30)
    same = FluidComparison(HORIZONS, [c * off for c in CURVE], list(CURVE), same_runs=True)
    both = np.stack([np.full(5, 0.2), np.array([-1.0, 0, 0, 0, 1.0])])
    of_one = off.std(ddof=1) / np.sqrt(30)
    assert same.error_of(both) == pytest.approx([of_one, 0.0], abs=1e-12)
    assert replace(same, same_runs=False).error_of(both)[0] == pytest.approx(of_one / np.sqrt(5))
    half = 2.0452 * of_one
    part = agreement(same)
    assert (part.low, part.high) == pytest.approx((off.mean() - half, off.mean() + half), abs=1e-5)


def test_a_law_takes_three_horizons() -> None:
    whole = around(1.0, 0.01)
    two, three = (
        FluidComparison(HORIZONS[:m], whole.measured[:m], whole.predicted[:m]) for m in (2, 3)
    )
    assert (agreement(two).status, agreement(three).status) == ("undecided", "holds")
