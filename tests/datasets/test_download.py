"""The download: what is kept, what is tried again, bounds on time, size and addresses."""

import socket
import ssl
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

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
    md5_of,
    redirect,
)
from datasets_helpers import server_fixture as server_fixture
from penalized_bandits.datasets.download import url_problem
from penalized_bandits.datasets.errors import (
    CacheError,
    ChecksumError,
    DatasetConfigError,
    DownloadRefusedError,
    DownloadTooLargeError,
    NetworkUnreachableError,
)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "a.zip"


# --- What is kept -------------------------------------------------------------------


@pytest.mark.parametrize("length", [None, -1])
def test_good(server: Loopback, target: Path, length: int | None) -> None:
    lines: list[str] = []
    url = server.serve("/a", body(PAYLOAD, length=length))
    # At the limit of size, and into a folder that is made.
    assert fetch(url, target, report=lines.append, max_bytes=len(PAYLOAD)) == target
    assert target.read_bytes() == PAYLOAD
    assert list(target.parent.iterdir()) == [target]
    assert lines == [f"downloading {url}", f"received {len(PAYLOAD)} bytes"]
    other = target.with_name("other")
    other.touch()
    assert target.stat().st_mode == other.stat().st_mode


def test_a_file_that_was_there_is_replaced_by_the_right_one_only(
    server: Loopback, target: Path
) -> None:
    target.parent.mkdir()
    target.write_bytes(b"old")
    with pytest.raises(ChecksumError):
        fetch(server.serve("/b", body(b"new")), target)
    assert target.read_bytes() == b"old"
    assert list(target.parent.iterdir()) == [target]
    fetch(server.serve("/a", body(PAYLOAD)), target)
    assert target.read_bytes() == PAYLOAD


def test_compressed_answers_are_not_unpacked(server: Loopback, target: Path) -> None:
    def compressed(handler: BaseHTTPRequestHandler) -> None:
        asked_for.append(handler.headers["Accept-Encoding"])
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        handler.wfile.write(PAYLOAD)

    asked_for: list[str] = []
    fetch(server.serve("/a", compressed), target)
    assert target.read_bytes() == PAYLOAD
    assert asked_for == ["identity"]


