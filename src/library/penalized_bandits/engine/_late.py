"""The loop for late rewards: an index policy on the statistics of ``play.py``, in its order."""

import math
from typing import Any

import numpy as np

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.errors import MOST_ROUNDS
from penalized_bandits.common.typing import FloatArray, IntArray
from penalized_bandits.engine import _scores as row
from penalized_bandits.engine._draws import noise_number, reward_of, uniform_number
from penalized_bandits.engine._state import Rules, radius_scale

FAIRNESS, PENALTY, CEILING, EXCESS = row.FAIRNESS, row.RATE, row.CEILING, row.EXCESS
PULLS, MEAN, ROOT, VARIANCE = row.PULLS, row.MEAN, row.ROOT, row.VARIANCE
EXPECTED, TOTAL, WORST = range(row.N_ROWS, row.N_ROWS + 3)
N_ARM_ROWS = row.N_ROWS + 3

pick: Any = None
"""A placeholder, as the others: :mod:`penalized_bandits.engine._specialise` binds them."""
queue_served: Any = None
HAS_QUEUE = DRAWS = COMMITS = False


def play(
    first_round: int,
    last_round: int,
    rules: Rules,
    code: RewardCode,
    keys: tuple[np.uint64, np.uint64, np.uint64],
    batch: int,
    delays: IntArray,
    ring: FloatArray,
    state: FloatArray,
) -> None:
    """Play rounds of one replicate, updating ``state`` (18, K), until a score is not a number.

    ``keys`` are of rewards, noise and delays.  ``ring`` (5, S) has a list of rounds for each round
    of arrival: its first and last one; the round after a round, its arm and its reward.
    """
    first, last, after, arm, rewards = ring[0], ring[1], ring[2], ring[3], ring[4]
    n_arms, size, sd = state.shape[1], ring.shape[1], math.sqrt(0.5 * rules.exploration)
    noise, indices, urgencies = np.zeros(n_arms), np.zeros(n_arms), np.full(n_arms, -np.inf)
    most = int(rules.tuning) if COMMITS else MOST_ROUNDS
    if first_round == 1 and rules.scheduled == 0:
        state[row.SINCE] = -1.0
    for n in range(first_round, last_round + 1):
        k = (n - 1) % n_arms
        if n > rules.scheduled > 0 and state[row.OBSERVED].min() == 0.0:
            k = int((state[FAIRNESS] * n - state[PULLS]).argmax())
        elif n > rules.scheduled:
            if DRAWS:
                for j in range(n_arms):
                    noise[j] = noise_number(keys[1], j, n, sd)
            passed, queues = n - 1.0, 1.0 if HAS_QUEUE else 0.0
            now = (float(n), radius_scale(rules, n), passed, queues, rules.tuning)
            k = pick(state, noise, now, urgencies, indices)
            if k < 0:
                return

        pulls, f = state[PULLS, k], state[FAIRNESS, k]
        state[PULLS, k] = pulls + 1.0
        state[WORST, k] = max(state[WORST, k], f * (n - 1) - pulls)
        if HAS_QUEUE:
            level = state[row.LEVEL, k] + f * (n - 1 - state[row.SINCE, k]) + f
            state[row.LEVEL, k] = queue_served(level, state[PENALTY, k], rules.tuning)
            state[row.SINCE, k] = n
        reward = reward_of(keys[0], int(k), pulls + 1.0, state[EXPECTED, k], code)
        state[TOTAL, k] += reward
        delay = delays[int(uniform_number(keys[2], k, int(pulls + 1.0), 0.0) * len(delays))]
        if delay + batch <= size:
            at, to = n % size, (n + delay) % size
            if first[to] < 0:
                first[to] = at
            else:
                after[int(last[to])] = at
            last[to], after[at], arm[at], rewards[at] = at, -1, k, reward

        for arrival in range(n - batch + 1, n + 1 if n % batch == 0 else 0):
            at, first[arrival % size] = int(first[arrival % size]), -1
            while at >= 0:
                k, reward, at = int(arm[at]), rewards[at], int(after[at])
                before, seen = state[MEAN, k], state[row.OBSERVED, k] + 1.0
                state[row.OBSERVED, k], state[ROOT, k] = seen, 1.0 / math.sqrt(seen)
                if seen <= most:
                    rest = state[VARIANCE, k] * (seen - 1.0) if seen > 1.0 else 0.0
                    state[row.SUM, k] += reward
                    state[MEAN, k] = state[row.SUM, k] / seen
                    spread = (reward - before) * (reward - state[MEAN, k]) + rest
                    state[VARIANCE, k] = spread / seen if seen > 1.0 else 0.0
