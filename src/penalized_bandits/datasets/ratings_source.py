"""The ratings that a config asks for: a MovieLens release, or a table of one's own."""

import logging
from collections.abc import Sequence
from pathlib import Path

from penalized_bandits.datasets.bundle import read_bundled_counts, read_checked_counts
from penalized_bandits.datasets.counts import RatingCounts, check_enough_items, thresholds
from penalized_bandits.datasets.download import Limits, download
from penalized_bandits.datasets.errors import (
    ArchiveError,
    BundledCountsTooFewError,
    ChecksumError,
    DatasetConfigError,
    DownloadRefusedError,
    NetworkUnreachableError,
)
from penalized_bandits.datasets.manifest import Dataset, load_manifest
from penalized_bandits.datasets.provenance import Provenance, make_provenance
from penalized_bandits.datasets.ratings_table import read_ratings_table
from penalized_bandits.datasets.section import MovieLens, RatingsTable
from penalized_bandits.storage.files import digest_of

_LEAST_TIME_S = 900.0
_LEAST_RATE = 75_000
"""Bytes a second that a download must not be slower than on the whole."""


def rating_counts_for(
    wanted: MovieLens, m0_values: Sequence[int], archives: Path, log: logging.Logger
) -> tuple[RatingCounts, Provenance]:
    """Return counts of the items with more than min(m0) ratings, and their origin.

    ``m0_values`` are the thresholds of all experiments whose arms are movies; downloaded archives
    are kept in the folder ``archives``.

    Raises DatasetError, which names the file, line or key at fault and the remedy; also if no
    threshold leaves two items.
    """
    if wanted.source == "table" and wanted.table is not None:
        counts, origin = _from_table(wanted.table)
    else:
        dataset = load_manifest()[wanted.dataset]
        counts, origin = obtain_counts(wanted, dataset, m0_values, archives, log)
    log.info(
        "%d ratings of %d items, from %s", counts.n_ratings, len(counts.table), origin.source_used
    )
    _look_at_thresholds(counts, m0_values, origin.title or origin.dataset, log)
    return counts.more_than(min(m0_values)), origin


def _look_at_thresholds(
    counts: RatingCounts, m0_values: Sequence[int], name: str, log: logging.Logger
) -> None:
    """Say how many items each threshold leaves; raise if none leaves two.

    A threshold that leaves fewer may be that of an experiment that nobody asked for.
    """
    left = {m0: counts.n_above(m0) for m0 in sorted(m0_values)}
    for m0, number in left.items():
        log.info("m0 = %d: %d items have more ratings", m0, number)
    log.info("%s", thresholds(counts))
    if max(left.values()) < 2:
        check_enough_items(counts, min(left), name)
    few = ", ".join(str(m0) for m0, number in left.items() if number < 2)
    if few:
        log.warning(
            "m0 = %s: fewer than 2 items of %s have more ratings; what is to be played with "
            "them cannot be run",
            few,
            name,
        )


def _from_table(table: RatingsTable) -> tuple[RatingCounts, Provenance]:
    path = Path(table.path)
    counts = read_ratings_table(path, table.user, table.item, table.rating, table.title)
    return counts, make_provenance(None, counts, "table", "table", file=path, md5=_md5(path))