def test_no_proxy_on_loopback(
    server: Loopback, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    fetch(server.serve("/a", body(PAYLOAD)), target)
    assert target.read_bytes() == PAYLOAD


def test_folder_that_cannot_be_written(server: Loopback, target: Path) -> None:
    target.parent.write_text("a file", encoding="utf-8")
    with pytest.raises(CacheError, match=r"a\.zip: cannot be written"):
        fetch(server.serve("/a", body(PAYLOAD)), target)


def test_full_disk_is_not_taken_for_a_network_failure(
    server: Loopback, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("penalized_bandits.storage.files.os.fsync", no_space)
    with pytest.raises(CacheError, match=r"a\.zip: No space left on device; make room"):
        fetch(server.serve("/a", body(PAYLOAD)), target, retries=2)
    assert server.asked == ["/a"]


# --- What is tried again ------------------------------------------------------------


@pytest.mark.parametrize(("status", "asked"), [(404, 1), (204, 1), (302, 1), (503, 3)])
def test_refusals(server: Loopback, target: Path, status: int, asked: int) -> None:
    url = server.serve("/a", body(b"", status=status))
    with pytest.raises(DownloadRefusedError, match=f"{url}: the server answers {status}") as caught:
        fetch(url, target, retries=2)
    assert caught.value.status == status
    assert len(server.asked) == asked
    assert_nothing_left(target)


def test_a_passing_failure_is_survived(server: Loopback, target: Path) -> None:
    lines: list[str] = []
    answers = in_turn(body(b"", status=503), body(PAYLOAD, length=2**20), body(PAYLOAD))
    fetch(server.serve("/a", answers), target, retries=2, report=lines.append)
    assert target.read_bytes() == PAYLOAD
    assert [line[:22] for line in lines if line.startswith("attempt")] == [
        "attempt 1 of 3 failed:",
        "attempt 2 of 3 failed:",
    ]


@pytest.mark.parametrize(("retries", "asked"), [(0, 1), (5, 2)])
def test_wrong_checksum(server: Loopback, target: Path, retries: int, asked: int) -> None:
    url = server.serve("/a", body(PAYLOAD[:-1]))
    with pytest.raises(ChecksumError) as caught:
        fetch(url, target, retries=retries)
    for part in (url, md5_of(PAYLOAD), md5_of(PAYLOAD[:-1]), f"{len(PAYLOAD) - 1} bytes"):
        assert part in str(caught.value)
    assert len(server.asked) == asked
    assert_nothing_left(target)


@pytest.mark.parametrize("urllib3_counts", [True, False])
def test_cut_off_never_counts_even_if_the_checksum_fits(
    server: Loopback, target: Path, urllib3_counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not urllib3_counts:  # as in its versions before 2
        never = property(lambda _: False, lambda _, __: None)
        monkeypatch.setattr(HTTPResponse, "enforce_content_length", never, raising=False)
    with pytest.raises(NetworkUnreachableError, match="/a: "):
        fetch(server.serve("/a", body(PAYLOAD, length=len(PAYLOAD) + 1)), target, retries=1)
    assert len(server.asked) == 2
    assert_nothing_left(target)


def test_connection_refused_or_reset(server: Loopback, target: Path) -> None:
    def reset(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.shutdown(socket.SHUT_RDWR)

    lines: list[str] = []
    with pytest.raises(NetworkUnreachableError, match="Connection refused"):
        fetch(f"http://127.0.0.1:{closed_port()}/a", target, retries=2, report=lines.append)
    assert sum(line.startswith("downloading") for line in lines) == 3
    with pytest.raises(NetworkUnreachableError):
        fetch(server.serve("/a", reset), target)
    assert_nothing_left(target)


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        (ssl.SSLCertVerificationError("certificate verify failed"), DownloadRefusedError),
        (ssl.SSLEOFError("EOF in violation of protocol"), NetworkUnreachableError),
        (socket.gaierror(-2, "Name or service not known"), NetworkUnreachableError),
    ],
)
def test_failures_before_http(
    target: Path, monkeypatch: pytest.MonkeyPatch, cause: OSError, expected: type[Exception]
) -> None:
    def failing_get(*_: object, **__: object) -> None:
        raise requests.exceptions.ConnectionError("wrapped") from cause

    monkeypatch.setattr(requests.Session, "get", failing_get)
    with pytest.raises(expected, match=str(cause.args[-1])):
        fetch("https://example.invalid/a.zip", target)


# --- Bounds on time and size --------------------------------------------------------


@pytest.mark.parametrize("before_headers", [True, False])
def test_stall(server: Loopback, target: Path, before_headers: bool) -> None:
    def stall(handler: BaseHTTPRequestHandler) -> None:
        if not before_headers:
            body(b"x" * 10, length=100)(handler)
        server.closing.wait(10)

    started = time.monotonic()
    with pytest.raises(NetworkUnreachableError, match="timed out"):
        fetch(server.serve("/a", stall), target, wait_s=0.2)
    assert time.monotonic() - started < 3
    assert_nothing_left(target)


@pytest.mark.parametrize("start", [b"HTTP/1.0 200 OK\r\nX: ", b"HTTP/1.0 200 OK\r\n\r\n"])
def test_a_trickle_is_stopped_by_the_total_time(
    server: Loopback, target: Path, start: bytes
) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(start)
        while not server.closing.wait(0.02):
            handler.wfile.write(b"x")

    started = time.monotonic()
    with pytest.raises(NetworkUnreachableError, match="time for it was up"):
        fetch(server.serve("/a", trickle), target, total_s=0.4, retries=5)
    assert time.monotonic() - started < 3
    assert len(server.asked) == 1
    assert_nothing_left(target)


def test_pauses_end_with_the_total_time(server: Loopback, target: Path) -> None:
    url = server.serve("/a", body(b"", status=503))
    started = time.monotonic()
    with pytest.raises(DownloadRefusedError):
        fetch(url, target, retries=100, pause_s=0.05, total_s=0.5)
    assert time.monotonic() - started < 3
    # Pauses of 0.05, 0.1 and 0.2 s fit; were they not doubled, eight would.
    assert 2 <= len(server.asked) <= 4


@pytest.mark.parametrize("declared", [True, False])
def test_too_large(server: Loopback, target: Path, declared: bool) -> None:
    sent = 0

    def flood(handler: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        body(b"", length=10**15 if declared else -1)(handler)
        for _ in range(2000):
            handler.wfile.write(bytes(1 << 16))
            sent += 1 << 16

    verb = "declares 1000000000000000 bytes" if declared else "sends"
    with pytest.raises(DownloadTooLargeError, match=rf"{verb}.*at most 100000$"):
        fetch(server.serve("/a", flood), target, max_bytes=100_000, retries=3)
    assert len(server.asked) == 1
    assert sent < 2000 << 16
    assert_nothing_left(target)


# --- Whom it contacts ---------------------------------------------------------------


def test_redirects_on_loopback(server: Loopback, target: Path) -> None:
    server.serve("/b", body(PAYLOAD))
    fetch(server.serve("/a", redirect("/b")), target)
    assert server.asked == ["/a", "/b"]
    server.asked.clear()
    with pytest.raises(DownloadRefusedError, match="more than 5 redirects"):
        fetch(server.serve("/c", redirect("/c")), target)
    assert len(server.asked) == 6


@pytest.mark.parametrize(
    "elsewhere",
    ["http://192.0.2.1/a", "//example.invalid/a", "file:///etc/hostname", "http://127.0.0.1@x/a"],
)
def test_redirect_elsewhere_is_refused_without_contact(
    server: Loopback, target: Path, elsewhere: str
) -> None:
    with pytest.raises(DownloadRefusedError, match=r"/a: redirects to '.*: (expected|holds|has)"):
        fetch(server.serve("/a", redirect(elsewhere)), target, retries=3)
    assert server.asked == ["/a"]
    assert_nothing_left(target)


ALLOWED = [
    "https://files.grouplens.org/a.zip",
    "HTTPS://files.grouplens.org/a.zip",
    "http://localhost/a",
    "http://127.0.0.1:80/a",
    "http://127.8.9.1/a",
    "http://[::1]:8/a",
]
REFUSED = [
    "http://files.grouplens.org/a.zip",
    "http://127.0.0.1.example.invalid/a",
    "http://0.0.0.0/a",
    "http://localhost.example.invalid/a",
    "http://[::2]/a",
    "ftp://127.0.0.1/a",
    "file:///a",
    "https://user:word@127.0.0.1/a",
    "https:///a",
    "a.zip",
    "http://[::1/a",
]


def test_addresses_that_may_be_contacted(target: Path) -> None:
    assert [url for url in ALLOWED if url_problem(url)] == []
    for url in [*REFUSED, ""]:
        with pytest.raises(DatasetConfigError, match=r"^url '"):
            fetch(url, target)
