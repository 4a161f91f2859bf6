"""The loop for policies that choose by themselves: one replicate, round by round.

``choose`` sees all arms at once (:class:`~penalized_bandits.policies.base.Round`), so
nothing is known of it that lanes or blocks could use.  It is a placeholder, which
:mod:`penalized_bandits.engine.specialise` binds to one policy's.
"""

import math
from collections.abc import Callable

import numpy as np

from penalized_bandits.engine.draws import categorical, draw_number, noise_number
from penalized_bandits.policies.base import Round
from penalized_bandits.rewards import CATEGORICAL, RewardCode
from penalized_bandits.streams import WEYL, mix, tape_key
from penalized_bandits.typing import FloatArray, IntArray


def first_arm(seen: Round) -> int:
    """Stand for the rule of a policy."""
    del seen
    return 0


choose: Callable[[Round], int] = first_arm
DRAWS = False

FAIRNESS, PENALTY, MEAN, PULLS, EXPECTED, TOTAL, WORST, NOISE = range(8)
"""Rows of the state: what is known of each arm."""
N_ARM_ROWS = 8


def play(
    first_round: int,
    last_round: int,
    scheduled: int,
    exploration: float,
    log_shift: int,
    tuning: float,
    code: RewardCode,
    key: np.uint64,
    noise_key: np.uint64,
    arms: FloatArray,
    memory: FloatArray,
    wrong: IntArray,
) -> None:
    """Play rounds ``first_round`` to ``last_round`` of one replicate, updating ``arms``.

    ``arms`` (8, K) holds the instance and the state, ``memory`` (M, K) the policy's own.  If the
    policy names an arm that there is not, ``wrong`` (2,) is set to the round and the arm, and
    nothing more is played.
    """
    n_arms = arms.shape[1]
    family, sd, cumulative, support = code
    for n in range(first_round, last_round + 1):
        if n <= scheduled:
            choice = (n - 1) % n_arms
        else:
            if DRAWS:
                for k in range(n_arms):
                    arms[NOISE, k] = math.sqrt(0.5 * exploration) * noise_number(noise_key, k, n)
            seen = Round(
                n, arms[PULLS], arms[MEAN], arms[FAIRNESS], arms[PENALTY], tuning,
                exploration, math.log(max(n - log_shift, 1)), arms[NOISE], memory,
            )  # fmt: skip
            choice = int(choose(seen))
            if choice < 0 or choice >= n_arms:
                wrong[0], wrong[1] = n, choice
                return
        before = arms[PULLS, choice]
        count = before + 1.0
        word = mix(mix(tape_key(key, choice)) + np.uint64(np.int64(count)) * WEYL)
        if family == CATEGORICAL:
            reward = categorical(word, choice, cumulative, support)
        else:
            reward = draw_number(word, arms[EXPECTED, choice], family, sd, support[0])
        arms[WORST, choice] = max(arms[WORST, choice], arms[FAIRNESS, choice] * (n - 1) - before)
        arms[TOTAL, choice] += reward
        arms[PULLS, choice] = count
        arms[MEAN, choice] = arms[TOTAL, choice] / count
