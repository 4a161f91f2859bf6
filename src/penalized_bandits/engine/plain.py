"""Policies that cannot be compiled: played by the oracle, with a warning of what it costs."""

import time
import warnings
from collections.abc import Callable

import numpy as np

from penalized_bandits.common.errors import BanditError, PlainPythonWarning
from penalized_bandits.engine.formulas import for_plain_python
from penalized_bandits.engine.jobs import Job
from penalized_bandits.engine.oracle import Trace, trace
from penalized_bandits.engine.simulation import Simulation

TRIAL_ROUNDS = 300
"""Rounds that are timed before a long run."""
WORTH_SAYING = 1.0
"""Seconds from which on a run in plain Python is warned of."""


def run_plain(job: Job, reason: str) -> None:
    """Fill a job's result from the oracle's traces; ``reason`` is why it is not compiled.

    What a user's code raises becomes a BanditError that names the policy.
    """
    result, policy = job.result, for_plain_python(job.result.policy)

    def play(row: int, rounds: int) -> Trace:
        try:
            return trace(
                policy,
                result.instance,
                rounds,
                replicate=job.first_replicate + row,
                row=row,
                seed=job.seed,
                stream=job.stream,
                tuning=result.tuning,
                log_of=job.log_of,
            )
        except BanditError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise BanditError(f"policy {policy.id} failed: {kind}: {error}") from error

    n_replicates, horizon = result.n_replicates, int(result.checkpoints[-1])
    _warn(result, play, n_replicates * horizon, reason)
    for row in range(n_replicates):
        _fill(result, row, play(row, horizon))
        if job.progress is not None:
            job.progress(horizon)


def _warn(result: Simulation, play: Callable[[int, int], Trace], pulls: int, reason: str) -> None:
    """Say how long it will take, where that is long."""
    rounds = min(TRIAL_ROUNDS, int(result.checkpoints[-1]))
    play(0, min(rounds, 10))  # what is made at first use is not the policy's cost
    start = time.process_time()
    play(0, rounds)
    per_pull = (time.process_time() - start) / rounds
    if per_pull * pulls >= WORTH_SAYING:
        warnings.warn(
            f"policy {result.policy.id} runs in plain Python ({reason}): about "
            f"{per_pull * 1e6:.0f} microseconds a pull, so {pulls:,} pulls take about "
            f"{_duration(per_pull * pulls)}; compiled, it would be a hundredth of that or less",
            PlainPythonWarning,
            stacklevel=3,
        )


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _fill(result: Simulation, row: int, played: Trace) -> None:
    """Note the counts, deficits and rewards of one replicate."""
    fairness, n_arms = result.instance.fairness, result.instance.n_arms
    arms = np.array(played.arms)
    worst = np.zeros(n_arms)
    before = 0
    pulls = np.zeros(n_arms)
    for c, checkpoint in enumerate(result.checkpoints.tolist()):
        # A deficit is largest just before a pull, or now.
        for n, k in enumerate(arms[before:checkpoint].tolist(), start=before + 1):
            worst[k] = max(worst[k], fairness[k] * (n - 1) - pulls[k])
            pulls[k] += 1
        before = checkpoint
        result.pulls[row, c] = pulls
        result.max_deficits[row, c] = np.maximum(
            worst, np.maximum(fairness * checkpoint - pulls, 0)
        )
    sums = [0.0] * n_arms
    for k, reward in zip(played.arms, played.rewards, strict=True):
        sums[k] += reward
    result.reward_sums[row] = sums
