"""What is checked of published scenarios and of schemas, of the replication and of extensions."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from penalized_replication.workflow.job import sections_of
from penalized_replication.config.model import BaseConfig
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.counts import BUNDLED_COUNTS
from penalized_replication.experiments.base import Context
from penalized_replication.experiments.catalogue import EXPERIMENTS, STUDIES
from penalized_replication.workflow.runs import Runs


def check_params(scenarios: Scenarios, folder: str) -> None:
    config = scenarios.config(folder)
    params = Runs(scenarios).params(lambda _: config.experiments)
    given = {name: value({"scenario": folder}) for name, value in params.items()}
    assert given.pop("seed") == config.seed
    dumped = {name: config.section(name).model_dump(mode="json") for name in config.experiments}
    assert [*sections_of(given).items()] == [*dumped.items()]
    # A key without a value is none, so that a new file with an experiment changes no param.
    assert "null" not in json.dumps(given)


def check_valid(scenarios: Scenarios, name: str) -> None:
    """Check that a scenario changes something, and that all its cases can be made."""
    folder = f"scenarios/{name}/"
    config = scenarios.config(folder)
    assert Runs(scenarios).changed(folder)
    assert config.new_bandits == (scenarios.names[name] in scenarios.together)
    context = Context(config.seed, config.interpretations, 0, 2, str(BUNDLED_COUNTS))
    for each in config.experiments:
        # As jobs read them, with the keys that the file leaves out.
        section = config.section(each)
        assert type(section).model_validate(section.model_dump(mode="json")) == section
        # Its policies can be made.
        assert EXPERIMENTS[each].all_cases(section, context), each


def check_cases(config: BaseConfig, name: str, context: Context) -> None:
    """Check that every case of an experiment is a bandit with a label of its own."""
    section = config.section(name)
    cases = EXPERIMENTS[name].all_cases(section, context)
    assert len({case.id for case in cases}) == len(cases) > 0
    labels = {case.info.instance: case.info.label for case in cases}
    assert len(set(labels.values())) == len(labels)
    for case in cases:
        n_arms = case.fairness.size
        assert case.means.shape[-1] == n_arms >= 2
        assert 0 <= case.fairness.sum() < 1
        case.rewards.code(case.means)
        assert case.runs
        for run in case.runs:
            assert list(run.checkpoints) == sorted(set(run.checkpoints))
            assert run.penalties is not None or name not in STUDIES
            rates = 0.0 if run.penalties is None else run.penalties
            assert np.shape(rates)[-1:] in {(), (n_arms,)}
            assert run.policy in section.policies


def check_meanings(schemas: Mapping[str, Any]) -> None:
    config = schemas["schema.json"]
    for node in (config, *config["$defs"].values()):
        for name, key in node["properties"].items():
            assert key.get("description", "").endswith("."), name


def check_schema(schemas: Mapping[str, Any], file: Path) -> None:
    """Check that an editor marks nothing in a file, by the schema of its first line, but a typo."""
    made = ((name, DRAFT202012.create_resource(schema)) for name, schema in schemas.items())
    registry, text = Registry().with_resources(made), file.read_text(encoding="utf-8")
    named = Path(text.splitlines()[0].removeprefix("# yaml-language-server: $schema="))
    validator = Draft202012Validator(schemas[named.name], registry=registry)
    assert [*validator.iter_errors(yaml.safe_load(text))] == []
    typo = yaml.safe_load(text.replace("horizon", "horizn"))
    assert any("horizn" in error.message for error in validator.iter_errors(typo))
