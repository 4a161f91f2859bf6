"""The loop that plays one replicate at a time, arms in blocks: for many arms.

Scanning every arm in every round costs time in proportion to K.  Here arms are grouped
in blocks, and a block's arms are looked at only when its winner may have changed:

- As rounds go by, the score of an arm that is not pulled only grows (policies say so:
  ``Policy.rises``), and slowly.  So a block's scores *as they would stand at a later
  round* bound it until then.
- An arm whose score now is above what all others reach by the later round leads its block
  throughout, and its index alone then stands for the block.  Where the indices of two such
  arms cross once at the most (``Policy.crosses_once``: the index is a line in the radius),
  it is enough to lead both now and at the later round.
- Two things grow by jumps: an arm falls below its fairness level, and an arm becomes
  urgent.  What is known of a block ends before the next jump in it.

A round takes the block with the largest index or bound; if it was a bound, it visits the
block, and takes the largest again.  Nothing is approximate: bounds only say where not to
look.  Scores come from the same expressions as in ``lanes.py``, so both pull the same
arms, ties included.  A policy whose scores may fall has one block, visited every round.

State lies in few arrays, indexed by the names below, because every array that a compiled
function takes costs a dozen words a call; and by [block, place], because an index that is
a sum is checked for being negative, which keeps a loop from becoming vector code.
"""

import math
from collections.abc import Callable

import numpy as np
from numba import njit

from penalized_bandits.engine.draws import categorical, draw_number, noise_number
from penalized_bandits.policies.base import Arm, no_queue, no_urgency
from penalized_bandits.rewards import CATEGORICAL, RewardCode
from penalized_bandits.streams import WEYL, mix, tape_key
from penalized_bandits.typing import FloatArray, IntArray

score_of: Callable[[Arm], float] = no_urgency
index_of: Callable[[Arm], float] = no_urgency
queue_served: Callable[[float, float, float], float] = no_queue
HAS_URGENCY = False
HAS_QUEUE = False
COMMITS = False
DRAWS = False
CROSSES_ONCE = False

FAIRNESS, PENALTY, MEAN, ROOT, PULLS, FALL, LEVEL, SINCE, EXPECTED, TOTAL, WORST = range(11)
"""Rows of the state: what is known of each arm, ..."""
GAIN, NOISE = 11, 12
"""... what its queue gains a round, and the policy's own number in this one."""
N_ARM_ROWS = 13
SCORE, BOUND, TOP_MEAN, TOP_ROOT, TOP_PULLS, TOP_FAIRNESS, TOP_PENALTY = range(7)
"""Rows of what is known of each block: numbers, ..."""
WINNER, LEADS, EXPIRY, SEEN = range(4)
"""... and whole numbers: winner, whether it leads throughout, until when, last visit."""
NOW, LATER = range(2)
"""Rows of the scratch space of a visit: the order of each score now, and at its end."""

WINDOW = 64
"""What is learnt of a block holds for about one part in this many of the rounds so far."""
FLIP = np.int64(0x7FFFFFFFFFFFFFFF)
LOWEST = np.int64(-0x8000000000000000)
NEVER = np.float64(-np.inf).view(np.int64) ^ FLIP
"""The order of -inf, the urgency of an arm that is not urgent."""
WINDOW_AGAIN = 1024
"""The same for a block that has to be looked at again because that was not enough."""
SLACK = 1e-9
"""Relative margin of bounds and leads: far more than rounding can make of them."""


@njit(forceinline=True, error_model="numpy")
def order_of(score: float) -> np.int64:
    """Turn a score into a whole number that orders as scores do.

    Compilers vectorise a maximum of whole numbers, not of floats.  The bits of negative
    numbers run the wrong way, and are flipped.  Adding 0.0 makes -0.0 into 0.0, whose bits
    differ.
    """
    bits = np.float64(score + 0.0).view(np.int64)
    return bits ^ ((bits >> 63) & FLIP)


@njit(forceinline=True, error_model="numpy")
def score_at(order: np.int64) -> float:
    """Return the score that has this order."""
    return np.int64(order ^ ((order >> 63) & FLIP)).view(np.float64)


