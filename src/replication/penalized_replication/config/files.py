"""Config files as nested dicts: nothing in them is run, no key is lost, no number is misread."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from penalized_replication.common.errors import ConfigError

_MERGE = "tag:yaml.org,2002:merge"
"""Merge key, of which a mapping may have several."""
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_USUAL = re.compile(r"[-+]?(0|[1-9][0-9]*)|[^_:]*\.[^_:]*")
"""Numbers that YAML 1.1, which Snakemake reads, has in common with YAML 1.2."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""That of libyaml, where it is: each job reads the config."""


def _misread(text: str, number: object) -> str:
    return f"{text[:100]} is read as {number}: write {number}, or {text[:100]!r} if it is text"


def _check(node: yaml.Node, seen: set[int], numbers: bool, key: str = "") -> None:
    """Refuse a key that stands twice in a mapping, and with ``numbers`` those like 010 and 1:30.

    YAML's readers keep the last of the keys, and read these numbers as 8 and 90.
    """
    line = node.start_mark.line + 1
    if numbers and node.tag in _NUMBERS and not _USUAL.fullmatch(node.value):
        raise ConfigError(f"line {line}: {key}{_misread(node.value, yaml.safe_load(node.value))}")
    # Aliases may lead back.
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    first: dict[tuple[str, str], int] = {}
    for entry in node.value:
        name, value = entry if isinstance(entry, tuple) else (None, entry)
        inner = key
        if name is not None:
            _check(name, seen, numbers, key)
        if isinstance(name, yaml.ScalarNode) and name.tag != _MERGE:
            text, line = name.value[:100], name.start_mark.line + 1
            if (same := (name.tag, name.value)) in first:
                raise ConfigError(
                    f"line {line}: the key {text!r} is already in line {first[same]}: "
                    "keep one of them"
                )
            first[same] = line
            inner = f"{key[:-2]}{'.' if key else ''}{text}: "
        _check(value, seen, numbers, inner)


def read(path: Path, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Read a config file.

    Raises ConfigError, with file and line, if it is no mapping in YAML, a key stands twice, or a
    number is written as 010, which YAML reads as 8.  Numbers of a file with other keys than
    ``config`` pass: it is of a workflow that has this one as a module.
    """
    data = b""
    try:
        data = path.read_bytes()
        text = data.decode()
        # JSON may have tabs between its values.
        loader = _Loader(text.expandtabs() if text.lstrip().startswith("{") else text)
        # Constructing a mapping adds what it merges: keys are checked before.
        if (node := loader.get_single_node()) is not None:
            names = {str(entry[0].value) for entry in node.value if isinstance(entry, tuple)}
            _check(node, set(), config is None or names <= config.keys())
        values = None if node is None else loader.construct_document(node)
    except ConfigError as error:
        raise ConfigError(f"{path}, {error}") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path} is not UTF-8 in line {line}: save it as such") from None
    except (yaml.YAMLError, ValueError) as error:
        # ValueError: 2020-99-99, or a whole number of thousands of digits.
        raise ConfigError(f"{path} is not YAML: {str(error)[:500]}") from None
    if not isinstance(values, dict):
        kind = "is empty" if values is None else f"holds a {type(values).__name__}"
        raise ConfigError(f"{path} {kind}: it must hold keys and values")
    return values


def check_entries(entries: Iterable[str]) -> None:
    """Raise ConfigError for an entry of ``--config`` such as seed=010, which is read as 10."""
    for entry in entries:
        key, _, text = entry.partition("=")
        if re.fullmatch(r"\s*[-+]?\d[\d_]*\s*", text) and not _USUAL.fullmatch(text):
            raise ConfigError(f"--config {key}: {_misread(text, int(text))}")


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
