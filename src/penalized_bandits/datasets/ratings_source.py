"""The ratings that a config asks for: MovieLens from any source, or a table of one's own."""

import logging
from collections.abc import Sequence
from pathlib import Path

from penalized_bandits.config import MovieLens
from penalized_bandits.datasets.counts import RatingCounts, more_than
from penalized_bandits.datasets.obtain import obtain_counts
from penalized_bandits.datasets.provenance import Provenance, table_provenance
from penalized_bandits.datasets.ratings_table import read_ratings_table


def rating_counts_for(
    wanted: MovieLens, m0_values: Sequence[int], archives: Path, log: logging.Logger
) -> tuple[RatingCounts, Provenance]:
    """Return counts of the items with more than min(m0) ratings, and their origin.

    Parameters
    ----------
    wanted
        Section ``movielens`` of the config.
    m0_values
        Thresholds of Setting 3.
    archives
        Folder that downloaded archives are kept in.
    log
        Takes progress and warnings.

    Raises
    ------
    DatasetError
        Names the file, line or key at fault and the remedy.
    """
    if wanted.source == "table":
        assert wanted.table is not None  # noqa: S101  (checked in the config)
        table = wanted.table
        counts = read_ratings_table(
            Path(table.path), table.user, table.item, table.rating, table.title
        )
        origin = table_provenance(Path(table.path), counts)
    else:
        counts, origin = obtain_counts(
            wanted.source,
            m0_values=m0_values,
            log=log,
            url=wanted.url,
            archive_path=Path(wanted.archive) if wanted.archive else None,
            cache_dir=archives,
            timeout_s=wanted.timeout_seconds,
            retries=wanted.retries,
        )
    log.info(
        "%d ratings of %d items, from %s", counts.n_ratings, len(counts.table), origin.source_used
    )
    return more_than(counts, min(m0_values)), origin
