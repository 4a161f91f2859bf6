"""Simulate the cases of an experiment: from a section of the config to outcomes."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.engine.schedule import simulate_schedule
from penalized_bandits.engine.simulate import MANY_ARMS, Engine, Simulation, prepare, simulate_part
from penalized_bandits.engine.threads import Progress, in_threads
from penalized_bandits.policies import Policy
from penalized_replication.common.section import Section
from penalized_replication.experiments.base import Case, Context, Experiment, PolicyRun
from penalized_replication.storage.cases import CaseInfo
from penalized_replication.storage.replicates import Outcome


def outcomes_of(
    simulation: Simulation,
    case: CaseInfo,
    policy: str,
    tuning: float | None,
    *,
    scale: float | None = None,
    first_replicate: int = 0,
    penalized: bool = True,
) -> Iterator[Outcome]:
    """Yield the outcome of a simulation at each of its checkpoints.

    Penalty rates are left out where the run is not ``penalized``: none is defined.
    """
    instance = simulation.instance
    shape = (simulation.n_replicates, instance.n_arms)
    for c, horizon in enumerate(simulation.checkpoints.tolist()):
        yield Outcome(
            info=case,
            policy=policy,
            scale=scale,
            tuning=tuning,
            horizon=horizon,
            first_replicate=first_replicate,
            pulls=simulation.pulls[:, c],
            max_deficit=simulation.max_deficits[:, c],
            means=np.broadcast_to(instance.means, shape),
            fairness=instance.fairness,
            penalties=np.broadcast_to(instance.penalties, shape) if penalized else None,
        )


SMALL_JOB = 10_000_000
"""Pulls of a job up to which no kernel is compiled that is only a little faster."""
SMALL_RUN = 30_000_000
"""The same of one run, pulls times arms: the loop for few replicates is far faster."""


def _instance(case: Case, run: PolicyRun, replicates: int | None) -> Instance:
    """Return the bandit of a run; with ``replicates``, its penalties as if they varied by them.

    Jobs that play both kinds need one kernel then, not two; what is pulled is the same.
    """
    penalties = 0.0 if run.penalties is None else run.penalties
    if replicates is not None:
        penalties = np.broadcast_to(penalties, (replicates, case.fairness.size))
    return Instance(case.means, case.fairness, penalties, case.rewards)


def _engine(rule: Policy, instance: Instance, pulls: int) -> Engine | None:
    """Choose the loop that other runs need too, where compiling another would not pay."""
    if rule.choose is not None:
        return None  # there is one loop for these
    small = instance.n_arms < MANY_ARMS and pulls * instance.n_arms <= SMALL_RUN
    return "lanes" if small else None


def _outcomes(
    experiment: str,
    case: Case,
    run: PolicyRun,
    instance: Instance,
    context: Context,
    progress: Progress,
) -> list[Outcome]:
    schedule, horizon = case.schedule, run.checkpoints[-1]
    given: dict[str, Any] = {
        "replicates": context.replicates,
        "first_replicate": context.first_replicate,
        "seed": context.seed,
        "tuning": run.tuning,
        "log_of": context.readings.log_of,
        "progress": progress,
    }
    if schedule is not None:
        stream = (experiment, case.info.instance)
        simulation = simulate_schedule(
            schedule, run.rule, instance, run.checkpoints, stream=stream, **given
        )
    else:
        simulation = simulate_part(
            run.rule,
            instance,
            horizon,
            stream=(experiment, case.id),
            checkpoints=run.checkpoints,
            engine=_engine(run.rule, instance, context.replicates * horizon),
            **given,
        )
    found = outcomes_of(
        simulation,
        case.info,
        run.policy,
        run.tuning_shown,
        scale=run.scale,
        first_replicate=context.first_replicate,
        penalized=run.penalties is not None,
    )
    if schedule is None:
        return list(found)
    owed = schedule.owed(case.fairness, horizon)
    return [replace(o, fairness=owed[o.horizon - 1] / o.horizon) for o in found]


def _pulls(cases: Sequence[Case], context: Context) -> int:
    return context.replicates * sum(run.checkpoints[-1] for case in cases for run in case.runs)


def pulls_of(experiment: Experiment, section: Section, context: Context) -> int:
    """Return the number of pulls that `simulate_experiment` will make, for its progress."""
    return _pulls(experiment.all_cases(section, context), context)


def simulate_experiment(
    experiment: Experiment,
    section: Section,
    context: Context,
    *,
    threads: int = 1,
    log: logging.Logger | None = None,
    progress: Progress = None,
) -> Generator[Outcome]:
    """Yield the outcome of every run and horizon of an experiment, in a fixed order.

    - ``section``: its part of the config.
    - ``context``: seed, readings and the replicates to simulate.
    - ``threads``: threads that share the runs; results do not depend on it.
    - ``log``: gets a line for each case.
    - ``progress``: called now and then with the number of pulls done since it was last called.
    """
    log = log or logging.getLogger(__name__)
    cases = experiment.all_cases(section, context)
    pulls = _pulls(cases, context)
    log.info("%s: %d cases, %.3g pulls", experiment.id, len(cases), pulls)
    varying = context.replicates if pulls <= SMALL_JOB else None
    prepare(
        (run.rule, _instance(case, run, varying), context.replicates)
        for case in cases
        if case.schedule is None
        for run in case.runs
    )

    def calls() -> Iterator[Callable[[Progress], list[Outcome]]]:
        for case in cases:
            log.info("%s: %d runs, %d arms", case.id, len(case.runs), len(case.fairness))
            for run in case.runs:
                instance = _instance(case, run, varying)
                yield partial(_outcomes, experiment.id, case, run, instance, context)

    for outcomes in in_threads(calls(), threads, progress):
        yield from outcomes
