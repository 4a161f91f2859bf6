"""Simulate a policy on an instance: the one function that users call."""

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
from numba.core.dispatcher import Dispatcher

from penalized_bandits.checks import MOST_ROUNDS, whole
from penalized_bandits.engine import blocks, lanes, rounds, specialise
from penalized_bandits.engine.plain import oracle_play, run_plain
from penalized_bandits.engine.specialise import (
    CannotCompileError,
    Kernel,
    blocks_kernel,
    lanes_kernel,
    rounds_kernel,
)
from penalized_bandits.errors import BanditError
from penalized_bandits.instances import Instance
from penalized_bandits.oracle import no_such_arm
from penalized_bandits.policies import Policy, get_policy
from penalized_bandits.rewards import RewardCode
from penalized_bandits.streams import (
    NOISE_STREAM,
    ZIGGURAT_EDGES,
    ZIGGURAT_HEIGHTS,
    arm_keys,
    replicate_keys,
    stream_key,
)
from penalized_bandits.typing import FloatArray, IntArray, PullArray, UIntArray

MAX_LANES = 256
LANE_MULTIPLE = 8
SEGMENT_PULLS = 20_000_000
"""Pulls between two looks at the clock: progress is reported this often."""

MANY_ARMS = 700
"""From here on blocks of arms are faster than lanes, for policies that allow them."""
ONE_BLOCK = 128
"""Up to here looking at all arms costs no more than finding out which to look at."""

LogOf = Literal["n", "n-1"]
Engine = Literal["lanes", "blocks", "rounds", "plain"]


@dataclass(frozen=True, eq=False)
class Simulation:
    """What happened in R replicates, seen after each of C checkpoints, on K arms."""

    policy: Policy
    instance: Instance
    tuning: float | None
    checkpoints: IntArray
    """Rounds after which the counts were taken, increasing, shape (C,)."""
    pulls: PullArray
    """N_k(t), shape (R, C, K)."""
    max_deficits: FloatArray
    """max over t' <= t of (tau_k t' - N_k(t'))_+, shape (R, C, K)."""
    reward_sums: FloatArray
    """Sum of the rewards of each arm at the last checkpoint, shape (R, K)."""

    @property
    def n_replicates(self) -> int:
        """Number of replicates R."""
        return self.pulls.shape[0]


def _check_checkpoints(horizon: int, checkpoints: Sequence[int] | None) -> IntArray:
    """Return the checkpoints up to and with the horizon."""
    rounds = np.asarray([horizon] if checkpoints is None else checkpoints)
    if rounds.ndim != 1 or rounds.size == 0:
        raise BanditError("checkpoints must be a list of at least one round")
    if rounds.dtype.kind not in "iu":
        raise BanditError(f"checkpoints {rounds.tolist()} must be whole numbers")
    rounds = rounds.astype(np.int64)
    if rounds[0] < 1 or (np.diff(rounds) <= 0).any() or rounds[-1] > horizon:
        raise BanditError(
            f"checkpoints {rounds.tolist()} must increase from at least 1 to at most "
            f"the horizon {horizon}"
        )
    return rounds


def _by_arm_and_lane(values: FloatArray, rows: slice, n_active: int, n_lanes: int) -> FloatArray:
    """Lay (K,) values out as (K, 1); (R, K) as (K, W), padding with the last replicate."""
    if values.ndim == 1:
        return np.array(values[:, None], order="C")
    grid = values[rows].T
    return np.ascontiguousarray(np.pad(grid, ((0, 0), (0, n_lanes - n_active)), mode="edge"))


