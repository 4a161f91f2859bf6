from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from datasets_helpers import (
    TOY_CSV,
    Loopback,
    body,
    checked_toy_dataset,
    loopback,
    make_archive,
    md5_of,
    obtain,
    toy_dataset,
)
from penalized_bandits.datasets import known_counts
from penalized_bandits.datasets.errors import (
    ChecksumError,
    DatasetConfigError,
    DownloadRefusedError,
    NetworkUnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from penalized_bandits.datasets.manifest import Dataset

UNREACHABLE = "http://127.0.0.1:1/ml-1m.zip"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "copy.zip")


@pytest.fixture
def toy(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    (tmp_path / "toy.csv").write_text(TOY_CSV, encoding="utf-8")
    monkeypatch.setattr(known_counts, "BUNDLED_FOLDER", tmp_path)
    return checked_toy_dataset(archive.read_bytes())


@pytest.mark.parametrize("source", ["download", "auto"])
def test_download(
    source: str, toy: Dataset, archive: Path, server: Loopback, tmp_path: Path
) -> None:
    url = server.serve("/x.zip", body(archive.read_bytes()))
    counts, record = obtain(source, toy, tmp_path, url=url, m0_values=[0])
    assert counts.table["movie_id"].tolist() == [10, 20, 30]
    md5 = md5_of(archive.read_bytes())
    expected = {
        "dataset": "movielens_1m",
        "title": "MovieLens 1M",
        "source_requested": source,
        "source_used": "download",
        "reason": None,
        "url": url,
        "archive": "ml-1m.zip",
        "path": None,
        "from_cache": False,
        "md5": md5,
        "md5_expected": md5,
        "md5_matches_published": True,
        "n_ratings_total": 6,
        "n_movies": 3,
        "bundled_check": "identical",
        "citation": toy.citation,
        "licence": toy.licence,
    }
    found = record.model_dump()
    taken = datetime.fromisoformat(found.pop("retrieved_at"))
    assert abs((datetime.now(UTC) - taken).total_seconds()) < 60
    assert found == expected


def test_cache_is_used_without_asking(
    toy: Dataset, archive: Path, server: Loopback, tmp_path: Path
) -> None:
    url = server.serve("/x.zip", body(archive.read_bytes()))
    obtain("download", toy, tmp_path, url=url)
    _, record = obtain("download", toy, tmp_path, url=url)
    assert record.from_cache
    assert record.source_used == "download"
    assert server.asked == ["/x.zip"]


def test_a_false_file_in_the_cache_is_not_used(
    toy: Dataset, archive: Path, server: Loopback, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "ml-1m.zip").write_bytes(b"half")
    url = server.serve("/x.zip", body(archive.read_bytes()))
    _, record = obtain("auto", toy, tmp_path, url=url)
    assert not record.from_cache
    assert record.source_used == "download"


def test_another_checksum_than_the_published_is_recorded(
    toy: Dataset, archive: Path, server: Loopback, tmp_path: Path
) -> None:
    url = server.serve("/x.zip", body(archive.read_bytes()))
    published = toy.model_copy(update={"md5": "0" * 32})
    md5 = md5_of(archive.read_bytes())
    _, record = obtain("download", published, tmp_path, url=url, md5=md5)
    assert record.md5_expected == md5
    assert record.md5_matches_published is False


def test_auto_falls_back_loudly_when_unreachable(
    toy: Dataset, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counts, record = obtain("auto", toy, tmp_path, url=UNREACHABLE)
    assert counts.table["movie_id"].tolist() == [10, 20]
    assert record.source_requested == "auto"
    assert record.source_used == "bundled"
    assert record.url == UNREACHABLE
    assert record.reason is not None
    assert "refused" in record.reason
    assert record.archive is None
    assert record.md5 is None
    assert record.md5_matches_published is None
    assert record.bundled_check == "not applicable"
    assert (record.n_movies, record.n_ratings_total) == (2, 5)
    warnings = [entry.getMessage() for entry in caplog.records if entry.levelname == "WARNING"]
    assert len(warnings) > 3
    text = "\n".join(warnings)
    for part in ("USING THE BUNDLED COUNTS", UNREACHABLE, "refused", "more than 1 ratings"):
        assert part in text


def test_download_does_not_fall_back(
    toy: Dataset, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(NetworkUnreachableError):
        obtain("download", toy, tmp_path, url=UNREACHABLE)
    assert "BUNDLED" not in caplog.text


def test_auto_without_bundled_counts_tells_of_the_network(toy: Dataset, tmp_path: Path) -> None:
    bare = toy.model_copy(update={"bundled": None})
    with pytest.raises(NetworkUnreachableError):
        obtain("auto", bare, tmp_path, url=UNREACHABLE)


@pytest.mark.parametrize("source", ["download", "auto"])
@pytest.mark.parametrize(
    ("status", "data", "error"),
    [
        (404, b"", DownloadRefusedError),
        (500, b"", DownloadRefusedError),
        (200, b"another file", ChecksumError),
    ],
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
    with pytest.raises(error):
        obtain(source, toy, tmp_path, url=url)
    assert "BUNDLED" not in caplog.text


def test_archive_of_the_publisher(
    toy: Dataset, archive: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counts, record = obtain("archive", toy, tmp_path, archive_path=archive, m0_values=[0])
    assert len(counts.table) == 3
    assert record.source_used == "archive"
    assert record.archive == "copy.zip"
    assert record.url is None
    assert record.md5_matches_published is True
    assert record.bundled_check == "identical"
    assert caplog.records == []
    assert str(tmp_path) not in record.model_dump_json()


def test_rebuilt_archive_is_used_with_a_warning(
    toy: Dataset, archive: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    published = toy.model_copy(update={"md5": "0" * 32})
    _, record = obtain("archive", published, tmp_path, archive_path=archive)
    assert record.md5_matches_published is False
    assert record.md5 == md5_of(archive.read_bytes())
    assert record.md5_expected == "0" * 32
    assert [entry.levelname for entry in caplog.records] == ["WARNING"]
    assert str(record.md5) in caplog.text


@pytest.mark.parametrize(
    ("source", "changes", "fault"),
    [
        ("internet", {}, "movielens.source 'internet': expected one of download, archive"),
        ("archive", {}, "movielens.archive is not set"),
        ("download", {"cache_dir": None}, "no folder for downloads"),
        ("auto", {"cache_dir": None}, "no folder for downloads"),
        ("bundled", {"m0_values": []}, "m0 "),
        ("bundled", {"m0_values": [-1]}, "m0 "),
        ("bundled", {"dataset": "netflix"}, "unknown data set 'netflix'"),
        ("download", {"url": "http://example.invalid/a"}, "expected https"),
        ("download", {"md5": "x"}, "md5 'x'"),
    ],
)
def test_senseless_configurations(
    source: str, changes: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    with pytest.raises(DatasetConfigError, match=fault):
        obtain(source, toy_dataset(), tmp_path, **changes)


def test_archive_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DatasetConfigError, match=r"movielens.archive .*no\.zip: no such file"):
        obtain("archive", toy_dataset(), tmp_path, archive_path=tmp_path / "no.zip")
