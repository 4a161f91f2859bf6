"""MovieLens 1M: the download, the archive, the bundled counts, and which of them is used."""

import hashlib
import logging
import re
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
from requests import exceptions as web

from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets import movielens
from penalized_replication.datasets.counts import RatingCounts
from penalized_replication.datasets.section import MovieLens

RATINGS = b"1::10::5::978300760\n1::20::3::1\n2::10::4::0\n3::10::5::2\n3::30::1::9\n2::20::3::4\n"
MOVIES = (
    b"10::Toy, The (1995)::Animation|Children's\n"
    b"20::Mis\xe9rables, Les (1995)::Drama\n"
    b"30::Heat (1995)::Action\n"
    b"40::Never Rated (1990)::Drama\n"
)
COUNTS = [
    [10, "Toy, The (1995)", 3, 0, 0, 0, 1, 2],
    [20, "Misérables, Les (1995)", 2, 0, 0, 2, 0, 0],
    [30, "Heat (1995)", 1, 1, 0, 0, 0, 0],
]


def make_archive(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ml-1m/movies.dat", MOVIES)
        archive.writestr("ml-1m/ratings.dat", RATINGS)
    return path


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return an archive that is taken for the original; failures are tried again at once."""
    data = make_archive(tmp_path / "a.zip").read_bytes()
    monkeypatch.setattr(movielens, "MD5", hashlib.md5(data, usedforsecurity=False).hexdigest())
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)
    return data


class Server(BaseHTTPRequestHandler):
    answers: ClassVar[list[tuple[int, bytes, int]]] = []
    """Status, content and declared length of each answer; the last one stays."""

    def do_GET(self) -> None:
        status, data, length = self.answers.pop(0) if self.answers[1:] else self.answers[0]
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        yield f"http://localhost:{server.server_port}/ml-1m.zip"
        server.shutdown()


@pytest.mark.parametrize("failures", [0, 2])
def test_three_tries_and_a_copy(url: str, tmp_path: Path, archive: bytes, failures: int) -> None:
    # Were it asked more often, the last answer would be another one.
    Server.answers = [*[(503, b"", 0)] * failures, (200, archive, len(archive)), (404, b"", 0)]
    for _ in range(2):  # the second time from the folder
        assert movielens.download(url, tmp_path / "kept").read_bytes() == archive


def obtain(tmp_path: Path, m0: int = 2000, **section: Any) -> tuple[RatingCounts, dict[str, Any]]:
    log = logging.getLogger("obtain")
    return movielens.rating_counts_for(MovieLens(**section), min(m0, 300), tmp_path / "kept", log)


REFUSED, OTHER = "the server refuses the request", "the server sends another file"
LOST, NONE = "no lasting connection to the server", "the request cannot be made"
FAILURES: dict[str, tuple[str | tuple[int, bytes, int], str, str]] = {
    "nobody listens": ("http://127.0.0.1:1/ml-1m.zip", LOST, "Connection refused"),
    "no host": (f"http://{'a' * 64}/", NONE, "label"),
    "error": ((503, b"", 0), REFUSED, "503"),
    "cut": ((200, b"cut", 9), LOST, "3 bytes read, 6 more expected"),
    "another file": ((200, b"not it", 6), OTHER, "MD5 hash of downloaded file .* does not match"),
}


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("name", FAILURES)
def test_bundled_counts_stand_in_after_every_failed_download(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture, url: str
) -> None:
    answer, reason, detail = FAILURES[name]
    if isinstance(answer, str):
        url = answer
    else:
        Server.answers = [answer]
    counts, origin = obtain(tmp_path, url=url)
    assert (len(counts.table), origin["n_ratings_total"]) == (1053, 764_169)
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


def test_reasons_of_other_failures() -> None:
    errors = (web.SSLError(), web.ReadTimeout())
    reasons = [movielens.DownloadError("", error).reason for error in errors]
    assert reasons == ["the server's certificate or encryption is not accepted", LOST]


@pytest.mark.parametrize("error", [OSError(28, "no space left"), PermissionError("no rights")])
def test_a_full_disk_is_no_failed_download(
    url: str, tmp_path: Path, archive: bytes, error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    Server.answers = [(200, archive, len(archive))]
    monkeypatch.setattr("pooch.core.shutil.move", Mock(side_effect=error))
    for source in ("auto", "download"):
        with pytest.raises(DatasetError, match=rf"{tmp_path}/kept: .*no (space|rights)"):
            obtain(tmp_path, source=source, url=url)


def test_what_was_downloaded_is_recorded(url: str, tmp_path: Path, archive: bytes) -> None:
    Server.answers = [(200, archive, len(archive))]
    counts, origin = obtain(tmp_path, 1, url=url)
    assert counts.table.to_numpy().tolist() == COUNTS[:2]
    assert (origin["source_used"], origin["url"]) == ("download", url)
    assert (origin["md5"], origin["md5_matches_published"]) == (movielens.MD5, True)
    assert origin["n_ratings_total"] == 6


def test_an_archive_that_is_not_movielens_1m_is_refused(tmp_path: Path) -> None:
    path = make_archive(tmp_path / "a.zip")
    with pytest.raises(DatasetError, match=r"a\.zip: not MovieLens 1M: its ratings"):
        obtain(tmp_path, source="archive", archive=str(path))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DatasetError, match=r"a\.zip: no ml-1m\.zip as at https:.*: File is not a"):
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
        ([1, 2, 4, 5] * 9 + [3], ""),
        ([1, 99], ""),
    ],
)
def test_levels_are_logged_and_odd_ones_warned_of(
    tmp_path: Path, ratings: list[float], warning: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = tmp_path / "mine.csv"
    lines = [f"{user},{item},{r}" for user, r in enumerate(ratings) for item in "ab"]
    path.write_text("\n".join(["user,item,rating", *lines]) + "\n")
    obtain(tmp_path, 1, source="table", table={"path": str(path)})
    warned = [one.message for one in caplog.records if one.levelno == logging.WARNING]
    assert [text.startswith(f"mine.csv: {warning}") for text in warned] == [True] * bool(warning)
    levels = [f"{level:g} ({2 * ratings.count(level)})" for level in sorted(set(ratings))]
    assert f"levels, with their numbers of ratings: {', '.join(levels)}" in caplog.messages


REAL = Path(__file__).parents[4] / "shared/movielens-1m/ml-1m.zip"


@pytest.fixture(scope="module")
def real() -> RatingCounts:
    if not REAL.is_file():
        pytest.skip("no copy of ml-1m.zip beside the repository")
    return movielens.read_movielens_1m(REAL)


def test_totals_and_numbers_of_movies_are_the_papers(real: RatingCounts) -> None:
    movielens.check_movielens_1m(real, REAL)  # against the bundled counts
    assert (real.n_ratings, len(real.table)) == (1_000_209, 3_706)
    levels = real.table[real.count_columns].sum().tolist()
    assert levels == [56_174, 107_557, 261_197, 348_971, 226_310]
    assert [len(real.more_than(m0).table) for m0 in (2500, 2000, 1250)] == [13, 31, 118]
