"""The loop that plays one replicate at a time, arms in blocks: for many arms.

A block's arms are looked at only when its winner may have changed:

- As rounds go by, the score of an arm that is not pulled only grows
  (``Hints.index_is_nondecreasing``), and slowly.  So a block's scores *in a later round*, if
  none of its arms is pulled, bound it until then.
- An arm whose score now is above what all others reach by the later round leads its block
  throughout, and its index alone then stands for the block.  Where the indices of two such
  arms cross once at the most (``Hints.indices_cross_once``: the index is a line in the radius),
  it is enough to lead both now and at the later round.
- Two things grow by jumps: an arm falls below its fairness level, and an arm becomes
  urgent.  Bounds of a block expire before the next jump in it.

A round takes the block with the largest index or bound; if it was a bound, it scans the
block, and takes the largest again.  Nothing is approximate: bounds only say where not to
look.  A policy whose scores may fall has one block, scanned in every round.

State lies in few arrays, as each that a compiled function takes costs a dozen words a call; and by
[block, place], as an index that is a sum, checked for being negative, is no vector code.
"""

import math
from collections.abc import Callable

import numpy as np

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine import _block_scan as known
from penalized_bandits.engine import _state as row
from penalized_bandits.engine._block_scan import Span, first_largest, order_of, scan
from penalized_bandits.engine._draws import noise_number, reward_of
from penalized_bandits.engine._state import Rules, radius_scale, record_pull, set_root_and_fall
from penalized_bandits.policies.base import Arm, no_queue, no_urgency

index_of: Callable[[Arm], float] = no_urgency
queue_served: Callable[[float, float, float], float] = no_queue
scan_index = scan
scan_urgency = scan
HAS_URGENCY = False
HAS_QUEUE = False
COMMITS = False
DRAWS = False

WINDOW = 64
"""Bounds of a block hold for about one part in this many of the rounds so far."""
WINDOW_AGAIN = 1024
"""The same for a block that has to be looked at again because that was not enough."""


