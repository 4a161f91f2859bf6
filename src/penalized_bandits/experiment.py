"""Simulate the cases of a setting: from a section of the config to outcomes."""

import logging
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from penalized_bandits.engine.simulate import prepare, simulate
from penalized_bandits.instances import Instance
from penalized_bandits.replicates import Outcome
from penalized_bandits.settings import Case, Context, Run, Section, Setting
from penalized_bandits.typing import FloatArray


def part_of(replicates: int, part: int, parts: int) -> tuple[int, int]:
    """Return (first replicate, number of replicates) of a part, parts numbered from 1."""
    first = replicates * (part - 1) // parts
    return first, replicates * part // parts - first


def _rows(values: FloatArray, replicates: int) -> FloatArray:
    """Repeat (K,) values for each replicate; leave (R, K) values as they are."""
    return np.broadcast_to(values, (replicates, values.shape[-1]))


def _instance(case: Case, run: Run) -> Instance:
    penalties = 0.0 if run.penalties is None else run.penalties
    return Instance(case.means, case.fairness, penalties, case.rewards)


def _outcomes(
    setting: str,
    case: Case,
    run: Run,
    context: Context,
    threads: int,
    progress: Callable[[int], None] | None,
) -> Iterator[Outcome]:
    instance = _instance(case, run)
    simulation = simulate(
        run.rule,
        instance,
        run.checkpoints[-1],
        replicates=context.replicates,
        seed=context.seed,
        stream=(setting, case.id),
        tuning=run.tuning,
        checkpoints=run.checkpoints,
        first_replicate=context.first_replicate,
        log_of=context.readings.log_of,
        threads=threads,
        progress=progress,
    )
    for c, horizon in enumerate(run.checkpoints):
        yield Outcome(
            case=case.id,
            policy=run.policy,
            scale=run.scale,
            tuning=run.tuning_shown,
            horizon=horizon,
            first_replicate=context.first_replicate,
            pulls=simulation.pulls[:, c],
            max_deficit=simulation.max_deficits[:, c],
            means=_rows(instance.means, context.replicates),
            fairness=instance.fairness,
            penalties=None
            if run.penalties is None
            else _rows(instance.penalties, context.replicates),
        )


def _pulls(cases: Sequence[Case], context: Context) -> int:
    return context.replicates * sum(run.checkpoints[-1] for case in cases for run in case.runs)


def _cases(
    setting: Setting, section: Section, groups: Sequence[str], context: Context
) -> list[Case]:
    return [case for group in groups for case in setting.cases(section, group, context)]


def pulls_of(setting: Setting, section: Section, groups: Sequence[str], context: Context) -> int:
    """Return the number of pulls that `simulate_group` will make, for its progress."""
    return _pulls(_cases(setting, section, groups, context), context)


def simulate_group(
    setting: Setting,
    section: Section,
    groups: Sequence[str],
    context: Context,
    *,
    threads: int = 1,
    log: logging.Logger | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Outcome]:
    """Yield the outcome of every run and horizon of some groups, in a fixed order.

    Parameters
    ----------
    setting, section, groups
        Which of the paper's experiments, its part of the config, which of its groups.
    context
        Seed, readings and the replicates to simulate.
    threads
        Threads that share the replicates; results do not depend on it.
    log
        Where it says which case it is at.
    progress
        Called now and then with the number of pulls done since it was last called.
    """
    log = log or logging.getLogger(__name__)
    cases = _cases(setting, section, groups, context)
    pulls = _pulls(cases, context)
    log.info("%s %s: %d cases, %.3g pulls", setting.id, ", ".join(groups), len(cases), pulls)
    prepare(
        (run.rule, _instance(case, run), context.replicates) for case in cases for run in case.runs
    )
    for case in cases:
        log.info("%s: %d runs, %d arms", case.id, len(case.runs), len(case.fairness))
        for run in case.runs:
            yield from _outcomes(setting.id, case, run, context, threads, progress)
