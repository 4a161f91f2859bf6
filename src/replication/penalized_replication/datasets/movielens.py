"""Ratings that a config names: MovieLens 1M (Harper and Konstan 2015), or a table of one's own."""

import csv
import io
import logging
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pooch
from requests import exceptions as web

from penalized_bandits.common.files import digest_of
from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets.counts import RatingCounts, counts_of, read_counts_csv
from penalized_replication.datasets.ratings_table import read_ratings_table
from penalized_replication.datasets.section import BUNDLED_ABOVE, MovieLens

NAME, TITLE, ARCHIVE = "movielens_1m", "MovieLens 1M", "ml-1m.zip"
URL = f"https://files.grouplens.org/datasets/movielens/{ARCHIVE}"
MD5 = "c4d9eecfca2ab87c1945afe126590906"
"""As GroupLens publishes it."""
LICENCE = (
    "GroupLens lets anyone use MovieLens 1M for research with acknowledgement, but forbids "
    "handing the data on and commercial use without its permission "
    "(https://files.grouplens.org/datasets/movielens/ml-1m-README.txt)."
)
CITATION = (
    "F. Maxwell Harper and Joseph A. Konstan (2015). The MovieLens Datasets: History and "
    "Context. ACM Transactions on Interactive Intelligent Systems 5(4), 19. "
    "https://doi.org/10.1145/2827872"
)
LEVELS = (1.0, 2.0, 3.0, 4.0, 5.0)
N_RATINGS = 1_000_209
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (web.SSLError, "the server's certificate or encryption is not accepted"),
    (web.HTTPError, "the server refuses the request"),
    (web.TooManyRedirects, "the server redirects without end"),
    (web.RequestException, "no lasting connection to the server"),
)


class DownloadError(DatasetError):
    """A failed download, with a reason that does not depend on the machine."""

    def __init__(self, url: str, error: Exception) -> None:
        is_pooch = type(error) is ValueError
        other = "the server sends another file" if is_pooch else "the request cannot be made"
        self.reason = next((text for kind, text in _REASONS if isinstance(error, kind)), other)
        super().__init__(f"{url}: {self.reason}: {error}")


def download(url: str, folder: Path) -> Path:
    """Return the path of the archive in a folder, downloaded unless it is there already.

    Raises DownloadError if the server does not send the file, with its MD5; DatasetError if the
    folder cannot be written.
    """
    store = pooch.create(
        folder, "", registry={ARCHIVE: f"md5:{MD5}"}, urls={ARCHIVE: url}, retry_if_failed=2
    )
    # Any: pooch declares other names of arguments than its own downloader has.
    get: Any = pooch.HTTPDownloader(timeout=10.0, chunk_size=1 << 16)
    try:
        return Path(store.fetch(ARCHIVE, downloader=get))
    except Exception as error:
        # Errors of the disk, which have a number or, from pooch, lack permission.
        disk = getattr(error, "errno", None) or isinstance(error, PermissionError)
        if disk and not isinstance(error, web.RequestException):
            raise DatasetError(f"{folder}: {error}") from error
        raise DownloadError(url, error) from error


def read_movielens_1m(archive: Path) -> RatingCounts:
    """Count the ratings of every rated movie of ml-1m.zip; raise DatasetError if it is none."""
    try:
        movies = _read(archive, "movies", ["movie", "title", "genres"])
        ratings = _read(archive, "ratings", ["user", "movie", "rating", "time"])
        counts = pd.crosstab(ratings["movie"], ratings["rating"])
        titles = movies.set_index("movie").loc[counts.index, "title"].tolist()
    except Exception as error:
        raise DatasetError(f"{archive}: no {ARCHIVE} as at {URL}: {error}") from error
    numbers = counts.reindex(columns=list(LEVELS), fill_value=0).to_numpy()
    return counts_of(counts.index.to_numpy(), titles, numbers, LEVELS)


def _read(archive: Path, member: str, names: list[str]) -> pd.DataFrame:
    with zipfile.ZipFile(archive) as file:
        # One character between fields: pandas reads no others fast.
        data = io.BytesIO(file.read(f"ml-1m/{member}.dat").replace(b"::", b"\t"))
    how: Any = {"sep": "\t", "header": None, "names": names, "quoting": csv.QUOTE_NONE}
    return pd.read_csv(data, encoding="latin-1", na_filter=False, **how)


def check_movielens_1m(counts: RatingCounts, archive: Path) -> None:
    """Raise DatasetError unless counts are those of MovieLens 1M, by total and bundled counts."""
    bundled = read_counts_csv().table
    if counts.n_ratings != N_RATINGS or not counts.more_than(BUNDLED_ABOVE).table.equals(bundled):
        raise DatasetError(
            f"{archive}: not {TITLE}: its ratings are not those of the bundled counts"
        )


def rating_counts_for(
    section: MovieLens, least: int, archives: Path, log: logging.Logger
) -> tuple[RatingCounts, dict[str, Any]]:
    """Return counts of the items with more than ``least`` ratings, and where they came from.

    A downloaded archive is kept in the folder ``archives``. Raises DatasetError, which names what
    is at fault; also if ``least`` is below what the bundled counts hold.
    """
    counts, used, path, more = _obtained(section, least, archives, log)
    md5 = None if path is None else digest_of(path, "md5")
    # No path of the machine, and none of the project's own downloads.
    shown = None if path is None or used == "download" or path.is_absolute() else path.as_posix()
    origin = {
        "dataset": NAME,
        "title": TITLE,
        "source_requested": section.source,
        "source_used": used,
        "reason": None,
        "url": None,
        "path": shown,
        "md5": md5,
        "md5_matches_published": None if path is None else md5 == MD5,
        "n_ratings_total": counts.n_ratings,
        "n_movies": len(counts.table),
        "retrieved_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "citation": CITATION,
        "licence": LICENCE,
        **more,
    }
    log.info("%d ratings of %d items, from %s", counts.n_ratings, len(counts.table), used)
    _log_levels(counts, origin["title"] or origin["dataset"], log)
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
    section: MovieLens, m0: int, archives: Path, log: logging.Logger
) -> tuple[RatingCounts, str, Path | None, dict[str, Any]]:
    """Return counts, their source, the file that was read, and further facts for the record."""
    if section.source == "table" and section.table is not None:
        counts, path = read_ratings_table(section.table), Path(section.table.path)
        own = dict.fromkeys(("title", "md5_matches_published", "citation", "licence"))
        return counts, "table", path, {"dataset": path.name, **own}
    if section.source == "archive" and section.archive is not None:
        counts, path = read_movielens_1m(Path(section.archive)), Path(section.archive)
        check_movielens_1m(counts, path)
        return counts, "archive", path, {}
    url, reason = section.url or URL, None
    if section.source != "bundled":
        try:
            path = download(url, archives)
            return read_movielens_1m(path), "download", path, {"url": url}
        except DatasetError as error:
            if section.source != "auto" or not isinstance(error, DownloadError):
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
    return read_counts_csv(), "bundled", None, {"reason": reason, "url": url if reason else None}
