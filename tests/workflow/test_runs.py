"""Which experiments a scenario simulates, and the keys of the config as params of Snakemake."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from config_helpers import CONFIG, PAPER, ROOT
from extended_helpers import TINY_EXTENDED
from penalized_replication.claims import CLAIMS
from penalized_replication.common.errors import ConfigError
from penalized_replication.common.section import leaves
from penalized_replication.config import BaseConfig
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.experiments.catalogue import EXPERIMENTS, beyond, experiment
from penalized_replication.figures import SHARP_FIGURES
from penalized_replication.workflow.paths import Files, claims_files
from penalized_replication.workflow.runs import Run, config_params

FILES = Files(Scenarios(PAPER, ROOT / "config/scenarios.yaml"))
SHARP = FILES.runs.config("scenarios/sharp/")
PARAMS = {name: Run(SHARP, name).params for name in SHARP.experiments}
WHOLE = {"paper": (CONFIG, config_params(CONFIG)), "sharp": (SHARP, config_params(SHARP))}


def keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of nested values that say something."""
    return {key: value for key, value in leaves(values) if value not in ({}, None)}


@pytest.mark.parametrize("name", PARAMS)
def test_no_key_of_a_section_is_lost(name: str) -> None:
    section = keys({name: SHARP.section(name).model_dump(mode="json")})
    given = {key: value for param in PARAMS[name] for key, value in keys(param).items()}
    assert {key: given.get(key) for key in section} == section
    assert given["seed"] == CONFIG.seed


@pytest.mark.parametrize(("config", "params"), WHOLE.values(), ids=WHOLE)
def test_no_key_of_the_config_is_lost(config: BaseConfig, params: list[dict[str, Any]]) -> None:
    given = {key: value for param in params for key, value in keys(param).items()}
    assert given == keys(config.model_dump(mode="json"))


@pytest.mark.parametrize("reading", CONFIG.readings.model_dump())
def test_a_reading_simulates_what_depends_on_it(reading: str) -> None:
    folder = f"scenarios/{reading}/"
    changed = [name for name in EXPERIMENTS if reading in experiment(name).readings]
    assert FILES.runs.changed(folder) == changed != []
    for name in EXPERIMENTS:
        for path in (*FILES.replicates(name, folder=folder), *FILES.summaries(name, folder=folder)):
            assert path.startswith(f"results/{folder}") == (name in changed), path
    # Claims on these alone are decided there, with what else they need from the paper's run.
    for claim in FILES.claims():
        behind = CLAIMS[claim].experiments
        assert (claim in FILES.claims(folder)) == bool({*changed} & {*behind}), claim


def test_a_scenario_simulates_its_own_experiments() -> None:
    assert FILES.runs.changed("scenarios/seed_1/") == list(EXPERIMENTS)
    added = [*FILES.runs.changed("scenarios/extended/"), *FILES.runs.changed("scenarios/sharp/")]
    assert sorted(added) == sorted(beyond())


def test_a_target_is_of_the_first_scenario_that_has_it() -> None:
    homes = {"figure_3": "", "long_runs": "scenarios/extended/", "minimax": "scenarios/sharp/"}
    homes |= dict.fromkeys(SHARP_FIGURES, "scenarios/sharp/")
    assert {name: FILES.home(name) for name in homes} == homes
    assert Files(Scenarios(PAPER)).home("long_runs") is None


def test_a_scenario_without_claims_has_no_ledger(tmp_path: Path) -> None:
    file = tmp_path / "scenarios.yaml"
    overlays = {"less": {"setting_5": None}, "more": {"many_arms": TINY_EXTENDED["many_arms"]}}
    file.write_text(yaml.safe_dump({"own": overlays}), encoding="utf-8")
    files = Files(Scenarios(PAPER, file))
    assert files.of_set("own") == [
        *("results/scenarios/own.csv", *claims_files("scenarios/more/")),
        "results/scenarios/more/summaries/many_arms.csv",
    ]
    # What a scenario has not is named.
    with pytest.raises(ConfigError, match="has no section setting_5"):
        files.replicates("setting_5", folder="scenarios/less/")
