"""Where counts come from: what is tried, what stands in, what is compared, what is recorded."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    TOY_CSV,
    Loopback,
    body,
    checked_toy_dataset,
    make_archive,
    md5_of,
    obtain,
    toy_dataset,
)
from datasets_helpers import server_fixture as server_fixture
from penalized_bandits.datasets import bundle
from penalized_bandits.datasets.errors import (
    BundledCountsTooFewError,
    ChecksumError,
    CountsFormatError,
    CountsMismatchError,
    DatasetConfigError,
    DownloadRefusedError,
    NetworkUnreachableError,
)
from penalized_bandits.datasets.manifest import Dataset, load_manifest
from penalized_bandits.datasets.provenance import Provenance
from penalized_bandits.datasets.ratings_source import rating_counts_for
from penalized_bandits.datasets.section import MovieLens, RatingsTable

LOG = logging.getLogger("test_ratings_source")
MOVIELENS = load_manifest()["movielens_1m"]
UNREACHABLE = "http://127.0.0.1:1/ml-1m.zip"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "copy.zip")


@pytest.fixture
def toy(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    (tmp_path / "toy.csv").write_text(TOY_CSV, encoding="utf-8")
    monkeypatch.setattr(bundle, "BUNDLED_FOLDER", tmp_path)
    return checked_toy_dataset(archive.read_bytes())


# --- From the network ---------------------------------------------------------------


@pytest.mark.parametrize("source", ["download", "auto"])
def test_download(
    source: str, toy: Dataset, archive: Path, server: Loopback, tmp_path: Path
) -> None:
    url = server.serve("/x.zip", body(archive.read_bytes()))
    kept = tmp_path / "cache" / "ml-1m.zip"
    kept.parent.mkdir()
    kept.write_bytes(b"half")  # a false file is not used
    counts, record = obtain(source, toy, tmp_path, url=url, m0=0)
    assert counts.table["movie_id"].tolist() == [10, 20, 30]
    assert kept.read_bytes() == archive.read_bytes()
    found = record.model_dump()
    taken = datetime.fromisoformat(found.pop("retrieved_at"))
    assert abs((datetime.now(UTC) - taken).total_seconds()) < 60
    assert found == {
        "dataset": "movielens_1m",
        "title": "MovieLens 1M",
        "source_requested": source,
        "source_used": "download",
        "reason": None,
        "url": url,
        "archive": "ml-1m.zip",
        "path": None,
        "from_cache": False,
        "md5": toy.md5,
        "md5_expected": toy.md5,
        "md5_matches_published": True,
        "n_ratings_total": 6,
        "n_movies": 3,
        "bundled_check": "identical",
        "citation": toy.citation,
        "licence": toy.licence,
    }
    _, again = obtain(source, toy, tmp_path, url=url)
    assert (again.from_cache, again.source_used) == (True, "download")
    assert server.asked == ["/x.zip"]


def test_auto_falls_back_loudly_when_unreachable(
    toy: Dataset, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counts, record = obtain("auto", toy, tmp_path, url=UNREACHABLE)
    assert counts.table["movie_id"].tolist() == [10, 20]
    assert (record.source_requested, record.source_used) == ("auto", "bundled")
    assert record.url == UNREACHABLE
    assert record.reason is not None
    assert "refused" in record.reason
    assert (record.archive, record.md5, record.md5_matches_published) == (None, None, None)
    assert record.bundled_check == "not applicable"
    assert (record.n_movies, record.n_ratings_total) == (2, 5)
    text = "\n".join(e.getMessage() for e in caplog.records if e.levelname == "WARNING")
    for part in ("USING THE BUNDLED COUNTS", UNREACHABLE, "refused", "more than 1 ratings"):
        assert part in text


def test_nothing_stands_in_unasked(
    toy: Dataset, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NetworkUnreachableError, match=r"source to `bundled`, or to `archive`"):
        obtain("download", toy, tmp_path, url=UNREACHABLE)
    bare = toy.model_copy(update={"bundled": None})
    with pytest.raises(NetworkUnreachableError, match=r"no counts of MovieLens 1M are bundled"):
        obtain("auto", bare, tmp_path, url=UNREACHABLE)
    assert "USING THE BUNDLED" not in caplog.text


@pytest.mark.parametrize("source", ["download", "auto"])
@pytest.mark.parametrize(
    ("status", "data", "error"),
    [(404, b"", DownloadRefusedError), (200, b"another file", ChecksumError)],
)
def test_refusals_and_false_files_are_errors_in_auto_too(
    source: str,
    status: int,
    data: bytes,
    error: type[Exception],
    toy: Dataset,
    server: Loopback,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    url = server.serve("/x.zip", body(data, status=status))
    with pytest.raises(error, match=r"set movielens\.source to `bundled`"):
        obtain(source, toy, tmp_path, url=url)
    assert "USING THE BUNDLED" not in caplog.text


def test_an_address_that_may_not_be_contacted(tmp_path: Path) -> None:
    with pytest.raises(DatasetConfigError, match="expected https"):
        obtain("auto", toy_dataset(), tmp_path, url="http://example.invalid/a")


def test_large_archives_get_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds: dict[str, float] = {}

    def note(url: str, md5: str, target: Path, limits: object, report: object) -> None:
        bounds[target.name] = limits.total_s  # pyright: ignore[reportAttributeAccessIssue]
        raise NetworkUnreachableError(url)

    monkeypatch.setattr("penalized_bandits.datasets.ratings_source.download", note)
    for name in ("movielens_1m", "movielens_32m"):
        with pytest.raises(NetworkUnreachableError):
            obtain("download", load_manifest()[name], tmp_path)
    assert bounds["ml-1m.zip"] == 900
    # Its 239 MB take 3,200 s at 75 kB a second.
    assert 3600 < bounds["ml-32m.zip"] < 7200


# --- From a local archive -----------------------------------------------------------


def test_archive_of_the_publisher(
    toy: Dataset, archive: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counts, record = obtain("archive", toy, tmp_path, archive=str(archive), m0=0)
    assert len(counts.table) == 3
    assert (record.source_used, record.archive, record.url) == ("archive", "copy.zip", None)
    assert record.md5_matches_published is True
    assert record.bundled_check == "identical"
    assert caplog.records == []
    # Nothing in it tells of the machine; a path from the working folder does not.
    assert record.path is None
    assert str(tmp_path) not in record.model_dump_json()


def test_rebuilt_archive_is_used_with_a_warning(
    toy: Dataset,
    archive: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    published = toy.model_copy(update={"md5": "0" * 32})
    _, record = obtain("archive", published, tmp_path, archive=archive.name)
    assert record.path == archive.name
    assert record.md5_matches_published is False
    assert record.md5 == md5_of(archive.read_bytes())
    assert record.md5_expected == "0" * 32
    assert [entry.levelname for entry in caplog.records] == ["WARNING"]
    assert str(record.md5) in caplog.text


def test_archive_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DatasetConfigError, match=r"movielens.archive .*no\.zip: no such file"):
        obtain("archive", toy_dataset(), tmp_path, archive=str(tmp_path / "no.zip"))


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
        (GOOD_RATINGS.replace(b"3::30", b"4::30"), GOOD_MOVIES, r"4 users; expected 3"),
    ],
)
def test_archives_of_something_else(
    ratings: bytes, movies: bytes, fault: str, toy: Dataset, tmp_path: Path
) -> None:
    other = make_archive(tmp_path / "other.zip", ratings, movies)
    with pytest.raises(CountsMismatchError, match=fault):
        obtain("archive", toy, tmp_path, archive=str(other))


def test_movies_above_are_checked(toy: Dataset, archive: Path, tmp_path: Path) -> None:
    assert toy.published is not None
    published = toy.published.model_copy(update={"movies_above": {0: 4}})
    wrong = toy.model_copy(update={"published": published})
    with pytest.raises(CountsMismatchError, match="3 items have more than 0 ratings; expected 4"):
        obtain("archive", wrong, tmp_path, archive=str(archive))
    _, record = obtain("archive", toy_dataset(), tmp_path, archive=str(archive))
    assert record.bundled_check == "not applicable"


# --- The bundled table --------------------------------------------------------------


def test_bundled_contacts_nobody_and_holds_what_the_paper_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("penalized_bandits.datasets.ratings_source.download", None)
    counts, record = obtain("bundled", MOVIELENS, tmp_path, m0=300)
    assert len(counts.table) == record.n_movies == 1053
    assert (record.source_used, record.url) == ("bundled", None)
    assert caplog.records == []
    assert [counts.n_above(m0) for m0 in (2500, 2000, 1250)] == [13, 31, 118]
    assert counts.table["movie_id"].iloc[0] == 2858
    assert counts.table["n_ratings"].min() > 300
    # No rating of a user is there.
    names = {path.name for path in bundle.BUNDLED_FOLDER.iterdir()}
    assert names == {"README.md", "movielens_1m_counts.csv"}
    assert Provenance.model_validate_json(record.model_dump_json(indent=2)) == record


@pytest.mark.parametrize("source", ["bundled", "auto"])
def test_bundled_counts_that_reach_too_little_far(source: str, tmp_path: Path) -> None:
    with pytest.raises(BundledCountsTooFewError, match=r"m0 = 299: .*300.*`archive` or `down"):
        obtain(source, MOVIELENS, tmp_path, m0=299, url=UNREACHABLE)


@pytest.mark.parametrize(
    ("old", "new", "fault", "error"),
    [
        ("3,0,0,0,1,2", "3,0,0,0,1,3", r"toy\.csv: row 1", CountsFormatError),
        ("20,", "", "1 items have more than 1 ratings; expected 2", CountsMismatchError),
        ("count_5", "count_6", "levels", CountsMismatchError),
    ],
)
def test_damaged_bundled_counts(
    toy: Dataset, tmp_path: Path, old: str, new: str, fault: str, error: type[Exception]
) -> None:
    text = TOY_CSV.replace(old, new) if new else TOY_CSV.split(old)[0]
    (tmp_path / "toy.csv").write_text(text, encoding="utf-8")
    with pytest.raises(error, match=fault):
        obtain("bundled", toy, tmp_path)


def test_bundled_of_a_data_set_without(tmp_path: Path) -> None:
    with pytest.raises(DatasetConfigError, match="no counts of MovieLens 1M are bundled"):
        obtain("bundled", toy_dataset(), tmp_path)


# --- One's own table, and thresholds ------------------------------------------------


def test_ones_own_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("who,what,stars\na,x,1\na,y,5\na,z,1\nb,x,1\nb,y,2\n", encoding="utf-8")
    table = RatingsTable(path=str(path), user="who", item="what", rating="stars")
    wanted = MovieLens(source="table", table=table)
    caplog.set_level(logging.INFO)
    counts, record = rating_counts_for(wanted, [1, 4], tmp_path, LOG)
    assert counts.table["movie_id"].tolist() == ["x", "y"]
    assert (record.source_requested, record.source_used) == ("table", "table")
    assert (record.dataset, record.archive, record.path) == ("mine.csv", "mine.csv", None)
    assert record.md5 == md5_of(path.read_bytes())
    assert (record.title, record.md5_expected, record.md5_matches_published) == (None, None, None)
    assert (record.n_ratings_total, record.n_movies) == (5, 3)
    assert "m0 = 1: 2 items have more ratings" in caplog.messages
    assert "m0 = 4: fewer than 2 items of mine.csv" in caplog.text
    with pytest.raises(DatasetConfigError, match=r"m0 = 2: 0 of the items of mine\.csv"):
        rating_counts_for(wanted, [2, 4], tmp_path, LOG)
