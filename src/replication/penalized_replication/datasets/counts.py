"""Rating counts of items, their file, and the reward distributions that follow from them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from penalized_bandits.bandit.rewards import Categorical
from penalized_bandits.common.typing import IntArray

Scale = Literal["unit", "fraction"]
SCALES = {"unit": "(rating − lowest)/(highest − lowest)", "fraction": "rating/highest rating"}
"""Interpretation R8 in words."""
BUNDLED_COUNTS = Path(__file__).parent / "bundled/movielens_1m_counts.csv"
"""Counts of the movies with more than 300 ratings in MovieLens 1M."""
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


@dataclass(frozen=True, eq=False)
class RatingCounts:
    """Counts of each rating for each item."""

    table: pd.DataFrame
    """One row per item: ``movie_id`` (int or str), ``title`` (str), ``n_ratings`` (int) and one
    ``count_<level>`` (int) per level; by ``n_ratings`` descending, then ``movie_id`` ascending."""
    levels: tuple[float, ...]
    """Possible ratings, ascending, including those that nobody gave."""

    @property
    def count_columns(self) -> list[str]:
        """Names of the count columns, in the order of ``levels``."""
        return [f"count_{level:g}" for level in self.levels]

    @property
    def n_ratings(self) -> int:
        """Number of ratings of all items of the table."""
        return int(self.table["n_ratings"].sum())

    def more_than(self, m0: int) -> "RatingCounts":
        """Return the items with more than ``m0`` ratings (R9), in the same order; possibly none."""
        return RatingCounts(self.table[self.table["n_ratings"] > m0], self.levels)


def item_ids(texts: Sequence[str]) -> pd.Series:
    """Return item ids as integers if all are: so a table of counts is read back as it was."""
    if all(_INTEGER.fullmatch(text) for text in texts):
        return pd.Series([int(text) for text in texts], dtype="int64")
    return pd.Series(list(texts), dtype="str")


def read_counts_csv(path: Path = BUNDLED_COUNTS) -> RatingCounts:
    """Read a table of counts that was written as CSV; the column names tell the levels."""
    table = pd.read_csv(path, dtype={"movie_id": str, "title": str}, keep_default_na=False)
    table["movie_id"] = item_ids(table["movie_id"].tolist())
    levels = (float(name.removeprefix("count_")) for name in table.columns[3:])
    return RatingCounts(table, tuple(levels))


def counts_of(
    items: pd.Series | IntArray, titles: Sequence[str], counts: IntArray, levels: Sequence[float]
) -> RatingCounts:
    """Return the table of ``counts``, shape (K, L), of K items and L ``levels``, ascending."""
    named = {"movie_id": items, "title": pd.Series(titles, dtype="str")}
    columns = pd.DataFrame(counts, columns=[f"count_{level:g}" for level in levels])
    table = pd.concat([pd.DataFrame({**named, "n_ratings": counts.sum(axis=1)}), columns], axis=1)
    order = ["n_ratings", "movie_id"]
    table = table.sort_values(order, ascending=[False, True], ignore_index=True)
    return RatingCounts(table, tuple(levels))


def reward_distributions(counts: RatingCounts, m0: int, scale: Scale = "unit") -> Categorical:
    """Return the reward distributions of the items with more than ``m0`` ratings, in their order.

    Rewards (interpretation R8): ``"unit"`` maps the levels to [0, 1], which is (rating - 1)/4 for
    MovieLens 1M; ``"fraction"`` divides by the highest level, which is rating/5.
    """
    levels = np.array(counts.levels)
    low = levels[0] if scale == "unit" else 0.0
    support = (levels - low) / (levels[-1] - low)
    cells = counts.more_than(m0).table[counts.count_columns].to_numpy(dtype=np.float64)
    return Categorical(support, cells / cells.sum(axis=1, keepdims=True))
