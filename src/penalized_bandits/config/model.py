"""The model of the config; errors name the key, the value and the remedy.

The models live where their keys are used (``experiments/paper/setting_1.py`` and so on); here
they are put together.  See ``config/README.md`` for every key.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self, cast

from pydantic import AfterValidator, Field, ValidationError, create_model, model_validator

from penalized_bandits.common.errors import BanditError, ConfigError
from penalized_bandits.common.section import Section
from penalized_bandits.config._errors import described
from penalized_bandits.config.files import merge, read
from penalized_bandits.datasets.section import MovieLens
from penalized_bandits.experiments.base import Readings
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.catalogue import experiment as experiment_of
from penalized_bandits.experiments.keys import distinct
from penalized_bandits.policies import POLICIES
from penalized_bandits.policies.imported import register


def _known_experiment(name: str) -> str:
    try:
        experiment_of(name)
    except KeyError:
        known = ", ".join(EXPERIMENTS)
        raise ValueError(f"unknown experiment {name!r}: known are {known}") from None
    return name


class Simulation(Section):
    """Section ``simulation`` of the config: how the work is split, not what comes out."""

    chunks: Annotated[int, Field(ge=1, le=1000)] = 1
    """Jobs that the replicates of an experiment are split into."""
    chunks_of: dict[
        Annotated[str, AfterValidator(_known_experiment)], Annotated[int, Field(ge=1, le=10_000)]
    ] = Field(default={})
    """The same for experiments that are to have more, or fewer."""

    def of(self, experiment: str) -> int:
        """Return the jobs that an experiment is split into."""
        return self.chunks_of.get(experiment, self.chunks)


class Sensitivity(Section):
    """Section ``sensitivity`` of the config: claims decided again under other readings."""

    replicates: Annotated[int, Field(ge=2, le=1_000_000)] = 8
    """Replicates at most, of each experiment."""
    replicates_of: dict[
        Annotated[str, AfterValidator(_known_experiment)], Annotated[int, Field(ge=2, le=1_000_000)]
    ] = Field(default={})
    """The same for experiments that are to have more, or fewer."""

    def of(self, experiment: str) -> int:
        """Return the replicates at most of an experiment, by its id."""
        return self.replicates_of.get(experiment, self.replicates)


class Pages(Section):
    """Section ``pages`` of the config: what the default target makes for reading."""

    notebooks: bool = True
    """Whether it runs the notebooks."""


class Confirmation(Section):
    """Section ``confirmation`` of the config: extended claims tested on new seeds and bandits."""

    seeds: Annotated[
        list[Annotated[int, Field(ge=0, lt=2**63)]], Field(min_length=2), AfterValidator(distinct)
    ]
    """Its master seeds: rewards and bandits of each are its own."""


class BaseConfig(Section):
    """All but the settings' sections."""

    seed: Annotated[int, Field(ge=0, lt=2**63)]
    """Master seed of all random numbers."""
    movielens: MovieLens = MovieLens()
    readings: Readings = Readings()
    simulation: Simulation = Simulation()
    sensitivity: Sensitivity = Sensitivity()
    pages: Pages = Pages()
    policies: dict[str, str] = Field(default={})
    """Policies of the user's own, as ``my_module:policy``, by the id they are to have."""
    extended: None = None
    """Sections of the extended experiments, by their ids (``_with_sections``)."""
    sharp: None = None
    """The same of those that measure the sharp constants."""
    confirmation: Confirmation | None = None
    """Where they are to be confirmed; their sections are then those of the confirmation."""

    def section(self, setting: str) -> Any:
        """Return the section of a setting, by its id."""
        among: Any = self
        if setting not in EXPERIMENTS:
            among = self.sharp if setting in self.sharp_studies else self.extended
        return getattr(among, setting)

    @property
    def seeds(self) -> list[int]:
        """The master seeds of the confirmation."""
        return [] if self.confirmation is None else list(self.confirmation.seeds)

    @property
    def extensions(self) -> list[str]:
        """The extended experiments, which compare policies, if the config has them."""
        sections = dict(self.extended or ())
        return [name for name, section in sections.items() if section is not None]

    @property
    def sharp_studies(self) -> list[str]:
        """The experiments that measure the sharp constants, if the config has them."""
        return list(dict(self.sharp or ()))

    @property
    def beyond(self) -> list[str]:
        """All extended experiments that the config has sections for."""
        return [*self.extensions, *self.sharp_studies]

    def parts(self, setting: str) -> int:
        """Return the number of parts that a setting's replicates are split into."""
        return min(self.simulation.of(setting), self.section(setting).replicates)

    def local_files(self) -> dict[str, str]:
        """Return the user's own files that the config names, by key."""
        wanted = self.movielens
        if wanted.source == "archive" and wanted.archive is not None:
            return {"movielens.archive": wanted.archive}
        if wanted.source == "table" and wanted.table is not None:
            return {"movielens.table.path": wanted.table.path}
        return {}

    def check_local_files(self) -> None:
        """Raise ConfigError, with key and path, unless the user's own files are there."""
        for key, path in self.local_files().items():
            if not Path(path).is_file():
                raise ConfigError(f"{key}: there is no file {path!r}")

    @model_validator(mode="after")
    def _seeds_are_new(self) -> Self:
        if self.seed in self.seeds:
            raise ValueError(
                f"confirmation.seeds has {self.seed}, the seed of the exploration: take others"
            )
        if self.seeds and not self.extensions:
            raise ValueError("confirmation has nothing to confirm without the section extended")
        return self

    @model_validator(mode="after")
    def _enough_replicates(self) -> Self:
        for setting in (*EXPERIMENTS, *self.beyond):
            replicates = self.section(setting).replicates
            chunks = self.simulation.of(setting)
            # A single replicate (where nothing is random) stays in one piece.
            if 1 < replicates < chunks:
                of = f"_of.{setting}" if setting in self.simulation.chunks_of else ""
                raise ValueError(
                    f"simulation.chunks{of} is {chunks}, more than the "
                    f"{replicates} replicates of {setting}"
                )
        return self


