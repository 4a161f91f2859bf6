"""Readings flipped one at a time: what each touches, what is simulated, how verdicts compare."""

import json
import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from penalized_bandits.claims.measured import to_json
from penalized_bandits.claims.shifts import Shifted, Way, same

from config_helpers import CONFIG
from penalized_bandits.claims import CLAIMS, TOPICS, experiments_of, switches
from penalized_bandits.claims.base import Part, Status
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check
from penalized_bandits.claims.sensitivity import (
    COLUMNS,
    _row,
    dependent,
    in_order,
    sensitivity_table,
)
from penalized_bandits.datasets.counts_csv import BUNDLED_COUNTS
from penalized_bandits.experiments import simulate as module
from penalized_bandits.experiments.base import Context, Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.simulate import pulls_of, simulate_experiment
from penalized_bandits.storage.replicates import Outcome, write_replicates
from workflow_helpers import TINY

IN_FORCE = Readings().model_dump()
NAMES = list(Readings.model_fields)
VALUES = {name: get_args(field.annotation) for name, field in Readings.model_fields.items()}
ANY_READINGS = st.fixed_dictionaries({n: st.sampled_from(values) for n, values in VALUES.items()})

# --- What a reading touches ------------------------------------------------------


@given(in_force=ANY_READINGS, name=st.sampled_from(NAMES))
def test_flipping_changes_one_reading_and_twice_none(in_force: dict[str, str], name: str) -> None:
    once = switches.flipped(name, in_force)
    assert {key for key in NAMES if once[key] != in_force[key]} == {name}
    assert Readings.model_validate(once).model_dump() == once
    assert switches.flipped(name, once) == in_force


def test_what_each_reading_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    lfg = ["setting_1", "setting_2", "setting_3", "setting_5", "two_instances", "lfg_fairness"]
    touched = {
        "log_of": list(EXPERIMENTS),
        "means": ["setting_1", "setting_5", "crossover"],
        "movielens_rewards": ["setting_3", "movie_crossover"],
        "setting_4_rewards": ["setting_4"],
        "lfg": lfg,
    }
    assert switches.readings() == NAMES == list(touched)
    # An experiment that no claim stands on is not simulated again.
    study = replace(EXPERIMENTS["setting_1"], id="of_a_reader")
    monkeypatch.setitem(EXPERIMENTS, study.id, study)
    assert {name: switches.touched(name) for name in NAMES} == touched


def test_claims_touched() -> None:
    assert switches.claims_touched("setting_4_rewards") == ["C29", "C30", "C35"]
    assert switches.claims_touched("movielens_rewards") == ["C19", "C28", "C34", "C36", "C51"]
    # Some are about formulas: nothing is simulated for them, and no reading touches them.
    everything = [name for name in CLAIMS if CLAIMS[name].experiments]
    assert set(CLAIMS) - set(everything) == {"C01", "C39", "C40", "C41"}
    assert switches.claims_touched("log_of") == everything


@pytest.mark.parametrize("name", NAMES)
def test_topics_share_what_a_reading_touches(name: str) -> None:
    by_topic = {
        experiment for t in TOPICS for experiment in switches.touched(name, experiments_of(t))
    }
    assert by_topic == set(switches.touched(name))


def test_rows_of_topics_in_order() -> None:
    rows = [
        {"reading": name, "id": i, "estimate": math.inf}
        for name in NAMES
        for i in switches.claims_touched(name)
    ]
    by_topic = sorted(rows, key=lambda row: CLAIMS[row["id"]].topic)
    found = in_order(json.loads(to_json(by_topic)))
    assert [(row["reading"], row["id"]) for row in found] == [(r["reading"], r["id"]) for r in rows]
    assert sensitivity_table(found, IN_FORCE)["estimate"].eq(math.inf).all()


# --- The table -------------------------------------------------------------------


def row(reading: str, identifier: str, verdict: str) -> dict[str, Any]:
    default = "reproduced"
    same = {"id": identifier, "verdict": verdict, "default_verdict": default}
    return {"reading": reading, **same, "full_verdict": default, "changed": verdict != default}


def test_sensitivity_table() -> None:
    rows = [row("lfg", "C24", "partly"), row("means", "C24", "reproduced")]
    rows += [row("log_of", "C24", "undecided"), row("log_of", "C29", "reproduced")]
    # The value is what was flipped to: here LFG as published is in force.
    table = sensitivity_table(rows, {**IN_FORCE, "lfg": "original"})
    assert tuple(table.columns) == COLUMNS
    assert table["reading"].to_list() == ["lfg", "means", "log_of", "log_of"]
    assert table["value"].to_list() == ["paper", "once", "n-1", "n-1"]
    assert dependent(table) == {"C24": ["lfg = paper: partly", "log_of = n-1: undecided"]}
    assert dependent(table[~table["changed"]]) == {}


# --- What a reading leaves as it was is not simulated again -------------------------

FEW = {**TINY, "two_instances": {"replicates": 3, "horizons": [100, 300]}}
REPLICATES = 3
ARRAYS = ("pulls", "max_deficit", "means", "penalties", "fairness")


def smaller(experiment: str, replicates: int = REPLICATES) -> Any:
    """Return an experiment's section of the smoke run."""
    values = CONFIG.section(experiment).model_dump() | FEW[experiment]
    return EXPERIMENTS[experiment].section.model_validate(values | {"replicates": replicates})


