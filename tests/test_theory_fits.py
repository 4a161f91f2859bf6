"""Scaling laws: exact data, how often intervals cover, how often choices are right."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from penalized_bandits.errors import BanditError
from penalized_bandits.theory.crossing import crossing
from penalized_bandits.theory.fits import (
    LawChoice,
    choose_law,
    fit_log,
    fit_plateau,
    fit_power,
    measure,
    slope_between,
)
from penalized_bandits.theory.paths import elasticity, isotonic, theil_slopes
from penalized_bandits.typing import FloatArray

T: FloatArray = 500.0 * np.array([1.0, 2, 4, 8, 16, 32, 64, 128])
NOTHING = np.zeros(T.size)
PATHS = st.lists(st.integers(-50, 50), min_size=2, max_size=12)


def binomial_bound(p: float, n: int, errors: float = 4) -> float:
    """Deviation of a share that chance exceeds with probability 6e-5."""
    return errors * math.sqrt(p * (1 - p) / n)


def replicates(
    law: Callable[[FloatArray], FloatArray],
    seed: int,
    n: int,
    noise: float = 0.3,
    shared: float = 0.0,
) -> FloatArray:
    """Draw replicates (n, 8) with standard deviation a share of the mean.

    ``shared`` is the correlation between horizons.
    """
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    own = rng.normal(size=(n, T.size))
    mean = law(T)
    return mean + noise * np.abs(mean) * (math.sqrt(shared) * common + math.sqrt(1 - shared) * own)


# --- Single laws ----------------------------------------------------------------------------


def test_exact_laws_are_found_exactly() -> None:
    log = fit_log(T, 3 - 2 * np.log(T), NOTHING)
    assert (log.intercept.value, log.slope.value) == pytest.approx((3, -2))
    assert log.slope.high - log.slope.low == 0
    assert (log.quality.chi_squared, log.quality.p_misfit) == (0, 1)
    power = fit_power(T, 3 * T**0.4, NOTHING)
    assert power.converged
    assert (power.scale, power.exponent.value) == pytest.approx((3, 0.4))
    assert power.exponent.high - power.exponent.low == 0
    flat = fit_plateau(T, np.full(8, 7.0), NOTHING)
    assert (flat.level.value, flat.level.low, flat.level.high) == pytest.approx((7, 7, 7))
    rising = fit_plateau(T, 7 - 30 / T, NOTHING, rate=1.0)
    assert rising.approach is not None
    assert (rising.level.value, rising.approach.value) == pytest.approx((7, 30))
    for fit in (log, power, flat, rising):
        value, se = fit.predict(T)
        assert np.isfinite(value).all()
        assert se == pytest.approx(0)


def test_fit_log_by_hand() -> None:
    # log T = 0, 1, 2 with means 0, 0, 3 and errors 1: slope 3/2, its variance 1/2; residuals
    # 1/2, -1, 1/2.
    fit = fit_log([1, math.e, math.e**2], [0, 0, 3], [1, 1, 1])
    assert (fit.intercept.value, fit.slope.value) == pytest.approx((-0.5, 1.5))
    half = stats.norm.ppf(0.975) * math.sqrt(0.5)
    assert (fit.slope.low, fit.slope.high) == pytest.approx((1.5 - half, 1.5 + half))
    assert fit.quality.chi_squared == pytest.approx(1.5)
    assert fit.quality.degrees == 1
    assert fit.quality.interval_from == "standard errors"


def test_misfit_widens_and_says_so() -> None:
    # As above with errors ten times smaller: chi^2 = 150 with 1 degree of freedom.
    fit = fit_log([1, math.e, math.e**2], [0, 0, 3], [0.1, 0.1, 0.1])
    assert fit.quality.interval_from == "residuals"
    half = stats.t.ppf(0.975, 1) * math.sqrt(0.5 * 0.01 * 150)
    assert (fit.slope.low, fit.slope.high) == pytest.approx((1.5 - half, 1.5 + half))
    narrow = stats.norm.ppf(0.975) * math.sqrt(0.5) / 10
    assert fit.slope_by_errors.high == pytest.approx(1.5 + narrow)


def test_weights_are_those_of_least_squares() -> None:
    rng = np.random.default_rng(1)
    mean, se = rng.normal(size=8) + np.log(T), rng.uniform(0.5, 2, 8)
    fit = fit_log(T, mean, se)
    slope, intercept = np.polyfit(np.log(T), mean, 1, w=1 / se)
    assert (fit.slope.value, fit.intercept.value) == pytest.approx((slope, intercept))
    flat = fit_plateau(T, mean, se)
    assert flat.level.value == pytest.approx(np.average(mean, weights=se**-2))


def test_zero_errors_among_others_count_as_the_smallest() -> None:
    mean = np.log(T)
    se = np.array([0.0, 2, 1, 0.5, 0.0, 1, 2, 3])
    filled = np.where(se == 0, 0.5, se)
    one, other = fit_log(T, mean, se), fit_log(T, mean, filled)
    assert (one.slope.low, one.slope.high) == pytest.approx((other.slope.low, other.slope.high))


@given(
    st.floats(-5, 5),
    st.floats(0.01, 5),
    st.integers(-8, 8),
    st.floats(-100, 100),
    st.integers(0, 99),
)
def test_scaling_and_shifting_y(a: float, b: float, power: int, shift: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mean, se = a + b * np.log(T) + rng.normal(size=8), rng.uniform(0.5, 1.5, 8)
    factor = 2.0**power
    one, two = fit_log(T, mean, se), fit_log(T, factor * mean + shift, factor * se)
    assert two.slope.value == pytest.approx(factor * one.slope.value, abs=1e-7)
    assert two.slope.high == pytest.approx(factor * one.slope.high, abs=1e-7)
    assert two.quality.chi_squared == pytest.approx(one.quality.chi_squared, rel=1e-5)
    # Another unit of time changes the intercept alone, and a power law's scale alone.
    slow = fit_log(T / 60, mean, se)
    assert slow.slope.value == pytest.approx(one.slope.value)
    curve = np.exp(0.2 * b * np.log(T / T[0])) * (20 + rng.normal(size=8))
    p, q = fit_power(T, curve, se), fit_power(T / 60, factor * curve, factor * se)
    assert p.converged
    assert q.exponent.value == pytest.approx(p.exponent.value, abs=1e-5)
    assert q.exponent.low == pytest.approx(p.exponent.low, abs=1e-4)


@pytest.mark.parametrize("exponent", [-2.0, -0.5, 0.05, 0.5, 1.0, 2.5, 4.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_power_law_of_any_exponent_is_found(exponent: float, sign: int) -> None:
    mean = sign * 1e-4 * T**exponent
    fit = fit_power(T, mean, 0.01 * np.abs(mean))
    assert fit.converged
    assert fit.exponent.value == pytest.approx(exponent, abs=1e-5)
    assert fit.quality.interval_from == "standard errors"


def test_power_law_where_there_is_none() -> None:
    zero = fit_power(T, NOTHING, np.ones(8))
    assert not zero.converged
    assert "all means are 0" in zero.message
    assert (zero.exponent.low, zero.exponent.high) == (-math.inf, math.inf)
    with pytest.raises(BanditError, match="no power law to predict from"):
        zero.predict(T)
    jump = fit_power(T, [0, 0, 0, 0, 0, 0, 0, 9], np.ones(8))
    assert not jump.converged
    assert jump.message


@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_intervals_cover(shared: float) -> None:
    # 400 tables of 60 replicates that follow the law: 95 % within 4 binomial standard errors.
    # Widening on misfit can only add, by at most the 5 % of tables that it happens in.
    n = 400
    covered: Counter[str] = Counter()
    for seed in range(n):
        for name, law in (("log", lambda t: 5 + 3 * np.log(t)), ("power", lambda t: 2 * t**0.5)):
            values = replicates(law, seed, 60, shared=shared)
            data = measure(T, list(values.T), paired=shared > 0)
            table = (data.horizons, data.mean, data.se, data.covariance)
            if name == "log":
                fit = fit_log(*table)
                parts = {"slope": (fit.slope, 3), "by errors": (fit.slope_by_errors, 3)}
            else:
                parts = {"exponent": (fit_power(*table).exponent, 0.5)}
            for part, (estimate, truth) in parts.items():
                covered[part] += estimate.low <= truth <= estimate.high
    bound = binomial_bound(0.95, n)
    assert abs(covered["by errors"] / n - 0.95) < bound
    for part in ("slope", "exponent"):
        assert -bound < covered[part] / n - 0.95 < bound + 0.05
    assert covered["slope"] >= covered["by errors"]


def test_chi_squared_is_uniform_where_the_law_holds() -> None:
    for shared in (0.0, 0.8):
        p = []
        for seed in range(300):
            values = replicates(lambda t: 5 + 3 * np.log(t), seed, 400, shared=shared)
            data = measure(T, list(values.T), paired=shared > 0)
            p.append(fit_log(T, data.mean, data.se, data.covariance).quality.p_misfit)
        assert stats.kstest(p, "uniform").pvalue > 1e-3


def test_diagonal_covariance_is_no_covariance() -> None:
    rng = np.random.default_rng(3)
    mean, se = np.log(T) + 0.3 * rng.normal(size=8), rng.uniform(0.2, 0.4, 8)
    one, two = fit_log(T, mean, se), fit_log(T, mean, se, np.diag(se**2))
    assert one.slope.high == pytest.approx(two.slope.high)
    assert one.quality.chi_squared == pytest.approx(two.quality.chi_squared)
    assert one.quality.degrees == two.quality.degrees


def test_measure_by_hand() -> None:
    data = measure([1, 2, 3], [[1, 3], [2, 2, 2], [0, 4]])
    assert data.mean.tolist() == [2, 2, 2]
    assert data.se.tolist() == pytest.approx([1, 0, 2])
    paired = measure([1, 2, 3], [[1, 3], [2, 2], [4, 0]], paired=True)
    assert paired.covariance is not None
    assert paired.covariance == pytest.approx(np.array([[1, 0, -2], [0, 0, 0], [-2, 0, 4]]))
    # Equal values whose mean rounds have no spread.
    assert measure([1, 2, 3], [[0.1] * 3, [0.2] * 3, [0.3] * 3]).se.tolist() == [0, 0, 0]


# --- Choice of a law ------------------------------------------------------------------------


def choices(
    law: Callable[[FloatArray], FloatArray], n: int, tables: int = 40, **more: float
) -> Counter[str]:
    return Counter(
        choose_law(T, list(replicates(law, seed, n, **more).T), resamples=199).decision
        for seed in range(tables)
    )


def test_log_data_is_log() -> None:
    found = choices(lambda t: 10 * np.log(t) - 40, 1000)
    # 2 % errors of replicates' means or less: never anything else, and nearly always decided.
    assert found["log"] >= 36
    assert found["power"] == found["plateau"] == 0


def test_root_data_is_power() -> None:
    found = choices(lambda t: 0.5 * t**0.5, 100)
    assert found["power"] >= 38
    assert found["log"] == found["plateau"] == 0


def test_constant_data_is_a_plateau() -> None:
    found = choices(lambda t: 0 * t + 5, 1000)
    assert found["plateau"] >= 38
    assert found["log"] == found["power"] == 0


def test_approach_to_a_plateau_is_not_log() -> None:
    found = choices(lambda t: 5 - 40 / np.sqrt(t), 1000)
    assert found["plateau"] >= 36
    assert found["log"] == found["power"] == 0


def test_a_quantity_that_falls_is_a_plateau() -> None:
    assert choices(lambda t: 3 + 50 / np.sqrt(t), 100)["plateau"] >= 38


def test_little_data_is_undecided() -> None:
    # 30 replicates with a spread as large as the mean: log or a small power, nobody can say.
    found = choices(lambda t: 5 + 10 * np.log(t), 30, noise=1.0)
    assert found["undecided"] >= 36
    assert found["power"] == 0


def test_noise_shows_no_growth() -> None:
    # Growth must be shown at 97.5 % before log or power may win: at most 2.5 % of tables, here
    # within 4 binomial standard errors, and that is for the slope alone.
    tables, growing = 100, 0
    for seed in range(tables):
        values = np.random.default_rng(seed).normal(size=(60, 8))
        growing += choose_law(T, list(values.T), resamples=99).decision in ("log", "power")
    assert growing / tables < 0.025 + binomial_bound(0.025, tables)


def test_pairing_decides_more() -> None:
    # Replicates that run through all horizons differ in level more than in growth.
    values = [replicates(lambda t: 5 + 10 * np.log(t), s, 200, shared=0.95) for s in range(10)]
    alone = [choose_law(T, list(v.T), resamples=199) for v in values]
    paired = [choose_law(T, list(v.T), paired=True, resamples=199) for v in values]
    assert sum(c.decision == "log" for c in paired) > sum(c.decision == "log" for c in alone)
    assert {c.decision for c in paired} <= {"log", "undecided"}


@pytest.mark.parametrize(
    ("law", "decision"),
    [
        (lambda t: 5 + 3 * np.log(t), "log"),
        (lambda t: 0.3 * t**0.5, "power"),
        # Neither law has room for the constant.
        (lambda t: 0.3 * t**0.5 + 20, "undecided"),
        (lambda t: 0 * t + 0.1, "plateau"),
        (lambda t: 0 * t, "plateau"),
        (lambda t: 4 - 9 / t**0.5, "plateau"),
        # What falls does not grow, nor does a negative power law.
        (lambda t: 4 - 9 * np.log(t), "plateau"),
        (lambda t: -(t**0.5), "plateau"),
    ],
)
def test_exact_data(law: Callable[[FloatArray], FloatArray], decision: str) -> None:
    by_means = choose_law(T, mean=law(T), se=NOTHING)
    assert by_means.decision == decision
    assert math.isfinite(by_means.margin)
    # The same as replicates that all agree.
    by_samples = choose_law(T, [np.full(5, value) for value in law(T)])
    assert by_samples.decision == decision


def test_exact_data_between_laws_is_undecided() -> None:
    # Half-way between the forecasts of two laws that agree with the smaller horizons.
    power, log = T**0.12, fit_log(T[:6], T[:6] ** 0.12, NOTHING[:6])
    mean = power.copy()
    mean[6:] = (power[6:] + log.predict(T[6:])[0]) / 2
    assert choose_law(T, mean=mean, se=NOTHING).decision == "undecided"


def test_tiny_exponents_do_not_beat_log() -> None:
    # T^0.05 exactly: the power law predicts best, but is not told from log T.
    choice = choose_law(T, mean=T**0.05, se=NOTHING)
    assert choice.best == "power"
    assert choice.decision != "power"
    assert "not told from log T" in choice.reason
    told = choose_law(T, mean=T**0.05, se=NOTHING, smallest_exponent=0.01)
    assert told.decision == "power"
    noisy = choices(lambda t: 20 * t**0.05, 4000, tables=5, noise=0.1)
    assert noisy["power"] == 0


def test_a_wide_power_law_stops_log_but_does_not_win() -> None:
    # Three horizons to fit: any law will do.
    choice = choose_law(T[:5], mean=2 + np.log(T[:5]), se=np.full(5, 0.5))
    assert choice.log.slope.low > 0
    assert choice.power.exponent.low < 0.1 < choice.power.exponent.high
    assert choice.decision == "undecided"


def test_tolerance_of_a_plateau() -> None:
    # Growth of 4.85 (1 per unit of log T) on a level of about 100.
    mean, se = 92 + np.log(T), np.full(8, 2.0)
    assert choose_law(T, mean=mean, se=se, tolerance=0.2).decision == "plateau"
    assert choose_law(T, mean=mean, se=se, tolerance=0.01).decision == "undecided"
    wide = choose_law(T, mean=mean, se=se, tolerance=0.0, absolute_tolerance=20.0)
    assert wide.decision == "plateau"
    assert wide.allowed_growth == pytest.approx(20)
    assert wide.growth.value == pytest.approx(math.log(T[-1] / T[0]))


def test_score_by_hand() -> None:
    # Constants: training mean 2 with variance 1/3, held out 4 with variance 1: the error 2 has
    # variance 4/3.
    choice = choose_law([1, 2, 4, 8], mean=[2, 3, 1, 4], se=np.ones(4), held_out=1)
    assert choice.plateau.approach is None
    assert choice.errors["plateau"] == pytest.approx([2 / math.sqrt(4 / 3)])
    expected = stats.norm.logpdf(2, scale=math.sqrt(4 / 3))
    assert choice.scores["plateau"] == pytest.approx(expected, abs=1e-6)
    assert choice.held_out.tolist() == [8]
    # The log law through 2, 3, 1 at log2 T = 0, 1, 2 is 2.5 - log2 T / 2: it predicts 1 at 8,
    # with variance 1/3 + 4/2.
    assert choice.errors["log"] == pytest.approx([3 / math.sqrt(1 + 1 / 3 + 2)])


@given(st.integers(-6, 6), st.integers(0, 20))
def test_units_do_not_matter(power: int, seed: int) -> None:
    values = replicates(lambda t: 10 * np.log(t) - 40, seed, 50)
    one = choose_law(T, list(values.T), resamples=39)
    two = choose_law(60 * T, list(2.0**power * values.T), resamples=39)
    assert (one.decision, one.best) == (two.decision, two.best)
    assert two.margin == pytest.approx(one.margin, abs=1e-4)


def test_choice_is_a_function_of_its_seed() -> None:
    values = list(replicates(lambda t: 10 * np.log(t), 0, 100).T)

    def numbers(choice: LawChoice) -> tuple[object, ...]:
        return choice.decision, choice.margin, choice.share, choice.reason

    assert numbers(choose_law(T, values, seed=1)) == numbers(choose_law(T, values, seed=1))


# --- Slopes ---------------------------------------------------------------------------------


def test_slope_between() -> None:
    values = list(replicates(lambda t: 5 + 3 * np.log(t), 0, 500, noise=0.1).T)
    for lower, upper, decision in (
        (1.0, 8.0, "within"),
        (-math.inf, 4.0, "within"),
        (4.0, 9.0, "below"),
        (0.0, 2.0, "above"),
        (3.0, 3.1, "unclear"),
    ):
        found = slope_between(T, values, lower, upper)
        assert found.decision == decision
        assert found.slope == found.fit.slope


def test_slope_at_the_edge_is_rarely_decided() -> None:
    # The truth is at the upper end: "within" or "above" by 2.5 % each.
    tables = 300
    sides = Counter(
        slope_between(
            T, list(replicates(lambda t: 5 + 3 * np.log(t), s, 60).T), -math.inf, 3.0
        ).decision
        for s in range(tables)
    )
    for side in ("within", "above"):
        assert sides[side] / tables < 0.025 + binomial_bound(0.025, tables)


def test_exact_slope_at_the_edge_is_within() -> None:
    values = [np.full(4, 3 * value) for value in range(3)]
    found = slope_between(np.exp([0.0, 1.0, 2.0]), values, 2.9, 3.1)
    assert found.decision == "within"
    assert found.slope.value == pytest.approx(3)


# --- Elasticities and monotone paths --------------------------------------------------------


def test_theil_slopes_are_scipys() -> None:
    rng = np.random.default_rng(4)
    x = np.log(rng.integers(1, 6, 9).astype(np.float64))  # some equal
    rows = rng.normal(size=(50, 9))
    each = [stats.theilslopes(row, x)[0] for row in rows]
    assert theil_slopes(rows, x).tolist() == each


def test_elasticity_of_an_exact_power_law() -> None:
    x = np.array([1.0, 2, 5, 9])
    found = elasticity(x, 3 * x**1.5)
    estimate = found.over_points
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((1.5, 1.5, 1.5))
    assert found.over_replicates is None


def test_elasticity_ignores_one_wild_point() -> None:
    x = np.arange(1.0, 12)
    y = x.copy()
    y[4] = 1000
    assert elasticity(x, y).over_points.value == pytest.approx(1, abs=0.1)


def test_elasticity_over_replicates_covers() -> None:
    # 100 tables of 40 clusters of 2 replicates: within 4 binomial standard errors of 95 %,
    # less the 3 points that percentiles of 40 clusters may lack.
    x, tables, covered = np.array([1.0, 2, 4, 8, 16]), 100, 0
    labels = np.repeat(np.arange(40), 2)
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        noise = np.exp(0.3 * rng.normal(size=(40, 5)))[labels]
        found = elasticity(x, noise * x**0.8, labels, resamples=99).over_replicates
        assert found is not None
        assert found.n == 40
        covered += found.low <= 0.8 <= found.high
    assert covered / tables > 0.95 - 0.03 - binomial_bound(0.95, tables)


@given(PATHS, st.booleans())
def test_isotonic(path: list[int], increasing: bool) -> None:
    y = np.array(path, dtype=np.float64)
    x = np.arange(y.size, dtype=np.float64)
    found = isotonic(x, y, increasing=increasing)
    upward = found.fitted if increasing else -found.fitted
    assert (np.diff(upward) >= 0).all()
    assert 0 <= found.share <= 1
    steps = np.diff(y) if increasing else -np.diff(y)
    monotone = bool((steps >= 0).all())
    assert monotone == (found.largest_reversal == 0)
    assert monotone == (found.distance <= 1e-12)
    # Only the order of x matters, also the order in which points are given.
    order = np.random.default_rng(0).permutation(y.size)
    other = isotonic(np.exp(x / 3)[order], y[order], increasing=increasing)
    assert other.fitted == pytest.approx(found.fitted)
    assert other.distance == pytest.approx(found.distance)
    mirrored = isotonic(x, -y, increasing=not increasing)
    assert mirrored.share == pytest.approx(found.share)


def test_isotonic_by_hand() -> None:
    # 1, 3, 2, 4: the middle is pooled at 2.5; 0.5 of a sum of squares of 5 is left.
    found = isotonic([1, 2, 3, 4], [1, 3, 2, 4])
    assert found.fitted.tolist() == [1, 2.5, 2.5, 4]
    assert found.distance == pytest.approx(math.sqrt(0.5 / 4))
    assert found.share == pytest.approx(0.1)
    assert found.largest_reversal == 1
    # Weights 1 and 1/4: the middle is at (3 + 2 / 4) / 1.25 = 2.8.
    assert isotonic([1, 2, 3, 4], [1, 3, 2, 4], [1, 1, 2, 1]).fitted[1] == pytest.approx(2.8)
    # Equal x: averaged first.
    assert isotonic([1, 1, 2], [0, 4, 3]).fitted.tolist() == [2, 3]
    assert isotonic([1, 2, 3], [3, 2, 1]).share == pytest.approx(1)


# --- Crossings ------------------------------------------------------------------------------

POINTS = np.array([1.0, 2, 4, 8, 16])


def test_crossing_by_hand() -> None:
    # -1 at 4 and 3 at 8: a quarter of the way on the log scale.
    path = [-3.0, -2, -1, 3, 4]
    found = crossing(POINTS, [path, path, path])
    assert found.status == "crossed"
    assert found.horizon.value == pytest.approx(4 * 2**0.25)
    assert (found.horizon.low, found.horizon.high) == pytest.approx((found.horizon.value,) * 2)
    assert found.upward is True
    assert found.n_changes == 1
    assert found.signs.tolist() == [-1, -1, -1, 1, 1]
    down = crossing(POINTS, [[-value for value in path]] * 3)
    assert down.upward is False
    assert down.horizon.value == pytest.approx(found.horizon.value)


def test_crossing_at_a_checkpoint() -> None:
    assert crossing(POINTS, [[-2.0, -1, 0, 1, 2]] * 2).horizon.value == pytest.approx(4)


def test_the_last_of_several_crossings() -> None:
    found = crossing(POINTS, [[-1.0, 1, -1, -1, 1]] * 4)
    assert (found.status, found.n_changes, found.upward) == ("crossed", 3, True)
    assert found.horizon.value == pytest.approx(math.sqrt(8 * 16))


@pytest.mark.parametrize(
    ("sign", "upward", "status", "low", "high"),
    [
        (1, True, "low", 0.0, 1.0),
        (-1, True, "high", 16.0, math.inf),
        (1, False, "high", 16.0, math.inf),
        (-1, False, "low", 0.0, 1.0),
    ],
)
def test_no_crossing_within_range(
    sign: int, upward: bool, status: str, low: float, high: float
) -> None:
    found = crossing(POINTS, np.full((5, 5), float(sign)), upward=upward)
    assert found.status == status
    assert math.isnan(found.horizon.value)
    assert (found.horizon.low, found.horizon.high) == (low, high)
    assert found.upward is None


def test_noise_does_not_cross() -> None:
    # Holm over checkpoints: any clear sign in 5 % of tables at most.
    tables = 200
    status = Counter(
        crossing(POINTS, np.random.default_rng(seed).normal(size=(30, 5)), resamples=9).status
        for seed in range(tables)
    )
    assert 1 - status["unclear"] / tables < 0.05 + binomial_bound(0.05, tables)
    one = crossing(POINTS, [[-1.0, -1, -1, 1, 1]])
    assert one.status == "unclear"
    assert (one.horizon.low, one.horizon.high) == (0.0, math.inf)


def test_crossing_interval_covers() -> None:
    # Mean differences log(T / 3): replicates differ in level, so the path is one of 60 levels.
    tables, covered = 200, 0
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        values = np.log(POINTS / 3) + rng.normal(size=(60, 1)) + 0.3 * rng.normal(size=(60, 5))
        found = crossing(POINTS, values, resamples=199)
        assert found.status == "crossed"
        covered += found.horizon.low <= 3 <= found.horizon.high
    assert abs(covered / tables - 0.95) < binomial_bound(0.95, tables) + 0.02


def test_crossing_resamples_clusters() -> None:
    rng = np.random.default_rng(4)
    level = rng.normal(size=(12, 1))
    values = np.repeat(np.log(POINTS / 3) + 0.3 * level, 10, axis=0)
    values += 0.01 * rng.normal(size=values.shape)
    labels = np.repeat(np.arange(12), 10)
    apart, together = crossing(POINTS, values), crossing(POINTS, values, labels)
    assert (apart.horizon.n, together.horizon.n) == (120, 12)
    width = [math.log(c.horizon.high / c.horizon.low) for c in (apart, together)]
    assert width[1] > 2 * width[0]


# --- What may not be asked ------------------------------------------------------------------

GOOD = [[1.0, 2.0]] * 8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_log([1, 2], [1, 2], [1, 1]), "3 horizons, not 2"),
        (lambda: fit_log([1, 2, 3], [1, 2], [1, 1, 1]), "3 horizons, 2 means, 3 standard"),
        (lambda: fit_log([1, 3, 2], [1, 2, 3], [1, 1, 1]), "must be positive and increase"),
        (lambda: fit_log([0, 1, 2], [1, 2, 3], [1, 1, 1]), "must be positive and increase"),
        (lambda: fit_power([1, 2, 3], [1, math.nan, 3], [1, 1, 1]), "mean holds 1 values"),
        (lambda: fit_power([1, 2, 3], [1, 2, 3], [1, -1, 1]), "must not be negative"),
        (lambda: fit_log([1, 2, 3], [1, 2, 3], [1, 1, 1], np.eye(2)), "covariance has shape"),
        (lambda: fit_plateau([1, 2, 3], [1, 2, 3], [1, 1, 1], rate=0.0), "rate is 0"),
        (lambda: measure([1, 2, 3], [[1, 2], [], [1, 2]]), "sample 2 is empty"),
        (lambda: measure([1, 2, 3], [[1, 2], [1], [1, 2]]), "two replicates, not one"),
        (lambda: measure([1, 2, 3], [[1, 2]] * 2), "3 horizons but 2 samples"),
        (lambda: measure([1, 2, 3], [[1, 2], [1, 2, 3], [1, 2]], paired=True), "as many"),
        (lambda: choose_law(T), "either samples, or mean and se"),
        (lambda: choose_law(T, GOOD, mean=T), "either samples, or mean and se"),
        (lambda: choose_law(T, mean=T), "mean and se together"),
        (lambda: choose_law(T, mean=T, se=T, paired=True), "no replicates to pair"),
        (lambda: choose_law(T, GOOD, held_out=6), "held_out is 6 of 8"),
        (lambda: choose_law(T, GOOD, held_out=0), "held_out is 0"),
        (lambda: choose_law(T, GOOD, resamples=0), "resamples is 0"),
        (lambda: slope_between(T, GOOD, 2.0, 1.0), "is empty"),
        (lambda: slope_between(T, GOOD, math.nan, 1.0), "must hold no NaN"),
        (lambda: elasticity([1, 2], [1, 2]), "three points"),
        (lambda: elasticity([1, 1, 1], [1, 2, 3]), "two values"),
        (lambda: elasticity([1, 2, 3], [1, 2]), "3 points but y has 2"),
        (lambda: elasticity([1, 2, 3], [0, 2, 3]), "must be positive"),
        (lambda: isotonic([1, 2], [1]), "2, 1"),
        (lambda: isotonic([1, 2], [1, 2], [1, 0]), "must be positive"),
        (lambda: crossing([1, 2, 3], [[1, 2]]), "3 horizons, 2 columns"),
        (lambda: crossing([1, 2, 3], np.empty((0, 3))), "differences is empty"),
        (lambda: crossing([1, 2, 3], [[1, 2, math.inf]]), "not finite"),
    ],
)
def test_refusals(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call()
