"""Rating counts of one's own table of ratings, CSV or Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from penalized_bandits.datasets.counts import RatingCounts, counts_from_codes
from penalized_bandits.datasets.counts_csv import item_ids
from penalized_bandits.datasets.counts_rules import CONTROL, check_levels
from penalized_bandits.datasets.errors import (
    CountsFormatError,
    DatasetConfigError,
    RatingsFormatError,
)
from penalized_bandits.datasets.rating_lines import shorten
from penalized_bandits.datasets.table_columns import read_columns

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def read_ratings_table(
    path: Path, user: str, item: str, rating: str, title: str | None = None
) -> RatingCounts:
    """Count the ratings of every item of a table with one rating per row.

    Parameters
    ----------
    path : Path
        A ``.csv`` (UTF-8, comma, header) or ``.parquet`` file.
    user, item, rating : str
        Names of the columns. Users and items may be text or integers; ratings are
        numbers from 0 up with 2 to 1001 different values.
    title : str, optional
        Name of the column with the item's title; by default the item's id serves.

    Returns
    -------
    RatingCounts
        All items; ``levels`` are the values that occur.

    Raises
    ------
    DatasetConfigError
        If the file is missing or of another kind, or a column does not exist; the
        message lists the columns there are.
    RatingsFormatError
        If a value is missing or senseless, an item has two titles, or a user rates
        an item twice (it cannot be known which rating counts). The message names
        file, row (the first after the header is 1), column and value. Or if the ratings
        together make no rewards: one value only, too many, some below 0.
    """
    wanted = {"user": user, "item": item, "rating": rating}
    if title is not None:
        wanted["title"] = title
    if len(set(wanted.values())) != len(wanted):
        raise DatasetConfigError(f"{path}: columns {wanted}: expected a different column for each")
    frame = read_columns(path, list(wanted.values()))
    if frame.empty:
        raise RatingsFormatError(f"{path}: no rows; expected one rating per row")
    users = _texts(frame, user, path)
    items = _texts(frame, item, path)
    level_codes, levels = _level_codes(frame, rating, path)
    repeated = pd.DataFrame({"user": users, "item": items}).duplicated().to_numpy()
    if repeated.any():
        row = int(repeated.argmax())
        raise RatingsFormatError(
            f"{path}: row {row + 1}: user {shorten(users.iloc[row])} rates item "
            f"{shorten(items.iloc[row])} again; expected one rating per user and item: "
            "drop all but the one that counts"
        )
    names = items if title is None else _texts(frame, title, path)
    titles = _titles(items, names, title or item, path)
    codes, unique = pd.factorize(items)
    ids = item_ids([str(value) for value in unique])
    table = counts_from_codes(
        ids.iloc[codes],
        level_codes,
        dict(zip(ids.tolist(), [titles[text] for text in unique], strict=True)),
        levels,
    )
    return RatingCounts(table, levels, n_users=int(users.nunique()))


def _texts(frame: pd.DataFrame, column: str, path: Path) -> pd.Series:
    """Return a column of ids or titles as text, checked."""
    values = frame[column]
    is_text = pd.api.types.is_string_dtype(values)
    if not (is_text or pd.api.types.is_integer_dtype(values)):
        raise RatingsFormatError(
            f"{path}: column {column}: type {values.dtype}; expected text or integers"
        )
    _fail(path, column, values, values.isna(), "expected a value")
    texts = values.astype("str")
    bad = [text for text in texts.unique().tolist() if not text.strip() or CONTROL.search(text)]
    wanted = "expected text, not empty, without control characters"
    _fail(path, column, values, texts.isin(bad), wanted)
    return texts


def _level_codes(
    frame: pd.DataFrame, column: str, path: Path
) -> tuple[NDArray[np.intp], tuple[float, ...]]:
    """Return the index of each rating among the levels, and the levels."""
    values = frame[column]
    if pd.api.types.is_bool_dtype(values):
        raise RatingsFormatError(f"{path}: column {column}: true or false; expected numbers")
    wanted = "expected a finite number such as 4 or 3.5"
    _fail(path, column, values, values.isna(), wanted)
    try:
        codes, unique = pd.factorize(values)
    except TypeError:  # lists and the like, which Parquet may hold
        raise RatingsFormatError(f"{path}: row 1: column {column}: nested; {wanted}") from None
    numbers = np.array([_number(value) for value in unique.tolist()], dtype=np.float64)
    faulty = ~np.isfinite(numbers)
    _fail(path, column, values, pd.Series(faulty[codes], index=values.index), wanted)
    # "4" and "4.0" are one level.
    levels, level_of = np.unique(numbers, return_inverse=True)
    result = tuple(float(level) for level in levels)
    try:
        check_levels(result)
    except CountsFormatError as error:
        raise RatingsFormatError(f"{path}: column {column}: {error}") from error
    return level_of[codes], result


def _number(value: object) -> float:
    """Return a finite number, or nan for what is none."""
    # float() takes more than a table should hold: spaces, "1_0", other scripts' digits.
    if isinstance(value, str) and (not value.isascii() or set(value) & set(" \t_")):
        return np.nan
    try:
        number = float(value)  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        return np.nan
    return number + 0.0 if np.isfinite(number) else np.nan


def _titles(items: pd.Series, names: pd.Series, column: str, path: Path) -> dict[str, str]:
    pairs = pd.DataFrame({"item": items, "title": names}).drop_duplicates()
    again = pairs["item"].duplicated()
    if again.any():
        row = int(pairs.index[again][0])
        raise RatingsFormatError(
            f"{path}: row {row + 1}: column {column}: item {shorten(items[row])} has the "
            f"title {shorten(names[row])}, but another one in an earlier row"
        )
    return dict(zip(pairs["item"].tolist(), pairs["title"].tolist(), strict=True))


def _fail(path: Path, column: str, values: pd.Series, faulty: pd.Series, expected: str) -> None:
    """Name the first faulty row, if any."""
    if faulty.any():
        row = int(faulty.to_numpy().argmax())
        value = values.iloc[row]
        shown = "nothing" if pd.isna(value) else shorten(str(value))
        raise RatingsFormatError(f"{path}: row {row + 1}: column {column}: {shown}; {expected}")
