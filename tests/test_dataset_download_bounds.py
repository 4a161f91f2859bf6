"""Bounds on time, size and addresses of a download."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
import requests

from datasets_helpers import (
    PAYLOAD,
    Loopback,
    assert_nothing_left,
    body,
    closed_port,
    fetch,
    loopback,
    redirect,
)
from penalized_bandits.datasets.errors import (
    DownloadRefusedError,
    DownloadTooLargeError,
    NetworkUnreachableError,
)
from penalized_bandits.datasets.transfer import is_loopback, url_problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

DATA = PAYLOAD


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "a.zip"


@pytest.mark.parametrize("before_headers", [True, False])
def test_stall(server: Loopback, target: Path, before_headers: bool) -> None:
    def stall(handler: BaseHTTPRequestHandler) -> None:
        if not before_headers:
            handler.send_response(200)
            handler.send_header("Content-Length", "100")
            handler.end_headers()
            handler.wfile.write(b"x" * 10)
        server.closing.wait(10)

    started = time.monotonic()
    with pytest.raises(NetworkUnreachableError, match="timed out"):
        fetch(server.serve("/a", stall), target, timeout_s=0.2)
    assert time.monotonic() - started < 3
    assert_nothing_left(target)


@pytest.mark.parametrize("before_headers", [True, False])
def test_a_trickle_is_stopped_by_the_total_time(
    server: Loopback, target: Path, before_headers: bool
) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(
            b"HTTP/1.0 200 OK\r\nX: " if before_headers else b"HTTP/1.0 200 OK\r\n\r\n"
        )
        while not server.closing.wait(0.02):
            handler.wfile.write(b"x")

    started = time.monotonic()
    with pytest.raises(NetworkUnreachableError, match="time for it was up"):
        fetch(server.serve("/a", trickle), target, total_timeout_s=0.4, retries=5)
    assert time.monotonic() - started < 3
    assert len(server.asked) == 1
    assert_nothing_left(target)


def test_pauses_end_with_the_total_time(server: Loopback, target: Path) -> None:
    url = server.serve("/a", body(b"", status=503))
    started = time.monotonic()
    with pytest.raises(DownloadRefusedError):
        fetch(url, target, retries=100, pause_s=0.05, total_timeout_s=0.5)
    assert time.monotonic() - started < 3
    # Pauses of 0.05, 0.1 and 0.2 s fit; were they not doubled, eight would.
    assert 2 <= len(server.asked) <= 4


def test_redirect_on_loopback_is_followed(server: Loopback, target: Path) -> None:
    server.serve("/b", body(DATA))
    fetch(server.serve("/a", redirect("/b")), target)
    assert server.asked == ["/a", "/b"]
    assert target.read_bytes() == DATA


@pytest.mark.parametrize(
    "elsewhere",
    [
        "http://192.0.2.1/a.zip",
        "http://example.invalid/a.zip",
        "//192.0.2.1/a.zip",
        "ftp://127.0.0.1/a.zip",
        "file:///etc/hostname",
        "http://127.0.0.1@192.0.2.1/a.zip",
        r"http://192.0.2.1\@127.0.0.1/a.zip",
    ],
)
def test_redirect_elsewhere_is_refused_without_contact(
    server: Loopback, target: Path, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    plain_get = requests.Session.get

    def watched_get(session: requests.Session, url: str, **kwargs: Any) -> requests.Response:
        asked.append(url)
        assert url.startswith(server.url)
        return plain_get(session, url, **kwargs)

    monkeypatch.setattr(requests.Session, "get", watched_get)
    url = server.serve("/a", redirect(elsewhere))
    with pytest.raises(DownloadRefusedError, match="redirects to"):
        fetch(url, target, retries=3)
    assert asked == [url]
    assert_nothing_left(target)


def test_redirects_in_a_ring(server: Loopback, target: Path) -> None:
    with pytest.raises(DownloadRefusedError, match="more than 5 redirects"):
        fetch(server.serve("/a", redirect("/a")), target)
    assert len(server.asked) == 6


@pytest.mark.parametrize("declared", [True, False])
def test_too_large(server: Loopback, target: Path, declared: bool) -> None:
    sent = 0

    def flood(handler: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        handler.send_response(200)
        if declared:
            handler.send_header("Content-Length", str(10**15))
        handler.end_headers()
        for _ in range(2000):
            handler.wfile.write(bytes(1 << 16))
            sent += 1 << 16

    verb = "declares 1000000000000000 bytes" if declared else "sends"
    with pytest.raises(DownloadTooLargeError, match=rf"{verb}.*at most 100000;.*bundled"):
        fetch(server.serve("/a", flood), target, max_bytes=100_000, retries=3)
    assert len(server.asked) == 1
    assert sent < 2000 << 16
    assert_nothing_left(target)


def test_size_at_the_limit_is_accepted(server: Loopback, target: Path) -> None:
    fetch(server.serve("/a", body(DATA)), target, max_bytes=len(DATA))
    assert target.read_bytes() == DATA


def test_compressed_answers_are_not_unpacked(server: Loopback, target: Path) -> None:
    def compressed(handler: BaseHTTPRequestHandler) -> None:
        asked_for.append(handler.headers["Accept-Encoding"])
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(DATA)))
        handler.end_headers()
        handler.wfile.write(DATA)

    asked_for: list[str] = []
    fetch(server.serve("/a", compressed), target)
    assert target.read_bytes() == DATA
    assert asked_for == ["identity"]


def test_no_proxy_on_loopback(
    server: Loopback, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    fetch(server.serve("/a", body(DATA)), target)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://files.grouplens.org/a.zip", True),
        ("HTTPS://files.grouplens.org/a.zip", True),
        ("http://127.0.0.1:80/a", True),
        ("http://127.8.9.1/a", True),
        ("http://localhost/a", True),
        ("http://[::1]:8/a", True),
        ("http://files.grouplens.org/a.zip", False),
        ("http://127.0.0.1.example.invalid/a", False),
        ("http://localhost.example.invalid/a", False),
        ("http://0.0.0.0/a", False),
        ("http://[::2]/a", False),
        ("ftp://127.0.0.1/a", False),
        ("file:///a", False),
        ("https://user:word@127.0.0.1/a", False),
        ("https:///a", False),
        ("a.zip", False),
        ("", False),
        ("http://[::1/a", False),
    ],
)
def test_addresses_that_may_be_contacted(url: str, allowed: bool) -> None:
    assert (url_problem(url) is None) == allowed


def test_loopback_hosts() -> None:
    assert is_loopback("127.0.0.1")
    assert not is_loopback("files.grouplens.org")
