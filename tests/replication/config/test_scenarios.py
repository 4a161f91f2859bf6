"""Scenarios: overlays of the config, their experiments, and keys as params of Snakemake."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from config_helpers import CONFIG, PAPER, ROOT, changed
from penalized_replication.claims import CLAIMS
from penalized_replication.common.errors import ConfigError
from penalized_replication.config.files import overlaid
from penalized_replication.config.model import parse_config
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.workflow.paths import Files, claims_files, figure_files
from penalized_replication.workflow.runs import Runs
from scenario_checks import check_params, check_valid

PUBLISHED = Scenarios(PAPER, ROOT / "config/scenarios.yaml")
FILES = Files(PUBLISHED)


@pytest.mark.parametrize("folder", ["", "scenarios/lfg/"])
def test_jobs_are_given_every_key_of_a_section(folder: str) -> None:
    check_params(PUBLISHED, folder)


@pytest.mark.parametrize("interpretation", CONFIG.interpretations.model_dump())
def test_an_interpretation_simulates_what_depends_on_it(interpretation: str) -> None:
    folder = f"scenarios/{interpretation}/"
    changed = [name for name in EXPERIMENTS if interpretation in EXPERIMENTS[name].interpretations]
    assert FILES.runs.changed(folder) == changed != []
    for name in EXPERIMENTS:
        for path in (*FILES.replicates(name, folder=folder), *FILES.summaries(name, folder=folder)):
            assert path.startswith(f"results/{folder}") == (name in changed), path
    # Claims on these alone are decided there, with what else they need from the paper's run.
    for claim in FILES.claims():
        behind = CLAIMS[claim].experiments
        assert (claim in FILES.claims(folder)) == bool({*changed} & {*behind}), claim


def test_another_seed_simulates_all() -> None:
    assert FILES.runs.changed("scenarios/seed_1/") == list(EXPERIMENTS)


LESS = {name: values for name, values in PAPER.items() if name != "setting_5"}


def test_what_the_config_lacks_is_of_the_first_scenario_that_has_it(tmp_path: Path) -> None:
    more = {"more": {"setting_5": PAPER["setting_5"]}, "less": {"setting_4": None}}
    own = scenarios(tmp_path, yaml.safe_dump({"own": more}, sort_keys=False), LESS)
    files, folder = Files(own), "scenarios/more/"
    homes = {"figure_3": "", "setting_5": folder, "figure_5": folder}
    assert {name: files.home(name) for name in homes} == homes
    assert Files(Scenarios(LESS)).home("figure_5") is None
    # A scenario that simulates nothing has no claims table, and none is beside the config's.
    assert files.of_set("own") == [
        *claims_files(folder),
        *files.summaries("setting_5", folder=folder),
        *figure_files("figure_5", "figure_5_panels", folder=folder),
    ]
    # What a scenario has not is named.
    with pytest.raises(ConfigError, match="has no section setting_4"):
        files.replicates("setting_4", folder="scenarios/less/")


# --- Overlays of the config in sets, and errors that name file and key -------

MINE = "scenarios/mine/"


def scenarios(folder: Path, text: str, base: dict[str, Any] = PAPER) -> Scenarios:
    file = folder / "scenarios.yaml"
    file.write_text(text, encoding="utf-8")
    return Scenarios(base, file)


def test_mappings_merge_all_else_replaces_and_null_removes() -> None:
    values = {"a": {"b": 1, "c": {"d": 2}}, "e": [1, 2], "f": 3, "g": {"h": 4}}
    overlay = {"a": {"b": None, "c": {"i": 5}}, "e": [6], "f": {"j": 7, "k": None}, "g": 8, "l": {}}
    before = copy.deepcopy((values, overlay))
    expected = {"a": {"c": {"d": 2, "i": 5}}, "e": [6], "f": {"j": 7}, "g": 8, "l": {}}
    assert overlaid(values, overlay) == expected
    assert (values, overlay) == before


def test_a_scenario_is_the_config_with_an_overlay(tmp_path: Path) -> None:
    sections = "setting_1: {arms: [7]}, setting_2: {cases: {case_1: null}}, setting_5: null"
    text = f"own: {{mine: {{seed: 3, {sections}}}}}"
    # The config is that of the run, --configfile's changes included.
    base = changed("setting_1.replicates", 77)
    own = scenarios(tmp_path, text, base)
    config = own.config(MINE)
    assert own.config() == parse_config(base)
    assert own.sets.keys() == {"own"}
    assert own.folders("own") == [MINE]
    assert own.changes("mine").startswith("seed: 3, setting_1.arms: [7], setting_2.cases.case_1: ")
    assert config.seed == 3
    first = config.section("setting_1")
    assert (first.arms, first.replicates, first.horizons[0]) == ([7], 77, 500)
    cases = PAPER["setting_2"]["cases"].keys()
    assert config.section("setting_2").cases.keys() == cases - {"case_1"} != set()
    assert config.experiments == [name for name in CONFIG.experiments if name != "setting_5"]
    # Without a seed of its own it has nothing to simulate but what its sections change.
    again = scenarios(tmp_path, text.replace("seed: 3, ", ""), base)
    assert Runs(again).changed(MINE) == ["setting_1", "setting_2"]


@pytest.mark.parametrize(
    ("overlay", "kept", "changes"),
    [
        ("only: [setting_1], seed: 3", ["setting_1"], "seed: 3"),
        ("only: [setting_1, setting_4], setting_4: {horizon: 9}", None, "setting_4.horizon: 9"),
        ("seed: 20250301, setting_4: {horizon: 20000}", None, ""),
        ("setting_2: {cases: {case_1: null}}", None, "setting_2.cases.case_1: null"),
        ("setting_5: null", None, "setting_5: null"),
    ],
)
def test_what_a_scenario_keeps_and_changes(
    tmp_path: Path, overlay: str, kept: list[str] | None, changes: str
) -> None:
    own = scenarios(tmp_path, f"own: {{mine: {{{overlay}}}}}")
    assert own.changes("mine") == changes
    assert kept in (None, own.config(MINE).experiments)


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("own: {mine: {only: [setting_9]}}", "own.mine: only: ", "no list of experiments of cr"),
        ("own: {mine: {only: setting_1}}", "own.mine: only: ", "is no list of experiments of "),
        ("own: {mine: {colour: 1}}", "own.mine: the config is wrong", "colour: unknown key"),
        ("own: {mine: {setting_1: {arms: [0]}}}", "own.mine: ", "setting_1.arms, value 1: "),
        ("own: {mine: {setting_4: {horizon: null}}}", "own.mine: ", "setting_4.horizon: this key"),
        ("own: [mine]", "own: ", "a set of scenarios has names and their overlays"),
        ("own: {mine: 3}", "own.mine: ", "keys of the config are missing, got 3"),
        ("own: {mine: {seed: 1}}\nmore: {mine: {}}", "own.mine: ", "another scenario or set"),
        ("own: {more: {seed: 1}}\nmore: {}", "own.more: ", "another scenario or set"),
        ("own: {my-own: {seed: 1}}", "own.my-own: ", "in letters, digits and underscores"),
        ("own: {a: {setting_3: {fairness: 0,5}}}", "line 1: ", "setting_3: 5 is no key"),
        ("my-own: {mine: {seed: 1}}", "my-own: ", "in letters, digits and underscores"),
        ("own: {mine: {movielens: {}}}", "own.mine: movielens is one for", ""),
        ("own:\n  mine: {}\n  mine: {}", "line 3: ", "'mine' is already in line 2"),
    ],
)
def test_errors_name_scenario_and_key(tmp_path: Path, text: str, where: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        scenarios(tmp_path, text).config(MINE)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path}/scenarios.yaml, {where}"), message
    assert said in message


@pytest.mark.parametrize("name", PUBLISHED.names)
def test_published_scenarios_are_valid_and_change_something(name: str) -> None:
    check_valid(PUBLISHED, name)


def test_a_set_that_is_decided_as_a_whole_makes_what_rules_add(tmp_path: Path) -> None:
    own = scenarios(tmp_path, "own: {together: true, mine: {seed: 3}}\nseeds: {other: {seed: 4}}")
    files = Files(own)
    files.added["own"] = ["results/scenarios/own.json"]
    assert (own.together, own.folders("own")) == (["own"], [MINE])
    assert files.of_set("own") == files.added["own"]
    assert files.of_set("seeds")
