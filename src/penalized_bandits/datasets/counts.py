"""How often each item got each rating, and the reward distributions that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from penalized_bandits.datasets.counts_rules import check_levels, check_table
from penalized_bandits.datasets.errors import (
    CountsMismatchError,
    DatasetConfigError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

Scale = Literal["unit", "fraction"]


def count_column(level: float) -> str:
    """Return the name of the column that counts one rating, such as ``count_4``."""
    return f"count_{level:g}"


@dataclass(frozen=True, eq=False)
class RatingCounts:
    """Counts of each rating for each item, checked when made.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per item: ``movie_id`` (int or str), ``title`` (str), ``n_ratings``
        (int) and one ``count_<level>`` (int) per level, by ``n_ratings`` descending,
        then ``movie_id`` ascending.
    levels : tuple of float
        Possible ratings, ascending, including those that nobody gave.
    n_users : int or None
        Number of users behind the counts, if known.

    Raises
    ------
    CountsFormatError
        If the table is not as described; the message names row and column.
    """

    table: pd.DataFrame
    levels: tuple[float, ...]
    n_users: int | None = None

    def __post_init__(self) -> None:
        check_levels(self.levels)
        check_table(self.table, self.count_columns)

    @property
    def count_columns(self) -> list[str]:
        """Names of the count columns, in the order of ``levels``."""
        return [count_column(level) for level in self.levels]

    @property
    def n_ratings(self) -> int:
        """Number of ratings of all items of the table."""
        return int(self.table["n_ratings"].sum())


class RewardDistributions(NamedTuple):
    """Reward distributions of K items over L common values.

    Attributes
    ----------
    item_ids, titles : list
        Length K, most rated item first.
    support : ndarray, shape (L,)
        Values of the reward (no unit), ascending.
    probabilities : ndarray, shape (K, L)
        Probability of each value for each item; each row sums to 1.
    """

    item_ids: list[int] | list[str]
    titles: list[str]
    support: NDArray[np.float64]
    probabilities: NDArray[np.float64]


def counts_from_codes(
    ids: pd.Series,
    level_codes: NDArray[np.intp],
    titles: Mapping[int, str] | Mapping[str, str],
    levels: Sequence[float],
) -> pd.DataFrame:
    """Count the ratings of each item.

    Parameters
    ----------
    ids : pandas.Series
        Item of each rating, shape (n,).
    level_codes : ndarray of int, shape (n,)
        Index of each rating among ``levels``.
    titles : mapping
        Title of each item.
    levels : sequence of float
        Possible ratings, ascending.

    Returns
    -------
    pandas.DataFrame
        As ``RatingCounts.table``.
    """
    item_codes, items = pd.factorize(ids, sort=True)
    cells = item_codes * len(levels) + level_codes
    counts = np.bincount(cells, minlength=len(items) * len(levels)).astype(np.int64)
    return counts_table(items, counts.reshape(len(items), len(levels)), titles, levels)


def counts_table(
    items: pd.Index | NDArray[np.int64],
    counts: NDArray[np.int64],
    titles: Mapping[int, str] | Mapping[str, str],
    levels: Sequence[float],
) -> pd.DataFrame:
    """Put counts into the form of ``RatingCounts.table``.

    Parameters
    ----------
    items : array, shape (K,)
        Ids, ascending.
    counts : ndarray of int, shape (K, L)
        How often each item was given each of the L ratings.
    titles : mapping
        Title of each item.
    levels : sequence of float
        Possible ratings, ascending, length L.

    Returns
    -------
    pandas.DataFrame
        As ``RatingCounts.table``.
    """
    table = pd.DataFrame({"movie_id": items, "title": pd.Series(items).map(titles).astype(str)})
    table["n_ratings"] = counts.sum(axis=1)
    columns = pd.DataFrame(counts, columns=[count_column(level) for level in levels])
    table = pd.concat([table, columns], axis=1)
    # Items ascend already, and a stable sort keeps that within ties.
    return table.sort_values("n_ratings", ascending=False, kind="stable", ignore_index=True)


def more_than(counts: RatingCounts, m0: int) -> RatingCounts:
    """Return the items with strictly more than ``m0`` ratings (reading R9).

    Parameters
    ----------
    counts : RatingCounts
        Counts of all items.
    m0 : int
        Number of ratings an item has to exceed.

    Returns
    -------
    RatingCounts
        The items in the same order; possibly none. ``n_users`` is not kept.
    """
    kept = counts.table[counts.table["n_ratings"] > m0].reset_index(drop=True)
    return RatingCounts(kept, counts.levels)


def reward_distributions(
    counts: RatingCounts, m0: int, scale: Scale = "unit"
) -> RewardDistributions:
    """Return the reward distributions of the items with more than ``m0`` ratings.

    Parameters
    ----------
    counts : RatingCounts
        Counts of all items.
    m0 : int
        Number of ratings an item has to exceed.
    scale : {"unit", "fraction"}
        Reward of a rating (reading R8): ``"unit"`` maps the lowest level to 0 and the
        highest to 1, which is (rating - 1)/4 for MovieLens 1M; ``"fraction"`` divides
        by the highest level, which is rating/5.

    Returns
    -------
    RewardDistributions
        Empirical distributions, K items by L levels.

    Raises
    ------
    DatasetConfigError
        If no item has so many ratings or the scale is unknown.
    """
    if scale not in get_args(Scale):
        raise DatasetConfigError(f"scale {scale!r}: expected one of {get_args(Scale)}")
    kept = more_than(counts, m0).table
    if kept.empty:
        most = int(counts.table["n_ratings"].max()) if len(counts.table) else 0
        raise DatasetConfigError(f"m0 = {m0}: no item has more ratings; the most rated has {most}")
    levels = np.array(counts.levels)
    low, high = levels[0], levels[-1]
    support = (levels - low) / (high - low) if scale == "unit" else levels / high
    cells = kept[counts.count_columns].to_numpy(dtype=np.float64)
    return RewardDistributions(
        kept["movie_id"].tolist(),
        kept["title"].tolist(),
        support,
        cells / cells.sum(axis=1, keepdims=True),
    )


PAPERS_ARMS = (13, 31, 118)
"""Numbers of arms of the paper's Figure 3."""


