"""Find the workflow's tables from inside a notebook, wherever it was opened."""

from collections.abc import Sequence
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
) -> list[Path]:
    """Return an experiment's tables of replicates, parts in order.

    They are an argument of ``replicates.read_replicates``.  ``given`` are the tables to take, as
    the workflow passes them; by default those of the latest run in the folder.  Raises
    NoResultsError if there are none.
    """
    folder = results / "replicates" / experiment
    paths = [Path(path) for path in given or folder.glob("*of*.parquet")]
    if not paths:
        raise NoResultsError(
            f"there are no replicates in {folder}: "
            f"run `uv run snakemake --cores all {experiment}` in the project's folder"
        )
    # Tables of an earlier run whose replicates were split into other parts may lie beside.
    parts = _part(max(paths, key=lambda path: path.stat().st_mtime))[1]
    return sorted((path for path in paths if _part(path)[1] == parts), key=_part)


def _part(path: Path) -> tuple[int, int]:
    """Return part and number of parts of a table such as ``1of2.parquet``."""
    part, _, parts = path.stem.partition("of")
    return int(part), int(parts)
