"""Regrets compared with a margin of 1 %, and their ratios."""

import numpy as np
import pytest

from penalized_bandits.claims.extended.comparison import ratio_of_means
from penalized_bandits.claims.extended.less_regret import less_regret
from rule_helpers import alternating

N = 400
THEIRS = np.full(N, 500.0)


def status(ratio: float, spread: float, level: float = 0.05) -> str:
    """Return the status at a ratio of means; a standard error is a twentieth of the spread."""
    ours = alternating(500 * ratio, spread, N)
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
    assert status(ratio, spread) == expected


def test_the_level_is_that_of_all_tests_together() -> None:
    assert (status(0.985, 20), status(0.985, 20, level=0.001)) == ("holds", "undecided")
    ours = alternating(492.5, 26, N)
    (one,) = less_regret([(ours, THEIRS, {})])
    several = less_regret([(ours, THEIRS, {"case": case}) for case in "abc"])
    assert [part.status for part in (one, *several)] == ["holds"] + ["undecided"] * 3


def test_ratio_of_means() -> None:
    rng = np.random.default_rng(5)
    below = rng.uniform(1, 3, 4000)
    above = 2 * below + rng.normal(0, 0.1, 4000)
    ratio = ratio_of_means(above, below)
    assert ratio.value == pytest.approx(above.mean() / below.mean())
    # Errors of 0.1 over a mean of 2.
    assert (ratio.high - ratio.low) / 2 == pytest.approx(1.96 * 0.05 / np.sqrt(4000), rel=0.05)
    assert ratio.low < 2 < ratio.high
