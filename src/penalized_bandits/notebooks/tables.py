"""Find the workflow's tables from inside a notebook, wherever it was opened."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from penalized_bandits.common.errors import UserError


class NoResultsError(UserError, FileNotFoundError):
    """A notebook's tables are missing; the message says how to make them."""


def results_folder(results: str | Path = "results") -> Path:
    """Return the folder of results, looked for here and in the folders above.

    The workflow runs notebooks in the project's folder, Jupyter in that of the notebook.
    Raises NoResultsError if there is no such folder.
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

    Each inner list is an argument of ``replicates.read_replicates``.  ``given`` are the tables to
    take, as the workflow passes them; by default those of the latest run in the folder.  Raises
    NoResultsError if there are none.
    """
    folder = results / "replicates" / experiment
    paths = [Path(path) for path in given or folder.glob("*.*of*.parquet")]
    if not paths:
        raise NoResultsError(
            f"there are no replicates in {folder}: "
            f"run `uv run snakemake --cores all {experiment}` in the project's folder"
        )
    # Tables of an earlier run whose replicates were split into other parts may lie beside.
    parts = _place(max(paths, key=lambda path: path.stat().st_mtime))[1]
    of_run = sorted((path for path in paths if _place(path)[1] == parts), key=_place)
    return [list(group) for _, group in groupby(of_run, lambda path: _place(path)[0])]


def _place(path: Path) -> tuple[str, int, int]:
    """Return group, number of parts and part of a table such as ``K5.1of2.parquet``."""
    group, part_of, _ = path.name.split(".")
    part, _, parts = part_of.partition("of")
    return group, int(parts), int(part)
