"""Play a simulation's replicates with a compiled loop, in chunks that threads share."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, TypeAlias

import numpy as np

from penalized_bandits.bandit.rewards import RewardCode
from penalized_bandits.common.typing import FloatArray, UIntArray
from penalized_bandits.engine import _lanes as lanes
from penalized_bandits.engine import _state as rows
from penalized_bandits.engine import streams
from penalized_bandits.engine._specialise import kernel, lanes_for
from penalized_bandits.engine._state import Rules
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.engine.streams import NOISE_STREAM
from penalized_bandits.policies.base import UNPULLED_ROOT

MAX_LANES = 256
LANE_MULTIPLE = 8
SEGMENT_PULLS = 20_000_000
"""Pulls between two looks at the clock: progress is reported this often."""
ONE_BLOCK = 128
"""Up to here looking at all arms costs no more than finding out which to look at."""

Loop = Literal["lanes", "blocks", "lazy", "rounds"]
LogOf = Literal["n", "n-1"]
Keys: TypeAlias = tuple[np.uint64, np.uint64]
"""Keys of a replicate: of its rewards, and of the policy's own numbers."""


class StoppedError(Exception):
    """A compiled loop that stopped in round ``n``, before one of the replicates ``rows`` pulled.

    ``first`` is the row of the first replicate, ``pulls`` (n_active, K), ``last`` the last round.
    """

    def __init__(self, first: int, pulls: FloatArray, last: int) -> None:
        played = pulls.sum(axis=1).astype(np.int64)
        self.rows = [first + row for row in np.flatnonzero(played < last).tolist()]
        self.n = int(played.min()) + 1
        super().__init__(f"stopped in round {self.n}")


@dataclass(frozen=True, eq=False)
class Job:
    """Shared parameters of all chunks of a simulation."""

    result: Simulation
    seed: int
    stream: tuple[str, ...]
    first_replicate: int
    tuning: float
    """The policy's own parameter; 0 where it has none."""
    exploration: float
    log_of: LogOf
    progress: Callable[[int], None] | None

    def key(self, *name: str) -> np.uint64:
        """Return the key of the rewards, or with ``NOISE_STREAM`` of the policy's own numbers."""
        return np.uint64(streams.stream_key(self.seed, *self.stream, *name))

    def rules(self) -> Rules:
        """Return the policy's numbers as the compiled loops take them."""
        policy = self.result.policy
        scheduled = policy.scheduled_rounds(self.result.instance.n_arms, self.tuning)
        shift = 0 if self.log_of == "n" else 1
        return Rules(scheduled, float(self.exploration), shift, self.tuning)

    @cached_property
    def gains(self) -> FloatArray:
        """Gain of each arm's queue in a round, shape (K,)."""
        policy = self.result.policy
        return np.array([policy.arrival(f, self.tuning) for f in self.result.instance.fairness])

    def replicate_keys(self, start: int, n: int, *name: str) -> UIntArray:
        """Return the keys of ``n`` replicates in the stream of :meth:`key`."""
        keys = np.empty(n, dtype=np.uint64)
        streams.replicate_keys(self.key(*name), self.first_replicate + start, keys)
        return keys

    def code(self) -> RewardCode:
        """Return the reward family, in arrays of its own.

        Compiled code counts references to its arrays all the time: threads that share one
        would wait for each other at its counter.
        """
        code = self.result.instance.reward_code
        return code._replace(cumulative=code.cumulative.copy(), support=code.support.copy())


