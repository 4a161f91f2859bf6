"""The model of the config, and what verdicts depend on; errors name key, value and remedy.

The models live where their keys are used (``experiments/paper/setting_1.py`` and so on); here
they are put together.  See ``config/README.md`` for every key.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import AfterValidator, Field, HttpUrl, ValidationError, create_model, model_validator

from penalized_bandits.policies import PAPER_POLICY
from penalized_replication.common.errors import ConfigError
from penalized_replication.common.section import Section, brief, leaves
from penalized_replication.config.files import differences, read
from penalized_replication.datasets.section import MovieLens
from penalized_replication.experiments.base import Interpretations
from penalized_replication.experiments.catalogue import EXPERIMENTS, SETTINGS, STUDIES
from penalized_replication.experiments.own_policies import register
from penalized_replication.extensions import HOMES, load

COPY = (
    "other configs replace keys of the workflow's config/config.yaml, so copy that into config/ of "
    "the folder that you run in, or name it first (--configfile PATH/config.yaml mine.yaml)"
)
"""Remedy where the file is missing that has the keys."""


def _known_experiment(name: str) -> str:
    if name not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {name!r}: known are {', '.join(EXPERIMENTS)}")
    return name


class Simulation(Section):
    """Section ``simulation`` of the config: how the work is split, not what comes out."""

    chunks: Annotated[int, Field(ge=1, le=1000)] = 1
    """Number of jobs for the replicates of each experiment; results do not depend on it."""
    chunks_of: dict[
        Annotated[str, AfterValidator(_known_experiment)], Annotated[int, Field(ge=1, le=10_000)]
    ] = Field(default={})
    """The same for single experiments, by id."""


class Pages(Section):
    """Section ``pages`` of the config: what the default target makes for reading."""

    notebooks: bool = True
    """Whether the default target runs the notebooks."""
    address: HttpUrl | None = None
    """Address where `results` is published: links to its page then have a picture."""


class BaseConfig(Section):
    """All but the settings' sections."""

    seed: Annotated[int, Field(ge=0, lt=2**63)]
    """Master seed of all random numbers."""
    movielens: MovieLens = MovieLens()
    """Ratings of movies, and where they come from."""
    interpretations: Interpretations = Interpretations()
    """Interpretations of what the paper leaves open or contradicts itself on."""
    simulation: Simulation = Simulation()
    """Division of the work into jobs."""
    pages: Pages = Pages()
    """Pages that the default target makes."""
    policies: Annotated[dict[str, str], AfterValidator(register)] = Field(
        default={}, validate_default=True
    )
    """Import paths of policies of your own, `my_module:policy`, by ids for the lists `policies`."""
    # The sections, which may name them, come after.
    new_bandits: bool = False
    """Whether each case is played on a bandit drawn anew with the seed."""
    extensions: list[str] = Field(default=[])
    """Packages with experiments, claims, figures, policies and scenarios of your own."""

    @property
    def experiments(self) -> list[str]:
        """Ids of the experiments that it has sections for."""
        own = BaseConfig.model_fields
        return [name for name, value in self if value is not None and name not in own]

    @property
    def general(self) -> dict[str, Any]:
        """Its other keys but the seed, as values; extensions if an experiment is of one."""
        own = {*BaseConfig.model_fields} - {"seed"}
        if not HOMES.keys() & {EXPERIMENTS[name].package for name in self.experiments}:
            own -= {"extensions"}
        return self.model_dump(mode="json", include=own, exclude_none=True)

    def section(self, name: str) -> Any:
        """Return the section of an experiment, by its id; raise ConfigError if it has none."""
        found = getattr(self, name, None)
        if found is None:
            raise ConfigError(f"the config, or scenario, has no section {name}")
        return found

    def parts(self, setting: str) -> int:
        """Return the number of parts that a setting's replicates are split into."""
        chunks = self.simulation.chunks_of.get(setting, self.simulation.chunks)
        return min(chunks, self.section(setting).replicates)

    def local_files(self) -> dict[str, str]:
        """Return the user's own files that the config names, by key."""
        given = self.movielens
        files = {"archive": given.archive, "table.path": given.table and given.table.path}
        return {f"movielens.{k}": f for k, f in files.items() if f and k.startswith(given.source)}

    def check_local_files(self) -> None:
        """Raise ConfigError, with key and path, unless the user's own files are there."""
        for key, path in self.local_files().items():
            if not Path(path).is_file():
                raise ConfigError(f"{key}: there is no file {path!r}")

    @model_validator(mode="before")
    @classmethod
    def _has_experiments(cls, values: Any) -> Any:
        # Before all keys that a missing file lacks.
        named = {name for name, value in values.items() if value is not None}
        if not named & (cls.model_fields.keys() - BaseConfig.model_fields.keys()):
            raise ValueError(f"the config has no experiment: {COPY}")
        return values

    @model_validator(mode="after")
    def _compared_with_the_papers(self) -> Self:
        for name in filter(lambda name: EXPERIMENTS[name].compared, self.experiments):
            section = self.section(name)
            if section.replicates < 2:
                why = "a tuning is chosen on some and measured on the others"
                raise ValueError(f"{name}.replicates must be at least 2: {why}")
            if min(getattr(section, "arms", [2])) < 2:
                raise ValueError(f"{name}.arms must be at least 2 each: one arm has no regret")
            if PAPER_POLICY not in section.policies:
                why = "all others are compared with it"
                raise ValueError(f"{name}.policies must have {PAPER_POLICY} among them: {why}")
        return self


