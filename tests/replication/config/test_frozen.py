"""The frozen confirmation: its seeds, its bandits, and what may change after the freeze."""

import math
from hashlib import sha256

import pandas as pd
import pytest
import yaml

import freeze
from config_helpers import PAPER
from git_history import git, skip_without_history
from penalized_replication.claims import CLAIMS, claim
from penalized_replication.claims.table import preregistration
from penalized_replication.claims.table.preregistration import in_short
from penalized_replication.common.errors import ConfigError
from penalized_replication.config.frozen import (
    RUNS,
    frozen_set,
    kind_of,
    new_bandit,
    redrawn,
    seeds_of,
)
from penalized_replication.config.model import parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.theory.log_laws import LawInstance

VALUES = yaml.safe_load(freeze.SEEDS.read_text(encoding="utf-8"))
FREEZE_ID = "0123456789abcdef0123456789abcdef01234567"


def test_seeds_are_the_first_63_bits_of_the_commit_and_a_number() -> None:
    seeds = seeds_of(FREEZE_ID)
    digest = sha256(f"{FREEZE_ID}20".encode()).hexdigest()
    assert (len(seeds), seeds[19]) == (RUNS, int(digest, 16) >> 193)


def test_the_seeds_of_the_config_are_those_of_the_freeze() -> None:
    assert VALUES["seeds"] == (seeds_of(VALUES["freeze"]) if VALUES["freeze"] else [])


def test_gaps_and_margins_of_a_new_bandit_are_those_given_times_a_factor() -> None:
    given = LawInstance(
        means=[0.9, 0.8, 0.8, 0.3, 0.02],
        fairness=[0.1] * 5,
        penalties=[1.0, 0.1, 0.0, 0.45, 0.7],
    )
    made = new_bandit(given, "7 log_laws x")
    best, *gaps = (max(made["means"]) - mu for mu in made["means"])
    assert best == 0
    assert gaps[0] == gaps[1]
    assert all(0.8 * old - 1e-4 <= gap <= 1.25 * old + 1e-4 for gap, old in zip(
        gaps, (0.1, 0.1, 0.6, 0.88), strict=True))  # fmt: skip
    # No mean is cut off.
    assert made["means"][4] >= 0.01
    margins = [a - gap for a, gap in zip(made["penalties"][1:], gaps, strict=True)]
    assert margins[0] == pytest.approx(0, abs=1e-9)
    assert made["penalties"][2] == 0
    assert 0.12 - 2e-4 <= -margins[2] <= 0.1875 + 2e-4
    assert new_bandit(given, "8 log_laws x") != made == new_bandit(given, "7 log_laws x")


def test_new_bandits_meet_the_conditions_that_the_papers_meet() -> None:
    section = parse_config(PAPER).section("log_laws")
    for seed in range(3):
        made = redrawn(section, "instances", seed, "log_laws")
        for name in ("regular", "unequal", "near_the_limit", "small_penalties"):
            case, horizon = section.instances[name], section.horizons[-1]
            new = case.model_copy(update=made[name])
            assert kind_of(new, horizon) == kind_of(case, horizon)
            assert new.means != case.means
    # At T = 10^6 alone the theorem's condition holds for a fifth of all draws of this one.
    unequal = section.instances["unequal"]
    assert kind_of(unequal, 1000) != kind_of(unequal, 1_000_000)


def test_a_bandit_to_which_no_other_is_alike_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penalized_replication.config.frozen.DRAWS", 0)
    with pytest.raises(ConfigError, match=r"log_laws.instances.regular: none of 0 bandits"):
        redrawn(parse_config(PAPER).section("log_laws"), "instances", 1, "log_laws")


def test_a_wrong_config_is_named_before_bandits_are_drawn() -> None:
    wrong = {**PAPER, "frozen_seed": 7, "log_laws": {**PAPER["log_laws"], "instances": {"x": {}}}}
    with pytest.raises(ConfigError, match=r"log_laws.instances.x.means"):
        Scenarios(wrong, frozen=freeze.SEEDS).config("scenarios/frozen_seed_7/")


def test_a_seed_of_ones_own_is_one_scenario() -> None:
    scenarios = Scenarios({**PAPER, "frozen_seed": 7}, frozen=freeze.SEEDS)
    assert list(scenarios.sets["frozen"]) == ["frozen_seed_7"]
    config = scenarios.config("scenarios/frozen_seed_7/")
    assert config.seed == 7
    assert config.section("log_laws").instances.keys() == PAPER["log_laws"]["instances"].keys()
    assert "frozen" not in Scenarios(PAPER, frozen=freeze.SEEDS).sets or VALUES["seeds"]
    twenty = frozen_set({**VALUES, "seeds": seeds_of(FREEZE_ID)}, None)
    assert list(twenty) == [f"frozen_{i}" for i in range(1, RUNS + 1)]


