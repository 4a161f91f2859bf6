from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    make_archive,
    read_ratings,
    rows,
    toy_dataset,
)
from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.movielens import read_rating_counts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


LEVELS = ("1", "2", "3", "4", "5")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.zip"


def test_counts_titles_order_and_levels(path: Path) -> None:
    counts = read_rating_counts(make_archive(path), toy_dataset())
    assert list(counts.table.columns) == [
        "movie_id", "title", "n_ratings", *(f"count_{n}" for n in LEVELS)
    ]  # fmt: skip
    assert rows(counts) == [
        [10, "Toy, The (1995)", 3, 0, 0, 0, 1, 2],
        [20, "Misérables, Les (1995)", 2, 0, 0, 2, 0, 0],
        [30, "Heat (1995)", 1, 1, 0, 0, 0, 0],
    ]
    assert counts.levels == (1, 2, 3, 4, 5)
    assert counts.n_users == 3
    assert counts.n_ratings == 6


def test_ties_are_in_order_of_id_whatever_the_order_of_the_file(path: Path) -> None:
    ratings = b"1::30::1::0\n1::10::1::0\n1::20::1::0\n2::30::1::0\n"
    counts = read_rating_counts(make_archive(path, ratings), toy_dataset())
    assert counts.table["movie_id"].tolist() == [30, 10, 20]


@pytest.mark.parametrize("change", [(b"\n", b"\r\n"), (b"", b"")])
def test_line_ends_and_a_missing_last_one(path: Path, change: tuple[bytes, bytes]) -> None:
    ratings = GOOD_RATINGS.removesuffix(b"\n").replace(*change)
    movies = GOOD_MOVIES.replace(*change)
    if change == (b"", b""):
        ratings, movies = GOOD_RATINGS.removesuffix(b"\n"), GOOD_MOVIES.removesuffix(b"\n")
    expected = rows(read_rating_counts(make_archive(path), toy_dataset()))
    assert rows(read_rating_counts(make_archive(path, ratings, movies), toy_dataset())) == expected


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"1::10::5", r"3 fields; expected 4: 'user id::movie id::rating::time'"),
        (b"1::10::5::0::7", r"5 fields; expected 4"),
        (b"9::10::6::0", r"rating b'6'; expected one of 1, 2, 3, 4, 5"),
        (b"9::10::0::0", r"rating b'0'"),
        (b"9::10::4.5::0", r"rating b'4\.5'"),
        (b"9::10::05::0", r"rating b'05'"),
        (b"9::10::::0", r"rating b''"),
        (b"9::1e3::5::0", r"movie id b'1e3'; expected digits 0-9 without sign"),
        (b"+9::10::5::0", r"user id b'\+9'"),
        (b"-9::10::5::0", r"user id b'-9'"),
        (b"9:: 10::5::0", r"movie id b' 10'"),
        (b"9::010::5::0", r"movie id b'010'"),
        (b"9::10::5::0.5", r"time b'0\.5'"),
        (b"9::10::5::0 ", r"time b'0 '"),
        (b"9::10::5::0\r", r"time b'0\\r'"),
        ("9::１０::5::0".encode(), r"movie id b'\\xef"),
        ("9::10::４::0".encode(), r"rating b'\\xef"),
        (b"9::9223372036854775808::5::0", r"movie id b'9223372036854775808'.*at most 18"),
        (b"9::10::5::1\x000", r"NUL bytes"),
        (b"9:10:5:0", r"1 fields; expected 4"),
        (b"9::10::5::\"0\"", r"time"),
        (b"", r"blank line"),
        (b"   ", r"blank line"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("position", [0, 3, 6])
def test_faulty_rating_lines(path: Path, line: bytes, fault: str, position: int) -> None:
    lines = GOOD_RATINGS.split(b"\n")[:-1]
    # A second "\r" so that the first is not part of the line's end.
    lines.insert(position, line + b"\r" if line.endswith(b"\r") else line)
    make_archive(path, b"\n".join(lines) + b"\n")
    wanted = rf"a\.zip: ml-1m/ratings\.dat: line {position + 1}: {fault}"
    with pytest.raises(RatingsFormatError, match=wanted):
        read_rating_counts(path, toy_dataset())


def test_offending_text_is_shown_but_shortened(path: Path) -> None:
    make_archive(path, GOOD_RATINGS + b"x" * 500 + b"\n")
    with pytest.raises(RatingsFormatError, match=r"line 7: .*: b'x{80}'\.\.\.$"):
        read_rating_counts(path, toy_dataset())


def test_endless_line_is_not_gathered_in_memory() -> None:
    def blocks() -> Iterator[bytes]:
        yield b"1::10::5::0\n"
        for _ in range(100):
            given_out.append(1)
            yield b"x" * 50_000

    given_out: list[int] = []
    with pytest.raises(RatingsFormatError, match="line 2: longer than"):
        read_ratings(blocks(), place="p", separator="::", levels=LEVELS)
    assert len(given_out) == 2


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", r"line 1: no ratings"),
        (b"\xef\xbb\xbf" + GOOD_RATINGS, r"line 1: a byte order mark"),
        (GOOD_RATINGS.decode().encode("utf-16"), r"line 1: a byte order mark"),
        (GOOD_RATINGS.decode().encode("utf-16-le"), r"line 1: NUL bytes"),
    ],
)
def test_empty_or_wrongly_encoded_ratings(path: Path, data: bytes, fault: str) -> None:
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
        (GOOD_MOVIES.replace(b"Heat", b"He\x00t"), r"line 3: NUL bytes"),
        (GOOD_MOVIES.decode("latin-1").encode(), r"line 2: UTF-8; expected Latin-1"),
        (b"\xef\xbb\xbf" + GOOD_MOVIES, r"line 1: a byte order mark"),
        (GOOD_MOVIES.decode("latin-1").encode("utf-16"), r"line 1: a byte order mark"),
    ],
)
def test_faulty_movies(path: Path, data: bytes, fault: str) -> None:
    with pytest.raises(RatingsFormatError, match=rf"a\.zip: ml-1m/movies\.dat: {fault}"):
        read_rating_counts(make_archive(path, movies=data), toy_dataset())


