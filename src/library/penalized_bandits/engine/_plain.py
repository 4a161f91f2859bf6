"""Policies that cannot be compiled: played by the oracle."""

import traceback
import warnings
from dataclasses import replace

import numpy as np

from penalized_bandits.common.errors import BanditError, PlainPythonWarning, short_of_memory
from penalized_bandits.engine._formulas import for_plain_python
from penalized_bandits.engine._jobs import Counts, Job, StoppedError
from penalized_bandits.engine._lazy_evaluation import WINDOW_LONG
from penalized_bandits.engine.oracle import Trace, trace
from penalized_bandits.policies.fingerprint import functions_of

MANY_PULLS = 100_000  # pulls, some seconds in plain Python, from which on a run is warned of
PLAIN_LOOKS = 1_000_000
"""Looks at an arm, some seconds in plain Python, for which a run that failed is played again."""


def run_plain(job: Job, reason: str) -> Counts:
    """Play a job in plain Python; a policy's error becomes a BanditError with file and line."""
    horizon = int(job.checkpoints[-1])
    if (total := job.replicates * horizon) >= MANY_PULLS:
        warnings.warn(
            f"policy {job.policy.id} runs in plain Python ({reason}): its {total:,} pulls take "
            "some hundred times as long as compiled; check-policy shows the time of a pull",
            PlainPythonWarning,
            stacklevel=2,
        )
    job, counts = replace(job, policy=for_plain_python(job.policy)), job.no_counts()
    owed = np.arange(1, horizon + 1)[:, None] * job.instance.fairness
    for row in range(job.replicates):
        played = _trace(job, row, horizon)
        pulled, at = np.array(played.arms), job.checkpoints - 1
        for k in range(job.instance.n_arms):
            pulls = np.cumsum(pulled == k)
            short = np.maximum(owed[:, k] - pulls, 0.0)
            counts.pulls[row, :, k] = pulls[at]
            counts.max_deficits[row, :, k] = np.maximum.accumulate(short)[at]
        counts.reward_sums[row] = np.bincount(pulled, played.rewards, job.instance.n_arms)
        if job.progress is not None:
            job.progress(horizon)
    return counts


def _trace(job: Job, row: int, rounds: int) -> Trace:
    try:
        return trace(
            job.policy,
            job.bandit,
            rounds,
            replicate=row,
            stream=job.stream,
            tuning=job.tuning,
            log_of=job.log_of,
            batch=job.batch,
            delays=job.delays.tolist(),
        )
    except Exception as error:
        if isinstance(error, BanditError) or short_of_memory(error):
            raise
        problem = f"{type(error).__name__}: {error}"
        files = {function.__code__.co_filename for function in functions_of(job.policy)}
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in files]
        place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
        raise BanditError(f"policy {job.policy.id} failed: {problem}{place}") from error


def explain(job: Job, stopped: StoppedError) -> BanditError:
    """Return the error that plain Python raises where a compiled loop had to stop.

    Loops that skip arms look ahead; if it is far there, the error has the loop's reason alone.
    """
    job = replace(job, policy=for_plain_python(job.policy, interpreted=True))
    last = stopped.n + 8 + stopped.n // WINDOW_LONG
    for row in stopped.rows[: PLAIN_LOOKS // (last * job.instance.n_arms)]:
        try:
            _trace(job, row, last)
        except BanditError as error:
            return error
    why = stopped.__cause__ or "an index is not a number, or the choice is no arm"
    return BanditError(f"policy {job.policy.id} failed in round {stopped.n} or soon after: {why}")
