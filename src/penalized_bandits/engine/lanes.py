"""The loop that plays one policy on many replicates side by side.

Replicates are *lanes*: arrays are [arm][lane] and inner loops run over lanes, which the
compiler turns into vector instructions.  What makes the loop fast, and why each piece
looks as it does:

- The root 1 / sqrt(N_k) is kept per arm, so an index costs a product instead of a
  logarithm, a division and a root; the logarithm is taken once a round.
- "Below the fairness level", N_k < tau_k n, is compared in that form as well: with
  need = ceil(tau_k n) it is 1 / sqrt(N_k) > 1 / sqrt(need), which is exact because N is
  a whole number and the root of two neighbours never rounds to the same value.
- Four arms are reduced before the running best is touched (fewer loads and stores);
  past the last arm the last one is repeated, which cannot win against itself because
  comparisons are strict.
- Pulls are done in steps (gather, draw, divide, scatter) so that divisions and draws
  vectorise too, leaving only the gathers scalar.
- Nothing is fused or reordered (no fastmath, no contraction): every lane computes what
  the plain-Python oracle computes, bit for bit.

``score_of``, ``queue_served``, the two scans and the flags are placeholders, which
:mod:`penalized_bandits.engine.specialise` binds to one policy's.
"""

import math
from collections.abc import Callable

import numpy as np

from penalized_bandits.engine.draws import categorical
from penalized_bandits.policies.base import Arm, no_queue, no_urgency
from penalized_bandits.rewards import (
    BERNOULLI,
    CATEGORICAL,
    DETERMINISTIC,
    GAUSSIAN,
    HEAVY_TAILED,
    RewardCode,
)
from penalized_bandits.streams import (
    WEYL,
    beta_first_try,
    beta_rejected,
    heavy_tailed,
    mix,
    normal_first_try,
    normal_rejected,
    tape_key,
    unit,
)
from penalized_bandits.typing import FloatArray, IntArray, UIntArray

score_of: Callable[[Arm], float] = no_urgency
queue_served: Callable[[float, float, float], float] = no_queue
HAS_URGENCY = False
HAS_QUEUE = False
COMMITS = False
DRAWS = False
PENALTY_VARIES = False

UNPULLED_ROOT = 1e308
"""Stands for 1 / sqrt(0): large, yet finite, so that 0 times it is 0."""


def scan(
    n: float,
    scale: float,
    tuning: float,
    bound: FloatArray,
    fairness: FloatArray,
    gain: FloatArray,
    penalty: FloatArray,
    mean: FloatArray,
    root: FloatArray,
    pulls: FloatArray,
    level: FloatArray,
    since: FloatArray,
    noise: FloatArray,
    best: FloatArray,
    choice: IntArray,
) -> None:
    """Put the largest score of each lane in ``best`` and its lowest arm in ``choice``.

    ``scale`` is sqrt(c log n); ``bound`` (K,) is what ``root`` exceeds below the
    fairness level; ``gain`` (K,) is what queues gain a round; ``mean``, ``root``, ``pulls``,
    ``level`` and ``since`` (a queue after the arm's last pull, and its round) are (K, W),
    ``penalty`` is too where it varies by lane, else (K, 1), and ``noise`` where the policy draws.
    """
    n_arms, n_lanes = mean.shape
    for lane in range(n_lanes):
        best[lane] = -np.inf
    for k0 in range(0, n_arms, 4):
        k1 = min(k0 + 1, n_arms - 1)
        k2 = min(k0 + 2, n_arms - 1)
        k3 = min(k0 + 3, n_arms - 1)
        b0, b1, b2, b3 = bound[k0], bound[k1], bound[k2], bound[k3]
        f0, f1, f2, f3 = fairness[k0], fairness[k1], fairness[k2], fairness[k3]
        g0, g1, g2, g3 = gain[k0], gain[k1], gain[k2], gain[k3]
        q0 = q1 = q2 = q3 = 0.0
        z0 = z1 = z2 = z3 = 0.0
        a0, a1, a2, a3 = penalty[k0, 0], penalty[k1, 0], penalty[k2, 0], penalty[k3, 0]
        for w in range(n_lanes):
            r0, r1, r2, r3 = root[k0, w], root[k1, w], root[k2, w], root[k3, w]
            if HAS_QUEUE:
                q0 = level[k0, w] + g0 * (n - 1 - since[k0, w])
                q1 = level[k1, w] + g1 * (n - 1 - since[k1, w])
                q2 = level[k2, w] + g2 * (n - 1 - since[k2, w])
                q3 = level[k3, w] + g3 * (n - 1 - since[k3, w])
            if PENALTY_VARIES:
                a0, a1, a2, a3 = penalty[k0, w], penalty[k1, w], penalty[k2, w], penalty[k3, w]
            if DRAWS:
                z0, z1, z2, z3 = noise[k0, w], noise[k1, w], noise[k2, w], noise[k3, w]
            s0 = score_of(
                Arm(n, mean[k0, w], scale * r0, pulls[k0, w], r0 > b0, f0,
                    a0, q0, tuning, z0)
            )  # fmt: skip
            s1 = score_of(
                Arm(n, mean[k1, w], scale * r1, pulls[k1, w], r1 > b1, f1,
                    a1, q1, tuning, z1)
            )  # fmt: skip
            s2 = score_of(
                Arm(n, mean[k2, w], scale * r2, pulls[k2, w], r2 > b2, f2,
                    a2, q2, tuning, z2)
            )  # fmt: skip
            s3 = score_of(
                Arm(n, mean[k3, w], scale * r3, pulls[k3, w], r3 > b3, f3,
                    a3, q3, tuning, z3)
            )  # fmt: skip
            take1 = s1 > s0
            s01 = s1 if take1 else s0
            k01 = k1 if take1 else k0
            take3 = s3 > s2
            s23 = s3 if take3 else s2
            k23 = k3 if take3 else k2
            take23 = s23 > s01
            s = s23 if take23 else s01
            k = k23 if take23 else k01
            better = s > best[w]
            best[w] = s if better else best[w]
            choice[w] = k if better else choice[w]


