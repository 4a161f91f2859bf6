"""The file ``rating_counts.csv``."""

import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from penalized_replication.datasets.counts import RatingCounts

BUNDLED_COUNTS = Path(__file__).parent / "bundled/movielens_1m_counts.csv"
"""Counts of the movies with more than 300 ratings in MovieLens 1M."""
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def item_ids(texts: Sequence[str]) -> pd.Series:
    """Return item ids as integers if all of them are, else as text.

    Every reader decides by this rule, so that ids keep their type and their order
    from a ratings table through the table of counts and back.
    """
    if all(_INTEGER.fullmatch(text) for text in texts):
        return pd.Series([int(text) for text in texts], dtype="int64")
    return pd.Series(list(texts), dtype="str")


def read_counts_csv(path: Path) -> RatingCounts:
    """Read a table of counts that was written as CSV; the column names tell the levels."""
    table = pd.read_csv(path, dtype={"movie_id": str, "title": str}, keep_default_na=False)
    table["movie_id"] = item_ids(table["movie_id"].tolist())
    levels = (float(name.removeprefix("count_")) for name in table.columns[3:])
    return RatingCounts(table, tuple(levels))
