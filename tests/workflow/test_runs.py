"""The keys of the config that replicates depend on, as params of Snakemake."""

from collections.abc import Mapping
from typing import Any

import pytest

from config_helpers import CONFIG, ROOT
from penalized_bandits.common.section import leaves
from penalized_bandits.config import BaseConfig, load_config
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.workflow.runs import Run, config_params

SHARP = load_config(ROOT / "config/config.yaml", ROOT / "config/sharp.yaml")
PARAMS = {name: Run(CONFIG, "replicates", name).params for name in EXPERIMENTS}
PARAMS |= {name: Run(SHARP, "replicates", name).params for name in SHARP.sharp_studies}
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
    values = config.model_dump(mode="json")
    beyond = values.pop("sharp") or {}
    given = {key: value for param in params for key, value in keys(param).items()}
    assert given == keys(values | beyond)