@njit(forceinline=True, error_model="numpy")
def first_of(orders: IntArray, row: int, size: int, order: np.int64) -> int:
    """Return the first place of an order among ``size`` in a row."""
    at = size
    for j in range(size):
        at = min(at, j if orders[row, j] == order else size)
    return at


@njit(forceinline=True, error_model="numpy")
def first_largest(values: IntArray, size: int) -> int:
    """Return the first place of the largest of ``size`` orders."""
    top = LOWEST
    for j in range(size):
        top = max(top, values[0, j])
    return first_of(values, 0, size, top)


def visit(
    block: int,
    n_here: int,
    n: int,
    until: int,
    scale: float,
    scale_until: float,
    tuning: float,
    arms: FloatArray,
    orders: IntArray,
    known: FloatArray,
    state: IntArray,
) -> None:
    """Find a block's winner in round ``n``, and what holds of it up to ``until``.

    Writes SCORE and WINNER, the largest score and its lowest arm, BOUND, which no score
    exceeds, and LEADS, whether that arm wins throughout; and lowers EXPIRY, the first
    round for which that need not hold.  ``arms`` is (13, B, size), ``known`` (7, B) and
    ``state`` (4, B); ``orders`` (2, size) is overwritten.
    """
    top = top_later = LOWEST
    beyond = np.float64(until + 1)
    soonest = order_of(beyond)
    for j in range(n_here):
        f = arms[FAIRNESS, block, j]
        mean, root, penalty = arms[MEAN, block, j], arms[ROOT, block, j], arms[PENALTY, block, j]
        pulls = arms[PULLS, block, j]
        below = pulls < f * n
        queue = queue_later = noise = 0.0
        if HAS_QUEUE:
            gain, since = arms[GAIN, block, j], arms[SINCE, block, j]
            queue = arms[LEVEL, block, j] + gain * (n - 1 - since)
            queue_later = arms[LEVEL, block, j] + gain * (until - 1 - since)
        if DRAWS:
            noise = arms[NOISE, block, j]
        now = order_of(
            score_of(Arm(n, mean, scale * root, pulls, below, f, penalty, queue, tuning, noise))
        )
        later = order_of(
            score_of(
                Arm(
                    until, mean, scale_until * root, pulls, below, f, penalty, queue_later,
                    tuning, noise,
                )
            )
        )  # fmt: skip
        orders[NOW, j] = now
        orders[LATER, j] = later
        top = max(top, now)
        top_later = max(top_later, later)
        soonest = min(soonest, order_of(beyond if below else arms[FALL, block, j]))
    at = first_of(orders, NOW, n_here, top)
    best = score_at(top)
    known[SCORE, block] = best
    state[WINNER, block] = at
    if until == n:
        return
    jump = np.int64(score_at(soonest))
    if HAS_URGENCY:
        top_later = LOWEST
        for j in range(n_here):
            if orders[LATER, j] > NEVER and orders[NOW, j] == NEVER:
                # Urgent by then, not yet: find the first round in which it is.
                f = arms[FAIRNESS, block, j]
                pulls = arms[PULLS, block, j]
                lo, hi = n, until
                while hi - lo > 1:
                    middle = (lo + hi) // 2
                    queue = 0.0
                    if HAS_QUEUE:
                        since = arms[SINCE, block, j]
                        queue = arms[LEVEL, block, j] + arms[GAIN, block, j] * (middle - 1 - since)
                    then = score_of(
                        Arm(
                            middle, arms[MEAN, block, j], scale * arms[ROOT, block, j], pulls,
                            pulls < f * middle, f, arms[PENALTY, block, j], queue, tuning, 0.0,
                        )
                    )  # fmt: skip
                    if then > -np.inf:
                        hi = middle
                    else:
                        lo = middle
                jump = min(jump, hi)
                orders[LATER, j] = NEVER
            top_later = max(top_later, orders[LATER, j])
    bound = score_at(top_later)
    margin = SLACK * (1.0 + abs(bound))
    known[BOUND, block] = bound + margin if bound > -np.inf else -np.inf
    if not HAS_QUEUE:
        mean, root = arms[MEAN, block, at], arms[ROOT, block, at]
        fairness, penalty = arms[FAIRNESS, block, at], arms[PENALTY, block, at]
        # Rivals are those that could win by the end, though they do not now; where
        # indices cross once, only those that win at one end.
        first = order_of(best - margin)
        last = order_of(score_at(orders[LATER, at]) - margin) if CROSSES_ONCE else first
        rivals = 0
        for j in range(n_here):
            near = (1 if orders[LATER, j] > last else 0) | (1 if orders[NOW, j] > first else 0)
            rivals += near & (1 if j != at else 0)
        if rivals > 0:
            # The indices of arms with the same statistics stay the same.
            rivals = 0
            for j in range(n_here):
                twin = (
                    (1 if arms[MEAN, block, j] == mean else 0)
                    & (1 if arms[ROOT, block, j] == root else 0)
                    & (1 if arms[FAIRNESS, block, j] == fairness else 0)
                    & (1 if arms[PENALTY, block, j] == penalty else 0)
                )
                near = (1 if orders[LATER, j] > last else 0) | (1 if orders[NOW, j] > first else 0)
                rivals += near & (1 - twin)
            # After a commitment nothing moves: ties stay what they are.
            if COMMITS and top == top_later and first_of(orders, LATER, n_here, top) == at:
                rivals = 0
        state[LEADS, block] = 1 if rivals == 0 else 0
        known[TOP_MEAN, block] = mean
        known[TOP_ROOT, block] = root
        known[TOP_PULLS, block] = arms[PULLS, block, at]
        known[TOP_FAIRNESS, block] = fairness
        known[TOP_PENALTY, block] = penalty
    state[EXPIRY, block] = min(state[EXPIRY, block], max(n + 1, jump))


