"""Alternative readings, one at a time: what each affects, its simulation, the verdicts."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config_helpers import CONFIG
from penalized_bandits.claims import CLAIMS, TOPICS, alternatives, experiments_of, sensitivity
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.paired_sensitivity import Shifted, Way, same
from penalized_bandits.claims.parts import Part, Status
from penalized_bandits.claims.results import ClaimResult
from penalized_bandits.claims.sensitivity import (
    ReadingResult,
    decide_reading,
    dependent,
    sensitivity_table,
    undecided_on_few,
)
from penalized_bandits.datasets.counts_csv import BUNDLED_COUNTS
from penalized_bandits.experiments import simulate as module
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import simulate_experiment
from penalized_bandits.storage.replicates import Outcome, write_replicates
from workflow_helpers import TINY

IN_FORCE = Readings().model_dump()
NAMES = list(Readings.model_fields)
VALUES = {name: get_args(field.annotation) for name, field in Readings.model_fields.items()}
ANY_READINGS = st.fixed_dictionaries({n: st.sampled_from(values) for n, values in VALUES.items()})
REPLICATES = 3

# --- What a reading affects ------------------------------------------------------


@given(in_force=ANY_READINGS, name=st.sampled_from(NAMES))
def test_flipping_changes_one_reading_and_twice_none(in_force: dict[str, str], name: str) -> None:
    once = alternatives.alternative(name, in_force)
    assert {key for key in NAMES if once[key] != in_force[key]} == {name}
    assert Readings.model_validate(once).model_dump() == once
    assert alternatives.alternative(name, once) == in_force


@pytest.mark.parametrize("name", NAMES)
def test_claims_and_experiments_of_a_reading(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    experiments, claims = set(alternatives.affected(name)), set(alternatives.claims_affected(name))
    assert {i for i, c in CLAIMS.items() if experiments & set(c.experiments)} == claims
    assert experiments == {
        e for t in TOPICS for e in alternatives.affected(name, experiments_of(t))
    }
    # An experiment that no claim stands on is not simulated again.
    study = replace(EXPERIMENTS["setting_1"], id="of_a_reader")
    monkeypatch.setitem(EXPERIMENTS, study.id, study)
    assert set(alternatives.affected(name)) == experiments


# --- What a reading leaves as it was is not simulated again -------------------------


def smaller(experiment: str, replicates: int = REPLICATES) -> Any:
    """Return an experiment's section on few replicates."""
    values = CONFIG.section(experiment).model_dump() | TINY.get(experiment, {})
    return EXPERIMENTS[experiment].section.model_validate(values | {"replicates": replicates})


def simulated(
    experiment: str, readings: Readings, default: Readings | None = None, n: int = REPLICATES
) -> list[Outcome]:
    """Return outcomes; with ``default`` those that differ from it."""
    context = Context(3, readings, 0, n, str(BUNDLED_COUNTS))
    other = None if default is None else replace(context, readings=default)
    section = smaller(experiment, n)
    return list(simulate_experiment(EXPERIMENTS[experiment], section, context, other))


