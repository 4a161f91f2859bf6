"""Bounded, verified download of one file."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import pooch

from penalized_bandits.datasets.errors import (
    CacheError,
    ChecksumError,
    DatasetConfigError,
    DownloadRefusedError,
    NetworkUnreachableError,
)
from penalized_bandits.datasets.transfer import BoundedTransfer, url_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REMEDY = "set movielens.source to `bundled`, or to `archive` with a local copy"
_PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_PAUSE_S = 30.0


def download(
    url: str,
    md5: str,
    target: Path,
    *,
    timeout_s: float = 30.0,
    retries: int = 3,
    report: Callable[[str], None] = lambda _: None,
    total_timeout_s: float = 900.0,
    max_bytes: int = 1 << 26,
    pause_s: float = 1.0,
    remedy: str = REMEDY,
) -> Path:
    """Download a file, unless it is there already with the right checksum.

    The file gets its name only after its MD5 has been compared.

    Parameters
    ----------
    url : str
        An https address, or http on a loopback address; redirects may not leave this.
    md5 : str
        Expected MD5, 32 lower-case hexadecimal digits.
    target : Path
        The file to write; missing parent folders are made.
    timeout_s : float
        Bound on connecting and on each wait for data, in seconds.
    retries : int
        Number of further attempts after a failure that may pass. A wrong checksum is
        tried once more at most, a refusal such as 404 not at all.
    report : callable
        Takes one line of text about the progress.
    total_timeout_s : float
        Bound on everything together, in seconds.
    max_bytes : int
        Largest size to accept, as declared and as received, in bytes.
    pause_s : float
        Pause before the first further attempt, in seconds; doubled each time.
    remedy : str
        What to do instead if the file cannot be had, for messages.

    Returns
    -------
    Path
        ``target``.

    Raises
    ------
    NetworkUnreachableError
        If no whole answer came in all attempts, or not within the total time.
    DownloadRefusedError
        If the server answers with another status than 200, with a redirect to an
        address that is not allowed, a false certificate, or too much data.
    ChecksumError
        If the file came whole but is not the expected one.
    CacheError
        If the file cannot be written.
    DatasetConfigError
        If an argument is senseless.
    """
    _check_arguments(url, md5, timeout_s, retries, total_timeout_s)
    deadline = time.monotonic() + total_timeout_s
    false_files = 0
    for attempt in range(retries + 1):
        try:
            return _attempt(url, md5, target, timeout_s, deadline, max_bytes, report, remedy)
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
        pause = min(pause_s * 2**attempt, _LONGEST_PAUSE_S)
        if attempt == retries or time.monotonic() + pause >= deadline:
            raise failure
        report(f"attempt {attempt + 1} of {retries + 1} failed: {failure}")
        time.sleep(pause)
    raise AssertionError("unreachable: the last attempt returns or raises")


def _attempt(
    url: str,
    md5: str,
    target: Path,
    timeout_s: float,
    deadline: float,
    max_bytes: int,
    report: Callable[[str], None],
    remedy: str,
) -> Path:
    transfer = BoundedTransfer(timeout_s, deadline, max_bytes, report)
    try:
        with _quiet_pooch():
            pooch.retrieve(
                url,
                known_hash=f"md5:{md5}",
                fname=target.name,
                path=target.parent,
                # Called with address and file; pooch's own type names them otherwise.
                downloader=cast("Any", transfer),
            )
    except ValueError as error:
        # What pooch raises for a file whose hash is not the known one.
        raise ChecksumError(
            f"{url}: MD5 of the {transfer.received} bytes received is {transfer.md5}, "
            f"expected {md5}: the file was changed, on the way or at the source. Compare "
            f"with what the source publishes; until then {remedy}"
        ) from error
    except DownloadRefusedError as error:
        raise type(error)(f"{error}; {remedy}", error.status) from error
    except OSError as error:
        raise CacheError(f"{target}: cannot be written ({error})") from error
    return target


@contextmanager
def _quiet_pooch() -> Iterator[None]:
    """Keep pooch from printing: what is to be told goes to ``report``."""
    # Not its level: logging does not clear the cached levels of pooch's own logger.
    logger = pooch.get_logger()
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _check_arguments(
    url: str, md5: str, timeout_s: float, retries: int, total_timeout_s: float
) -> None:
    problem = url_problem(url)
    if problem is not None:
        raise DatasetConfigError(f"url {url!r}: {problem}")
    if len(md5) != 32 or not set(md5) <= set("0123456789abcdef"):
        raise DatasetConfigError(f"md5 {md5!r}: expected 32 hexadecimal digits in lower case")
    if retries < 0:
        raise DatasetConfigError(f"retries {retries}: expected 0 or more")
    for name, value in (("timeout_s", timeout_s), ("total_timeout_s", total_timeout_s)):
        if not value > 0:
            raise DatasetConfigError(f"{name} {value}: expected more than 0 seconds")
