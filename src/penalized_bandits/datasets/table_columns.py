"""Some columns of a CSV or Parquet file, with errors that name what is there."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from penalized_bandits.datasets.errors import DatasetConfigError, RatingsFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX_ROWS = 100_000_000
"""Rows of a Parquet table; MovieLens 32M has a third."""


def read_columns(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """Read columns of a table; CSV as text, Parquet in its own types.

    Parameters
    ----------
    path : Path
        A ``.csv`` (UTF-8, comma, header) or ``.parquet`` file.
    columns : sequence of str
        Names, all different.

    Returns
    -------
    pandas.DataFrame
        The columns in the order asked; missing values are NA.

    Raises
    ------
    DatasetConfigError
        If the file is missing or of another kind, or lacks a column.
    RatingsFormatError
        If the file cannot be parsed.
    """
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


def _read_csv(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    # A byte order mark, as spreadsheets write it, is no part of the first name.
    with path.open(encoding="utf-8-sig", newline="") as stream:
        names = next(csv.reader(stream), [])
    _check_names(path, names, columns)
    # Arrow rather than pandas: pandas takes rows with too few fields. One thread,
    # because Arrow names the row of a fault only then.
    table = pa_csv.read_csv(
        path,
        pa_csv.ReadOptions(use_threads=False),
        pa_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        pa_csv.ConvertOptions(
            column_types=dict.fromkeys(columns, pa.string()),
            include_columns=list(columns),
            strings_can_be_null=False,
        ),
    )
    return table.to_pandas()


def _read_parquet(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    about = pq.read_metadata(path)
    _check_names(path, about.schema.to_arrow_schema().names, columns)
    # A few bytes may stand for any number of rows that are alike.
    if about.num_rows > MAX_ROWS:
        raise RatingsFormatError(f"{path}: {about.num_rows} rows; expected at most {MAX_ROWS}")
    frame = pd.read_parquet(path, columns=list(columns), dtype_backend="numpy_nullable")
    frame = frame[list(columns)].reset_index(drop=True)
    for column in columns:
        if isinstance(frame[column].dtype, pd.CategoricalDtype):
            frame[column] = frame[column].astype(object).convert_dtypes()
    return frame


def _check_names(path: Path, names: Sequence[str], columns: Sequence[str]) -> None:
    for column in columns:
        if list(names).count(column) != 1:
            problem = "no column" if column not in names else "more than one column"
            there = ", ".join(repr(name[:40]) for name in names[:40]) or "none"
            raise DatasetConfigError(f"{path}: {problem} {column!r}; it has {there}")
