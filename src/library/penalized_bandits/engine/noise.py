"""A policy's own numbers, one for each replicate, arm and round, in plain Python."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from penalized_bandits.policies import Policy


def noise_of(
    policy: Policy, exploration: float, replicate: int, seed: int, names: tuple[str, ...]
) -> Callable[[Any, int], Any]:
    """Return the function that draws a policy's own number of (arm, round) or arms (m,); or 0."""
    if not policy.draws:
        return lambda arm, n: 0.0  # noqa: ARG005
    # Drawing needs numba, which takes longer to import than all the rest.
    from penalized_bandits.engine import _draws
    from penalized_bandits.engine.streams import NOISE_STREAM, Stream

    stream = Stream(seed, (*names, NOISE_STREAM))
    (key,) = stream.replicate_keys(replicate, 1)
    sd = math.sqrt(0.5 * exploration)
    number = _draws.uniform_number if isinstance(policy.draws, str) else _draws.noise_number
    keys = stream.arm_keys(replicate, 1, 1).T

    def noise(arm: Any, n: int) -> Any:
        nonlocal keys
        if not isinstance(arm, np.ndarray):
            with np.errstate(over="ignore"):
                return float(number(key, arm, n, sd))
        from penalized_bandits.engine._specialise import noise_kernel

        if arm[-1] >= keys.size:
            keys = stream.arm_keys(replicate, 1, int(arm[-1]) + 1).T.copy()
        numbers = np.empty((1, len(arm)))
        noise_kernel(policy)(keys[:, arm], n, sd, np.empty(len(arm), np.int64), numbers)
        return numbers[0]

    return noise
