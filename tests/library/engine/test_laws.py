"""The contract of reward laws: each of the registry is drawn as it says, in every loop alike.

Statistical checks have level 0.001 each, with a fixed seed.
"""

import math
import os
import sys
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from penalized_bandits import BanditError, Instance
from penalized_bandits.bandit.rewards import EXAMPLES, FAMILIES, RewardFamily
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.simulate import Engine, simulate_part
from programs import said_by
from strategies import drawn_rewards, random_instance

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