def thresholds(counts: RatingCounts) -> str:
    """Say which thresholds leave about as many items as the paper has arms.

    Parameters
    ----------
    counts : RatingCounts
        Counts of all items.

    Returns
    -------
    str
        Such as "2 items have more than 500 ratings, 13 more than 392".
    """
    numbers = counts.table["n_ratings"]
    lowest = {int(numbers.iloc[n - 1]) - 1 for n in (2, *PAPERS_ARMS) if n <= len(numbers)}
    if not lowest:
        return f"items in all: {len(numbers)}"
    first, *others = sorted(lowest, reverse=True)
    found = {m0: int((numbers > m0).sum()) for m0 in lowest}
    texts = [f"{found[m0]} more than {m0}" for m0 in others]
    return ", ".join([f"{found[first]} items have more than {first} ratings", *texts])


def check_enough_items(counts: RatingCounts, m0: int, name: str) -> None:
    """Check that at least two items have more than ``m0`` ratings.

    Parameters
    ----------
    counts : RatingCounts
        Counts of all items, or of those above the smallest threshold.
    m0 : int
        Number of ratings an item has to exceed.
    name : str
        What the ratings are called, for the message.

    Raises
    ------
    DatasetConfigError
        If there are fewer; the message names thresholds that leave more.
    """
    found = int((counts.table["n_ratings"] > m0).sum())
    if found < 2:
        raise DatasetConfigError(
            f"m0 = {m0}: {found} of the items of {name} have more ratings, expected at least "
            f"2, to be the arms; {thresholds(counts)}"
        )


def check_movies_above(counts: RatingCounts, expected: Mapping[int, int]) -> None:
    """Check how many items have strictly more than some numbers of ratings.

    Parameters
    ----------
    counts : RatingCounts
        Counts of all items.
    expected : mapping of int to int
        Number of items for each m0; for MovieLens 1M {2500: 13, 2000: 31, 1250: 118}.

    Raises
    ------
    CountsMismatchError
        If a number differs; the message names m0, the number and what it should be.
    """
    for m0, wanted in expected.items():
        found = int((counts.table["n_ratings"] > m0).sum())
        if found != wanted:
            raise CountsMismatchError(
                f"{found} items have more than {m0} ratings; expected {wanted}"
            )
