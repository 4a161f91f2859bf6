"""Readings flipped one at a time: what each touches, and how verdicts are compared."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits import experiment as module
from penalized_bandits.claims import CLAIMS, switches
from penalized_bandits.claims.evidence import Evidence, exchanged
from penalized_bandits.claims.ledger import check
from penalized_bandits.claims.sensitivity import (
    COLUMNS,
    check_reading,
    dependent,
    sensitivity_table,
)
from penalized_bandits.config import load_config
from penalized_bandits.errors import ClaimError
from penalized_bandits.experiment import pulls_of, simulate_group
from penalized_bandits.plan import BUNDLED_COUNTS
from penalized_bandits.replicates import Outcome, write_replicates
from penalized_bandits.settings import Context, Readings
from penalized_bandits.studies import EXPERIMENTS
from workflow_helpers import ROOT, TINY

IN_FORCE = Readings().model_dump()
NAMES = list(Readings.model_fields)
ANY_READINGS = st.fixed_dictionaries(
    {
        name: st.sampled_from(list(get_args(field.annotation)))
        for name, field in Readings.model_fields.items()
    }
)


def test_every_reading_of_the_config_can_be_flipped() -> None:
    assert switches.readings() == NAMES
    assert switches.DEFAULT not in NAMES


@given(in_force=ANY_READINGS, name=st.sampled_from(NAMES))
def test_flipping_changes_one_reading_and_twice_none(in_force: dict[str, str], name: str) -> None:
    once = switches.flipped(name, in_force)
    assert {key for key in NAMES if once[key] != in_force[key]} == {name}
    assert Readings(**once).model_dump() == once  # type: ignore[arg-type]
    assert switches.flipped(name, once) == in_force


def test_a_reading_given_as_non_default_flips_back() -> None:
    for name in NAMES:
        away = switches.flipped(name, IN_FORCE)
        assert switches.flipped(name, away)[name] == IN_FORCE[name]


def test_what_each_reading_touches() -> None:
    assert switches.touched("log_of") == list(EXPERIMENTS)
    assert switches.touched("means") == ["setting_1", "setting_5", "crossover"]
    assert switches.touched("movielens_rewards") == ["setting_3", "movie_crossover"]
    assert switches.touched("setting_4_rewards") == ["setting_4"]
    lfg = ["setting_1", "setting_2", "setting_3", "setting_5", "two_instances", "lfg_fairness"]
    assert switches.touched("lfg") == lfg


def test_no_reading_touches_what_no_claim_stands_on(monkeypatch: pytest.MonkeyPatch) -> None:
    study = replace(EXPERIMENTS["setting_1"], id="of_a_reader")
    monkeypatch.setitem(EXPERIMENTS, study.id, study)
    assert switches.touched("log_of") == [e for e in EXPERIMENTS if e != study.id]


def test_claims_touched() -> None:
    assert switches.claims_touched("setting_4_rewards") == ["C29", "C30", "C35"]
    assert switches.claims_touched("movielens_rewards") == ["C19", "C28", "C34", "C36"]
    # C01 is about a formula: nothing is simulated for it, and no reading touches it.
    for name in (*NAMES, switches.DEFAULT):
        assert "C01" not in switches.claims_touched(name)
    everything = switches.claims_touched(switches.DEFAULT)
    assert everything == [name for name in CLAIMS if name != "C01"]
    assert switches.claims_touched("log_of") == everything


@pytest.mark.parametrize("name", [*NAMES, switches.DEFAULT])
def test_experiments_needed_are_those_of_the_claims(name: str) -> None:
    needed = switches.experiments_needed(name)
    assert len(set(needed)) == len(needed)
    wanted = {e for claim in switches.claims_touched(name) for e in CLAIMS[claim].experiments}
    assert set(needed) == wanted
    if name != switches.DEFAULT:
        assert set(switches.touched(name)) <= wanted


# --- Evidence with fewer replicates ----------------------------------------------

SECTION: dict[str, Any] = {
    "replicates": 12,
    "policies": ["hard_threshold_ucb"],
    "horizons": [60, 120],
    "cases": {"case_1": {"means": [0.9, 0.6, 0.2], "fairness": [0.1, 0.1, 0.1]}},
}


def tabled(path: Path, replicates: int, readings: Readings | None = None) -> Path:
    """Simulate the study ``equal_penalties`` in miniature and write its table."""
    study = EXPERIMENTS["equal_penalties"]
    section = study.section.model_validate(SECTION)
    context = Context(3, readings or Readings(), 0, replicates)
    outcomes = simulate_group(study, section, study.groups(section), context)
    write_replicates(path, outcomes, {"setting": study.id})
    return path


def evidence_of(path: Path, limit: int | None = None) -> Evidence:
    return Evidence({"equal_penalties": SECTION}, {"equal_penalties": [path]}, 1, limit)


@pytest.fixture(scope="module")
def twelve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tabled(tmp_path_factory.mktemp("twelve") / "all.parquet", 12)


@pytest.mark.parametrize("limit", [2, 5, 12, 40])
def test_a_limit_equals_a_smaller_run(twelve: Path, tmp_path: Path, limit: int) -> None:
    few = tabled(tmp_path / "all.parquet", min(limit, 12))
    limited = evidence_of(twelve, limit).outcomes("equal_penalties")
    smaller = evidence_of(few).outcomes("equal_penalties")
    for a, b in zip(limited, smaller, strict=True):
        assert a.run == b.run
        for name in ("pulls", "max_deficit", "means", "penalties", "fairness"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    for claim in ("C10", "C22", "C23"):
        assert check(claim, evidence_of(twelve, limit)) == check(claim, evidence_of(few))


def test_check_reading_decides_the_claims_that_it_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    from penalized_bandits.claims import sensitivity

    asked: list[str] = []
    monkeypatch.setattr(
        sensitivity, "check", lambda name, evidence: asked.append(name) or {"id": name}
    )
    rows = check_reading("setting_4_rewards", Evidence({}, {}))
    assert [row["id"] for row in rows] == asked == ["C29", "C30", "C35"]


# --- The table -------------------------------------------------------------------


def row(identifier: str, verdict: str, estimate: float = 1.0) -> dict[str, Any]:
    counts = {"hold": 1, "fail": 0, "undecided": 2}
    numbers = {"estimate": estimate, "ci_low": 0.5, "ci_high": 1.5}
    return {"id": identifier, "verdict": verdict, **numbers, **counts}


def test_sensitivity_table() -> None:
    full = [row("C28", "reproduced", 3.0), row("C29", "partly", 3.0)]
    default = [row("C28", "inconclusive", 2.0), row("C29", "partly", 2.0)]
    by_reading = {
        "movielens_rewards": [row("C28", "inconclusive")],
        "setting_4_rewards": [row("C29", "not reproduced")],
    }
    table = sensitivity_table(full, default, by_reading, IN_FORCE)
    assert tuple(table.columns) == COLUMNS
    assert table["reading"].to_list() == ["movielens_rewards", "setting_4_rewards"]
    assert table["value"].to_list() == ["fraction", "bernoulli"]
    assert table["full_verdict"].to_list() == ["reproduced", "partly"]
    assert table["default_verdict"].to_list() == ["inconclusive", "partly"]
    assert table["default_estimate"].to_list() == [2.0, 2.0]
    # For want of replicates alone nothing has changed.
    assert table["changed"].to_list() == [False, True]
    assert dependent(table) == {"C29": ["setting_4_rewards = bernoulli: not reproduced"]}


def test_sensitivity_table_says_what_was_flipped_to() -> None:
    away = switches.flipped("lfg", IN_FORCE)
    rows = [row("C24", "reproduced")]
    table = sensitivity_table(rows, rows, {"lfg": rows}, away)
    assert table["value"].to_list() == ["paper"]


def test_sensitivity_table_of_nothing_changed() -> None:
    rows = [row("C24", "reproduced"), row("C25", "partly")]
    table = sensitivity_table(rows, rows, dict.fromkeys(NAMES, rows), IN_FORCE)
    assert len(table) == 2 * len(NAMES)
    assert not table["changed"].any()
    assert dependent(table) == {}


def test_several_readings_of_one_claim() -> None:
    usual, other = [row("C24", "reproduced")], [row("C24", "partly")]
    found = dependent(
        sensitivity_table(usual, usual, {"lfg": other, "means": usual, "log_of": other}, IN_FORCE)
    )
    assert found == {"C24": ["lfg = original: partly", "log_of = n-1: partly"]}


def test_the_other_reading_is_another_simulation(twelve: Path, tmp_path: Path) -> None:
    # Else a verdict that does not change would say nothing.
    other = tabled(tmp_path / "all.parquet", 12, Readings(log_of="n-1"))  # type: ignore[arg-type]
    pairs = zip(
        evidence_of(twelve).outcomes("equal_penalties"),
        evidence_of(other).outcomes("equal_penalties"),
        strict=True,
    )
    assert any((a.pulls != b.pulls).any() for a, b in pairs)


# --- What a reading leaves as it was is not simulated again -------------------------

PAPER = load_config(ROOT / "config/config.yaml")
FEW = {**TINY, "two_instances": {"replicates": 3, "horizons": [100, 300]}}
REPLICATES = 3


def smaller(experiment: str) -> Any:
    """Return an experiment's section in miniature."""
    values = PAPER.section(experiment).model_dump() | FEW[experiment]
    return EXPERIMENTS[experiment].section.model_validate(values | {"replicates": REPLICATES})


