"""Simulate a policy on an instance: the one function that users call."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

from penalized_bandits.engine import lanes
from penalized_bandits.engine.specialise import kernel
from penalized_bandits.errors import BanditError
from penalized_bandits.instances import Instance
from penalized_bandits.policies import Policy, get_policy
from penalized_bandits.streams import (
    ZIGGURAT_EDGES,
    ZIGGURAT_HEIGHTS,
    replicate_keys,
    stream_key,
)
from penalized_bandits.typing import FloatArray, IntArray, PullArray

MAX_LANES = 128
LANE_MULTIPLE = 8
SEGMENT_PULLS = 20_000_000
"""Pulls between two looks at the clock: progress is reported this often."""

LogOf = Literal["n", "n-1"]


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
    if horizon < 1:
        raise BanditError(f"horizon is {horizon}: it must be at least 1")
    rounds = np.asarray([horizon] if checkpoints is None else checkpoints, dtype=np.int64)
    if rounds.ndim != 1 or rounds.size == 0:
        raise BanditError("checkpoints must be a list of at least one round")
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
        Number of rounds T.
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

    Returns
    -------
    Simulation
        Pulls and deficits per replicate, checkpoint and arm.

    Raises
    ------
    BanditError
        If the policy is unknown, the tuning does not fit it, or a number is out of range.
    """
    policy = get_policy(policy)
    value = policy.check_tuning(tuning)
    rounds = _check_checkpoints(horizon, checkpoints)
    for name, number, least in (
        ("replicates", replicates, 1),
        ("threads", threads, 1),
        ("first_replicate", first_replicate, 0),
    ):
        if number < least:
            raise BanditError(f"{name} is {number}: it must be at least {least}")
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
    play = kernel(
        policy, penalty_varies=instance.penalties.ndim == 2, means_vary=instance.means.ndim == 2
    )
    key = np.uint64(stream_key(seed, *stream))
    # Chunks of equal size: a last chunk of one lane would cost as much as a full one.
    n_chunks = max(-(-replicates // MAX_LANES), min(threads, -(-replicates // LANE_MULTIPLE)))
    size = -(-replicates // n_chunks)
    size += -size % LANE_MULTIPLE
    starts = range(0, replicates, size)

    def run(start: int) -> None:
        _run_chunk(
            play, result, start, min(size, replicates - start), key, first_replicate,
            value, 0 if log_of == "n" else 1, progress,
        )  # fmt: skip

    if threads == 1 or len(starts) == 1:
        for start in starts:
            run(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run, starts))
    return result


def _run_chunk(
    play: Callable[..., None],
    result: Simulation,
    start: int,
    n_active: int,
    key: np.uint64,
    first_replicate: int,
    tuning: float,
    log_shift: int,
    progress: Callable[[int], None] | None,
) -> None:
    """Play one chunk of replicates and write its part of the result."""
    instance, policy = result.instance, result.policy
    n_arms, n_lanes = instance.n_arms, n_active + -n_active % LANE_MULTIPLE
    rows = slice(start, start + n_active)
    keys = np.empty(n_lanes, dtype=np.uint64)
    replicate_keys(key, first_replicate + start, keys)
    shape = (n_arms, n_lanes)
    mean = np.full(shape, np.inf)
    root = np.full(shape, lanes.UNPULLED_ROOT)
    pulls, total, queue, worst = (np.zeros(shape) for _ in range(4))
    arguments = (
        n_active,
        policy.scheduled_rounds(n_arms, tuning),
        policy.exploration,
        log_shift,
        tuning,
        instance.fairness,
        _by_arm_and_lane(instance.penalties, rows, n_active, n_lanes),
        _by_arm_and_lane(instance.means, rows, n_active, n_lanes),
        instance.reward_code,
        ZIGGURAT_EDGES,
        ZIGGURAT_HEIGHTS,
        keys,
        mean,
        root,
        pulls,
        total,
        queue,
        worst,
    )
    segment = max(SEGMENT_PULLS // n_active, 1)
    done = 0
    for c, checkpoint in enumerate(result.checkpoints.tolist()):
        while done < checkpoint:
            last = min(done + segment, checkpoint)
            play(done + 1, last, *arguments)
            if progress is not None:
                progress((last - done) * n_active)
            done = last
        counts = pulls[:, :n_active].T
        result.pulls[rows, c] = counts
        # A deficit grows between pulls, so its maximum is just before a pull or now.
        now = instance.fairness * checkpoint - counts
        result.max_deficits[rows, c] = np.maximum(worst[:, :n_active].T, np.maximum(now, 0))
    result.reward_sums[rows] = total[:, :n_active].T
