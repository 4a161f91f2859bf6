"""MovieLens 1M (Harper and Konstan 2015): its archive, and the counts that come with the code."""

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pooch
from requests import exceptions as web

from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets.counts import RatingCounts, counts_of, read_counts_csv
from penalized_replication.datasets.section import BUNDLED_ABOVE

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
