"""The config: every key is checked, and every error says which, what and why."""

import copy
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Bernoulli
from penalized_bandits.config import Config, load_config, parse_config
from penalized_bandits.engine.simulate import simulate
from penalized_bandits.errors import BanditError, ConfigError
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.policies import POLICIES
from penalized_bandits.policies.imported import VARIABLE

ROOT = Path(__file__).parents[2]
PAPER: dict[str, Any] = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))


def with_one_case(setting: str) -> dict[str, Any]:
    """Return a section with the first of its cases; the others are alike."""
    name, case = next(iter(PAPER[setting]["cases"].items()))
    return {**PAPER[setting], "cases": {name: case}}


OWN_DEFAULTS = {"readings", "simulation", "sensitivity", "choices", "pages"}
REGULAR = {"means": [0.9, 0.8], "fairness": [0.1, 0.1], "penalties": [1.0, 0.5]}
# With all that the paper's config leaves out.
FULL: dict[str, Any] = {
    **PAPER,
    **{name: with_one_case(name) for name, given in PAPER.items() if "cases" in str(given)},
    "log_laws": {
        **PAPER["log_laws"],
        "instances": {"regular": {**REGULAR, "policies": ["hard_threshold_ucb"]}},
    },
    "movielens": {
        "dataset": "movielens_1m",
        "source": "table",
        "archive": "ml-1m.zip",
        "url": "https://example.org/ml-1m.zip",
        "timeout_seconds": 5.5,
        "retries": 1,
        "table": {"path": "mine.csv", "user": "u", "item": "i", "rating": "r", "title": "t"},
    },
}


