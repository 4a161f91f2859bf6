"""The frozen confirmation: its seeds, its bandits, and what may change after the freeze."""

from hashlib import sha256

import pandas as pd
import pytest
import yaml

import freeze
from config_helpers import PAPER
from git_history import git, skip_without_history
from penalized_replication.claims import CLAIMS
from penalized_replication.claims.base import claim_of
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
        means=[0.9, 0.8, 0.8, 0.3, 0.02], fairness=[0.1] * 5, penalties=[1.0, 0.1, 0.0, 0.45, 0.7]
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


def test_the_agreement_that_pages_print_is_that_of_the_published_runs() -> None:
    printed = freeze.read_agreement()
    last = printed["freeze"].iloc[0]
    runs = (pd.read_csv(file) for file in (freeze.FROZEN, freeze.COMPARISONS))
    found = freeze.agreement(*(table[table["freeze"] == last] for table in runs))
    assert found.to_dict() == printed[found.columns].to_dict()


def test_what_differs_from_the_freeze_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = {"C02": "fails", "C22": "holds"}
    monkeypatch.setattr("freeze.CLAIMS", {name: CLAIMS[name] for name in verdicts})
    rows = [(f"frozen_{n}", *known) for known in verdicts.items() for n in range(RUNS)]
    found = pd.DataFrame(rows, columns=["scenario", "id", "paper_verdict"])
    predicted = pd.DataFrame({"predicted": verdicts})
    config = {"freeze": FREEZE_ID, "seeds": seeds_of(FREEZE_ID)}
    assert list(freeze.faults(config, found, predicted)) == []
    assert list(freeze.faults({**config, "seeds": [1]}, found, predicted)) == [
        "the seeds do not follow from the freeze"
    ]
    assert list(freeze.faults(config, found[:-1], predicted)) == ["C22: not 20 runs"]
    other = predicted.replace({"predicted": {"fails": "holds"}})
    assert list(freeze.faults(config, found, other)) == ["C02: another verdict was predicted"]


def test_pages_print_how_many_runs_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"rule_digest": claim_of("C07").digest, "predicted": "holds", "same": "19", "runs": "20"}
    forms = preregistration.forms_of("C07")
    monkeypatch.setattr(preregistration, "forms_of", lambda _: forms)
    monkeypatch.setattr(preregistration, "_rows", lambda _: {"C07": [row | {"new": "True"}]})
    assert in_short("C07") == "holds in 19 of 20 runs"
    assert in_short("C08") == ""
    old = row | {"new": "False", "rule_digest": "0" * 12}
    monkeypatch.setattr(preregistration, "_rows", lambda _: {"C07": [old]})
    assert in_short("C07") == "holds in 19 of 20 runs, on the same numbers (by an earlier rule)"