def test_rated_movie_without_a_title(path: Path) -> None:
    make_archive(path, GOOD_RATINGS + b"1::99::5::0\n")
    with pytest.raises(RatingsFormatError, match=r"line 7: movie 99 is not in ml-1m/movies"):
        read_rating_counts(path, toy_dataset())


def test_a_user_who_rates_a_movie_twice(path: Path) -> None:
    make_archive(path, GOOD_RATINGS + b"2::20::1::8\n")
    with pytest.raises(RatingsFormatError, match=r"line 7: user 2 rates movie 20 again"):
        read_rating_counts(path, toy_dataset())


ids = st.integers(1, 10**18 - 1)
triples = st.lists(
    st.tuples(ids, st.sampled_from([1, 2, 17, 10**17]), st.sampled_from(LEVELS)), min_size=1
)


@given(triples, st.integers(1, 40))
def test_blocks_may_be_cut_anywhere(ratings: list[tuple[int, int, str]], size: int) -> None:
    data = "".join(f"{u}::{m}::{r}::0\n" for u, m, r in ratings).encode()
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    read = read_ratings(blocks, place="p", separator="::", levels=LEVELS)
    assert read.users.tolist() == [u for u, _, _ in ratings]
    assert read.movies.tolist() == [m for _, m, _ in ratings]
    assert [LEVELS[code] for code in read.level_codes] == [r for _, _, r in ratings]


@given(triples, st.integers(1, 40), st.data())
def test_the_line_of_a_fault_is_found_however_blocks_are_cut(
    ratings: list[tuple[int, int, str]], size: int, draw: st.DataObject
) -> None:
    lines = [f"{u}::{m}::{r}::0\n" for u, m, r in ratings]
    at = draw.draw(st.integers(0, len(lines) - 1))
    lines[at] = lines[at].replace("::", ":", 1)
    data = "".join(lines).encode()
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    with pytest.raises(RatingsFormatError, match=rf"p: line {at + 1}: 3 fields"):
        read_ratings(blocks, place="p", separator="::", levels=LEVELS)


@given(
    st.dictionaries(
        st.tuples(st.integers(1, 5), st.sampled_from([10, 20, 30])),
        st.sampled_from(LEVELS),
        min_size=1,
    )
)
def test_counts_equal_a_plain_count(
    tmp_path_factory: pytest.TempPathFactory, ratings: dict[tuple[int, int], str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "plain.zip"
    data = "".join(f"{u}::{m}::{r}::0\n" for (u, m), r in ratings.items()).encode()
    counts = read_rating_counts(make_archive(path, data), toy_dataset())
    plain = Counter((movie, level) for (_, movie), level in ratings.items())
    found = {
        (row[0], level): number
        for row in counts.table.drop(columns=["title", "n_ratings"]).to_numpy().tolist()
        for level, number in zip(LEVELS, row[1:], strict=True)
        if number
    }
    assert found == dict(plain)
