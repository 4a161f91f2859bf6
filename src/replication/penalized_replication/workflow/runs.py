"""Which replicates are simulated, and the keys of the config that they depend on."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from penalized_bandits.common.files import digest_of
from penalized_bandits.policies import get_policy
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_replication.common.errors import ResultsError
from penalized_replication.config.model import BaseConfig
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.section import BUNDLED_ABOVE
from penalized_replication.experiments.catalogue import experiment
from penalized_replication.figures import Figure

_SHORT = 220
"""Characters of a param at most."""
_TABLE = re.compile(r"((?:scenarios/\w+/)?)replicates/(\w+)/(\d+)of(\d+)\.parquet$")
_COUNTS = ("movielens/rating_counts.csv", "movielens/provenance.json")
# A table of ratings may be large: planning reads it once.
_checksum = cache(digest_of)


@dataclass(frozen=True)
class Run:
    """The replicates of an experiment under a config."""

    config: BaseConfig
    name: str

    @cached_property
    def section(self) -> Any:
        """Its section of the config."""
        return self.config.section(self.name)

    @cached_property
    def readings(self) -> dict[str, str]:
        """The readings in force that it depends on."""
        return self.config.readings.model_dump(include={*experiment(self.name).readings})

    @cached_property
    def origin(self) -> dict[str, Any]:
        """What all its replicates are made with."""
        return {
            "setting": self.name,
            "seed": self.config.seed,
            "readings": self.readings,
            "section": self.section.model_dump(mode="json"),
            "replicates": self.section.replicates,
            # Nothing for the paper's config, whose tables keep their bytes.
            **self._own,
        }

    def work(self, part: int, parts: int) -> dict[str, Any]:
        """Return what the table of a part is made with; raise ResultsError if there is none."""
        if not 1 <= part <= parts <= self.section.replicates:
            most = f"parts count from 1, at most to the {self.section.replicates} replicates"
            raise ResultsError(f"{self.name} has no part {part} of {parts}: {most}")
        return self.origin | {"part": part, "parts": parts}

    @cached_property
    def _own(self) -> dict[str, Any]:
        """Policies and ratings of the user's own, by fingerprint and checksum; new bandits."""
        table = self.config.movielens.table if self.config.movielens.source == "table" else None
        ratings = table if experiment(self.name).needs_ratings else None
        own = {
            "policies": {
                policy: f"{spec} {fingerprint(get_policy(policy), f'policy {policy}')[:12]}"
                for policy, spec in self.config.policies.items()
                if policy in getattr(self.section, "policies", ())
            },
            "ratings": ratings and [*ratings.columns, _checksum(ratings.path)[:12]],
            "new_bandits": self.config.new_bandits,
        }
        return {key: value for key, value in own.items() if value}

    @cached_property
    def params(self) -> list[dict[str, Any]]:
        """Seed, readings, section, and what is the user's own, as `small_params`."""
        section = self.section.model_dump(mode="json", exclude_none=True)
        values = {"seed": self.config.seed, "readings": self.readings, self.name: section}
        return small_params(values | self._own)


def small_params(values: Mapping[str, Any], before: str = "") -> list[dict[str, Any]]:
    """Return nested values as params: mappings whole where they are short, else by their keys.

    Snakemake shows the whole of a param that changed, before and now.
    """
    params: list[dict[str, Any]] = []
    for key, value in values.items():
        if isinstance(value, Mapping) and len(f"{before}{key}: {value}") > _SHORT:
            params += small_params(value, f"{before}{key}.")
        elif value not in ({}, None):
            params.append({f"{before}{key}": value})
    return params


def thresholds(config: BaseConfig) -> list[int]:
    """Return the thresholds of ratings m0 of the experiments of a config."""
    sections = map(config.section, config.experiments)
    return sorted({m0 for section in sections for m0 in getattr(section, "m0", [])})


def ratings_origin(config: BaseConfig, *, paths: bool = False) -> dict[str, Any]:
    """Return the keys of the config behind the rating counts; with ``paths`` or without.

    Of the user's own files it holds the checksums: one put in their place may be older.
    """
    hidden: Any = {} if paths else {"archive": True, "table": {"path"}}
    movielens = config.movielens.model_dump(mode="json", exclude_none=True, exclude=hidden)
    files = {key: _checksum(path) for key, path in config.local_files().items()}
    least = min([BUNDLED_ABOVE, *thresholds(config)])
    return {"movielens": movielens, **files, "least": least}


class Runs:
    """The runs of all scenarios, each made once: planning needs them for every job."""

    def __init__(self, scenarios: Scenarios) -> None:
        self.config = scenarios.config
        self.run = cache(lambda folder, name: Run(self.config(folder), name))
        self.home = cache(self._home)

    def _home(self, folder: str, name: str) -> str:
        """Return the scenario in which an experiment is simulated: the paper's, if it is equal."""
        there = name in self.config().experiments
        same = there and self.run(folder, name).origin == self.run("", name).origin
        return "" if same else folder

    def homes(self, folder: str) -> dict[str, str]:
        """Return the scenario in which each experiment of a scenario is simulated."""
        return {name: self.home(folder, name) for name in self.config(folder).experiments}

    def changed(self, folder: str) -> list[str]:
        """Return the experiments that a scenario simulates itself."""
        return [name for name, home in self.homes(folder).items() if home == folder]

    def made_with(self, paths: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return what replicates and rating counts are made with, by path; no other files."""
        found: dict[str, dict[str, Any]] = {}
        for path in paths:
            if match := _TABLE.search(path):
                folder, name, part, parts = match.groups()
                found[path] = self.run(folder, name).work(int(part), int(parts))
            elif path.endswith(_COUNTS):
                found[path] = ratings_origin(self.config())
        return found


def sections_of(config: BaseConfig, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return sections of the config as values, defaults filled in, by experiment."""
    return {name: config.section(name).model_dump(mode="json") for name in names}


def of_caption(config: BaseConfig, figure: Figure) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the caption of a figure knows of the config: section or sections, and readings.

    The readings are all of them, if no experiment is behind the figure.
    """
    sections: dict[str, Any] = sections_of(config, figure.experiments)
    behind = {key for name in figure.experiments for key in experiment(name).readings}
    readings = config.readings.model_dump(include=behind or None)
    return sections[figure.setting] if figure.setting else sections, readings