def obtain_counts(
    wanted: MovieLens,
    dataset: Dataset,
    m0_values: Sequence[int],
    archives: Path,
    log: logging.Logger,
) -> tuple[RatingCounts, Provenance]:
    """Return a data set's counts, checked, and the record of where they came from.

    Arguments are as in ``rating_counts_for``; the source is not a table.
    ``auto`` tries the download, and takes the bundled counts only if no server can be
    reached and the data set has any; a refusal or a wrong checksum stays an error.
    An archive that was downloaded before is used if it has the published MD5.  Counts of an
    archive are compared with the published totals and, movie by movie, with the bundled
    counts.

    Raises NetworkUnreachableError if no server can be reached and no counts are bundled,
    BundledCountsTooFewError if the smallest m0 is below what the bundled counts hold and no others
    are at hand, other DatasetErrors from download, archive and checks.
    """
    if wanted.source == "bundled":
        counts = _bundled_counts(dataset, m0_values)
        return counts, make_provenance(dataset, counts, wanted.source, "bundled")
    if wanted.source == "archive" and wanted.archive is not None:
        return _from_archive(Path(wanted.archive), dataset, log)
    target, url = archives / dataset.archive_name, wanted.url or dataset.url
    cached = target.is_file() and _md5(target) == dataset.md5
    if cached:
        log.info("%s: already there with the expected MD5", target)
    else:
        total = max(_LEAST_TIME_S, dataset.max_archive_bytes / _LEAST_RATE)
        limits = Limits(dataset.max_archive_bytes, wanted.timeout_seconds, total, wanted.retries)
        try:
            download(url, dataset.md5, target, limits, log.info)
        except (NetworkUnreachableError, DownloadRefusedError, ChecksumError) as error:
            unreachable = isinstance(error, NetworkUnreachableError)
            if not unreachable or wanted.source != "auto" or dataset.bundled is None:
                error.args = (f"{error}; {_remedy(dataset)}",)
                raise
            counts = _bundled_counts(dataset, m0_values, f" (and the download failed: {error})")
            reason = f"download failed: {error}"
            _warn_of_fallback(dataset.title, dataset.bundled.above, url, reason, log)
            return counts, make_provenance(
                dataset, counts, wanted.source, "bundled", url=url, reason=reason
            )
    counts = read_checked_counts(target, dataset)
    return counts, make_provenance(
        dataset,
        counts,
        wanted.source,
        "download",
        file=target,
        md5=dataset.md5,
        url=url,
        from_cache=cached,
    )


def _from_archive(
    path: Path, dataset: Dataset, log: logging.Logger
) -> tuple[RatingCounts, Provenance]:
    if not path.is_file():
        raise DatasetConfigError(
            f"movielens.archive {path}: no such file; expected a copy of {dataset.archive_name}"
        )
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
    counts = read_checked_counts(path, dataset)
    return counts, make_provenance(dataset, counts, "archive", "archive", file=path, md5=md5)


def _bundled_counts(dataset: Dataset, m0_values: Sequence[int], failed: str = "") -> RatingCounts:
    counts = read_bundled_counts(dataset)
    above = 0 if dataset.bundled is None else dataset.bundled.above
    if min(m0_values) < above:
        raise BundledCountsTooFewError(
            f"m0 = {min(m0_values)}: the bundled counts hold only movies with more than "
            f"{above} ratings{failed}; set movielens.source to `archive` or `download`, "
            f"or let no m0 be below {above}"
        )
    return counts


def _remedy(dataset: Dataset) -> str:
    """Say what to do where a data set cannot be downloaded."""
    if dataset.bundled is not None:
        return "set movielens.source to `bundled`, or to `archive` with a local copy"
    return (
        f"no counts of {dataset.title} are bundled: get {dataset.archive_name} in another way, "
        "set movielens.source to `archive` and movielens.archive to its path"
    )


def _warn_of_fallback(title: str, above: int, url: str, reason: str, log: logging.Logger) -> None:
    for line in (
        "*" * 78,
        f"NO DOWNLOAD OF {title.upper()}: USING THE BUNDLED COUNTS INSTEAD",
        f"Address: {url}",
        f"Reason: {reason}",
        f"The bundled table holds the movies with more than {above} ratings only.",
        "It was counted from the same ratings, and provenance.json records its use.",
        "To insist on the original, set movielens.source to `download` or `archive`.",
        "*" * 78,
    ):
        log.warning("%s", line)


def _md5(path: Path) -> str:
    try:
        return digest_of(path, "md5")
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read ({error})") from error
