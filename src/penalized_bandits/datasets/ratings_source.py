"""The ratings that a config asks for: a MovieLens release, or a table of one's own."""

import logging
from collections.abc import Sequence
from pathlib import Path

from penalized_bandits.config import MovieLens
from penalized_bandits.datasets.counts import (
    RatingCounts,
    check_enough_items,
    more_than,
    thresholds,
)
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
        Thresholds of all experiments whose arms are movies.
    archives
        Folder that downloaded archives are kept in.
    log
        Takes progress and warnings.

    Raises
    ------
    DatasetError
        Names the file, line or key at fault and the remedy; also if no threshold leaves
        two items.
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
            dataset=wanted.dataset,
            url=wanted.url,
            archive_path=Path(wanted.archive) if wanted.archive else None,
            cache_dir=archives,
            timeout_s=wanted.timeout_seconds,
            retries=wanted.retries,
        )
    log.info(
        "%d ratings of %d items, from %s", counts.n_ratings, len(counts.table), origin.source_used
    )
    _look_at_thresholds(counts, m0_values, origin.title or origin.dataset, log)
    return more_than(counts, min(m0_values)), origin


def _look_at_thresholds(
    counts: RatingCounts, m0_values: Sequence[int], name: str, log: logging.Logger
) -> None:
    """Say how many items each threshold leaves; raise if none leaves two.

    A threshold that leaves fewer may be that of an experiment that nobody asked for.
    """
    left = {m0: int((counts.table["n_ratings"] > m0).sum()) for m0 in sorted(m0_values)}
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
