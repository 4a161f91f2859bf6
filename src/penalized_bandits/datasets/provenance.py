"""Record of where rating counts came from."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from penalized_bandits.datasets.counts import RatingCounts
from penalized_bandits.datasets.manifest import Dataset

SourceRequested = Literal["download", "archive", "bundled", "auto", "table"]
SourceUsed = Literal["download", "archive", "bundled", "table"]


class Provenance(BaseModel):
    """Where rating counts came from, as ``provenance.json`` records it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dataset: str
    """Name in the manifest, or file name of one's own table."""
    title: str | None
    """What the data set is called, None for one's own table."""
    source_requested: SourceRequested
    source_used: SourceUsed
    reason: str | None
    """Why the source used is not the one that was tried first."""
    url: str | None
    """Address of the download, None if none was tried."""
    archive: str | None
    """Name of the file that was read, without folders."""
    path: str | None
    """The user's own file that was read, if the config names it from the working folder."""
    from_cache: bool
    """Whether an earlier download was used."""
    md5: str | None
    """Of the file that was read."""
    md5_expected: str | None
    """The published one, that ``md5`` was compared with."""
    md5_matches_published: bool | None
    """Whether the archive is the publisher's own, None if there is none."""
    n_ratings_total: int
    """Of the whole data set after reading an archive, of the bundled movies alone otherwise."""
    n_movies: int
    retrieved_at: str
    """Time at which the counts were obtained, UTC, ISO 8601."""
    bundled_check: Literal["identical", "not applicable"]
    """Whether the counts of an archive were found identical to the bundled ones."""
    citation: str | None
    licence: str | None


def make_provenance(
    dataset: Dataset | None,
    counts: RatingCounts,
    requested: SourceRequested,
    used: SourceUsed,
    *,
    file: Path | None = None,
    md5: str | None = None,
    url: str | None = None,
    reason: str | None = None,
    from_cache: bool = False,
) -> Provenance:
    """Return the record of counts obtained now.

    ``dataset`` is None for one's own table; ``file`` and its ``md5`` are None if nothing but
    the bundled table was read; the rest is as in ``Provenance``.
    """
    published = dataset.md5 if dataset is not None and md5 is not None else None
    compared = dataset is not None and dataset.bundled is not None and file is not None
    # No path that tells of the machine, and none of the project's own downloads.
    shown = file is not None and used != "download" and not file.is_absolute()
    return Provenance(
        dataset=dataset.name if dataset is not None else f"{file and file.name}",
        title=dataset and dataset.title,
        source_requested=requested,
        source_used=used,
        reason=reason,
        url=url,
        archive=file and file.name,
        path=file.as_posix() if file is not None and shown else None,
        from_cache=from_cache,
        md5=md5,
        md5_expected=published,
        md5_matches_published=None if published is None else md5 == published,
        n_ratings_total=counts.n_ratings,
        n_movies=len(counts.table),
        retrieved_at=datetime.now(UTC).isoformat(timespec="seconds"),
        bundled_check="identical" if compared else "not applicable",
        citation=dataset and dataset.citation,
        licence=dataset and dataset.licence,
    )
