"""Reward laws: each of the registry is drawn as it says, in every loop alike; checks and corners.

Statistical checks have level 0.001 each, with a fixed seed.
"""

import math
import os
import sys
from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from penalized_bandits import BanditError, Instance
from penalized_bandits.bandit import rewards as laws
from penalized_bandits.bandit.rewards import EXAMPLES, FAMILIES, RewardFamily
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import Engine, simulate_part
from programs import said_by
from strategies import drawn_rewards, draws, random_instance

LEVEL = 1e-3
Z = float(stats.norm.isf(LEVEL / 2))
SIZE = 200_000
LOOPS: dict[Engine, str] = dict.fromkeys(get_args(Engine), "hard_threshold_ucb")
LOOPS |= {"lazy": "kl_ucb", "rounds": "imed"}
"""A policy that each loop plays; "plain" is the oracle."""


@pytest.mark.parametrize("law", EXAMPLES.values(), ids=EXAMPLES)
def test_mean_variance_and_tail(law: RewardFamily) -> None:
    own, root = getattr(law, "means", None), math.sqrt(SIZE)
    means = np.array([0.1, 0.5, 0.9]) if own is None else own
    for k, variance in enumerate(law.variances(means)):
        errors = drawn_rewards(law, means.tolist(), k, SIZE) - means[k]
        spread = math.sqrt(variance) if math.isfinite(variance) else errors.std()
        assert abs(errors.mean()) <= Z * spread / root, "mean"
        if math.isfinite(variance):
            squares = errors**2
            assert abs(squares.mean() - variance) <= Z * squares.std() / root, "variance"
        if math.isfinite(law.noise):
            for n_noises in (1, 2, 3):
                bound = min(2 * math.exp(-(n_noises**2) / 2), 1.0)  # of a sub-Gaussian law
                share = (np.abs(errors) > n_noises * law.noise).mean()
                assert share <= bound + Z * math.sqrt(bound * (1 - bound)) / root, "tail"
        else:
            tested = stats.kstest(np.abs(errors), lambda size: 1 - law._exceeds(size))
            assert tested.pvalue > LEVEL, "tail"


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_loop_draws_the_rewards_of_the_oracle(family: str, loop: Engine) -> None:
    instance = random_instance(np.random.default_rng(3), family, 4, 9)
    run = simulate_part(LOOPS[loop], instance, 200, replicates=9, engine=loop)
    for r in range(9):
        played = trace(LOOPS[loop], instance, 200, replicate=r)
        sums = np.bincount(played.arms, played.rewards, 4)
        np.testing.assert_array_equal(run.pulls[r, 0], np.bincount(played.arms, minlength=4))
        np.testing.assert_array_equal(run.reward_sums[r], sums)


class Unknown(RewardFamily):
    id, _number, _noise = "unknown", 99, 1.0


@pytest.mark.parametrize("loop", LOOPS)
def test_an_unknown_family_is_refused_by_name(loop: Engine) -> None:
    instance = Instance([0.9, 0.5], 0.1, 0.1, Unknown())
    with pytest.raises(BanditError, match=r"^Unknown rewards cannot be drawn: .* number 99$"):
        simulate_part(LOOPS[loop], instance, 20, replicates=2, engine=loop)


def test_an_unknown_family_is_refused_without_numba() -> None:
    command = (sys.executable, "-m", "pytest", "-n0", "-qq", "-k", "by_name", __file__)
    said_by(*command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})


@pytest.mark.parametrize(("mean", "sd"), [(0.3, 0.2), (-1.0, 2.0), (0.5, 1 / 20)])
def test_gaussian(mean: float, sd: float) -> None:
    x = drawn_rewards(laws.Gaussian(sd), [mean], 0, 100_000)
    assert stats.kstest(x, stats.norm(mean, sd).cdf).pvalue > LEVEL
    # Not clipped (interpretation R3).
    assert (x < mean - 3.5 * sd).any()
    assert (x > mean + 3.5 * sd).any()


@pytest.mark.parametrize("family", [laws.Bernoulli(), laws.Beta(), laws.Gaussian(0.0)])
@pytest.mark.parametrize("mean", [0.0, 1.0])
def test_what_has_no_spread_is_certain(family: laws.RewardFamily, mean: float) -> None:
    assert set(drawn_rewards(family, [mean], 0, 50_000)) == {mean}


