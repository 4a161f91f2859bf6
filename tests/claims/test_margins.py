"""Regrets compared with a margin of 1 %."""

import numpy as np
import pytest

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