scan_index = scan
scan_urgency = scan


def rewards_of(
    words: UIntArray,
    choice: IntArray,
    means: FloatArray,
    code: RewardCode,
    edges: FloatArray,
    heights: FloatArray,
    again: IntArray,
    rewards: FloatArray,
) -> None:
    """Draw the reward of each lane's chosen arm; ``draw`` of rewards.py, lane by lane."""
    n_lanes = len(words)
    if code.family == GAUSSIAN:
        n_again = 0
        for w in range(n_lanes):
            z, redo = normal_first_try(words[w], edges)
            rewards[w] = means[w] + code.sd * z
            again[w] = redo
            n_again += redo
        if n_again > 0:
            for w in range(n_lanes):
                if again[w]:
                    rewards[w] = means[w] + code.sd * normal_rejected(words[w], edges, heights)
    elif code.family == BERNOULLI:
        for w in range(n_lanes):
            rewards[w] = 1.0 if unit(words[w]) < means[w] else 0.0
    elif code.family == CATEGORICAL:
        for w in range(n_lanes):
            rewards[w] = categorical(words[w], choice[w], code.cumulative, code.support)
    elif code.family == DETERMINISTIC:
        for w in range(n_lanes):
            rewards[w] = means[w]
    elif code.family == HEAVY_TAILED:
        for w in range(n_lanes):
            rewards[w] = means[w] + code.sd * heavy_tailed(words[w], code.support[0])
    else:
        n_again = 0
        for w in range(n_lanes):
            rewards[w], again[w] = beta_first_try(words[w], means[w])
            n_again += again[w]
        if n_again > 0:
            for w in range(n_lanes):
                if again[w]:
                    rewards[w] = beta_rejected(words[w], means[w])


def noise_of(
    keys: UIntArray,
    n: int,
    sd: float,
    edges: FloatArray,
    heights: FloatArray,
    again: IntArray,
    noise: FloatArray,
) -> None:
    """Draw the policy's own N(0, sd^2) number of each arm and lane, (K, W), in round ``n``."""
    n_arms, n_lanes = noise.shape
    step = np.uint64(n) * WEYL
    for k in range(n_arms):
        n_again = 0
        for w in range(n_lanes):
            z, redo = normal_first_try(mix(keys[k, w] + step), edges)
            noise[k, w] = sd * z
            again[w] = redo
            n_again += redo
        if n_again > 0:
            for w in range(n_lanes):
                if again[w]:
                    noise[k, w] = sd * normal_rejected(mix(keys[k, w] + step), edges, heights)


def scratch(n_arms: int, n_lanes: int) -> tuple[tuple[FloatArray | IntArray | UIntArray, ...], ...]:
    """Make the arrays that :func:`play` works in; to make them there takes longer to compile."""
    return (
        (np.zeros(n_arms), np.full(n_arms, np.inf)),
        tuple(np.ones(n_lanes) for _ in range(5)),
        tuple(np.zeros(n_lanes, np.int64) for _ in range(3)),
        tuple(np.zeros(n_lanes, np.uint64) for _ in range(2)),
    )


