"""MovieLens 1M: the download, the archive, the bundled counts, and which of them is used."""

import hashlib
import logging
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest

from penalized_replication.workflow.job import job_log
from download_helpers import (
    GOOD_MOVIES,
    GOOD_RATINGS,
    MOVIES,
    RATINGS,
    Loopback,
    body,
    loopback,
    make_archive,
    self_signed,
)
from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets import movielens
from penalized_replication.datasets.counts import RatingCounts
from penalized_replication.datasets.movielens import check_movielens_1m, download, read_movielens_1m
from penalized_replication.datasets.ratings_source import rating_counts_for
from penalized_replication.datasets.section import MovieLens


@pytest.fixture(name="server")
def server_fixture() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


def rows(counts: RatingCounts) -> list[list[object]]:
    return counts.table.to_numpy().tolist()


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


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_line_ends_and_a_missing_last_one(path: Path, end: bytes) -> None:
    ratings = GOOD_RATINGS.removesuffix(b"\n").replace(b"\n", end)
    movies = GOOD_MOVIES.removesuffix(b"\n").replace(b"\n", end)
    counts = read_movielens_1m(make_archive(path, ratings, movies))
    assert (rows(counts), counts.levels) == (COUNTS, (1, 2, 3, 4, 5))


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
        (b"50", r"line 5: column title: ''"),
        (b"50::Bad\x07::Drama", r"line 5: column title: 'Bad\\x07'"),
        (b"::No id::Drama", r"line 5: column movie: ''"),
        (b"50::a::b::c", r"Expected 3 fields in line 5, saw 4"),
    ],
)
def test_a_faulty_row_is_named_by_line(path: Path, line: bytes, fault: str) -> None:
    """The seventh of the ratings, or the fifth of the movies."""
    file = "movies" if "line 5" in fault else "ratings"
    more = {"movies": b"", "ratings": b"", file: line + b"\n"}
    make_archive(path, GOOD_RATINGS + more["ratings"], GOOD_MOVIES + more["movies"])
    with pytest.raises(DatasetError, match=rf"a\.zip: ml-1m/{file}\.dat: .*{fault}"):
        read_movielens_1m(path)


def test_members_that_lead_out_are_left_alone(tmp_path: Path) -> None:
    outside = dict.fromkeys(("../out", "/out", "ml-1m/../../out"), b"x")
    path = make_archive(tmp_path / "a.zip", **outside)
    assert rows(read_movielens_1m(path)) == COUNTS
    assert list(tmp_path.iterdir()) == [path]


def _encrypted(data: bytes) -> bytes:
    """Return an archive whose list of members calls them encrypted."""
    first, *members = data.split(b"PK\x01\x02")
    return b"PK\x01\x02".join([first, *(m[:4] + b"\x01" + m[5:] for m in members)])


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
    "without ratings": (
        lambda p: p.write_bytes(make_archive(p).read_bytes().replace(b"/ratings", b"/Ratings")),
        f"no member {RATINGS}; expected a copy of ml-1m.zip",
    ),
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
    monkeypatch.setattr(movielens, "MD5", hashlib.md5(data, usedforsecurity=False).hexdigest())
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)
    return data


@pytest.mark.parametrize("failures", [0, 2])
def test_a_download_is_tried_three_times_and_kept(
    server: Loopback, tmp_path: Path, archive: bytes, failures: int
) -> None:
    answers = iter([body(b"", status=503)] * failures + [body(archive)])
    url = server.serve("/ml-1m.zip", lambda handler: next(answers)(handler))
    for _ in range(2):  # the second time from the folder
        assert download(url, tmp_path / "kept").read_bytes() == archive
    assert len(server.asked) == failures + 1


# --- Which ratings are used --------------------------------------------------------


def obtain(tmp_path: Path, m0: int = 2000, **section: Any) -> tuple[RatingCounts, dict[str, Any]]:
    log = logging.getLogger("obtain")
    return rating_counts_for(MovieLens(**section), min(m0, 300), [m0], tmp_path / "kept", log)


