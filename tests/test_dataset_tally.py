"""Adding ratings up block by block: the same whatever the blocks, in bounded memory."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.rating_lines import Ratings
from penalized_bandits.datasets.tally import OutOfOrderError, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOVIES = [3, 8, 10**17]
Row = tuple[int, int, int]
rows = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(MOVIES), st.integers(0, 2)), min_size=1
)


def blocks(ratings: Sequence[Row], size: int, first_line: int = 2) -> Iterator[Ratings]:
    for at in range(0, len(ratings), size):
        users, movies, codes = np.array(ratings[at : at + size], dtype=np.int64).T
        yield Ratings(first_line + at, users, movies, codes.astype(np.intp))


def tally(ratings: Sequence[Row], size: int, *, ordered: bool) -> tuple[list[list[int]], int]:
    known = np.array(MOVIES, dtype=np.int64)
    total = Tally(known, 3, "a.zip: r", "m", ordered=ordered)
    for block in blocks(ratings, size):
        total.add(block)
    return total.counts.tolist(), total.finish()


def slowly(ratings: Sequence[Row]) -> tuple[list[list[int]], int] | int:
    """Return counts and users, or the line in which a user rates a movie again."""
    seen: set[tuple[int, int]] = set()
    counts = [[0, 0, 0] for _ in MOVIES]
    for line, (user, movie, code) in enumerate(ratings, start=2):
        if (user, movie) in seen:
            return line
        seen.add((user, movie))
        counts[MOVIES.index(movie)][code] += 1
    return counts, len({user for user, _ in seen})


@given(rows, st.integers(1, 8))
def test_counts_do_not_depend_on_the_blocks(ratings: list[Row], size: int) -> None:
    for ordered in (False, True):
        given_rows = sorted(ratings, key=lambda row: row[0]) if ordered else ratings
        expected = slowly(given_rows)
        if isinstance(expected, tuple):
            assert tally(given_rows, size, ordered=ordered) == expected
            continue
        user, movie, _ = given_rows[expected - 2]
        again = f"a.zip: r: line {expected}: user {user} rates movie {movie} again"
        with pytest.raises(RatingsFormatError, match=again):
            tally(given_rows, size, ordered=ordered)


@given(rows, st.integers(1, 8))
def test_users_out_of_order_are_noticed(ratings: list[Row], size: int) -> None:
    distinct = list({row[:2]: row for row in ratings}.values())
    if any(after[0] < before[0] for before, after in pairwise(distinct)):
        with pytest.raises(OutOfOrderError):
            tally(distinct, size, ordered=True)
    else:
        assert tally(distinct, size, ordered=True) == slowly(distinct)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("movie", [1, 4, 10**18])
def test_a_movie_without_a_title(movie: int, ordered: bool) -> None:
    ratings = [(1, 3, 0), (1, 8, 1), (2, movie, 1)]
    with pytest.raises(RatingsFormatError, match=rf"line 4: movie {movie} is not in m; "):
        tally(ratings, 2, ordered=ordered)


def peak_of(n_blocks: int, *, ordered: bool) -> int:
    """Return the bytes held at most while blocks of 200 users are added."""
    movies = np.arange(50, dtype=np.int64)
    total = Tally(movies, 3, "a.zip: r", "m", ordered=ordered)
    rated, codes = np.tile(movies, 200), np.zeros(10_000, dtype=np.intp)
    tracemalloc.start()
    for number in range(n_blocks):
        users = np.repeat(np.arange(200 * number, 200 * (number + 1)), 50)
        total.add(Ratings(2 + 10_000 * number, users, rated, codes))
    assert total.finish() == 200 * n_blocks
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_ratings() -> None:
    # Where users are in no order it does: the measure sees what is kept.
    assert peak_of(50, ordered=False) > 3 * peak_of(5, ordered=False)
    assert peak_of(50, ordered=True) < 1.2 * peak_of(5, ordered=True)
