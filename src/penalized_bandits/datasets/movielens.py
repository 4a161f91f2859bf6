"""Rating counts of a MovieLens archive; no single rating outlives the reading."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from penalized_bandits.datasets.archive import check_archive_file, member_blocks
from penalized_bandits.datasets.counts import RatingCounts, counts_table
from penalized_bandits.datasets.movie_titles import read_titles
from penalized_bandits.datasets.rating_lines import rating_blocks
from penalized_bandits.datasets.tally import OutOfOrderError, Tally

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from penalized_bandits.datasets.manifest import Dataset

_MAX_TITLES = 1 << 24
"""Bytes of a file of movies, which is read as a whole; that of MovieLens 32M has a quarter."""


def read_rating_counts(archive: Path, dataset: Dataset) -> RatingCounts:
    """Count the ratings of every rated movie of an archive.

    Nothing is extracted: the two members are read as streams, the ratings in blocks of
    some megabytes that are added up and forgotten. Where users do not ascend, as in
    MovieLens 100K, they are read a second time and kept (``Tally``). A user who rates the
    same movie twice is an error, since MovieLens keeps one rating per user and movie:
    a repeat means that the file was put together wrongly, and counts would be too high.

    Parameters
    ----------
    archive : Path
        Zip archive in the layout of the data set.
    dataset : Dataset
        Entry of the manifest (Harper and Konstan, 2015, doi 10.1145/2827872).

    Returns
    -------
    RatingCounts
        All movies with ratings; movies without any are left out. The levels are those
        of the data set, whether or not somebody gave them.

    Raises
    ------
    ArchiveError
        If the archive or one of the two members cannot be read.
    RatingsFormatError
        If a line is not as the layout says; the message names archive, member, line
        (from 1) and text.
    """
    check_archive_file(archive, dataset.max_archive_bytes)
    movies = dataset.movies
    few = min(dataset.max_member_bytes, _MAX_TITLES)
    with closing(member_blocks(archive, movies.member, max_bytes=few)) as blocks:
        data = b"".join(blocks)
    titles = read_titles(data, movies, f"{archive}: {movies.member}")
    try:
        tally, n_users = _tally(archive, dataset, titles, ordered=True)
    except OutOfOrderError:
        tally, n_users = _tally(archive, dataset, titles, ordered=False)
    rated = tally.sum(axis=1) > 0
    values = dataset.level_values
    table = counts_table(_ids(titles)[rated], tally[rated], titles, values)
    return RatingCounts(table, values, n_users=n_users)


def _tally(
    archive: Path, dataset: Dataset, titles: dict[int, str], *, ordered: bool
) -> tuple[NDArray[np.int64], int]:
    """Return counts of each movie, ids ascending, and rating, and the number of users."""
    layout = dataset.ratings
    place = f"{archive}: {layout.member}"
    tally = Tally(_ids(titles), len(dataset.levels), place, dataset.movies.member, ordered=ordered)
    with closing(
        member_blocks(archive, layout.member, max_bytes=dataset.max_member_bytes)
    ) as blocks:
        for ratings in rating_blocks(
            blocks,
            place=place,
            separator=layout.separator,
            levels=dataset.levels,
            header=layout.header,
        ):
            tally.add(ratings)
    return tally.counts, tally.finish()


def _ids(titles: dict[int, str]) -> NDArray[np.int64]:
    return np.sort(np.fromiter(titles, dtype=np.int64, count=len(titles)))