def test_after_the_freeze_nothing_that_decides_changes_but_the_seeds() -> None:
    if not (VALUES["freeze"] and freeze.FROZEN.is_file()):
        pytest.skip("there is no published confirmation yet")
    skip_without_history()
    since = f"{VALUES['freeze']}..HEAD"
    published = git("log", "--reverse", "--format=%H", since, "--", str(freeze.FROZEN)).split()
    if not published:
        pytest.skip("the last freeze has no published confirmation yet")
    assert list(freeze.changed_since(VALUES["freeze"], published[0])) == []
    frozen = pd.read_csv(freeze.FROZEN).query("freeze == @VALUES['freeze']")
    assert list(freeze.faults(VALUES, frozen, freeze.last_freeze(pd.read_csv(freeze.FREEZE)))) == []
    every = pd.read_csv(freeze.COMPARISONS).query("freeze == @VALUES['freeze']")
    printed = pd.read_csv(freeze.AGREEMENT, index_col="id").query("freeze == @VALUES['freeze']")
    found = freeze.agreement(frozen, every)
    assert found.to_dict() == printed[found.columns].to_dict()


def runs_of(name: str, predicted: str, *verdicts: str) -> list[tuple[object, ...]]:
    """Return a row of the table of verdicts for each run, with one comparison each."""
    return [(f"frozen_{n}", name, v, predicted, 1, 0, 0, 0) for n, v in enumerate(verdicts, 1)]


def comparisons_of(name: str, status: str, *estimates: float) -> list[tuple[object, ...]]:
    return [(f"frozen_{n}", name, "a", x, status, math.nan) for n, x in enumerate(estimates, 1)]


COLUMNS = ["scenario", "id", "verdict", "paper_verdict", "hold", "fail", "negligible", "undecided"]
FOUND = pd.DataFrame(
    runs_of("C01", "holds by algebra", *["holds by algebra"] * 20)
    + runs_of("C02", "fails", *["fails"] * 20)
    + runs_of("C07", "holds", *["holds"] * 19, "fails")
    + runs_of("C08", "holds", *["holds"] * 18, "fails", "undecided")
    # A share of replicates, 1 in each run.
    + runs_of("C10", "holds", *["holds"] * 20)
    + runs_of("C22", "holds", *["holds"] * 20),
    columns=COLUMNS,
)
NEW = ("C01", "C07", "C08", "C10", "C22")
EVERY = pd.DataFrame(
    [
        row
        for name in ("C01", "C07", "C08", "C22")
        for row in comparisons_of(name, "holds", *range(20))
    ]
    # What fails uses no random number.
    + comparisons_of("C02", "fails", *[0.5] * 20)
    + [(f"frozen_{n}", "C02", "b", 1 / n, "holds", math.nan) for n in range(1, 21)]
    + [(f"frozen_{n}", "C10", "a", 1.0, "holds", 100) for n in range(1, 21)],
    columns=["scenario", "id", "case", "estimate", "status", "trials"],
).reindex(columns=["scenario", "id", *freeze.PLACE, "estimate", "status", "trials"])


def test_the_sentence_counts_what_can_fail_on_numbers_that_differ() -> None:
    table = freeze.agreement(FOUND, EVERY)
    same = {"C01": 20, "C02": 20, "C07": 19, "C08": 18, "C10": 20, "C22": 20}
    assert table["same"].to_dict() == same
    assert tuple(table.index[table["new"]]) == NEW
    # Neither algebra, nor what repeats another claim's numbers (C22).
    said = "of 3 claims that can fail, 2 came out the same in at least"
    assert freeze.sentence(table).startswith(said)


def test_what_differs_from_the_freeze_is_not_published(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = ("C02", "C07", "C08", "C10", "C22")
    monkeypatch.setattr("freeze.CLAIMS", {name: CLAIMS[name] for name in measured})
    config = {"freeze": FREEZE_ID, "seeds": seeds_of(FREEZE_ID)}
    predicted = FOUND.groupby("id")["paper_verdict"].first().rename("predicted").to_frame()
    assert list(freeze.faults(config, FOUND, predicted)) == []
    assert list(freeze.faults({**config, "seeds": [1]}, FOUND, predicted)) == [
        "the seeds do not follow from the freeze"
    ]
    assert list(freeze.faults(config, FOUND[:-20], predicted)) == ["C22: not 20 runs"]
    other = predicted.replace({"predicted": {"fails": "holds"}})
    assert list(freeze.faults(config, FOUND, other)) == ["C02: another verdict was predicted"]


def test_pages_print_how_many_runs_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"rule_digest": claim("C07").digest, "predicted": "holds", "same": "19", "runs": "20"}
    monkeypatch.setattr(preregistration, "frozen", lambda: {"C07": row | {"new": "True"}})
    assert in_short("C07") == "holds in 19 of 20 runs"
    assert in_short("C08") == ""
    old = row | {"new": "False", "rule_digest": "0" * 12}
    monkeypatch.setattr(preregistration, "frozen", lambda: {"C07": old})
    assert in_short("C07") == "holds in 19 of 20 runs, on the same numbers (by an earlier rule)"
