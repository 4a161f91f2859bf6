"""Rating counts of a MovieLens archive; no single rating outlives the reading."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from penalized_bandits.datasets.archive import check_archive_file, member_blocks
from penalized_bandits.datasets.counts import CONTROL, RatingCounts, counts_table
from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.manifest import Dataset, MoviesLayout
from penalized_bandits.datasets.rating_lines import (
    INTEGER,
    INTEGER_MEANING,
    NO_TEXT,
    Ratings,
    line_at,
    no_text_problem,
    rating_blocks,
    shorten,
)

_MAX_TITLES = 1 << 24
"""Bytes of a file of movies, which is read as a whole; that of MovieLens 32M has a quarter."""


class OutOfOrderError(Exception):
    """The users of a file do not ascend, as was assumed; not an error of the user's."""


def read_rating_counts(archive: Path, dataset: Dataset) -> RatingCounts:
    """Count the ratings of every rated movie of an archive.

    Nothing is extracted: the two members are read as streams, the ratings in blocks of
    some megabytes that are added up and forgotten. Where users do not ascend, as in
    MovieLens 100K, they are read a second time and kept (``count_ratings``).

    Movies without ratings are left out. The levels are those of the data set (Harper and Konstan,
    2015, doi 10.1145/2827872), whether or not somebody gave them.

    Raises ArchiveError if the archive or one of the two members cannot be read, RatingsFormatError
    if a line is not as the layout says; that names archive, member, line (from 1) and text.
    """
    check_archive_file(archive, dataset.max_archive_bytes)
    layout = dataset.movies
    few = min(dataset.max_member_bytes, _MAX_TITLES)
    data = b"".join(member_blocks(archive, layout.member, max_bytes=few))
    titles = read_titles(data, layout, f"{archive}: {layout.member}")
    movies = np.array(sorted(titles), dtype=np.int64)
    try:
        counts, n_users = _count_archive(archive, dataset, movies, ordered=True)
    except OutOfOrderError:
        counts, n_users = _count_archive(archive, dataset, movies, ordered=False)
    rated = counts.any(axis=1)
    ids, values = movies[rated], dataset.level_values
    table = counts_table(ids, [titles[movie] for movie in ids.tolist()], counts[rated], values)
    return RatingCounts(table, values, n_users=n_users)


def read_titles(data: bytes, layout: MoviesLayout, place: str) -> dict[int, str]:
    """Read the title of each movie id of a file, which is given as a whole.

    Raises RatingsFormatError at the first line that breaks the layout, repeats an id, or is not in
    the layout's encoding; the message names place, line (from 1) and the text.
    """
    titles: dict[int, str] = {}
    for number, fields in _rows(_decoded(data, layout, place), layout, place):
        where = f"{place}: line {number}"
        if len(fields) != layout.fields:
            text = layout.separator.join(fields)
            raise RatingsFormatError(
                f"{where}: {len(fields)} fields; expected {layout.fields} separated by "
                f"{layout.separator!r}, the first two movie id and title: {shorten(text)}"
            )
        movie, title = fields[0], fields[1]
        if not re.fullmatch(INTEGER, movie):
            raise RatingsFormatError(
                f"{where}: movie id {shorten(movie)}; expected {INTEGER_MEANING}"
            )
        if int(movie) in titles:
            raise RatingsFormatError(
                f"{where}: movie id {movie} stands in an earlier line too; expected once"
            )
        if not title.strip() or CONTROL.search(title):
            raise RatingsFormatError(
                f"{where}: title {shorten(title)}; expected text in {layout.encoding} "
                "without control characters"
            )
        titles[int(movie)] = title
    if not titles:
        raise RatingsFormatError(f"{place}: line 1: no movies; expected one per line")
    return titles


def _decoded(data: bytes, layout: MoviesLayout, place: str) -> str:
    def fault(at: int, problem: str) -> RatingsFormatError:
        number, line = line_at(data, at)
        return RatingsFormatError(f"{place}: line {number}: {problem}: {shorten(line)}")

    no_text = NO_TEXT.search(data)
    if no_text is not None:
        raise fault(no_text.start(), no_text_problem(no_text))
    accent = re.search(rb"[\x80-\xff]", data)
    if layout.encoding == "latin-1" and accent is not None:
        # Any bytes are Latin-1, but accents of a Latin-1 text are hardly ever UTF-8.
        with suppress(UnicodeDecodeError):
            data.decode()
            raise fault(accent.start(), "UTF-8; expected Latin-1 titles")
    try:
        return data.decode(layout.encoding)
    except UnicodeDecodeError as error:
        raise fault(error.start, f"not UTF-8 ({error.reason})") from error