def simulate(
    policy: str | Policy,
    instance: Instance,
    horizon: int,
    *,
    replicates: int = 100,
    seed: int = 0,
    stream: Sequence[str] = (),
    tuning: float | None = None,
    checkpoints: Sequence[int] | None = None,
    first_replicate: int = 0,
    log_of: LogOf = "n",
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    engine: Engine | None = None,
) -> Simulation:
    """Play a policy on an instance, many replicates at a time.

    The reward of arm k's n-th pull in replicate r depends on ``seed``, ``stream``, r, k
    and n only: two policies simulated with the same seed and stream meet the same
    rewards, and a longer run begins with the shorter one.  Results do not depend on
    ``threads`` nor on how replicates are split between calls.

    Parameters
    ----------
    policy
        A policy or its id, e.g. ``"hard_threshold_ucb"``.
    instance
        The bandit.  Where its means or penalties vary by replicate, row i belongs to
        replicate ``first_replicate + i``.
    horizon
        Number of rounds T, below 2^31.
    replicates
        Number of replicates R.
    seed
        Master seed.
    stream
        Names that tell one experiment's random numbers from another's.
    tuning
        The policy's own parameter (alpha, eta_0, m), for policies that have one.
    checkpoints
        Rounds after which counts are taken, increasing; the horizon alone by default.
    first_replicate
        Number of the first replicate, for runs that are split in chunks.
    log_of
        ``"n"``: log n in round n, as eq. (11) has it; ``"n-1"``: log(n - 1), as
        Algorithm 1 computes it (reading R1).
    threads
        Threads that share the replicates.
    progress
        Called now and then with the number of pulls done since it was last called.
    engine
        ``"lanes"`` or ``"blocks"``: the loop to use, for tests and benchmarks; ``"rounds"``
        for policies that choose by themselves; ``"plain"`` for plain Python.  The fastest
        one by default; results are the same.

    Returns
    -------
    Simulation
        Pulls and deficits per replicate, checkpoint and arm.

    Raises
    ------
    BanditError
        If the policy is unknown, the tuning does not fit it, a number is out of range, or
        the policy pulls an arm that there is not.

    Warns
    -----
    PlainPythonWarning
        If the policy cannot be compiled and the run takes more than some seconds.
    """
    policy = get_policy(policy)
    value = policy.check_tuning(tuning)
    whole("horizon", horizon, 1, MOST_ROUNDS, ", as pulls are counted in 32 bits")
    rounds = _check_checkpoints(horizon, checkpoints)
    whole("replicates", replicates, 1, MOST_ROUNDS)
    whole("first_replicate", first_replicate, 0, MOST_ROUNDS - replicates)
    whole("threads", threads, 1)
    whole("seed", seed)
    if engine not in (None, *get_args(Engine)):
        raise BanditError(f"engine is {engine!r}: it must be one of {get_args(Engine)} or None")
    if log_of not in ("n", "n-1"):
        raise BanditError(f"log_of is {log_of!r}: it must be 'n' or 'n-1'")
    if instance.n_replicates not in (None, replicates):
        raise BanditError(
            f"the instance holds {instance.n_replicates} replicates, but {replicates} were asked"
        )

    n_arms = instance.n_arms
    result = Simulation(
        policy=policy,
        instance=instance,
        tuning=tuning,
        checkpoints=rounds,
        pulls=np.zeros((replicates, rounds.size, n_arms), dtype=np.int32),
        max_deficits=np.zeros((replicates, rounds.size, n_arms)),
        reward_sums=np.zeros((replicates, n_arms)),
    )
    chosen = _engine_for(policy, instance, replicates) if engine is None else engine
    exploration = policy.exploration_for(instance.rewards.noise)
    if not math.isfinite(exploration):
        raise BanditError(
            f"policy {policy.id} scales its exploration by the noise, but "
            f"{instance.rewards.id} rewards are not sub-Gaussian"
        )

    def plain(reason: str) -> Simulation:
        play = oracle_play(result, seed, tuple(stream), first_replicate, log_of)
        run_plain(result, play, progress, reason)
        return result

    if chosen == "plain":
        return plain("its choose is not compiled" if policy.choose else "as asked")
    job = _Job(
        result,
        np.uint64(stream_key(seed, *stream)),
        np.uint64(stream_key(seed, *stream, NOISE_STREAM)),
        first_replicate,
        value,
        exploration,
        0 if log_of == "n" else 1,
        progress,
    )
    try:
        _run(job, chosen, threads)
    except CannotCompileError as error:
        return plain(f"numba cannot compile it: {error}")
    return result


