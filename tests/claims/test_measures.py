"""What several claims measure: paths, curves and their comparisons."""

from itertools import product

import numpy as np
import pytest

from made_up import outcome
from penalized_bandits.bandit.frontier import oracle_frontier
from penalized_bandits.claims.extended.comparison import ratio_of_means
from penalized_bandits.claims.measures.distance import distance
from penalized_bandits.claims.measures.growth import growth_part
from penalized_bandits.claims.measures.tradeoff import Curve, common_levels, compare, interpolated
from penalized_bandits.claims.measures.unfairness_paths import (
    Paths,
    largest_rise,
    resampled_rises,
)
from penalized_bandits.common.errors import NotMeasuredError
from penalized_bandits.statistics.estimates import Estimate

R = 40
MEANS, FAIRNESS, HORIZON = (0.9, 0.5), (0.4, 0.4), 1000
FRONTIER = oracle_frontier(np.array(MEANS), np.array(FAIRNESS), HORIZON)
SPAN = float(np.ptp(FRONTIER.reward))
BANDIT = outcome(np.zeros((R, 1)), HORIZON, MEANS, FAIRNESS, 0.1)


def half(found: Estimate) -> float:
    return (found.high - found.low) / 2


def test_largest_rise_is_that_of_any_two_places() -> None:
    rows = np.random.default_rng(3).normal(size=(40, 7))
    by_hand = [
        max(0, *(row[j] - row[i] for i, j in product(range(7), repeat=2) if i < j)) for row in rows
    ]
    assert largest_rise(rows) == pytest.approx(by_hand)
    values = np.repeat(rows[:1, :, None].swapaxes(0, 1), 5, axis=1)
    assert resampled_rises(values, 10) == pytest.approx(np.full((10, 1), by_hand[0]))


def test_break_points_lie_between_values_of_the_grid() -> None:
    short = np.array([[[5, 5, 0]], [[0, 5, 0]], [[3, 5, 0]], [[0, 5, 0]]], dtype=np.float64)
    grid, tau = np.array([0.0, 0.25, 0.5, 1.0]), np.full(3, 0.1)
    paths = Paths(grid, grid, short, np.array([0.5, 0.6, 0.7]), tau, 100)
    assert paths.break_points == pytest.approx(np.array([[0.75, 1.25, -0.125]]))


def test_interpolation_agrees_with_numpy() -> None:
    generator = np.random.default_rng(5)
    x, y = generator.normal(size=(50, 6)), generator.normal(size=(50, 6))
    levels = np.linspace(-3, 3, 13)
    for row, found in enumerate(interpolated(x, y, levels)):
        order = np.argsort(x[row])
        assert found == pytest.approx(np.interp(levels, x[row][order], y[row][order]))


def test_interpolation_at_ties_and_of_one_point() -> None:
    x, y = np.array([[0.0, 0.0, 0.0, 1.0]]), np.array([[1.0, 2.0, 3.0, 5.0]])
    assert interpolated(x, y, np.array([0.5, 0.0, 1.0, 2.0]))[0] == pytest.approx([4, 3, 5, 5])
    one = interpolated(np.array([[1.0]]), np.array([[7.0]]), np.array([0.0, 1.0, 2.0]))
    assert one[0] == pytest.approx([7, 7, 7])


def test_levels_are_inside_the_common_range() -> None:
    reward = np.zeros((4, 3))
    wide = Curve(np.tile([0.0, 50.0, 100.0], (4, 1)), reward)
    high = Curve(np.tile([80.0, 120.0, 180.0], (4, 1)), reward)
    assert common_levels([wide, high]) == pytest.approx(np.linspace(82, 98, 9))
    assert common_levels([wide, Curve(high.unfairness + 50, reward)]) is None


def test_errors_of_a_comparison_are_those_of_pairs() -> None:
    generator = np.random.default_rng(8)
    n, unfair = 50, np.tile([0.0, 100.0], (50, 1))
    common = generator.normal(0, 50, (n, 1))
    ours = Curve(unfair, 1000 + common + generator.normal(1, 2, (n, 1)) + 0 * unfair)
    theirs = Curve(unfair, 1000 + common + generator.normal(0, 2, (n, 1)) + 0 * unfair)
    found = compare(ours, theirs, np.array([25.0, 75.0]))
    difference = (ours.reward - theirs.reward)[:, 0]
    assert found.difference == pytest.approx([difference.mean()] * 2)
    expected = 2.01 * difference.std(ddof=1) / np.sqrt(n)
    assert (found.high - found.low) / 2 == pytest.approx([expected] * 2, rel=0.08)


