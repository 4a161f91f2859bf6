"""Obtain rating counts from a download, a local archive or the bundled table."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pooch

from penalized_bandits.datasets.archive import check_archive_file
from penalized_bandits.datasets.download import REMEDY, download
from penalized_bandits.datasets.errors import (
    ArchiveError,
    BundledCountsTooFewError,
    DatasetConfigError,
    NetworkUnreachableError,
)
from penalized_bandits.datasets.known_counts import (
    check_against_bundled,
    check_published,
    read_bundled_counts,
)
from penalized_bandits.datasets.manifest import get_dataset
from penalized_bandits.datasets.movielens import read_rating_counts
from penalized_bandits.datasets.provenance import SourceRequested, as_recorded, make_provenance

if TYPE_CHECKING:
    import logging
    from collections.abc import Sequence
    from pathlib import Path

    from penalized_bandits.datasets.counts import RatingCounts
    from penalized_bandits.datasets.manifest import Dataset
    from penalized_bandits.datasets.provenance import Provenance


_LEAST_TIME_S = 900.0
_LEAST_RATE = 75_000
"""Bytes a second that a download must not be slower than on the whole."""


def obtain_counts(
    source: SourceRequested,
    *,
    m0_values: Sequence[int],
    log: logging.Logger,
    dataset: Dataset | str = "movielens_1m",
    url: str | None = None,
    md5: str | None = None,
    archive_path: Path | None = None,
    cache_dir: Path | None = None,
    timeout_s: float = 30.0,
    retries: int = 3,
    total_timeout_s: float | None = None,
    pause_s: float = 1.0,
) -> tuple[RatingCounts, Provenance]:
    """Return rating counts, checked, and the record of where they came from.

    ``auto`` tries the download, and takes the bundled counts only if no server can be
    reached and the data set has any; a refusal or a wrong checksum stays an error.
    Counts of an archive are compared with the published totals and, movie by movie, with
    the bundled counts.

    Parameters
    ----------
    source : {"download", "archive", "bundled", "auto"}
        Where to take them from.
    m0_values : sequence of int
        Numbers of ratings that movies have to exceed in what follows.
    log : logging.Logger
        Takes progress, and the warnings of a fallback or a foreign checksum.
    dataset : Dataset or str
        Entry of the manifest, or its name.
    url, md5 : str, optional
        Address and MD5 of the download, if not those of the manifest.
    archive_path : Path, optional
        The archive to read, needed if ``source`` is ``archive``.
    cache_dir : Path, optional
        Folder for downloads, needed if ``source`` is ``download`` or ``auto``. An
        archive there that has the right MD5 is not downloaded again.
    timeout_s, retries, pause_s
        As in ``download``.
    total_timeout_s : float, optional
        As in ``download``; by default as long as an archive of the largest allowed size
        takes at 75 kB a second, and at least 15 minutes.

    Returns
    -------
    counts : RatingCounts
        All rated movies, or the bundled ones.
    provenance : Provenance
        The record.

    Raises
    ------
    DatasetConfigError
        If an argument is missing or senseless.
    NetworkUnreachableError
        If no server can be reached and no counts are bundled.
    BundledCountsTooFewError
        If the smallest m0 is below what the bundled counts hold and no others are at
        hand.
    DatasetError
        Other subclasses, from download, archive and checks.
    """
    if isinstance(dataset, str):
        dataset = get_dataset(dataset)
    _check_arguments(source, m0_values, archive_path, cache_dir)
    url = dataset.url if url is None else url
    md5 = dataset.md5 if md5 is None else md5
    if source == "bundled":
        counts = _bundled(dataset, m0_values, None)
        return counts, make_provenance(dataset, source, "bundled", counts)
    if source == "archive" and archive_path is not None:
        return _from_archive(dataset, archive_path, log)
    if cache_dir is None:  # ruled out by the check of the arguments
        raise DatasetConfigError(f"source {source}: needs cache_dir")
    target = cache_dir / dataset.archive_name
    cached = target.is_file() and _md5(target) == md5
    if cached:
        log.info("%s: already there with the expected MD5", target)
    else:
        if total_timeout_s is None:
            total_timeout_s = max(_LEAST_TIME_S, dataset.max_archive_bytes / _LEAST_RATE)
        try:
            download(
                url,
                md5,
                target,
                timeout_s=timeout_s,
                retries=retries,
                report=log.info,
                total_timeout_s=total_timeout_s,
                max_bytes=dataset.max_archive_bytes,
                pause_s=pause_s,
                remedy=_remedy(dataset),
            )
        except NetworkUnreachableError as error:
            if source != "auto" or dataset.bundled is None:
                raise NetworkUnreachableError(f"{error}; {_remedy(dataset)}") from error
            counts = _bundled(dataset, m0_values, error)
            reason = f"download failed: {error}"
            _warn_of_fallback(dataset, url, reason, log)
            record = make_provenance(dataset, source, "bundled", counts, reason=reason, url=url)
            return counts, record
    counts = _read_checked(target, dataset)
    return counts, make_provenance(
        dataset,
        source,
        "download",
        counts,
        url=url,
        archive=target.name,
        from_cache=cached,
        md5=md5,
        md5_expected=md5,
    )


def _remedy(dataset: Dataset) -> str:
    """Say what to do where a data set cannot be downloaded."""
    if dataset.bundled is not None:
        return REMEDY
    return (
        f"no counts of {dataset.title} are bundled: get {dataset.archive_name} in another way, "
        "set movielens.source to `archive` and movielens.archive to its path"
    )


def _from_archive(
    dataset: Dataset, path: Path, log: logging.Logger
) -> tuple[RatingCounts, Provenance]:
    if not path.is_file():
        raise DatasetConfigError(
            f"movielens.archive {path}: no such file; expected a copy of {dataset.archive_name}"
        )
    check_archive_file(path, dataset.max_archive_bytes)
    md5 = _md5(path)
    if md5 != dataset.md5:
        # A rebuilt copy has another checksum; its counts are checked all the same.
        log.warning(
            "%s: MD5 is %s, the published one is %s: this is not the publisher's own "
            "file. It is used if its counts prove to be those of %s.",
            path,
            md5,
            dataset.md5,
            dataset.title,
        )
    counts = _read_checked(path, dataset)
    return counts, make_provenance(
        dataset,
        "archive",
        "archive",
        counts,
        archive=path.name,
        path=as_recorded(path),
        md5=md5,
        md5_expected=dataset.md5,
    )


def _read_checked(path: Path, dataset: Dataset) -> RatingCounts:
    counts = read_rating_counts(path, dataset)
    if dataset.bundled is not None:
        check_against_bundled(counts, dataset)
    check_published(counts, dataset)
    return counts


def _bundled(
    dataset: Dataset, m0_values: Sequence[int], cause: NetworkUnreachableError | None
) -> RatingCounts:
    counts = read_bundled_counts(dataset)
    above = 0 if dataset.bundled is None else dataset.bundled.above
    if min(m0_values) < above:
        failed = "" if cause is None else f" (and the download failed: {cause})"
        raise BundledCountsTooFewError(
            f"m0 = {min(m0_values)}: the bundled counts hold only movies with more than "
            f"{above} ratings{failed}; set movielens.source to `archive` or `download`, "
            f"or let no m0 be below {above}"
        ) from cause
    return counts


def _warn_of_fallback(dataset: Dataset, url: str, reason: str, log: logging.Logger) -> None:
    above = 0 if dataset.bundled is None else dataset.bundled.above
    for line in (
        "*" * 78,
        f"NO DOWNLOAD OF {dataset.title.upper()}: USING THE BUNDLED COUNTS INSTEAD",
        f"Address: {url}",
        f"Reason: {reason}",
        f"The bundled table holds the movies with more than {above} ratings only.",
        "It was counted from the same ratings, and provenance.json records its use.",
        "To insist on the original, set movielens.source to `download` or `archive`.",
        "*" * 78,
    ):
        log.warning("%s", line)


def _check_arguments(
    source: str,
    m0_values: Sequence[int],
    archive_path: Path | None,
    cache_dir: Path | None,
) -> None:
    if source not in get_args(SourceRequested):
        raise DatasetConfigError(
            f"movielens.source {source!r}: expected one of {', '.join(get_args(SourceRequested))}"
        )
    if not m0_values or min(m0_values) < 0:
        raise DatasetConfigError(f"m0 {list(m0_values)}: expected one or more numbers from 0 up")
    if source == "archive" and archive_path is None:
        raise DatasetConfigError(
            "movielens.source is `archive`, but movielens.archive is not set: expected "
            "the path of a local archive"
        )
    if source in ("download", "auto") and cache_dir is None:
        raise DatasetConfigError(
            f"movielens.source is `{source}`, but no folder for downloads is given"
        )


def _md5(path: Path) -> str:
    try:
        return pooch.file_hash(str(path), alg="md5")
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read ({error})") from error
