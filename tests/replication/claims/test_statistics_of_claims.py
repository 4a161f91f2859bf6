"""Power laws, elasticities, paths, crossings: by hand, and how often intervals cover."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from config_helpers import ROOT
from penalized_bandits.common.typing import FloatArray
from penalized_replication.claims.measures import growth
from penalized_replication.claims.measures.crossing import Crossing, clear_signs, crossing
from penalized_replication.claims.paper.figure_4 import elasticity, theil_slopes
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
