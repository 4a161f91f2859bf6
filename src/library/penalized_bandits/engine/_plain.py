"""Policies that cannot be compiled: played by the oracle."""

import traceback
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from penalized_bandits.common.errors import BanditError, PlainPythonWarning
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.engine._formulas import for_plain_python
from penalized_bandits.engine._jobs import Counts, Job, StoppedError
from penalized_bandits.engine._lazy_evaluation import WINDOW, WINDOW_AGAIN, WINDOW_LONG
from penalized_bandits.engine.oracle import Trace, trace
from penalized_bandits.engine.play import Play
from penalized_bandits.engine.schedule import NO_SCHEDULE, Schedule
from penalized_bandits.policies import Policy
from penalized_bandits.policies.fingerprint import functions_of

MANY_PULLS = 100_000
"""Pulls, some seconds in plain Python, from which on a run is warned of."""
PLAIN_LOOKS = 20_000
"""Looks at an arm, a second in plain Python, in which an error is met before one looks ahead."""


def run_plain(job: Job, reason: str) -> Counts:
    """Play a job in the plain loop; ``reason`` is why it is not compiled.

    What a user's code raises becomes a BanditError that names the policy, its file and line.
    """
    pulls = job.replicates * int(job.checkpoints[-1])
    if pulls >= MANY_PULLS:
        warnings.warn(
            f"policy {job.policy.id} runs in plain Python ({reason}): its {pulls:,} pulls take "
            "some hundred times as long as compiled; check-policy shows the time of a pull",
            PlainPythonWarning,
            stacklevel=2,
        )
    return run_schedule(replace(job, policy=for_plain_python(job.policy)), NO_SCHEDULE)


def run_schedule(job: Job, schedule: Schedule) -> Counts:
    """Play a job in the plain loop, under a schedule."""
    counts, horizon = job.no_counts(), int(job.checkpoints[-1])
    owed = schedule.owed(job.instance.fairness, horizon)
    for row in range(job.replicates):
        played = _trace(job, row, horizon, schedule)
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


def _trace(
    job: Job,
    row: int,
    rounds: int,
    schedule: Schedule = NO_SCHEDULE,
    begin: Callable[[Play], None] | None = None,
) -> Trace:
    try:
        return trace(
            job.policy,
            job.instance,
            rounds,
            replicate=row,
            stream=job.stream,
            tuning=job.tuning,
            log_of=job.log_of,
            available=schedule.arms,
            accrual=schedule.accrual,
            batch=schedule.batch,
            begin=begin,
        )
    except BanditError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        place = _place(job.policy, error)
        raise BanditError(f"policy {job.policy.id} failed: {problem}{place}") from error


def _place(policy: Policy, error: Exception) -> str:
    """Return the file and line of a policy's functions that raised an error, if they did."""
    files = {function.__code__.co_filename for function in functions_of(policy)}
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in files]
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""


def explain(job: Job, stopped: StoppedError) -> BanditError:
    """Return the error that plain Python raises where a compiled loop had to stop.

    It plays on from the loop's state.  A loop that skips arms looks at later rounds: those that
    plain Python would take long to reach are looked at as if no arm were pulled until then.
    """
    job, n = replace(job, policy=for_plain_python(job.policy, interpreted=True)), stopped.n
    soon = n + min(8 + n // WINDOW_LONG, PLAIN_LOOKS // job.instance.n_arms)
    later = [n + 8 + n // window for window in (WINDOW_AGAIN, WINDOW, WINDOW_LONG)]
    tries = [(row, stopped.played, n) for row in stopped.rows]
    tries += [(tries[0][0], stopped.played, soon)]
    tries += [(tries[0][0], last - 1, last) for last in later if last > soon]
    for row, played, last in tries:
        try:
            _trace(job, row, last, begin=partial(_continue, stopped.rows[row], played))
        except BanditError as error:
            ahead = f"; looked ahead from round {n}, as if no arm were pulled until then"
            return BanditError(f"{error}{ahead}") if played > n else error
    why = stopped.__cause__ or "an index is not a number"
    return BanditError(
        f"policy {job.policy.id} failed in round {n}: {why}, but not in plain Python"
    )


def _continue(statistics: dict[str, FloatArray], rounds: int, play: Play) -> None:
    """Give a play the statistics of a compiled loop after some rounds."""
    pulls, sums = statistics["pulls"], statistics["total"]
    if play.policy.commits:  # after it sums go on, and means do not
        seen = np.minimum(pulls, play.tuning)
        sums = np.where(pulls > seen, statistics["mean"] * seen, sums)
    play.rounds, play.sums, play.levels = rounds, sums.tolist(), statistics["level"].tolist()
    play.variances = statistics["variance"].tolist()
    play.pulls, play.observed = (pulls.astype(int).tolist() for _ in range(2))
    play.since = statistics["since"].astype(int).tolist()
    play.memory = statistics.get("memory", play.memory).copy()
