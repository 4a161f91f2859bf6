"""What a result was made with, and what of it has changed since."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penalized_bandits.common.errors import ConfigError, OriginError
from penalized_bandits.config import BaseConfig
from penalized_bandits.config.files import leaves
from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.storage.origins import SUFFIX, digest_of, origin_path, read_origin
from penalized_bandits.workflow import staleness
from penalized_bandits.workflow.made_with import MadeWith


def origin_of(file: Path) -> Path:
    """Return where the origin of a result is; raise OriginError if it has none."""
    for origin in (file.with_name(file.name + SUFFIX), origin_path(file)):
        if origin.is_file():
            return origin
    raise OriginError(
        f"{file} has no origin ({origin_path(file)}): it is no result, or was not made"
    )


def changed_values(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return a line for each key of the config whose value is another one now."""
    before, after = dict(leaves(then)), dict(leaves(now))
    lines = []
    for key in dict.fromkeys([*before, *after]):
        was, is_now = (values.get(key, "not there") for values in (before, after))
        if was != is_now:
            lines.append(f"{key}: was {was}, is {is_now}")
    return lines


def changed_files(then: Mapping[str, str]) -> list[str]:
    """Return a line for each file of the package that is another one now."""
    lines = []
    for name, content in then.items():
        path = staleness.PACKAGE / name
        if not path.is_file():
            # A policy of the user's own lies elsewhere; Snakemake sees to it.
            lines += [] if "/" not in name else [f"{name}: is gone"]
        elif not digest_of(path).startswith(content):
            lines.append(f"{name}: was edited")
    return lines


def explain(file: Path, config: BaseConfig) -> list[str]:
    """Return lines that say what a result was made with, and what has changed since.

    Raises OriginError if the file has no origin, or one that is damaged or of an earlier version.
    Raises ConfigError if the config has no section of an experiment that the file stands on.
    """
    origin = read_origin(origin_of(file))
    if "details" not in origin:
        raise OriginError(f"{file} was made by an earlier version, without details: run again")
    values, files = origin["details"]["values"], origin["details"]["files"]
    others = ("movielens", "sensitivity", "choices", "confirmation")
    names = [key for key in values if key not in ("seed", "readings", *others)]
    if missing := [name for name in names if name not in (*EXPERIMENTS, *config.beyond)]:
        raise ConfigError(
            f"{file} stands on {', '.join(missing)}, of which the config says nothing: "
            "add --configfile config/extended.yaml or config/sharp.yaml"
        )
    lines = [f"{file} was made with {origin['package']}:"]
    lines += [f"  seed         {origin['seed']}"] if origin["seed"] is not None else []
    lines += [f"  experiments  {', '.join(names)}"] if names else []
    if origin["ratings"]:
        lines.append(
            f"  ratings      {origin['ratings']['dataset']} ({origin['ratings']['source']})"
        )
    lines.append(f"  files        {len(files)} of the package")
    now = MadeWith(config).values(values.keys() & set(others), *names)
    found = {
        "the file itself": _harm(file, origin),
        "the config": changed_values(values, now),
        "the code": changed_files(files),
    }
    for what, changes in found.items():
        lines += [f"Changed since, in {what}:", *(f"  {line}" for line in changes)] * bool(changes)
    changed = any(found.values())
    return [*lines, "The next run makes it again." if changed else "Nothing of it has changed."]


def _harm(file: Path, origin: Mapping[str, Any]) -> list[str]:
    if not file.is_file():
        return ["it is missing"]
    written = origin["files"].get(file.name)
    return [] if written in (None, digest_of(file)) else ["it is not what was written"]
