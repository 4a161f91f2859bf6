"""MovieLens 1M (Harper and Konstan 2015): its archive, and the counts that come with the code."""

import csv
import io
import struct
import zipfile
import zlib
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pooch
from requests import exceptions as web

from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets import ratings_table
from penalized_replication.datasets.counts import BUNDLED_COUNTS, RatingCounts, read_counts_csv
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
MAX_BYTES = 1 << 26
"""Of a member of the archive, uncompressed; the ratings have 25 MB."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError)
_DAMAGED += (RuntimeError, ValueError)  # the first if it is encrypted
_TIMEOUT_S = 10.0
_RETRIES = 2
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

    A failed download is tried again twice; a file with another MD5 is never kept.

    Raises DownloadError if the server does not send the file, for whatever reason; DatasetError if
    the folder cannot be written.
    """
    store = pooch.create(
        folder, "", registry={ARCHIVE: f"md5:{MD5}"}, urls={ARCHIVE: url}, retry_if_failed=_RETRIES
    )
    # Any: pooch declares other names of arguments than its own downloader has.
    get: Any = pooch.HTTPDownloader(timeout=_TIMEOUT_S, chunk_size=1 << 16)
    try:
        return Path(store.fetch(ARCHIVE, downloader=get))
    except Exception as error:
        # Errors of the disk, which have a number or, from pooch, lack permission.
        disk = getattr(error, "errno", None) or isinstance(error, PermissionError)
        if disk and not isinstance(error, web.RequestException):
            raise DatasetError(f"{folder}: {error}") from error
        raise DownloadError(url, error) from error


def read_member(archive: Path, name: str) -> bytes:
    """Return the content of one member of a zip archive; nothing is written to disk.

    Raises DatasetError if the file is no zip archive or damaged, or the member is missing,
    encrypted, or larger than ``MAX_BYTES``.
    """
    try:
        if archive.stat().st_size > MAX_BYTES:  # its list of members is read whole
            raise DatasetError(f"{archive}: expected at most {MAX_BYTES} bytes")
        with zipfile.ZipFile(archive) as file:
            member = file.getinfo(name)
            # Other methods could unpack without bound inside a single read.
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise DatasetError(f"{archive}: {name}: expected it stored or deflated")
            if member.file_size > MAX_BYTES:
                raise DatasetError(
                    f"{archive}: {name}: {member.file_size} bytes; expected at most {MAX_BYTES}"
                )
            return file.read(member)
    except KeyError:
        raise DatasetError(f"{archive}: no member {name}; expected a copy of {ARCHIVE}") from None
    except DatasetError:
        raise
    except _DAMAGED as error:
        raise DatasetError(f"{archive}: {name}: cannot be read: {str(error)[:200]}") from error


def read_movielens_1m(archive: Path) -> RatingCounts:
    """Count the ratings of every rated movie of an archive in the layout of MovieLens 1M.

    Raises DatasetError if a member cannot be read or a row is not as it should be, with archive,
    member, line and value.
    """
    movies = _rows(archive, "ml-1m/movies.dat", ["movie", "title", "genres"])
    ratings = _rows(archive, "ml-1m/ratings.dat", ["user", "movie", "rating", "time"])
    titles: dict[str, str] = {}
    with ratings_table.readable(movies.file):
        for chunk in movies.chunks:
            for column in ("movie", "title"):
                movies.codes(chunk[column], {}, ratings_table.title_text)
            titles.update(zip(chunk["movie"], chunk["title"], strict=True))
    with ratings_table.readable(ratings.file):
        return ratings_table.count_ratings(ratings, ["user", "movie", "rating"], LEVELS, titles)


def _rows(archive: Path, member: str, names: list[str]) -> ratings_table.Rows:
    # One character between fields: pandas reads no others fast.
    data = io.BytesIO(read_member(archive, member).replace(b"::", b"\t"))
    how = {"sep": "\t", "header": None, "names": names, "quoting": csv.QUOTE_NONE}
    chunks = ratings_table.text_chunks(data, encoding="latin-1", **how)
    return ratings_table.Rows(chunks, f"{archive}: {member}")


def check_movielens_1m(counts: RatingCounts, archive: Path) -> None:
    """Check that counts are those of MovieLens 1M, by their total and the bundled counts.

    Raises DatasetError, which names the first movie that differs.
    """
    found = counts.more_than(BUNDLED_ABOVE).table.to_dict("records")
    known = read_counts_csv(BUNDLED_COUNTS).table.to_dict("records")
    for got, wanted in zip_longest(found, known):
        if got != wanted:
            raise DatasetError(f"{archive}: not {TITLE}: it has {got}, expected {wanted}")
    if counts.n_ratings != N_RATINGS:
        raise DatasetError(
            f"{archive}: not {TITLE}: {counts.n_ratings} ratings, expected {N_RATINGS}"
        )
