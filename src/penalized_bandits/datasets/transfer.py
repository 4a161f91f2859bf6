"""One bounded HTTP transfer, as a downloader for pooch."""

from __future__ import annotations

import hashlib
import os
import ssl
import threading
import time
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import requests
from urllib3.exceptions import HTTPError, LocationParseError
from urllib3.util import parse_url

from penalized_bandits.datasets.errors import (
    DatasetError,
    DownloadRefusedError,
    DownloadTooLargeError,
    NetworkUnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_REDIRECTS = 5
_BLOCK = 1 << 15
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


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
    if parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.host)):
        return None
    return "expected https, or http on a loopback address"


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself, without asking a name server."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class BoundedTransfer:
    """Downloader for ``pooch.retrieve`` with bounds on time and size.

    The work is done in a thread that is left behind when time is up: looking up a
    name cannot be bounded otherwise, nor can a server that sends a byte now and then.

    Parameters
    ----------
    timeout_s : float
        Bound on connecting and on each wait for data, in seconds.
    deadline : float
        Value of ``time.monotonic`` at which everything has to be done.
    max_bytes : int
        Largest size to accept, as declared and as received, in bytes.
    report : callable
        Takes one line of text about the progress.

    Attributes
    ----------
    received : int
        Bytes received.
    md5 : str
        MD5 of what was received, empty before it is complete.
    """

    def __init__(
        self,
        timeout_s: float,
        deadline: float,
        max_bytes: int,
        report: Callable[[str], None],
    ) -> None:
        self.timeout_s = timeout_s
        self.deadline = deadline
        self.max_bytes = max_bytes
        self.report = report
        self.received = 0
        self.md5 = ""
        self._given_up = threading.Event()
        self._failure: BaseException | None = None

    def __call__(
        self,
        url: str,
        output_file: str,
        pooch: object,  # noqa: ARG002
        check_only: bool = False,  # noqa: ARG002
    ) -> None:
        """Download ``url`` to ``output_file``, as pooch asks of a downloader."""
        self.report(f"downloading {url}")
        worker = threading.Thread(target=self._work, args=(url, Path(output_file)), daemon=True)
        worker.start()
        try:
            worker.join(max(0.0, self.deadline - time.monotonic()))
        finally:
            self._given_up.set()
        if worker.is_alive():
            raise NetworkUnreachableError(
                f"{url}: not complete when the time for it was up ({self.received} bytes received)"
            )
        if self._failure is not None:
            raise self._failure
        self.report(f"received {self.received} bytes")

    def _work(self, url: str, output: Path) -> None:
        try:
            self._fetch(url, output)
        except requests.exceptions.SSLError as error:
            root = _root_cause(error)
            if isinstance(root, ssl.SSLCertVerificationError):
                self._failure = DownloadRefusedError(f"{url}: false certificate ({root})")
            else:
                self._failure = NetworkUnreachableError(f"{url}: {root}")
        except requests.exceptions.InvalidURL as error:
            self._failure = DownloadRefusedError(f"{url}: {error}")
        except (requests.exceptions.RequestException, HTTPError) as error:
            self._failure = NetworkUnreachableError(f"{url}: {_root_cause(error)}")
        except BaseException as error:  # handed to the thread that waits
            self._failure = error

    def _fetch(self, url: str, output: Path) -> None:
        with requests.Session() as session:
            session.headers["Accept-Encoding"] = "identity"
            for _ in range(_MAX_REDIRECTS + 1):
                # A proxy could not reach this machine's own loopback address.
                session.trust_env = not is_loopback(parse_url(url).host or "")
                with session.get(
                    url, stream=True, allow_redirects=False, timeout=self.timeout_s
                ) as response:
                    if response.status_code not in _REDIRECTS:
                        self._save(url, response, output)
                        return
                    url = _next_url(url, response)
        raise DownloadRefusedError(f"{url}: more than {_MAX_REDIRECTS} redirects")

    def _save(self, url: str, response: requests.Response, output: Path) -> None:
        if response.status_code != 200:
            raise DownloadRefusedError(
                f"{url}: the server answers {response.status_code} {response.reason}",
                response.status_code,
            )
        length = response.headers.get("Content-Length", "")
        declared = int(length) if length.isascii() and length.isdigit() else None
        if declared is not None:
            self._check_size(url, declared, "declares")
        digest = hashlib.md5(usedforsecurity=False)
        if self._given_up.is_set():
            return
        # Pooch made a file that is private to the user, whatever the umask says.
        output.unlink()
        with output.open("xb") as stream:
            while block := response.raw.read(_BLOCK, decode_content=False):
                if self._given_up.is_set():
                    return
                self.received += len(block)
                self._check_size(url, self.received, "sends")
                digest.update(block)
                stream.write(block)
            if declared is not None and self.received != declared:
                raise NetworkUnreachableError(
                    f"{url}: cut off after {self.received} of {declared} bytes"
                )
            stream.flush()
            os.fsync(stream.fileno())
        self.md5 = digest.hexdigest()

    def _check_size(self, url: str, size: int, verb: str) -> None:
        if size > self.max_bytes:
            raise DownloadTooLargeError(
                f"{url}: the server {verb} {size} bytes; expected at most {self.max_bytes}"
            )


def _next_url(url: str, response: requests.Response) -> str:
    target = urljoin(url, response.headers.get("Location", ""))
    problem = url_problem(target)
    if problem is None and parse_url(url).scheme != parse_url(target).scheme == "http":
        problem = "expected https, as before the redirect"
    if problem is not None:
        raise DownloadRefusedError(
            f"{url}: redirects to {target!r}: {problem}", response.status_code
        )
    return target


def _root_cause(error: BaseException) -> BaseException:
    """Return what happened first; requests wraps it several times over."""
    seen = {id(error)}
    while True:
        inner = error.__cause__ or error.__context__
        if inner is None or id(inner) in seen or isinstance(inner, DatasetError):
            return error
        seen.add(id(inner))
        error = inner
