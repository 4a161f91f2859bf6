"""The bounds of KL-UCB and of empirical KL-UCB, at the edges and between."""

import math
from itertools import pairwise

import numpy as np
import pytest

from penalized_bandits.policies import empirical_kl
from penalized_bandits.policies.kl import bound_exceeds, bracket, upper_bound
from reference_kl import empirical_bound, kl_bound


@pytest.mark.parametrize("mean", [0.0, 1e-300, 1e-9, 0.1, 0.9, 1 - 1e-9, 1.0])
@pytest.mark.parametrize("level", [0.0, 1e-12, 1e-3, 1.0, 30.0])
def test_kl_bound(mean: float, level: float) -> None:
    found = upper_bound(mean, level)
    assert mean <= found <= 1.0
    assert found == pytest.approx(kl_bound(mean, level), rel=1e-9, abs=2e-10)


def test_kl_bound_rises_with_the_level_and_takes_means_to_the_nearest_end() -> None:
    for mean in np.linspace(0, 1, 41).tolist():
        bounds = [upper_bound(mean, level) for level in np.geomspace(1e-6, 20, 400).tolist()]
        assert all(b >= a - 1e-12 for a, b in pairwise(bounds))
    assert upper_bound(-3.0, 0.5) == upper_bound(0.0, 0.5) == 1 - math.exp(-0.5)
    assert upper_bound(7.0, 0.5) == upper_bound(math.inf, 0.5) == 1.0


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.1, 0.9, 1 - 1e-9, 1.0])
@pytest.mark.parametrize("level", [1e-7, 1e-3, 1.0, 30.0])
def test_kl_bound_is_known_to_exceed_a_value_without_a_solve(mean: float, level: float) -> None:
    bound = upper_bound(mean, level)
    assert not any(bound_exceeds(mean, level, bound + above) for above in (1e-9, 0.1, 2.0))
    assert bound_exceeds(mean, level, bound - max(0.01 * (bound - mean), 1e-9)) or bound == 1.0


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.1, 0.9, 1 - 1e-9, 1.0])
@pytest.mark.parametrize("level", [1e-7, 1e-3, 1.0, 30.0])
def test_kl_bracket(mean: float, level: float) -> None:
    bound, later = upper_bound(mean, level), 1.01 * level
    for off in (-0.3, -0.05, 0.0, 0.05, 0.3):
        low, high = bracket(mean, level, later, bound + off * (bound - mean))
        assert low < bound <= upper_bound(mean, later) < high
        assert high - low < 0.05 * (bound - mean) + 3e-9


@pytest.mark.parametrize("values", [[0.0], [0.0, 1.0], [0.25, 0.5], [0.0, 0.2, 0.7, 1.0], [1.0]])
@pytest.mark.parametrize("level", [1e-6, 1e-3, 0.1, 2.0])
def test_empirical_kl_bound(values: list[float], level: float) -> None:
    rewards = [value for i, value in enumerate(values) for _ in range(2 * i + 1)]
    counts = np.zeros((21, 1))
    for reward in rewards:
        empirical_kl.count(counts, 0, reward)
    found, slope = empirical_kl.upper_bound(counts, 0, float(len(rewards)), level)
    assert found == pytest.approx(empirical_bound(rewards, level), rel=1e-9, abs=1e-9)
    if set(values) == {0.0, 1.0}:  # K_inf of two values is kl
        assert found == pytest.approx(upper_bound(0.75, level), rel=1e-9)
    # Concave: a tangent, and above the bound elsewhere.
    for other in (0.3 * level, 0.999 * level, 1.001 * level, 7.0 * level):
        bound = empirical_kl.upper_bound(counts, 0, float(len(rewards)), other)[0]
        assert bound <= found + slope * (other - level) + 1e-12
        if abs(other - level) < 0.01 * level:
            tangent = found + slope * (other - level)
            assert bound == pytest.approx(tangent, abs=1e-6 * math.sqrt(level))
