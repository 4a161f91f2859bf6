"""How often a rule notices a violation: what is worked out is what simulated runs come to."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from penalized_bandits.claims.base import (
    Part,
    above,
    below,
    exactly,
    nothing_known,
    share_of,
    within,
)
from penalized_bandits.claims.power import (
    FACTORS,
    broken,
    noticed,
    power_of,
    violation,
    weakest,
)
from penalized_bandits.statistics.estimates import NORMAL

RUNS = 20_000
SEED = 20261122
BOUND = 4.5
"""Standard errors that a simulated chance may lie off; one in 100,000 lies further."""


@dataclass(frozen=True)
class Kind:
    """Parts of one kind: how one is made of an estimate, and of which standard error."""

    part: Callable[[float, float], Part]
    """Of an estimate and its standard error."""
    estimate: float
    error: float
    in_proportion: bool = True
    """Whether the standard error grows with the truth."""


def _ends(value: float, error: float) -> tuple[float, float, float]:
    return value, value - NORMAL * error, value + NORMAL * error


KINDS = {
    "ratio below a bound": Kind(lambda x, e: below("a", *_ends(x, e), 1.0), 0.8, 0.05),
    "ratio above a bound": Kind(lambda x, e: above("a", *_ends(x, e), 2.0), 3.0, 0.4),
    "two limits": Kind(lambda x, e: within("a", *_ends(x, e), 0.9, 1.1, 1.0), 1.0, 0.04),
    "two limits, wide": Kind(lambda x, e: within("a", *_ends(x, e), 0.6, 1.6, 1.0), 1.05, 0.03),
    "two limits around 0": Kind(
        lambda x, e: within(
            "a",
            *_ends(x, e),
            -0.05,
            0.05,
            0.0,
        ),
        0.0,
        0.02,
        in_proportion=False,
    ),
    "difference above 0": Kind(
        lambda x, e: above("a", *_ends(x, e), 0.0, stake=10.0), 1.0, 0.4, in_proportion=False
    ),
    "difference below 0": Kind(
        lambda x, e: below("a", *_ends(x, e), 0.0, stake=2.0), -3.0, 0.3, in_proportion=False
    ),
}


def simulated(kind: Kind, truth: float, seed: int) -> float:
    """Return how often a part made of a truth does not hold."""
    scale = truth / kind.estimate if kind.in_proportion else 1.0
    error = kind.error * scale
    draws = np.random.default_rng([SEED, seed]).normal(truth, error, RUNS)
    return float(np.mean([kind.part(x, error).status != "holds" for x in draws.tolist()]))


def check(expected: float, found: float) -> None:
    """Check a simulated chance against the one worked out."""
    error = math.sqrt(max(expected * (1 - expected), 1 / RUNS) / RUNS)
    assert abs(found - expected) < BOUND * error, (found, expected)


@pytest.mark.parametrize("name", KINDS)
def test_noticed_is_what_runs_come_to(name: str) -> None:
    kind = KINDS[name]
    part = kind.part(kind.estimate, kind.error)
    for factor in FACTORS:
        chances = [simulated(kind, truth, i) for i, truth in enumerate(broken(part, factor))]
        check(noticed(part, factor), min(chances))


@pytest.mark.parametrize(
    ("least", "most", "successes", "trials"),
    [(0.9, 1.0, 60, 60), (0.9, 1.0, 97, 100), (0.0, 0.1, 0, 40), (0.0, 0.3, 5, 60)],
)
def test_noticed_of_a_share_is_what_runs_come_to(
    least: float, most: float, successes: int, trials: int
) -> None:
    part = share_of("a", successes, trials, least=least, most=most)
    assert part.status == "holds"
    for factor in FACTORS:
        (truth,) = broken(part, factor)
        draws = np.random.default_rng([SEED, trials]).binomial(trials, truth, RUNS)
        parts = (share_of("a", int(n), trials, least=least, most=most) for n in draws)
        check(noticed(part, factor), float(np.mean([p.status != "holds" for p in parts])))


def test_truths_that_break_a_part() -> None:
    for found, expected in (
        (broken(below("a", 0.5, 0.4, 0.6, 1.0), 1.5), [1.5]),
        (broken(above("a", 3.0, 2.5, 3.5, 2.0), 2.0), [1.0]),
        (broken(above("a", 3.0, 2.5, 3.5, 0.0, stake=100.0), 1.1), [-10.0]),
        (broken(within("a", 1.0, 0.99, 1.01, 0.9, 1.2, 1.0), 1.5), [1.5, 1 / 1.5]),
        (broken(within("a", 1.0, 0.99, 1.01, 0.8, 1.2), 2.0), [2.0, 0.5]),
        (broken(within("a", 0.0, 0.0, 0.0, -0.1, 0.2), 2.0), [0.4, -0.2]),
        (broken(share_of("a", 60, 60, least=0.9), 1.5), [0.85]),
        (broken(share_of("a", 0, 60, most=0.1), 1.5), [0.15]),
        (broken(share_of("a", 0, 60, most=0.7), 2.0), [1.0]),
        # Nothing says how far from 0 is far, nor what no limit is broken by.
        (broken(below("a", -3.0, -4.0, -2.0, 0.0), 2.0), []),
        (broken(exactly("a", holds=True, value=0.0), 2.0), []),
    ):
        assert found == pytest.approx(expected)


def test_an_exact_part_notices_whatever_is_beyond_its_limit() -> None:
    exact = below("a", 0.25, 0.25, 0.25, 1.0)
    assert [noticed(exact, factor) for factor in FACTORS] == [1.0] * 3
    wide = within("a", 4.5, 4.5, 4.5, 1.0, 8.0)
    assert noticed(wide, 1.5) == 0.0
    assert math.isnan(noticed(nothing_known("a", "no data"), 2.0))
    assert math.isnan(noticed(below("a", 1.0, -math.inf, math.inf, 2.0), 2.0))


def test_power_grows_with_the_violation_and_with_the_replicates() -> None:
    for kind in KINDS.values():
        chances = [noticed(kind.part(kind.estimate, kind.error), f) for f in FACTORS]
        assert chances == sorted(chances)
    few, many = (noticed(below("a", *_ends(0.8, 0.4 / math.sqrt(n)), 1.0), 1.5) for n in (10, 1000))
    assert few < many


def test_the_weakest_part_counts() -> None:
    sharp, blunt = below("sharp", *_ends(0.8, 0.01), 1.0), below("blunt", *_ends(0.2, 0.3), 1.0)
    assert blunt.status == "holds"
    unlimited, broken_one = exactly("c", holds=True, value=0.0), below("d", 3.0, 2.9, 3.1, 1.0)
    parts = (sharp, unlimited, blunt, broken_one)
    assert power_of(parts, 2.0) == noticed(blunt, 2.0) < noticed(sharp, 2.0)
    assert weakest(parts) is blunt
    assert weakest((unlimited, broken_one)) is None
    assert math.isnan(power_of((unlimited, broken_one), 2.0))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (below("arm 2", 0.5, 0.4, 0.6, 1.0), "arm 2: 1.1, 1.5 or 2 times 1"),
        (above("T=10", 3.0, 2.5, 3.5, 2.0), "T=10: 2 divided by 1.1, 1.5 or 2"),
        (
            above("a", 3.0, 2.0, 4.0, 0.0, stake=15500.0),
            "a: 0 missed by 10, 50 or 100 % of 15,500",
        ),
        (
            within("a", 1, 1, 1, 0.9, 1.1, 1.0),
            "a: true value 1.1, 1.5 or 2 times the claimed 1, or that fraction of it",
        ),
        (within("a", 0, 0, 0, -0.1, 0.1), "a: 1.1, 1.5 or 2 times −0.1 or 0.1"),
        (
            share_of("a", 60, 60, least=0.9),
            "a: a probability 1.1, 1.5 or 2 times 0.1 short of 1",
        ),
        (share_of("a", 0, 60, most=0.1), "a: a probability 1.1, 1.5 or 2 times 0.1"),
    ],
)
def test_a_violation_in_words(part: Part, words: str) -> None:
    assert violation(part) == words