def test_comparisons_of_equals_are_rarely_decided() -> None:
    n, hits = 15, 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        unfair = np.linspace(0, 100, 6) + generator.normal(0, 3, (2, n, 6))
        reward = 500 + unfair + generator.normal(0, 5, (2, n, 1))
        a, b = (Curve(unfair[i], reward[i]) for i in range(2))
        found = compare(a, b, np.array([50.0]))
        hits += int(min(found.p_greater[0], found.p_less[0]) < 0.025)
    # 5 % of 60 is 3; more than 9 has probability 0.1 % under an exact test.
    assert hits <= 9


def test_ratio_of_means() -> None:
    rng = np.random.default_rng(5)
    below = rng.uniform(1, 3, 4000)
    above = 2 * below + rng.normal(0, 0.1, 4000)
    found = ratio_of_means(above, below)
    assert found.value == pytest.approx(above.mean() / below.mean())
    # Errors of 0.1 over a mean of 2.
    assert half(found) == pytest.approx(1.96 * 0.05 / np.sqrt(4000), rel=0.05)
    assert found.low < 2 < found.high


def curve(shift: float) -> Curve:
    """Return a curve that lies below the frontier by a number of units of reward."""
    unfairness = np.linspace(0, FRONTIER.unfairness[-1], 5)
    reward = FRONTIER.reward_at(unfairness) - shift
    noise = np.random.default_rng(1).normal(0, 0.1, (R, 1))
    return Curve(np.tile(unfairness, (R, 1)), np.tile(reward, (R, 1)) + noise)


def test_distance_to_the_frontier_and_to_the_paper_s_policy() -> None:
    found = distance(curve(2.0), curve(5.0), BANDIT)
    assert found is not None
    below, behind = found[0].estimate, found[1]
    noise = 0.1 / np.sqrt(R) / SPAN
    assert below.value == pytest.approx(5 / SPAN, abs=4 * noise)
    assert below.low < 5 / SPAN < below.high
    # 95 % of Student's t with 39 degrees of freedom; the bootstrap's error has 4 % of its own.
    assert half(below) == pytest.approx(2.02 * noise, rel=0.3)
    # Common noise: the difference is known exactly.
    assert behind.estimate.value == pytest.approx(3 / SPAN)
    assert half(behind.estimate) < 1e-9
    assert (behind.p_more(), behind.p_less(), behind.same) == (0.0, 1.0, False)
    # Held against another share than 0.
    assert (behind.p_more(4 / SPAN), behind.p_less(4 / SPAN)) == (1.0, 0.0)
    middle = found[0]
    assert middle.p_more(middle.estimate.low) == pytest.approx(0.025, rel=1e-6)
    assert middle.p_less(middle.estimate.high) == pytest.approx(0.025, rel=1e-6)
    itself = distance(curve(2.0), curve(2.0), BANDIT)
    assert itself is not None
    assert itself[1].same


def test_policies_without_a_tradeoff_are_compared_at_their_own_unfairness() -> None:
    ours, whole = curve(2.0), curve(5.0)
    one = Curve(whole.unfairness[:, 2:3], whole.reward[:, 2:3])
    found = distance(ours, one, BANDIT)
    assert found is not None
    assert found[1].estimate.value == pytest.approx(3 / SPAN)
    # A point of the other's curve is the same, whatever the rounding of its unfairness.
    end = Curve(ours.unfairness[:, -1:] * (1 + 1e-15), ours.reward[:, -1:])
    found = distance(ours, end, BANDIT)
    assert found is not None
    assert found[1].same
    assert distance(ours, Curve(one.unfairness + 1000, one.reward), BANDIT) is None


def test_growth_takes_two_horizons() -> None:
    with pytest.raises(NotMeasuredError, match="growth takes two horizons, not one"):
        growth_part("one", [BANDIT], 0.5)
