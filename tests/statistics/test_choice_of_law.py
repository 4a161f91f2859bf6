"""The choice between plateau, log T and a power of T: how often it is right, and by hand."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from law_factories import Growth, T, binomial_bound, replicates
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.statistics.choice_of_law import (
    Forecast,
    Law,
    LawChoice,
    ModelSelection,
    choose_law,
)
from penalized_bandits.statistics.estimates import LARGEST_VALUE
from penalized_bandits.statistics.fits import fit_log, fit_power
from penalized_bandits.statistics.measurements import Measurements, measure

NOTHING = np.zeros(T.size)


def exactly(mean: FloatArray) -> Measurements:
    return Measurements(T, mean, NOTHING)


def chosen(law: Growth, seed: int, n: int, noise: float = 0.3, resamples: int = 49) -> LawChoice:
    return choose_law(measure(T, replicates(law, seed, n, noise)), resamples=resamples)


@pytest.mark.parametrize(
    ("law", "n", "noise", "decision", "second"),
    [
        # 2 % errors of replicates' means or less: nearly always decided, and never wrong.
        (lambda t: 10 * np.log(t) - 40, 1000, 0.3, "log", "undecided"),
        (lambda t: 0.5 * t**0.5, 100, 0.3, "power", "undecided"),
        (lambda t: 0 * t + 5, 1000, 0.3, "plateau", "undecided"),
        (lambda t: 5 - 40 / np.sqrt(t), 1000, 0.3, "plateau", "undecided"),
        # What falls does not grow.
        (lambda t: 3 + 50 / np.sqrt(t), 100, 0.3, "plateau", "undecided"),
        # 30 replicates with a spread as large as the mean: log or a small power, nobody can say.
        (lambda t: 5 + 10 * np.log(t), 30, 1.0, "undecided", "log"),
        # A tiny power of T is not distinguished from log T.
        (lambda t: 20 * t**0.05, 4000, 0.1, "log", "undecided"),
    ],
)
def test_noisy_data(law: Growth, n: int, noise: float, decision: str, second: str) -> None:
    found = Counter(chosen(law, seed, n, noise).decision for seed in range(8))
    assert found[decision] >= 7
    assert found[decision] + found[second] == 8


def test_noise_shows_no_growth() -> None:
    # Growth must be shown at 97.5 % before log or power may win: at most 2.5 % of tables, here
    # within 4 binomial standard errors, and that is for the slope alone.
    tables, growing = 40, 0
    for seed in range(tables):
        values = np.random.default_rng(seed).normal(size=(8, 60))
        growing += choose_law(measure(T, list(values)), resamples=19).decision in ("log", "power")
    assert growing / tables < 0.025 + binomial_bound(0.025, tables)


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
def test_exact_data(law: Growth, decision: str) -> None:
    assert choose_law(exactly(law(T))).decision == decision
    # The same as replicates that all agree.
    assert choose_law(measure(T, [np.full(5, value) for value in law(T)])).decision == decision


def test_exact_data_between_laws_is_undecided() -> None:
    # Half-way between the forecasts of two laws that agree with the smaller horizons.
    power = T**0.12
    slope, intercept = np.polyfit(np.log(T[:6]), power[:6], 1)
    log = intercept + slope * np.log(T)
    mean = np.r_[power[:6], (power[6:] + log[6:]) / 2]
    assert choose_law(exactly(mean)).decision == "undecided"
    assert choose_law(exactly(power)).decision == "power"


def test_tiny_exponents_do_not_beat_log() -> None:
    # T^0.05 exactly: the power law predicts best, but is not distinguished from log T.
    choice = choose_law(exactly(T**0.05))
    assert choice.best == "power"
    assert choice.decision != "power"
    assert choose_law(exactly(T**0.05), smallest_exponent=0.01).decision == "power"


def test_a_wide_power_law_stops_log_but_does_not_win() -> None:
    # Three horizons to fit: any law will do.
    data = Measurements(T[:5], 2 + np.log(T[:5]), np.full(5, 0.5))
    exponent = fit_power(data).exponent
    assert fit_log(data).slope.low > 0
    assert exponent.low < 0.1 < exponent.high
    assert choose_law(data).decision == "undecided"


def test_tolerance_of_a_plateau() -> None:
    # Growth of 4.85 (1 per unit of log T) on a level of about 100.
    data = Measurements(T, 92 + np.log(T), np.full(8, 2.0))
    assert choose_law(data, tolerance=0.2, resamples=99).decision == "plateau"
    assert choose_law(data, tolerance=0.01, resamples=99).decision == "undecided"
    wide = choose_law(data, tolerance=0.0, absolute_tolerance=20.0, resamples=99)
    assert wide.decision == "plateau"
    assert wide.allowed_growth == pytest.approx(20)
    assert wide.growth.value == pytest.approx(math.log(T[-1] / T[0]))


def test_score_by_hand() -> None:
    # Constants: training mean 2 with variance 1/3, held out 4 with variance 1: the error 2 has
    # variance 4/3.
    data = Measurements([1, 2, 4, 8], [2, 3, 1, 4], np.ones(4))
    forecasts = choose_law(data, held_out=1, resamples=9).forecasts
    assert forecasts["plateau"].errors == pytest.approx([2 / math.sqrt(4 / 3)])
    expected = stats.norm.logpdf(2, scale=math.sqrt(4 / 3))
    assert forecasts["plateau"].score == pytest.approx(expected, abs=1e-6)
    # The log law through 2, 3, 1 at log2 T = 0, 1, 2 is 2.5 - log2 T / 2: it predicts 1 at 8,
    # with variance 1/3 + 4/2.
    assert forecasts["log"].errors == pytest.approx([3 / math.sqrt(1 + 1 / 3 + 2)])


@pytest.mark.parametrize(
    ("lead", "agreeing", "clearly_better"),
    [(math.log(19.1), 95, True), (math.log(18.9), 100, False), (9.0, 94, False)],
)
def test_a_lead_must_be_large_and_agreed_on(
    lead: float, agreeing: int, clearly_better: bool
) -> None:
    first = Forecast(lead, np.zeros(2), np.repeat([1.0, np.nan], [agreeing, 100 - agreeing]))
    second = Forecast(0.0, np.zeros(2), np.zeros(100))
    forecasts: dict[Law, Forecast] = {"log": first, "plateau": second}
    every: dict[Law, bool] = {"plateau": True, "log": True, "power": True}
    contest = ModelSelection(forecasts, False, every, every)
    assert contest.clearly_better("log", "plateau") == clearly_better
    assert not contest.clearly_better("plateau", "log")
    # A power law that could not be fitted must be beaten, and is not.
    assert not contest.clearly_better("log", "power")
    assert contest.decide() == "undecided"
    no_power: dict[Law, bool] = {"plateau": True, "log": True, "power": False}
    settled = ModelSelection(forecasts, False, every, no_power)
    assert settled.decide() == ("log" if clearly_better else "undecided")


@pytest.mark.parametrize(("power", "seed"), [(-6, 0), (3, 1), (6, 2)])
def test_units_do_not_matter(power: int, seed: int) -> None:
    values = replicates(lambda t: 10 * np.log(t) - 40, seed, 50)
    one = choose_law(measure(T, values), resamples=39)
    two = choose_law(measure(60 * T, [2.0**power * x for x in values]), resamples=39)
    assert (one.decision, one.best) == (two.decision, two.best)
    for law, forecast in one.forecasts.items():
        assert two.forecasts[law].errors == pytest.approx(forecast.errors, abs=1e-4)


def test_choice_is_a_function_of_its_seed() -> None:
    data = measure(T, replicates(lambda t: 10 * np.log(t), 0, 100))
    one, same, other = (
        choose_law(data, seed=seed, resamples=19).forecasts["power"].drawn for seed in (1, 1, 2)
    )
    assert one.tolist() == same.tolist() != other.tolist()


SPECIAL = st.sampled_from([0.0, 1.0, -1.0, 1 + 2**-52, 5e-324, 1e9, 1e9 + 1e-6, LARGEST_VALUE])


@settings(max_examples=40)
@given(st.lists(st.lists(SPECIAL, min_size=3, max_size=3), min_size=5, max_size=5))
def test_any_replicates_are_decided(samples: list[list[float]]) -> None:
    choice = choose_law(measure([10, 100, 1e3, 1e4, 1e5], samples), resamples=9)
    assert choice.decision in ("plateau", "log", "power", "undecided")
    assert choice.growth.low <= choice.growth.value <= choice.growth.high


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda data: choose_law(data, held_out=6), "held_out is 6 of 8"),
        (lambda data: choose_law(data, held_out=0), "held_out is 0"),
        (lambda data: choose_law(data, resamples=0), "resamples is 0"),
    ],
)
def test_refusals(call: Callable[[Measurements], object], message: str) -> None:
    with pytest.raises(BanditError, match=message):
        call(Measurements(T, T, NOTHING))
