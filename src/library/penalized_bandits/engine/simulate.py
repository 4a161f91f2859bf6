"""Simulation of a policy on an instance."""

import math
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numba.core.dispatcher import Dispatcher

from penalized_bandits.bandit.changing import Bandit, ends_of, stretches_of
from penalized_bandits.bandit.instances import Instance
from penalized_bandits.common.errors import MOST_ROUNDS, BanditError, number_in, one_of, whole
from penalized_bandits.common.progress import Progress, Reported, reported
from penalized_bandits.common.typing import IntArray
from penalized_bandits.engine import _specialise as specialise
from penalized_bandits.engine._jobs import Counts, Job, LogOf, StoppedError, run
from penalized_bandits.engine._plain import explain, run_plain
from penalized_bandits.engine._specialise import CannotCompileError
from penalized_bandits.engine.simulation import Simulation
from penalized_bandits.engine.streams import NO_NAMES, Stream
from penalized_bandits.engine.unit_rewards import check_rewards, warn_of_unbounded
from penalized_bandits.policies import Policy, get_policy
from penalized_bandits.policies.base import no_queue, no_urgency
from penalized_bandits.policies.reads import check_ceilings

NOT_COMPILED = "its choose is not compiled"

Engine = Literal["lanes", "late", "leader", "lazy", "rounds", "plain"]

PROMPT = np.zeros(1, np.int64)  # delays of rewards that are known at once

Delay: TypeAlias = float | Callable[[float], float]
"""Rounds by which rewards come late, or a law: these as a function of a number in [0, 1)."""


def delays_of(delay: Delay, horizon: int) -> IntArray:
    """Return equally likely delays in rounds, those longer than the horizon as the horizon."""
    law = {"delay": delay}
    if callable(delay):
        law = {f"delay({u})": delay(u) for u in (np.arange(0.5, 1e4) / 1e4).tolist()}
    right = "a number of rounds, 0 or more, or a function that returns one"
    rounds = [number_in(name, value, 0, math.inf, right) for name, value in law.items()]
    return np.ceil(np.minimum(rounds, horizon)).astype(np.int64)


def _check_checkpoints(horizon: int, checkpoints: Sequence[float] | None) -> IntArray:
    """Return the checkpoints, of which the horizon is the last."""
    given = [horizon] if checkpoints is None else checkpoints
    try:
        rounds = [whole(f"checkpoints[{i}]", n, 1, horizon) for i, n in enumerate(given)]
    except TypeError:  # no list
        rounds = []
    if not rounds or any(later <= one for one, later in pairwise(rounds)):
        raise BanditError(f"checkpoints is {given!r:.80}: it must be a list of increasing rounds")
    return np.array(rounds if rounds[-1] == horizon else [*rounds, horizon], np.int64)


def checked_sizes(horizon: float, replicates: float) -> tuple[int, int]:
    """Return the horizon and the number of replicates; raise BanditError if one is out of range."""
    rounds = whole("horizon", horizon, 1, MOST_ROUNDS, ", as pulls are counted in 32 bits")
    return rounds, whole("replicates", replicates, 1, MOST_ROUNDS)


