"""Counts known in advance: the bundled table and the published totals.

The bundled table is made again by ``python -m penalized_bandits.datasets.bundle``.
"""

import argparse
import sys
from collections.abc import Hashable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from penalized_bandits.datasets.counts import RatingCounts
from penalized_bandits.datasets.counts_csv import read_counts_csv, write_counts_csv
from penalized_bandits.datasets.errors import (
    CountsMismatchError,
    DatasetConfigError,
    DatasetError,
)
from penalized_bandits.datasets.manifest import Bundled, Dataset, load_manifest
from penalized_bandits.datasets.movielens import read_rating_counts

BUNDLED_FOLDER = Path(__file__).parent / "bundled"


def _bundled(dataset: Dataset) -> Bundled:
    if dataset.bundled is None:
        raise DatasetConfigError(
            f"no counts of {dataset.title} are bundled; set movielens.source to "
            "`download` or `archive`"
        )
    return dataset.bundled


def read_bundled_counts(dataset: Dataset) -> RatingCounts:
    """Read a data set's bundled counts: all movies with more than ``bundled.above`` ratings.

    Raises DatasetConfigError if the data set has none, CountsFormatError or CountsMismatchError if
    the packaged file was damaged.
    """
    bundled = _bundled(dataset)
    path = BUNDLED_FOLDER / bundled.file
    counts = read_counts_csv(path)
    if counts.levels != dataset.level_values:
        raise CountsMismatchError(
            f"{path}: levels {counts.levels}; expected {dataset.level_values}"
        )
    if dataset.published is not None:
        expected = dataset.published.movies_above
        _check_movies_above(counts, {m0: n for m0, n in expected.items() if m0 >= bundled.above})
    return counts


def read_checked_counts(archive: Path, dataset: Dataset) -> RatingCounts:
    """Count the ratings of an archive, and compare them with what is known in advance.

    Raises ArchiveError, RatingsFormatError if the archive cannot be read. Raises
    CountsMismatchError, which names the first movie that differs from the bundled counts in id,
    title or a count, or the total that differs from the published one.
    """
    counts = read_rating_counts(archive, dataset)
    if dataset.bundled is not None:
        check_against_bundled(counts, dataset)
    check_published(counts, dataset)
    return counts


def check_against_bundled(counts: RatingCounts, dataset: Dataset) -> None:
    """Check that an archive's counts hold the bundled movies, and no other so often."""
    known = read_bundled_counts(dataset).table
    found = counts.more_than(_bundled(dataset).above).table
    rows = zip_longest(found.to_dict("records"), known.to_dict("records"), fillvalue={})
    for rank, (got, wanted) in enumerate(rows, start=1):
        if got != wanted:
            movie = wanted or got
            raise CountsMismatchError(
                f"movie {movie['movie_id']} ({movie['title']}), rank {rank} by number of "
                f"ratings: the archive has {_shown(got)}, the bundled counts have "
                f"{_shown(wanted)}: this is not the archive of {dataset.title}"
            )


def _shown(row: Mapping[Hashable, object]) -> str:
    return " ".join(f"{name}={value}" for name, value in row.items()) or "no such row"


def check_published(counts: RatingCounts, dataset: Dataset) -> None:
    """Check an archive's counts against the published totals, if there are any."""
    published = dataset.published
    if published is None:
        return
    _check_movies_above(counts, published.movies_above)
    for name, found, expected in (
        ("ratings", counts.n_ratings, published.n_ratings),
        ("rated movies", len(counts.table), published.n_movies),
        ("users", counts.n_users, published.n_users),
    ):
        if found != expected:
            raise CountsMismatchError(f"{found} {name}; expected {expected} as in {dataset.title}")


def _check_movies_above(counts: RatingCounts, expected: Mapping[int, int]) -> None:
    for m0, wanted in expected.items():
        found = counts.n_above(m0)
        if found != wanted:
            raise CountsMismatchError(
                f"{found} items have more than {m0} ratings; expected {wanted}"
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the bundled table anew; return 0, or 2 after an error, which is written to stderr.

    No user and no single rating is in it, but the counts of the movies with many ratings.
    """
    dataset = next(entry for entry in load_manifest().values() if entry.bundled)
    bundled = _bundled(dataset)
    parser = argparse.ArgumentParser(
        prog="python -m penalized_bandits.datasets.bundle",
        description=f"Count the ratings of {dataset.title} and write the table that is bundled.",
    )
    parser.add_argument("archive", type=Path, help="zip archive of the data set")
    parser.add_argument(
        "--output", type=Path, default=BUNDLED_FOLDER / bundled.file, help="file to write"
    )
    options = parser.parse_args(arguments)
    try:
        counts = read_rating_counts(options.archive, dataset)
        check_published(counts, dataset)
        kept = counts.more_than(bundled.above)
        write_counts_csv(kept, options.output)
    except (DatasetError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{options.output}: {len(kept.table)} movies, {kept.n_ratings} ratings\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
