"""Measures of claims: elasticities, paths, curves, crossings, laws; by hand, and coverage."""

import math
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from config_helpers import ROOT
from outcome_factories import outcome
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.estimates import RESAMPLES, student
from penalized_replication.claims.comparisons import Comparison, Measurement, Place
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.comparison import (
    Curve,
    common_levels,
    curve_difference,
    interpolated,
)
from penalized_replication.claims.measures.crossing import Crossing, clear_signs, crossing
from penalized_replication.claims.measures.fluid_law import FluidComparison
from penalized_replication.claims.paper.figure_2 import Paths, resampled_rises
from penalized_replication.claims.paper.figure_4 import elasticity, theil_slopes
from penalized_replication.claims.rules import AsPredicted
from rule_helpers import alternating

SOURCES = ROOT / "src"
POINTS = np.array([1.0, 2, 4, 8, 16])


def binomial_bound(p: float, n: int) -> float:
    """Return the deviation of a share that chance exceeds with probability 6e-5."""
    return 4 * math.sqrt(p * (1 - p) / n)


def test_theil_slopes_are_scipys() -> None:
    rng = np.random.default_rng(4)
    x = np.log(rng.integers(1, 6, 9).astype(np.float64))  # some equal
    rows = rng.normal(size=(50, 9))
    each = [stats.theilslopes(row, x)[0] for row in rows]
    assert theil_slopes(rows, x).tolist() == each


def test_elasticity_of_an_exact_power_law() -> None:
    x = np.array([1.0, 2, 5, 9])
    points, replicates = elasticity(x, 3 * x[None] ** 1.5)
    assert points.interval == pytest.approx((1.5, 1.5, 1.5))
    assert replicates.interval == (points.value, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("x", "y", "interval"),
    [
        ([2.0, 2, 3, 4, 5], [1.0, 1, 1, 1, 1], (0, 0, 0)),
        # Four points at one place: the slope is log(7/3)/log 2, its interval unknown.
        ([1.0, 1, 1, 1, 2], [3.0, 3, 3, 3, 7], (math.log2(7 / 3), -math.inf, math.inf)),
    ],
)
def test_elasticity_of_tied_points(
    x: list[float], y: list[float], interval: tuple[float, float, float]
) -> None:
    found, _ = elasticity(np.array(x), np.array([y]))
    assert found.interval == pytest.approx(interval)


# Crossings, of regrets whose logarithms differ by a hundredth of some values.


def crossed(values: FloatArray) -> Crossing:
    return crossing(POINTS, np.exp(0.01 * values), np.ones_like(values), 0.05)


def test_crossing_by_hand() -> None:
    # -1 at 4 and 3 at 8: a quarter of the way on the log scale.
    path = np.array([-3.0, -2, -1, 3, 4])
    found = crossed(np.array([path] * 3))
    assert (found.sign, found.crossed) == (1, True)
    assert found.horizon.value == pytest.approx(4 * 2**0.25)
    assert (found.horizon.low, found.horizon.high) == pytest.approx((found.horizon.value,) * 2)
    assert found.horizon.n == 3
    down = crossed(np.array([-path] * 3))
    assert (down.sign, down.crossed) == (-1, True)
    assert down.horizon.value == pytest.approx(found.horizon.value)


@pytest.mark.parametrize(
    ("path", "horizon"), [([-2.0, -1, 0, 1, 2], 4.0), ([-1.0, 1, -1, -1, 1], math.sqrt(8 * 16))]
)
def test_the_last_crossing_counts(path: list[float], horizon: float) -> None:
    found = crossed(np.array([path] * 4))
    assert (found.sign, found.crossed) == (1, True)
    assert found.horizon.value == pytest.approx(horizon)


