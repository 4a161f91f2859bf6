"""The config under fuzzing: refused with the key named, or taken and then of use.

What is taken must give jobs that do not collide and parts that hold every replicate, and
where it is small enough be simulated, summarised, judged and drawn: nothing that no sense
can be made of may be found out only in the middle of a run.
"""

import copy
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fuzz_helpers import SMALL, Edits, changed, changes, fuzz, outcome_of
from judged_helpers import judged, simulated
from penalized_bandits.common.errors import ConfigError, UserError
from penalized_bandits.common.section import brief
from penalized_bandits.config import BaseConfig, parse_config
from penalized_bandits.experiments.base import part_of
from penalized_bandits.experiments.catalogue import EXPERIMENTS


def refused(edits: Edits) -> str | None:
    """Return what is said of a changed config; None if it is taken."""
    return outcome_of(lambda: parse_config(changed(edits)), ConfigError)[1]


def check_consistent(config: BaseConfig) -> None:
    """Check what the workflow takes for granted of a config."""
    values = config.model_dump()
    assert parse_config(json.loads(json.dumps(values))) == config
    for name in EXPERIMENTS:
        parts, expected = config.parts(name), 0
        for part in range(1, parts + 1):
            first, number = part_of(config.section(name).replicates, part, parts)
            assert first == expected
            assert number >= 1
            expected += number
        assert expected == config.section(name).replicates


@fuzz(150)
@given(changes())
def test_refused_with_the_key_named_or_consistent(edits: Edits) -> None:
    said = refused(edits)
    if said is None:
        check_consistent(parse_config(changed(edits)))
        return
    head, *lines = said.splitlines()
    assert head == "the config is wrong:"
    assert lines
    assert len(said) < 50_000
    tops = [path[0] for path, _ in edits]
    for line in lines:
        assert line.startswith("  ")
        assert line.isprintable()
        assert any(top in line or brief(top) in line for top in tops), line


# --- What is taken is of use -------------------------------------------------------


def _largest(value: Any) -> float:
    if isinstance(value, dict):
        return max([_largest(inner) for inner in value.values()], default=0)
    if isinstance(value, list):
        return max([len(value), *(_largest(inner) for inner in value)])
    return value if isinstance(value, int) else 0


def takes_no_time(config: BaseConfig, experiment: str) -> bool:
    """Say whether an experiment is small enough to be run here."""
    values = config.section(experiment).model_dump()
    # Thresholds choose among the arms there are.
    values.pop("m0", None)
    return values["replicates"] <= 10 and _largest(values) <= 500


def taken(edits: Edits) -> tuple[BaseConfig, list[str]]:
    """Return a changed config and the experiments changed; none if it is refused."""
    if refused(edits) is not None:
        return parse_config(SMALL), []
    config = parse_config(changed(edits))
    names = dict.fromkeys(path[0] for path, _ in edits if path[0] in EXPERIMENTS)
    return config, [name for name in names if takes_no_time(config, name)]


