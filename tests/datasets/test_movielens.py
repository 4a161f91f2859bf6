"""Counts of archives in the layout of MovieLens 1M, and what is said of faulty lines."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from datasets_helpers import GOOD_MOVIES, GOOD_RATINGS, make_archive, rows, toy_dataset
from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.movielens import (
    OutOfOrderError,
    count_ratings,
    read_rating_counts,
)
from penalized_bandits.datasets.rating_lines import Ratings, rating_blocks

COUNTS = [
    [10, "Toy, The (1995)", 3, 0, 0, 0, 1, 2],
    [20, "Misérables, Les (1995)", 2, 0, 0, 2, 0, 0],
    [30, "Heat (1995)", 1, 1, 0, 0, 0, 0],
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.zip"


def test_counts_titles_order_and_levels(path: Path) -> None:
    counts = read_rating_counts(make_archive(path), toy_dataset())
    columns = ["movie_id", "title", "n_ratings", *(f"count_{n}" for n in range(1, 6))]
    assert list(counts.table.columns) == columns
    assert rows(counts) == COUNTS
    assert counts.levels == (1, 2, 3, 4, 5)
    assert (counts.n_users, counts.n_ratings) == (3, 6)
    # Ties are in order of id, whatever the order of the file.
    ratings = b"1::30::1::0\n1::10::1::0\n1::20::1::0\n2::30::1::0\n"
    counts = read_rating_counts(make_archive(path, ratings), toy_dataset())
    assert counts.table["movie_id"].tolist() == [30, 10, 20]


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_line_ends_and_a_missing_last_one(path: Path, end: bytes) -> None:
    ratings = GOOD_RATINGS.removesuffix(b"\n").replace(b"\n", end)
    movies = GOOD_MOVIES.removesuffix(b"\n").replace(b"\n", end)
    assert rows(read_rating_counts(make_archive(path, ratings, movies), toy_dataset())) == COUNTS


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"1::10::5", r"3 fields; expected 4: 'user id::movie id::rating::time'"),
        (b"1::10::5::0::7", r"5 fields; expected 4"),
        (b"9::10::6::0", r"rating b'6'; expected one of 1, 2, 3, 4, 5"),
        (b"9::10::4.5::0", r"rating b'4\.5'"),
        (b"9::10::05::0", r"rating b'05'"),
        (b"9::10::::0", r"rating b''"),
        (b"9::1e3::5::0", r"movie id b'1e3'; expected digits 0-9 without sign"),
        (b"+9::10::5::0", r"user id b'\+9'"),
        (b"-9::10::5::0", r"user id b'-9'"),
        (b"9:: 10::5::0", r"movie id b' 10'"),
        (b"9::010::5::0", r"movie id b'010'"),
        (b"9::10::5::0.5", r"time b'0\.5'"),
        (b"9::10::5::0\r\r", r"time b'0\\r'"),
        ("9::１０::5::0".encode(), r"movie id b'\\xef"),
        ("9::10::４::0".encode(), r"rating b'\\xef"),
        (b"9::9223372036854775808::5::0", r"movie id b'9223372036854775808'.*at most 18"),
        (b"9::10::5::1\x000", r"NUL bytes"),
        (b"\xef\xbb\xbf9::10::5::1", r"a byte order mark"),
        (b"9:10:5:0", r"1 fields; expected 4"),
        (b'9::10::5::"0"', r"time"),
        (b"", r"blank line"),
        (b"   ", r"blank line"),
        (b"x" * 500, r"1 fields.*: b'x{80}'\.\.\.$"),
        (b"9::99::5::0", r"movie 99 is not in ml-1m/movies"),
    ],
)
def test_faulty_rating_lines(path: Path, line: bytes, fault: str) -> None:
    lines = GOOD_RATINGS.splitlines()
    for position in (0, 6):
        make_archive(path, b"\n".join([*lines[:position], line, *lines[position:]]) + b"\n")
        wanted = rf"a\.zip: ml-1m/ratings\.dat: line {position + 1}: {fault}"
        with pytest.raises(RatingsFormatError, match=wanted):
            read_rating_counts(path, toy_dataset())


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", r"line 1: no ratings"),
        (GOOD_RATINGS.decode().encode("utf-16"), r"line 1: a byte order mark"),
        (GOOD_RATINGS.decode().encode("utf-16-le"), r"line 1: NUL bytes"),
        (GOOD_RATINGS + b"2::20::1::8\n", r"line 7: user 2 rates movie 20 again"),
    ],
)
def test_faulty_ratings(path: Path, data: bytes, fault: str) -> None:
    with pytest.raises(RatingsFormatError, match=rf"a\.zip: ml-1m/ratings\.dat: {fault}"):
        read_rating_counts(make_archive(path, data), toy_dataset())


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", r"line 1: no movies"),
        (GOOD_MOVIES + b"50::Title\n", r"line 5: 2 fields; expected 3"),
        (GOOD_MOVIES + b"50::A::B::C\n", r"line 5: 4 fields; expected 3"),
        (b"\n" + GOOD_MOVIES, r"line 1: 1 fields"),
        (GOOD_MOVIES + b"+5::A::B\n", r"line 5: movie id '\+5'; expected digits"),
        (GOOD_MOVIES + b"20::A::B\n", r"line 5: movie id 20 stands in an earlier line"),
        (GOOD_MOVIES + b"50::::B\n", r"line 5: title ''"),
        (GOOD_MOVIES + b"50::A\x85::B\n", r"line 5: title 'A\\x85'"),
        (GOOD_MOVIES + b"50::A\tb::B\n", r"line 5: title 'A\\tb'"),
        (GOOD_MOVIES.replace(b"Heat", b"He\x00t"), r"line 3: NUL bytes.*b'30::He\\x00t"),
        (GOOD_MOVIES.decode("latin-1").encode(), r"line 2: UTF-8; expected Latin-1"),
        (b"\xef\xbb\xbf" + GOOD_MOVIES, r"line 1: a byte order mark"),
        (GOOD_MOVIES.decode("latin-1").encode("utf-16"), r"line 1: a byte order mark"),
    ],
)
def test_faulty_movies(path: Path, data: bytes, fault: str) -> None:
    with pytest.raises(RatingsFormatError, match=rf"a\.zip: ml-1m/movies\.dat: {fault}"):
        read_rating_counts(make_archive(path, movies=data), toy_dataset())


def test_endless_line_is_not_gathered_in_memory() -> None:
    def blocks() -> Iterator[bytes]:
        yield b"1::10::5::0\n"
        for _ in range(100):
            given_out.append(1)
            yield b"x" * 50_000

    given_out: list[int] = []
    toy = toy_dataset()
    with pytest.raises(RatingsFormatError, match="line 2: longer than"):
        list(rating_blocks(blocks(), toy.ratings, toy.levels, "p"))
    assert len(given_out) == 2


# --- Block by block -----------------------------------------------------------------


Row = tuple[int, int, int]
ROWS: list[Row] = [(1, 3, 0), (1, 8, 1), (4, 3, 2), (4, 8, 0), (4, 10**17, 1), (5, 3, 1)]


def counted(ratings: list[Row], size: int, *, ordered: bool) -> tuple[list[list[int]], int]:
    """Count ratings that begin in line 2, in blocks of a size."""
    blocks = []
    for at in range(0, len(ratings), size):
        users, movies, codes = np.array(ratings[at : at + size], dtype=np.int64).T
        blocks.append(Ratings(2 + at, users, movies, codes))
    known = np.array([3, 8, 10**17], dtype=np.int64)
    counts, n_users = count_ratings(blocks, known, 3, "a.zip: r", "m", ordered=ordered)
    return counts.tolist(), n_users


@pytest.mark.parametrize("size", range(1, 9))
def test_blocks_of_any_size(size: int) -> None:
    for ordered in (True, False):
        assert counted(ROWS, size, ordered=ordered) == ([[1, 1, 1], [1, 1, 0], [0, 1, 0]], 3)
        for again in ((4, 3, 0), (4, 10**17, 0)):
            wanted = f"a.zip: r: line 7: user 4 rates movie {again[1]} again"
            with pytest.raises(RatingsFormatError, match=wanted):
                counted([*ROWS[:5], again, *ROWS[5:]], size, ordered=ordered)
    moved = [*ROWS, (1, 10**17, 2)]
    with pytest.raises(OutOfOrderError):
        counted(moved, size, ordered=True)
    assert counted(moved, size, ordered=False) == ([[1, 1, 1], [1, 1, 0], [0, 1, 1]], 3)
    with pytest.raises(RatingsFormatError, match="line 9: user 1 rates movie 8 again"):
        counted([*moved, (1, 8, 0)], size, ordered=False)
    with pytest.raises(RatingsFormatError, match=r"line 8: movie 4 is not in m; "):
        counted([*ROWS, (6, 4, 1)], size, ordered=True)


def peak_of(n_blocks: int, *, ordered: bool) -> int:
    """Return the bytes held at most while blocks of 200 users are added."""
    movies = np.arange(50, dtype=np.int64)
    rated, codes = np.tile(movies, 200), np.zeros(10_000, dtype=np.intp)
    blocks = (
        Ratings(2 + 10_000 * n, np.repeat(np.arange(200 * n, 200 * (n + 1)), 50), rated, codes)
        for n in range(n_blocks)
    )
    tracemalloc.start()
    _, n_users = count_ratings(blocks, movies, 3, "a.zip: r", "m", ordered=ordered)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_users == 200 * n_blocks
    return peak


def test_memory_does_not_grow_with_the_ratings() -> None:
    # Where users are in no order it does: the measure sees what is kept.
    assert peak_of(50, ordered=False) > 3 * peak_of(5, ordered=False)
    assert peak_of(50, ordered=True) < 1.2 * peak_of(5, ordered=True)
