"""Random numbers that policies make from their own uniform ones: their laws, in every loop."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numba import njit
from scipy import stats

from penalized_bandits import Arm, Policy
from penalized_bandits.engine._formulas import inlined
from penalized_bandits.engine.oracle import noise_of
from penalized_bandits.policies.samples import beta, further, gamma, normal_rejected, word
from penalized_bandits.policies.ziggurat import ZIGGURAT_EDGES

LEAST_P = 1e-3
"""Of the p-values below: with the fixed seeds, a right law is missed once in a thousand."""


def index(arm: Arm) -> float:
    return arm.mean + arm.radius * (further(arm.noise, 1) - arm.noise)


def drawn(seed: int, n: int) -> list[float]:
    policy = Policy("u", index=index, draws="uniform")
    draw = noise_of(policy, 2.0, seed, 3, ("a",))
    return [draw(0, i) for i in range(1, n + 1)]


def test_uniform_numbers_and_those_made_of_them_are_uniform_and_independent() -> None:
    first = drawn(0, 4000)
    columns = np.array([first, *([further(u, i) for u in first] for i in (1, 2, 3))])
    for column in columns:
        assert stats.kstest(column, "uniform").pvalue > LEAST_P
    between = np.corrcoef(columns)[np.triu_indices(4, 1)]
    # Five standard errors of a correlation of 4000 pairs.
    assert np.abs(between).max() < 5 / 4000**0.5


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1), (1, 6), (7.5, 1), (2, 2), (1.25, 40), (350, 4), (9000, 21000)]
)
def test_beta_has_its_law(a: float, b: float) -> None:
    numbers = [beta(u, a, b) for u in drawn(1, 4000)]
    assert 0 < min(numbers) < max(numbers) < 1
    assert stats.kstest(numbers, stats.beta(a, b).cdf).pvalue > LEAST_P


@pytest.mark.parametrize("shape", [1, 1.1, 4.5, 3000])
def test_gamma_has_its_law(shape: float) -> None:
    numbers = [gamma(u, 1, shape) for u in drawn(4, 4000)]
    assert stats.kstest(numbers, stats.gamma(shape).cdf).pvalue > LEAST_P


def test_the_tail_of_the_normal_law() -> None:
    """Numbers beyond the ziggurat's first edge, of which the other tests draw none."""
    edge, outermost = ZIGGURAT_EDGES[1], 2.0**-53 * ZIGGURAT_EDGES[0]
    places = product(drawn(5, 1000), range(1, 200, 2))
    starts = ((u, i) for u, i in places if word(u, i) & 255 == 0)
    beyond = [(u, i) for u, i in starts if (word(u, i) >> 11) * outermost >= edge]
    numbers = [abs(normal_rejected(*start)[0]) for start in beyond]
    assert len(numbers) > 20
    assert stats.kstest(numbers, stats.truncnorm(edge, np.inf).cdf).pvalue > LEAST_P


@pytest.mark.parametrize("function", [further, beta])
def test_compiled_they_are_the_same_to_the_last_bit(function: Callable[..., float]) -> None:
    compiled = njit(inlined(function, "test").py_func)
    arguments = [(1,), (7,)] if function is further else [(1, 3), (3, 1), (2, 50.5), (12, 12)]
    for u in [0.0, 1 - 2**-53, *drawn(2, 200)]:
        for others in arguments:
            assert compiled(u, *others) == function(u, *others)
