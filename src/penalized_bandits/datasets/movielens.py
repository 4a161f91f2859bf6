"""Rating counts of a MovieLens archive; no single rating outlives the reading."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from penalized_bandits.datasets.archive import check_archive_file, member_blocks
from penalized_bandits.datasets.counts import RatingCounts, counts_from_codes
from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.movie_titles import read_titles
from penalized_bandits.datasets.rating_lines import read_ratings

if TYPE_CHECKING:
    from pathlib import Path

    from penalized_bandits.datasets.manifest import Dataset
    from penalized_bandits.datasets.rating_lines import Ratings

_MAX_TITLES = 1 << 24
"""Bytes of a file of movies, which is read as a whole; that of MovieLens 32M has a quarter."""


def read_rating_counts(archive: Path, dataset: Dataset) -> RatingCounts:
    """Count the ratings of every rated movie of an archive.

    Nothing is extracted: the two members are read as streams. A user who rates the
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
    limit = dataset.max_member_bytes
    movies = dataset.movies
    few = min(limit, _MAX_TITLES)
    with closing(member_blocks(archive, movies.member, max_bytes=few)) as blocks:
        data = b"".join(blocks)
    titles = read_titles(data, movies, f"{archive}: {movies.member}")
    layout = dataset.ratings
    place = f"{archive}: {layout.member}"
    with closing(member_blocks(archive, layout.member, max_bytes=limit)) as blocks:
        ratings = read_ratings(
            blocks,
            place=place,
            separator=layout.separator,
            levels=dataset.levels,
            header=layout.header,
        )
    first_line = 1 if layout.header is None else 2
    _check_no_repeats(ratings, place, first_line)
    _check_titles(ratings, titles, place, first_line, movies.member)
    values = dataset.level_values
    table = counts_from_codes(pd.Series(ratings.movies), ratings.level_codes, titles, values)
    n_users = len(pd.unique(ratings.users))
    return RatingCounts(table, values, n_users=n_users)


def _check_no_repeats(ratings: Ratings, place: str, first_line: int) -> None:
    pairs = pd.DataFrame({"user": ratings.users, "movie": ratings.movies})
    repeated = pairs.duplicated().to_numpy()
    if repeated.any():
        row = int(repeated.argmax())
        user, movie = ratings.users[row], ratings.movies[row]
        raise RatingsFormatError(
            f"{place}: line {row + first_line}: user {user} rates movie {movie} again; "
            "expected one rating per user and movie"
        )


def _check_titles(
    ratings: Ratings, titles: dict[int, str], place: str, first_line: int, member: str
) -> None:
    known = np.fromiter(titles, dtype=np.int64, count=len(titles))
    unknown = ~np.isin(ratings.movies, known)
    if unknown.any():
        row = int(unknown.argmax())
        raise RatingsFormatError(
            f"{place}: line {row + first_line}: movie {ratings.movies[row]} is not in "
            f"{member}; expected every rated movie there"
        )