@fuzz(40)
@given(changes(most=1))
def test_what_is_taken_can_be_simulated(
    tmp_path_factory: pytest.TempPathFactory, edits: Edits
) -> None:
    config, names = taken(edits)
    folder = tmp_path_factory.mktemp("simulated")
    try:
        for name in names:
            simulated(config, name, folder)
    except UserError as error:
        # The ratings at hand decide which thresholds make sense.
        if "m0" not in str(error):
            raise
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Simulate every experiment of the valid config."""
    folder = tmp_path_factory.mktemp("unchanged")
    config = parse_config(SMALL)
    return {name: simulated(config, name, folder) for name in EXPERIMENTS}


@fuzz(8)
@given(changes(most=1))
def test_what_is_taken_can_be_judged_and_drawn(
    tmp_path_factory: pytest.TempPathFactory, unchanged: dict[str, list[Path]], edits: Edits
) -> None:
    config, names = taken(edits)
    folder = tmp_path_factory.mktemp("judged")
    try:
        judged(config, names, unchanged, folder)
    except UserError as error:
        if "m0" not in str(error):
            raise
    finally:
        shutil.rmtree(folder)


# --- What fuzzing found ------------------------------------------------------------


def _with(path: str, value: Any) -> Edits:
    return [(tuple(path.split(".")), value)]


LISTS = {"means": [0.5, 0.4], "fairness": [0.1, 0.1]}
FOUND: dict[str, tuple[Edits, str]] = {
    "division by a gap of zero": (
        _with("deterministic.theorem_4_7.critical_gap", 0.0),
        "deterministic.theorem_4_7.critical_gap: ",
    ),
    "division by the square of a gap": (
        _with("deterministic.theorem_4_7.critical_gap", 1e-200),
        "deterministic.theorem_4_7.critical_gap: ",
    ),
    "a period without end": (
        _with("deterministic.theorem_4_1.small_fairness", 5e-324),
        "deterministic.theorem_4_1.small_fairness: ",
    ),
    "two horizons rounded to one": (
        _with("deterministic.horizons", [1000, 1001]),
        "deterministic: theorem_4_1 rounds the horizons to [1002, 1002]",
    ),
    "a case with the name of a cell": (
        [
            (("crossover", "fairness"), [0.0]),
            (("crossover", "cases", "K3_tau0"), LISTS),
        ],
        "crossover: cases.K3_tau0 has the name of a cell",
    ),
    "a name too long for a file": (
        _with(f"setting_2.cases.{'a' * 101}", LISTS),
        "at most 100",
    ),
    "fractions that round to one": (
        _with("setting_1.fairness", [math.nextafter(1, 0)]),
        "setting_1.fairness, value 1: fairness fraction 0.9999999999999999 is within rounding of 1",
    ),
    "a sum that rounds to one": (
        _with("setting_2.cases.case_1", {"means": [0.5] * 3, "fairness": [1 / 3] * 3}),
        "setting_2.cases.case_1: fairness fractions sum to 1",
    ),
    "arms that fill the memory": (_with("setting_1.arms", [10**9]), "setting_1.arms, value 1: "),
    "a threshold beyond 64 bits": (_with("setting_3.m0", [10**30]), "setting_3.m0, value 1: "),
    "a penalty whose square overflows": (_with("two_instances.penalty", 1e300), "penalty: "),
    "gaps that the first large one would end": (
        _with("worst_case.gaps", [32.0, 0.25]),
        "worst_case.gaps: values must increase",
    ),
    "means that are the same but for rounding": (
        _with("equal_penalties.cases.case_2", {**LISTS, "means": [1e-38, 0.0]}),
        "equal_penalties.cases.case_2: all means are the same",
    ),
    "a number without a text": (_with("seed", 16**5000), "(got int too long to show)"),
    "a path with a wildcard": (
        _with("movielens", {"source": "archive", "archive": "{group}.zip"}),
        "movielens.archive: must be the path of a file, without braces",
    ),
    "a path in two lines": (
        _with("movielens", {"source": "table", "table": {"path": "a\nb.csv"}}),
        "movielens.table.path: ",
    ),
    "one round": (_with("setting_4.horizon", 1), "setting_4.horizon: Input should be greater"),
    "fewer rounds than arms": (
        _with("setting_2.horizon", 7),
        "setting_2: horizon 7 leaves some of the 8 arms of cases.case_1 without a pull: it must",
    ),
    "fewer rounds than arms in a study": (
        _with("equal_penalties.horizons", [7, 40]),
        "equal_penalties: horizon 7 leaves some of the 8 arms of cases.case_1",
    ),
    "an instance without the policy of its law": (
        _with("log_laws.instances.regular.policies", ["ucb1"]),
        "log_laws.instances.regular: policies must have hard_threshold_ucb",
    ),
    "many errors": (_with("setting_1.arms", ["x"] * 60), "and 10 errors more"),
}


@pytest.mark.parametrize("name", FOUND)
def test_refused(name: str) -> None:
    edits, words = FOUND[name]
    said = refused(edits)
    assert said is not None
    assert words in said, said


def test_a_value_that_holds_others_without_number_is_shown_short() -> None:
    inner: Any = "x"
    for _ in range(60):
        inner = [inner] * 9
    recursive: list[Any] = []
    recursive.append(recursive)
    for value in (inner, recursive, {"a": inner}):
        said = refused([(("seed",), value), (("colour",), value)])
        assert said is not None
        assert said.count("\n") == 2
        assert len(said) < 1000


def test_total_at_its_limit_is_taken_and_simulated(tmp_path: Path) -> None:
    total = 1 - 1e-12
    for n_arms in (1, 3, 7, 119):
        config = parse_config(
            changed(
                [
                    (("setting_1", "fairness"), [total]),
                    (("setting_1", "arms"), [n_arms]),
                    (("setting_1", "horizons"), [5]),
                ]
            )
        )
        assert simulated(config, "setting_1", tmp_path)


def test_cases_with_different_numbers_of_arms_and_no_regret(
    tmp_path: Path, unchanged: dict[str, list[Path]]
) -> None:
    alike = {"means": [0.5, 0.5], "fairness": [0.0, 0.0]}
    few = {"means": [1.0], "fairness": [0.25]}
    edits: Edits = [
        (("setting_2", "cases", "few"), few),
        (("crossover", "cases", "alike"), alike),
        (("crossover", "horizons"), [20]),
        # A lower bound of 0, and tunings from 0 to 0.
        (("deterministic", "theorem_4_6", "fairness"), 0.0),
        (("setting_3", "fairness"), 0.0),
    ]
    names = ["setting_2", "crossover", "deterministic", "setting_3"]
    done = judged(parse_config(changed(edits)), names, unchanged, tmp_path)
    assert {"figure_2", "figure_3", "theory_crossover"} <= set(done.captions)
    assert {"C16", "C19", "C26", "C28"} <= set(done.rows)


def test_the_valid_config_is_valid() -> None:
    check_consistent(parse_config(copy.deepcopy(SMALL)))
