"""How the results were made: the config, and what of it is not the paper's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from penalized_bandits.common.numbers import format_number
from penalized_replication.common.section import leaves
from penalized_replication.experiments.catalogue import EXPERIMENTS


@dataclass(frozen=True)
class Origin:
    """How the results were made."""

    seed: int
    interpretations: dict[str, str]
    experiments: list[dict[str, Any]]
    """Of each setting or study ``id``, ``title``, ``replicates``, ``horizons``, and ``fewer``:
    its replicates in the replication's own config, where these are more."""
    lacking: list[str]
    """Experiments of the paper's config that it has no section for."""
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


def origin_of(
    seed: int,
    interpretations: Mapping[str, str],
    sections: Mapping[str, Mapping[str, Any]],
    changes: Mapping[str, Any],
    papers: Mapping[str, int],
) -> Origin:
    """Return how the results of a config were made.

    ``sections`` are those of its experiments; ``papers`` are the replicates of experiments in the
    paper's config, from which ``changes`` differ.
    """
    runs = []
    for name, section in sections.items():
        replicates, seen = section["replicates"], section.get("horizons") or [section["horizon"]]
        horizons = " to ".join(map(format_number, dict.fromkeys((seen[0], seen[-1]))))
        about = {"id": name, "title": EXPERIMENTS[name].title, "horizons": horizons}
        theirs = papers.get(name, 0)
        runs.append({**about, "replicates": replicates, "fewer": theirs * (theirs > replicates)})
    lacking = [name for name in papers if name not in sections]
    return Origin(seed, dict(sorted(interpretations.items())), runs, lacking, dict(changes))
