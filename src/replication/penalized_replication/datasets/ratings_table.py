"""Rating counts of a table with one rating per row."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv
from pyarrow import parquet as pq

from penalized_replication.common.errors import DatasetError
from penalized_replication.common.section import brief
from penalized_replication.datasets.counts import RatingCounts, counts_of, item_ids
from penalized_replication.datasets.section import RatingsTable

MAX_LEVELS = 1001
"""Ratings from 0 to 100 in tenths. A column of times would make as many columns as it has rows."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that would break lines or cells of the tables made from titles."""
_RATING = re.compile(r"[0-9]+(\.[0-9]+)?")
# Integers beside a gap become numbers such as 1.0, also in a Parquet file.
_UNCLEAR = re.compile(
    r"^ | $|^-?[0-9]*[.,][0-9]*([eE][+-]?[0-9]+)?$|^-?[0-9]+[eE]\+[0-9]+$|"
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffd"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def read_ratings_table(table: RatingsTable) -> RatingCounts:
    """Count the ratings of every item of a table, which the section describes.

    Other columns do not matter; without titles the item ids serve; the different ratings become the
    levels.  Raises DatasetError, which names file, row (in a CSV file its line), column and value:
    also if an item has two titles, or a user rates an item twice.
    """
    path = Path(table.path)
    try:
        columns = [*map(_encoded, _read(path, table.columns).select(table.columns).columns)]
    except (OSError, pa.ArrowException, ValueError) as error:
        # The message may have bytes of the file.
        problem = "".join(c if c.isprintable() else " " for c in str(error))
        raise DatasetError(f"{path}: cannot be read: {' '.join(problem.split())[:500]}") from error
    if not columns[0][0].size:
        raise DatasetError(f"{path}: no rows; expected one rating per row")
    first = 2 if path.suffix.lower() == ".csv" else 1
    parsed = zip(table.columns, columns, (_id, _id, _rating, _title), strict=False)
    user, item, rating, *titles = (
        _Column(path, first, name, *encoded, parse) for name, encoded, parse in parsed
    )
    pairs = user.codes.astype(np.int64) * len(item.values) + item.codes
    if (np.diff(np.sort(pairs)) == 0).any():  # np.unique takes three times the memory
        row = int(pd.Series(pairs).duplicated().to_numpy().argmax())
        before = int((pairs == pairs[row]).argmax()) + first
        who, what = (brief(each.values[each.codes[row]]) for each in (user, item))
        problem = f"user {who} rates {what} again, first in row {before}; keep the one that counts"
        raise item.fault(row, problem)
    scale = sorted({*rating.values})
    if not 2 <= len(scale) <= MAX_LEVELS:
        raise DatasetError(
            f"{path}: column {table.rating}: {len(scale)} different ratings; expected 2 to "
            f"{MAX_LEVELS}, such as 1 to 5; round them if they are more"
        )
    level_of = np.array([scale.index(level) for level in rating.values])
    cells = item.codes.astype(np.int64) * len(scale) + level_of[rating.codes]
    counts = np.bincount(cells, minlength=len(item.values) * len(scale)).reshape(-1, len(scale))
    names = item.values
    for title in titles:
        title_of = title.codes[np.unique(item.codes, return_index=True)[1]]
        different = title.codes != title_of[item.codes]
        if different.any():
            row = int(different.argmax())
            name, text = item.values[item.codes[row]], title.values[title.codes[row]]
            before = brief(title.values[title_of[item.codes[row]]])
            problem = f"{brief(text)}; expected {before}, which {brief(name)} is called before"
            raise title.fault(row, problem)
        names = [title.values[code] for code in title_of]
    return counts_of(item_ids(item.values), names, counts, scale)


def _read(path: Path, columns: Sequence[str]) -> pa.Table:
    """Return columns of a file; raise ValueError if its columns or lines are not as they should."""
    if (suffix := path.suffix.lower()) not in (".csv", ".parquet"):
        raise ValueError(f"suffix {path.suffix!r}; expected .csv or .parquet")
    lines = _lines(path) - 1 if suffix == ".csv" else 0
    # With several threads errors name no row.
    one = csv.ReadOptions(use_threads=False)
    names = (csv.open_csv(path, one).schema if suffix == ".csv" else pq.read_schema(path)).names
    for column in columns:
        if names.count(column) != 1:
            known = ", ".join(repr(name)[:40] for name in names[:40])
            found = f"{names.count(column)} columns {column!r}"
            raise ValueError(f"{found}, expected 1; it has {known}")
    if suffix == ".parquet":
        return pq.read_table(path, columns=list(columns))
    texts = dict.fromkeys(columns, pa.string())
    how = csv.ConvertOptions(include_columns=list(columns), column_types=texts)
    table = csv.read_csv(path, one, convert_options=how)
    if lines != table.num_rows:
        # A quote that is not closed joins all lines up to the next quote.
        raise ValueError(
            f"{lines} lines below the header make {table.num_rows} rows; expected all quotes "
            "closed and no line breaks in values"
        )
    return table


def _lines(path: Path) -> int:
    """Return the number of lines without blank ones at the end.

    Raises ValueError for what pyarrow would read otherwise, or name by another line.
    """
    last = 0
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if number == 1 and "\0" in line:
                raise ValueError("UTF-16 or no text; save it as UTF-8")
            if number == 1 and "," not in line and (sign := re.search("[;\t|]", line)):
                raise ValueError(f"separator is {sign[0]!r}; save it with ',' (and '.' in numbers)")
            if re.search(r'\\"(?!"|,|\s*$)', line):
                raise ValueError(f'line {number} has \\"; write a quote in a value as ""')
            if line != "\n":
                if last < number - 1:
                    raise ValueError(f"line {last + 1} is blank")
                last = number
    return last


def _encoded(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], list[Any]]:
    """Return the code of each value of a column, and the different values by their codes."""
    if pa.types.is_dictionary(column.type):
        # Categories need not occur.
        column = column.cast(column.type.value_type)
    encoded = column.dictionary_encode(null_encoding="encode").combine_chunks()
    return encoded.indices.to_numpy(), encoded.dictionary.to_pylist()


