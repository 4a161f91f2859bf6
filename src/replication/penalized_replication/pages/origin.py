"""How the results were made: the config, and what of it is not the paper's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from penalized_replication.common.section import leaves


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