def sections(values: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every section, the config itself first."""
    yield path
    for key, value in values.items():
        if isinstance(value, dict):
            yield from sections(value, (*path, key))


def leaves(values: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key that holds a value."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key)


def at(values: dict[str, Any], path: tuple[str, ...]) -> Any:
    """Return what a path leads to."""
    for key in path:
        values = values[key]
    return values


def changed(path: str, value: Any, base: dict[str, Any] = PAPER) -> dict[str, Any]:
    """Return a config with one key set."""
    config = copy.deepcopy(base)
    *parents, last = path.split(".")
    at(config, tuple(parents))[last] = value
    return config


def problems(config: dict[str, Any]) -> list[str]:
    """Return the lines of the error that a config raises."""
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    head, *lines = str(caught.value).splitlines()
    assert head == "the config is wrong:"
    return [line.removeprefix("  ") for line in lines]


def problem(path: str, value: Any, base: dict[str, Any] = PAPER) -> str:
    """Return the one line about one key that is wrong."""
    (line,) = problems(changed(path, value, base))
    return line


# Case names are the user's own: their keys are not those of a section.
NAMED = (
    *("setting_2", "setting_4", "crossover"),
    *("deterministic", "equal_penalties", "lfg_fairness"),
)
CASES = {*((name, "cases") for name in NAMED), ("log_laws", "instances")}
CASES |= {("sensitivity", "replicates_of"), ("simulation", "chunks_of")}
SECTIONS = [path for path in sections(FULL) if path not in CASES]
LEAVES = list(leaves(FULL))
KEY = st.from_regex(r"[a-z][a-z_0-9]{0,12}", fullmatch=True)


def test_shipped_configs_are_valid() -> None:
    paper = load_config(ROOT / "config/config.yaml")
    quick = load_config(ROOT / "config/config.yaml", ROOT / "config/quick.yaml")
    assert paper.section("setting_1").replicates == 1000
    assert quick.section("setting_1").replicates < 100
    assert quick.section("setting_1").policies == paper.section("setting_1").policies
    assert parse_config(FULL).movielens.timeout_seconds == 5.5


def test_the_paper_is_the_default() -> None:
    paper = load_config(ROOT / "config/config.yaml")
    assert paper.section("setting_1").horizons == [500 * 2**j for j in range(6)]
    assert paper.section("setting_2").scale_points == 41
    assert paper.section("setting_3").m0 == [2500, 2000, 1250]
    assert paper.movielens.source == "auto"
    for setting, replicates in ((1, 1000), (2, 200), (3, 100), (4, 1000), (5, 100)):
        assert paper.section(f"setting_{setting}").replicates >= replicates
    for setting in (3, 5):
        assert paper.section(f"setting_{setting}").tuning_values >= 16
    # Readings: the defaults written in the file are those of the code.
    bare = {key: value for key, value in PAPER.items() if key not in OWN_DEFAULTS}
    bare["sensitivity"] = {"replicates_of": PAPER["sensitivity"]["replicates_of"]}
    assert parse_config(bare) == paper


@pytest.mark.parametrize("path", SECTIONS, ids=".".join)
@settings(max_examples=20)
@given(key=KEY)
def test_unknown_key(path: tuple[str, ...], key: str) -> None:
    allowed = list(at(FULL, path))
    if key in allowed:
        key += "_"
    line = problem(".".join((*path, key)), 1, FULL)
    name, _, text = line.partition(": ")
    assert name == ".".join((*path, key))
    assert text.startswith("unknown key (value 1); allowed here: ")
    given = {"fairness_power", "penalty_margin"} if "instances" in path else set()
    given |= {"penalty"} if path[:2] == ("crossover", "cases") else set()
    given |= {"policies", "extended", "confirmation"} if path == () else set()
    assert set(text.partition("allowed here: ")[2].split(", ")) == set(allowed) | given


def _wrong(value: Any) -> st.SearchStrategy[Any]:
    """Values of another type than a value's own."""
    kinds: list[st.SearchStrategy[Any]] = [st.just({}), st.just({"a": 1}), st.none()]
    if not isinstance(value, list):
        kinds.append(st.lists(st.integers(), max_size=2))
    if isinstance(value, str):
        kinds += [st.integers(), st.floats(), st.booleans()]
    else:
        # Not even a number in quotes: YAML tells "5" from 5, and so do we.
        kinds += [st.text(max_size=5), st.just("5"), st.just("0.5")]
        kinds += [st.integers()] if isinstance(value, bool) else [st.booleans()]
    if isinstance(value, int):
        kinds += [st.floats(), st.just(2.0)]
    return st.one_of(kinds)


OPTIONAL = {("movielens", key) for key in ("archive", "url")} | {("movielens", "table", "title")}
# These have another key that may take their place.
OPTIONAL |= {("log_laws", "instances", "regular", key) for key in ("fairness", "penalties")}


@pytest.mark.parametrize("path", LEAVES, ids=".".join)
@settings(max_examples=40)
@given(data=st.data())
def test_wrong_type(path: tuple[str, ...], data: st.DataObject) -> None:
    right = at(FULL, path)
    wrong = data.draw(_wrong(right))
    if wrong is None and path in OPTIONAL:
        return
    lines = problems(changed(".".join(path), wrong, FULL))
    assert any(line.startswith(".".join(path)) for line in lines), lines
    if isinstance(right, list):
        # Of one element as well.
        wrong = data.draw(_wrong(right[0]))
        lines = problems(changed(".".join(path), [*right, wrong], FULL))
        assert any(line.startswith(f"{'.'.join(path)}.{len(right)}") for line in lines), lines


@pytest.mark.parametrize("path", [p for p in SECTIONS if p], ids=".".join)
@pytest.mark.parametrize("value", [[], [1], "text", 3, True])
def test_section_that_is_none(path: tuple[str, ...], value: Any) -> None:
    assert problem(".".join(path), value, FULL).startswith(".".join(path) + ": ")


@pytest.mark.parametrize("setting", EXPERIMENTS)
def test_missing_key(setting: str) -> None:
    config = copy.deepcopy(PAPER)
    del config[setting]["replicates"]
    assert problems(config) == [f"{setting}.replicates: this key is required"]


SUMS = [
    ("setting_1.fairness", [0.2, 1.0], "setting_1.fairness.1"),
    ("setting_2.cases.case_1.fairness", [0.125] * 8, "setting_2.cases.case_1"),
    ("setting_3.fairness", 1, "setting_3.fairness"),
    ("setting_4.fairness", 0.12, "setting_4"),
    ("setting_5.fairness", [1.5], "setting_5.fairness.0"),
    ("crossover.fairness", [0.2, 1.0], "crossover.fairness.1"),
    ("crossover.cases.setting_2_case_1.fairness", [0.125] * 8, "crossover.cases.setting_2_case_1"),
    ("worst_case.fairness", 1.0, "worst_case.fairness"),
    ("two_instances.fairness", 1.25, "two_instances.fairness"),
    ("log_laws.instances.two_arms.fairness", [0.5, 0.5], "log_laws.instances.two_arms"),
    ("log_laws.instances.tau_power_025.fairness_power", 0.1, "log_laws"),
    ("deterministic.theorem_4_1.small_fairness", 0.02, "deterministic.theorem_4_1"),
]


@pytest.mark.parametrize(("path", "value", "named"), SUMS)
def test_fractions_must_leave_something(path: str, value: Any, named: str) -> None:
    line = problem(path, value)
    assert line.startswith(f"{named}: ")
    assert "less than 1" in line or "below 1" in line


def test_lists_of_a_case_must_agree() -> None:
    line = problem("setting_2.cases.case_2.means", [0.5, 0.4])
    assert line.startswith("setting_2.cases.case_2: 2 means but 8 fairness fractions")


LISTS = [p for p in LEAVES if isinstance(at(FULL, p), list)]
OF_ARMS = {"means", "fairness", "penalties"}


@pytest.mark.parametrize("path", LISTS, ids=".".join)
def test_empty_list(path: tuple[str, ...]) -> None:
    line = problem(".".join(path), [], FULL)
    if path[-1] in OF_ARMS and "means but 0" in line:
        # One fraction and rate for each mean: the case is named, and what it lacks.
        assert line.startswith(".".join(path[:-1]) + ": ")
        return
    assert line.startswith(".".join(path) + ": ")
    assert "at least" in line
    assert "[]" in line


@pytest.mark.parametrize(
    "path",
    [
        "setting_2.cases",
        "setting_4.cases",
        "log_laws.instances",
        "deterministic.cases",
        "equal_penalties.cases",
        "lfg_fairness.cases",
    ],
)
def test_no_case(path: str) -> None:
    assert problem(path, {}).startswith(f"{path}: ")


# Means and fractions of arms may repeat; a grid or a list of policies may not.
GRIDS = [p for p in LISTS if not (p[-1] in OF_ARMS and {"cases", "instances"} & set(p))]


@pytest.mark.parametrize("path", GRIDS, ids=".".join)
def test_value_given_twice(path: tuple[str, ...]) -> None:
    values = at(FULL, path)
    line = problem(".".join(path), [*values, values[0]])
    assert line.startswith(".".join(path) + ": ")
    assert "differ" in line or "increase" in line


def test_totals_whose_cases_would_have_one_name() -> None:
    # Cases are named by the total in six digits: K5_tau0.2 would be made twice.
    for setting in ("setting_1", "setting_5"):
        line = problem(f"{setting}.fairness", [0.2, 0.2 + 1e-9])
        assert line.startswith(f"{setting}.fairness")


@given(values=st.lists(st.integers(2, 1000), min_size=2, max_size=5))
def test_horizons_must_increase(values: list[int]) -> None:
    config = changed("setting_1.horizons", values)
    if values == sorted(set(values)):
        assert parse_config(config).section("setting_1").horizons == values
    else:
        (line,) = problems(config)
        assert line.startswith("setting_1.horizons: horizons must increase")
        assert str(values) in line


WITH_POLICIES = [name for name in EXPERIMENTS if "policies" in PAPER[name]]


@pytest.mark.parametrize("setting", WITH_POLICIES)
@pytest.mark.parametrize("name", ["epsilon", "LFG", ""])
def test_unknown_policy(setting: str, name: str) -> None:
    line = problem(f"{setting}.policies", ["hard_threshold_ucb", name])
    assert line.startswith(f"{setting}.policies.1: unknown policy {name!r}")
    for known in POLICIES:
        assert known in line


@pytest.mark.parametrize(
    ("setting", "policy"),
    [
        ("setting_2", "explore_then_commit"),
        ("setting_2", "pond"),
        ("setting_4", "explore_then_commit"),
        ("setting_4", "lfg"),
        ("setting_4", "fair_learn"),
        ("deterministic", "explore_then_commit"),
        ("equal_penalties", "lfg"),
    ],
)
def test_policy_without_a_rule_for_its_tuning(setting: str, policy: str) -> None:
    line = problem(f"{setting}.policies", [policy])
    assert line.startswith(f"{setting}.policies: ")
    assert policy in line
    assert "tuning" in line.lower()


@pytest.mark.parametrize("setting", ["setting_3", "setting_5"])
def test_a_tuning_beside_the_penalty_rate_is_that_of_setting_1(setting: str) -> None:
    for policy in ("explore_then_commit", "primal_dual"):
        assert parse_config(changed(f"{setting}.policies", [policy]))


@pytest.mark.parametrize(
    ("policies", "said"),
    [
        (["math:sqrt"], "policies: Input should be a valid dictionary"),
        ({"mine": 3}, "policies.mine: Input should be a valid string"),
        ({"mine": "math"}, "policies: policy 'math' must be of the form my_module:policy"),
        ({"mine": "math:"}, "policies: policy 'math:' must be of the form my_module:policy"),
        ({"mine": "../math:sqrt"}, "policies: policy '../math:sqrt' must be of the form"),
        ({"mine": "no_such:policy"}, "there is no module 'no_such'; it must lie in the folder"),
        ({"mine": "math:policy"}, "math has no 'policy', and no Policy at all"),
        ({"mine": "math:sqrt"}, "it must be a penalized_bandits.Policy, made of an index or"),
        ({"ucb1": "math:sqrt"}, "policy id 'ucb1' is taken by a policy of the package"),
        ({"my own": "math:sqrt"}, "policy id 'my own' must be a letter, then letters"),
    ],
)
def test_wrong_policies_of_ones_own(policies: Any, said: str) -> None:
    (line,) = problems({**PAPER, "policies": policies})
    assert said in line


def test_policies_of_ones_own_are_those_of_the_last_config() -> None:
    spec = "penalized_bandits.policies.ucb1:POLICY"
    own = {**changed("setting_1.policies", ["mine"]), "policies": {"mine": spec}}
    assert parse_config(own).policies == {"mine": spec}
    assert POLICIES["mine"].index is POLICIES["ucb1"].index
    assert os.environ[VARIABLE] == f"mine={spec}"
    assert parse_config(own, run_policies=False)
    assert VARIABLE not in os.environ
    with pytest.raises(BanditError, match="was not imported"):
        simulate("mine", Instance([0.5, 0.4], 0.1, 0.2, Bernoulli()), 10, engine="plain")
    # Those of an earlier config are gone.
    assert parse_config(PAPER)
    assert "mine" not in POLICIES
    assert "unknown policy 'mine'" in problem("setting_1.policies", ["mine"])


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_can_take_part_in_setting_1(policy: str) -> None:
    assert parse_config(changed("setting_1.policies", [policy]))


def test_more_chunks_than_replicates() -> None:
    config = changed("deterministic.replicates", 100)
    config = changed("movie_crossover.replicates", 100, config)
    assert parse_config(changed("simulation.chunks", 60, config))
    line = problem("simulation.chunks", 61, config)
    assert "simulation.chunks is 61" in line
    assert "60 replicates of crossover" in line


def test_one_job_for_everything_is_one_piece() -> None:
    config = parse_config(changed("simulation", {"jobs": "all", "chunks": 1}))
    assert config.jobs("setting_1") == {"all": ["K5", "K20"]}
    for chunks in ({"chunks": 2}, {"chunks": 1, "chunks_of": {"setting_1": 2}}):
        line = problem("simulation", {"jobs": "all", **chunks})
        assert "simulation: jobs is 'all'" in line
        assert "chunks asks for 2: it must be 1" in line


def test_chunks_do_not_wait_for_what_is_not_random() -> None:
    # One replicate says all of the deterministic constructions: the rest may still be split.
    assert PAPER["deterministic"]["replicates"] == 1
    assert parse_config(changed("simulation.chunks", 2))


def test_chunks_of_one_experiment() -> None:
    config = parse_config(changed("simulation", {"chunks": 2, "chunks_of": {"setting_1": 30}}))
    assert [config.parts(name) for name in ("setting_1", "setting_5", "deterministic")] == [
        30,
        2,
        1,
    ]
    line = problem("simulation", {"chunks_of": {"crossover": 61}})
    assert "simulation.chunks_of.crossover is 61" in line
    assert "60 replicates of crossover" in line
    line = problem("simulation", {"chunks_of": {"setting_9": 2}})
    assert line.startswith("simulation.chunks_of.setting_9: ")
    assert "setting_5" in line


@pytest.mark.parametrize("chunks", [0, -1])
def test_chunks_below_one(chunks: int) -> None:
    assert problem("simulation.chunks", chunks).startswith("simulation.chunks: ")


@pytest.mark.parametrize("source", ["archive", "table"])
def test_source_without_what_it_needs(source: str) -> None:
    line = problem("movielens", {"source": source})
    assert line.startswith("movielens: ")
    assert f"movielens.{source} must" in line


def test_unknown_data_set() -> None:
    line = problem("movielens.dataset", "movielens_2m")
    for known in ("100k", "1m", "10m", "20m", "25m", "32m"):
        assert f"movielens_{known}" in line
    assert "got 'movielens_2m'" in line


@pytest.mark.parametrize(
    ("section", "remedy"),
    [
        ({"source": "archive"}, "a path to ml-25m.zip"),
        ({"source": "bundled"}, "'archive' with a local copy"),
        ({"source": "table", "table": {"path": "mine.csv"}}, "dataset must be left out"),
    ],
)
def test_another_data_set_cannot_be_had_in_every_way(
    section: dict[str, object], remedy: str
) -> None:
    line = problem("movielens", {"dataset": "movielens_25m", **section})
    assert line.startswith("movielens: ")
    assert remedy in line


def test_unknown_source() -> None:
    line = problem("movielens.source", "grouplens")
    for known in ("auto", "download", "archive", "bundled", "table"):
        assert f"'{known}'" in line
    assert "got 'grouplens'" in line


NUMBERS = [p for p in LEAVES if isinstance(at(FULL, p), (int, float))]
OF_NUMBERS = [p for p in LISTS if isinstance(at(FULL, p)[0], (int, float))]


@pytest.mark.parametrize("path", NUMBERS + OF_NUMBERS, ids=".".join)
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -1])
def test_number_out_of_bounds(path: tuple[str, ...], number: float) -> None:
    right = at(FULL, path)
    value = [number, *right[1:]] if isinstance(right, list) else number
    lines = problems(changed(".".join(path), value, FULL))
    assert all(line.startswith(".".join(path)) for line in lines), lines
    assert any(repr(number) in line for line in lines), lines


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("setting_1.replicates", 0),
        ("setting_2.scale_points", 1),
        ("setting_3.tuning_values", 1),
        ("setting_3.m0", [0]),
        ("setting_5.horizon", 0),
        ("setting_5.arms", [0]),
        ("setting_2.cases.case_1.means", [1.5] * 8),
        ("movielens.timeout_seconds", 0),
        ("seed", 2**63),
    ],
)
def test_bounds(path: str, value: Any) -> None:
    lines = problems(changed(path, value))
    assert all(line.startswith(path) for line in lines)


