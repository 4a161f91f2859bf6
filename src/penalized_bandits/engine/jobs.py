"""Play a simulation's replicates with a compiled loop, in chunks that threads share."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from penalized_bandits.engine import blocks, lanes, rounds
from penalized_bandits.engine.specialise import (
    Kernel,
    blocks_kernel,
    lanes_kernel,
    rounds_kernel,
)
from penalized_bandits.instances import Instance
from penalized_bandits.oracle import no_such_arm
from penalized_bandits.policies import Policy
from penalized_bandits.rewards import RewardCode
from penalized_bandits.streams import (
    ZIGGURAT_EDGES,
    ZIGGURAT_HEIGHTS,
    arm_keys,
    replicate_keys,
)
from penalized_bandits.typing import FloatArray, UIntArray

if TYPE_CHECKING:
    from penalized_bandits.engine.simulate import Simulation

MAX_LANES = 256
LANE_MULTIPLE = 8
SEGMENT_PULLS = 20_000_000
"""Pulls between two looks at the clock: progress is reported this often."""
ONE_BLOCK = 128
"""Up to here looking at all arms costs no more than finding out which to look at."""

Loop = Literal["lanes", "blocks", "rounds"]


@dataclass(frozen=True, eq=False)
class Job:
    """What all chunks of a simulation have in common."""

    result: "Simulation"
    key: np.uint64
    noise_key: np.uint64
    first_replicate: int
    tuning: float
    exploration: float
    log_shift: int
    progress: Callable[[int], None] | None

    def rules(self) -> tuple[int, float, int, float]:
        """Arguments of both kernels: scheduled rounds, exploration, log shift, tuning."""
        policy = self.result.policy
        scheduled = policy.scheduled_rounds(self.result.instance.n_arms, self.tuning)
        return scheduled, self.exploration, self.log_shift, self.tuning

    def gains(self) -> FloatArray:
        """Return what the queue of each arm gains a round, shape (K,)."""
        policy = self.result.policy
        return np.array([policy.arrival(f, self.tuning) for f in self.result.instance.fairness])

    def replicate_keys(self, key: np.uint64, start: int, n: int) -> UIntArray:
        """Return the keys of ``n`` replicates in a stream."""
        keys = np.empty(n, dtype=np.uint64)
        replicate_keys(key, self.first_replicate + start, keys)
        return keys

    def tables(self) -> tuple[RewardCode, FloatArray, FloatArray]:
        """Arguments of both kernels: what rewards are drawn from.

        Copies, because compiled code counts references to its arrays all the time: threads
        that share one would wait for each other at its counter.
        """
        code = self.result.instance.reward_code
        own = code._replace(cumulative=code.cumulative.copy(), support=code.support.copy())
        return own, ZIGGURAT_EDGES.copy(), ZIGGURAT_HEIGHTS.copy()


def run(job: Job, loop: Loop, threads: int) -> None:
    """Play all replicates of a job, in chunks that threads share."""
    replicates = job.result.n_replicates
    # Chunks of equal size: a last chunk of one lane would cost as much as a full one.
    most = MAX_LANES if loop == "lanes" else 1
    n_chunks = max(-(-replicates // most), min(threads, -(-replicates // LANE_MULTIPLE)))
    size = -(-replicates // n_chunks)
    if loop == "lanes":
        size += -size % LANE_MULTIPLE
    play = {"lanes": _run_lanes, "blocks": _run_blocks, "rounds": _run_rounds}[loop]
    starts = range(0, replicates, size)
    if threads == 1 or len(starts) == 1:
        for start in starts:
            play(job, start, min(size, replicates - start))
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda start: play(job, start, min(size, replicates - start)), starts))


def penalties_of(policy: Policy, instance: Instance) -> FloatArray:
    """Return the penalties, shape (K,) where one kernel for all of them will do."""
    if policy.ignores_penalties and instance.penalties.ndim == 2:
        return instance.penalties[0]
    return instance.penalties


def block_size(n_arms: int) -> int:
    """Return the arms in a block: about as many as there are blocks, in vectors of eight."""
    return n_arms if n_arms <= ONE_BLOCK else 8 * math.ceil(math.sqrt(n_arms) / 8)


def _by_arm_and_lane(values: FloatArray, rows: slice, n_active: int, n_lanes: int) -> FloatArray:
    """Lay (K,) values out as (K, 1); (R, K) as (K, W), padding with the last replicate."""
    if values.ndim == 1:
        return np.array(values[:, None], order="C")
    grid = values[rows].T
    return np.ascontiguousarray(np.pad(grid, ((0, 0), (0, n_lanes - n_active)), mode="edge"))


def _play_to_checkpoints(
    job: Job,
    rows: slice,
    n_active: int,
    play: Callable[[int, int], None],
    pulls: FloatArray,
    worst: FloatArray,
) -> None:
    """Call ``play`` from round to round and note what stands at each checkpoint.

    ``pulls`` and ``worst``, shape (n_active, K), are views of the state it changes.
    """
    segment = max(SEGMENT_PULLS // n_active, 1)
    done = 0
    for c, checkpoint in enumerate(job.result.checkpoints.tolist()):
        while done < checkpoint:
            last = min(done + segment, checkpoint)
            play(done + 1, last)
            if job.progress is not None:
                job.progress((last - done) * n_active)
            done = last
        job.result.pulls[rows, c] = pulls
        # A deficit grows between pulls, so its maximum is just before a pull or now.
        now = job.result.instance.fairness * checkpoint - pulls
        job.result.max_deficits[rows, c] = np.maximum(worst, np.maximum(now, 0))


def _run_lanes(job: Job, start: int, n_active: int) -> None:
    """Play a chunk of replicates side by side."""
    result, instance = job.result, job.result.instance
    n_lanes = n_active + -n_active % LANE_MULTIPLE
    rows = slice(start, start + n_active)
    keys = job.replicate_keys(job.key, start, n_lanes)
    shape = (instance.n_arms, n_lanes)
    draws = shape if result.policy.draws else (1, 1)
    noise_keys, noise = np.zeros(draws, np.uint64), np.zeros(draws)
    if result.policy.draws:
        arm_keys(job.noise_key, job.first_replicate + start, noise_keys)
    mean, root = np.full(shape, np.inf), np.full(shape, lanes.UNPULLED_ROOT)
    pulls, total, level, worst = (np.zeros(shape) for _ in range(4))
    since = np.full(shape, float(result.policy.queues_since))
    penalties = penalties_of(result.policy, instance)
    penalty = _by_arm_and_lane(penalties, rows, n_active, n_lanes)
    means = _by_arm_and_lane(instance.means, rows, n_active, n_lanes)
    fairness = instance.fairness.copy()  # for the same reason as the tables
    gains = job.gains()
    tables = job.tables()
    kernel = lanes_kernel(result.policy, penalty_varies=penalties.ndim == 2)

    def play(first: int, last: int) -> None:
        kernel(
            *(first, last, n_active, *job.rules(), fairness, gains, penalty, means),
            *(*tables, keys, mean, root, pulls, total, level, since, worst, noise_keys, noise),
            *lanes.scratch(*shape),
        )

    _play_to_checkpoints(job, rows, n_active, play, pulls[:, :n_active].T, worst[:, :n_active].T)
    result.reward_sums[rows] = total[:, :n_active].T


def _run_blocks(job: Job, start: int, n_active: int) -> None:
    """Play a chunk of replicates one after the other."""
    result, instance = job.result, job.result.instance
    n_arms = instance.n_arms
    size = block_size(n_arms) if result.policy.rises else n_arms
    n_blocks = -(-n_arms // size)
    kernel = blocks_kernel(result.policy)
    keys = job.replicate_keys(job.key, start, n_active)
    noise_keys = job.replicate_keys(job.noise_key, start, n_active)
    gains = job.gains()
    for i, key in enumerate(keys):
        row = start + i
        state = np.zeros((blocks.N_ARM_ROWS, n_blocks * size))
        state[blocks.MEAN] = np.inf
        state[blocks.ROOT] = lanes.UNPULLED_ROOT
        state[blocks.SINCE] = result.policy.queues_since
        for name, values in (
            (blocks.FAIRNESS, instance.fairness),
            (blocks.PENALTY, instance.penalties),
            (blocks.EXPECTED, instance.means),
            (blocks.GAIN, gains),
        ):
            state[name, :n_arms] = values[row] if values.ndim == 2 else values
        arms = state.reshape(-1, n_blocks, size)
        play = partial(_play_blocks, kernel, job, n_arms, key, noise_keys[i], arms)
        pulls, worst = state[blocks.PULLS, None, :n_arms], state[blocks.WORST, None, :n_arms]
        _play_to_checkpoints(job, slice(row, row + 1), 1, play, pulls, worst)
        result.reward_sums[row] = state[blocks.TOTAL, :n_arms]


def _play_blocks(
    kernel: Kernel,
    job: Job,
    n_arms: int,
    key: np.uint64,
    noise_key: np.uint64,
    state: FloatArray,
    first: int,
    last: int,
) -> None:
    kernel(first, last, n_arms, *job.rules(), job.tables()[0], key, noise_key, state)


def _run_rounds(job: Job, start: int, n_active: int) -> None:
    """Play a chunk of replicates one after the other, with a policy that chooses by itself."""
    result, instance = job.result, job.result.instance
    n_arms, policy = instance.n_arms, result.policy
    kernel = rounds_kernel(policy)
    keys = job.replicate_keys(job.key, start, n_active)
    noise_keys = job.replicate_keys(job.noise_key, start, n_active)
    code = job.tables()[0]
    for i, key in enumerate(keys):
        row = start + i
        state = np.zeros((rounds.N_ARM_ROWS, n_arms))
        state[rounds.MEAN] = np.inf
        for name, values in (
            (rounds.FAIRNESS, instance.fairness),
            (rounds.PENALTY, instance.penalties),
            (rounds.EXPECTED, instance.means),
        ):
            state[name] = values[row] if values.ndim == 2 else values
        memory = np.zeros((policy.memory, n_arms))
        play = partial(_play_rounds, kernel, job, code, key, noise_keys[i], state, memory)
        pulls, worst = state[rounds.PULLS, None], state[rounds.WORST, None]
        _play_to_checkpoints(job, slice(row, row + 1), 1, play, pulls, worst)
        result.reward_sums[row] = state[rounds.TOTAL]


def _play_rounds(
    kernel: Kernel,
    job: Job,
    code: RewardCode,
    key: np.uint64,
    noise_key: np.uint64,
    state: FloatArray,
    memory: FloatArray,
    first: int,
    last: int,
) -> None:
    wrong = np.zeros(2, np.int64)
    kernel(first, last, *job.rules(), code, key, noise_key, state, memory, wrong)
    if wrong[0]:
        raise no_such_arm(job.result.policy, int(wrong[0]), int(wrong[1]), state.shape[1])