def simulated(experiment: str, readings: Readings, unlike: Readings | None = None) -> list[Outcome]:
    wanted, section = EXPERIMENTS[experiment], smaller(experiment)
    context = Context(3, readings, 0, REPLICATES, str(BUNDLED_COUNTS))
    other = None if unlike is None else replace(context, readings=unlike)
    return list(simulate_group(wanted, section, wanted.groups(section), context, other))


def assert_same(found: list[Outcome], wanted: list[Outcome]) -> None:
    assert [outcome.run for outcome in found] == [outcome.run for outcome in wanted]
    for a, b in zip(found, wanted, strict=True):
        for name in ("pulls", "max_deficit", "means", "penalties", "fairness"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@pytest.mark.parametrize(
    ("reading", "experiment", "touched"),
    [
        ("lfg", "setting_1", {"lfg"}),
        ("lfg", "setting_2", {"lfg"}),
        ("lfg", "setting_3", {"lfg"}),
        ("lfg", "setting_5", {"lfg"}),
        ("lfg", "two_instances", {"lfg"}),
        # It looks at no logarithm.
        (
            "log_of",
            "two_instances",
            {*PAPER.section("two_instances").policies} - {"explore_then_commit"},
        ),
        ("log_of", "worst_case", {"hard_threshold_ucb", "ucb1"}),
        ("means", "setting_5", {"hard_threshold_ucb", "fair_learn", "lfg"}),
        ("movielens_rewards", "setting_3", {"hard_threshold_ucb", "fair_learn", "lfg"}),
        ("setting_4_rewards", "setting_4", {"hard_threshold_ucb"}),
    ],
)
def test_only_what_a_reading_changes_is_simulated(
    tmp_path: Path, reading: str, experiment: str, touched: set[str]
) -> None:
    usual = Readings()
    other = Readings(**switches.flipped(reading, IN_FORCE))  # type: ignore[arg-type]
    changed = simulated(experiment, other, usual)
    assert {outcome.policy for outcome in changed} == touched
    # Laid over the default's, it is all that a full simulation would have given.
    for name, outcomes in (("usual", simulated(experiment, usual)), ("changed", changed)):
        write_replicates(tmp_path / f"{name}.parquet", outcomes, {})
    evidence = Evidence(
        {experiment: smaller(experiment).model_dump()}, {experiment: [tmp_path / "usual.parquet"]}
    )
    flipped = evidence.with_flipped({experiment: tmp_path / "changed.parquet"})
    assert_same(flipped.outcomes(experiment), simulated(experiment, other))
    assert_same(evidence.outcomes(experiment), simulated(experiment, usual))


def test_another_seed_leaves_nothing_as_it_was() -> None:
    study, section = EXPERIMENTS["equal_penalties"], smaller("equal_penalties")
    context = Context(3, Readings(), 0, REPLICATES)
    groups = study.groups(section)
    assert not list(simulate_group(study, section, groups, context, context))
    for other in (replace(context, seed=4), replace(context, first_replicate=1)):
        assert list(simulate_group(study, section, groups, context, other))
        assert pulls_of(study, section, groups, context, other) == pulls_of(
            study, section, groups, context
        )


def outcome_of(case: str, policy: str, horizon: int) -> Outcome:
    one = np.ones((1, 1))
    pulls = one.astype(np.int32)
    return Outcome(case, policy, None, None, horizon, 0, pulls, one, one, np.ones(1), None)


def test_exchanged_keeps_the_order() -> None:
    usual = [outcome_of(c, p, t) for c in "ab" for p in ("ucb1", "lfg") for t in (10, 20)]
    others = [outcome_of("b", "ucb1", 30), outcome_of("a", "lfg", 40)]
    found = [(o.case, o.policy, o.horizon) for o in exchanged(usual, others)]
    assert found == [
        *(("a", "ucb1", t) for t in (10, 20)),
        ("a", "lfg", 40),
        ("b", "ucb1", 30),
        *(("b", "lfg", t) for t in (10, 20)),
    ]


def test_exchanged_finds_what_has_no_place() -> None:
    with pytest.raises(ClaimError, match=r"\('b', 'lfg'\)"):
        exchanged([outcome_of("a", "lfg", 10)], [outcome_of("b", "lfg", 10)])


@pytest.mark.parametrize("experiment", ["setting_2", "deterministic"])
def test_kernels_of_small_jobs_pull_the_same(
    monkeypatch: pytest.MonkeyPatch, experiment: str
) -> None:
    small = simulated(experiment, Readings())
    monkeypatch.setattr(module, "SMALL_JOB", 0)
    monkeypatch.setattr(module, "SMALL_RUN", 0)
    assert_same(small, simulated(experiment, Readings()))
