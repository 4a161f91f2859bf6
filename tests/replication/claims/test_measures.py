"""Measures of several claims: paths, curves, agreement with predictions."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from outcome_factories import outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import RESAMPLES, student
from penalized_replication.claims.comparisons import Comparison, Measurement, Place
from penalized_replication.claims.measures.comparison import (
    Curve,
    common_levels,
    curve_difference,
    interpolated,
)
from penalized_replication.claims.measures.fluid_law import FluidComparison
from penalized_replication.claims.paper.figure_2 import Paths, resampled_rises
from penalized_replication.claims.rules import AsPredicted
from rule_helpers import alternating

R = 40


def test_largest_rise_is_that_of_any_two_places() -> None:
    rows = np.random.default_rng(3).normal(size=(40, 7))
    pairs = [*combinations(range(7), 2)]
    by_hand = [max(0, *(row[j] - row[i] for i, j in pairs)) for row in rows]
    alike = np.repeat(rows.T[:, None], 5, axis=1)
    assert resampled_rises(alike) == pytest.approx(np.tile(by_hand, (RESAMPLES, 1)))


def test_break_points_lie_between_values_of_the_grid() -> None:
    short = np.array([[[5, 5, 0]], [[0, 5, 0]], [[3, 5, 0]], [[0, 5, 0]]], dtype=np.float64)
    grid, tau = np.array([0.0, 0.25, 0.5, 1.0]), np.full(3, 0.1)
    first = outcome(np.zeros((1, 2)), 100, [0.5, 0.6, 0.7], tau, None, policy="ucb1")
    paths = Paths(first, grid, grid, short)
    assert paths.break_points == pytest.approx(np.array([[0.75, 1.25, -0.125]]))
    assert paths.place(2) == Place(case="case_1", label="case_1", policy="ucb1", arm=3)


def test_interpolation_in_any_order_at_ties_and_of_one_point() -> None:
    x, y = np.array([[2.0, 0.0, 0.0, 0.0, 1.0]]), np.array([[9.0, 1.0, 2.0, 3.0, 5.0]])
    levels = np.array([0.5, 0.0, 1.0, 1.25, 3.0, -1.0])
    assert interpolated(x, y, levels)[0] == pytest.approx([4, 3, 5, 6, 9, 1])
    one = interpolated(np.array([[1.0]]), np.array([[7.0]]), np.array([0.0, 1.0, 2.0]))
    assert one[0] == pytest.approx([7, 7, 7])


@pytest.mark.parametrize(("start", "width"), [(80, 20.0), (99, 1.0), (99.1, None), (130, None)])
def test_levels_are_in_a_common_range_of_a_pull_at_least(start: float, width: float | None) -> None:
    wide = Curve(np.tile([0.0, 50.0, 100.0], (4, 1)), np.zeros((4, 3)))
    high = Curve(np.tile([start, 120.0, 180.0], (4, 1)), np.zeros((4, 3)))
    levels = common_levels([wide, high])
    expected = None if width is None else pytest.approx(start + width * np.arange(1, 10) / 10)
    assert levels == expected


def test_errors_of_a_comparison_are_those_of_pairs() -> None:
    unfair = np.tile([0.0, 100.0], (R, 1))
    common = np.random.default_rng(8).normal(1000, 50, (R, 1)) + 0 * unfair
    ours = Curve(unfair, common + alternating(1.0, 2.0, R)[:, None])
    result = curve_difference(ours, Curve(unfair, common), np.array([25.0, 75.0]))
    difference, low, high = result.interval
    assert difference == pytest.approx([1.0] * 2)
    # The bootstrap's error has 2 % of its own.
    half = student(R) * 2.0 / np.sqrt(R - 1)
    assert (high - low) / 2 == pytest.approx([half] * 2, rel=0.08)


def test_equal_curves_without_errors_support_neither_side() -> None:
    same = Curve(np.tile([0.0, 100.0], (R, 1)), np.tile([900.0, 1000.0], (R, 1)))
    result = curve_difference(same, same, np.array([25.0, 75.0]))
    assert (result.p_greater.tolist(), result.p_less.tolist()) == ([1.0, 1.0], [1.0, 1.0])


HORIZONS = np.array([1e4, 31_623, 1e5, 316_228, 1e6])
GROWN = 20 * np.log(HORIZONS)
SAMPLES = 400
RULE = AsPredicted(of="", over="")


def agreement(data: FluidComparison) -> Comparison:
    (comparison,) = RULE.decide([Measurement(data)])
    return comparison


def drawn(generator: np.random.Generator, spread: float, factor: FloatArray) -> FluidComparison:
    """Return thirty normal values around the curve times a factor."""
    measured = [generator.normal(x, spread * x, 30) for x in GROWN * factor]
    return FluidComparison(HORIZONS, measured, list(GROWN), logarithmic=True)


def test_a_prediction_of_zero_has_no_law() -> None:
    bounded = FluidComparison(HORIZONS, list(np.ones((5, 30))), list(0 * GROWN))
    assert agreement(bounded).status == "vacuous"
    measured = [alternating(x, 0.1 * x, 30) for x in GROWN]
    usual = FluidComparison(HORIZONS, measured, list(GROWN), logarithmic=True)
    both = [Measurement(bounded), Measurement(usual)]
    assert RULE.facts(both) == RULE.facts(both[1:]) != {"rivals": {}}


@pytest.mark.parametrize(
    ("rival", "factor"),
    [("log² T", np.log(HORIZONS)), ("log T log log T", np.log(np.log(HORIZONS)))],
)
@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_rivals_are_detected_as_computed(rival: str, factor: FloatArray, spread: float) -> None:
    generator = np.random.default_rng(4)
    computed = np.mean(
        [RULE.detection_of_rivals(drawn(np.random.default_rng(i), spread, GROWN**0))[rival]
         for i in range(20)]
    )  # fmt: skip
    shape = factor / factor.mean()
    statuses = [agreement(drawn(generator, spread, shape)).status for _ in range(SAMPLES)]
    # Three standard errors, and the error of normal quantiles with 29 degrees of freedom.
    margin = 3 * np.sqrt(0.25 / SAMPLES) + 0.02
    assert 1 - statuses.count("holds") / SAMPLES == pytest.approx(computed, abs=margin)


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
    same = FluidComparison(HORIZONS, [c * off for c in GROWN], list(GROWN), same_runs=True)
    both = np.stack([np.full(5, 0.2), np.array([-1.0, 0, 0, 0, 1.0])])
    of_one = off.std(ddof=1) / np.sqrt(30)
    assert same.error_of(both) == pytest.approx([of_one, 0.0], abs=1e-12)
    assert replace(same, same_runs=False).error_of(both)[0] == pytest.approx(of_one / np.sqrt(5))
    half = 2.0452 * of_one
    comparison = agreement(same)
    assert (comparison.low, comparison.high) == pytest.approx(
        (off.mean() - half, off.mean() + half), abs=1e-5
    )