visit_index = visit
visit_urgency = visit


def play(
    first_round: int,
    last_round: int,
    n_arms: int,
    scheduled: int,
    exploration: float,
    log_shift: int,
    tuning: float,
    code: RewardCode,
    key: np.uint64,
    noise_key: np.uint64,
    arms: FloatArray,
) -> None:
    """Play rounds ``first_round`` to ``last_round`` of one replicate, updating ``arms``.

    Arguments are those of ``lanes.play`` for one lane; ``arms`` (13, B, size) holds the
    instance and the state of arm k at [:, k // size, k % size].
    """
    n_blocks, size = arms.shape[1], arms.shape[2]
    family, sd, cumulative, support = code
    orders, values = np.zeros((2, size), np.int64), np.zeros((1, n_blocks), np.int64)
    known, urgent = np.full((7, n_blocks), -np.inf), np.full((7, n_blocks), -np.inf)
    state, urgent_state = np.zeros((4, n_blocks), np.int64), np.zeros((4, n_blocks), np.int64)
    fresh = np.zeros(n_blocks, np.int64)
    # What is known of a block ends in this round at the soonest, but for the last pull's.
    soonest, pulled = np.int64(0), 0

    for n in range(first_round, last_round + 1):
        choice = -1
        if n <= scheduled:
            choice = (n - 1) % n_arms
        else:
            scale = math.sqrt(exploration * math.log(max(n - log_shift, 1)))
            until = n + 8 + n // WINDOW if n_blocks > 1 else n
            scale_until = math.sqrt(exploration * math.log(max(until - log_shift, 1)))
            if DRAWS:  # scores may fall, so there is one block
                for j in range(n_arms):
                    arms[NOISE, 0, j] = math.sqrt(0.5 * exploration) * noise_number(noise_key, j, n)
            # Blocks of which nothing is known any more: that of the last pull, others.
            n_fresh = 0
            sweep = soonest <= n
            for b in range(0 if sweep else pulled, n_blocks if sweep else pulled + 1):
                if state[EXPIRY, b] <= n:
                    here = min(size, n_arms - b * size)
                    state[EXPIRY, b] = until + 1
                    if HAS_URGENCY:
                        urgent_state[EXPIRY, b] = until + 1
                        visit_urgency(
                            b, here, n, until, scale, scale_until, tuning, arms, orders,
                            urgent, urgent_state,
                        )  # fmt: skip
                        state[EXPIRY, b] = urgent_state[EXPIRY, b]
                        urgent_state[SEEN, b] = n
                    visit_index(
                        b, here, n, until, scale, scale_until, tuning, arms, orders,
                        known, state,
                    )  # fmt: skip
                    state[SEEN, b] = n
                    fresh[n_fresh] = b
                    n_fresh += 1
            soonest = min(soonest, state[EXPIRY, pulled])
            if sweep:
                soonest = until + 1
                for b in range(n_blocks):
                    soonest = min(soonest, state[EXPIRY, b])
            if HAS_URGENCY:
                top = -np.inf
                for b in range(n_blocks):
                    if urgent_state[SEEN, b] != n:
                        if urgent[BOUND, b] == -np.inf:
                            continue
                        here = min(size, n_arms - b * size)
                        visit_urgency(
                            b, here, n, n, scale, scale, tuning, arms, orders,
                            urgent, urgent_state,
                        )  # fmt: skip
                    if urgent[SCORE, b] > top:
                        top = urgent[SCORE, b]
                        choice = b * size + urgent_state[WINNER, b]
            if choice < 0 and n_blocks == 1:
                choice = state[WINNER, 0]
            if choice < 0:
                for b in range(n_blocks):
                    value = known[BOUND, b]
                    if not HAS_QUEUE:
                        line = index_of(
                            Arm(
                                n, known[TOP_MEAN, b], scale * known[TOP_ROOT, b],
                                known[TOP_PULLS, b],
                                known[TOP_PULLS, b] < known[TOP_FAIRNESS, b] * n,
                                known[TOP_FAIRNESS, b], known[TOP_PENALTY, b], 0.0, tuning, 0.0,
                            )
                        )  # fmt: skip
                        value = line if state[LEADS, b] != 0 else value
                    values[0, b] = order_of(value)
                for i in range(n_fresh):
                    values[0, fresh[i]] = order_of(known[SCORE, fresh[i]])
                b = first_largest(values, n_blocks)
                while state[LEADS, b] == 0 and state[SEEN, b] != n:
                    here = min(size, n_arms - b * size)
                    soon = min(n + 8 + n // WINDOW_AGAIN, until)
                    scale_soon = math.sqrt(exploration * math.log(max(soon - log_shift, 1)))
                    state[EXPIRY, b] = min(state[EXPIRY, b], soon + 1)
                    visit_index(
                        b, here, n, soon, scale, scale_soon, tuning, arms, orders, known, state
                    )
                    state[SEEN, b] = n
                    soonest = min(soonest, state[EXPIRY, b])
                    values[0, b] = order_of(known[SCORE, b])
                    b = first_largest(values, n_blocks)
                choice = b * size + state[WINNER, b]

        b, j = choice // size, choice % size
        before = arms[PULLS, b, j]
        count = before + 1.0
        word = mix(mix(tape_key(key, choice)) + np.uint64(np.int64(count)) * WEYL)
        if family == CATEGORICAL:
            reward = categorical(word, choice, cumulative, support)
        else:
            reward = draw_number(word, arms[EXPECTED, b, j], family, sd, support[0])
        f = arms[FAIRNESS, b, j]
        arms[WORST, b, j] = max(arms[WORST, b, j], f * (n - 1) - before)
        arms[TOTAL, b, j] += reward
        arms[PULLS, b, j] = count
        arms[ROOT, b, j] = 1.0 / math.sqrt(count)
        # Below its level when tau_k n first exceeds N_k; rather a round early than late.
        arms[FALL, b, j] = math.floor(count / f * (1.0 - 1e-12)) if f > 0.0 else np.inf
        if not COMMITS or n <= scheduled:
            arms[MEAN, b, j] = arms[TOTAL, b, j] / count
        if HAS_QUEUE:
            gain = arms[GAIN, b, j]
            queue = arms[LEVEL, b, j] + gain * (n - 1 - arms[SINCE, b, j])
            arms[LEVEL, b, j] = queue_served(queue + gain, arms[PENALTY, b, j], tuning)
            arms[SINCE, b, j] = n
        state[EXPIRY, b] = 0
        pulled = b
