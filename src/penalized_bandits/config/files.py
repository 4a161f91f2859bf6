"""Config files as nested dicts: nothing in them is run, and no key is lost."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from penalized_bandits.common.errors import ConfigError

_MERGE = "tag:yaml.org,2002:merge"
"""Merge key, of which a mapping may have several."""


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice in a mapping, where YAML's readers keep the last."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        first: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                continue
            name, line = (key.tag, key.value), key.start_mark.line + 1
            if name in first:
                raise ConfigError(
                    f"line {line}: the key {key.value[:100]!r} is already in line {first[name]}: "
                    "keep one of them"
                )
            first[name] = line
        return node


def read(path: Path) -> dict[str, Any]:
    """Read one config file; nothing in it is run, whatever its tags say.

    Raises ConfigError if it cannot be read, is no mapping in YAML, or a key stands twice in it.
    """
    try:
        values = _Loader(path.read_text(encoding="utf-8")).get_single_data()
    except ConfigError as error:
        raise ConfigError(f"{path}, {error}") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8 at byte {error.start + 1}: save it as such"
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        # ValueError: 2020-99-99, or a whole number of thousands of digits.
        raise ConfigError(f"{path} is not YAML: {str(error)[:500]}") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{path} must hold keys and values, not {type(values).__name__}")
    return values


def merge(into: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Merge as Snakemake's --configfile does: nested keys are added or replaced."""
    for key, value in values.items():
        if isinstance(value, Mapping) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = dict(value) if isinstance(value, Mapping) else value
