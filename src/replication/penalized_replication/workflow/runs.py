"""Which replicates are simulated, and the keys of the config behind them, as params of rules."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from inspect import signature
from typing import Any

from penalized_bandits.common.files import digest_of
from penalized_bandits.policies import get_policy
from penalized_bandits.policies.fingerprint import fingerprint
from penalized_replication.common.errors import ResultsError
from penalized_replication.config.model import BaseConfig
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.datasets.section import BUNDLED_ABOVE
from penalized_replication.experiments.catalogue import EXPERIMENTS

OfWildcards = Callable[[Any], Any]
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
    def keys(self) -> dict[str, Any]:
        """The keys of its section that the config sets, as values."""
        return self.section.model_dump(mode="json", exclude_none=True, exclude_unset=True)

    @cached_property
    def own(self) -> dict[str, Any]:
        """Policies and ratings of the user's own, by fingerprint and checksum; new bandits.

        Nothing for the paper's config, whose tables keep their bytes.
        """
        table = self.config.movielens.table if self.config.movielens.source == "table" else None
        ratings = table if EXPERIMENTS[self.name].needs_ratings else None
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

    def part(self, part: int, parts: int) -> dict[str, int]:
        """Return the number of a part, and of all; raise ResultsError if there is none."""
        if not 1 <= part <= parts <= self.section.replicates:
            most = f"parts count from 1, at most to the {self.section.replicates} replicates"
            raise ResultsError(f"{self.name} has no part {part} of {parts}: {most}")
        return {"part": part, "parts": parts}

    @property
    def made_from(self) -> tuple[Any, ...]:
        """All that the replicates depend on: two configs with the same make the same."""
        interpretations = interpretations_of(self.config, [self.name])
        return self.config.seed, interpretations, self.section, self.own


def ratings_params(config: BaseConfig) -> dict[str, Any]:
    """Return the keys of the config behind the rating counts, as params.

    Of the user's own files they have checksums: one put in their place may be older.
    """
    sections = map(config.section, config.experiments)
    thresholds = [m0 for section in sections for m0 in getattr(section, "m0", [])]
    files = {key: _checksum(path) for key, path in config.local_files().items()}
    movielens = config.movielens.model_dump(mode="json", exclude_none=True)
    return {"movielens": movielens, "files": files, "least": min([BUNDLED_ABOVE, *thresholds])}


def interpretations_of(config: BaseConfig, experiments: Iterable[str]) -> dict[str, str]:
    """Return the interpretations that some experiments depend on; all where there are none."""
    behind = {key for name in experiments for key in EXPERIMENTS[name].interpretations}
    return config.interpretations.model_dump(include=behind or None)


class _Param(partial[Any]):
    """A function of the wildcards; each job needs the signature of each of its params thrice."""

    __signature__ = signature(lambda wildcards: wildcards)


class Runs:
    """The runs of all scenarios, each made once: planning needs them for every job."""

    def __init__(self, scenarios: Scenarios) -> None:
        self.config, self._keys = scenarios.config, scenarios.section_keys
        self.run = cache(lambda folder, name: Run(self.config(folder), name))
        self.home = cache(self._home)

    def _home(self, folder: str, name: str) -> str:
        """Return the scenario in which an experiment is simulated: the paper's, if it is equal."""
        if name not in self.config().experiments:
            return folder
        return "" if self.run(folder, name).made_from == self.run("", name).made_from else folder

    def homes(self, folder: str) -> dict[str, str]:
        """Return the scenario in which each experiment of a scenario is simulated."""
        return {name: self.home(folder, name) for name in self.config(folder).experiments}

    def changed(self, folder: str) -> list[str]:
        """Return the experiments that a scenario simulates itself."""
        return [name for name, home in self.homes(folder).items() if home == folder]

    def params(
        self, experiments: OfWildcards, scenario: OfWildcards | None = None
    ) -> dict[str, OfWildcards]:
        """Return params of a rule: the seed, experiments, and the keys of their sections.

        All follow from the wildcards; so does ``scenario``, by default the wildcard itself.
        """
        place = scenario or (lambda wildcards: wildcards.get("scenario", ""))

        def values(key: str, wildcards: Any) -> dict[str, Any]:
            sections = {e: self.run(place(wildcards), e).keys for e in experiments(wildcards)}
            return {f"{e}.{key}": keys[key] for e, keys in sections.items() if key in keys}

        return {
            **{f"section_{key}": _Param(values, key) for key in self._keys},
            "experiments": _Param(lambda wildcards: [*experiments(wildcards)]),
            "seed": _Param(lambda wildcards: self.config(place(wildcards)).seed),
        }