def simulate(
    policy: str | Policy,
    instance: Bandit,
    horizon: float,
    *,
    replicates: float = 100,
    seed: int = 0,
    tuning: float | None = None,
    checkpoints: Sequence[float] | None = None,
    threads: int = 1,
    progress: Progress = None,
    delay: Delay = 0,
    batch: float = 1,
) -> Simulation:
    """Simulate a policy on an instance in many independent replicates.

    The reward of arm k's n-th pull in replicate r depends on ``seed``, r, k and n only: policies
    simulated with one seed meet the same rewards, and a longer run begins with the shorter one.
    Results do not depend on ``threads``.

    Parameters
    ----------
    policy
        A policy, its id, e.g. ``"hard_threshold_ucb"``, or ``"my_module:policy"``.
    instance
        The bandit with K arms, an Instance or one whose means change (Changing).  Where means or
        penalties vary by replicate, they have shape (R, K).
    horizon
        Number of rounds T, below 2^31.
    replicates
        Number of replicates R.
    seed
        Master seed.
    tuning
        The policy's own parameter (alpha, eta_0, m), for policies that have one.
    checkpoints
        Rounds after which counts are taken, increasing; the horizon is always the last.  Where
        means change, the ends of stretches and periods are among them.
    threads
        Threads that share the replicates.
    progress
        Whether a bar shows progress (``True`` needs the extra ``progress``, tqdm); by default after
        two seconds, on a terminal or in a notebook.  Or a function: it is called now and then with
        the number of pulls done since its last call.
    delay
        Number of rounds d by which rewards come late: that of round t is known from round t + d + 1
        on; infinity for never.  Or a law, a function of u in [0, 1) that returns d, such as ``ppf``
        of scipy's: each pull draws one of 10,000 values of u, the same for all policies.  A choice
        counts at once, a reward when it comes, as in the UCB for delays of Joulani, György and
        Szepesvári (ICML 2013).
    batch
        Number of rounds b: rewards are known after rounds b, 2b, ... only.

    Raises
    ------
    BanditError
        If the policy is unknown, the tuning does not fit it, a number is out of range, the
        policy needs rewards in [0, 1] and means or values leave it, the instance has ceilings
        and the policy knows floors alone, or the policy fails, returns an index that is not a
        number or names no arm.

    Warns
    -----
    PlainPythonWarning
        If a run of 100,000 pulls or more is not compiled: the policy cannot be, or chooses by
        itself and rewards are late.
    UnitRewardsWarning
        If the policy is made for rewards in [0, 1], and theirs can leave it though the means do
        not.

    Examples
    --------
    >>> from penalized_bandits import Bernoulli, Instance
    >>> bandit = Instance([0.9, 0.5], fairness=0.2, penalties=0.3, rewards=Bernoulli())
    >>> run = simulate("hard_threshold_ucb", bandit, 1000, replicates=10, seed=1)
    >>> run.pulls.shape, int(run.pulls[0, 0].sum())
    ((10, 1, 2), 1000)
    >>> [float(simulate("ucb1", bandit, 1000, delay=d).regret().mean().round(1)) for d in (0, 200)]
    [5.0, 10.3]
    """
    rounds, runs = checked_sizes(horizon, replicates)
    with reported(rounds * runs, progress) as done:
        return simulate_part(
            policy,
            instance,
            rounds,
            replicates=runs,
            stream=Stream(seed),
            tuning=tuning,
            checkpoints=checkpoints,
            threads=threads,
            progress=done,
            delays=delays_of(delay, rounds),
            batch=batch,
        )