Config = cast(
    "type[BaseConfig]",
    create_model(
        "Config",
        __base__=BaseConfig,
        **cast("Any", {name: (setting.section, ...) for name, setting in EXPERIMENTS.items()}),
    ),
)


@cache
def _with_sections(*keys: str) -> type[BaseConfig]:
    """Make the model of a config with the sections ``extended`` or ``sharp``, or both.

    Extended experiments are imported with it, which a config without need not wait for.
    """
    if not keys:
        return Config
    from penalized_bandits.experiments.extended import EXTENSIONS, SHARP, Extended

    parts: dict[str, Any] = {}
    for key in keys:
        base, experiments = (Extended, EXTENSIONS) if key == "extended" else (Section, SHARP)
        sections: Any = {
            name: (one.section, ...) if one.confirmed else (one.section | None, None)
            for name, one in experiments.items()
        }
        parts[key] = (create_model(key.capitalize(), __base__=base, **sections), ...)
    return create_model("WiderConfig", __base__=Config, **parts)


def _register_own(policies: object) -> None:
    """Import the user's own policies, which the sections may then name.

    What is not a mapping of texts is left to the model, which says so.
    """
    specs = policies if isinstance(policies, Mapping) else {}
    if not all(isinstance(text, str) for pair in specs.items() for text in pair):
        specs = {}
    try:
        register(cast("Mapping[str, str]", specs), POLICIES)
    except BanditError as error:
        raise ConfigError(f"the config is wrong:\n  policies: {error}") from None


def parse_config(values: Mapping[str, Any]) -> BaseConfig:
    """Check a config given as nested dicts; import the user's own policies.

    Raises ConfigError, which names every key at fault, its value and what is allowed.
    """
    _register_own(values.get("policies"))
    model = _with_sections(*(key for key in ("extended", "sharp") if values.get(key) is not None))
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError(described(error, model)) from None


def load_config(*paths: Path | str) -> BaseConfig:
    """Read and check config files; keys of later files replace those of earlier ones."""
    merged: dict[str, Any] = {}
    for path in paths:
        merge(merged, read(Path(path)))
    return parse_config(merged)
