"""Errors of the config, one by one: the key, what is wrong with it, and why."""

import copy
import json
import math
import os
import re
import tracemalloc
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from config_helpers import PAPER, changed, problem, problems
from fuzz_helpers import BOMB, SMALL, outcome_of
from penalized_bandits import POLICIES
from penalized_replication.common.errors import ConfigError
from penalized_replication.config.files import check_entries, read
from penalized_replication.config.model import parse_config
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.experiments.own_policies import VARIABLE

SOURCES = [f"'{source}'" for source in ("auto", "download", "archive", "bundled", "table")]

CASE = "setting_2.cases.case_1"
TWICE = [0.2, 0.2 + 1e-9]
"""Cases are named by the total in six digits: K5_tau0.2 would be made twice."""
ALIKE = {"means": [0.5, 0.4], "fairness": [0.1, 0.1]}
A_CELL = {**PAPER["crossover"], "fairness": [0.0], "cases": {"K5_tau0": ALIKE}}
REGULAR, D, H = "log_laws.instances.regular", "deterministic", "setting_1.horizons"
SUM = ("less than or equal to 0.999999999999|below 1",)
TUNING, SETTING, C = ("[Tt]uning",), ("setting_5",), "setting_4.cases.critical_1"
WRONG: list[tuple[str, Any, str, tuple[str, ...]]] = [
    # Fractions must leave something.
    ("setting_1.fairness", [0.2, 1.0], "setting_1.fairness, value 2", SUM),
    (f"{CASE}.fairness", [0.125] * 8, CASE, SUM),
    ("setting_4.fairness", 0.12, "setting_4", SUM),
    ("worst_case.fairness", 1.0, "worst_case.fairness", SUM),
    ("log_laws.instances.two_arms.fairness", [0.5, 0.5], "log_laws.instances.two_arms", SUM),
    ("setting_1.fairness", TWICE, "setting_1.fairness", ()),
    # Cases.
    (f"{CASE}.means", [0.5, 0.4], CASE, ("2 means but 8 fairness",)),
    *(
        (f"{name}.cases", {}, f"{name}.cases", ())
        for name in ("setting_2", "setting_4", "deterministic", "equal_penalties", "lfg_fairness")
    ),
    ("log_laws.instances", {}, "log_laws.instances", ()),
    (f"{C}.group", "easy", C, ("noncritical",)),
    *(
        ("setting_2.cases", {name: ALIKE}, "setting_2.cases", (re.escape(repr(name)[1:-1]),))
        for name in ("case/3", "case.3", "../case", "", "case 3\n", "a" * 101)
    ),
    ("crossover", A_CELL, "crossover", ("cases.K5_tau0 has the name of a cell",)),
    # Instances of log_laws, where either a number or a law may be given, and constructions.
    (f"{REGULAR}.fairness_power", 0.5, REGULAR, ("give either fairness or fairness_power",)),
    (f"{REGULAR}.penalty_margin", 1.0, REGULAR, ("give either penalties or penalty_margin",)),
    (f"{REGULAR}.fairness", [0.1] * 4, REGULAR, ("5 means but 4 fairness",)),
    (f"{REGULAR}.penalties", [1.0], REGULAR, ("5 means but 1 penalties",)),
    (f"{REGULAR}.policies", ["lfg"], f"{REGULAR}.policies", ("without a tuning of their own",)),
    (f"{REGULAR}.label", "$x$", f"{REGULAR}.label", ("String should match pattern",)),
    (f"{REGULAR}.fairness_power", 1.0, f"{REGULAR}.fairness_power", ("less than 1",)),
    ("log_laws.horizons", [500, 1000], "log_laws", ("of tau_power_025 at the horizon 500 sum",)),
    (f"{D}.theorem_4_1.small", [2, 60], f"{D}.theorem_4_1", ("fractions sum to 1.2",)),
    (f"{D}.cases.theorem_4_1_K11.arms", 200, f"{D}.cases.theorem_4_1_K11", ("sum to 1.099",)),
    (f"{D}.theorem_4_1.best_mean", 0.1, f"{D}.theorem_4_1", ("best_mean must be above mean",)),
    (f"{D}.theorem_4_6.penalty", 0.5, f"{D}.theorem_4_6", ("0.5 must be below the gap 0.5",)),
    (f"{D}.theorem_4_6.arms", 7, f"{D}.theorem_4_6", ("fairness fractions sum to 1.05",)),
    (f"{D}.theorem_4_7.critical_penalty", 0.2, f"{D}.theorem_4_7", ("above critical_gap",)),
    (f"{D}.theorem_4_7.non_critical_penalty", 0.4, f"{D}.theorem_4_7", ("must be below",)),
    (f"{D}.theorem_4_7.level", 0.0, f"{D}.theorem_4_7.level", ("greater than 0",)),
    (f"{D}.theorem_4_7.critical_gap", 1e-200, f"{D}.theorem_4_7.critical_gap", ()),
    (f"{D}.horizons", [20], D, ("fairness fractions of theorem_4_7 at the horizon",)),
    (f"{D}.horizons", [1000, 1001], D, (r"rounds the horizons to \[1002, 1002\]",)),
    ("equal_penalties.cases.case_1.means", [0.5] * 8, "equal_penalties", ("means are the same",)),
    # Horizons and numbers.
    ("setting_2.horizon", 7, "setting_2", ("7 leaves some of the 8 arms of cases.case_1 without",)),
    ("two_instances.penalty", 1e300, "two_instances.penalty", ()),
    (H, ["1e3"], f"{H}, value 1", (r"integer; YAML reads 1e3 as text: write 1000 \(got '1e3'\)$",)),
    ("seed", "08", "seed", ("YAML reads 08 as text: write 8 ",)),
    ("seed", "50", "seed", ("write it without quotes",)),
    ("seed", "0o17", "seed", (r"valid integer \(got '0o17'\)$",)),
    *(
        (f"{C}.label", value, C, ("numbers, dates, yes, no, on and off for text only in quotes",))
        for value in (True, False, date(2020, 1, 1))
    ),
    ("setting_2.scale_points", 1, "setting_2.scale_points", ()),
    ("setting_3.tuning_values", 1, "setting_3.tuning_values", ("got 1", "2")),
    *((key, 0, key, ()) for key in ("setting_1.replicates", "setting_5.horizon")),
    *((key, [0], key, ()) for key in ("setting_3.m0", "setting_5.arms")),
    ("seed", 2**63, "seed", ()),
    # Policies.
    *(
        (f"{name}.policies", ["hard_threshold_ucb", "LFG"], f"{name}.policies, value 2", (said,))
        for name in EXPERIMENTS
        if "policies" in PAPER[name]
        for said in ("unknown policy 'LFG': did you mean lfg",)
    ),
    ("setting_1.policies", ["ucb1", ""], "setting_1.policies, value 2", ("policy ''",)),
    *(
        ("policies", own, "policies", (said,))
        for own, said in (
            ({"mine": 3}, "policies.mine: Input should be a valid string"),
            ({"mine": "math"}, "policy 'math' must be of the form my_module:policy"),
            ({"mine": "../math:sqrt"}, "policy '../math:sqrt' must be of the form"),
            ({"mine": "no_such:policy"}, "there is no module 'no_such'; it must lie in the folder"),
            ({"mine": "math:sqrt"}, "'math:sqrt' is no penalized_bandits.Policy: there are none"),
            ({"ucb1": "math:sqrt"}, "policy id 'ucb1' is taken by a policy of the package"),
            ({"my own": "math:sqrt"}, "policy id 'my own' must be a letter, then letters"),
        )
    ),
    *(
        (f"{setting}.policies", [policy], f"{setting}.policies", (policy, *TUNING))
        for setting, refused in (
            ("setting_2", "explore_then_commit pond"),
            ("setting_4", "explore_then_commit lfg fair_learn"),
            ("deterministic", "explore_then_commit"),
            ("equal_penalties", "lfg"),
        )
        for policy in refused.split()
    ),
    # How the work is split.
    ("simulation.chunks", 0, "simulation.chunks", ()),
    ("simulation", {"chunks_of": {"setting_9": 2}}, "simulation.chunks_of.setting_9", SETTING),
    # Ratings.
    ("movielens", {"source": "archive"}, "movielens", ("movielens.archive must", "ml-1m.zip")),
    ("movielens", {"source": "archive", "archive": "{a}.zip"}, "movielens", ("without bra",)),
    ("movielens", {"source": "table"}, "movielens", ("movielens.table must",)),
    ("movielens.table", {"path": "a\nb.csv"}, "movielens.table.path", ()),
    ("movielens.source", "grouplens", "movielens.source", ("got 'grouplens'", *SOURCES)),
    ("movielens.url", "file:///etc/passwd", "movielens.url", ("got 'file:///etc/passwd'", "http")),
    ("movielens.table", {"path": "a.csv", "user": "item"}, "movielens.table", ("one for each",)),
]