def assert_same(outcomes: list[Outcome], expected: list[Outcome]) -> None:
    assert [outcome.run for outcome in outcomes] == [outcome.run for outcome in expected]
    for a, b in zip(outcomes, expected, strict=True):
        for name in ("pulls", "max_deficit", "means", "penalties", "fairness"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@pytest.mark.parametrize("experiment", alternatives.affected("log_of"))
def test_an_experiment_declares_the_readings_that_change_it(experiment: str) -> None:
    declared = {name for name in NAMES if name in EXPERIMENTS[experiment].readings}
    changed = set()
    for name in NAMES:
        other = Readings.model_validate(alternatives.alternative(name, IN_FORCE))
        context = Context(3, other, 0, 1, str(BUNDLED_COUNTS))
        default = replace(context, readings=Readings())
        section = smaller(experiment, 1)
        runs = simulate_experiment(EXPERIMENTS[experiment], section, context, default)
        changed |= {name} if next(iter(runs), None) else set()
    assert changed == declared


def test_threads_share_the_runs() -> None:
    # More runs than are under way at a time, two horizons each.
    runs = EXPERIMENTS["two_instances"], smaller("two_instances"), Context(3, Readings(), 0, 3)
    assert_same(list(simulate_experiment(*runs, threads=3)), list(simulate_experiment(*runs)))


ALL_FOUR = {"hard_threshold_ucb", "fair_learn", "lfg", "lfg_original"}


@pytest.mark.parametrize(
    ("reading", "experiment", "policies"),
    [
        ("lfg", "setting_1", {"lfg"}),
        ("lfg", "setting_5", {"lfg"}),
        # Explore-then-commit looks at no logarithm.
        ("log_of", "worst_case", {"hard_threshold_ucb", "ucb1"}),
        ("means", "setting_5", ALL_FOUR),
        ("movielens_rewards", "setting_3", ALL_FOUR),
        ("setting_4_rewards", "setting_4", {"hard_threshold_ucb"}),
    ],
)
def test_only_what_a_reading_changes_is_simulated(
    tmp_path: Path, reading: str, experiment: str, policies: set[str]
) -> None:
    default = Readings()
    other = Readings.model_validate(alternatives.alternative(reading, IN_FORCE))
    changed, full = simulated(experiment, other, default), simulated(experiment, other)
    before = simulated(experiment, default)
    assert {outcome.policy for outcome in changed} == policies
    # A verdict that does not change would mean nothing if the pulls were the same.
    pairs = [(a, b) for a, b in zip(full, before, strict=True) if a.policy in policies]
    assert any((a.pulls != b.pulls).any() for a, b in pairs)
    # Laid over the default's, it is all that a full simulation would have given.
    path = tmp_path / "before.parquet"
    write_replicates(path, before, {"setting": experiment})
    evidence = Evidence({experiment: smaller(experiment).model_dump()}, {experiment: [path]})
    alternative = evidence.with_alternative({experiment: changed})
    assert_same(alternative.outcomes(experiment), full)
    assert_same(evidence.outcomes(experiment), before)


@pytest.mark.parametrize("experiment", ["setting_2", "deterministic"])
def test_kernels_of_small_jobs_pull_the_same(
    monkeypatch: pytest.MonkeyPatch, experiment: str
) -> None:
    small = simulated(experiment, Readings())
    monkeypatch.setattr(module, "SMALL_JOB", 0)
    monkeypatch.setattr(module, "SMALL_RUN", 0)
    assert_same(small, simulated(experiment, Readings()))


# --- The table -------------------------------------------------------------------


def part(status: Status, case: str = "a") -> Part:
    return Part(estimate=1.0, low=0.0, high=2.0, status=status, case=case)


@pytest.mark.parametrize(
    ("status", "way", "verdict"),
    [
        ("undecided", "paired", "reproduced"),
        ("undecided", "alone", "reproduced"),
        # All replicates are there, and leave it open.
        ("undecided", "all", "partly"),
        ("fails", "paired", "partly"),
    ],
)
def test_undecided_on_few_replicates_is_no_change(status: Status, way: Way, verdict: str) -> None:
    before = ClaimResult("C31", (part("holds"), part("holds", "b")), verdict="reproduced")
    parts = same(before.parts[0]), Shifted(part(status, "b"), 0.0, 1.0, way)
    row = decide_reading(ReadingResult("lfg", "C31", parts), before)
    assert (row["verdict"], row["changed"]) == (verdict, verdict == "partly")
    assert row["undecided"] == (status == "undecided")
    # Named where the verdict stays for want of replicates alone.
    few = status == "undecided" and way != "all"
    named = undecided_on_few(pd.DataFrame([row | {"value": "original"}]))
    assert named == ["C31 (lfg = original): 1 of 2"] * few


def test_sensitivity_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, before = ["C24", "C25"], part("holds")
    monkeypatch.setattr(sensitivity, "claims_affected", lambda _: ids)
    ledger = {i: ClaimResult(i, (before,), verdict="reproduced") for i in ids}
    pairs = [(name, i) for name in NAMES for i in ids]
    failing = Shifted(part("fails"), 0.0, 1.0, "all")

    def of(name: str, claim: str) -> Shifted:
        return failing if claim == "C24" and name in ("lfg", "log_of") else same(before)

    results = [ReadingResult(name, i, (of(name, i),)) for name, i in reversed(pairs)]
    # The value is that of the alternative: here LFG as published is in force.
    table = sensitivity_table(results, ledger, {**IN_FORCE, "lfg": "original"})
    assert list(table.columns)[:4] == ["reading", "value", "id", "verdict"]
    assert list(zip(table["reading"], table["id"], strict=True)) == pairs
    changes = {"C24": {"log_of = n-1: not reproduced", "lfg = paper: not reproduced"}}
    assert {i: set(texts) for i, texts in dependent(table).items()} == changes
    assert dependent(table[~table["changed"]]) == {}