def test_the_variance_of_values_far_from_0_has_its_digits() -> None:
    law = laws.Categorical([1e8, 1e8 + 1], [[0.5, 0.5], [0.4, 0.6]])
    np.testing.assert_allclose(law.variances(law.means), [0.25, 0.24])


@pytest.mark.parametrize("mean", [0.001, 0.2, 0.5, 0.98])
def test_beta(mean: float) -> None:
    x = drawn_rewards(laws.Beta(), [mean], 0, 200_000)
    # Cells of equal probability.  Near an end much of the law lies closer to it than the
    # smallest number there is, or than 2^-53: what is there makes one cell.
    law = stats.beta(mean, 1 - mean)
    edges = law.ppf(np.arange(1, 40) / 40)
    edges = edges[(edges > 1e-300) & (edges < 1 - 1e-9)]
    counts = np.histogram(x, bins=[0.0, *edges, 1.0])[0]
    expected = np.diff([0.0, *law.cdf(edges), 1.0]) * x.size
    assert stats.chisquare(counts, expected).pvalue > LEVEL


def test_beta_of_extreme_means_stays_in_the_interval() -> None:
    for mean in (5e-324, 1e-300, 1e-17, 1e-9, 1 - 1e-9, 1 - 2.0**-53):
        x = drawn_rewards(laws.Beta(), [mean], 0, 200)
        assert ((x >= 0) & (x <= 1)).all()


@pytest.mark.parametrize(
    "probabilities",
    [[0.1, 0.2, 0.3, 0.25, 0.15], [0.0, 0.5, 0.0, 0.5, 0.0], [1e-3, 0.0, 0.0, 0.0, 1 - 1e-3]],
)
def test_categorical_frequencies(probabilities: list[float]) -> None:
    support = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    family = laws.Categorical(support, np.array([[1.0, 0, 0, 0, 0], probabilities]))
    x = drawn_rewards(family, family.means.tolist(), 1, 200_000)
    counts = np.array([(x == value).sum() for value in support])
    p = np.array(probabilities)
    assert counts.sum() == x.size
    assert (counts[p == 0] == 0).all()
    assert stats.chisquare(counts[p > 0], p[p > 0] * x.size).pvalue > LEVEL


def test_categories_of_probability_zero_never_happen_even_at_the_ends() -> None:
    # Ten times 0.1 adds up to less than 1: the largest word lies above every cumulative
    # probability, and the smallest is 0, where the first category has probability 0.
    tenths = [0.0, *[0.1] * 10, 0.0]
    family = laws.Categorical(np.arange(12.0), np.array([tenths]))
    assert np.cumsum(tenths)[-1] < 1
    code = family.code(family.means)
    ends = np.array([0, 2**64 - 1], dtype=np.uint64)
    low, high = draws(ends, 0, family.means[0], code)
    assert (low, high) == (1.0, 10.0)


@pytest.mark.parametrize("family", [laws.Bernoulli(), laws.Beta()])
@pytest.mark.parametrize("wrong", [-0.1, 1.5])
def test_means_outside_the_unit_interval(family: laws.RewardFamily, wrong: float) -> None:
    with pytest.raises(BanditError, match=rf"{family.id.capitalize()} rewards.*{wrong}"):
        Instance([0.5, wrong], 0.1, 0.1, family)
    Instance([0.5, wrong], 0.1, 0.1, laws.Gaussian(1.0))


@pytest.mark.parametrize(
    ("family", "parameters", "problem"),
    [
        (laws.Gaussian, (-1.0,), "sd of Gaussian rewards is -1.0:"),
        (laws.HeavyTailed, (-0.1, 1.5), "scale .* is -0.1"),
        (laws.HeavyTailed, (0.5, 1.0), "tail index .* is 1.0"),
        (laws.Categorical, ([0, 1], [0.5, 0.5]), "shapes are"),
        (laws.Categorical, ([0, 1], [[0.5, 0.6]]), "sum to 1"),
        (laws.Categorical, ([1e9, 1e9 + 1], [[0.5, 0.5 - 9e-10], [0.55, 0.45]]), "sum to 1"),
        (laws.Categorical, ([0, 1], [[-0.5, 1.5]]), ">= 0"),
        (laws.Categorical, ([0, 1], [[0.5, 0.5]], "ab"), "arms has 2 names, but the law has 1"),
    ],
)
def test_wrong_parameters(
    family: Callable[..., laws.RewardFamily], parameters: tuple[object, ...], problem: str
) -> None:
    with pytest.raises(BanditError, match=problem):
        family(*parameters)
