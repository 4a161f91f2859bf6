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
from typing import Any, NamedTuple

import numpy as np

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.engine.draws import noise_of, rewards_of
from penalized_bandits.engine.state import Rules, radius_scale
from penalized_bandits.engine.streams import WEYL, mix, tape_key
from penalized_bandits.policies.base import Arm, no_queue, no_urgency
from penalized_bandits.typing import FloatArray, IntArray, UIntArray

score_of: Callable[[Arm], float] = no_urgency
queue_served: Callable[[float, float, float], float] = no_queue
HAS_URGENCY = False
HAS_QUEUE = False
COMMITS = False
DRAWS = False
PENALTY_VARIES = False


class Arms(NamedTuple):
    """The bandit: what does not change from round to round."""

    fairness: FloatArray
    """tau, shape (K,)."""
    gain: FloatArray
    """What the queue of each arm gains a round, shape (K,)."""
    penalty: FloatArray
    """A, shape (K, W) where it varies by lane, else (K, 1)."""
    means: FloatArray
    """mu, shape (K, W) where they vary by lane, else (K, 1)."""


class State(NamedTuple):
    """What is known of each arm in each lane, arrays of shape (K, W)."""

    mean: FloatArray
    root: FloatArray
    """1 / sqrt(N_k)."""
    pulls: FloatArray
    total: FloatArray
    """Sum of the rewards."""
    level: FloatArray
    """The arm's queue after its last pull, ..."""
    since: FloatArray
    """... and the round of that pull."""
    worst: FloatArray
    """max over t of tau_k t - N_k(t) so far, up to the last pull."""


class Source(NamedTuple):
    """What random numbers come from."""

    code: RewardCode
    edges: FloatArray
    """Tables of the ziggurat: edges, ..."""
    heights: FloatArray
    """... and heights."""
    keys: UIntArray
    """Keys of the replicates, shape (W,)."""
    noise_keys: UIntArray
    """Keys of the policy's own numbers, shape (K, W); (1, 1) where it draws none."""


class Scratch(NamedTuple):
    """Arrays that the loop works in; to make them there takes longer to compile."""

    need: FloatArray
    """Pulls from which an arm is at its fairness level, shape (K,), ..."""
    bound: FloatArray
    """... and what ``root`` exceeds below that, shape (K,)."""
    noise: FloatArray
    """The policy's own numbers of a round, shape (K, W); (1, 1) where it draws none."""
    best: FloatArray
    """Shape (W,), as is all that follows."""
    urgent: FloatArray
    value: FloatArray
    expected: FloatArray
    n_pulls: FloatArray
    choice: IntArray
    urgent_arm: IntArray
    again: IntArray
    words: UIntArray
    steps: UIntArray


def scratch(n_arms: int, n_lanes: int, *, draws: bool) -> Scratch:
    """Make the arrays that :func:`play` works in."""
    noise = (n_arms, n_lanes) if draws else (1, 1)
    members: list[Any] = [np.zeros(n_arms), np.full(n_arms, np.inf), np.zeros(noise)]
    members += [np.ones(n_lanes) for _ in range(5)]
    members += [np.zeros(n_lanes, np.int64) for _ in range(3)]
    members += [np.zeros(n_lanes, np.uint64) for _ in range(2)]
    return Scratch(*members)


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

    ``scale`` is sqrt(c log n).
    """
    fairness, gain, penalty, _ = arms
    mean, root, pulls, _, level, since, _ = state
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
                Arm(n, mean[k0, w], scale * r0, pulls[k0, w], pulls[k0, w], r0 > b0,
                    f0, a0, q0, tuning, z0)
            )  # fmt: skip
            s1 = score_of(
                Arm(n, mean[k1, w], scale * r1, pulls[k1, w], pulls[k1, w], r1 > b1,
                    f1, a1, q1, tuning, z1)
            )  # fmt: skip
            s2 = score_of(
                Arm(n, mean[k2, w], scale * r2, pulls[k2, w], pulls[k2, w], r2 > b2,
                    f2, a2, q2, tuning, z2)
            )  # fmt: skip
            s3 = score_of(
                Arm(n, mean[k3, w], scale * r3, pulls[k3, w], pulls[k3, w], r3 > b3,
                    f3, a3, q3, tuning, z3)
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

    Lanes from ``n_active`` on are padding.
    """
    fairness, gain, penalty, means = arms
    code, edges, heights, keys, noise_keys = source
    mean, root, pulls, total, level, since, worst = state
    need, bound, noise, best, urgent, value, expected, count = scratch[:8]
    choice, urgent_arm, again, words, steps = scratch[8:]
    n_arms, n_lanes = mean.shape
    tuning = rules.tuning
    means_step = 1 if means.shape[1] > 1 else 0
    penalty_step = 1 if penalty.shape[1] > 1 else 0

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
                sd = math.sqrt(0.5 * rules.exploration)
                noise_of(noise_keys, n, sd, edges, heights, again, noise)
            scan_index(n, scale, tuning, bound, arms, state, noise, best, choice)
            if HAS_URGENCY:
                scan_urgency(n, scale, tuning, bound, arms, state, noise, urgent, urgent_arm)
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
        learning = n <= rules.scheduled if COMMITS else True
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
