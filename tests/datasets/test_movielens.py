"""MovieLens 1M: the download, the archive, the bundled counts, and which of them is used."""

import logging
import os
import zipfile
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from datasets_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    MOVIES,
    RATINGS,
    Loopback,
    body,
    closed_port,
    in_turn,
    make_archive,
    md5_of,
    rows,
    server_fixture,  # noqa: F401
)
from penalized_bandits.common.errors import DatasetError
from penalized_bandits.datasets import movielens
from penalized_bandits.datasets.counts import RatingCounts, reward_distributions
from penalized_bandits.datasets.counts_csv import BUNDLED_COUNTS, write_counts_csv
from penalized_bandits.datasets.movielens import (
    OfflineError,
    check_movielens_1m,
    download,
    read_movielens_1m,
)
from penalized_bandits.datasets.ratings_source import rating_counts_for
from penalized_bandits.datasets.section import MovieLens

COUNTS = [
    [10, "Toy, The (1995)", 3, 0, 0, 0, 1, 2],
    [20, "Misérables, Les (1995)", 2, 0, 0, 2, 0, 0],
    [30, "Heat (1995)", 1, 1, 0, 0, 0, 0],
]
Answer = Callable[[BaseHTTPRequestHandler], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.zip"


# --- The archive -------------------------------------------------------------------


def test_counts_titles_order_and_levels(path: Path) -> None:
    counts = read_movielens_1m(make_archive(path))
    assert rows(counts) == COUNTS
    assert counts.levels == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_line_ends_and_a_missing_last_one(path: Path, end: bytes) -> None:
    ratings = GOOD_RATINGS.removesuffix(b"\n").replace(b"\n", end)
    movies = GOOD_MOVIES.removesuffix(b"\n").replace(b"\n", end)
    assert rows(read_movielens_1m(make_archive(path, ratings, movies))) == COUNTS


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"9::10", r"line 7: column rating: ''; expected a number"),
        (b"9::10::5::0::7", r"Expected 4 fields in line 7, saw 5"),
        (b"9::10::6::0", r"line 7: column rating: '6'; expected one of 1, 2, 3, 4, 5"),
        (b"9::10::4.5::0", r"line 7: column rating: '4\.5'; expected one of"),
        (b"9::10::good::0", r"line 7: column rating: 'good'; expected a number"),
        (b"::10::5::0", r"line 7: column user: ''"),
        (b"9::77::5::0", r"line 7: column movie: '77'; expected an item that has a title"),
        (b"3::10::4::9", r"line 7: this user rates this item again"),
        (b"", r"line 7: column user: ''"),
    ],
)
def test_a_faulty_rating_is_named_by_line(path: Path, line: bytes, fault: str) -> None:
    make_archive(path, GOOD_RATINGS + line + b"\n")
    with pytest.raises(DatasetError, match=rf"a\.zip: ml-1m/ratings\.dat: .*{fault}"):
        read_movielens_1m(path)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"50", r"line 5: column title: ''"),
        (b"50::Bad\x07::Drama", r"line 5: column title: 'Bad\\x07'"),
        (b"::No id::Drama", r"line 5: column movie: ''"),
        (b"50::a::b::c", r"Expected 3 fields in line 5, saw 4"),
    ],
)
def test_a_faulty_movie_is_named_by_line(path: Path, line: bytes, fault: str) -> None:
    make_archive(path, movies=GOOD_MOVIES + line + b"\n")
    with pytest.raises(DatasetError, match=rf"a\.zip: ml-1m/movies\.dat: .*{fault}"):
        read_movielens_1m(path)


def test_members_that_lead_out_are_left_alone(tmp_path: Path) -> None:
    outside = dict.fromkeys(("../out", "/out", "ml-1m/../../out"), b"x")
    path = make_archive(tmp_path / "a.zip", **outside)
    assert rows(read_movielens_1m(path)) == COUNTS
    assert list(tmp_path.iterdir()) == [path]


def _encrypted(data: bytes) -> bytes:
    """Return an archive whose list of members calls them encrypted."""
    for signature, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        parts = data.split(signature)
        at = flags - 4
        data = signature.join(
            [parts[0], *(part[:at] + b"\x01" + part[at + 1 :] for part in parts[1:])]
        )
    return data


