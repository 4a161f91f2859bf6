"""Bounded, verified download of one file."""

import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from ipaddress import ip_address
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urljoin

import requests
from urllib3.exceptions import HTTPError, LocationParseError
from urllib3.util import parse_url

from penalized_bandits.datasets.errors import (
    CacheError,
    ChecksumError,
    DatasetConfigError,
    DatasetError,
    DownloadRefusedError,
    DownloadTooLargeError,
    NetworkUnreachableError,
)
from penalized_bandits.storage.files import digest_of, whole_file

_MAX_REDIRECTS = 5
_BLOCK = 1 << 15
_PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_PAUSE_S = 30.0


class Limits(NamedTuple):
    """Bounds of a download, times in seconds."""

    max_bytes: int
    """Largest size to accept, as declared and as received."""
    wait_s: float
    """Bound on connecting and on each wait for data."""
    total_s: float
    """Bound on everything together."""
    retries: int
    """Further attempts after a failure that may pass; after a wrong checksum one at most, after
    a refusal such as 404 none."""
    pause_s: float = 1.0
    """Pause before the first further attempt; doubled each time."""


def url_problem(url: str) -> str | None:
    """Return why an address may not be contacted, or None if it may.

    Parsed as requests will parse it, so that both see the same host.
    """
    try:
        parts = parse_url(url)
    except LocationParseError:
        return "not an address"
    if parts.auth is not None:
        return "holds a user name; expected an address without one"
    if not parts.host:
        return "has no host; expected https://..."
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.host)):
        return None
    return "expected https, or http on a loopback address"


def _is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself, without asking a name server."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def download(
    url: str,
    md5: str,
    target: Path,
    limits: Limits,
    report: Callable[[str], None] = lambda _: None,
) -> None:
    """Download a file; it gets its name only after its MD5 has been compared.

    ``url`` is an https address, or http on a loopback address; redirects may not leave this.
    ``report`` takes one line of text about the progress.

    Raises NetworkUnreachableError if no whole answer came in time; DownloadRefusedError for a
    status other than 200, a redirect to an address that is not allowed, a false certificate, or too
    much data; ChecksumError if the file came whole but is not the expected one; CacheError if it
    cannot be written; DatasetConfigError if the address is not allowed.
    """
    problem = url_problem(url)
    if problem is not None:
        raise DatasetConfigError(f"url {url!r}: {problem}")
    deadline = time.monotonic() + limits.total_s
    false_files = 0
    for attempt in range(limits.retries + 1):
        report(f"downloading {url}")
        try:
            size = _attempt(url, md5, target, limits, deadline)
        except NetworkUnreachableError as error:
            failure = error
        except DownloadRefusedError as error:
            if error.status not in _PASSING_STATUSES:
                raise
            failure = error
        except ChecksumError as error:
            false_files += 1
            if false_files > 1:
                raise
            failure = error
        else:
            report(f"received {size} bytes")
            return
        pause = min(limits.pause_s * 2**attempt, _LONGEST_PAUSE_S)
        if attempt == limits.retries or time.monotonic() + pause >= deadline:
            raise failure
        report(f"attempt {attempt + 1} of {limits.retries + 1} failed: {failure}")
        time.sleep(pause)


def _attempt(url: str, md5: str, target: Path, limits: Limits, deadline: float) -> int:
    """Download the file once; return its size in bytes."""
    try:
        with whole_file(target) as temporary:
            with temporary.open("xb") as stream:
                _receive_until(deadline, url, stream, limits)
            size, found = temporary.stat().st_size, digest_of(temporary, "md5")
            if found != md5:
                raise ChecksumError(
                    f"{url}: MD5 of the {size} bytes received is {found}, expected {md5}: the "
                    "file was changed, on the way or at the source. Compare with what the "
                    "source publishes"
                )
    except OSError as error:
        raise CacheError(f"{target}: cannot be written ({error})") from error
    return size


def _receive_until(deadline: float, url: str, stream: BinaryIO, limits: Limits) -> None:
    """Receive the file in a thread that is left behind when time is up.

    Looking up a name cannot be bounded otherwise, nor can a server that sends a byte now
    and then. The thread ends at its next byte, because the stream is closed by then.
    """
    outcome: Future[None] = Future()

    def work() -> None:
        try:
            _receive(url, stream, limits)
        except BaseException as error:  # handed to the thread that waits
            outcome.set_exception(_plain(url, error))
        else:
            outcome.set_result(None)

    threading.Thread(target=work, daemon=True).start()
    try:
        outcome.result(max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        raise NetworkUnreachableError(
            f"{url}: not complete when the time for it was up ({stream.tell()} bytes received)"
        ) from None


def _plain(url: str, error: BaseException) -> BaseException:
    """Return the error of this package that says what happened; any other as it is."""
    root = _root_cause(error)
    if isinstance(error, requests.exceptions.InvalidURL):
        return DownloadRefusedError(f"{url}: {error}")
    if isinstance(root, ssl.SSLCertVerificationError):
        return DownloadRefusedError(f"{url}: false certificate ({root})")
    if isinstance(error, (requests.exceptions.RequestException, HTTPError)):
        return NetworkUnreachableError(f"{url}: {root}")
    return error


def _root_cause(error: BaseException) -> BaseException:
    """Return what happened first; requests wraps it several times over."""
    seen = {id(error)}
    while True:
        inner = error.__cause__ or error.__context__
        if inner is None or id(inner) in seen or isinstance(inner, DatasetError):
            return error
        seen.add(id(inner))
        error = inner


def _receive(url: str, stream: BinaryIO, limits: Limits) -> None:
    """Follow redirects and write what is sent to the stream."""
    with requests.Session() as session:
        session.headers["Accept-Encoding"] = "identity"
        for _ in range(_MAX_REDIRECTS + 1):
            # A proxy could not reach this machine's own loopback address.
            session.trust_env = not _is_loopback(parse_url(url).host or "")
            with session.get(
                url, stream=True, allow_redirects=False, timeout=limits.wait_s
            ) as response:
                if not response.is_redirect:
                    _save(url, response, stream, limits.max_bytes)
                    return
                url = _next_url(url, response)
    raise DownloadRefusedError(f"{url}: more than {_MAX_REDIRECTS} redirects")


def _next_url(url: str, response: requests.Response) -> str:
    target = response.headers["Location"]
    try:
        target = urljoin(url, target)
        problem = url_problem(target)
    except ValueError:
        problem = "not an address"
    if problem is None and parse_url(url).scheme != parse_url(target).scheme == "http":
        problem = "expected https, as before the redirect"
    if problem is not None:
        raise DownloadRefusedError(
            f"{url}: redirects to {target!r}: {problem}", response.status_code
        )
    return target


def _save(url: str, response: requests.Response, stream: BinaryIO, max_bytes: int) -> None:
    if response.status_code != 200:
        raise DownloadRefusedError(
            f"{url}: the server answers {response.status_code} {response.reason}",
            response.status_code,
        )

    def check_size(size: int, verb: str) -> None:
        if size > max_bytes:
            raise DownloadTooLargeError(
                f"{url}: the server {verb} {size} bytes; expected at most {max_bytes}"
            )

    length = response.headers.get("Content-Length", "")
    declared = int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None
    if declared is not None:
        check_size(declared, "declares")
    received = 0
    while block := response.raw.read(_BLOCK, decode_content=False):
        received += len(block)
        check_size(received, "sends")
        stream.write(block)
    if declared is not None and received != declared:
        raise NetworkUnreachableError(f"{url}: cut off after {received} of {declared} bytes")