@pytest.mark.parametrize("name", ["case/3", "case.3", "../case", "", "case 3\n"])
def test_case_names_are_file_names(name: str) -> None:
    case = PAPER["setting_2"]["cases"]["case_1"]
    config = copy.deepcopy(PAPER)
    config["setting_2"]["cases"][name] = case
    (line,) = problems(config)
    assert line.startswith("setting_2.cases")
    assert repr(name) in line or name in line


def test_row_of_figure_4_is_in_the_case_name() -> None:
    case = PAPER["setting_4"]["cases"]["critical_1"]
    line = problem("setting_4.cases", {"easy_1": case})
    assert "easy_1" in line
    assert "noncritical_" in line


def test_several_errors_are_reported_at_once() -> None:
    config = copy.deepcopy(PAPER)
    config["seed"] = "x"
    config["colour"] = "blue"
    config["setting_1"]["arms"] = []
    config["setting_2"]["horizon"] = 1.5
    del config["setting_5"]["rewards"]
    keys = {line.partition(":")[0] for line in problems(config)}
    assert keys == {"seed", "colour", "setting_1.arms", "setting_2.horizon", "setting_5.rewards"}


def test_a_long_value_is_cut_short() -> None:
    line = problem("setting_1.horizons", "x" * 1000)
    assert len(line) < 300
    assert "..." in line


