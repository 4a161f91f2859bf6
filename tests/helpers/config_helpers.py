"""The paper's config with changed keys, and the errors that it raises."""

import copy
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import yaml

from penalized_replication.common.errors import ConfigError
from penalized_replication.config.files import overlaid, read
from penalized_replication.config.model import BaseConfig, parse_config

ROOT = Path(__file__).parents[2]
FILE = ROOT / "config/config.yaml"
PAPER: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))


def load_config(*paths: Path | str) -> BaseConfig:
    """Read and check config files; keys of later files replace those of earlier ones."""
    return parse_config(reduce(overlaid, map(read, map(Path, paths))))


CONFIG = load_config(FILE)


def at(values: dict[str, Any], path: tuple[str, ...]) -> Any:
    for key in path:
        values = values[key]
    return values


def changed(path: str, value: Any, base: dict[str, Any] = PAPER) -> dict[str, Any]:
    config = copy.deepcopy(base)
    *parents, last = path.split(".")
    at(config, tuple(parents))[last] = value
    return config


def problems(config: dict[str, Any]) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_config(config)
    head, *lines = str(caught.value).splitlines()
    assert head == "the config is wrong:"
    return [line.removeprefix("  ") for line in lines]


def problem(path: str, value: Any, base: dict[str, Any] = PAPER) -> str:
    (line,) = problems(changed(path, value, base))
    return line
