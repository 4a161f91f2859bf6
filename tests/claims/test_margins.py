"""Regrets compared with a margin: what is less, what is the same, what is not known."""

import numpy as np
import pytest

from penalized_bandits.claims.extended.margins import less_regret


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(0.9, "holds"), (0.995, "vacuous"), (1.005, "vacuous"), (1.1, "fails")],
)
def test_a_hundredth_is_no_difference(ratio: float, expected: str) -> None:
    rng = np.random.default_rng(3)
    theirs = rng.normal(500, 20, 400)
    ours = ratio * theirs + rng.normal(0, 5, 400)
    (part,) = less_regret({"one": (ours, theirs)})
    assert part.status == expected
    assert part.estimate == pytest.approx(500 * (ratio - 1), abs=1)


def test_near_the_margin_nothing_is_decided_and_at_the_margin_rarely() -> None:
    rng = np.random.default_rng(4)
    theirs = rng.normal(500, 20, 400)
    wrong = sum(
        less_regret({"one": (0.99 * theirs + rng.normal(0, 20, 400), theirs)})[0].status == "holds"
        for _ in range(400)
    )
    # 5 % of 400, give or take four standard errors.
    assert wrong <= 20 + 4 * np.sqrt(400 * 0.05 * 0.95)
    noisy = rng.normal(500, 400, 400)
    assert less_regret({"one": (noisy, theirs)})[0].status == "undecided"


def test_the_level_is_that_of_all_tests_together() -> None:
    rng = np.random.default_rng(5)
    theirs = rng.normal(500, 20, 100)
    ours = 0.95 * theirs + rng.normal(0, 50, 100)
    (part,) = less_regret({"one": (ours, theirs)}, level=0.05)
    (strict,) = less_regret({"one": (ours, theirs)}, level=1e-6)
    assert (part.status, strict.status) == ("holds", "undecided")
