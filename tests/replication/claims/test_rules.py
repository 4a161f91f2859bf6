"""Rules as values: literal cases of each, near its limits, and what their digests notice."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from penalized_replication.claims import CLAIMS
from penalized_replication.claims.base import claim_of
from penalized_replication.claims.comparisons import Measurement, Place
from penalized_replication.claims.measures.comparison import CurveDifference
from penalized_replication.claims.measures.crossing import PairedRegrets
from penalized_replication.claims.measures.fluid_law import FluidComparison
from penalized_replication.claims.rules import (
    Above,
    AsPredicted,
    Below,
    BelowBound,
    LastSign,
    Less,
    More,
    MoreAtEveryLevel,
    RareWithoutRise,
    Within,
    digest_of,
)
from penalized_replication.claims.rules.base import decided
from register_claims import code_in
from rule_helpers import alternating, first, statuses

TEXTS: dict[str, Any] = {"of": "the number", "over": "In each case"}


def test_below_takes_the_whole_interval_and_above_is_its_reverse() -> None:
    expected = {
        (0.9, 0.8, 0.99): "holds",
        (0.9, 0.8, 1.0): "undecided",
        (1.1, 1.0, 1.2): "fails",
        (1.0, 1.0, 1.0): "fails",
    }
    reverse = [(-value, -high, -low) for value, low, high in expected]
    assert statuses(Below(1.0, **TEXTS), *expected) == [*expected.values()]
    assert statuses(Above(-1.0, **TEXTS), *reverse) == [*expected.values()]


def test_within_includes_its_limits() -> None:
    expected = {
        (1.0, 0.9, 1.1): "holds",
        (1.0, 0.89, 1.1): "undecided",
        (1.2, 1.1, 1.3): "undecided",
        (1.2, 1.11, 1.3): "fails",
        (0.8, 0.7, 0.89): "fails",
    }
    assert statuses(Within(0.9, 1.1, **TEXTS), *expected) == [*expected.values()]


def test_a_limit_is_a_multiple_of_the_unit_from_the_origin() -> None:
    rule = Within(-0.5, 0.5, rounding=1e-9, **TEXTS)
    near, far = (0.775, 0.775, 0.775), (0.78, 0.78, 0.78)
    assert statuses(rule, near, far, unit=0.05, origin=0.75) == ["holds", "fails"]


def test_of_events_a_rule_takes_wilsons_interval() -> None:
    events = [Measurement(first(successes, 60)) for successes in (60, 57, 51, 49)]
    found = [(one.status, one.trials) for one in decided(Above(0.9, **TEXTS), events)]
    assert found == [("holds", 60), ("undecided", 60), ("undecided", 60), ("fails", 60)]


def test_of_values_a_rule_takes_the_t_interval_together_over_all() -> None:
    # Half an interval is 0.0313 alone, 0.0435 for five at once (Bonferroni).
    values = alternating(0.96, 0.0967, 40)
    assert statuses(Below(1.0, **TEXTS), *[values] * 5) == ["holds"] * 5
    assert statuses(Below(1.0, together=True, **TEXTS), *[values] * 5) == ["undecided"] * 5


def test_a_share_that_rises_fails_though_it_is_rare() -> None:
    rule = RareWithoutRise(0.05, rise_level=0.025, **TEXTS)
    few, none, many = first(10, 400), first(0, 400), first(32, 400)
    assert statuses(rule, (none, none), (few, few)) == ["holds", "holds"]
    assert statuses(rule, (few, none), (many, many)) == ["fails", "fails"]


def test_the_horizon_nearest_to_a_bound_decides() -> None:
    rule = BelowBound(allowance=1.0, **TEXTS)
    values = alternating(10.0, 0.01, 40)
    data = {100: (values, 30.0), 1000: (values, 11.0)}
    (comparison,) = decided(rule, [Measurement(data)])
    assert comparison.status == "holds"
    assert comparison.values == {"nearest_horizon": 1000}
    assert comparison.estimate == pytest.approx(10 / 12)
    assert statuses(rule, {100: (values, 8.9)}, {}) == ["fails", "vacuous"]


def test_no_horizon_hides_behind_another_that_is_nearer_to_its_bound() -> None:
    near, wide = (0.9, 0.85, 0.95), (0.5, 0.0, 1.2)
    assert statuses(BelowBound(**TEXTS), {10: (near, 1.0), 100: (wide, 1.0)}) == ["undecided"]


def test_without_a_unit_a_limit_is_the_origin() -> None:
    (comparison,) = decided(Below(2.0, **TEXTS), [Measurement((0.5, 0.5, 0.5), unit=0.0)])
    assert (comparison.status, comparison.least) == ("fails", -np.inf)


def test_levels_are_those_of_intervals() -> None:
    events, values = first(57, 60), alternating(0.96, 0.0967, 40)
    of_events = [Above(0.85, level=level, **TEXTS) for level in (0.05, 0.001)]
    assert [statuses(rule, events)[0] for rule in of_events] == ["holds", "undecided"]
    of_values = [Below(1.0, level=level, **TEXTS) for level in (0.05, 0.001)]
    assert [statuses(rule, values)[0] for rule in of_values] == ["holds", "undecided"]


N = 40
THEIRS = alternating(100.0, 10.0, N)


@pytest.mark.parametrize(
    ("difference", "spread", "status"),
    [(-5, 1, "holds"), (5, 1, "fails"), (-0.1, 1, "negligible"), (-1, 9, "undecided")],
)
def test_a_difference_is_less_by_its_p_value(difference: float, spread: float, status: str) -> None:
    ours = THEIRS + difference + spread * np.resize([1, -1, -1, 1], N)
    assert statuses(Less(**TEXTS), (ours, THEIRS)) == [status]
    assert statuses(More(**TEXTS), (200 - ours, 200 - THEIRS)) == [status]


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        # Holm compares p in order with 0.05/4, 0.05/3, 0.05/2, 0.05: the second stops it.
        ([0.012, 0.02, 0.02, 0.9], "huuu"),
        ([0.012, 0.016, 0.02, 0.04], "hhhh"),
        ([0.04, 0.02, 0.016, 0.012], "hhhh"),
        ([0.02, None], "hu"),
        ([], ""),
    ],
)
def test_differences_are_decided_by_holm(p_values: list[Any], expected: str) -> None:
    spread, error = np.resize([1, -1, -1, 1], N), (N - 1) ** -0.5
    less = [p and (THEIRS + spread - stats.t.isf(p, N - 1) * error, THEIRS) for p in p_values]
    more = [pair and pair[::-1] for pair in less]
    for rule, pairs, letter in ((Less, less, "h"), (Less, more, "f"), (More, more, "h")):
        found = statuses(rule(negligible=0.0, **TEXTS), *pairs)
        assert "".join(status[0] for status in found) == expected.replace("h", letter)


def curves(least: float, error: float) -> CurveDifference:
    value = np.array([10.0, least])
    p = (0.5, 0.5) if error > abs(least) else (0.0, 1.0) if least > 0 else (1.0, 0.0)
    interval = np.stack([value, value - error, value + error])
    return CurveDifference(np.array([1.0, 2.0]), interval, np.array([0, p[0]]), np.array([1, p[1]]))


def test_more_at_every_level_means_at_the_worst() -> None:
    rule = MoreAtEveryLevel(**TEXTS)
    data = curves(5.0, 1.0), curves(-5.0, 1.0), curves(0.1, 1.0)
    assert statuses(rule, *data, scale=100.0) == ["holds", "fails", "undecided"]
    assert statuses(rule, curves(0.1, 1.0), scale=10_000.0) == ["negligible"]


HORIZONS = np.array([1e4, 1e5, 1e6])


def growth(factor: float = 1.0, drift: float = 0.0, spread: float = 0.02) -> FluidComparison:
    logs = np.log(HORIZONS)
    ratios = factor * (1 + drift * (logs - logs.mean()) / np.ptp(logs))
    measured = [alternating(x, spread, N) for x in ratios]
    return FluidComparison(HORIZONS, measured, [np.ones(1)] * 3, logarithmic=True)


def test_a_law_is_near_its_prediction_without_drift() -> None:
    for status, data in {
        "holds": (growth(1.04), growth(drift=0.09)),
        "undecided": (growth(1.0499), growth(spread=0.6)),
        "fails": (growth(1.06), growth(drift=-0.12)),
    }.items():
        assert statuses(AsPredicted(**TEXTS), *data) == [status] * 2


def test_a_law_takes_three_horizons_and_a_prediction() -> None:
    two = growth().where(HORIZONS < 1e6)
    nothing = replace(growth(), predicted=[np.zeros(1)] * 3)
    assert statuses(AsPredicted(**TEXTS), two, nothing) == ["undecided", "vacuous"]


def test_a_horizon_with_a_prediction_of_0_says_nothing_of_a_law() -> None:
    data = growth(1.04)
    longer = FluidComparison(
        np.array([1e3, *HORIZONS]), [np.ones(N), *data.measured], [np.zeros(1), *data.predicted]
    )
    assert statuses(AsPredicted(**TEXTS), longer, data) == ["holds", "holds"]


@pytest.mark.parametrize(
    ("behind", "status"), [((1, 1, 1), "holds"), ((-1, 1, 1), "holds"), ((1, -1, -1), "fails")]
)
def test_the_last_clear_sign_decides(behind: tuple[int, ...], status: str) -> None:
    ours = np.tile(alternating(100.0, 1.0, N)[:, None], 3)
    noise = 0.1 * np.resize([1, -1, -1, 1], N)[:, None]
    pair = PairedRegrets([10, 100, 1000], ours + np.array(behind) * 5 + noise, ours, 0.0)
    assert statuses(LastSign(within=True, **TEXTS), [pair]) == [status]
    later = "undecided" if status == "fails" else status
    assert statuses(LastSign(within=False, **TEXTS), [pair]) == [later]


def test_of_a_group_the_comparison_that_speaks_most_against_the_claim_stays() -> None:
    measurements = [
        Measurement((x, x, x), Place(arm=arm), group="a")
        for arm, x in enumerate((0.2, 0.9, 0.5), 1)
    ]
    assert [c.arm for c in decided(Below(1.0, **TEXTS), measurements)] == [2]


def test_what_a_claim_does_not_speak_of_is_vacuous() -> None:
    below, above = (0.5, 0.5, 0.5), (2.0, 2.0, 2.0)
    rule = Below(1.0, **TEXTS)
    assert statuses(rule, below, above, counts="never") == ["vacuous", "vacuous"]
    assert statuses(rule, below, above, counts="if it fails") == ["vacuous", "fails"]
    assert statuses(rule, None) == ["undecided"]


# What the digests notice


@pytest.mark.parametrize("name", CLAIMS)
def test_every_parameter_is_in_the_digest(name: str) -> None:
    declared = claim_of(name)
    for key, rule in declared.rules.items():
        for field in fields(rule):
            value = getattr(rule, field.name)
            more: Any = "x" if isinstance(value, str) else 1
            other = not value if isinstance(value, bool) else value + more
            changed = {**declared.rules, key: replace(rule, **{field.name: other})}
            same = isinstance(value, float) and not np.isfinite(value)
            assert same or digest_of(declared.statement, changed) != declared.digest, field.name


def test_code_without_a_new_version_is_noticed() -> None:
    source = "class Below:\n    def f(self):\n        return 1 < 2\n"
    assert code_in(source, "Below") != code_in(source.replace("<", "<="), "Below")
    assert code_in(source, "Below") == code_in(
        source.replace("f(self):", 'f(self):\n        "."'), "Below"
    )