def play(
    first_round: int,
    last_round: int,
    n_arms: int,
    rules: Rules,
    code: RewardCode,
    key: np.uint64,
    noise_key: np.uint64,
    arms: FloatArray,
) -> None:
    """Play rounds ``first_round`` to ``last_round`` of one replicate, updating ``arms``.

    ``arms`` (13, B, size) holds the instance and the state of arm k at
    [:, k // size, k % size]; ``key`` and ``noise_key`` are those of the replicate.  If a score
    is not a number, nothing more is played.
    """
    n_blocks, size = arms.shape[1], arms.shape[2]
    flat = arms.reshape(arms.shape[0], n_blocks * size)
    tuning = rules.tuning
    orders, values = np.zeros((2, size), np.int64), np.zeros((1, n_blocks), np.int64)
    numbers, urgent = np.full((7, n_blocks), -np.inf), np.full((7, n_blocks), -np.inf)
    whole, urgent_whole = np.zeros((4, n_blocks), np.int64), np.zeros((4, n_blocks), np.int64)
    fresh = np.zeros(n_blocks, np.int64)
    # What is known of a block ends in this round at the soonest, but for the last pull's.
    soonest, pulled = np.int64(0), 0
    odd = False

    for n in range(first_round, last_round + 1):
        choice = -1
        if n <= rules.scheduled:
            choice = (n - 1) % n_arms
        else:
            scale = radius_scale(rules, n)
            until = n + 8 + n // WINDOW if n_blocks > 1 else n
            span = Span(n, until, scale, radius_scale(rules, until))
            if DRAWS:  # scores may fall, so there is one block
                sd = math.sqrt(0.5 * rules.exploration)
                for j in range(n_arms):
                    arms[row.NOISE, 0, j] = noise_number(noise_key, j, n, sd)
            # Blocks of which nothing is known any more: that of the last pull, others.
            n_fresh = 0
            # A block is scanned in every round where it is the only one.
            odd = odd and n_blocks > 1
            sweep = soonest <= n
            for b in range(0 if sweep else pulled, n_blocks if sweep else pulled + 1):
                if whole[known.EXPIRY, b] <= n:
                    here = min(size, n_arms - b * size)
                    whole[known.EXPIRY, b] = until + 1
                    if HAS_URGENCY:
                        urgent_whole[known.EXPIRY, b] = until + 1
                        if scan_urgency(b, here, span, tuning, arms, orders, urgent, urgent_whole):
                            return
                        whole[known.EXPIRY, b] = urgent_whole[known.EXPIRY, b]
                        urgent_whole[known.SCANNED, b] = n
                    odd |= scan_index(b, here, span, tuning, arms, orders, numbers, whole)
                    whole[known.SCANNED, b] = n
                    fresh[n_fresh] = b
                    n_fresh += 1
            soonest = min(soonest, whole[known.EXPIRY, pulled])
            if sweep:
                soonest = until + 1
                for b in range(n_blocks):
                    soonest = min(soonest, whole[known.EXPIRY, b])
            if HAS_URGENCY:
                top = -np.inf
                for b in range(n_blocks):
                    if urgent_whole[known.SCANNED, b] != n:
                        if urgent[known.BOUND, b] == -np.inf:
                            continue
                        here = min(size, n_arms - b * size)
                        now = Span(n, n, scale, scale)
                        if scan_urgency(b, here, now, tuning, arms, orders, urgent, urgent_whole):
                            return
                    if urgent[known.SCORE, b] > top:
                        top = urgent[known.SCORE, b]
                        choice = b * size + urgent_whole[known.WINNER, b]
            if choice < 0 and odd:  # where an arm is urgent, no index decides
                return
            if choice < 0 and n_blocks == 1:
                choice = whole[known.WINNER, 0]
            if choice < 0:
                for b in range(n_blocks):
                    value = numbers[known.BOUND, b]
                    if not HAS_QUEUE:
                        mean, root = numbers[known.TOP_MEAN, b], numbers[known.TOP_ROOT, b]
                        p, f = numbers[known.TOP_PULLS, b], numbers[known.TOP_FAIRNESS, b]
                        a = numbers[known.TOP_PENALTY, b]
                        below, t = p < f * n, float(n)
                        arm = Arm(t, mean, scale * root, p, p, below, f, a, 0.0, tuning, 0.0)
                        line = index_of(arm)
                        value = line if whole[known.LEADS, b] != 0 else value
                    values[0, b] = order_of(value)
                for i in range(n_fresh):
                    values[0, fresh[i]] = order_of(numbers[known.SCORE, fresh[i]])
                b = first_largest(values, n_blocks)
                while whole[known.LEADS, b] == 0 and whole[known.SCANNED, b] != n:
                    here = min(size, n_arms - b * size)
                    soon = min(n + 8 + n // WINDOW_AGAIN, until)
                    whole[known.EXPIRY, b] = min(whole[known.EXPIRY, b], soon + 1)
                    again = Span(n, soon, scale, radius_scale(rules, soon))
                    if scan_index(b, here, again, tuning, arms, orders, numbers, whole):
                        return
                    whole[known.SCANNED, b] = n
                    soonest = min(soonest, whole[known.EXPIRY, b])
                    values[0, b] = order_of(numbers[known.SCORE, b])
                    b = first_largest(values, n_blocks)
                choice = b * size + whole[known.WINNER, b]

        count = flat[row.PULLS, choice] + 1.0
        reward = reward_of(key, choice, count, flat[row.EXPECTED, choice], code)
        count = record_pull(choice, n, reward, flat)
        set_root_and_fall(choice, count, flat)
        if not COMMITS or n <= rules.scheduled:
            flat[row.MEAN, choice] = flat[row.TOTAL, choice] / count
        if HAS_QUEUE:
            f = flat[row.FAIRNESS, choice]
            queue = flat[row.LEVEL, choice] + f * (n - 1 - flat[row.SINCE, choice])
            flat[row.LEVEL, choice] = queue_served(queue + f, flat[row.PENALTY, choice], tuning)
            flat[row.SINCE, choice] = n
        pulled = choice // size
        whole[known.EXPIRY, pulled] = 0
