"""Regenerate the bundled counts: ``python -m penalized_bandits.datasets.bundle``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from penalized_bandits.datasets.counts import more_than
from penalized_bandits.datasets.counts_csv import write_counts_csv
from penalized_bandits.datasets.errors import DatasetConfigError, DatasetError
from penalized_bandits.datasets.known_counts import bundled_path, check_published
from penalized_bandits.datasets.manifest import get_dataset
from penalized_bandits.datasets.movielens import read_rating_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penalized_bandits.datasets.counts import RatingCounts
    from penalized_bandits.datasets.manifest import Dataset


def bundle(archive: Path, dataset: Dataset, output: Path) -> RatingCounts:
    """Write the counts of the movies with many ratings, and return them.

    Parameters
    ----------
    archive : Path
        Archive of the whole data set.
    dataset : Dataset
        Entry of the manifest; its ``bundled.above`` says how many ratings are many.
    output : Path
        The file to write.

    Returns
    -------
    RatingCounts
        What was written: no user and no single rating is in it.

    Raises
    ------
    DatasetError
        If the archive cannot be read or is not the whole data set, or the manifest
        foresees no bundled table.
    """
    if dataset.bundled is None:
        raise DatasetConfigError(f"{dataset.name}: the manifest has no key bundled")
    counts = read_rating_counts(archive, dataset)
    check_published(counts, dataset)
    kept = more_than(counts, dataset.bundled.above)
    write_counts_csv(kept, output)
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 2 after an error, which is written to stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m penalized_bandits.datasets.bundle",
        description="Count the ratings of a MovieLens archive and write the table that "
        "the package bundles.",
    )
    parser.add_argument("archive", type=Path, help="zip archive of the data set")
    parser.add_argument("--dataset", default="movielens_1m", help="name in the manifest")
    parser.add_argument("--output", type=Path, help="file to write (default: the bundled)")
    options = parser.parse_args(arguments)
    try:
        dataset = get_dataset(options.dataset)
        output = options.output or bundled_path(dataset)
        kept = bundle(options.archive, dataset, output)
    except (DatasetError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{output}: {len(kept.table)} movies, {kept.n_ratings} ratings\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