def _run(job: "_Job", chosen: Engine, threads: int) -> None:
    """Play all replicates of a job, in chunks that threads share."""
    replicates = job.result.n_replicates
    # Chunks of equal size: a last chunk of one lane would cost as much as a full one.
    most = MAX_LANES if chosen == "lanes" else 1
    n_chunks = max(-(-replicates // most), min(threads, -(-replicates // LANE_MULTIPLE)))
    size = -(-replicates // n_chunks)
    if chosen == "lanes":
        size += -size % LANE_MULTIPLE
    run = {"lanes": _run_lanes, "blocks": _run_blocks, "rounds": _run_rounds}[chosen]
    starts = range(0, replicates, size)
    if threads == 1 or len(starts) == 1:
        for start in starts:
            run(job, start, min(size, replicates - start))
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda start: run(job, start, min(size, replicates - start)), starts))


def prepare(runs: Iterable[tuple[Policy, Instance, int]]) -> None:
    """Compile what runs of (policy, instance, replicates) need, before the first begins.

    Optional: it lets processes that start together share the work of compiling.
    """
    # What cannot be compiled is said when it is simulated.
    with suppress(CannotCompileError):
        specialise.prepare(
            (policy, _penalties(policy, instance).ndim == 2)
            for policy, instance, replicates in runs
            if _engine_for(policy, instance, replicates) == "lanes"
        )


def _penalties(policy: Policy, instance: Instance) -> FloatArray:
    """Return the penalties, shape (K,) where one kernel for all of them will do."""
    if policy.ignores_penalties and instance.penalties.ndim == 2:
        return instance.penalties[0]
    return instance.penalties


def _engine_for(policy: Policy, instance: Instance, replicates: int) -> Engine:
    """Choose the fastest loop; all pull the same arms (see ``docs/performance.md``)."""
    if policy.choose is not None:
        compiled = policy.compiles or isinstance(policy.choose, Dispatcher)
        return "rounds" if compiled else "plain"
    if replicates < few_replicates(instance.n_arms):
        return "blocks"
    return "blocks" if policy.rises and instance.n_arms >= MANY_ARMS else "lanes"


def few_replicates(n_arms: int) -> int:
    """Return the number below which playing replicates one by one costs less than lanes.

    Lanes come in eights, each of which looks at all arms.
    """
    return min(3 + n_arms // 20, 2 * LANE_MULTIPLE)


def block_size(n_arms: int) -> int:
    """Return the arms in a block: about as many as there are blocks, in vectors of eight."""
    return n_arms if n_arms <= ONE_BLOCK else 8 * math.ceil(math.sqrt(n_arms) / 8)


@dataclass(frozen=True, eq=False)
class _Job:
    """What all chunks of a simulation have in common."""

    result: Simulation
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


def _play_to_checkpoints(
    job: _Job,
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


def _run_lanes(job: _Job, start: int, n_active: int) -> None:
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
    penalties = _penalties(result.policy, instance)
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


def _run_blocks(job: _Job, start: int, n_active: int) -> None:
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
    job: _Job,
    n_arms: int,
    key: np.uint64,
    noise_key: np.uint64,
    state: FloatArray,
    first: int,
    last: int,
) -> None:
    kernel(first, last, n_arms, *job.rules(), job.tables()[0], key, noise_key, state)


def _run_rounds(job: _Job, start: int, n_active: int) -> None:
    """Play a chunk of replicates one after the other, with a policy that chooses by itself."""
    result, instance = job.result, job.result.instance
    n_arms, policy = instance.n_arms, result.policy
    kernel = rounds_kernel(policy)
    keys = job.replicate_keys(job.key, start, n_active)
    noise_keys = job.replicate_keys(job.noise_key, start, n_active)
    scheduled, code = policy.scheduled_rounds(n_arms, job.tuning), job.tables()[0]
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

        play = partial(
            _play_rounds, kernel, job, scheduled, code, key, noise_keys[i], state, memory
        )
        pulls, worst = state[rounds.PULLS, None], state[rounds.WORST, None]
        _play_to_checkpoints(job, slice(row, row + 1), 1, play, pulls, worst)
        result.reward_sums[row] = state[rounds.TOTAL]


def _play_rounds(
    kernel: Kernel,
    job: _Job,
    scheduled: int,
    code: RewardCode,
    key: np.uint64,
    noise_key: np.uint64,
    state: FloatArray,
    memory: FloatArray,
    first: int,
    last: int,
) -> None:
    wrong = np.zeros(2, np.int64)
    kernel(
        *(first, last, scheduled, job.exploration, job.tuning, code),
        *(key, noise_key, state, memory, wrong),
    )
    if wrong[0]:
        raise no_such_arm(job.result.policy, int(wrong[0]), int(wrong[1]), state.shape[1])