def play(
    first_round: int,
    last_round: int,
    n_active: int,
    scheduled: int,
    exploration: float,
    log_shift: int,
    tuning: float,
    fairness: FloatArray,
    gain: FloatArray,
    penalty: FloatArray,
    means: FloatArray,
    code: RewardCode,
    edges: FloatArray,
    heights: FloatArray,
    keys: UIntArray,
    mean: FloatArray,
    root: FloatArray,
    pulls: FloatArray,
    total: FloatArray,
    level: FloatArray,
    since: FloatArray,
    worst: FloatArray,
    noise_keys: UIntArray,
    noise: FloatArray,
    levels: tuple[FloatArray, FloatArray],
    numbers: tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray],
    arms: tuple[IntArray, IntArray, IntArray],
    bits: tuple[UIntArray, UIntArray],
) -> None:
    """Play rounds ``first_round`` to ``last_round`` in every lane, updating the state.

    Rounds up to ``scheduled`` pull the arms in turn.  ``log_shift`` is 0 for log n in
    round n, 1 for log(n - 1) (reading R1).  The state (``mean`` to ``worst``) is
    (K, W), and so are ``penalty`` and ``means`` where they vary by lane, else (K, 1);
    ``keys`` (W,) are those of the replicates, ``noise_keys`` (K, W) those of the policy's
    own numbers, which ``noise`` has room for (both (1, 1) where it draws none).  Lanes from
    ``n_active`` on are padding.
    ``worst`` is max over t of tau_k t - N_k(t) so far, up to the last pull.  The rest is
    scratch space (:func:`scratch`).
    """
    n_arms, n_lanes = mean.shape
    need, bound = levels
    best, urgent, value, expected, count = numbers
    choice, urgent_arm, again = arms
    words, steps = bits
    means_step = 1 if means.shape[1] > 1 else 0
    penalty_step = 1 if penalty.shape[1] > 1 else 0

    for n in range(first_round, last_round + 1):
        if n <= scheduled:
            turn = (n - 1) % n_arms
            for w in range(n_lanes):
                choice[w] = turn
        else:
            for k in range(n_arms):
                if fairness[k] * n > need[k]:
                    need[k] = math.ceil(fairness[k] * n)
                    bound[k] = 1.0 / math.sqrt(need[k])
            scale = math.sqrt(exploration * math.log(max(n - log_shift, 1)))
            if DRAWS:
                noise_of(noise_keys, n, math.sqrt(0.5 * exploration), edges, heights, again, noise)
            scan_index(
                n, scale, tuning, bound, fairness, gain, penalty, mean, root, pulls, level, since,
                noise, best, choice,
            )  # fmt: skip
            if HAS_URGENCY:
                scan_urgency(
                    n, scale, tuning, bound, fairness, gain, penalty, mean, root, pulls, level,
                    since, noise, urgent, urgent_arm,
                )  # fmt: skip
                for w in range(n_lanes):
                    choice[w] = urgent_arm[w] if urgent[w] > -np.inf else choice[w]

        for w in range(n_active):
            k = choice[w]
            before = pulls[k, w]
            pulls[k, w] = before + 1.0
            count[w] = before + 1.0
            words[w] = tape_key(keys[w], k)
            steps[w] = np.uint64(np.int64(before + 1.0)) * WEYL
            expected[w] = means[k, w * means_step]
            deficit = fairness[k] * (n - 1) - before
            worst[k, w] = max(worst[k, w], deficit)
        for w in range(n_lanes):
            words[w] = mix(mix(words[w]) + steps[w])
        rewards_of(words, choice, expected, code, edges, heights, again, value)
        for w in range(n_active):
            k = choice[w]
            value[w] += total[k, w]
            total[k, w] = value[w]
        for w in range(n_lanes):
            value[w] /= count[w]
            count[w] = 1.0 / math.sqrt(count[w])
        learning = n <= scheduled if COMMITS else True
        for w in range(n_active):
            k = choice[w]
            root[k, w] = count[w]
            if learning:
                mean[k, w] = value[w]
        if HAS_QUEUE:
            for w in range(n_active):
                k = choice[w]
                queue = level[k, w] + gain[k] * (n - 1 - since[k, w])
                rate = penalty[k, w * penalty_step]
                level[k, w] = queue_served(queue + gain[k], rate, tuning)
                since[k, w] = n
