"""Policies that cannot be compiled: played by the oracle, with a warning of what it costs."""

import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from penalized_bandits.engine.formulas import for_plain_python
from penalized_bandits.engine.oracle import Trace, trace
from penalized_bandits.errors import BanditError, PlainPythonWarning
from penalized_bandits.policies import Policy

if TYPE_CHECKING:
    from penalized_bandits.engine.simulation import Simulation

TRIAL_ROUNDS = 300
"""Rounds that are timed before a long run."""
WORTH_SAYING = 1.0
"""Seconds from which on a run in plain Python is warned of."""


def run_plain(
    result: "Simulation",
    play: Callable[[int, int], Trace],
    progress: Callable[[int], None] | None,
    reason: str,
) -> None:
    """Fill a simulation from the oracle's traces.

    - ``result``: what to fill; its policy, instance and checkpoints are read.
    - ``play``: returns the trace of (replicate of this run, number of rounds).
    - ``progress``: called after each replicate with the pulls done.
    - ``reason``: why the policy is not compiled, for the warning.
    """
    play = partial(_play_or_explain, play, result.policy)
    n_replicates, horizon = result.n_replicates, int(result.checkpoints[-1])
    _warn(result, play, n_replicates * horizon, reason)
    for row in range(n_replicates):
        _fill(result, row, play(row, horizon))
        if progress is not None:
            progress(horizon)


def _play_or_explain(
    play: Callable[[int, int], Trace], policy: Policy, row: int, rounds: int
) -> Trace:
    """Play; what a user's code raises becomes an error that names the policy."""
    try:
        return play(row, rounds)
    except BanditError:
        raise
    except Exception as error:
        kind = type(error).__name__
        raise BanditError(f"policy {policy.id} failed: {kind}: {error}") from error


def oracle_play(
    result: "Simulation", seed: int, stream: tuple[str, ...], first: int, log_of: str
) -> Callable[[int, int], Trace]:
    """Return what plays one replicate of a simulation in plain Python."""
    policy = for_plain_python(result.policy)

    def play(row: int, rounds: int) -> Trace:
        return trace(
            policy,
            result.instance,
            rounds,
            replicate=first + row,
            row=row,
            seed=seed,
            stream=stream,
            tuning=result.tuning,
            log_of="n" if log_of == "n" else "n-1",
        )

    return play


def _warn(result: "Simulation", play: Callable[[int, int], Trace], pulls: int, reason: str) -> None:
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


def _fill(result: "Simulation", row: int, played: Trace) -> None:
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
