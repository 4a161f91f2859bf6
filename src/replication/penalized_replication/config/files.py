"""Config files as nested dicts: nothing in them is run, no key is lost, no number is misread."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from penalized_replication.common.errors import ConfigError
from penalized_replication.storage.files import YAML_LOADER

_MERGE = "tag:yaml.org,2002:merge"
"""Merge key, of which a mapping may have several."""
_USUAL = re.compile(r"[-+]?(0|[1-9][0-9]*)|[^_:]*\.[^_:]*")
"""Numbers that YAML 1.1, which Snakemake reads, has in common with YAML 1.2."""
_REMEDY = "write numbers in decimal digits, without 0 before or _ between them, and text in quotes"


def _check(node: yaml.Node, seen: set[int], numbers: bool, key: str = "") -> None:
    """Refuse a key that stands twice in a mapping, and with ``numbers`` those like 010 and 1:30.

    YAML's readers keep the last of the keys, and read these numbers as 8 and 90.
    """
    line = f"line {node.start_mark.line + 1}"
    if numbers and node.tag.endswith((":int", ":float")) and not _USUAL.fullmatch(node.value):
        number = yaml.safe_load(node.value)
        raise ConfigError(f"{line}: {key}{node.value[:100]} is {number} in YAML 1.1: {_REMEDY}")
    # Aliases may lead back.
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    first: dict[tuple[str, str], str] = {}
    for entry in node.value:
        *names, value = entry if isinstance(entry, tuple) else (entry,)
        inner = key
        for name in names:
            _check(name, seen, numbers, key)
            if not isinstance(name, yaml.ScalarNode) or name.tag == _MERGE:
                continue
            text, line = name.value[:100], f"line {name.start_mark.line + 1}"
            if numbers and not name.tag.endswith(":str"):
                remedy = "write 0.5 for 0,5 and 1: as '1':"
                raise ConfigError(f"{line}: {key}{text} is no key: {remedy}")
            if before := first.get(same := (name.tag, name.value)):
                known = f"the key {text!r} is already in {before}: keep one of them"
                raise ConfigError(f"{line}: {known}")
            first[same], inner = line, f"{key.replace(': ', '.')}{text}: "
        _check(value, seen, numbers, inner)


def read(path: Path, known: Collection[str] | None = None) -> dict[str, Any]:
    """Read a config file.

    Raises ConfigError, with file and line, if it is no mapping in YAML, a key stands twice, or a
    number is such as 010.  Numbers of a file with other keys than the ``known`` pass: it is of a
    workflow that has this one as a module.
    """
    try:
        text = path.read_bytes().decode()
        # JSON may have tabs between its values.
        loader = YAML_LOADER(text.expandtabs() if text.lstrip().startswith("{") else text)
        # Constructing a mapping adds what it merges: keys are checked before.
        if (node := loader.get_single_node()) is not None:
            keys = [entry[0] for entry in node.value if isinstance(entry, tuple)]
            names = {str(key.value) for key in keys if key.tag != _MERGE}
            _check(node, set(), known is None or names <= {*known})
        values = None if node is None else loader.construct_document(node)
    except ConfigError as error:
        raise ConfigError(f"{path}, {error}") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path} is not UTF-8 in line {line}: save it as such") from None
    except (yaml.YAMLError, ValueError, KeyError, RecursionError) as error:
        # ValueError: 2020-99-99, or a whole number of thousands of digits.
        raise ConfigError(f"{path} is not YAML: {str(error)[:500]}") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{path} must hold keys and values: it is empty, a list or text")
    return values


def check_files(paths: Iterable[Path | str], known: Collection[str]) -> None:
    """Raise ConfigError as `read` does, for files that are there."""
    for path in filter(Path.is_file, map(Path, paths)):
        read(path, known)


def check_entries(entries: Iterable[str], known: Collection[str]) -> None:
    """Raise ConfigError for an entry of ``--config`` such as seed=010, which is read as 10."""
    for entry in entries:
        key, _, text = entry.partition("=")
        if key in known and re.match(r"\s*[-+]?(0\d|\d+_)", text):
            raise ConfigError(f"--config {entry}: {_REMEDY}")


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


def differences(used: Mapping[str, Any], published: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs in nested values from others, keys that one of them lacks included.

    A key without a value is one that was left out.
    """
    found: dict[str, Any] = {}
    for key in {**used, **published}:
        value, other = used.get(key), published.get(key)
        if isinstance(value, Mapping) and isinstance(other, Mapping):
            if inner := differences(value, other):
                found[key] = inner
        elif value != other and not all(x in (None, {}, []) for x in (value, other)):
            found[key] = value
    return found
