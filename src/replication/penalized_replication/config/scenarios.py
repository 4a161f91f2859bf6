"""Scenarios: the config with an overlay, under a name; sets of them are targets.

``config/scenarios.yaml`` has sets, and in each the overlays of its scenarios by their names.  In
an overlay mappings merge, lists and values replace, and ``null`` removes: a case, an experiment.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from penalized_replication.common.errors import ConfigError
from penalized_replication.common.section import brief, leaves
from penalized_replication.config.files import overlaid, read
from penalized_replication.config.model import BaseConfig, parse_config

FOLDER = "scenarios/"
"""Where results of scenarios are, below those of the config itself."""
ONE_FOR_ALL = ("movielens", "policies", "pages")
"""Sections that no scenario may change."""


class Scenarios:
    """The scenarios, in a file, of a config ``base``; each is checked when it is asked for.

    Raises ConfigError, with file and name, if the file is no mapping of sets and overlays.
    """

    def __init__(self, base: Mapping[str, Any], file: Path | None = None) -> None:
        self._base, self._file = base, file
        self._configs: dict[str, BaseConfig] = {}
        self.sets: dict[str, Mapping[str, Any]] = {} if file is None else read(file)
        """Overlays by the name of the scenario, by the name of the set."""
        for name, overlays in self.sets.items():
            self._check(name, overlays)

    def _check(self, name: str, overlays: object) -> None:
        if not isinstance(overlays, Mapping):
            raise ConfigError(f"{self._at(name)}a set of scenarios has names and their overlays")
        for names in ([name], *([name, scenario] for scenario in overlays)):
            if not isinstance(names[-1], str) or not names[-1].isidentifier():
                where = self._at(*names)
                raise ConfigError(f"{where}name it in letters, digits and underscores")
        for scenario, overlay in overlays.items():
            where = self._at(name, scenario)
            if [s for s in self.sets if scenario in self.sets[s]] != [name] or (
                scenario in self.sets and scenario != name
            ):
                raise ConfigError(f"{where}there is another scenario or set of this name")
            if not isinstance(overlay, Mapping):
                raise ConfigError(f"{where}keys of the config are missing, got {brief(overlay)}")
            for key in overlay.keys() & set(ONE_FOR_ALL):
                raise ConfigError(f"{where}{key} is one for all scenarios: set it in the config")

    def _at(self, *keys: object) -> str:
        return f"{self._file}, {'.'.join(map(str, keys))}: "

    @cached_property
    def names(self) -> dict[str, str]:
        """The set of each scenario, by its name."""
        return {name: each for each, overlays in self.sets.items() for name in overlays}

    def config(self, folder: str = "") -> BaseConfig:
        """Return the config of a scenario by its folder; raise ConfigError with names and keys."""
        if folder not in self._configs:
            values, where = self._base, ""
            if name := folder.removeprefix(FOLDER).rstrip("/"):
                each = self.names[name]
                values, where = overlaid(values, self.sets[each][name]), self._at(each, name)
            self._configs[folder] = parse_config(values, where)
        return self._configs[folder]

    def folders(self, name: str) -> list[str]:
        """Return the folders of the scenarios of a set."""
        return [f"{FOLDER}{scenario}/" for scenario in self.sets.get(name, ())]

    def changes(self, name: str) -> str:
        """Return what a scenario changes: its keys with their values."""
        overlay = self.sets[self.names[name]][name]
        return ", ".join(f"{key}: {value}" for key, value in leaves(overlay))

    def keys(self) -> dict[str, list[str]]:
        """Return the experiments whose sections each scenario sets, by its folder."""
        other = BaseConfig.model_fields
        return {
            f"{FOLDER}{name}/": [k for k, v in overlay.items() if v is not None and k not in other]
            for overlays in self.sets.values()
            for name, overlay in overlays.items()
        }