@dataclass
class _Column:
    """A column by codes of its values; DatasetError names the first row of a wrong one."""

    path: Path
    first: int
    """Number of the first row."""
    name: str
    codes: NDArray[np.int32]
    values: list[Any]
    """In the order of the file; parsed, once it is made."""
    parse: Callable[[Any], Any]
    """Raises ValueError, which says what is expected."""

    def __post_init__(self) -> None:
        for code, value in enumerate(self.values):
            try:
                self.values[code] = self.parse(value)
            except ValueError as error:
                row = int((self.codes == code).argmax())
                raise self.fault(row, f"{brief(value)}; expected {error}") from None

    def fault(self, row: int, problem: str) -> DatasetError:
        """Return the error that names a row."""
        return DatasetError(f"{self.path}: row {row + self.first}: column {self.name}: {problem}")


def _title(value: object) -> str:
    text = "" if isinstance(value, bool) or not isinstance(value, (str, int)) else str(value)
    if not text.strip() or _CONTROL.search(text):
        raise ValueError("text or an integer, without control characters")
    return text


def _id(value: object) -> str:
    text = _title(value)
    if _UNCLEAR.search(text):
        raise ValueError("no spaces at its ends, no invisible characters, and 1 in place of 1.0")
    return text


def _rating(value: object) -> float:
    if not _RATING.fullmatch(str(value)):
        raise ValueError("a number from 0 up, such as 4 or 3.5 (add a constant to all below 0)")
    number = float(str(value))
    # Levels make rewards, and names of columns.
    if not np.isfinite(number) or float(f"{number:g}") != number:
        raise ValueError("a finite number of at most six digits; round it")
    return number
