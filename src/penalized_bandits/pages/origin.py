"""How the results were made, as the results themselves say it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from penalized_bandits.common.errors import PageError
from penalized_bandits.common.numbers import shown
from penalized_bandits.config.files import leaves
from penalized_bandits.experiments.base import Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.storage.replicates import read_metadata

if TYPE_CHECKING:
    from penalized_bandits.config import BaseConfig


@dataclass(frozen=True)
class ExperimentRun:
    """A setting or study as it was run."""

    id: str
    title: str
    replicates: int
    published: int | None
    """Replicates in the replication's own config; None where it does not say."""
    horizons: str

    @property
    def fewer(self) -> bool:
        """Whether it has fewer replicates than the replication's own config asks for."""
        return self.published is not None and self.replicates < self.published


@dataclass(frozen=True)
class Origin:
    """How the results were made."""

    seed: int
    readings: dict[str, str]
    experiments: tuple[ExperimentRun, ...]
    sections: dict[str, dict[str, Any]]
    changes: dict[str, Any]
    """Keys of the config that differ from the replication's own, nested as in the config."""

    @property
    def changed_keys(self) -> list[str]:
        """The keys that differ, each in one piece."""
        return list(dict(leaves(self.changes)))

    @property
    def changes_yaml(self) -> str:
        """The keys that differ, as a config file."""
        return yaml.safe_dump(
            self.changes, sort_keys=False, allow_unicode=True, default_flow_style=None
        )

    @property
    def replicates(self) -> dict[str, int]:
        """Replicates of each experiment."""
        return {experiment.id: experiment.replicates for experiment in self.experiments}

    @property
    def range(self) -> tuple[int, int]:
        """Least and most replicates of the experiments in which something is random."""
        numbers = [n for n in self.replicates.values() if n > 1] or [1]
        return min(numbers), max(numbers)

    @property
    def fewer(self) -> list[ExperimentRun]:
        """Experiments with fewer replicates than the replication's own config asks for."""
        return [experiment for experiment in self.experiments if experiment.fewer]


def differences(used: Mapping[str, Any], published: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs in nested values from others, keys that these lack included.

    A key without a value is one that was left out.
    """
    found: dict[str, Any] = {}
    for key, value in used.items():
        other = published.get(key)
        if isinstance(value, Mapping) and isinstance(other, Mapping):
            if inner := differences(value, other):
                found[key] = inner
        elif value != other and value not in (None, {}, []):
            found[key] = value
    return found


def _published(path: str) -> dict[str, Any]:
    """Read a config, with the defaults of its readings and experiments filled in."""
    values: dict[str, Any] = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    values["readings"] = Readings(**values.get("readings", {})).model_dump()
    values["movielens"] = {"dataset": "movielens_1m", **values.get("movielens", {})}
    for name in EXPERIMENTS.keys() & values.keys():
        section = EXPERIMENTS[name].section.model_validate(values[name])
        values[name] = section.model_dump(mode="json")
    return values


def changed_keys(config: "BaseConfig", published: str) -> list[str]:
    """Return the keys that verdicts depend on and that differ from the config at a path."""
    values = config.model_dump(mode="json")
    wanted = config.movielens
    asked = {"source_requested": wanted.source, "dataset": wanted.dataset}
    used = {name: values[name] for name in ("seed", "readings", *EXPERIMENTS)}
    used["movielens"] = _ratings_asked_for(asked)
    return list(dict(leaves(differences(used, _published(published)))))


def _horizons(section: Mapping[str, Any]) -> str:
    values = section.get("horizons") or [section["horizon"]]
    return shown(values[0]) if len(values) == 1 else f"{shown(values[0])} to {shown(values[-1])}"


def _ratings_asked_for(ratings: Mapping[str, Any]) -> dict[str, str]:
    """Return what the config said of the ratings, from the record of where they came from."""
    source = ratings["source_requested"]
    # Of files of one's own only their owner knows where they lie.
    asked = {} if source in ("archive", "table") else {"source": source}
    return asked if source == "table" else {"dataset": ratings["dataset"], **asked}


def read_origin(
    replicates: Sequence[str],
    sensitivity: Mapping[str, Any],
    ratings: Mapping[str, Any],
    published: str,
) -> Origin:
    """Put together what the tables of replicates say of their making.

    ``sensitivity`` is that section of the config, which no table carries; ``ratings`` the record of
    where the ratings came from; ``published`` the replication's own config, to compare with.

    Raises PageError if the tables were made with different seeds or readings, or one experiment's
    with different sections of the config.
    """
    seeds: set[int] = set()
    readings: dict[str, str] = {}
    sections: dict[str, dict[str, Any]] = {}
    for path in replicates:
        found = read_metadata(path)
        seeds.add(found["seed"])
        for name, value in found["readings"].items():
            if readings.setdefault(name, value) != value:
                raise PageError(f"{path}: the reading {name} is not that of other tables")
        if sections.setdefault(found["setting"], found["section"]) != found["section"]:
            raise PageError(f"{path}: not the config of other tables of {found['setting']}")
    if len(seeds) != 1:
        raise PageError(f"the tables of replicates have {len(seeds)} seeds, not one")
    own = _published(published)
    used = {
        "seed": min(seeds),
        "movielens": _ratings_asked_for(ratings),
        "readings": {name: readings[name] for name in sorted(readings)},
        "sensitivity": dict(sensitivity),
        **{name: sections[name] for name in EXPERIMENTS if name in sections},
    }
    return Origin(
        seed=min(seeds),
        readings=used["readings"],
        experiments=tuple(
            ExperimentRun(
                name,
                EXPERIMENTS[name].title,
                sections[name]["replicates"],
                own.get(name, {}).get("replicates"),
                _horizons(sections[name]),
            )
            for name in EXPERIMENTS
            if name in sections
        ),
        sections=sections,
        changes=differences(used, own),
    )
