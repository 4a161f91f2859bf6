"""Layouts of other MovieLens releases, each from an entry of the manifest alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets_helpers import make_archive, rows, toy_dataset
from penalized_bandits.datasets.errors import RatingsFormatError
from penalized_bandits.datasets.movielens import read_rating_counts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.zip"


def test_layout_of_100k(path: Path) -> None:
    dataset = toy_dataset(
        ratings={"member": "u.data", "separator": "\t"},
        movies={"member": "u.item", "separator": "|", "encoding": "latin-1", "fields": 4},
    )
    members = {
        "u.data": b"1\t10\t5\t0\n2\t10\t4\t0\n",
        "u.item": b"10|Caf\xe9::Noir|x|y\n11|Other|x|y\n",
    }
    make_archive(path, None, None, members=members)
    assert rows(read_rating_counts(path, dataset)) == [[10, "Café::Noir", 2, 0, 0, 0, 1, 1]]


LATER = {
    "levels": ["0.5", "1.0", "4.5", "5.0"],
    "ratings": {
        "member": "ratings.csv", "separator": ",", "header": "userId,movieId,rating,timestamp"
    },
    "movies": {
        "member": "movies.csv", "separator": ",", "encoding": "utf-8", "fields": 3,
        "quoted": True, "header": "movieId,title,genres",
    },
}  # fmt: skip
CSV_RATINGS = b"userId,movieId,rating,timestamp\r\n1,10,4.5,0\r\n2,10,0.5,0\r\n"
CSV_MOVIES = 'movieId,title,genres\r\n10,"Amélie, ""Le"" (2001)",Comedy\r\n'.encode()


def test_layout_of_20m_to_32m(path: Path) -> None:
    make_archive(path, None, None, members={"ratings.csv": CSV_RATINGS, "movies.csv": CSV_MOVIES})
    counts = read_rating_counts(path, toy_dataset(**LATER))
    assert rows(counts) == [[10, 'Amélie, "Le" (2001)', 2, 1, 0, 1, 0]]
    assert counts.count_columns == ["count_0.5", "count_1", "count_4.5", "count_5"]


@pytest.mark.parametrize(
    ("ratings", "movies", "fault"),
    [
        (CSV_RATINGS[10:], CSV_MOVIES, r"ratings\.csv: line 1: expected the header"),
        (CSV_RATINGS, CSV_MOVIES[5:], r"movies\.csv: line 1: expected the header"),
        (CSV_RATINGS + b"3,10,4,0\r\n", CSV_MOVIES, r"ratings\.csv: line 4: rating b'4'"),
        (CSV_RATINGS + b"1,10,5.0,0\n", CSV_MOVIES, r"line 4: user 1 rates movie 10 again"),
        (CSV_RATINGS + b"1,11,5.0,0\n", CSV_MOVIES, r"line 4: movie 11 is not in movies"),
        (CSV_RATINGS[:33], CSV_MOVIES, r"line 1: no ratings"),
        (CSV_RATINGS, CSV_MOVIES[:22], r"no movies"),
        (CSV_RATINGS, CSV_MOVIES + b'11,"A" b,C\r\n', r"movies\.csv: line 3: "),
        (CSV_RATINGS, CSV_MOVIES + b"11,A\xff,C\r\n", r"movies\.csv: line 3: not UTF-8"),
        (CSV_RATINGS, CSV_MOVIES + b"11,A\r\n", r"movies\.csv: line 3: 2 fields"),
    ],
)
def test_faults_of_csv_layouts(path: Path, ratings: bytes, movies: bytes, fault: str) -> None:
    make_archive(path, None, None, members={"ratings.csv": ratings, "movies.csv": movies})
    with pytest.raises(RatingsFormatError, match=fault):
        read_rating_counts(path, toy_dataset(**LATER))