def simulated(
    experiment: str, readings: Readings, default: Readings | None = None, n: int = REPLICATES
) -> list[Outcome]:
    wanted, section = EXPERIMENTS[experiment], smaller(experiment, n)
    context = Context(3, readings, 0, n, str(BUNDLED_COUNTS))
    other = None if default is None else replace(context, readings=default)
    return list(simulate_experiment(wanted, section, context, other))


def evidence_of(experiment: str, folder: Path, *outcomes: Outcome, limit: int | None = None) -> Any:
    path = folder / f"{experiment}.{len(outcomes)}.{len(outcomes[0].pulls)}.parquet"
    write_replicates(path, outcomes, {"setting": experiment})
    section = smaller(experiment).model_dump()
    return Evidence({experiment: section}, {experiment: [path]}, limit)


def assert_same(found: list[Outcome], wanted: list[Outcome]) -> None:
    assert [outcome.run for outcome in found] == [outcome.run for outcome in wanted]
    for a, b in zip(found, wanted, strict=True):
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


def test_threads_share_the_runs() -> None:
    # More runs than are under way at a time, two horizons each.
    wanted, section = EXPERIMENTS["two_instances"], smaller("two_instances")
    context = Context(3, Readings(), 0, REPLICATES)
    runs = [wanted, section, context]
    assert_same(list(simulate_experiment(*runs, threads=3)), list(simulate_experiment(*runs)))


@pytest.mark.parametrize("limit", [2, 40])
def test_a_limit_equals_a_smaller_run(tmp_path: Path, limit: int) -> None:
    name = "equal_penalties"
    six, few = (simulated(name, Readings(), n=n) for n in (6, min(limit, 6)))
    limited = evidence_of(name, tmp_path, *six, limit=limit)
    smaller_run = evidence_of(name, tmp_path, *few)
    assert_same(limited.outcomes(name), smaller_run.outcomes(name))
    for claim in ("C10", "C22", "C23"):
        assert check(claim, limited) == check(claim, smaller_run)


ALL_FOUR = {"hard_threshold_ucb", "fair_learn", "lfg", "lfg_original"}


@pytest.mark.parametrize(
    ("reading", "experiment", "touched"),
    [
        ("lfg", "setting_1", {"lfg"}),
        ("lfg", "setting_5", {"lfg"}),
        ("lfg", "two_instances", {"lfg"}),
        # Explore-then-commit looks at no logarithm.
        ("log_of", "worst_case", {"hard_threshold_ucb", "ucb1"}),
        ("means", "setting_5", ALL_FOUR),
        ("movielens_rewards", "setting_3", ALL_FOUR),
        ("setting_4_rewards", "setting_4", {"hard_threshold_ucb"}),
    ],
)
def test_only_what_a_reading_changes_is_simulated(
    tmp_path: Path, reading: str, experiment: str, touched: set[str]
) -> None:
    default = Readings()
    other = Readings.model_validate(switches.flipped(reading, IN_FORCE))
    changed, full = simulated(experiment, other, default), simulated(experiment, other)
    before = simulated(experiment, default)
    assert {outcome.policy for outcome in changed} == touched
    # A verdict that does not change would say nothing if the pulls were the same.
    pairs = [(a, b) for a, b in zip(full, before, strict=True) if a.policy in touched]
    assert any((a.pulls != b.pulls).any() for a, b in pairs)
    # Laid over the default's, it is all that a full simulation would have given.
    evidence = evidence_of(experiment, tmp_path, *before)
    flipped = evidence.with_flipped({experiment: changed})
    assert_same(flipped.outcomes(experiment), full)
    assert_same(evidence.outcomes(experiment), before)


def test_another_seed_leaves_nothing_as_it_was() -> None:
    study, section = EXPERIMENTS["equal_penalties"], smaller("equal_penalties")
    context = Context(3, Readings(), 0, REPLICATES)
    of_all = (study, section, context)
    assert not list(simulate_experiment(*of_all, context))
    for other in (replace(context, seed=4), replace(context, first_replicate=1)):
        assert list(simulate_experiment(*of_all, other))
        assert pulls_of(*of_all, other) == pulls_of(*of_all)


@pytest.mark.parametrize("experiment", ["setting_2", "deterministic"])
def test_kernels_of_small_jobs_pull_the_same(
    monkeypatch: pytest.MonkeyPatch, experiment: str
) -> None:
    small = simulated(experiment, Readings())
    monkeypatch.setattr(module, "SMALL_JOB", 0)
    monkeypatch.setattr(module, "SMALL_RUN", 0)
    assert_same(small, simulated(experiment, Readings()))


# --- What few replicates leave open --------------------------------------------------


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
    def part(name: str, status: Status) -> Part:
        return Part(name, 1.0, 0.0, 2.0, status)

    parts = [part("a", "holds"), part("b", "holds")]
    ledger = {"id": "C31", "verdict": "reproduced", "all_parts": [asdict(one) for one in parts]}
    found = _row(ledger, [same(parts[0]), Shifted(part("b", status), 0.0, 1.0, way)])
    assert (found["verdict"], found["changed"]) == (verdict, verdict == "partly")
    assert found["undecided"] == (status == "undecided")
