"""Which replicates a simulation makes: an experiment as it is, or changed in one respect.

A run is a folder below ``results/``: ``replicates``; ``sensitivity/<reading>``, with that reading
flipped, on fewer replicates; ``confirmation/seed_<seed>``, on bandits drawn anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import yaml

from penalized_bandits.claims import switches
from penalized_bandits.config import BaseConfig
from penalized_bandits.config.files import leaves
from penalized_bandits.experiments.base import Context, Experiment, Readings, part_of
from penalized_bandits.experiments.catalogue import EXPERIMENTS, experiment
from penalized_bandits.policies import get_policy
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_bandits.storage.files import digest_of

REPLICATES = "replicates"


@dataclass(frozen=True)
class Run:
    """The replicates of an experiment in a run."""

    config: BaseConfig
    run: str
    name: str
    """The experiment."""

    @property
    def flipped(self) -> str:
        """The reading that is flipped; empty in other runs."""
        return self.run.removeprefix("sensitivity/") if "sensitivity/" in self.run else ""

    @property
    def seed(self) -> int:
        """The master seed."""
        _, new, seed = self.run.partition("confirmation/seed_")
        return int(seed) if new else self.config.seed

    @cached_property
    def experiment(self) -> Experiment:
        """The experiment that is simulated."""
        if self.seed == self.config.seed:
            return experiment(self.name)
        from penalized_bandits.experiments.beyond.confirmation import on_new_bandits

        return on_new_bandits(experiment(self.name))

    @cached_property
    def section(self) -> Any:
        """Its section of the config."""
        return self.config.section(self.name)

    @cached_property
    def readings(self) -> dict[str, str]:
        """The readings that it depends on, as they are in this run."""
        values = self.config.readings.model_dump()
        if self.flipped:
            values = switches.flipped(self.flipped, values)
        return {name: values[name] for name in self.experiment.readings}

    @property
    def replicates(self) -> int:
        """Replicates, all parts together."""
        n = self.section.replicates
        return min(n, self.config.sensitivity.of(self.name)) if self.flipped else n

    def contexts(self, part: int, parts: int, counts: str | None) -> tuple[Context, Context | None]:
        """Return what a part is simulated in, and what it is compared with if a reading is flipped.

        What comes out the same with the reading in force is not simulated again.
        """
        first, replicates = part_of(self.replicates, part, parts)
        context = Context(
            self.seed, Readings.model_validate(self.readings), first, replicates, counts
        )
        return context, replace(context, readings=self.config.readings) if self.flipped else None

    @cached_property
    def about(self) -> dict[str, Any]:
        """What is behind the replicates: seed, readings, section, policies of the user's own."""
        own = self.config.policies
        return {
            "seed": self.seed,
            "readings": self.readings,
            self.name: self.section.model_dump(mode="json") | {"replicates": self.replicates},
            "policies": {
                policy: f"{spec} {fingerprint(get_policy(policy), f'policy {policy}')[:12]}"
                for policy, spec in own.items()
                if policy in getattr(self.section, "policies", [])
            },
        }

    @cached_property
    def lines(self) -> list[str]:
        """The same, a line for each key: ``setting_1.replicates: 500``."""
        return lines_of(self.about)


def lines_of(values: dict[str, Any]) -> list[str]:
    """Return a line for each key of nested values."""
    return [f"{key}: {_text(value)}" for key, value in leaves(values) if value not in ({}, None)]


def _text(value: Any) -> str:
    flow = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10**6)
    return flow.removesuffix("\n").removesuffix("\n...")


def thresholds(config: BaseConfig, folder: str) -> list[int]:
    """Return the thresholds of ratings m0 of the experiments that read a folder's counts."""
    beyond = config.sharp_studies if folder == "sharp" else config.extensions
    names = list(EXPERIMENTS) if folder == "movielens" else beyond
    return sorted({m0 for name in names for m0 in getattr(config.section(name), "m0", [])})


def ratings_lines(config: BaseConfig, folder: str) -> list[str]:
    """Return what the config says of a folder's rating counts, a line for each key.

    Of the user's own files it holds the checksums: one put in their place may be older.
    """
    wanted = config.movielens.model_dump(mode="json")
    files = {key: digest_of(path) for key, path in config.local_files().items()}
    return lines_of({"movielens": wanted, **files, "m0": thresholds(config, folder)})


def sections_of(config: BaseConfig, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return sections of the config as values, defaults filled in, by experiment."""
    return {name: config.section(name).model_dump(mode="json") for name in names}


def readings_of(config: BaseConfig, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the readings in force that each experiment depends on."""
    return {name: Run(config, REPLICATES, name).readings for name in names}