def _rows(text: str, layout: MoviesLayout, place: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and fields of each movie."""
    # Only "\n" ends a line: str.splitlines would also cut at characters of titles.
    whole = io.StringIO(text, newline="\n")
    lines = (line.removesuffix("\n").removesuffix("\r") for line in whole)
    before = 0
    if layout.header is not None:
        first, before = next(lines, ""), 1
        if first != layout.header:
            raise RatingsFormatError(
                f"{place}: line 1: expected the header {layout.header!r}, got {shorten(first)}"
            )
    if not layout.quoted:
        for number, line in enumerate(lines, start=before + 1):
            yield number, line.split(layout.separator)
        return
    # With their ends: a field that goes on in the next line has a line break in it.
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=layout.separator, strict=True)
    try:
        for fields in reader:
            yield reader.line_num + before, fields
    except csv.Error as error:
        number = reader.line_num + before
        raise RatingsFormatError(f"{place}: line {number}: {error}") from error


def _count_archive(
    archive: Path, dataset: Dataset, movies: NDArray[np.int64], *, ordered: bool
) -> tuple[NDArray[np.int64], int]:
    layout, levels = dataset.ratings, dataset.levels
    place = f"{archive}: {layout.member}"
    with closing(
        member_blocks(archive, layout.member, max_bytes=dataset.max_member_bytes)
    ) as blocks:
        ratings = rating_blocks(blocks, layout, levels, place)
        return count_ratings(
            ratings, movies, len(levels), place, dataset.movies.member, ordered=ordered
        )


def count_ratings(
    blocks: Iterable[Ratings],
    movies: NDArray[np.int64],
    n_levels: int,
    place: str,
    member: str,
    *,
    ordered: bool,
) -> tuple[NDArray[np.int64], int]:
    """Add up ratings block by block, in memory that does not grow with their number.

    A user who rates a movie twice is an error: MovieLens keeps one rating per user and
    movie, so a repeat means that the file was put together wrongly. To find one, the
    ratings of a user have to be looked at together. All MovieLens releases but 100K are
    ordered by user, as their READMEs say; then those of the last user are all that is kept.

    Returns how often each of the K ``movies`` (ids, ascending) was given each rating, shape
    (K, n_levels), and the number of users. ``ordered`` says whether users ascend; if not, 12 bytes
    of each rating are kept, and about 40 are needed at the end. ``place`` (archive and member) and
    ``member`` (the file of movies) are for messages.

    Raises RatingsFormatError if a movie is not known or a user rates one again, OutOfOrderError if
    users do not ascend though they should.
    """
    counts = np.zeros((len(movies), n_levels), dtype=np.int64)
    kept: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []
    n_users, first_line = 0, 0

    def joined() -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        return np.concatenate([users for users, _ in kept]), np.concatenate([c for _, c in kept])

    def users_in(users: NDArray[np.int64], codes: NDArray[np.int32]) -> int:
        """Return the number of users, none of whom may rate a movie again."""
        # Stable: of two that are alike the later line comes last.
        order = np.lexsort((codes, users))
        same_user = np.diff(users[order]) == 0
        again = same_user & (np.diff(codes[order]) == 0)
        if again.any():
            row = int(order[1:][again].min())
            raise RatingsFormatError(
                f"{place}: line {row + first_line}: user {users[row]} rates movie "
                f"{movies[codes[row]]} again; expected one rating per user and movie"
            )
        return len(users) - int(same_user.sum())

    for ratings in blocks:
        codes = _codes_of(ratings, movies, place, member)
        cells = codes.astype(np.intp) * n_levels + ratings.level_codes
        counts += np.bincount(cells, minlength=counts.size).reshape(counts.shape)
        first_line = first_line or ratings.first_line
        kept.append((ratings.users, codes))
        if ordered:
            users, codes = joined()
            if (np.diff(users) < 0).any():
                raise OutOfOrderError
            n_users += users_in(users, codes) - 1  # the last user may go on in the next block
            last = int(np.searchsorted(users, users[-1]))
            kept = [(users[last:].copy(), codes[last:].copy())]
            first_line += last
    return counts, n_users + users_in(*joined())


def _codes_of(
    ratings: Ratings, movies: NDArray[np.int64], place: str, member: str
) -> NDArray[np.int32]:
    """Return the index of each rating's movie, shape (n,)."""
    codes = np.searchsorted(movies, ratings.movies)
    known = codes < len(movies)
    known[known] = movies[codes[known]] == ratings.movies[known]
    if not known.all():
        row = int(known.argmin())
        raise RatingsFormatError(
            f"{place}: line {row + ratings.first_line}: movie {ratings.movies[row]} is "
            f"not in {member}; expected every rated movie there"
        )
    return codes.astype(np.int32)
