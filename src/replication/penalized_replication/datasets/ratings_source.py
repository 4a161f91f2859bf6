"""The ratings that a config names: MovieLens 1M, or a table of one's own."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from penalized_bandits.common.files import digest_of
from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets import movielens
from penalized_replication.datasets.counts import RatingCounts, read_counts_csv
from penalized_replication.datasets.ratings_table import read_ratings_table
from penalized_replication.datasets.section import BUNDLED_ABOVE, MovieLens


def rating_counts_for(
    wanted: MovieLens, least: int, archives: Path, log: logging.Logger
) -> tuple[RatingCounts, dict[str, Any]]:
    """Return counts of the items with more than ``least`` ratings, and where they came from.

    A downloaded archive is kept in the folder ``archives``. Raises DatasetError, which names what
    is at fault; also if ``least`` is below what the bundled counts hold.
    """
    counts, origin = _obtained(wanted, least, archives, log)
    used, name = origin["source_used"], origin["title"] or origin["dataset"]
    log.info("%d ratings of %d items, from %s", counts.n_ratings, len(counts.table), used)
    _log_levels(counts, name, log)
    return counts.more_than(least), origin


def _log_levels(counts: RatingCounts, name: str, log: logging.Logger) -> None:
    """Log the levels; warn of possible mistakes, as one high level puts all others near 0."""
    levels, numbers = counts.levels, counts.table[counts.count_columns].sum().tolist()
    texts = [f"{level:g} ({n})" for level, n in zip(levels, numbers, strict=True)]
    log.info("levels, with their numbers of ratings: %s", ", ".join(texts))
    rare = [text for text, n in zip(texts, numbers, strict=True) if 1000 * n < sum(numbers)]
    if rare:
        log.warning("%s: levels below 0.1 %% of the ratings: %s", name, ", ".join(rare[:9]))
    gaps = np.diff(levels)
    at = int(gaps.argmax())
    sides = (levels[at] - levels[0], levels[-1] - levels[at + 1])
    if any(0 < 1.001 * side < gaps[at] for side in sides):  # 0.001: rounding
        pair = " and ".join(texts[at : at + 2])
        log.warning("%s: the gap between levels %s exceeds all on one side of it", name, pair)


def _obtained(
    wanted: MovieLens, m0: int, archives: Path, log: logging.Logger
) -> tuple[RatingCounts, dict[str, Any]]:
    if wanted.source == "table" and wanted.table is not None:
        counts, path = read_ratings_table(wanted.table), Path(wanted.table.path)
        own = dict.fromkeys(("title", "md5_matches_published", "citation", "licence"))
        return counts, _record(wanted, "table", counts, path, dataset=path.name, **own)
    if wanted.source == "archive" and wanted.archive is not None:
        counts, path = movielens.read_movielens_1m(Path(wanted.archive)), Path(wanted.archive)
        movielens.check_movielens_1m(counts, path)
        return counts, _record(wanted, "archive", counts, path)
    url, reason = wanted.url or movielens.URL, None
    if wanted.source != "bundled":
        try:
            path = movielens.download(url, archives)
            counts = movielens.read_movielens_1m(path)
            return counts, _record(wanted, "download", counts, path, url=url)
        except DatasetError as error:
            if wanted.source != "auto" or not isinstance(error, movielens.DownloadError):
                remedy = "set movielens.source to `bundled`, or to `archive` with a local copy"
                raise DatasetError(f"{error}; {remedy}") from error
            reason = f"download failed: {error.reason}"
            log.warning(
                "NO DOWNLOAD OF MOVIELENS 1M: USING THE BUNDLED COUNTS INSTEAD (%s), of the movies "
                "with more than %d ratings and from the same ratings; provenance.json beside the "
                "counts records it. To insist on the original, set movielens.source to `download` "
                "or `archive`.",
                error,
                BUNDLED_ABOVE,
            )
    if m0 < BUNDLED_ABOVE:
        raise DatasetError(
            f"m0 = {m0}: the bundled counts hold only movies with more than "
            f"{BUNDLED_ABOVE} ratings{f' ({reason})' if reason else ''}; set "
            f"movielens.source to `archive` or `download`, or let no m0 be smaller"
        )
    counts = read_counts_csv()
    return counts, _record(wanted, "bundled", counts, reason=reason, url=url if reason else None)


def _record(
    wanted: MovieLens, used: str, counts: RatingCounts, path: Path | None = None, **more: Any
) -> dict[str, Any]:
    """Return the content of ``provenance.json``.

    ``path`` is the file that was read, if any; ``more`` replaces what is said of MovieLens 1M.
    """
    md5 = None if path is None else digest_of(path, "md5")
    # No path of the machine, and none of the project's own downloads.
    shown = None if path is None or used == "download" or path.is_absolute() else path.as_posix()
    return {
        "dataset": movielens.NAME,
        "title": movielens.TITLE,
        "source_requested": wanted.source,
        "source_used": used,
        "reason": None,
        "url": None,
        "path": shown,
        "md5": md5,
        "md5_matches_published": None if path is None else md5 == movielens.MD5,
        "n_ratings_total": counts.n_ratings,
        "n_movies": len(counts.table),
        "retrieved_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "citation": movielens.CITATION,
        "licence": movielens.LICENCE,
        **more,
    }
