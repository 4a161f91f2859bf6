"""Readings: those that change an experiment are declared, else the default's would be taken."""

from typing import get_args

import numpy as np
import pytest

from penalized_replication.experiments import simulate as module
from penalized_replication.experiments.base import Context, Readings
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.simulate import simulate_experiment
from penalized_replication.storage.replicates import Outcome
from smoke_run import config_with
from tiny_tables import RATINGS

CONFIG = config_with({})
OTHERS = {
    name: Readings.model_validate({name: value})
    for name, field in Readings.model_fields.items()
    for value in get_args(field.annotation)
    if value != field.default
}


def simulated(name: str, readings: Readings = CONFIG.readings, threads: int = 1) -> list[Outcome]:
    context = Context(3, readings, 0, 3, RATINGS)
    section = CONFIG.section(name)
    return list(simulate_experiment(EXPERIMENTS[name], section, context, threads=threads))


def differ(outcomes: list[Outcome], others: list[Outcome]) -> bool:
    """Whether the replicates of some run differ."""
    columns = ("pulls", "max_deficit", "means", "penalties", "fairness")
    pairs = zip(outcomes, others, strict=True)
    return any(not np.array_equal(vars(a)[c], vars(b)[c]) for a, b in pairs for c in columns)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_declares_the_readings_that_change_it(name: str) -> None:
    before = simulated(name)
    changed = {r for r, other in OTHERS.items() if differ(simulated(name, other), before)}
    # In short runs another reading may lead to the same pulls.
    assert changed <= set(EXPERIMENTS[name].readings)


def test_threads_share_the_runs() -> None:
    # More runs than are under way at a time, two horizons each.
    assert not differ(simulated("two_instances", threads=3), simulated("two_instances"))


@pytest.mark.parametrize("name", ["setting_2", "deterministic"])
def test_kernels_of_small_jobs_pull_the_same(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    small = simulated(name)
    monkeypatch.setattr(module, "SMALL_JOB", 0)
    monkeypatch.setattr(module, "SMALL_RUN", 0)
    assert not differ(small, simulated(name))
