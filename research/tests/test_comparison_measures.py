"""Measures of the research: distances to the frontier, growth, regrets with a margin."""

import numpy as np
import pytest

from outcome_factories import outcome
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.statistics.estimates import Estimate, student
from penalized_bandits.theory.inputs import instance_of
from penalized_replication.claims.measures.comparison import Curve
from penalized_replication.common.errors import NotMeasuredError
from penalized_research.claims.less_regret import less_regret
from penalized_research.measures.comparison import distance
from penalized_research.measures.growth import growth_exponent
from rule_helpers import alternating

R = 40
MEANS, FAIRNESS, HORIZON = (0.9, 0.5), (0.4, 0.4), 1000
FRONTIER = oracle_frontier(instance_of(MEANS, FAIRNESS), HORIZON)
SPAN = float(np.ptp(FRONTIER.reward))
BANDIT = outcome(np.zeros((R, 1)), HORIZON, MEANS, FAIRNESS, 0.1)


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
