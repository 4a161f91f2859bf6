"""The loop that plays one replicate at a time, arms in blocks: for many arms.

Scanning every arm in every round costs time in proportion to K.  Here arms are grouped
in blocks, and a block's arms are looked at only when its winner may have changed:

- As rounds go by, the score of an arm that is not pulled only grows (policies say so:
  ``Policy.rises``), and slowly.  So a block's scores *as they would stand at a later
  round* bound it until then.
- Where the indices of two such arms cross once at the most (``Policy.crosses_once``: the
  index is a line in the radius), the arm that leads a block both now and at the later
  round leads it throughout.  Its index alone then stands for the block.
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

from penalized_bandits.engine.draws import categorical, draw_number
from penalized_bandits.policies.base import Arm, no_queue, no_urgency
from penalized_bandits.rewards import CATEGORICAL, RewardCode
from penalized_bandits.streams import WEYL, mix, tape_key
from penalized_bandits.typing import FloatArray, IntArray

score_of: Callable[[Arm], float] = no_urgency
index_of: Callable[[Arm], float] = no_urgency
queue_served: Callable[[float], float] = no_queue
HAS_URGENCY = False
HAS_QUEUE = False
COMMITS = False
CROSSES_ONCE = False

FAIRNESS, PENALTY, MEAN, ROOT, PULLS, LEVEL, SINCE, EXPECTED, TOTAL, WORST = range(10)
"""Rows of the state: what is known of each arm."""
N_ARM_ROWS = 10
SCORE, BOUND, VALUE, TOP_MEAN, TOP_ROOT, TOP_PULLS, TOP_FAIRNESS, TOP_PENALTY = range(8)
"""Rows of what is known of each block: numbers, ..."""
WINNER, LEADS, EXPIRY, SEEN = range(4)
"""... and whole numbers: winner, whether it leads throughout, until when, last visit."""
NOW, LATER, FALLS = range(3)
"""Rows of the scratch space of a visit."""

WINDOW = 64
"""What is learnt of a block holds for about one part in this many of the rounds so far."""
SLACK = 1e-9
"""Relative margin of bounds and leads: far more than rounding can make of them."""


@njit(forceinline=True, error_model="numpy")
def first_largest(bits: IntArray, row: int, size: int) -> int:
    """Return the first place of the largest of ``size`` scores in a row.

    ``bits`` is a view of scores as integers, which order as the scores do once the
    negative ones are flipped: compilers vectorise a maximum of integers, not of floats.
    """
    flip = np.int64(0x7FFFFFFFFFFFFFFF)
    top = np.int64(-0x8000000000000000)
    for j in range(size):
        top = max(top, bits[row, j] ^ ((bits[row, j] >> 63) & flip))
    at = size
    for j in range(size):
        at = min(at, j if bits[row, j] ^ ((bits[row, j] >> 63) & flip) == top else size)
    return at


def visit(
    block: int,
    n_here: int,
    n: int,
    until: int,
    scale: float,
    scale_until: float,
    tuning: float,
    arms: FloatArray,
    scratch: FloatArray,
    bits: IntArray,
    known: FloatArray,
    state: IntArray,
) -> None:
    """Find a block's winner in round ``n``, and what holds of it up to ``until``.

    Writes SCORE and WINNER, the largest score and its lowest arm, BOUND, which no score
    exceeds, and LEADS, whether that arm wins throughout; and lowers EXPIRY, the first
    round for which that need not hold.  ``arms`` is (10, B, size), ``known`` (8, B) and
    ``state`` (4, B); ``scratch`` (3, size) and its view ``bits`` are overwritten.
    """
    for j in range(n_here):
        f = arms[FAIRNESS, block, j]
        pulls = arms[PULLS, block, j]
        queue = 0.0
        if HAS_QUEUE:
            queue = arms[LEVEL, block, j] + f * (n - 1 - arms[SINCE, block, j])
        # Plus 0.0 makes -0.0 into 0.0, whose bits differ.
        scratch[NOW, j] = 0.0 + score_of(
            Arm(
                n, arms[MEAN, block, j], scale * arms[ROOT, block, j], pulls, pulls < f * n, f,
                arms[PENALTY, block, j], queue, tuning,
            )
        )  # fmt: skip
    at = first_largest(bits, NOW, n_here)
    best = scratch[NOW, at]
    known[SCORE, block] = best
    state[WINNER, block] = at
    if until == n:
        return
    beyond = np.float64(until + 1)
    for j in range(n_here):
        f = arms[FAIRNESS, block, j]
        pulls = arms[PULLS, block, j]
        below = pulls < f * n
        queue = 0.0
        if HAS_QUEUE:
            queue = arms[LEVEL, block, j] + f * (until - 1 - arms[SINCE, block, j])
        scratch[LATER, j] = 0.0 + score_of(
            Arm(
                until, arms[MEAN, block, j], scale_until * arms[ROOT, block, j], pulls, below,
                f, arms[PENALTY, block, j], queue, tuning,
            )
        )  # fmt: skip
        # An arm at its level falls below it when tau_k n first exceeds N_k; rather a
        # round early than late.
        fall = math.floor(pulls / f * (1.0 - 1e-12))
        scratch[FALLS, j] = beyond if below or f == 0.0 else min(fall, beyond)
    # Rounds are positive, so their bits order as they do.
    soonest = np.int64(0x7FFFFFFFFFFFFFFF)
    for j in range(n_here):
        soonest = min(soonest, bits[FALLS, j])
    bits[FALLS, 0] = soonest
    jump = np.int64(scratch[FALLS, 0])
    if HAS_URGENCY:
        for j in range(n_here):
            if scratch[LATER, j] > -np.inf and scratch[NOW, j] == -np.inf:
                # Urgent by then, not yet: find the first round in which it is.
                f = arms[FAIRNESS, block, j]
                pulls = arms[PULLS, block, j]
                lo, hi = n, until
                while hi - lo > 1:
                    middle = (lo + hi) // 2
                    queue = 0.0
                    if HAS_QUEUE:
                        queue = arms[LEVEL, block, j] + f * (middle - 1 - arms[SINCE, block, j])
                    then = score_of(
                        Arm(
                            middle, arms[MEAN, block, j], scale * arms[ROOT, block, j], pulls,
                            pulls < f * middle, f, arms[PENALTY, block, j], queue, tuning,
                        )
                    )  # fmt: skip
                    if then > -np.inf:
                        hi = middle
                    else:
                        lo = middle
                jump = min(jump, hi)
                scratch[LATER, j] = -np.inf
    top = scratch[LATER, first_largest(bits, LATER, n_here)]
    margin = SLACK * (1.0 + abs(top))
    known[BOUND, block] = top + margin if top > -np.inf else -np.inf
    if CROSSES_ONCE:
        mean, root = arms[MEAN, block, at], arms[ROOT, block, at]
        fairness, penalty = arms[FAIRNESS, block, at], arms[PENALTY, block, at]
        last = scratch[LATER, at] - margin
        rivals = 0
        for j in range(n_here):
            # The indices of arms with the same statistics stay the same.
            twin = (
                (1 if arms[MEAN, block, j] == mean else 0)
                & (1 if arms[ROOT, block, j] == root else 0)
                & (1 if arms[FAIRNESS, block, j] == fairness else 0)
                & (1 if arms[PENALTY, block, j] == penalty else 0)
            )
            near = (1 if scratch[LATER, j] > last else 0) | (
                1 if scratch[NOW, j] > best - margin else 0
            )
            rivals += near & (1 - twin)
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
    arms: FloatArray,
) -> None:
    """Play rounds ``first_round`` to ``last_round`` of one replicate, updating ``arms``.

    Arguments are those of ``lanes.play`` for one lane; ``arms`` (10, B, size) holds the
    instance and the state of arm k at [:, k // size, k % size].
    """
    n_blocks, size = arms.shape[1], arms.shape[2]
    family, sd, cumulative, support = code
    scratch = np.zeros((3, size))
    bits = scratch.view(np.int64)
    known, urgent = np.full((8, n_blocks), -np.inf), np.full((8, n_blocks), -np.inf)
    known_bits = known.view(np.int64)
    state, urgent_state = np.zeros((4, n_blocks), np.int64), np.zeros((4, n_blocks), np.int64)
    fresh = np.zeros(n_blocks, np.int64)

    for n in range(first_round, last_round + 1):
        choice = -1
        if n <= scheduled:
            choice = (n - 1) % n_arms
        else:
            scale = math.sqrt(exploration * math.log(max(n - log_shift, 1)))
            until = n + 8 + n // WINDOW if n_blocks > 1 else n
            scale_until = math.sqrt(exploration * math.log(max(until - log_shift, 1)))
            # Blocks of which nothing is known any more: that of the last pull, others.
            n_fresh = 0
            soonest = np.int64(0x7FFFFFFFFFFFFFFF)
            for b in range(n_blocks):
                soonest = min(soonest, state[EXPIRY, b])
            for b in range(n_blocks if soonest <= n else 0):
                if state[EXPIRY, b] <= n:
                    here = min(size, n_arms - b * size)
                    state[EXPIRY, b] = until + 1
                    if HAS_URGENCY:
                        urgent_state[EXPIRY, b] = until + 1
                        visit_urgency(
                            b, here, n, until, scale, scale_until, tuning, arms, scratch, bits,
                            urgent, urgent_state,
                        )  # fmt: skip
                        state[EXPIRY, b] = urgent_state[EXPIRY, b]
                        urgent_state[SEEN, b] = n
                    visit_index(
                        b, here, n, until, scale, scale_until, tuning, arms, scratch, bits,
                        known, state,
                    )  # fmt: skip
                    state[SEEN, b] = n
                    fresh[n_fresh] = b
                    n_fresh += 1
            if HAS_URGENCY:
                top = -np.inf
                for b in range(n_blocks):
                    if urgent_state[SEEN, b] != n:
                        if urgent[BOUND, b] == -np.inf:
                            continue
                        here = min(size, n_arms - b * size)
                        visit_urgency(
                            b, here, n, n, scale, scale, tuning, arms, scratch, bits,
                            urgent, urgent_state,
                        )  # fmt: skip
                    if urgent[SCORE, b] > top:
                        top = urgent[SCORE, b]
                        choice = b * size + urgent_state[WINNER, b]
            if choice < 0 and n_blocks == 1:
                choice = state[WINNER, 0]
            if choice < 0:
                for b in range(n_blocks):
                    known[VALUE, b] = known[BOUND, b]
                if CROSSES_ONCE:
                    for b in range(n_blocks):
                        line = 0.0 + index_of(
                            Arm(
                                n, known[TOP_MEAN, b], scale * known[TOP_ROOT, b],
                                known[TOP_PULLS, b],
                                known[TOP_PULLS, b] < known[TOP_FAIRNESS, b] * n,
                                known[TOP_FAIRNESS, b], known[TOP_PENALTY, b], 0.0, tuning,
                            )
                        )  # fmt: skip
                        known[VALUE, b] = line if state[LEADS, b] != 0 else known[BOUND, b]
                for i in range(n_fresh):
                    known[VALUE, fresh[i]] = known[SCORE, fresh[i]]
                b = first_largest(known_bits, VALUE, n_blocks)
                while state[LEADS, b] == 0 and state[SEEN, b] != n:
                    here = min(size, n_arms - b * size)
                    visit_index(
                        b, here, n, n, scale, scale, tuning, arms, scratch, bits, known, state
                    )
                    state[SEEN, b] = n
                    known[VALUE, b] = known[SCORE, b]
                    b = first_largest(known_bits, VALUE, n_blocks)
                choice = b * size + state[WINNER, b]

        b, j = choice // size, choice % size
        before = arms[PULLS, b, j]
        count = before + 1.0
        word = mix(mix(tape_key(key, choice)) + np.uint64(np.int64(count)) * WEYL)
        if family == CATEGORICAL:
            reward = categorical(word, choice, cumulative, support)
        else:
            reward = draw_number(word, arms[EXPECTED, b, j], family, sd)
        f = arms[FAIRNESS, b, j]
        arms[WORST, b, j] = max(arms[WORST, b, j], f * (n - 1) - before)
        arms[TOTAL, b, j] += reward
        arms[PULLS, b, j] = count
        arms[ROOT, b, j] = 1.0 / math.sqrt(count)
        if not COMMITS or n <= scheduled:
            arms[MEAN, b, j] = arms[TOTAL, b, j] / count
        if HAS_QUEUE:
            queue = arms[LEVEL, b, j] + f * (n - 1 - arms[SINCE, b, j])
            arms[LEVEL, b, j] = queue_served(queue + f)
            arms[SINCE, b, j] = n
        state[EXPIRY, b] = 0
