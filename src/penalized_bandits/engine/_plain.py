"""Policies that cannot be compiled: played by the oracle."""

import traceback
import warnings

from penalized_bandits.common.errors import BanditError, PlainPythonWarning
from penalized_bandits.engine._formulas import for_plain_python
from penalized_bandits.engine._jobs import Job, StoppedError
from penalized_bandits.engine._lazy_evaluation import WINDOW_LONG
from penalized_bandits.engine.oracle import Trace, trace
from penalized_bandits.policies import Policy
from penalized_bandits.policies.fingerprint import functions_of

MANY_PULLS = 100_000
"""Pulls, some seconds in plain Python, from which on a run is warned of."""


def run_plain(job: Job, reason: str) -> None:
    """Fill a job's result from the oracle's traces; ``reason`` is why it is not compiled.

    What a user's code raises becomes a BanditError that names the policy, its file and line.
    """
    result, policy = job.result, for_plain_python(job.result.policy)
    horizon = int(result.checkpoints[-1])
    pulls = result.n_replicates * horizon
    if pulls >= MANY_PULLS:
        warnings.warn(
            f"policy {policy.id} runs in plain Python ({reason}): its {pulls:,} pulls take some "
            "hundred times as long as compiled; check-policy shows the time of a pull",
            PlainPythonWarning,
            stacklevel=2,
        )
    for row in range(result.n_replicates):
        played = _trace(job, policy, row, horizon)
        result.record(row, played.arms, played.rewards, None)
        if job.progress is not None:
            job.progress(horizon)


def _trace(job: Job, policy: Policy, row: int, rounds: int) -> Trace:
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
    files = {function.__code__.co_filename for function in functions_of(policy)}
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
