"""Rating counts of one's own table of ratings, CSV or Parquet."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from penalized_bandits.datasets.counts import CONTROL, RatingCounts, check_levels, counts_table
from penalized_bandits.datasets.counts_csv import item_ids
from penalized_bandits.datasets.errors import (
    CountsFormatError,
    DatasetConfigError,
    RatingsFormatError,
)
from penalized_bandits.datasets.rating_lines import shorten

MAX_ROWS = 100_000_000
"""Rows of a Parquet table; MovieLens 32M has a third."""


def read_ratings_table(
    path: Path, user: str, item: str, rating: str, title: str | None = None
) -> RatingCounts:
    """Count the ratings of every item of a table with one rating per row.

    - ``path``: a ``.csv`` (UTF-8, comma, header) or ``.parquet`` file.
    - ``user``, ``item``, ``rating``: names of the columns. Users and items may be text or integers;
      ratings are numbers from 0 up with 2 to 1001 different values, which become the levels.
    - ``title``: name of the column with the item's title; by default the item's id serves.

    Raises DatasetConfigError if the file is missing or of another kind, or a column does not exist.
    Raises RatingsFormatError if a value is missing or senseless, an item has two titles, a user
    rates an item twice (it cannot be known which rating counts), or the ratings together make no
    rewards; the message names file, row (the first after the header is 1), column and value.
    """
    wanted = {"user": user, "item": item, "rating": rating}
    if title is not None:
        wanted["title"] = title
    if len(set(wanted.values())) != len(wanted):
        raise DatasetConfigError(f"{path}: columns {wanted}: expected a different column for each")
    frame = _read_columns(path, list(wanted.values()))
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
    titles = items if title is None else _texts(frame, title, path)
    first = ~items.duplicated().to_numpy()
    codes, unique = pd.factorize(items)
    differs = titles.to_numpy() != titles[first].to_numpy()[codes]
    if differs.any():
        row = int(differs.argmax())
        raise RatingsFormatError(
            f"{path}: row {row + 1}: column {title}: item {shorten(items[row])} has the "
            f"title {shorten(titles[row])}, but another one in an earlier row"
        )
    cells = codes * len(levels) + level_codes
    counts = np.bincount(cells, minlength=len(unique) * len(levels)).astype(np.int64)
    table = counts_table(
        item_ids(unique.tolist()), titles[first].tolist(), counts.reshape(len(unique), -1), levels
    )
    return RatingCounts(table, levels, n_users=int(users.nunique()))


def _read_columns(path: Path, columns: list[str]) -> pd.DataFrame:
    """Read columns of a table; CSV as text, Parquet in its own types, missing values NA."""
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise DatasetConfigError(f"{path}: suffix {suffix!r}; expected .csv or .parquet")
    if not path.is_file():
        raise DatasetConfigError(f"{path}: no such file; expected a table of ratings")
    try:
        return _read_csv(path, columns) if suffix == ".csv" else _read_parquet(path, columns)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        problem = str(error).strip().splitlines()[0][:200]
        raise RatingsFormatError(f"{path}: not a readable {suffix} file: {problem}") from error
    except (OSError, csv.Error) as error:
        raise RatingsFormatError(f"{path}: cannot be read: {error}") from error


def _read_csv(path: Path, columns: list[str]) -> pd.DataFrame:
    # A byte order mark, as spreadsheets write it, is no part of the first name.
    with path.open(encoding="utf-8-sig", newline="") as stream:
        _check_names(path, next(csv.reader(stream), []), columns)
    # Arrow rather than pandas: pandas takes rows with too few fields. One thread,
    # because Arrow names the row of a fault only then.
    table = pa_csv.read_csv(
        path,
        pa_csv.ReadOptions(use_threads=False),
        pa_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        pa_csv.ConvertOptions(
            column_types=dict.fromkeys(columns, pa.string()),
            include_columns=columns,
            strings_can_be_null=False,
        ),
    )
    return table.to_pandas()


def _read_parquet(path: Path, columns: list[str]) -> pd.DataFrame:
    about = pq.read_metadata(path)
    _check_names(path, about.schema.to_arrow_schema().names, columns)
    # A few bytes may stand for any number of rows that are alike.
    if about.num_rows > MAX_ROWS:
        raise RatingsFormatError(f"{path}: {about.num_rows} rows; expected at most {MAX_ROWS}")
    frame = pd.read_parquet(path, columns=columns, dtype_backend="numpy_nullable")
    frame = frame[columns].reset_index(drop=True)
    for column in columns:
        if isinstance(frame[column].dtype, pd.CategoricalDtype):
            frame[column] = frame[column].astype(object).convert_dtypes()
    return frame


def _check_names(path: Path, names: Sequence[str], columns: list[str]) -> None:
    for column in columns:
        if list(names).count(column) != 1:
            problem = "no column" if column not in names else "more than one column"
            there = ", ".join(repr(name[:40]) for name in names[:40]) or "none"
            raise DatasetConfigError(f"{path}: {problem} {column!r}; it has {there}")


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
    """Return a number, or nan for what is none or not finite."""
    # float() takes more than a table should hold: spaces, "1_0", other scripts' digits.
    if isinstance(value, str) and (not value.isascii() or set(value) & set(" \t_")):
        return np.nan
    try:
        return float(value) + 0.0  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _fail(path: Path, column: str, values: pd.Series, faulty: pd.Series, expected: str) -> None:
    """Name the first faulty row, if any."""
    if faulty.any():
        row = int(faulty.to_numpy().argmax())
        value = values.iloc[row]
        shown = "nothing" if pd.isna(value) else shorten(str(value))
        raise RatingsFormatError(f"{path}: row {row + 1}: column {column}: {shown}; {expected}")
