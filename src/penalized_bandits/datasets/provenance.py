"""Record of where rating counts came from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import pooch
from pydantic import BaseModel, ConfigDict

from penalized_bandits.datasets.errors import DatasetConfigError
from penalized_bandits.files import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from penalized_bandits.datasets.counts import RatingCounts
    from penalized_bandits.datasets.manifest import Dataset

SourceRequested = Literal["download", "archive", "bundled", "auto"]
SourceUsed = Literal["download", "archive", "bundled"]


class Provenance(BaseModel):
    """Where rating counts came from, as ``provenance.json`` records it.

    Attributes
    ----------
    dataset : str
        Name in the manifest, or file name of one's own table.
    title : str or None
        What the data set is called, None for one's own table.
    source_requested, source_used : str
        What was asked for and what was taken; ``table`` is one's own table.
    reason : str or None
        Why the source used is not the one that was tried first.
    url : str or None
        Address of the download, None if none was tried.
    archive : str or None
        Name of the file that was read, without folders.
    path : str or None
        The user's own file that was read, if the config names it from the working folder.
    from_cache : bool
        Whether an earlier download was used.
    md5, md5_expected : str or None
        MD5 of the file that was read, and what it was compared with.
    md5_matches_published : bool or None
        Whether the archive is the publisher's own, None if there is none.
    n_ratings_total, n_movies : int
        Totals of the counts at hand: of the whole data set after reading an archive,
        of the bundled movies alone otherwise.
    retrieved_at : str
        Time at which the counts were obtained, UTC, ISO 8601.
    bundled_check : str
        Whether the counts of an archive were found identical to the bundled ones.
    citation, licence : str or None
        From the manifest, None for one's own table.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    dataset: str
    title: str | None
    source_requested: SourceRequested | Literal["table"]
    source_used: SourceUsed | Literal["table"]
    reason: str | None
    url: str | None
    archive: str | None
    path: str | None
    from_cache: bool
    md5: str | None
    md5_expected: str | None
    md5_matches_published: bool | None
    n_ratings_total: int
    n_movies: int
    retrieved_at: str
    bundled_check: Literal["identical", "not applicable"]
    citation: str | None
    licence: str | None


def make_provenance(
    dataset: Dataset,
    requested: SourceRequested,
    used: SourceUsed,
    counts: RatingCounts,
    *,
    reason: str | None = None,
    url: str | None = None,
    archive: str | None = None,
    path: str | None = None,
    from_cache: bool = False,
    md5: str | None = None,
    md5_expected: str | None = None,
) -> Provenance:
    """Return the record of counts obtained now; arguments as in ``Provenance``."""
    compared = archive is not None and dataset.bundled is not None
    return Provenance(
        dataset=dataset.name,
        title=dataset.title,
        source_requested=requested,
        source_used=used,
        reason=reason,
        url=url,
        archive=archive,
        path=path,
        from_cache=from_cache,
        md5=md5,
        md5_expected=md5_expected,
        md5_matches_published=None if md5 is None else md5 == dataset.md5,
        n_ratings_total=counts.n_ratings,
        n_movies=len(counts.table),
        retrieved_at=_now(),
        bundled_check="identical" if compared else "not applicable",
        citation=dataset.citation,
        licence=dataset.licence,
    )


def as_recorded(path: Path) -> str | None:
    """Return a path as a record holds it: none that tells of the machine."""
    return None if path.is_absolute() else path.as_posix()


def table_provenance(path: Path, counts: RatingCounts) -> Provenance:
    """Return the record of counts of one's own table, read now.

    Parameters
    ----------
    path : Path
        The table; its name and MD5 are recorded, and its path where that is relative.
    counts : RatingCounts
        What was read from it.

    Returns
    -------
    Provenance
        With ``table`` as source.

    Raises
    ------
    DatasetConfigError
        If the file cannot be read.
    """
    try:
        md5 = pooch.file_hash(str(path), alg="md5")
    except OSError as error:
        raise DatasetConfigError(f"{path}: cannot be read ({error})") from error
    return Provenance(
        dataset=path.name,
        title=None,
        source_requested="table",
        source_used="table",
        reason=None,
        url=None,
        archive=path.name,
        path=as_recorded(path),
        from_cache=False,
        md5=md5,
        md5_expected=None,
        md5_matches_published=None,
        n_ratings_total=counts.n_ratings,
        n_movies=len(counts.table),
        retrieved_at=_now(),
        bundled_check="not applicable",
        citation=None,
        licence=None,
    )


def write_provenance(provenance: Provenance, path: Path) -> None:
    """Write a record as indented JSON; the file is replaced as a whole.

    Raises
    ------
    OSError
        If the file cannot be written; an existing file is then unchanged.
    """
    write_text(path, provenance.model_dump_json(indent=2) + "\n")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
