"""Play a simulation's replicates with a compiled loop, in chunks that threads share."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np

from penalized_bandits.bandit.changing import Bandit, stretches_of
from penalized_bandits.bandit.checks import ROUNDED_DOWN
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.typing import FloatArray, IntArray, PullArray
from penalized_bandits.engine import _lanes as lanes
from penalized_bandits.engine import _late as late
from penalized_bandits.engine import _state as alone
from penalized_bandits.engine._draws import own_code
from penalized_bandits.engine._specialise import Kernel, kernel, lanes_for
from penalized_bandits.engine._state import Rules
from penalized_bandits.engine.streams import DELAY_STREAM, NOISE_STREAM, Stream
from penalized_bandits.engine.threads import Progress, in_threads
from penalized_bandits.policies.base import UNPULLED_ROOT, Policy
from penalized_bandits.policies.reads import reads_variance

MAX_LANES = 256
LANE_MULTIPLE = 8
SEGMENT = 0.2
"""Seconds between two looks at the clock: progress is reported and an interrupt seen this often."""
FIRST_LOOKS = 1000  # arms looked at in the first segment, which shows how long a round takes

COUNTED = ("pulls", "total", "worst")  # parts of the state that are recorded

Loop = Literal["lanes", "late", "leader", "lazy", "rounds"]
LogOf = Literal["n", "n-1"]


class StoppedError(Exception):
    """A compiled loop that stopped in round ``n``, before one of the replicates ``rows`` pulled."""

    def __init__(self, n: int, rows: list[int]) -> None:
        self.n, self.rows = n, rows
        super().__init__(f"stopped in round {n}")


class Counts(NamedTuple):
    """What replicates come to, the fields of a :class:`Simulation`."""

    pulls: PullArray
    max_deficits: FloatArray
    reward_sums: FloatArray


@dataclass(frozen=True, eq=False)
class Job:
    """Parameters that all chunks of a simulation share."""

    policy: Policy
    bandit: Bandit
    tuning: float | None
    checkpoints: IntArray
    replicates: int
    stream: Stream
    log_of: LogOf
    progress: Progress
    delays: IntArray  # of rewards in rounds, each as likely as any other
    batch: int  # rounds after which rewards that came are known

    @property
    def instance(self) -> Instance:
        """The bandit, that of the first rounds where means change."""
        return stretches_of(self.bandit)[1]

    @cached_property
    def later_means(self) -> dict[int, FloatArray]:
        """Means from each round of change on, by this round."""
        return {n: each.means for n, each in stretches_of(self.bandit).items() if n > 1}

    def rules(self) -> Rules:
        tuning = self.policy.check_tuning(self.tuning)
        scheduled = self.policy.scheduled_rounds(self.instance.n_arms, tuning)
        exploration = float(self.policy.exploration_for(self.instance.rewards.noise))
        return Rules(scheduled, exploration, 0 if self.log_of == "n" else 1, tuning)

    @cached_property
    def initial(self) -> dict[str, float]:
        """Statistics of an arm before round 1, where they are not 0; nan for those not kept."""
        variance = math.inf if reads_variance(self.policy) else math.nan
        return {"mean": math.inf, "root": UNPULLED_ROOT, "variance": variance}

    def no_counts(self) -> Counts:
        shape = self.replicates, self.checkpoints.size, self.instance.n_arms
        return Counts(np.zeros(shape, np.int32), np.zeros(shape), np.zeros(shape[::2]))


def run(job: Job, loop: Loop, threads: int) -> Counts:
    replicates, counts = job.replicates, job.no_counts()
    # Chunks of equal size: a last chunk of one lane would cost as much as a full one.
    most = MAX_LANES if loop == "lanes" else 1
    n_chunks = max(-(-replicates // most), min(threads, -(-replicates // LANE_MULTIPLE)))
    size = -(-replicates // n_chunks)
    if loop == "lanes":
        size += -size % LANE_MULTIPLE
    chunks = [slice(row, min(row + size, replicates)) for row in range(0, replicates, size)]
    # Compiled here: an interrupt does not end threads that compile.
    of = lanes_for(job.policy, job.instance) if loop == "lanes" else loop
    compiled = kernel(job.policy, of, job.instance.charges_excess)
    play = _run_lanes if loop == "lanes" else partial(_run_singly, loop)
    calls = (partial(play, job, counts, compiled, rows) for rows in chunks)
    deque(in_threads(calls, min(threads, len(chunks)), job.progress), maxlen=0)
    return counts


def _by_arm_and_lane(values: FloatArray, rows: slice, n_active: int, n_lanes: int) -> FloatArray:
    """Copy (K,) values; lay (R, K) out as (K W,), padding with the last replicate."""
    if values.ndim == 1:
        return values.copy()
    return np.pad(values[rows].T, ((0, 0), (0, n_lanes - n_active)), mode="edge").ravel()


def _play_to_checkpoints(
    job: Job,
    counts: Counts,
    progress: Progress,
    rows: slice,
    play: Callable[[int, int], None],
    change: Callable[[FloatArray], None],
    views: dict[str, FloatArray],
) -> None:
    """Call ``play`` from checkpoint to checkpoint, and record the ``views`` (n_active, K).

    ``change`` sets other means; the rounds before are checkpoints.
    Raises StoppedError if the policy's code fails or returns what is no number or arm.
    """
    pulls, scheduled = views["pulls"], job.rules().scheduled
    first = segment = max(FIRST_LOOKS // pulls.size, 1)
    done, now = 0, perf_counter()
    for c, checkpoint in enumerate(job.checkpoints.tolist()):
        if done + 1 in job.later_means:
            change(job.later_means[done + 1])
        while done < checkpoint:
            last = min(done + segment, checkpoint)
            if done < scheduled:  # which says nothing of how long a round takes after it
                last = min(last, max(done + first, scheduled))
            problem = None
            try:
                play(done + 1, last)
            except MemoryError:
                raise
            except Exception as error:
                problem = error
            played = pulls.sum(axis=1)
            if problem or (played < last).any():
                late = rows.start + np.flatnonzero(played == played.min())
                raise StoppedError(int(played.min()) + 1, late.tolist()) from problem
            if progress is not None:
                progress((last - done) * len(pulls))
            begun, now = now, perf_counter()
            growth = min(SEGMENT / max(now - begun, 1e-9), 4.0)
            segment = first if done < scheduled <= last else max(int((last - done) * growth), 1)
            done = last
        counts.pulls[rows, c] = pulls
        # A deficit grows between pulls, so its maximum is just before a pull or now.
        owed = job.instance.fairness * checkpoint - pulls
        counts.max_deficits[rows, c] = np.maximum(views["worst"], np.maximum(owed, 0))
    counts.reward_sums[rows] = views["total"]


def _run_lanes(job: Job, counts: Counts, compiled: Kernel, rows: slice, progress: Progress) -> None:
    instance, policy, start, n_active = job.instance, job.policy, rows.start, rows.stop - rows.start
    n_lanes = n_active + -n_active % LANE_MULTIPLE
    shape = (instance.n_arms, n_lanes)
    noise_keys = np.zeros((1, 1), np.uint64)
    if policy.draws:
        noise_keys = job.stream.named(NOISE_STREAM).arm_keys(start, n_lanes, instance.n_arms)
    # Copies, as in ``own_code``.
    arms = lanes.Arms(
        instance.fairness.copy(),
        _by_arm_and_lane(policy.penalties_known(instance.penalties), rows, n_active, n_lanes),
        _by_arm_and_lane(instance.means, rows, n_active, n_lanes),
        instance.ceilings * ROUNDED_DOWN,
        policy.penalties_known(instance.excess_penalties).copy(),
    )
    code = own_code(instance.reward_code)
    source = lanes.Source(code, job.stream.replicate_keys(start, n_lanes), noise_keys)
    size = instance.n_arms * n_lanes
    initial = {"since": 0.0 if policy.first_pulls else -1.0, **job.initial}
    values = (initial.get(name, 0.0) for name in lanes.State._fields)
    state = lanes.State(*(lanes.aligned(size, value) for value in values))
    # Lanes that fill the last vector pull nothing: their arms are not to be without pulls.
    for name, value in {"mean": 0.0, "root": 1.0, "pulls": 1.0, "variance": 0.0}.items():
        getattr(state, name).reshape(shape)[:, n_active:] = value
    rules = job.rules()

    def play(first: int, last: int) -> None:
        scratch = lanes.scratch(*shape, draws=bool(policy.draws))
        compiled(first, last, n_active, rules, arms, source, state, scratch)

    def change(means: FloatArray) -> None:
        arms.means[:] = _by_arm_and_lane(means, rows, n_active, n_lanes)

    views = {name: getattr(state, name).reshape(shape)[:, :n_active].T for name in COUNTED}
    _play_to_checkpoints(job, counts, progress, rows, play, change, views)


def _run_singly(
    loop: Loop, job: Job, counts: Counts, compiled: Kernel, chunk: slice, progress: Progress
) -> None:
    instance, policy = job.instance, job.policy
    rules, code = job.rules(), own_code(instance.reward_code)
    rows: Any = late if loop == "late" else alone
    delays = job.delays.copy()
    # The last delay with which a reward comes, and the rounds until the batch ends.
    size = int(delays[delays < job.checkpoints[-1]].max(initial=0)) + job.batch

    def play(keys: Any, ring: FloatArray, state: FloatArray, first: int, last: int) -> None:
        if loop == "late":
            compiled(first, last, rules, code, keys, job.batch, delays, ring, state)
        elif loop in ("leader", "lazy"):
            compiled(first, last, rules, code, keys[0], state)
        else:
            arms, memory = state[: rows.N_ARM_ROWS], state[rows.N_ARM_ROWS :]
            seen = arms.view()
            seen.flags.writeable = False
            compiled(first, last, rules, code, *keys[:2], arms, seen, memory)

    given = {
        rows.FAIRNESS: instance.fairness,
        rows.PENALTY: policy.penalties_known(instance.penalties),
        rows.EXPECTED: instance.means,
        rows.CEILING: instance.ceilings * ROUNDED_DOWN,
        rows.EXCESS: policy.penalties_known(instance.excess_penalties),
    }

    def change(state: FloatArray, row: int, means: FloatArray) -> None:
        state[rows.EXPECTED] = means[row] if means.ndim == 2 else means

    names = (), (NOISE_STREAM,), (DELAY_STREAM,)
    span = chunk.start, chunk.stop - chunk.start
    keys = [job.stream.named(*each).replicate_keys(*span) for each in names]
    for row, own in enumerate(zip(*keys, strict=True), chunk.start):
        state = np.zeros((rows.N_ARM_ROWS + policy.memory, instance.n_arms))
        for name, value in job.initial.items():
            state[getattr(rows, name.upper())] = value
        for name, values in given.items():
            state[name] = values[row] if values.ndim == 2 else values
        views = {name: state[getattr(rows, name.upper()), None] for name in COUNTED}
        one, ring = slice(row, row + 1), np.full((5, size), -1.0)
        calls = partial(play, own, ring, state), partial(change, state, row)
        _play_to_checkpoints(job, counts, progress, one, *calls, views)
