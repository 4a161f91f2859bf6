"""The schemas of the config: made of the models, a meaning for each key, true of our files."""

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

import config_schema

SCHEMAS = config_schema.schemas()
REGISTRY = Registry().with_resources(
    (n, DRAFT202012.create_resource(s)) for n, s in SCHEMAS.items()
)


def wrong(text: str) -> list[str]:
    """Return what an editor marks in a file, by the schema that its first line names."""
    schema = SCHEMAS[text.splitlines()[0].removeprefix("# yaml-language-server: $schema=")]
    validator = Draft202012Validator(schema, registry=REGISTRY)
    return [error.message for error in validator.iter_errors(yaml.safe_load(text))]


@pytest.mark.parametrize("name", ["README.md", *SCHEMAS])
def test_file_is_made_of_the_models(name: str) -> None:
    text = (config_schema.CONFIG / name).read_text(encoding="utf-8")
    assert text == config_schema.files()[name], "uv run python tools/config_schema.py"


def test_each_key_has_a_meaning() -> None:
    config = SCHEMAS["schema.json"]
    for node in (config, *config["$defs"].values()):
        for name, key in node["properties"].items():
            assert key.get("description", "").endswith("."), name


@pytest.mark.parametrize("file", ["config.yaml", "quick.yaml", "large.yaml", "scenarios.yaml"])
def test_config_is_right_and_a_typo_is_not(file: str) -> None:
    text = (config_schema.CONFIG / file).read_text(encoding="utf-8")
    assert wrong(text) == []
    assert any("horizn" in message for message in wrong(text.replace("horizon", "horizn")))