def moved(to: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.end_headers()

    return answer


def late(handler: BaseHTTPRequestHandler) -> None:
    assert not Event().wait(9), handler


def half(handler: BaseHTTPRequestHandler) -> None:
    body(b"cut", length=9)(handler)
    late(handler)


REFUSED, OTHER = "the server refuses the request", "the server sends another file"
UNSAFE = "the server's certificate or encryption is not accepted"
LOST = "no lasting connection to the server"
FAILURES: dict[str, tuple[str | Answer, str, str]] = {
    "nobody listens": ("http://127.0.0.1:1/ml-1m.zip", LOST, "Connection refused"),
    "no such host": (f"http://{'.'.join(['a' * 60] * 5)}/ml-1m.zip", LOST, "resol"),
    "no host": (f"http://{'a' * 64}/", "the request cannot be made", "label"),
    **{str(n): (body(b"", status=n), REFUSED, str(n)) for n in (401, 403, 404, 429, 500, 503)},
    "no answer": (lambda _: None, LOST, "closed connection"),
    "late answer": (late, LOST, "timed out"),
    "late rest": (half, LOST, "timed out"),
    "cut": (body(b"cut", length=9), LOST, "3 bytes read, 6 more expected"),
    "another file": (body(b"not it"), OTHER, "MD5 hash of downloaded file .* does not match"),
    "loop": (moved("/ml-1m.zip"), "the server redirects without end", "30 redirects"),
    "certificate": (body(b""), UNSAFE, "self.signed certificate"),
    "no certificates": (body(b""), "the request cannot be made", "none.pem"),
    "other protocol": (moved("ftp://localhost/"), LOST, "ftp"),
}


# pooch leaves the connection of a download that broke off to be closed with the process.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("name", FAILURES)
def test_bundled_counts_stand_in_after_every_failed_download(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, reason, detail = FAILURES[name]
    if name.startswith("late"):
        monkeypatch.setattr(movielens, "_TIMEOUT_S", 0.2)
    if name == "no certificates":
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "none.pem"))
    own = self_signed(tmp_path / "own.pem") if "certificate" in name else None
    with loopback(own) as server:
        url = answer if isinstance(answer, str) else server.serve("/ml-1m.zip", answer)
        counts, origin = obtain(tmp_path, url=url)
        assert len(counts.table) == 1053
        assert (origin["source_requested"], origin["source_used"]) == ("auto", "bundled")
        assert (origin["reason"], origin["url"]) == (f"download failed: {reason}", url)
        (text,) = [r.message for r in caplog.records if r.levelname == "WARNING"]
        assert re.search(rf"USING THE BUNDLED .*{re.escape(url)}: {reason}: .*{detail}", text)
        fault = rf"{re.escape(url)}: {reason}: .*{detail}.*; set movielens.source to `bundled`"
        with pytest.raises(DatasetError, match=fault):
            obtain(tmp_path, source="download", url=url)
        with pytest.raises(DatasetError, match=rf"m0 = 299: .* more than 300 .*failed: {reason}"):
            obtain(tmp_path, 299, url=url)
    assert list((tmp_path / "kept").iterdir()) == []


@pytest.mark.parametrize("error", [OSError(28, "no space left"), PermissionError("no rights")])
def test_a_full_disk_is_no_failed_download(
    server: Loopback,
    tmp_path: Path,
    archive: bytes,
    error: OSError,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = server.serve("/ml-1m.zip", body(archive))
    monkeypatch.setattr("pooch.core.shutil.move", Mock(side_effect=error))
    for source in ("auto", "download"):
        with pytest.raises(DatasetError, match=rf"{tmp_path}/kept: .*no (space|rights)"):
            obtain(tmp_path, source=source, url=url)


def test_what_was_downloaded_is_recorded(server: Loopback, tmp_path: Path, archive: bytes) -> None:
    url = server.serve("/ml-1m.zip", body(archive))
    counts, origin = obtain(tmp_path, 1, url=url)
    assert rows(counts) == COUNTS[:2]
    assert (origin["source_used"], origin["url"]) == ("download", url)
    assert (origin["md5"], origin["md5_matches_published"]) == (movielens.MD5, True)
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


@pytest.mark.parametrize(
    ("ratings", "warning"),
    [
        ([1, 2, 3, 4, 5] * 12 + [50], "the gap between levels 5 (24) and 50 (2) exceeds all on"),
        ([1, 2, 3, 4, 5] * 12 + [50, 95] * 2, "the gap between levels 5 (24) and 50 (4) exceeds"),
        ([0] + [80, 90] * 9, "the gap between levels 0 (2) and 80 (18) exceeds all on one side"),
        ([1, 2] * 600 + [3, 1.5], "levels below 0.1 % of the ratings: 1.5 (2), 3 (2)"),
        ([0.1, 0.2, 0.3] * 9, ""),
        ([1, 2, 4, 5] * 9 + [3], ""),
        ([1, 99], ""),
    ],
)
def test_levels_are_logged_and_odd_ones_warned_of_on_the_terminal(
    tmp_path: Path, ratings: list[float], warning: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.csv"
    lines = [f"{user},{item},{r}" for user, r in enumerate(ratings) for item in "ab"]
    path.write_text("\n".join(["user,item,rating", *lines]) + "\n")
    section = MovieLens.model_validate({"source": "table", "table": {"path": str(path)}})
    with job_log(tmp_path / "job.log") as log:
        rating_counts_for(section, 1, [1], tmp_path, log)
    shown = capsys.readouterr().err
    assert shown.startswith(f"mine.csv: {warning}") if warning else shown == ""
    levels = [f"{level:g} ({2 * ratings.count(level)})" for level in sorted(set(ratings))]
    assert ", ".join(levels) in (tmp_path / "job.log").read_text()


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
    check_movielens_1m(real, REAL)  # against the bundled counts
    assert (real.n_ratings, len(real.table)) == (1_000_209, 3_706)
    levels = real.table[real.count_columns].sum().tolist()
    assert levels == [56_174, 107_557, 261_197, 348_971, 226_310]
    assert [real.n_above(m0) for m0 in (2500, 2000, 1250)] == [13, 31, 118]
