"""Measures of several claims: paths, curves, growth, agreement with predictions, margins."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from outcome_factories import outcome
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import RESAMPLES, Estimate, student
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.extended.less_regret import less_regret
from penalized_replication.claims.measures.comparison import (
    Curve,
    common_levels,
    compare,
    distance,
    interpolated,
)
from penalized_replication.claims.measures.fluid_law import (
    FluidComparison,
    agreement,
    detection_of_rivals,
    rival_facts,
)
from penalized_replication.claims.measures.growth import growth_exponent
from penalized_replication.claims.paper.figure_2 import Paths, resampled_rises
from penalized_replication.common.errors import NotMeasuredError
from rule_helpers import alternating

# --- Paths, curves and growth ------------------------------------------------------

R = 40
MEANS, FAIRNESS, HORIZON = (0.9, 0.5), (0.4, 0.4), 1000
FRONTIER = oracle_frontier(instance_of(MEANS, FAIRNESS), HORIZON)
SPAN = float(np.ptp(FRONTIER.reward))
BANDIT = outcome(np.zeros((R, 1)), HORIZON, MEANS, FAIRNESS, 0.1)


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
    assert paths.about(2) == {"case": "case_1", "label": "case_1", "policy": "ucb1", "arm": 3}


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
    result = compare(ours, Curve(unfair, common), np.array([25.0, 75.0]))
    difference, low, high = result.interval
    assert difference == pytest.approx([1.0] * 2)
    # The bootstrap's error has 2 % of its own.
    half = student(R) * 2.0 / np.sqrt(R - 1)
    assert (high - low) / 2 == pytest.approx([half] * 2, rel=0.08)


def test_equal_curves_without_errors_support_neither_side() -> None:
    same = Curve(np.tile([0.0, 100.0], (R, 1)), np.tile([900.0, 1000.0], (R, 1)))
    result = compare(same, same, np.array([25.0, 75.0]))
    assert (result.p_greater.tolist(), result.p_less.tolist()) == ([1.0, 1.0], [1.0, 1.0])


def curve(shift: float) -> Curve:
    """Return a curve below the frontier by a shift of the reward, with noise common to all."""
    unfairness = np.linspace(0, FRONTIER.unfairness[-1], 5)
    reward = FRONTIER.reward_at(unfairness) - shift
    noise = alternating(0.0, 0.1, R)[:, None]
    return Curve(np.tile(unfairness, (R, 1)), np.tile(reward, (R, 1)) + noise)


def half(value: Estimate) -> float:
    return (value.high - value.low) / 2


def test_distance_to_the_frontier_and_to_the_paper_s_policy() -> None:
    result = distance(curve(2.0), curve(5.0), BANDIT)
    assert result is not None
    below, behind = result
    assert below.estimate.value == pytest.approx(5 / SPAN)
    # The bootstrap's error has 2 % of its own.
    assert half(below.estimate) == pytest.approx(student(R) * 0.1 / np.sqrt(R - 1) / SPAN, rel=0.08)
    assert below.p_values(below.estimate.low) == pytest.approx((0.025, 0.975), rel=1e-6)
    assert below.p_values(below.estimate.high) == pytest.approx((0.975, 0.025), rel=1e-6)
    # Common noise: the difference is known exactly.
    assert behind.estimate.value == pytest.approx(3 / SPAN)
    assert half(behind.estimate) < 1e-9
    assert (*behind.p_values(0.0), behind.same) == (0.0, 1.0, False)
    assert behind.p_values(4 / SPAN) == (1.0, 0.0)


def test_policies_without_a_tradeoff_are_compared_at_their_own_unfairness() -> None:
    ours, whole = curve(2.0), curve(5.0)
    one = Curve(whole.unfairness[:, 2:3], whole.reward[:, 2:3])
    # A point of the other's curve is the same, whatever the rounding of its unfairness.
    end = Curve(ours.unfairness[:, -1:] * (1 + 1e-15), ours.reward[:, -1:])
    for theirs, behind, same in ((one, 3.0, False), (end, 0.0, True), (curve(2.0), 0.0, True)):
        result = distance(ours, theirs, BANDIT)
        assert result is not None
        assert result[1].estimate.value == pytest.approx(behind / SPAN)
        assert result[1].same == same
    assert distance(ours, Curve(one.unfairness + 1000, one.reward), BANDIT) is None


@pytest.mark.parametrize(
    ("exponent", "spread", "status"),
    [(0.47, 0.2, "h"), (0.47, 1.0, "u"), (0.53, 1.0, "u"), (0.53, 0.2, "f")],
)
def test_growth_exponent(exponent: float, spread: float, status: str) -> None:
    """Pulls of an arm of gap 0.8, at a horizon and a hundred times it."""
    bandit = (0.9, 0.1), (0.0, 0.0), 0.4
    mean = 1000.0 * np.array([1, 100**exponent])
    runs = [
        outcome(alternating(x, spread * x, R)[:, None], t, *bandit)
        for x, t in zip(mean, (10_000, 1_000_000), strict=True)
    ]
    part = growth_exponent(runs, 0.5, {})
    assert (part.estimate, part.status[0]) == (pytest.approx(exponent, abs=1e-3), status)


def test_growth_takes_regret_at_two_horizons() -> None:
    runs = [outcome(np.zeros((R, 1)), t, (0.9, 0.1), (0.0, 0.0), 0.4) for t in (100, 10_000)]
    assert growth_exponent(runs, 0.5, {}).reason == "regret is not positive"
    with pytest.raises(NotMeasuredError, match="growth takes two horizons, not one"):
        growth_exponent([BANDIT], 0.5, {})


# --- Agreement with the fluid prediction: its limits, its power, its errors --------

HORIZONS = np.array([1e4, 31_623, 1e5, 316_228, 1e6])
GROWN = 20 * np.log(HORIZONS)
SAMPLES = 400


def drawn(generator: np.random.Generator, spread: float, factor: FloatArray) -> FluidComparison:
    """Return thirty normal values around the curve times a factor."""
    measured = [generator.normal(x, spread * x, 30) for x in GROWN * factor]
    return FluidComparison(HORIZONS, measured, list(GROWN))


def test_a_prediction_of_zero_has_no_law() -> None:
    bounded = FluidComparison(HORIZONS, list(np.ones((5, 30))), list(0 * GROWN))
    assert agreement(bounded).status == "vacuous"
    measured = [alternating(x, 0.1 * x, 30) for x in GROWN]
    usual = FluidComparison(HORIZONS, measured, list(GROWN))
    assert rival_facts([bounded, usual]) == rival_facts([usual])


@pytest.mark.parametrize(
    ("rival", "factor"),
    [("log² T", np.log(HORIZONS)), ("log T log log T", np.log(np.log(HORIZONS)))],
)
@pytest.mark.parametrize("spread", [0.05, 0.3])
def test_rivals_are_detected_as_computed(rival: str, factor: FloatArray, spread: float) -> None:
    generator = np.random.default_rng(4)
    computed = np.mean(
        [detection_of_rivals(drawn(np.random.default_rng(i), spread, GROWN**0))[rival]
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
    part = agreement(same)
    assert (part.low, part.high) == pytest.approx((off.mean() - half, off.mean() + half), abs=1e-5)


# --- Regrets compared with a margin of 1 % -----------------------------------------

THEIRS = np.full(400, 500.0)


def status_at(ratio: float, spread: float, level: float = 0.05) -> str:
    """Return the status at a ratio of means; a standard error is a twentieth of the spread."""
    ours = alternating(500 * ratio, spread, 400)
    (part,) = less_regret([(ours, THEIRS, {})], level)
    assert part.estimate == pytest.approx(500 * (ratio - 1))
    return part.status


@pytest.mark.parametrize(
    ("ratio", "spread", "expected"),
    [
        # One-sided p < 0.05: more than 1.65 standard errors beyond the margin of 5.
        (0.985, 20, "holds"),
        (0.985, 40, "undecided"),
        (1.015, 40, "undecided"),
        (1.015, 20, "fails"),
        # Within the margin, by as much on both sides.
        (0.995, 20, "vacuous"),
        (1.005, 20, "vacuous"),
        (0.995, 40, "undecided"),
        (1.0, 0, "vacuous"),
    ],
)
def test_less_regret_by_more_than_a_margin(ratio: float, spread: float, expected: str) -> None:
    assert status_at(ratio, spread) == expected


def test_the_level_is_that_of_all_tests_together() -> None:
    assert (status_at(0.985, 20), status_at(0.985, 20, level=0.001)) == ("holds", "undecided")
    ours = alternating(492.5, 26, 400)
    (one,) = less_regret([(ours, THEIRS, {})])
    several = less_regret([(ours, THEIRS, {"case": case}) for case in "abc"])
    assert [part.status for part in (one, *several)] == ["holds"] + ["undecided"] * 3
