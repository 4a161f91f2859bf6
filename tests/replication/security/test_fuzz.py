"""Configs under fuzzing: an error that names the place, or what is right."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from fuzz_helpers import Edits, changed, changes, outcome_of
from judged_helpers import Tables, judged
from judged_helpers import unchanged_fixture as unchanged_fixture
from penalized_bandits.common.errors import UserError
from penalized_replication.common.errors import ConfigError
from penalized_replication.config.model import BaseConfig, parse_config
from penalized_replication.experiments.catalogue import EXPERIMENTS


def _largest(value: Any) -> float:
    if isinstance(value, dict):
        return max([_largest(inner) for inner in value.values()], default=0)
    if isinstance(value, list):
        return max([len(value), *(_largest(inner) for inner in value)])
    return value if isinstance(value, int) else 0


def is_small(config: BaseConfig, experiment: str) -> bool:
    values = config.section(experiment).model_dump()
    # Thresholds choose among the arms there are.
    values.pop("m0", None)
    return values["replicates"] <= 10 and _largest(values) <= 500


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(changes())
def test_a_valid_config_can_be_judged_and_drawn(
    tmp_path_factory: pytest.TempPathFactory, unchanged: Tables, edits: Edits
) -> None:
    if outcome_of(lambda: parse_config(changed(edits)), ConfigError)[1] is not None:
        return
    config, folder = parse_config(changed(edits)), tmp_path_factory.mktemp("judged")
    edited = {path[0] for path, _ in edits}
    names = [name for name in EXPERIMENTS if name in edited and is_small(config, name)]
    try:
        judged(config, names, unchanged, folder)
    except UserError as error:
        # The ratings decide which thresholds are possible.
        if "m0" not in str(error):
            raise
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("log_laws.instances.two_arms.fairness", [0.0, 0.3]),
        ("setting_2.cases.case_1.fairness", [0.0, *[0.0625] * 7]),
        ("worst_case.fairness", 0.75),
    ],
)
def test_fractions_at_an_edge(tmp_path: Path, unchanged: Tables, key: str, value: Any) -> None:
    config, name = parse_config(changed([(tuple(key.split(".")), value)])), key.partition(".")[0]
    assert judged(config, [name], unchanged, tmp_path).results


def test_cases_of_different_sizes_and_no_regret(tmp_path: Path, unchanged: Tables) -> None:
    edits: Edits = [
        (("setting_2", "cases", "few"), {"means": [1.0], "fairness": [0.25]}),
        (("crossover", "cases", "alike"), {"means": [0.5, 0.5], "fairness": [0.0, 0.0]}),
        (("crossover", "horizons"), [20]),
        # A lower bound of 0, and tunings from 0 to 0.
        (("deterministic", "theorem_4_6", "fairness"), 0.0),
        (("setting_3", "fairness"), 0.0),
    ]
    names = ["setting_2", "crossover", "deterministic", "setting_3"]
    done = judged(parse_config(changed(edits)), names, unchanged, tmp_path)
    assert {"figure_2", "figure_3", "theory_crossover"} <= set(done.captions)
    assert {"C16", "C19", "C26", "C28"} <= set(done.results)