@pytest.mark.parametrize(("sign", "low", "high"), [(1, 0.0, 1.0), (-1, 16.0, math.inf)])
def test_no_crossing_within_range(sign: int, low: float, high: float) -> None:
    found = crossed(np.full((5, 5), float(sign)))
    assert (found.sign, found.crossed) == (sign, False)
    assert math.isnan(found.horizon.value)
    assert (found.horizon.low, found.horizon.high) == (low, high)


def test_noise_does_not_cross() -> None:
    # Holm over checkpoints: any clear sign in 5 % of tables at most.
    tables = 200
    noise = (np.random.default_rng(seed).normal(size=(30, 5)) for seed in range(tables))
    clear = sum(crossed(values).sign != 0 for values in noise)
    assert clear / tables < 0.05 + binomial_bound(0.05, tables)
    one = crossed(np.array([[-1.0, -1, -1, 1, 1]]))
    assert one.sign == 0
    assert (one.horizon.low, one.horizon.high) == (0.0, math.inf)


@pytest.mark.parametrize(("p_value", "sign"), [(0.04, 1), (0.06, 0)])
def test_a_sign_is_clear_by_a_two_sided_test(p_value: float, sign: int) -> None:
    noise = np.array([-1.0, 1] * 5)
    mean = stats.t.isf(p_value / 2, 9) * noise.std(ddof=1) / math.sqrt(10)
    # The others are exact, so that Holm leaves the largest p-value as it is.
    values = np.where(POINTS == 4, (noise + mean)[:, None], np.sign(POINTS - 4))
    assert clear_signs(values, 0.05).tolist() == [-1, -1, sign, 1, 1]


def test_crossing_interval_covers() -> None:
    # Mean differences log(T / 3): replicates differ in level, so the path is one of 60 levels.
    tables, covered = 150, 0
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        values = np.log(POINTS / 3) + rng.normal(size=(60, 1)) + 0.3 * rng.normal(size=(60, 5))
        found = crossed(values)
        assert found.crossed
        covered += found.horizon.low <= 3 <= found.horizon.high
    assert abs(covered / tables - 0.95) < binomial_bound(0.95, tables) + 0.02


def test_an_exponent_is_that_between_two_horizons() -> None:
    first, last = alternating(10.0, 1.0, 40), alternating(40.0, 2.0, 40)
    value, low, high = growth.exponent(first, last, 16.0) or (0.0, 0.0, 0.0)
    errors = [x.std(ddof=1) / math.sqrt(40) / x.mean() for x in (first, last)]
    half = 1.959964 * math.hypot(*errors) / math.log(16)
    assert (value, low, high) == pytest.approx((0.5, 0.5 - half, 0.5 + half))
    assert growth.exponent(first, last[:1], 16.0) == pytest.approx(
        (0.5, -math.inf, math.inf), abs=0.1
    )
    assert growth.exponent(first - 10, last, 16.0) is growth.exponent(first, last, 1.0) is None


def test_no_number_hangs_on_the_order_in_which_a_library_adds() -> None:
    # BLAS and LAPACK: only the exact sums above, and the means of a law, whose bytes stay.
    exempt = {"estimates.py", "rewards.py"}
    calls = r"[\w)\]] @ |np\.(linalg|poly|corr|cov|conv|dot|vdot|inner|einsum|matmul|tensordot)"
    users = {p.name for p in SOURCES.rglob("*.py") if re.search(calls, p.read_text("utf-8"))}
    assert users == exempt


def test_intervals_have_one_level() -> None:
    """Its normal quantile and its words stand in `common/numbers.py`, and nowhere else by hand."""
    paths = [*SOURCES.rglob("*.py"), *SOURCES.rglob("templates/*")]
    texts = {p.name: p.read_text("utf-8") for p in paths}
    by_hand = re.compile(r"\b(1\.645|1\.96|1\.9599|2\.576)")
    assert [name for name, text in texts.items() if by_hand.search(text)] == []
    pages = [name for name, text in texts.items() if name[-3:] != ".py" and "95 %" in text]
    assert pages == []


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