@pytest.mark.parametrize(("path", "value", "named", "said"), WRONG)
def test_the_error_names_the_key(path: str, value: Any, named: str, said: tuple[str, ...]) -> None:
    line = problem(path, value)
    assert line.startswith(named)
    for words in said:
        assert re.search(words, line), line


def test_every_policy_can_take_part() -> None:
    for policy in POLICIES:
        assert parse_config(changed("setting_1.policies", [policy]))
    # A tuning beside the penalty rate is that of Setting 1.
    for setting in ("setting_3", "setting_5"):
        for policy in ("explore_then_commit", "primal_dual"):
            assert parse_config(changed(f"{setting}.policies", [policy]))


def test_policies_of_ones_own_are_those_of_the_last_config() -> None:
    spec = "penalized_bandits.policies.paper.hard_threshold_ucb:CLASSICAL"
    own = {**changed("setting_1.policies", ["mine"]), "policies": {"mine": spec}}
    assert parse_config(own).policies == {"mine": spec}
    assert POLICIES["mine"].index is POLICIES["ucb1"].index
    assert os.environ[VARIABLE] == f"mine={spec}"
    # Those of an earlier config are gone.
    assert parse_config(PAPER)
    assert "mine" not in POLICIES
    assert "unknown policy 'mine'" in problem("setting_1.policies", ["mine"])


