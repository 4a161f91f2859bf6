"""Find the workflow's tables from inside a notebook, wherever it was opened."""

import re
from collections.abc import Sequence
from pathlib import Path

from penalized_bandits.common.errors import UserError

_NAME = re.compile(r"(?P<group>[^/.]+)\.(?P<part>\d+)of(?P<parts>\d+)\.parquet")


class NoResultsError(UserError, FileNotFoundError):
    """A notebook's tables are not there; the message says how to make them."""


def results_folder(results: str | Path = "results") -> Path:
    """Return the folder of results, looked for here and in the folders above.

    The workflow runs notebooks in the project's folder, Jupyter in that of the notebook:
    the same relative path serves both.  Raises NoResultsError if there is no such folder.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / results).is_dir():
            return folder / results
    raise NoResultsError(
        f"there is no folder {str(results)!r} in {here} or above it: "
        "run `uv run snakemake --cores all` in the project's folder first"
    )


def replicate_tables(
    results: Path, experiment: str, given: Sequence[str] | None = None
) -> list[list[Path]]:
    """Return an experiment's tables of replicates, group by group, parts in order.

    Each inner list is what ``replicates.read_replicates`` takes.  ``given`` are the tables to take,
    as the workflow names them; by default those in the folder, of which the newest count if the
    work was split in several ways (``simulation`` in the config).  Raises NoResultsError if there
    are none, or a part is missing.
    """
    folder = results / "replicates" / experiment
    remedy = f"run `uv run snakemake --cores all {experiment}` in the project's folder"
    splits: dict[tuple[str, bool], list[Path]] = {}
    for path in map(Path, given) if given else sorted(folder.glob("*.parquet")):
        if match := _NAME.fullmatch(path.name):
            splits.setdefault((match["parts"], match["group"] == "all"), []).append(path)
    if not splits:
        raise NoResultsError(f"there are no replicates in {folder}: {remedy}")
    (parts, _), paths = max(splits.items(), key=lambda split: _newest(split[1]))
    groups: dict[str, dict[int, Path]] = {}
    for path in paths:
        group, part, _ = re.split(r"\.|of", path.name, maxsplit=2)
        groups.setdefault(group, {})[int(part)] = path
    wanted = range(1, int(parts) + 1)
    for group, found in groups.items():
        if missing := sorted(set(wanted) - set(found)):
            raise NoResultsError(f"parts {missing} of {group} are not in {folder}: {remedy}")
    return [[found[part] for part in wanted] for found in groups.values()]


def _newest(paths: Sequence[Path]) -> float:
    return max(path.stat().st_mtime for path in paths)
