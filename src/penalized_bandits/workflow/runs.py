"""Which replicates are simulated, and the keys of the config that they depend on.

A run is a folder below ``results/``: ``replicates``; ``sensitivity``, under each alternative
reading, on fewer replicates; ``confirmation/seed_<seed>``, on bandits drawn anew.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

from penalized_bandits.claims.alternatives import alternative
from penalized_bandits.config import BaseConfig
from penalized_bandits.experiments.base import Experiment
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.figures import EXTENDED_FIGURES, Figure
from penalized_bandits.policies import get_policy
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_bandits.storage.files import digest_of

_SHORT = 220
"""Characters of a param at most."""
REPLICATES, SENSITIVITY, CONFIRMATION = "replicates", "sensitivity", "confirmation/seed_"
_TABLE = re.compile(r"(replicates|sensitivity|confirmation/seed_\d+)/(\w+)/(\d+)of(\d+)\.parquet$")
_COUNTS = re.compile(r"(\w+)/(?:rating_counts\.csv|provenance\.json)$")
# A table of ratings may be large: planning reads it once.
_checksum = cache(digest_of)


@dataclass(frozen=True)
class Run:
    """The replicates of an experiment in a run."""

    config: BaseConfig
    run: str
    name: str

    @property
    def seed(self) -> int:
        """The master seed."""
        _, new, seed = self.run.partition(CONFIRMATION)
        return int(seed) if new else self.config.seed

    @cached_property
    def experiment(self) -> Experiment:
        """The experiment that is simulated."""
        return experiment(self.name)

    @cached_property
    def section(self) -> Any:
        """Its section of the config."""
        return self.config.section(self.name)

    @cached_property
    def readings(self) -> dict[str, str]:
        """The readings in force that it depends on."""
        in_force = self.config.readings.model_dump()
        return {name: in_force[name] for name in self.experiment.readings}

    @property
    def replicates(self) -> int:
        """Replicates, all parts together."""
        n = self.section.replicates
        return min(n, self.config.sensitivity.of(self.name)) if self.run == SENSITIVITY else n

    def metadata(self, part: int, parts: int) -> dict[str, Any]:
        """Return the origin of the table of a part."""
        return {
            "setting": self.name,
            "seed": self.seed,
            "readings": self.readings,
            "section": self.section.model_dump(mode="json"),
            "replicates": self.replicates,
            "part": part,
            "parts": parts,
            # Nothing for the paper's config, whose tables keep their bytes.
            **{key: value for key, value in self.own.items() if value},
        }

    def work(self, part: int, parts: int) -> dict[str, Any]:
        """Return what a part is simulated with: its origin, alternative readings, new bandits."""
        changed = self.readings if self.run == SENSITIVITY else ()
        return {
            "about": self.metadata(part, parts),
            "alternatives": {name: alternative(name, self.readings) for name in changed},
            "new_bandits": self.run.startswith(CONFIRMATION),
        }

    @cached_property
    def own(self) -> dict[str, Any]:
        """Policies and ratings of the user's own, by fingerprint and checksum."""
        table = self.config.movielens.table if self.config.movielens.source == "table" else None
        ratings = table if self.experiment.needs_ratings else None
        return {
            "policies": {
                policy: f"{spec} {fingerprint(get_policy(policy), f'policy {policy}')[:12]}"
                for policy, spec in self.config.policies.items()
                if policy in getattr(self.section, "policies", ())
            },
            "ratings": ratings and [*ratings.columns, _checksum(ratings.path)[:12]],
        }

    @cached_property
    def params(self) -> list[dict[str, Any]]:
        """Seed, readings, section, policies and ratings of the user's own, as `small_params`."""
        section = self.section.model_dump(mode="json", exclude_none=True)
        section["replicates"] = self.replicates
        values = {"seed": self.seed, "readings": self.readings, self.name: section}
        return small_params(values | self.own)


def small_params(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return nested values as params: mappings whole where they are short, else by their keys.

    Snakemake shows the whole of a param that changed, before and now.
    """
    return [{key: value} for key, value in _keys(values, "")]


def _keys(values: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and len(f"{before}{key}: {value}") > _SHORT:
            yield from _keys(value, f"{before}{key}.")
        elif value not in ({}, None):
            yield f"{before}{key}", value


def config_params(config: BaseConfig) -> list[dict[str, Any]]:
    """Return the whole config as `small_params`."""
    values = config.model_dump(mode="json", exclude_none=True, exclude={"extended", "sharp"})
    return small_params(values | sections_of(config, config.beyond))


def thresholds(config: BaseConfig, folder: str) -> list[int]:
    """Return the thresholds of ratings m0 of the experiments that read a folder's counts."""
    beyond = config.sharp_studies if folder == "sharp" else config.extensions
    names = list(EXPERIMENTS) if folder == "movielens" else beyond
    return sorted({m0 for name in names for m0 in getattr(config.section(name), "m0", [])})


def ratings_origin(config: BaseConfig, folder: str, *, paths: bool = False) -> dict[str, Any]:
    """Return the keys of the config behind a folder's rating counts; with ``paths`` or without.

    Of the user's own files it holds the checksums: one put in their place may be older.
    """
    hidden: Any = {} if paths else {"archive": True, "table": {"path"}}
    movielens = config.movielens.model_dump(mode="json", exclude_none=True, exclude=hidden)
    files = {key: _checksum(path) for key, path in config.local_files().items()}
    return {"movielens": movielens, **files, "m0": thresholds(config, folder)}


class Runs:
    """The runs of a config, each made once: planning needs them for every job."""

    def __init__(self, config: BaseConfig) -> None:
        self.run = cache(partial(Run, config))
        self.ratings = cache(partial(ratings_origin, config))
        self.ratings_params = cache(lambda f: small_params(ratings_origin(config, f, paths=True)))

    def made_with(self, paths: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return what replicates and rating counts are made with, by path; no other files."""
        found: dict[str, dict[str, Any]] = {}
        for path in paths:
            if match := _TABLE.search(path):
                run, name, *part = match.groups()
                found[path] = self.run(run, name).metadata(*map(int, part))
            elif match := _COUNTS.search(path):
                found[path] = self.ratings(match[1])
        return found


def sections_of(config: BaseConfig, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return sections of the config as values, defaults filled in, by experiment."""
    return {name: config.section(name).model_dump(mode="json") for name in names}


def readings_of(config: BaseConfig, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the readings in force that each experiment depends on."""
    return {name: Run(config, REPLICATES, name).readings for name in names}


def of_caption(config: BaseConfig, figure: Figure) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the caption of a figure knows of the config: section or sections, and readings.

    The readings are all of them, if no experiment is behind the figure.
    """
    experiments = config.extensions if figure.id in EXTENDED_FIGURES else figure.experiments
    sections: dict[str, Any] = sections_of(config, experiments)
    if figure.claims:
        sections["sensitivity"] = config.sensitivity.model_dump(mode="json")
    behind = readings_of(config, figure.experiments).values()
    readings = {key: value for one in behind for key, value in one.items()}
    return (
        sections[figure.setting] if figure.setting else sections,
        readings if behind else config.readings.model_dump(),
    )


def settings(config: BaseConfig, names: Iterable[str]) -> dict[str, Any]:
    """Return what the laws of extended experiments follow from: sections, seed and readings."""
    readings = readings_of(config, names)
    return {"sections": sections_of(config, names), "seed": config.seed, "readings": readings}