def test_chunks_of_one_experiment() -> None:
    config = parse_config(changed("simulation", {"chunks": 2, "chunks_of": {"setting_1": 30}}))
    parts = [config.parts(name) for name in ("setting_1", "setting_5", "deterministic")]
    assert parts == [30, 2, 1]


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


# --- Files: YAML that is none, that names code, that never ends --------------------

BASE = yaml.safe_dump(SMALL, sort_keys=False)
MARK = "ran"
"""A file that appears if code in a config file is run."""
RUNS = f"open('{MARK}', 'w').close()"

# What is said of each file; every one of them is refused.
BAD: dict[str, tuple[bytes, str]] = {
    "cut short": (b"seed: [1", "is not YAML"),
    "tabs": (b"setting_1:\n\treplicates: 3\n", "is not YAML"),
    "empty": (b"# nothing\n", "must hold keys and values: it is empty"),
    "a key twice": (b"seed: 1\n\nseed: 2\n", ".yaml, line 3: the key 'seed' is already in line 1"),
    "a nested key twice": (b"setting_2:\n  x: 1\n  'x': 2\n", "line 3: the key 'x'"),
    "an octal": (b"a: {b: 1, c: 010}\n", ".yaml, line 1: a.c: 010 is 8 in YAML 1.1: write numbers"),
    "minutes": (b"a:\n  - 3\n  - 1:30\n", ".yaml, line 3: a: 1:30 is 90 in YAML 1.1"),
    "binary": (b"a: &x {b: 0b11}\nc: *x\n", "line 1: a.b: 0b11 is 3"),
    "thousands": (b"a: 1_000\n", "line 1: a: 1_000 is 1000"),
    "thousands in a fraction": (b"a: -1_0.5\n", "line 1: a: -1_0.5 is -10.5"),
    "a key that is an octal": (b"a: {010: x}\n", "line 1: a: 010 is 8"),
    "a key twice in JSON": (b'{\n\t"seed": 1,\n\t"seed": 2\n}\n', "line 3: the key 'seed' is al"),
    "a list": (b"- seed\n", "must hold keys and values"),
    "two documents": (b"seed: 1\n---\nseed: 2\n", "is not YAML"),
    "Latin-1": (b"\nseed: 3 # \xe9\n", "is not UTF-8 in line 2"),
    "a day that is none": (b"seed: 2020-99-99\n", "is not YAML: month must be in 1..12"),
    "thousands of digits": (b"seed: " + b"9" * 5000, "is not YAML"),
    "a key that is a list": (b"? [a, b]\n: 1\n", "is not YAML"),
    "a key that is a number": (b"1: 2\n", "line 1: 1 is no key"),
    "aliases upon aliases": (BOMB.encode(), "unknown key"),
    "aliases in a known key": (BOMB.replace("i: &i", "seed: &i").encode(), "seed: "),
    "a list in itself": (b"seed: &s [*s]\n", "seed: "),
    "code by a tag": (f'seed: !!python/object/apply:exec ["{RUNS}"]\n'.encode(), "is not YAML"),
    "a function by a tag": (b"seed: !!python/name:os.system\n", "is not YAML"),
    "code by a template": (
        f'__use_yte__: true\nseed: "?exec(\\"{RUNS}\\")"\n'.encode(),
        "__use_yte__: unknown key",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of the test's own, with the valid config in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", BAD)
def test_bad_files(folder: Path, name: str) -> None:
    data, words = BAD[name]
    base, mine = Path("base.yaml"), Path("mine.yaml")
    mine.write_bytes(data)
    tracemalloc.start()
    _, said = outcome_of(lambda: parse_config(read(base) | read(mine)), ConfigError)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6
    assert said is not None
    assert words in said
    assert len(said) < 10_000
    if words.startswith(("is not", "must")):
        assert said.startswith("mine.yaml ")
    assert not (folder / MARK).exists()


def test_usual_numbers_are_read(folder: Path) -> None:
    values = [0, -3, 7, 0.5, 10.0, 1e300, -0.001, math.inf]
    for text in (yaml.safe_dump({"a": values}), json.dumps({"a": values[:5]}, indent="\t")):
        Path("mine.yaml").write_text(text, encoding="utf-8")
        found = read(Path("mine.yaml"))["a"]
        assert found == values[: len(found)]


def test_numbers_of_the_file_of_another_workflow_pass(folder: Path) -> None:
    Path("host.yaml").write_text("reads: 1_000\nours: {seed: 3}\n", encoding="utf-8")
    assert read(Path("host.yaml"), {"seed": 3})["reads"] == 1000
    with pytest.raises(ConfigError, match=r"host\.yaml, line 1: reads: 1_000 is 1000 in YAML 1\.1"):
        read(Path("host.yaml"), {"reads": 1000, "ours": {}})


@pytest.mark.parametrize("entry", ["seed=010", "seed=1_000", "seed=-007"])
def test_numbers_of_config_are_decimal(entry: str) -> None:
    check_entries(["seed=10", "seed=0", "x=010", "policies=0abc"], {"seed": 10, "policies": {}})
    with pytest.raises(ConfigError, match=f"^--config {entry}: write numbers in decimal digits"):
        check_entries(["seed=8", entry], {"seed": 8})


def test_files_that_are_not_there(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml cannot be read: No such file"):
        read(Path("none.yaml"))
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        read(folder)
