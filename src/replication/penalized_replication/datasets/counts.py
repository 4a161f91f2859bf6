"""Rating counts of items, and the reward distributions that follow from them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penalized_replication.common.errors import DatasetError

Scale = Literal["unit", "fraction"]
MAX_LEVELS = 1001
"""Ratings from 0 to 100 in tenths. A column of times would make as many columns as it has rows."""
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]")
"""Characters that would break lines or cells of the tables made from titles, and the one that
stands for bytes that are no text."""
PAPERS_ARMS = (13, 31, 118)
"""Numbers of arms of the paper's Figure 3."""


def count_column(level: float) -> str:
    """Return the name of the column that counts one rating, such as ``count_4``."""
    return f"count_{level:g}"


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
        return [count_column(level) for level in self.levels]

    @property
    def n_ratings(self) -> int:
        """Number of ratings of all items of the table."""
        return int(self.table["n_ratings"].sum())

    def n_above(self, m0: int) -> int:
        """Return the number of items with more than ``m0`` ratings (reading R9)."""
        return int((self.table["n_ratings"] > m0).sum())

    def more_than(self, m0: int) -> "RatingCounts":
        """Return these items, in the same order; possibly none."""
        return RatingCounts(self.table[: self.n_above(m0)], self.levels)


def check_levels(levels: Sequence[float]) -> None:
    """Check that rating levels make rewards and can stand in names of columns.

    Raises DatasetError if they do not; the message names the level.
    """
    if not 2 <= len(levels) <= MAX_LEVELS:
        only = f" ({levels[0]:g})" if len(levels) == 1 else ""
        raise DatasetError(
            f"{len(levels)} different ratings{only}; expected 2 to {MAX_LEVELS}, such as 1 to 5"
        )
    for level in levels:
        if not np.isfinite(level) or float(f"{level:g}") != level:
            raise DatasetError(
                f"rating level {level!r}: expected a finite number of at most six digits; round it"
            )


def counts_table(
    items: pd.Series | NDArray[np.int64],
    titles: Sequence[str],
    counts: NDArray[np.int64],
    levels: Sequence[float],
) -> pd.DataFrame:
    """Put counts into the form of ``RatingCounts.table``.

    ``counts`` (K, L) says how often each of the K items, all different, was given each of the L
    ``levels``, which ascend.
    """
    table = pd.DataFrame({"movie_id": items, "title": pd.Series(titles, dtype="str")})
    table["n_ratings"] = counts.sum(axis=1)
    columns = pd.DataFrame(counts, columns=[count_column(level) for level in levels])
    table = pd.concat([table, columns], axis=1)
    return table.sort_values(["n_ratings", "movie_id"], ascending=[False, True], ignore_index=True)


class RewardDistributions(NamedTuple):
    """Reward distributions of K items over L common values."""

    titles: list[str]
    """Length K, most rated item first."""
    support: NDArray[np.float64]
    """Values of the reward (no unit), ascending, shape (L,)."""
    probabilities: NDArray[np.float64]
    """Probability of each value for each item, shape (K, L); each row sums to 1."""


def reward_distributions(
    counts: RatingCounts, m0: int, scale: Scale = "unit"
) -> RewardDistributions:
    """Return the reward distributions of the items with more than ``m0`` ratings.

    Rewards (reading R8): the scale ``"unit"`` maps the lowest level to 0 and the highest to 1,
    which is (rating - 1)/4 for MovieLens 1M; ``"fraction"`` divides by the highest level, which
    is rating/5.
    """
    kept = counts.more_than(m0).table
    levels = np.array(counts.levels)
    low, high = levels[0], levels[-1]
    support = (levels - low) / (high - low) if scale == "unit" else levels / high
    cells = kept[counts.count_columns].to_numpy(dtype=np.float64)
    return RewardDistributions(
        kept["title"].tolist(), support, cells / cells.sum(axis=1, keepdims=True)
    )


def thresholds(counts: RatingCounts) -> str:
    """Return a sentence with thresholds that leave about as many items as the paper has arms.

    Such as "2 items have more than 500 ratings, 13 more than 392".
    """
    numbers = counts.table["n_ratings"]
    lowest = {int(numbers.iloc[n - 1]) - 1 for n in (2, *PAPERS_ARMS) if n <= len(numbers)}
    if not lowest:
        return f"items in all: {len(numbers)}"
    first, *others = sorted(lowest, reverse=True)
    texts = [f"{counts.n_above(m0)} more than {m0}" for m0 in others]
    return ", ".join([f"{counts.n_above(first)} items have more than {first} ratings", *texts])


def check_enough_items(counts: RatingCounts, m0: int, name: str) -> None:
    """Check that at least two items have more than ``m0`` ratings.

    Raises DatasetError if not; its message calls the ratings by ``name`` and names
    thresholds that leave more.
    """
    found = counts.n_above(m0)
    if found < 2:
        raise DatasetError(
            f"m0 = {m0}: {found} of the items of {name} have more ratings, expected at least "
            f"2, to be the arms; {thresholds(counts)}"
        )