def run(job: Job, loop: Loop, threads: int) -> None:
    """Play all replicates of a job, in chunks that threads share."""
    replicates = job.result.n_replicates
    # Chunks of equal size: a last chunk of one lane would cost as much as a full one.
    most = MAX_LANES if loop == "lanes" else 1
    n_chunks = max(-(-replicates // most), min(threads, -(-replicates // LANE_MULTIPLE)))
    size = -(-replicates // n_chunks)
    if loop == "lanes":
        size += -size % LANE_MULTIPLE
    play = partial(_run_lanes, job) if loop == "lanes" else partial(_run_singly, job, loop)
    chunks = [(start, min(size, replicates - start)) for start in range(0, replicates, size)]
    if threads == 1 or len(chunks) == 1:
        for chunk in chunks:
            play(*chunk)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda chunk: play(*chunk), chunks))


def block_size(n_arms: int) -> int:
    """Return the arms in a block: about as many as there are blocks, in vectors of eight."""
    return n_arms if n_arms <= ONE_BLOCK else 8 * math.ceil(math.sqrt(n_arms) / 8)


def _by_arm_and_lane(values: FloatArray, rows: slice, n_active: int, n_lanes: int) -> FloatArray:
    """Copy (K,) values; lay (R, K) out as (K W,), padding with the last replicate."""
    if values.ndim == 1:
        return values.copy()
    return np.pad(values[rows].T, ((0, 0), (0, n_lanes - n_active)), mode="edge").ravel()


def _play_to_checkpoints(
    job: Job,
    rows: slice,
    n_active: int,
    play: Callable[[int, int], None],
    pulls: FloatArray,
    worst: FloatArray,
) -> None:
    """Call ``play`` from checkpoint to checkpoint and record the counts.

    ``pulls`` and ``worst``, shape (n_active, K), are views of the state it changes.  Raises
    StoppedError if the policy's code fails or returns what is no number or arm.
    """
    segment = max(SEGMENT_PULLS // n_active, 1)
    done = 0
    for c, checkpoint in enumerate(job.result.checkpoints.tolist()):
        while done < checkpoint:
            last = min(done + segment, checkpoint)
            try:
                play(done + 1, last)
            except MemoryError:
                raise
            except Exception as error:
                raise StoppedError(rows.start, pulls, last) from error
            if (pulls.sum(axis=1) < last).any():
                raise StoppedError(rows.start, pulls, last)
            if job.progress is not None:
                job.progress((last - done) * n_active)
            done = last
        job.result.pulls[rows, c] = pulls
        # A deficit grows between pulls, so its maximum is just before a pull or now.
        now = job.result.instance.fairness * checkpoint - pulls
        job.result.max_deficits[rows, c] = np.maximum(worst, np.maximum(now, 0))


def _run_lanes(job: Job, start: int, n_active: int) -> None:
    result, instance, policy = job.result, job.result.instance, job.result.policy
    n_lanes = n_active + -n_active % LANE_MULTIPLE
    rows = slice(start, start + n_active)
    shape = (instance.n_arms, n_lanes)
    noise_keys = np.zeros(shape if policy.draws else (1, 1), np.uint64)
    if policy.draws:
        streams.arm_keys(job.key(NOISE_STREAM), job.first_replicate + start, noise_keys)
    penalties = policy.penalties_known(instance.penalties)
    # Copies, as in ``Job.code``.
    arms = lanes.Arms(
        instance.fairness.copy(),
        job.gains.copy(),
        _by_arm_and_lane(penalties, rows, n_active, n_lanes),
        _by_arm_and_lane(instance.means, rows, n_active, n_lanes),
    )
    source = lanes.Source(job.code(), job.replicate_keys(start, n_lanes), noise_keys)
    size = instance.n_arms * n_lanes
    state = lanes.State(
        mean=lanes.aligned(size, np.inf),
        root=lanes.aligned(size, UNPULLED_ROOT),
        pulls=lanes.aligned(size, 0.0),
        total=lanes.aligned(size, 0.0),
        level=lanes.aligned(size, 0.0),
        since=lanes.aligned(size, float(policy.queues_since)),
        worst=lanes.aligned(size, 0.0),
    )
    compiled, rules = kernel(policy, lanes_for(penalties)), job.rules()

    def play(first: int, last: int) -> None:
        scratch = lanes.scratch(*shape, draws=bool(policy.draws))
        compiled(first, last, n_active, rules, arms, source, state, scratch)

    def by_replicate(values: FloatArray) -> FloatArray:
        return values.reshape(shape)[:, :n_active].T

    pulls, worst = by_replicate(state.pulls), by_replicate(state.worst)
    _play_to_checkpoints(job, rows, n_active, play, pulls, worst)
    result.reward_sums[rows] = by_replicate(state.total)


def _run_singly(job: Job, loop: Loop, start: int, n_active: int) -> None:
    result, instance, policy = job.result, job.result.instance, job.result.policy
    n_arms = instance.n_arms
    in_blocks = loop == "blocks" and policy.hints.index_is_nondecreasing
    size = block_size(n_arms) if in_blocks else n_arms
    compiled, rules, code = kernel(policy, loop), job.rules(), job.code()

    def play(keys: Keys, state: FloatArray, first: int, last: int) -> None:
        if loop == "blocks":
            arms = state.reshape(len(state), -1, size)
            compiled(first, last, n_arms, rules, code, *keys, arms)
        elif loop == "lazy":
            compiled(first, last, rules, code, keys[0], state)
        else:
            arms, memory = state[: rows.N_ARM_ROWS], state[rows.N_ARM_ROWS :]
            compiled(first, last, rules, code, *keys, arms, memory)

    given = {
        rows.FAIRNESS: instance.fairness,
        rows.PENALTY: policy.penalties_known(instance.penalties),
        rows.EXPECTED: instance.means,
        rows.GAIN: job.gains,
    }
    keys = job.replicate_keys(start, n_active)
    noise_keys = job.replicate_keys(start, n_active, NOISE_STREAM)
    for row, both in enumerate(zip(keys, noise_keys, strict=True), start):
        state = np.zeros((rows.N_ARM_ROWS + policy.memory, n_arms + -n_arms % size))
        state[rows.MEAN] = np.inf
        state[rows.ROOT] = UNPULLED_ROOT
        state[rows.SINCE] = policy.queues_since
        arms = state[:, :n_arms]
        for name, values in given.items():
            arms[name] = values[row] if values.ndim == 2 else values
        pulls, worst = arms[rows.PULLS, None], arms[rows.WORST, None]
        replicate = slice(row, row + 1)
        _play_to_checkpoints(job, replicate, 1, partial(play, both, state), pulls, worst)
        result.reward_sums[row] = arms[rows.TOTAL]
