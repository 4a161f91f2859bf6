"""Policies that cannot be compiled: played by the oracle, with a warning of what it costs."""

import time
import traceback
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from penalized_bandits.common.errors import BanditError, PlainPythonWarning
from penalized_bandits.engine._formulas import for_plain_python
from penalized_bandits.engine._jobs import Job, StoppedError
from penalized_bandits.engine._lazy_evaluation import WINDOW_LONG
from penalized_bandits.engine.oracle import Trace, trace
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.policies import Policy
from penalized_bandits.policies.fingerprint import functions_of

TRIAL_ROUNDS = 300
"""Rounds that are timed before a long run."""
WORTH_SAYING = 1.0
"""Seconds from which on a run in plain Python is warned of."""


def run_plain(job: Job, reason: str) -> None:
    """Fill a job's result from the oracle's traces; ``reason`` is why it is not compiled.

    What a user's code raises becomes a BanditError that names the policy, its file and line.
    """
    result, policy = job.result, for_plain_python(job.result.policy)
    play = partial(_trace, job, policy)
    n_replicates, horizon = result.n_replicates, int(result.checkpoints[-1])
    _warn(result, play, n_replicates * horizon, reason)
    for row in range(n_replicates):
        _fill(result, row, play(row, horizon))
        if job.progress is not None:
            job.progress(horizon)


def _trace(job: Job, policy: Policy, row: int, rounds: int) -> Trace:
    """Play one replicate."""
    try:
        return trace(
            policy,
            job.result.instance,
            rounds,
            replicate=job.first_replicate + row,
            row=row,
            seed=job.seed,
            stream=job.stream,
            tuning=job.result.tuning,
            log_of=job.log_of,
        )
    except BanditError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise BanditError(f"policy {policy.id} failed: {problem}{_place(policy, error)}") from error


def _place(policy: Policy, error: Exception) -> str:
    """Return the file and line of a policy's functions that raised an error, if they did."""
    formulas = (policy.index, policy.urgency, policy.served, policy.arrival, policy.choose)
    functions = functions_of(formulas, f"policy {policy.id}")
    files = {function.__code__.co_filename for function in functions}
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in files]
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""


def explain(job: Job, stopped: StoppedError) -> BanditError:
    """Return the error that plain Python raises where a compiled loop had to stop."""
    policy = for_plain_python(job.result.policy, interpreted=True)
    for row in stopped.rows:
        try:
            # A loop that skips arms looks at later rounds.
            _trace(job, policy, row, stopped.n + 8 + stopped.n // WINDOW_LONG)
        except BanditError as error:
            return error
    why = stopped.__cause__ or "an index is not a number"
    return BanditError(
        f"policy {policy.id} failed in round {stopped.n}: {why}, but not in plain Python"
    )


def _warn(result: Simulation, play: Callable[[int, int], Trace], pulls: int, reason: str) -> None:
    """Warn of a run that takes long."""
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
    """Record the counts, deficits and rewards of one replicate."""
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
