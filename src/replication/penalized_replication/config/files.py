"""Config files as nested dicts: nothing in them is run, and no key is lost."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from penalized_replication.common.errors import ConfigError

_MERGE = "tag:yaml.org,2002:merge"
"""Merge key, of which a mapping may have several."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""That of libyaml, where it is: each job reads the config."""


def _check_keys(node: yaml.Node, seen: set[int]) -> None:
    """Refuse a key that stands twice in a mapping, where YAML's readers keep the last."""
    # Aliases may lead back.
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    first: dict[tuple[str, str], int] = {}
    for entry in node.value:
        for child in entry if isinstance(entry, tuple) else (entry,):
            _check_keys(child, seen)
        key = entry[0] if isinstance(entry, tuple) else None
        if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
            continue
        name, line = (key.tag, key.value), key.start_mark.line + 1
        if name in first:
            raise ConfigError(
                f"line {line}: the key {key.value[:100]!r} is already in line {first[name]}: "
                "keep one of them"
            )
        first[name] = line


def read(path: Path) -> dict[str, Any]:
    """Read a config file; raise ConfigError if it is no mapping in YAML or a key stands twice."""
    try:
        loader = _Loader(path.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        if node is not None:
            _check_keys(node, set())
        values = None if node is None else loader.construct_document(node)
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


def overlaid(values: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with an overlay: mappings merge, all else replaces, None removes a key."""
    found = dict(values)
    for key, value in overlay.items():
        below = found.pop(key, None)
        if isinstance(value, Mapping):
            found[key] = overlaid(below if isinstance(below, Mapping) else {}, value)
        elif value is not None:
            found[key] = value
    return found
