"""Detection probabilities: those worked out are those of simulated runs."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from penalized_bandits.statistics.estimates import NORMAL
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.power import FACTORS, broken, detected, power_of
from rule_helpers import above, below, first, frequency, unknown, within

RUNS, SEED = 20_000, 20261122
BOUND = 4.5
"""Standard errors that a simulated share may lie off; one in 100,000 lies further."""


@dataclass(frozen=True)
class Kind:
    """Comparisons of one kind: how one is made of an estimate, and of which standard error."""

    comparison: Callable[[tuple[float, float, float]], Comparison]
    estimate: float
    error: float
    in_proportion: bool = True
    """Whether the standard error grows with the truth."""

    def of(self, value: float, error: float) -> Comparison:
        return self.comparison((value, value - NORMAL * error, value + NORMAL * error))


KINDS = {
    "ratio below a bound": Kind(lambda x: below(x, 1.0), 0.8, 0.05),
    "ratio above a bound": Kind(lambda x: above(x, 2.0), 3.0, 0.4),
    "two limits": Kind(lambda x: within(x, 0.9, 1.1, 1.0), 1.0, 0.04),
    "two limits, wide": Kind(lambda x: within(x, 0.6, 1.6, 1.0), 1.05, 0.03),
    "two limits around 0": Kind(lambda x: within(x, -0.05, 0.05, 0.0), 0.0, 0.02, False),
    "difference above 0": Kind(lambda x: above(x, 0.0, 10.0), 1.0, 0.4, False),
    "difference below 0": Kind(lambda x: below(x, 0.0, 2.0), -3.0, 0.3, False),
}


def check(expected: float, simulated: float) -> None:
    error = math.sqrt(max(expected * (1 - expected), 1 / RUNS) / RUNS)
    assert abs(simulated - expected) < BOUND * error


@pytest.mark.parametrize("name", KINDS)
def test_detection_of_a_violation(name: str) -> None:
    kind = KINDS[name]
    comparison = kind.of(kind.estimate, kind.error)
    chances = []
    for factor in FACTORS:
        missed = []
        for i, truth in enumerate(broken(comparison, factor)[0]):
            error = kind.error * (truth / kind.estimate if kind.in_proportion else 1.0)
            draws = np.random.default_rng([SEED, i]).normal(truth, error, RUNS)
            missed.append(np.mean([kind.of(x, error).status == "holds" for x in draws.tolist()]))
        chances.append(detected(comparison, factor))
        check(chances[-1], 1 - float(max(missed)))
    assert chances == sorted(chances)


@pytest.mark.parametrize(
    ("least", "most", "successes", "trials"),
    [(0.9, 1.0, 60, 60), (0.9, 1.0, 97, 100), (0.0, 0.1, 0, 40), (0.0, 0.3, 5, 60)],
)
def test_detection_of_a_probability(least: float, most: float, successes: int, trials: int) -> None:
    comparison = frequency(first(successes, trials), least=least, most=most)
    for factor in FACTORS:
        ((truth,), _) = broken(comparison, factor)
        draws = np.random.default_rng([SEED, trials]).binomial(trials, truth, RUNS)
        comparisons = (frequency(first(n, trials), least=least, most=most) for n in draws)
        check(
            detected(comparison, factor), float(np.mean([p.status != "holds" for p in comparisons]))
        )


@pytest.mark.parametrize(
    ("comparison", "factor", "truths", "words"),
    [
        (below((0.5, 0.4, 0.6), 1.0), 1.5, [1.5], "1.1, 1.5 or 2 times 1"),
        (above((3.0, 2.5, 3.5), 2.0), 2.0, [1.0], "2 divided by 1.1, 1.5 or 2"),
        (above((3, 2, 4), 0.0, 100.0), 1.1, [-10.0], "0 missed by 10, 50 or 100 % of 100"),
        (within((1, 0.99, 1.01), 0.9, 1.2, 1.0), 1.5, [1.5, 1 / 1.5],
         "true value 1.1, 1.5 or 2 times the claimed 1, or that fraction of it"),
        (within((1, 0.99, 1.01), 0.8, 1.2), 2.0, [2.0, 0.5],
         "true value 1.1, 1.5 or 2 times the claimed 1, or that fraction of it"),
        (within((0, 0, 0), -0.1, 0.2), 2.0, [0.4, -0.2], "1.1, 1.5 or 2 times −0.1 or 0.2"),
        (frequency(first(60, 60), least=0.9), 1.5, [0.85],
         "a probability 1.1, 1.5 or 2 times 0.1 short of 1"),
        (frequency(first(0, 60), most=0.1), 1.5, [0.15], "a probability 1.1, 1.5 or 2 times 0.1"),
        (frequency(first(0, 60), most=0.7), 2.0, [1.0], "a probability 1.1, 1.5 or 2 times 0.7"),
    ],
)  # fmt: skip
def test_violations(comparison: Comparison, factor: float, truths: list[float], words: str) -> None:
    assert broken(comparison, factor) == (pytest.approx(truths), words)


UNLIMITED = Comparison(estimate=0.0, low=0.0, high=0.0, status="holds")


@pytest.mark.parametrize(
    "comparison", [below((-3.0, -4.0, -2.0), 0.0), UNLIMITED, unknown("no data")]
)
def test_parts_that_no_factor_breaks(comparison: Comparison) -> None:
    assert broken(comparison, 2.0) == ([], "")
    assert math.isnan(detected(comparison, 2.0))


def test_parts_without_error_or_without_an_end() -> None:
    assert [detected(below((0.25, 0.25, 0.25), 1.0), factor) for factor in FACTORS] == [1.0] * 3
    assert detected(within((4.5, 4.5, 4.5), 1.0, 8.0), 1.5) == 0.0
    assert math.isnan(detected(below((1.0, -math.inf, math.inf), 2.0), 2.0))


def test_the_weakest_part_counts() -> None:
    sharp, blunt = (KINDS["ratio below a bound"].of(*x) for x in ((0.8, 0.01), (0.2, 0.3)))
    comparisons = (sharp, UNLIMITED, blunt, below((3.0, 2.9, 3.1), 1.0))
    (*_, least), weakest = power_of(comparisons)
    assert least == detected(blunt, 2.0) < detected(sharp, 2.0)
    assert weakest == 2
    unbroken, none = power_of(comparisons[1::2])
    assert none is None
    assert all(map(math.isnan, unbroken))