# --- Files -----------------------------------------------------------------------


def test_later_files_replace_keys_of_earlier_ones(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "seed: 3\n"
        "setting_1: {horizons: [10, 20]}\n"
        "setting_2:\n  cases:\n    case_3: {means: [0.9, 0.1], fairness: [0.1, 0.1]}\n",
        encoding="utf-8",
    )
    merged = load_config(ROOT / "config/config.yaml", mine)
    assert merged.seed == 3
    # Lists are replaced whole, sections are merged, cases are added.
    assert merged.section("setting_1").horizons == [10, 20]
    assert merged.section("setting_1").arms == [5, 20]
    assert list(merged.section("setting_2").cases) == ["case_1", "case_2", "case_3"]


# Letters name sections in both files, numbers values: Snakemake fails where they differ.
VALUES = st.one_of(st.none(), st.integers(0, 9), st.lists(st.integers(0, 9), max_size=2))
LEVEL = st.dictionaries(st.sampled_from("123"), VALUES, max_size=3)
TREES = st.recursive(
    LEVEL,
    lambda inner: st.tuples(LEVEL, st.dictionaries(st.sampled_from("ab"), inner)).map(
        lambda pair: {**pair[0], **pair[1]}
    ),
    max_leaves=6,
)


@given(first=TREES, second=TREES)
def test_merging_is_snakemakes(first: dict[str, Any], second: dict[str, Any]) -> None:
    from snakemake.utils import update_config

    from penalized_bandits.config.files import merge

    ours, theirs = copy.deepcopy(first), copy.deepcopy(first)
    merge(ours, copy.deepcopy(second))
    update_config(theirs, copy.deepcopy(second))
    assert ours == theirs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed: [1", "is not YAML"),
        ("- seed\n- 3\n", "must hold keys and values, not list"),
        ("", "must hold keys and values, not NoneType"),
    ],
)
def test_files_that_are_no_config(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(words)) as caught:
        load_config(ROOT / "config/config.yaml", path)
    assert str(path) in str(caught.value)


