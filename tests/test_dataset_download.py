from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING, Any

import pooch
import pytest
import requests
from urllib3.response import HTTPResponse

from datasets_helpers import (
    PAYLOAD,
    Loopback,
    assert_nothing_left,
    body,
    closed_port,
    fetch,
    in_turn,
    loopback,
    md5_of,
)
from penalized_bandits.datasets.errors import (
    CacheError,
    ChecksumError,
    DatasetConfigError,
    DownloadRefusedError,
    NetworkUnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

DATA = PAYLOAD
MD5 = md5_of(DATA)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "a.zip"


@pytest.mark.parametrize("length", [None, -1])
def test_good(server: Loopback, target: Path, length: int | None) -> None:
    lines: list[str] = []
    url = server.serve("/a", body(DATA, length=length))
    assert fetch(url, target, report=lines.append) == target
    assert target.read_bytes() == DATA
    assert list(target.parent.iterdir()) == [target]
    assert lines == [f"downloading {url}", f"received {len(DATA)} bytes"]


def test_mode_of_the_file_follows_the_umask(server: Loopback, target: Path) -> None:
    fetch(server.serve("/a", body(DATA)), target)
    beside = target.with_name("beside")
    beside.touch()
    assert target.stat().st_mode == beside.stat().st_mode


def test_pooch_says_nothing_by_itself(
    server: Loopback,
    target: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logger = pooch.get_logger()
    monkeypatch.setattr(logger, "handlers", [caplog.handler])
    logger.info("before")
    fetch(server.serve("/a", body(DATA)), target)
    logger.info("after")
    assert caplog.messages == ["before", "after"]


def test_what_is_there_is_not_downloaded_again(server: Loopback, target: Path) -> None:
    url = server.serve("/a", body(DATA))
    fetch(url, target)
    fetch(url, target)
    assert server.asked == ["/a"]


def test_a_false_file_in_the_cache_is_replaced(server: Loopback, target: Path) -> None:
    target.parent.mkdir()
    target.write_bytes(b"half")
    fetch(server.serve("/a", body(DATA)), target)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize(("status", "asked"), [(404, 1), (403, 1), (204, 1), (500, 3), (503, 3)])
def test_refusals_and_which_are_tried_again(
    server: Loopback, target: Path, status: int, asked: int
) -> None:
    url = server.serve("/a", body(b"", status=status))
    with pytest.raises(DownloadRefusedError) as caught:
        fetch(url, target, retries=2)
    assert caught.value.status == status
    for part in (url, str(status), "movielens.source", "`bundled`", "`archive`"):
        assert part in str(caught.value)
    assert len(server.asked) == asked
    assert_nothing_left(target)


def test_a_passing_failure_is_survived(server: Loopback, target: Path) -> None:
    lines: list[str] = []
    answers = in_turn(body(b"", status=503), body(DATA, length=2 * len(DATA)), body(DATA))
    fetch(server.serve("/a", answers), target, retries=2, report=lines.append)
    assert target.read_bytes() == DATA
    assert [line[:22] for line in lines if line.startswith("attempt")] == [
        "attempt 1 of 3 failed:",
        "attempt 2 of 3 failed:",
    ]


@pytest.mark.parametrize(("retries", "asked"), [(0, 1), (1, 2), (5, 2)])
def test_wrong_checksum(server: Loopback, target: Path, retries: int, asked: int) -> None:
    url = server.serve("/a", body(DATA[:-1]))
    with pytest.raises(ChecksumError) as caught:
        fetch(url, target, retries=retries)
    for part in (url, MD5, md5_of(DATA[:-1]), "movielens.source"):
        assert part in str(caught.value)
    assert len(server.asked) == asked
    assert_nothing_left(target)


def test_a_wrong_download_leaves_the_file_that_was_there(server: Loopback, target: Path) -> None:
    target.parent.mkdir()
    target.write_bytes(b"old")
    with pytest.raises(ChecksumError):
        fetch(server.serve("/a", body(b"new")), target)
    assert target.read_bytes() == b"old"
    assert list(target.parent.iterdir()) == [target]


def test_cut_off_in_the_middle(server: Loopback, target: Path) -> None:
    url = server.serve("/a", body(DATA, length=len(DATA) + 1000))
    with pytest.raises(NetworkUnreachableError, match="/a: "):
        fetch(url, target, retries=1)
    assert len(server.asked) == 2
    assert_nothing_left(target)


@pytest.mark.parametrize("urllib3_counts", [True, False])
def test_cut_off_never_counts_even_if_the_checksum_fits(
    server: Loopback, target: Path, urllib3_counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not urllib3_counts:  # as in its versions before 2
        monkeypatch.setattr(
            HTTPResponse,
            "enforce_content_length",
            property(lambda _: False, lambda _, __: None),
            raising=False,
        )
    with pytest.raises(NetworkUnreachableError):
        fetch(server.serve("/a", body(DATA, length=len(DATA) + 1)), target)
    assert_nothing_left(target)


def test_connection_refused(target: Path) -> None:
    lines: list[str] = []
    with pytest.raises(NetworkUnreachableError, match="Connection refused"):
        fetch(f"http://127.0.0.1:{closed_port()}/a", target, retries=2, report=lines.append)
    assert sum(line.startswith("downloading") for line in lines) == 3
    assert_nothing_left(target)


def test_connection_reset(server: Loopback, target: Path) -> None:
    def reset(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.shutdown(socket.SHUT_RDWR)

    with pytest.raises(NetworkUnreachableError):
        fetch(server.serve("/a", reset), target)


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        (ssl.SSLCertVerificationError("certificate verify failed"), DownloadRefusedError),
        (ssl.SSLEOFError("EOF in violation of protocol"), NetworkUnreachableError),
        (socket.gaierror(-2, "Name or service not known"), NetworkUnreachableError),
    ],
)
def test_failures_before_http(
    target: Path,
    monkeypatch: pytest.MonkeyPatch,
    cause: OSError,
    expected: type[Exception],
) -> None:
    def failing_get(session: requests.Session, url: str, **kwargs: Any) -> requests.Response:
        wrapped = (
            requests.exceptions.SSLError
            if isinstance(cause, ssl.SSLError)
            else requests.exceptions.ConnectionError
        )
        raise wrapped("wrapped") from cause

    monkeypatch.setattr(requests.Session, "get", failing_get)
    with pytest.raises(expected, match=str(cause.args[-1])):
        fetch("https://example.invalid/a.zip", target)


def test_folder_that_cannot_be_written(server: Loopback, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    with pytest.raises(CacheError, match=r"a\.zip: cannot be written"):
        fetch(server.serve("/a", body(DATA)), tmp_path / "cache" / "a.zip")


def test_full_disk_is_not_taken_for_a_network_failure(
    server: Loopback, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("penalized_bandits.datasets.transfer.os.fsync", no_space)
    with pytest.raises(CacheError, match="No space left"):
        fetch(server.serve("/a", body(DATA)), target)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"md5": "C" * 32}, "md5 'C{32}': expected 32"),
        ({"md5": "c" * 31}, "expected 32"),
        ({"retries": -1}, "retries -1: expected 0 or more"),
        ({"timeout_s": 0}, "timeout_s 0: expected more than 0"),
        ({"total_timeout_s": float("nan")}, "total_timeout_s nan"),
    ],
)
def test_senseless_arguments(target: Path, changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(DatasetConfigError, match=fault):
        fetch("https://example.invalid/a", target, **changes)
    with pytest.raises(DatasetConfigError, match=r"http://example\.invalid/a': expected https"):
        fetch("http://example.invalid/a", target)