def simulate_part(
    policy: str | Policy,
    instance: Bandit,
    horizon: float,
    *,
    replicates: float = 100,
    stream: Stream = NO_NAMES,
    tuning: float | None = None,
    checkpoints: Sequence[float] | None = None,
    threads: int = 1,
    log_of: LogOf = "n",
    progress: Reported | None = None,
    engine: Engine | None = None,
    delays: IntArray = PROMPT,
    batch: float = 1,
) -> Simulation:
    """Simulate a part of an experiment; for the workflow and tests.

    It has the parameters of :func:`simulate`, but for the seed, and:

    - ``stream``: random numbers of the replicates; row i of varying means or penalties belongs to
      replicate ``stream.first_replicate + i``;
    - ``log_of``: log n in round n, as eq. (11) has it, or log(n - 1), as Algorithm 1 (R1);
    - ``progress``: called now and then with the number of pulls done since its last call;
    - ``delays``: those of :func:`delays_of`;
    - ``engine``: ``"plain"`` or, unless rewards are late, one of :func:`loops_for` the policy; by
      default the fastest.
    """
    policy, bandit = get_policy(policy), instance
    stretches = stretches_of(bandit)
    instance = stretches[1]
    value = policy.check_tuning(tuning)
    tuning = None if tuning is None else value
    horizon, replicates = checked_sizes(horizon, replicates)
    rounds = _check_checkpoints(horizon, checkpoints)
    threads = whole("threads", threads, 1)
    rounds = np.union1d(rounds, [*ends_of(bandit, horizon)]).astype(np.int64)
    for each in stretches.values():
        check_rewards(policy, each.means, instance.rewards)
    check_ceilings(policy, instance)
    one_of("log_of", log_of, "n", "n-1")
    if (rows := instance.n_replicates) not in (None, replicates):
        raise BanditError(f"the instance has {rows} replicates, but {replicates} were asked")
    if not math.isfinite(policy.exploration_for(instance.rewards.noise)):
        text = f"policy {policy.id} scales its exploration by the noise, but"
        raise BanditError(f"{text} {instance.rewards.id} rewards are not sub-Gaussian")
    warn_of_unbounded(policy, instance.rewards)
    chosen = engine or _engine_for(policy, instance, -(-replicates // threads))
    late = delays, min(whole("batch", batch, 1), horizon)
    job = Job(policy, bandit, tuning, rounds, replicates, stream, log_of, progress, *late)
    if chosen != "plain" and (job.batch > 1 or job.delays.any()):
        hard = np.isinf(instance.excess_penalties).any()  # caps, of which its loop knows nothing
        chosen = "plain" if policy.choose or hard else "late"
    return Simulation(policy, bandit, tuning, rounds, *_play(job, chosen, threads))


def _play(job: Job, loop: Engine, threads: int) -> Counts:
    if loop == "plain":
        return run_plain(job, NOT_COMPILED if job.policy.choose else "as asked, or for hard caps")
    try:
        return run(job, loop, threads)
    except StoppedError as stopped:
        raise explain(job, stopped) from stopped
    except CannotCompileError as error:
        reason = f"numba cannot compile it: {error}"
    # Not above: what a policy raises would be shown with all that numba says.
    return run_plain(job, reason)


def prepare(runs: Iterable[tuple[Policy, Instance, int]]) -> None:
    """Compile the kernels of runs of (policy, instance, replicates), before the first begins.

    Processes that start together have orders of their own: where two meet, one waits.
    """
    kernels = {
        (policy, specialise.lanes_for(policy, instance), instance.charges_excess)
        for policy, instance, replicates in runs
        if _engine_for(policy, instance, replicates) == "lanes"
    }
    # A simulation reports the error.
    with suppress(CannotCompileError):
        for kernel in sorted(kernels, key=lambda k: hash((os.getpid(), k[0].id, *k[1:]))):
            specialise.kernel(*kernel)


def loops_for(policy: Policy) -> tuple[Engine, ...]:
    """Return the loops that can play a policy if it compiles, first one that looks at all arms."""
    hints = policy.hints
    if policy.choose is not None:
        return ("rounds",)
    if hints.index_exceeds is not None:
        return ("lanes", "lazy")
    alone = policy.urgency is no_urgency and policy.served is no_queue and not policy.commits
    return ("lanes", "leader") if hints.index_is_nondecreasing and alone else ("lanes",)


def _engine_for(policy: Policy, instance: Instance, replicates: int) -> Engine:
    """Choose the fastest loop for a thread's replicates (see ``docs/performance.md``)."""
    loops = loops_for(policy)
    if policy.choose is not None:
        return "rounds" if _chooses_compiled(policy) else "plain"
    if "lazy" in loops:
        return "lazy"
    # Lanes come in eights, each of which looks at all arms: few replicates cost less one by one.
    few = replicates <= min(4 + instance.n_arms // 16, 8)
    return "leader" if "leader" in loops and few else "lanes"


def _chooses_compiled(policy: Policy) -> bool:
    return policy.hints.compiles or isinstance(policy.choose, Dispatcher)


def why_plain(policy: Policy) -> str | None:
    """Return the reason why a policy runs in plain Python; None if it is compiled."""
    if policy.choose is not None and not _chooses_compiled(policy):
        return NOT_COMPILED
    try:
        specialise.kernel(policy, "lanes" if policy.choose is None else "rounds")
    except CannotCompileError as error:
        return f"numba cannot compile it: {error}"
    return None