KEYS = {*BaseConfig.model_fields, *EXPERIMENTS}
"""Top-level keys of the config; those of extensions are more."""


@cache
def with_sections(*names: str) -> type[BaseConfig]:
    """Make the model of a config with sections of some experiments, each optional."""
    sections: dict[str, Any] = {}
    for name in names:
        field = Field(default=None, description=f"{EXPERIMENTS[name].title}.")
        section = EXPERIMENTS[name].section
        # Built once, for this model and for a section that is checked alone.
        section.model_rebuild()
        sections[name] = (section | None, field)
    return create_model("Config", __base__=BaseConfig, **sections)


def _plain(part: int | str) -> str:
    """Return a key as it is, or quoted where it would break the line; places count from 1."""
    text = f"value {part + 1}" if isinstance(part, int) else part
    return text if re.fullmatch(r"[\w -]{1,100}", text, re.ASCII) else brief(text)


def _line(error: Any, model: type[BaseConfig]) -> str:
    kind, value = error["type"], error["input"]
    parts = map(str, error["loc"]) if kind == "invalid_key" else error["loc"]
    key = ".".join(_plain(part) for part in parts if part != "[key]")
    key = re.sub(r"\.(value \d+)", r", \1", key)
    if kind == "extra_forbidden":
        allowed = _allowed_keys(model, error["loc"][:-1])
        hint = f"; allowed here: {', '.join(allowed)}" if allowed else ""
        return f"{key}: unknown key (value {brief(value)}){hint}"
    if kind == "missing":
        return f"{key}: this key is required"
    message = error["msg"].removeprefix("Value error, ")
    if not key:
        return message  # about several keys, which it names
    if kind.startswith(("int", "float")) and isinstance(value, str):
        if re.fullmatch(r"[-+]?(0|[1-9]\d*)(\.\d*)?", value):
            message += "; write it without quotes, and nested keys in a file, not in --config"
        elif re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", value):
            message += f"; YAML reads {value} as text: write {float(value):.15g}"
    if kind in ("string_type", "literal_error") and not isinstance(value, str | list | dict):
        message += "; YAML takes numbers, dates, yes, no, on and off for text only in quotes"
    got = f"got {brief(value)}"
    return f"{key}: {message}" if got in message else f"{key}: {message} ({got})"


def _allowed_keys(kind: Any, path: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the section at a path in the config."""
    for part in path:
        if part == "[key]":
            return []
        fields = getattr(kind, "model_fields", None)
        kind = fields[part].annotation if fields else get_args(kind)[-1]
        # Annotated[...] and ... | None stand around what is looked for.
        while get_origin(kind) not in (dict, list, None):
            kind = get_args(kind)[0]
    return list(getattr(kind, "model_fields", {}))


def _described(error: ValidationError, model: type[BaseConfig]) -> str:
    """Return the errors, a line for each key at fault."""
    errors = error.errors(include_url=False)
    # Keys of sections: what a case of the user's own lacks is another matter.
    lacking = [e["loc"] for e in errors if e["type"] == "missing" and len(e["loc"]) <= 2]
    if len(lacking) > 9:  # so is the file that has them
        first = ".".join(map(_plain, lacking[0]))
        return f"the config lacks {len(lacking)} keys, {first} the first of them: {COPY}"
    return "\n  ".join(["the config is wrong:", *(_line(e, model) for e in errors)])


def load_named(values: Mapping[str, Any]) -> None:
    """Load the extensions that a config names; what is no list of names is refused later."""
    if isinstance(names := values.get("extensions", []), list):
        load((name for name in names if isinstance(name, str)), KEYS)


def parse_config(values: Mapping[str, Any], where: str = "") -> BaseConfig:
    """Check a config given as nested dicts; import the user's own policies and extensions.

    Raises ConfigError, which begins with ``where``, and names every key at fault, its value and
    what is allowed.
    """
    load_named(values)
    named = filter(EXPERIMENTS.__contains__, values)
    model = with_sections(*dict.fromkeys((*SETTINGS, *STUDIES, *named)))
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError(f"{where}{_described(error, model)}") from None


def read_papers(path: Path) -> dict[str, Any]:
    """Read the replication's own config, with the defaults of interpretations and experiments."""
    values = read(path)
    values["interpretations"] = Interpretations(**values.get("interpretations", {})).model_dump()
    for name in values.keys() & EXPERIMENTS.keys():
        section = EXPERIMENTS[name].section.model_validate(values[name])
        values[name] = section.model_dump(mode="json")
    return values


def changes(config: BaseConfig, papers: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs of what verdicts depend on; the config may lack an experiment."""
    # An archive has the ratings of a download; of a table only its owner knows where it lies.
    source, values = config.movielens.source, config.model_dump(mode="json")
    used = {name: values[name] for name in ("seed", "interpretations", *config.experiments)}
    used["movielens"] = {"source": "auto" if source == "archive" else source}
    used["new_bandits"] = config.new_bandits
    defaults = {"movielens": {}, "new_bandits": False}
    return differences(used, {key: papers.get(key, defaults.get(key)) for key in used})


def changed_keys(config: BaseConfig, papers: Mapping[str, Any]) -> list[str]:
    """Return the keys that verdicts depend on and that differ, each in one piece."""
    return [key for key, _ in leaves(changes(config, papers))]
