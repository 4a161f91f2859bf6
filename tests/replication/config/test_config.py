"""The config: every key is checked, errors say which, what and why; the schemas of its models."""

import copy
import math
from typing import Any

import pytest

import config_schema
from config_helpers import PAPER, at, changed, problem, problems
from penalized_replication.common.section import leaves
from penalized_replication.config.model import parse_config
from penalized_replication.experiments.catalogue import EXPERIMENTS
from scenario_checks import check_meanings, check_schema

OWN_DEFAULTS = {"interpretations", "simulation", "pages"}
REGULAR = {"means": [0.9, 0.8], "fairness": [0.1, 0.1], "penalties": [1.0, 0.5]}
# With all that the paper's config leaves out.
FULL: dict[str, Any] = {
    **PAPER,
    # The first of the cases: the others are alike.
    **{
        name: {**given, "cases": dict([*given["cases"].items()][:1])}
        for name, given in PAPER.items()
        if "cases" in str(given)
    },
    "log_laws": {
        **PAPER["log_laws"],
        "instances": {"regular": {**REGULAR, "policies": ["hard_threshold_ucb"]}},
    },
    "pages": {"notebooks": True, "address": "https://example.org/bandits"},
    "movielens": {
        "source": "table",
        "archive": "ml-1m.zip",
        "url": "https://example.org/ml-1m.zip",
        "table": {"path": "mine.csv", "user": "u", "item": "i", "rating": "r", "title": "t"},
    },
}

# Case names are the user's own: their keys are not those of a section.
NAMED = ["setting_2", "setting_4", "crossover", "deterministic", "equal_penalties", "lfg_fairness"]
CASES = {*((name, "cases") for name in NAMED), ("log_laws", "instances")}
CASES |= {("simulation", "chunks_of")}
LEAVES = [tuple(key.split(".")) for key, value in leaves(FULL) if value != {}]
SECTIONS = sorted({path[:depth] for path in LEAVES for depth in range(len(path))} - CASES)
LISTS = [p for p in LEAVES if isinstance(at(FULL, p), list)]
OF_ARMS = {"means", "fairness", "penalties"}


def test_the_defaults_are_those_of_the_file() -> None:
    given = {key: value for key, value in PAPER.items() if key not in OWN_DEFAULTS}
    assert parse_config(given) == parse_config(PAPER)


@pytest.mark.parametrize("path", SECTIONS, ids=".".join)
def test_unknown_key(path: tuple[str, ...]) -> None:
    name = ".".join((*path, "colour"))
    line = problem(name, 1, FULL)
    assert line.startswith(f"{name}: unknown key (value 1); allowed here: ")
    given = {"fairness_power", "penalty_margin", "label"} if "instances" in path else set()
    given |= {"penalty", "label", "group"} if path[:2] == ("crossover", "cases") else set()
    given |= {"policies", "new_bandits", "extensions"} if path == () else set()
    assert set(line.partition("allowed here: ")[2].split(", ")) == set(at(FULL, path)) | given


@pytest.mark.parametrize("path", LISTS, ids=".".join)
def test_empty_list_and_value_given_twice(path: tuple[str, ...]) -> None:
    name, values = ".".join(path), at(FULL, path)
    line = problem(name, [], FULL)
    if path[-1] in OF_ARMS and "means but 0" in line:
        # One fraction and rate for each mean: the case is named, and what it lacks.
        assert line.startswith(".".join(path[:-1]) + ": ")
    else:
        assert line.startswith(f"{name}: ")
        assert "at least" in line
        assert "[]" in line
    # Means and fractions of arms may repeat; a grid or a list of policies may not.
    if not (path[-1] in OF_ARMS and {"cases", "instances"} & set(path)):
        line = problem(name, [*values, values[0]], FULL)
        assert line.startswith(f"{name}: ")
        assert "differ" in line or "increase" in line


NUMBERS = [p for p in LEAVES if isinstance(at(FULL, p), (int, float))]
OF_NUMBERS = [p for p in LISTS if isinstance(at(FULL, p)[0], (int, float))]


def test_number_out_of_bounds() -> None:
    for path in NUMBERS + OF_NUMBERS:
        right, name = at(FULL, path), ".".join(path)
        for number in (math.nan, math.inf, -math.inf, -1):
            value = [number, *right[1:]] if isinstance(right, list) else number
            lines = problems(changed(name, value, FULL))
            assert all(line.startswith(name) for line in lines), (name, lines)
            assert any(repr(number) in line for line in lines), (name, lines)


@pytest.mark.parametrize("setting", EXPERIMENTS)
def test_missing_key(setting: str) -> None:
    config = copy.deepcopy(PAPER)
    del config[setting]["replicates"]
    assert problems(config) == [f"{setting}.replicates: this key is required"]


SCHEMAS = config_schema.schemas()


@pytest.mark.parametrize("name", ["README.md", *SCHEMAS])
def test_file_is_made_of_the_models(name: str) -> None:
    text = (config_schema.CONFIG / name).read_text(encoding="utf-8")
    assert text == config_schema.files()[name], "uv run python tools/config_schema.py"


def test_each_key_has_a_meaning() -> None:
    check_meanings(SCHEMAS)


@pytest.mark.parametrize("file", ["config.yaml", "quick.yaml", "large.yaml", "scenarios.yaml"])
def test_config_is_right_and_a_typo_is_not(file: str) -> None:
    check_schema(SCHEMAS, config_schema.CONFIG / file)
