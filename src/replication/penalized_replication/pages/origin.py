"""How the results were made: the config, and what of it is not the paper's."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from penalized_bandits.common.numbers import format_number
from penalized_replication.common.section import leaves
from penalized_replication.experiments.base import Readings
from penalized_replication.experiments.catalogue import EXPERIMENTS, beyond
from penalized_replication.experiments.catalogue import experiment as experiment_of


@dataclass(frozen=True)
class Origin:
    """How the results were made."""

    seed: int
    readings: dict[str, str]
    experiments: list[dict[str, Any]]
    """Of each setting or study ``id``, ``title``, ``replicates``, ``horizons``, and ``fewer``:
    its replicates in the replication's own config, where these are more."""
    changes: dict[str, Any]
    """Keys of the config that differ from the replication's own, nested as in the config."""

    @property
    def changed_keys(self) -> list[str]:
        """The keys that differ, each in one piece."""
        return [key for key, _ in leaves(self.changes)]

    @property
    def changes_yaml(self) -> str:
        """The keys that differ, as a config file."""
        form = {"sort_keys": False, "allow_unicode": True, "default_flow_style": None}
        return yaml.safe_dump(self.changes, **form)

    @property
    def replicates(self) -> dict[str, int]:
        """Replicates of each experiment."""
        return {one["id"]: one["replicates"] for one in self.experiments}

    @property
    def range(self) -> tuple[int, int]:
        """Least and most replicates of the experiments in which something is random."""
        numbers = [n for n in self.replicates.values() if n > 1] or [1]
        return min(numbers), max(numbers)


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


def _published(path: str) -> dict[str, Any]:
    """Read a config, with the defaults of its readings and experiments filled in."""
    values: dict[str, Any] = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    values["readings"] = Readings(**values.get("readings", {})).model_dump()
    for name in _experiments(values):
        section = experiment_of(name).section.model_validate(values[name])
        values[name] = section.model_dump(mode="json")
    return values


def _experiments(config: Mapping[str, Any]) -> list[str]:
    """Return the experiments that a config has sections for."""
    known = EXPERIMENTS | beyond()
    return [name for name in config if config[name] is not None and name in known]


def changed_keys(config: Mapping[str, Any], published: str) -> list[str]:
    """Return the keys that verdicts depend on and that differ from the config at a path."""
    return [key for key, _ in leaves(_changes(config, _published(published)))]


def _changes(config: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs of what verdicts depend on; the run may lack an experiment."""
    # An archive has the ratings of a download; of a table only its owner knows where it lies.
    source = config["movielens"]["source"]
    ratings = {"source": "auto" if source == "archive" else source}
    used = {name: config[name] for name in ("seed", "readings", *_experiments(config))}
    used |= {"movielens": ratings, "new_bandits": config.get("new_bandits", False)}
    defaults = {"movielens": {}, "new_bandits": False}
    return differences(used, {key: own.get(key, defaults.get(key)) for key in used})


def origin_of(config: Mapping[str, Any], published: str) -> Origin:
    """Return how the results of a config, defaults filled in, were made; by the paper's config."""
    own, runs = _published(published), []
    for name in _experiments(config):
        section, theirs = config[name], own.get(name, {}).get("replicates", 0)
        replicates, seen = section["replicates"], section.get("horizons") or [section["horizon"]]
        horizons = " to ".join(map(format_number, dict.fromkeys((seen[0], seen[-1]))))
        about = {"id": name, "title": experiment_of(name).title, "horizons": horizons}
        runs.append({**about, "replicates": replicates, "fewer": theirs * (theirs > replicates)})
    readings = dict(sorted(config["readings"].items()))
    return Origin(config["seed"], readings, runs, _changes(config, own))
