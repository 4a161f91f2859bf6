"""Checks against bundled and published counts, and the records of origin."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    TOY_CSV,
    checked_toy_dataset,
    make_archive,
    md5_of,
    obtain,
    toy_dataset,
)
from penalized_bandits.datasets import known_counts
from penalized_bandits.datasets.errors import (
    BundledCountsTooFewError,
    CountsFormatError,
    CountsMismatchError,
    DatasetConfigError,
)
from penalized_bandits.datasets.known_counts import read_bundled_counts
from penalized_bandits.datasets.manifest import get_dataset
from penalized_bandits.datasets.obtain import obtain_counts
from penalized_bandits.datasets.provenance import Provenance, table_provenance, write_provenance
from penalized_bandits.datasets.ratings_table import read_ratings_table

if TYPE_CHECKING:
    from pathlib import Path

    from penalized_bandits.datasets.manifest import Dataset

LOG = logging.getLogger("test_obtain")
MOVIELENS = get_dataset("movielens_1m")
UNREACHABLE = "http://127.0.0.1:1/ml-1m.zip"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "copy.zip")


@pytest.fixture
def toy(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    (tmp_path / "toy.csv").write_text(TOY_CSV, encoding="utf-8")
    monkeypatch.setattr(known_counts, "BUNDLED_FOLDER", tmp_path)
    return checked_toy_dataset(archive.read_bytes())


@pytest.mark.parametrize(
    ("ratings", "movies", "fault"),
    [
        (
            GOOD_RATINGS.replace(b"2::10::4", b"2::10::3"),
            GOOD_MOVIES,
            r"movie 10 \(Toy, The \(1995\)\), rank 1.*count_3=1.*count_3=0",
        ),
        (GOOD_RATINGS, GOOD_MOVIES.replace(b"Mis", b"mis"), r"movie 20 .*title=mis.*title=Mis"),
        (GOOD_RATINGS + b"4::30::1::0\n", GOOD_MOVIES, r"movie 30 \(Heat .*no such row"),
        (GOOD_RATINGS.replace(b"2::20::3::4\n", b""), GOOD_MOVIES, r"movie 20 .*no such row"),
        (GOOD_RATINGS + b"4::40::1::0\n", GOOD_MOVIES, r"7 ratings; expected 6"),
        (
            GOOD_RATINGS.replace(b"3::30::1::9", b"1::30::1::9").replace(b"3::10", b"1::40"),
            GOOD_MOVIES,
            r"movie 10 ",
        ),
        (GOOD_RATINGS.replace(b"3::30", b"4::30"), GOOD_MOVIES, r"4 users; expected 3"),
    ],
)  # fmt: skip
def test_archives_of_something_else(
    ratings: bytes, movies: bytes, fault: str, toy: Dataset, tmp_path: Path
) -> None:
    other = make_archive(tmp_path / "other.zip", ratings, movies)
    with pytest.raises(CountsMismatchError, match=fault):
        obtain("archive", toy, tmp_path, archive_path=other)


def test_movies_above_are_checked(toy: Dataset, archive: Path, tmp_path: Path) -> None:
    assert toy.published is not None
    published = toy.published.model_copy(update={"movies_above": {0: 4}})
    wrong = toy.model_copy(update={"published": published})
    with pytest.raises(CountsMismatchError, match="3 items have more than 0 ratings; expected 4"):
        obtain("archive", wrong, tmp_path, archive_path=archive)


def test_a_data_set_of_which_nothing_is_known(archive: Path, tmp_path: Path) -> None:
    _, record = obtain("archive", toy_dataset(), tmp_path, archive_path=archive)
    assert record.bundled_check == "not applicable"


def test_bundled_contacts_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("penalized_bandits.datasets.obtain.download", None)
    counts, record = obtain_counts("bundled", m0_values=[2500, 2000, 1250], log=LOG)
    assert len(counts.table) == record.n_movies == 1053
    assert record.source_used == "bundled"
    assert record.url is None
    assert caplog.records == []


@pytest.mark.parametrize("source", ["bundled", "auto"])
def test_bundled_counts_that_reach_too_little_far(source: str, tmp_path: Path) -> None:
    with pytest.raises(BundledCountsTooFewError, match=r"m0 = 299: .*300.*`archive` or `down"):
        obtain(source, MOVIELENS, tmp_path, m0_values=[2000, 299],
               url=UNREACHABLE)  # fmt: skip


def test_damaged_bundled_counts(toy: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "toy.csv"
    path.write_text(TOY_CSV.replace("3,0,0,0,1,2", "3,0,0,0,1,3"), encoding="utf-8")
    with pytest.raises(CountsFormatError, match=r"toy\.csv: row 1"):
        obtain("bundled", toy, tmp_path)
    path.write_text(TOY_CSV.split("20,")[0], encoding="utf-8")
    with pytest.raises(CountsMismatchError, match="1 items have more than 1 ratings; expected 2"):
        obtain("bundled", toy, tmp_path)
    path.write_text(TOY_CSV.replace("count_5", "count_6"), encoding="utf-8")
    with pytest.raises(CountsMismatchError, match="levels"):
        obtain("bundled", toy, tmp_path)


def test_bundled_of_a_data_set_without(tmp_path: Path) -> None:
    with pytest.raises(DatasetConfigError, match="no counts of MovieLens 1M are bundled"):
        obtain("bundled", toy_dataset(), tmp_path)


def test_provenance_file(tmp_path: Path) -> None:
    _, record = obtain_counts("bundled", m0_values=[1250], log=LOG)
    path = tmp_path / "results" / "provenance.json"
    write_provenance(record, path)
    data = path.read_bytes()
    assert data.endswith(b"}\n")
    assert Provenance.model_validate(json.loads(data)) == record


def test_provenance_of_ones_own_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("who,what,stars\na,x,1\na,y,5\n", encoding="utf-8")
    record = table_provenance(path, read_ratings_table(path, "who", "what", "stars"))
    assert (record.source_requested, record.source_used) == ("table", "table")
    assert (record.dataset, record.archive) == ("mine.csv", "mine.csv")
    assert record.md5 == md5_of(path.read_bytes())
    assert record.md5_matches_published is None
    assert (record.n_ratings_total, record.n_movies) == (2, 2)
    with pytest.raises(DatasetConfigError, match=r"none\.csv: cannot be read"):
        table_provenance(path.with_name("none.csv"), read_bundled_counts(MOVIELENS))


def test_bundled_file_holds_what_the_paper_uses() -> None:
    counts = read_bundled_counts(MOVIELENS)
    n = counts.table["n_ratings"]
    assert [int((n > m0).sum()) for m0 in (2500, 2000, 1250)] == [13, 31, 118]
    assert counts.table["movie_id"].iloc[0] == 2858
    assert n.min() > 300


def test_bundled_folder_holds_no_rating_of_a_user() -> None:
    names = {path.name for path in known_counts.BUNDLED_FOLDER.iterdir()}
    assert names == {"README.md", "movielens_1m_counts.csv"}
