"""What of a config differs from the replication's own, and so which config verdicts are of."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penalized_replication.common.section import leaves
from penalized_replication.config.files import read
from penalized_replication.config.model import BaseConfig
from penalized_replication.experiments.base import Interpretations
from penalized_replication.experiments.catalogue import EXPERIMENTS


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


def read_papers(path: Path) -> dict[str, Any]:
    """Read the replication's own config, with the defaults of interpretations and experiments."""
    values = read(path)
    values["interpretations"] = Interpretations(**values.get("interpretations", {})).model_dump()
    for name in values.keys() & EXPERIMENTS.keys():
        section = EXPERIMENTS[name].section.model_validate(values[name])
        values[name] = section.model_dump(mode="json")
    return values


def changes(config: BaseConfig, papers: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs of what verdicts depend on; the config may lack an experiment."""
    # An archive has the ratings of a download; of a table only its owner knows where it lies.
    source, values = config.movielens.source, config.model_dump(mode="json")
    used = {name: values[name] for name in ("seed", "interpretations", *config.experiments)}
    used["movielens"] = {"source": "auto" if source == "archive" else source}
    used["new_bandits"] = config.new_bandits
    defaults = {"movielens": {}, "new_bandits": False}
    return differences(used, {key: papers.get(key, defaults.get(key)) for key in used})


def changed_keys(config: BaseConfig, papers: Mapping[str, Any]) -> list[str]:
    """Return the keys that verdicts depend on and that differ, each in one piece."""
    return [key for key, _ in leaves(changes(config, papers))]