# --- Documentation ---------------------------------------------------------------


def _model_in(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    """Return the section that an annotation holds, and whether it is one of many by name."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    by_name = getattr(annotation, "__origin__", None) is dict
    for inner in get_args(annotation):
        model, _ = _model_in(inner)
        if model is not None:
            return model, by_name
    return None, False


def schema_keys(model: type[BaseModel] = Config, prefix: str = "") -> Iterator[str]:
    """Yield the dotted key of everything that the config may say."""
    for name, field in model.model_fields.items():
        inner, by_name = _model_in(field.annotation)
        if inner is None:
            yield prefix + name
        else:
            yield from schema_keys(inner, f"{prefix}{name}.*." if by_name else f"{prefix}{name}.")


def test_readme_explains_every_key_and_no_other() -> None:
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([^`]+)` \| (.*) \| .* \|$", text)
    keys = [key for key, _ in rows]
    assert len(keys) == len(set(keys))
    assert set(keys) == set(schema_keys())
    assert all(len(meaning) >= 8 for _, meaning in rows)
    # The schema was read to its leaves.
    assert {"seed", "movielens.table.path", "setting_2.cases.*.means"} <= set(keys)


def test_readme_names_every_policy() -> None:
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    line = re.search(r"(?s)\*\*Policies:\*\*(.*?)\n\n", text)
    assert line is not None
    assert re.findall(r"`(\w+)`", line[1]) == list(POLICIES)


# --- Cost ------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["config", "workflow.made_with", "workflow.job", "figures"])
def test_reading_the_config_imports_nothing_heavy(module: str) -> None:
    # Every job of the workflow imports these.
    code = (
        "import sys\n"
        f"import penalized_bandits.{module}\n"
        "print(*{name.partition('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    imported = set(done.stdout.split())
    assert "penalized_bandits" in imported
    heavy = {
        "numba",
        "llvmlite",
        "pandas",
        "matplotlib",
        "seaborn",
        "scipy",
        "pyarrow",
        "snakemake",
    }
    assert not imported & heavy
