"""Counts known in advance: the bundled table and the published totals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from penalized_bandits.datasets.counts import check_movies_above, more_than
from penalized_bandits.datasets.counts_csv import read_counts_csv
from penalized_bandits.datasets.errors import CountsMismatchError, DatasetConfigError

if TYPE_CHECKING:
    from penalized_bandits.datasets.counts import RatingCounts
    from penalized_bandits.datasets.manifest import Dataset

BUNDLED_FOLDER = Path(__file__).parent / "bundled"


def bundled_path(dataset: Dataset) -> Path:
    """Return the path of a data set's bundled table.

    Raises
    ------
    DatasetConfigError
        If the data set has none.
    """
    if dataset.bundled is None:
        raise DatasetConfigError(
            f"no counts of {dataset.title} are bundled; set movielens.source to "
            "`download` or `archive`"
        )
    return BUNDLED_FOLDER / dataset.bundled.file


def read_bundled_counts(dataset: Dataset) -> RatingCounts:
    """Read a data set's bundled counts.

    Parameters
    ----------
    dataset : Dataset
        Entry of the manifest.

    Returns
    -------
    RatingCounts
        All movies with more than ``dataset.bundled.above`` ratings.

    Raises
    ------
    DatasetConfigError
        If the data set has none.
    CountsFormatError, CountsMismatchError
        If the packaged file was damaged.
    """
    path = bundled_path(dataset)
    counts = read_counts_csv(path)
    if counts.levels != dataset.level_values:
        raise CountsMismatchError(
            f"{path}: levels {counts.levels}; expected {dataset.level_values}"
        )
    if dataset.bundled is not None and dataset.published is not None:
        above = dataset.bundled.above
        expected = dataset.published.movies_above
        check_movies_above(counts, {m0: n for m0, n in expected.items() if m0 >= above})
    return counts


def check_against_bundled(counts: RatingCounts, dataset: Dataset) -> None:
    """Check that an archive's counts hold the bundled movies, and no other so often.

    Parameters
    ----------
    counts : RatingCounts
        Counts of all movies of an archive.
    dataset : Dataset
        Entry of the manifest, with bundled counts.

    Raises
    ------
    CountsMismatchError
        Naming the first movie that differs in id, title or a count.
    """
    bundled = read_bundled_counts(dataset)
    if dataset.bundled is None:  # then the line above has raised
        return
    found = more_than(counts, dataset.bundled.above).table
    columns = [str(column) for column in bundled.table.columns]
    found_rows = [tuple(row) for row in found.to_numpy().tolist()]
    known_rows = [tuple(row) for row in bundled.table.to_numpy().tolist()]
    for rank in range(max(len(found_rows), len(known_rows))):
        got = found_rows[rank] if rank < len(found_rows) else None
        known = known_rows[rank] if rank < len(known_rows) else None
        if got == known:
            continue
        reference = known or got or (None, None)
        raise CountsMismatchError(
            f"movie {reference[0]} ({reference[1]}), rank {rank + 1} by number of ratings: "
            f"the archive has {_row(columns, got)}, the bundled counts have "
            f"{_row(columns, known)}: this is not the archive of {dataset.title}"
        )


def check_published(counts: RatingCounts, dataset: Dataset) -> None:
    """Check an archive's counts against the published totals, if there are any.

    Parameters
    ----------
    counts : RatingCounts
        Counts of all movies of an archive.
    dataset : Dataset
        Entry of the manifest.

    Raises
    ------
    CountsMismatchError
        If a total differs; the message says which and what it should be.
    """
    published = dataset.published
    if published is None:
        return
    check_movies_above(counts, published.movies_above)
    for name, found, expected in (
        ("ratings", counts.n_ratings, published.n_ratings),
        ("rated movies", len(counts.table), published.n_movies),
        ("users", counts.n_users, published.n_users),
    ):
        if found != expected:
            raise CountsMismatchError(f"{found} {name}; expected {expected} as in {dataset.title}")


def _row(columns: list[str], row: tuple[object, ...] | None) -> str:
    if row is None:
        return "no such row"
    return " ".join(f"{name}={value}" for name, value in zip(columns, row, strict=True))
