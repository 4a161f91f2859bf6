"""Scenarios: the config with an overlay, under a name; sets of them are targets.

``config/README.md`` explains overlays.  A set with ``together: true`` is decided as a whole, by
rules of an extension.  Extensions have sets of their own; one of the run's takes the place of an
extension's of its name.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from penalized_replication.common.errors import ConfigError
from penalized_replication.common.section import brief, leaves
from penalized_replication.config.files import differences, overlaid, read
from penalized_replication.config.frozen import FROZEN, OWN_SEED, REDRAWN, frozen_set, redrawn
from penalized_replication.config.model import BaseConfig, load_named, parse_config
from penalized_replication.extensions import HOMES

FOLDER = "scenarios/"
"""Where results of scenarios are, below those of the config itself."""
ONE_FOR_ALL = ("movielens", "policies", "pages", "extensions")
"""Sections that no scenario may change."""
ONLY = "only"
TOGETHER = "together"


class Scenarios:
    """The scenarios of a config ``base``; each is checked when it is asked for.

    They are those in the run's own ``file`` if it is there, else in the ``default``, and those of
    the extensions that the config names, and the set of the ``frozen`` confirmation.  Raises
    ConfigError, with file and name, if a file is no mapping of sets and overlays, or two scenarios
    have one name.
    """

    def __init__(
        self,
        base: Mapping[str, Any],
        file: Path | None = None,
        default: Path | None = None,
        frozen: Path | None = None,
    ) -> None:
        load_named(base)
        self._base = {key: value for key, value in base.items() if key != OWN_SEED}
        self._configs: dict[str, BaseConfig] = {}
        self.sets: dict[str, Mapping[str, Any]] = {}
        """Overlays by the name of the scenario, by the name of the set."""
        self.files: dict[str, Path] = {}
        """The file of each set, by its name."""
        own = file if file and file.is_file() else None
        replaces = own is not None and not (default and own.samefile(default))
        more = [path for home in HOMES.values() if (path := home / "scenarios.yaml").is_file()]
        for path in filter(None, (own or default, *more)):
            for name, overlays in read(path).items():
                if name not in self.sets:
                    self.sets[name], self.files[name] = overlays, path
                elif not replaces or self.files[name] != own:
                    before = f"there is another set of this name in {self.files[name]}"
                    raise ConfigError(f"{path}, {name}: {before}")
        if frozen and (set_of_seeds := frozen_set(read(frozen), base.get(OWN_SEED))):
            self.sets[FROZEN], self.files[FROZEN] = set_of_seeds, frozen
        self.together: list[str] = []
        """Names of the sets that are decided as a whole."""
        for name, overlays in self.sets.items():
            if not isinstance(overlays, Mapping):
                said = "a set of scenarios has names and their overlays"
                raise ConfigError(f"{self._at(name)}{said}")
            if overlays.get(TOGETHER) is True:
                self.together.append(name)
                self.sets[name] = {key: v for key, v in overlays.items() if key != TOGETHER}
        for name, overlays in self.sets.items():
            self._check(name, overlays)

    def _check(self, name: str, overlays: Mapping[str, Any]) -> None:
        for names in ([name], *([name, scenario] for scenario in overlays)):
            if not names[-1].isidentifier():
                raise ConfigError(f"{self._at(*names)}name it in letters, digits and underscores")
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
            kept = overlay.get(ONLY, [])
            known = {*self._base, *overlay} - {*BaseConfig.model_fields}
            if not isinstance(kept, list) or not {*map(str, kept)} <= known:
                said = f"is no list of experiments of {', '.join(sorted(known - {ONLY}))}"
                raise ConfigError(f"{where}{ONLY}: {brief(kept)} {said}")

    def _at(self, *keys: str) -> str:
        return f"{self.files[keys[0]]}, {'.'.join(keys)}: "

    @cached_property
    def names(self) -> dict[str, str]:
        """The set of each scenario, by its name."""
        return {name: each for each, overlays in self.sets.items() for name in overlays}

    def config(self, folder: str = "") -> BaseConfig:
        """Return the config of a scenario by its folder; raise ConfigError with names and keys."""
        if folder not in self._configs:
            values, where = self._base, ""
            if name := folder.removeprefix(FOLDER).rstrip("/"):
                values, where = self._overlaid(name), self._at(self.names[name], name)
            self._configs[folder] = parse_config(values, where)
        return self._configs[folder]

    def _overlaid(self, name: str) -> dict[str, Any]:
        overlay = dict(self.sets[self.names[name]][name])
        kept = overlay.pop(ONLY, None)
        for experiment, key in (place.split(".") for place in overlay.pop(REDRAWN, ())):
            if experiment in self.config().experiments:
                section = self.config().section(experiment)
                new = redrawn(section, key, overlay["seed"], experiment)
                overlay |= {experiment: {key: new}}
        values = overlaid(self._base, overlay)
        known = {*BaseConfig.model_fields, *(values if kept is None else kept)}
        return {key: value for key, value in values.items() if key in known}

    def folders(self, name: str) -> list[str]:
        """Return the folders of the scenarios of a set."""
        return [f"{FOLDER}{scenario}/" for scenario in self.sets.get(name, ())]

    def changes(self, name: str) -> str:
        """Return what a scenario changes of the config, with the values that it has instead."""
        now, before = self._overlaid(name), self._base
        if ONLY in self.sets[self.names[name]][name]:
            before = {key: value for key, value in before.items() if key in now}
        changed = leaves(differences(now, before))
        return ", ".join(f"{key}: {'null' if value is None else value}" for key, value in changed)

    @cached_property
    def section_keys(self) -> list[str]:
        """The keys of all sections of experiments, of the config and of the scenarios."""
        every = [self._base, *(o for overlays in self.sets.values() for o in overlays.values())]
        sections = (v for o in every for k, v in o.items() if k not in BaseConfig.model_fields)
        found = (values for values in sections if isinstance(values, Mapping))
        return sorted({str(key) for values in found for key in values})

    def keys(self) -> dict[str, list[str]]:
        """Return the experiments whose sections each scenario sets, by its folder."""
        other = {*BaseConfig.model_fields, ONLY, REDRAWN}
        return {
            f"{FOLDER}{name}/": [k for k, v in overlay.items() if v is not None and k not in other]
            for overlays in self.sets.values()
            for name, overlay in overlays.items()
        }