def _without_ratings(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MOVIES, GOOD_MOVIES)


FAULTY: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (lambda p: p.write_bytes(make_archive(p).read_bytes()[:-30]), "cannot be read"),
    "no archive": (lambda p: p.write_bytes(b"ratings"), "cannot be read: File is not a zip file"),
    "missing": (lambda _: None, "cannot be read: .*No such file"),
    "damaged": (
        lambda p: p.write_bytes(
            make_archive(p, compression=zipfile.ZIP_STORED).read_bytes().replace(b"::5::", b"::1::")
        ),
        f"{RATINGS}: cannot be read: Bad CRC-32",
    ),
    "encrypted": (lambda p: p.write_bytes(_encrypted(make_archive(p).read_bytes())), "encrypted"),
    "without ratings": (_without_ratings, f"no member {RATINGS}; expected a copy of ml-1m.zip"),
    "other compression": (
        lambda p: make_archive(p, compression=zipfile.ZIP_BZIP2),
        f"{MOVIES}: expected it stored or deflated",
    ),
    "bomb": (
        lambda p: make_archive(p, GOOD_RATINGS + b"\n" * movielens.MAX_BYTES),
        f"{RATINGS}: {movielens.MAX_BYTES + len(GOOD_RATINGS)} bytes; expected at most",
    ),
    "too large": (
        lambda p: os.truncate(make_archive(p), movielens.MAX_BYTES + 1),
        f"expected at most {movielens.MAX_BYTES} bytes",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_hostile_archives_are_refused(path: Path, name: str) -> None:
    make, fault = FAULTY[name]
    make(path)
    with pytest.raises(DatasetError, match=rf"a\.zip: .*{fault}"):
        read_movielens_1m(path)


# --- The download ------------------------------------------------------------------


@pytest.fixture
def archive(path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return an archive that is taken for the original; failures are tried again at once."""
    data = make_archive(path).read_bytes()
    monkeypatch.setattr(movielens, "MD5", md5_of(data))
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)
    return data


@pytest.mark.parametrize("failures", [0, 2])
def test_a_download_is_tried_three_times_and_kept(
    server: Loopback, tmp_path: Path, archive: bytes, failures: int
) -> None:
    answers = [body(b"", status=503)] * failures + [body(archive)]
    url = server.serve("/ml-1m.zip", in_turn(*answers))
    for _ in range(2):  # the second time from the folder
        assert download(url, tmp_path / "kept").read_bytes() == archive
    assert len(server.asked) == failures + 1


# pooch leaves the connection of a download that broke off to be closed with the process.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("answer", "error", "fault"),
    [
        (body(b"not it"), DatasetError, "MD5 hash of downloaded file .* does not match"),
        (body(b"", status=404), DatasetError, "404"),
        (body(b"cut", length=9), OfflineError, "3 bytes read, 6 more expected"),
        (None, OfflineError, "Connection refused"),
    ],
)
def test_failed_downloads(
    server: Loopback,
    tmp_path: Path,
    archive: bytes,
    answer: Answer | None,
    error: type[Exception],
    fault: str,
) -> None:
    url = f"http://127.0.0.1:{closed_port()}/ml-1m.zip"
    if answer is not None:
        url = server.serve("/ml-1m.zip", answer)
    with pytest.raises(DatasetError, match=rf"{url}: .*{fault}") as raised:
        download(url, tmp_path / "kept")
    assert raised.type is error
    assert list((tmp_path / "kept").iterdir()) == []
    assert archive


# --- Which ratings are used --------------------------------------------------------


def obtain(tmp_path: Path, m0: int = 2000, **section: Any) -> tuple[RatingCounts, dict[str, Any]]:
    log = logging.getLogger("obtain")
    return rating_counts_for(MovieLens(**section), [m0], tmp_path / "kept", log)


@pytest.mark.usefixtures("archive")
def test_bundled_counts_stand_in_only_where_nothing_can_be_reached(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"http://127.0.0.1:{closed_port()}/ml-1m.zip"
    counts, origin = obtain(tmp_path, url=url)
    assert len(counts.table) == 31
    assert (origin["source_requested"], origin["source_used"]) == ("auto", "bundled")
    assert url in origin["reason"]
    assert "USING THE BUNDLED COUNTS INSTEAD" in caplog.text
    assert "provenance.json" in caplog.text
    with pytest.raises(DatasetError, match=r"Connection refused.*; set movielens.source to `bun"):
        obtain(tmp_path, source="download", url=url)
    with pytest.raises(DatasetError, match=r"m0 = 299: the bundled counts hold only .* than 300"):
        obtain(tmp_path, 299, url=url)


@pytest.mark.usefixtures("archive")
def test_a_wrong_checksum_is_an_error_never_a_fallback(server: Loopback, tmp_path: Path) -> None:
    url = server.serve("/ml-1m.zip", body(b"not the archive"))
    with pytest.raises(DatasetError, match=r"MD5 .* does not match .*`archive` with a local copy"):
        obtain(tmp_path, url=url)


def test_what_was_downloaded_is_used_and_recorded(
    server: Loopback, tmp_path: Path, archive: bytes
) -> None:
    url = server.serve("/ml-1m.zip", body(archive))
    counts, origin = obtain(tmp_path, 1, url=url)
    assert rows(counts) == COUNTS[:2]
    assert (origin["source_used"], origin["url"]) == ("download", url)
    assert (origin["md5"], origin["md5_matches_published"]) == (md5_of(archive), True)
    assert origin["n_ratings_total"] == 6


def test_bundled_counts_can_be_asked_for(tmp_path: Path) -> None:
    counts, origin = obtain(tmp_path, 300, source="bundled")
    assert (len(counts.table), origin["n_ratings_total"]) == (1053, 764_169)
    assert (origin["reason"], origin["url"]) == (None, None)


def test_an_archive_that_is_not_movielens_1m_is_refused(tmp_path: Path, path: Path) -> None:
    make_archive(path)
    with pytest.raises(DatasetError, match=r"a\.zip: not MovieLens 1M: .*American Beauty"):
        obtain(tmp_path, source="archive", archive=str(path))


def test_a_table_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("user,item,rating\n1,a,1\n2,a,2\n1,b,1\n2,b,1\n1,c,1\n")
    counts, origin = obtain(tmp_path, 1, source="table", table={"path": "mine.csv"})
    assert counts.table["title"].tolist() == ["a", "b"]
    assert (origin["dataset"], origin["path"], origin["title"]) == ("mine.csv", "mine.csv", None)


def test_a_threshold_that_leaves_no_two_items_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"m0 = 3400: 1 of the items of MovieLens 1M .* 2 items"):
        obtain(tmp_path, 3400, source="bundled")


# --- The real ratings --------------------------------------------------------------

REAL = Path(__file__).parents[3] / "shared/movielens-1m/ml-1m.zip"


@pytest.fixture(scope="module")
def real() -> RatingCounts:
    if not REAL.is_file():
        pytest.skip("no copy of ml-1m.zip beside the repository")
    return read_movielens_1m(REAL)


def test_totals_and_numbers_of_movies_are_the_papers(real: RatingCounts) -> None:
    check_movielens_1m(real, REAL)
    assert (real.n_ratings, len(real.table)) == (1_000_209, 3_706)
    levels = real.table[real.count_columns].sum().tolist()
    assert levels == [56_174, 107_557, 261_197, 348_971, 226_310]
    assert [real.n_above(m0) for m0 in (2500, 2000, 1250)] == [13, 31, 118]


def test_most_rated_movie(real: RatingCounts) -> None:
    found = reward_distributions(real, 2500)
    assert found.titles[0] == "American Beauty (1999)"
    assert found.probabilities[0] @ (1 + 4 * found.support) == pytest.approx(4.317386, abs=5e-7)


def test_the_bundled_counts_are_those_of_the_archive(real: RatingCounts, tmp_path: Path) -> None:
    write_counts_csv(real.more_than(300), tmp_path / "counts.csv")
    assert (tmp_path / "counts.csv").read_bytes() == BUNDLED_COUNTS.read_bytes()
