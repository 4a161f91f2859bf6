"""Runs of the studies of laws, as simulated or as a test wants them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from config_helpers import PAPER
from outcome_factories import Runs, outcome
from penalized_bandits.common.typing import FloatArray
from penalized_replication.experiments.base import Context, Readings, case_of
from penalized_replication.experiments.catalogue import STUDIES
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.experiments.theory.log_laws import LawInstance
from penalized_replication.storage.replicates import Outcome
from rule_helpers import first

N = 40
LATE = (10_000, 31_623, 100_000, 316_228, 1_000_000)
LAST = LATE[-1:]
Values = Callable[[int], Sequence[FloatArray | float]]
"""Values of arms by horizon: one for each replicate, or one number."""
CONSTRUCTED = {**PAPER["deterministic"], "horizons": [10_000, 31_600, 200_000]}


def whole(mean: float, n: int = N) -> FloatArray:
    """Return n whole numbers, next to each other, of a given mean."""
    return np.floor(mean) + first(round((mean - np.floor(mean)) * n), n)


def instance_model(instance: str) -> LawInstance:
    return LawInstance.model_validate(PAPER["log_laws"]["instances"][instance])


def log_laws(
    instance: str,
    pulls: Values,
    *,
    deficits: Values | None = None,
    horizons: Sequence[int] = LAST,
    n: int = N,
) -> Runs:
    """Return n replicates of an instance: pulls of arms 2 to K, and largest deficits of all."""
    given = PAPER["log_laws"]["instances"][instance]
    section = {**PAPER["log_laws"], "horizons": list(horizons), "instances": {instance: given}}
    model, runs = instance_model(instance), []

    def columns(values: Sequence[FloatArray | float]) -> FloatArray:
        return np.column_stack([np.broadcast_to(value, n) for value in values])

    for horizon in horizons:
        bandit = (model.means, model.fairness_at(horizon), model.penalties_at(horizon))
        largest = None if deficits is None else columns(deficits(horizon))
        more = {"case": case_of(instance, horizon), "max_deficit": largest}
        runs.append(outcome(columns(pulls(horizon)), horizon, *bandit, **more))
    return Runs({"log_laws": runs}, {"log_laws": section})


def lacking(
    deficit: Callable[[int], FloatArray | float],
    *,
    n: int = N,
    horizons: Sequence[int] = (10_000, 1_000_000),
) -> Runs:
    """Return ``all_critical`` at its levels of T / 10, but for what arm 2 lacks."""
    return log_laws(
        "all_critical", lambda t: [t / 10 - deficit(t), *[t / 10] * 3], n=n, horizons=horizons
    )


@cache
def _simulated() -> tuple[Outcome, ...]:
    study = STUDIES["deterministic"]
    model = study.section.model_validate(CONSTRUCTED)
    return tuple(simulate_experiment(study, model, Context(1, Readings(), 0, 1)))


def levels_reached(run: Outcome) -> Outcome:
    """Every arm has its level, rounded up, and an arm with the largest mean has the rest."""
    pulls = np.ceil(run.fairness * run.horizon - 1e-6).astype(np.int32)
    pulls[int(np.argmax(run.means[0]))] += run.horizon - pulls.sum()
    return replace(run, pulls=pulls[None])


def with_constructions(laws: Runs, change: Callable[[Outcome], Outcome] = levels_reached) -> Runs:
    """Return outcomes of ``log_laws`` with those of the constructions, which are changed."""
    sections = {"log_laws": laws.section("log_laws").model_dump(), "deterministic": CONSTRUCTED}
    runs = [change(run) for run in _simulated()]
    return Runs({"log_laws": laws.made["log_laws"], "deterministic": runs}, sections)
