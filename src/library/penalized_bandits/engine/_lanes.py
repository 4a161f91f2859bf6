"""The loop that plays one policy on many replicates side by side.

Replicates are *lanes*: arrays are [arm][lane] and inner loops run over lanes, which the compiler
turns into vector instructions.  What makes the loop fast, and why each piece looks as it does:

- The root 1 / sqrt(N_k) is kept per arm, and the logarithm taken once a round.
- "Below the fairness level", N_k < tau_k n, is compared as 1 / sqrt(N_k) > 1 / sqrt(need) with
  need = ceil(tau_k n): exact, as roots of two whole neighbours never round to the same value.
- Four arms are reduced before the running best is updated (fewer loads and stores); those
  that are left over come one by one.  Both are always stored, because a store for some of the
  lanes takes long on processors without AVX-512.
- A score that is not a number makes its lane's choice ``NO_ARM``, which the pull detects.
- Pulls are done in steps (gather, draw, divide, scatter) so that divisions and draws
  vectorise too, leaving only the gathers scalar.
- Arrays of the state are flat, [arm * W + lane], with unsigned indices: the place of a pull
  is worked out once for all of them, and no index is checked for being negative.
- Arrays begin with a line of the cache: vectors across two lines cost 20 % of the time.
- Nothing is fused or reordered (no fastmath, no contraction): every lane computes what
  the plain-Python oracle computes, bit for bit.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from penalized_bandits.bandit.rewards import BERNOULLI, GAUSSIAN, RewardCode
from penalized_bandits.common.typing import FloatArray, IntArray, UIntArray
from penalized_bandits.engine._draws import noise_of, normals_of, rewards_of
from penalized_bandits.engine._state import Rules, bonus_of, radius_scale
from penalized_bandits.engine.streams import WEYL, mix, tape_key, unit
from penalized_bandits.policies.base import Arm, no_queue, no_urgency

score_of: Callable[[Arm], float] = no_urgency
queue_served: Callable[[float, float, float], float] = no_queue
"""Placeholders, as the flags and scans: :mod:`penalized_bandits.engine._specialise` binds them."""
ROOTS = 1.0 / np.sqrt(np.maximum(np.arange(16_384), 1))
"""1 / sqrt(N) of small N: to look it up costs a quarter of a root and a division."""
NO_ARM = -1  # the choice of a lane in which a score is not a number
HAS_URGENCY = HAS_QUEUE = COMMITS = DRAWS = READS_VARIANCE = False
PENALTY_VARIES = IGNORES_PENALTIES = HAS_CEILINGS = False


class Arms(NamedTuple):
    """The bandit: what does not change from round to round."""

    fairness: FloatArray  # tau, shape (K,)
    penalty: FloatArray  # A, shape (K W,) where it varies by lane, else (K,)
    means: FloatArray  # mu, shape (K W,) where they vary by lane, else (K,)
    ceilings: FloatArray  # c, shape (K,)
    excess: FloatArray  # B, shape (K,)


class State(NamedTuple):
    """Statistics of each arm in each lane, arrays of shape (K W,): arm k's lanes from k W on."""

    mean: FloatArray
    root: FloatArray  # 1 / sqrt(N_k)
    pulls: FloatArray
    total: FloatArray  # sum of the rewards
    level: FloatArray  # the arm's queue after its last pull, ...
    since: FloatArray  # ... and the round of that pull
    worst: FloatArray  # max over t of tau_k t - N_k(t) so far, up to the last pull
    variance: FloatArray  # variance of the rewards, for policies that read it


class Source(NamedTuple):
    """Sources of random numbers."""

    code: RewardCode
    keys: UIntArray  # keys of the replicates, shape (W,)
    noise_keys: UIntArray
    """Keys of the policy's own numbers, shape (K, W); (1, 1) where it draws none."""


class Scratch(NamedTuple):
    """Arrays that the loop works in; to make them there takes longer to compile."""

    need: FloatArray  # pulls from which an arm is at its fairness level, shape (K,), ...
    bound: FloatArray  # ... and what ``root`` exceeds below that, shape (K,)
    noise: FloatArray
    """The policy's own numbers of a round, shape (K, W); (1, 1) where it draws none."""
    due: FloatArray  # pulls that an arm should have by its fairness fraction, shape (K,)
    best: FloatArray  # shape (W,), as is all that follows
    urgent: FloatArray
    value: FloatArray
    reward: FloatArray
    expected: FloatArray
    n_pulls: FloatArray
    choice: IntArray
    urgent_arm: IntArray
    again: IntArray
    words: UIntArray
    place: UIntArray  # where the chosen arm lies in the state


def scratch(n_arms: int, n_lanes: int, *, draws: bool) -> Scratch:
    """Return the arrays that :func:`play` works in."""
    noise = (n_arms, n_lanes) if draws else (1, 1)
    members: list[Any] = [np.zeros(n_arms), np.full(n_arms, np.inf), np.zeros(noise)]
    members += [np.zeros(n_arms)] + [aligned(n_lanes, 1.0) for _ in range(6)]
    members += [aligned(n_lanes, 0, np.int64) for _ in range(3)]
    members += [aligned(n_lanes, 0, np.uint64) for _ in range(2)]
    return Scratch(*members)


