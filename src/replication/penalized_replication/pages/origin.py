"""How the results were made: the config, and what of it is not the paper's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from penalized_bandits.common.numbers import format_number
from penalized_replication.common.section import leaves
from penalized_replication.experiments.catalogue import EXPERIMENTS


@dataclass(frozen=True)
class Origin:
    """How the results of a config were made."""

    seed: int
    interpretations: Mapping[str, str]
    sections: Mapping[str, Mapping[str, Any]]  # of its experiments
    changes: Mapping[str, Any]
    """Keys of the config that differ from the replication's own, nested as in the config."""
    papers: Mapping[str, int]
    """Replicates of the experiments in the replication's own config."""

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
        return {name: section["replicates"] for name, section in self.sections.items()}

    @property
    def lacking(self) -> list[str]:
        """Experiments of the replication's own config that it has no section for."""
        return [name for name in self.papers if name not in self.sections]

    def experiments(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each experiment; ``fewer`` has its replicates in `papers`, if more."""
        for name, section in self.sections.items():
            replicates, theirs = section["replicates"], self.papers.get(name, 0)
            seen = section.get("horizons") or [section["horizon"]]
            yield {
                "id": name,
                "title": EXPERIMENTS[name].title,
                "replicates": replicates,
                "horizons": " to ".join(map(format_number, dict.fromkeys((seen[0], seen[-1])))),
                "fewer": theirs if theirs > replicates else 0,
            }
