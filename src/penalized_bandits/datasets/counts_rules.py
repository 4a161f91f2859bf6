"""Rules that every table of rating counts keeps."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from penalized_bandits.datasets.errors import CountsFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LEVELS = 1001
"""Ratings from 0 to 100 in tenths. A column of times would make as many columns as it has rows."""
ID_COLUMNS = ("movie_id", "title", "n_ratings")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that would break lines or cells of the tables made from titles."""


def check_levels(levels: Sequence[float]) -> None:
    """Check that rating levels ascend, make rewards and can stand in names of columns.

    Rewards are (rating - lowest)/(highest - lowest), or rating/highest under the other
    reading R8: both want two levels, the second none below 0.

    Parameters
    ----------
    levels : sequence of float
        Possible ratings.

    Raises
    ------
    CountsFormatError
        If they do not; the message names the level.
    """
    if not 2 <= len(levels) <= MAX_LEVELS:
        only = f" ({levels[0]:g})" if len(levels) == 1 else ""
        raise CountsFormatError(
            f"{len(levels)} different ratings{only}; expected 2 to {MAX_LEVELS}, such as 1 to 5"
        )
    for level in levels:
        if not np.isfinite(level) or float(f"{level:g}") != level:
            raise CountsFormatError(
                f"rating level {level!r}: expected a finite number of at most six digits; round it"
            )
    if any(low >= high for low, high in pairwise(levels)):
        raise CountsFormatError(f"rating levels {levels}: expected to ascend, no repeats")
    if levels[0] < 0:
        raise CountsFormatError(
            f"ratings from {levels[0]:g} to {levels[-1]:g}; expected none below 0: add "
            f"{-levels[0]:g} to each"
        )


def check_table(table: pd.DataFrame, count_columns: list[str]) -> None:
    """Check columns, types, sums, ids, titles and order of a table of counts.

    Parameters
    ----------
    table : pandas.DataFrame
        The table.
    count_columns : list of str
        Names of its count columns, in order.

    Raises
    ------
    CountsFormatError
        At the first fault; the message names the column or the row (from 1).
    """
    expected = [*ID_COLUMNS, *count_columns]
    if list(table.columns) != expected:
        raise CountsFormatError(f"columns {list(table.columns)}: expected {expected}")
    ids, numbers = table["movie_id"], table[["n_ratings", *count_columns]]
    for column in numbers:
        if not pd.api.types.is_integer_dtype(numbers[column]):
            raise CountsFormatError(
                f"column {column}: type {numbers[column].dtype}, expected integers"
            )
    _fail(table, (numbers < 0).any(axis=1), "a negative count, expected 0 or more")
    sums = numbers[count_columns].sum(axis=1)
    _fail(table, sums != numbers["n_ratings"], "counts do not add up to n_ratings")
    _fail(table, ids.duplicated(), "this movie_id stands in an earlier row too")
    for column in ("movie_id", "title"):
        if column == "movie_id" and pd.api.types.is_integer_dtype(ids):
            continue
        faulty = [
            not isinstance(value, str) or not value or bool(CONTROL.search(value))
            for value in table[column].tolist()
        ]
        _fail(
            table,
            pd.Series(faulty, index=table.index, dtype=bool),
            f"{column} is empty, no text or has control characters",
        )
    order = table.sort_values("movie_id", kind="stable").sort_values(
        "n_ratings", ascending=False, kind="stable"
    )
    _fail(
        table,
        pd.Series(order.index != table.index, index=table.index),
        "not in order: n_ratings descending, then movie_id ascending",
    )


def _fail(table: pd.DataFrame, faulty: pd.Series, problem: str) -> None:
    """Name the first faulty row, counting rows from 1."""
    if faulty.any():
        row = int(faulty.to_numpy().argmax())
        shown = repr(list(table.iloc[row]))[:160]
        raise CountsFormatError(f"row {row + 1}: {problem}: {shown}")
