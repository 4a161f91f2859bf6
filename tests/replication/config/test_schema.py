"""The schemas of the config: made of the models, a meaning for each key, true of our files."""

import pytest

import config_schema
from scenario_checks import check_meanings, check_schema

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
