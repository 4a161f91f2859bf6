"""Simulate the cases of an experiment."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial

import numpy as np

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.engine.simulate import prepare, simulate_part
from penalized_bandits.engine.streams import Stream
from penalized_bandits.engine.threads import Progress, in_threads
from penalized_replication.experiments.base import Case, Context, PolicyRun
from penalized_replication.storage.replicates import Outcome

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
    return Instance(case.means, case.fairness, penalties, case.rewards, **case.ceilings)


def pulls_of(cases: Sequence[Case], context: Context) -> int:
    """Return the number of pulls of all runs of cases, in the replicates of a context."""
    return context.replicates * sum(run.checkpoints[-1] for case in cases for run in case.runs)


def simulate_experiment(
    experiment: str,
    cases: Sequence[Case],
    context: Context,
    *,
    threads: int = 1,
    progress: Progress = None,
) -> Generator[Outcome]:
    """Yield the outcome of every run and horizon of an experiment, by its id, in a fixed order.

    Results do not depend on ``threads``, which share the runs.  ``progress`` is called now and
    then with the number of pulls done since it was last called.
    """
    log, pulls = logging.getLogger(__name__), pulls_of(cases, context)
    log.info("%s: %d cases, %.3g pulls", experiment, len(cases), pulls)
    varying = context.replicates if pulls <= SMALL_JOB else None
    runs = ((case, run) for case in cases for run in case.runs)
    prepare((run.rule, _instance(case, run, varying), context.replicates) for case, run in runs)

    def outcomes(case: Case, run: PolicyRun, progress: Progress) -> list[Outcome]:
        instance, shape = _instance(case, run, varying), (context.replicates, case.fairness.size)
        # The loop that other runs need too, where compiling another would not pay; of policies
        # that choose among all arms there is one loop.
        small = context.replicates * run.checkpoints[-1] * instance.n_arms <= SMALL_RUN
        simulation = simulate_part(
            run.rule,
            case.bandit(instance),
            run.checkpoints[-1],
            replicates=context.replicates,
            stream=Stream(context.seed, (experiment, case.id), context.first_replicate),
            tuning=run.tuning,
            checkpoints=run.checkpoints,
            log_of=context.interpretations.log_of,
            progress=progress,
            engine="lanes" if small and run.rule.choose is None else None,
        )
        rates = None if run.penalties is None else np.broadcast_to(instance.penalties, shape)
        made = [
            Outcome(
                info=case.info,
                policy=run.policy,
                scale=run.scale,
                tuning=run.tuning if run.tuning_shown is None else run.tuning_shown,
                horizon=at,
                first_replicate=context.first_replicate,
                pulls=simulation.pulls[:, c],
                max_deficit=simulation.max_deficits[:, c],
                means=np.broadcast_to(instance.means, shape),
                fairness=instance.fairness,
                penalties=rates,
            )
            for c, at in enumerate(simulation.checkpoints.tolist())
        ]
        return [*case.seen(made)]

    def calls() -> Iterator[Callable[[Progress], list[Outcome]]]:
        for case in cases:
            log.info("%s: %d runs, %d arms", case.id, len(case.runs), len(case.fairness))
            yield from (partial(outcomes, case, run) for run in case.runs)

    for made in in_threads(calls(), threads, progress):
        yield from made
