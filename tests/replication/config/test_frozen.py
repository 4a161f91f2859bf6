"""The frozen confirmation: its seeds, its bandits, and what may change after the freeze."""

from hashlib import sha256

import pandas as pd
import pytest
import yaml

from config_helpers import PAPER, ROOT
from freeze import FREEZE, FROZEN, SEEDS, agreement, sentence
from git_history import git, skip_without_history
from penalized_replication.config.frozen import RUNS, frozen_set, new_bandit, seeds_of
from penalized_replication.config.scenarios import Scenarios

VALUES = yaml.safe_load(SEEDS.read_text(encoding="utf-8"))
FREEZE_ID = "0123456789abcdef0123456789abcdef01234567"
FIXED = ("src", "research", "config", "workflow")


def test_seeds_are_the_first_63_bits_of_the_commit_and_a_number() -> None:
    seeds = seeds_of(FREEZE_ID)
    digest = sha256(f"{FREEZE_ID}20".encode()).hexdigest()
    assert (len(seeds), seeds[19]) == (RUNS, int(digest, 16) >> 193)


def test_the_seeds_of_the_config_are_those_of_the_freeze() -> None:
    assert VALUES["seeds"] == (seeds_of(VALUES["freeze"]) if VALUES["freeze"] else [])


def test_a_new_bandit_has_the_same_classes_of_arms() -> None:
    case = {"means": [0.9, 0.8, 0.8, 0.3, 0.2], "penalties": [1.0, 0.1, 0.0, 0.45, 0.7]}
    made = new_bandit(case, "7 log_laws x")
    best, *gaps = (max(made["means"]) - mu for mu in made["means"])
    assert best == 0
    assert gaps[0] == gaps[1]
    assert all(0.8 * old - 1e-4 <= gap <= 1.25 * old + 1e-4 for gap, old in zip(
        gaps, (0.1, 0.1, 0.6, 0.7), strict=True))  # fmt: skip
    margins = [a - gap for a, gap in zip(made["penalties"][1:], gaps, strict=True)]
    assert margins[0] == pytest.approx(0, abs=1e-9)
    assert made["penalties"][2] == 0
    assert 0.12 - 2e-4 <= -margins[2] <= 0.1875 + 2e-4
    assert new_bandit(case, "8 log_laws x") != made == new_bandit(case, "7 log_laws x")


def test_a_seed_of_ones_own_is_one_scenario() -> None:
    scenarios = Scenarios({**PAPER, "frozen_seed": 7}, frozen=SEEDS)
    assert list(scenarios.sets["frozen"]) == ["frozen_seed_7"]
    config = scenarios.config("scenarios/frozen_seed_7/")
    assert config.seed == 7
    assert config.section("log_laws").instances.keys() == PAPER["log_laws"]["instances"].keys()
    assert "frozen" not in Scenarios(PAPER, frozen=SEEDS).sets or VALUES["seeds"]
    twenty = frozen_set(PAPER, {**VALUES, "seeds": seeds_of(FREEZE_ID)}, None)
    assert list(twenty) == [f"frozen_{i}" for i in range(1, RUNS + 1)]


def test_after_the_freeze_nothing_that_decides_changes_but_the_seeds() -> None:
    if not (VALUES["freeze"] and FROZEN.is_file()):
        pytest.skip("there is no published confirmation yet")
    skip_without_history()
    published = git("log", "--format=%H", "--diff-filter=A", "--", str(FROZEN)).split()[-1]
    changed = git("diff", "--name-only", VALUES["freeze"], published, "--", *FIXED).split()
    assert set(changed) <= {SEEDS.relative_to(ROOT).as_posix()}
    predicted = pd.read_csv(FREEZE).query("kind == 'rule'").set_index("name")["predicted"]
    of_runs = agreement(pd.read_csv(FROZEN))["predicted"]
    assert dict(of_runs).items() <= dict(predicted).items()


def test_the_sentence_counts_what_can_fail() -> None:
    runs = [("C07", "holds", "holds")] * 19 + [("C07", "fails", "holds")]
    runs += [("C01", "holds by algebra", "holds by algebra")] * 20
    runs += [("C02", "fails", "fails")] * 18 + [("C02", "holds", "fails")] * 2
    table = pd.DataFrame(runs, columns=["id", "verdict", "paper_verdict"])
    assert agreement(table)["same"].to_dict() == {"C01": 20, "C02": 18, "C07": 19}
    assert sentence(table).startswith("of 2 claims that can fail, 1 came out the same in at least")