def aligned(size: int, value: float, kind: type = np.float64) -> Any:
    """Return an array of one value, shape (size,), that begins with a line of the cache."""
    words = np.empty(size + 7, kind)
    first = -(words.ctypes.data // 8) % 8
    words[:] = value
    return words[first : first + size]


def scan(
    n: int,
    scale: float,
    tuning: float,
    bound: FloatArray,
    arms: Arms,
    state: State,
    noise: FloatArray,
    best: FloatArray,
    choice: IntArray,
) -> None:
    """Put the largest score of each lane in ``best`` and its lowest arm in ``choice``.

    ``scale`` is sqrt(c log n).  Where a score is not a number they are +inf and ``NO_ARM``.
    """
    fairness, penalty, _, ceilings, excess = arms
    mean, root, pulls, _, level, since, _, variance = state
    n_arms, n_lanes = len(fairness), np.uint64(len(best))
    n_grouped, t = n_arms - n_arms % 4, float(n)
    for w in range(n_lanes):
        best[w] = -np.inf
        choice[w] = 0
    for k0 in range(0, n_grouped, 4):
        k1, k2, k3 = k0 + 1, k0 + 2, k0 + 3
        b0, b1, b2, b3 = bound[k0], bound[k1], bound[k2], bound[k3]
        f0, f1, f2, f3 = fairness[k0], fairness[k1], fairness[k2], fairness[k3]
        i0, i1 = np.uint64(k0) * n_lanes, np.uint64(k1) * n_lanes
        i2, i3 = np.uint64(k2) * n_lanes, np.uint64(k3) * n_lanes
        q0 = q1 = q2 = q3 = 0.0
        z0 = z1 = z2 = z3 = 0.0
        v0 = v1 = v2 = v3 = np.nan
        a0, a1, a2, a3 = penalty[k0], penalty[k1], penalty[k2], penalty[k3]
        c0, c1, c2, c3 = ceilings[k0] * t, ceilings[k1] * t, ceilings[k2] * t, ceilings[k3] * t
        e0, e1, e2, e3 = excess[k0], excess[k1], excess[k2], excess[k3]
        if IGNORES_PENALTIES:  # known to the compiler, a bonus of A = 0 costs nothing
            a0 = a1 = a2 = a3 = 0.0
        for w in range(n_lanes):
            w0, w1, w2, w3 = i0 + w, i1 + w, i2 + w, i3 + w
            m0, m1, m2, m3 = mean[w0], mean[w1], mean[w2], mean[w3]
            r0, r1, r2, r3 = root[w0], root[w1], root[w2], root[w3]
            p0, p1, p2, p3 = pulls[w0], pulls[w1], pulls[w2], pulls[w3]
            if HAS_QUEUE:
                q0 = level[w0] + f0 * (n - 1 - since[w0])
                q1 = level[w1] + f1 * (n - 1 - since[w1])
                q2 = level[w2] + f2 * (n - 1 - since[w2])
                q3 = level[w3] + f3 * (n - 1 - since[w3])
            if PENALTY_VARIES:
                a0, a1, a2, a3 = penalty[w0], penalty[w1], penalty[w2], penalty[w3]
            if DRAWS:
                z0, z1, z2, z3 = noise[k0, w], noise[k1, w], noise[k2, w], noise[k3, w]
            if READS_VARIANCE:
                v0, v1, v2, v3 = variance[w0], variance[w1], variance[w2], variance[w3]
            g0 = bonus_of(r0 > b0, a0, HAS_CEILINGS and p0 >= c0, e0)
            g1 = bonus_of(r1 > b1, a1, HAS_CEILINGS and p1 >= c1, e1)
            g2 = bonus_of(r2 > b2, a2, HAS_CEILINGS and p2 >= c2, e2)
            g3 = bonus_of(r3 > b3, a3, HAS_CEILINGS and p3 >= c3, e3)
            # Fields in the order of ``Arm``.
            s0 = score_of(Arm(t, m0, scale * r0, p0, p0, r0 > b0, f0, a0, q0, tuning, z0, v0, g0))
            s1 = score_of(Arm(t, m1, scale * r1, p1, p1, r1 > b1, f1, a1, q1, tuning, z1, v1, g1))
            s2 = score_of(Arm(t, m2, scale * r2, p2, p2, r2 > b2, f2, a2, q2, tuning, z2, v2, g2))
            s3 = score_of(Arm(t, m3, scale * r3, p3, p3, r3 > b3, f3, a3, q3, tuning, z3, v3, g3))
            take1 = s1 > s0
            s01 = s1 if take1 else s0
            k01 = k1 if take1 else k0
            take3 = s3 > s2
            s23 = s3 if take3 else s2
            k23 = k3 if take3 else k2
            take23 = s23 > s01
            s = s23 if take23 else s01
            k = k23 if take23 else k01
            old, held = best[w], choice[w]
            odd = (s0 != s0) | (s1 != s1) | (s2 != s2) | (s3 != s3)
            best[w] = np.inf if odd else max(old, s)
            choice[w] = NO_ARM if odd else (k if s > old else held)
    for k in range(n_grouped, n_arms):
        b, f, i, a = bound[k], fairness[k], np.uint64(k) * n_lanes, penalty[k]
        q, z, v, c, e = 0.0, 0.0, np.nan, ceilings[k] * t, excess[k]
        for w in range(n_lanes):
            at = i + w
            m, r, p = mean[at], root[at], pulls[at]
            if HAS_QUEUE:
                q = level[at] + f * (n - 1 - since[at])
            if PENALTY_VARIES:
                a = penalty[at]
            if DRAWS:
                z = noise[k, w]
            if READS_VARIANCE:
                v = variance[at]
            g = bonus_of(r > b, a, HAS_CEILINGS and p >= c, e)
            s = score_of(Arm(t, m, scale * r, p, p, r > b, f, a, q, tuning, z, v, g))
            old, held = best[w], choice[w]
            odd = s != s
            best[w] = np.inf if odd else max(old, s)
            choice[w] = NO_ARM if odd else (k if s > old else held)


scan_index = scan_urgency = scan


def play(
    first_round: int,
    last_round: int,
    n_active: int,
    rules: Rules,
    arms: Arms,
    source: Source,
    state: State,
    scratch: Scratch,
) -> None:
    """Play rounds ``first_round`` to ``last_round`` in every lane, updating the state.

    Lanes from ``n_active`` on are padding.  It ends where a score is not a number: that lane lacks
    a pull.
    """
    fairness, penalty, means, _, _ = arms
    code, keys, noise_keys = source
    mean, root, pulls, total, level, since, worst, variance = state
    need, bound, noise, due, best, urgent, value, reward, expected, count = scratch[:10]
    choice, urgent_arm, again, words, place = scratch[10:]
    n_arms, n_lanes = len(fairness), len(best)
    tuning = rules.tuning
    stride = np.uint64(n_lanes)
    means_vary = len(means) > n_arms

    for n in range(first_round, last_round + 1):
        if n <= rules.scheduled:
            turn = (n - 1) % n_arms
            for w in range(n_lanes):
                choice[w] = turn
        else:
            for k in range(n_arms):
                if fairness[k] * n > need[k]:
                    need[k] = math.ceil(fairness[k] * n)
                    bound[k] = 1.0 / math.sqrt(need[k])
            scale = radius_scale(rules, n)
            if DRAWS:
                noise_of(noise_keys, n, math.sqrt(0.5 * rules.exploration), again, noise)
            scan_index(n, scale, tuning, bound, arms, state, noise, best, choice)
            if HAS_URGENCY:
                scan_urgency(n, scale, tuning, bound, arms, state, noise, urgent, urgent_arm)
                for w in range(n_lanes):
                    choice[w] = urgent_arm[w] if urgent[w] > -np.inf else choice[w]

        for k in range(n_arms):
            due[k] = fairness[k] * (n - 1)
        for w in range(n_active):
            if choice[w] < 0:
                return
            k = np.uint64(choice[w])
            at = k * stride + np.uint64(w)
            before = pulls[at]
            pulls[at] = before + 1.0
            count[w] = before + 1.0
            value[w] = total[at]
            expected[w] = means[at if means_vary else k]
            worst[at] = max(worst[at], due[k] - before)
            place[w] = at
        for w in range(n_lanes):
            step = np.uint64(np.int64(count[w])) * WEYL
            words[w] = mix(mix(tape_key(keys[w], choice[w])) + step)
        if code.family == GAUSSIAN:
            normals_of(words, expected, code.sd, again, reward)
        elif code.family == BERNOULLI:
            for w in range(n_lanes):
                reward[w] = 1.0 if unit(words[w]) < expected[w] else 0.0
        else:
            rewards_of(words, choice, expected, code, again, reward)
        learning = n <= rules.scheduled if COMMITS else True
        if READS_VARIANCE and learning:
            for w in range(n_active):
                at, times = place[w], count[w]
                spread = (reward[w] - mean[at]) * (reward[w] - (value[w] + reward[w]) / times)
                spread += variance[at] * (times - 1.0)
                variance[at] = spread / times if times > 1.0 else 0.0
        for w in range(n_lanes):
            value[w] += reward[w]
            reward[w] = value[w] / count[w]
        if n < len(ROOTS):
            for w in range(n_lanes):
                count[w] = ROOTS[np.uint64(np.int64(count[w]))]
        else:
            for w in range(n_lanes):
                count[w] = 1.0 / math.sqrt(count[w])
        for w in range(n_active):
            at = place[w]
            total[at] = value[w]
            root[at] = count[w]
            if learning:
                mean[at] = reward[w]
        if HAS_QUEUE:
            for w in range(n_active):
                at = place[w]
                k = np.uint64(choice[w])
                queue = level[at] + fairness[k] * (n - 1 - since[at])
                rate = penalty[at if PENALTY_VARIES else k]
                level[at] = queue_served(queue + fairness[k], rate, tuning)
                since[at] = n
