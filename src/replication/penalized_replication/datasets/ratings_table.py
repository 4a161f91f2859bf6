"""Rating counts of a table with one rating per row."""

import csv
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from unicodedata import normalize

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pyarrow import ArrowException
from pyarrow.parquet import read_schema

from penalized_replication.common.errors import DatasetError
from penalized_replication.common.section import brief
from penalized_replication.datasets.counts import CONTROL, RatingCounts, counts_table, item_ids
from penalized_replication.datasets.section import RatingsTable

CHUNK = 1_000_000
"""Rows that are read at once."""
UTF8: dict[str, Any] = {"encoding": "utf-8-sig", "errors": "replace"}
"""Bytes that are no UTF-8 become a character that no id may have, so that the row is named."""
MAX_LEVELS = 1001
"""Ratings from 0 to 100 in tenths. A column of times would make as many columns as it has rows."""
LOG = logging.getLogger(__name__)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
# Integers beside a gap become numbers such as 1.0, also in a Parquet file.
_UNCLEAR = re.compile(
    r"^ | $|^-?[0-9]*[.,][0-9]*([eE][+-]?[0-9]+)?$|^-?[0-9]+[eE]\+[0-9]+$|"
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffd"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


class Rows(NamedTuple):
    """Rows of a file in the order of the file, in pieces whose index counts them from 0."""

    chunks: Iterator[pd.DataFrame]
    file: str
    unit: str = "line"
    """Unit in which rows of the file are counted."""
    first: int = 1
    """Number of the first row."""

    def fault(self, row: int, problem: str) -> DatasetError:
        """Return the error that names a row."""
        return DatasetError(f"{self.file}: {self.unit} {row + self.first}: {problem}")

    def codes(
        self, values: pd.Series, known: dict[Any, int], parse: Callable[[Any], Any]
    ) -> NDArray[np.intp]:
        """Return the code of each value of a column; ``known`` gets a code for each new one.

        Raises DatasetError with the first row of a value for which ``parse`` raises ValueError.
        """
        try:
            codes, unique = pd.factorize(values, use_na_sentinel=False)
        except (TypeError, NotImplementedError):  # lists and the like, which Parquet may hold
            raise DatasetError(f"{self.file}: column {values.name}: nested values") from None
        found = np.empty(len(unique), dtype=np.intp)
        for code, value in enumerate(unique.tolist()):
            try:
                found[code] = known.setdefault(parse(value), len(known))
            except ValueError as error:
                row = values.index.tolist()[(codes == code).argmax()]
                problem = f"column {values.name}: {brief(value)}; expected {error}"
                raise self.fault(row, problem) from None
        return found[codes]


def title_text(value: object) -> str:
    """Return a title, text or an integer, as text; ValueError says what is expected."""
    text = "" if isinstance(value, bool) or not isinstance(value, (str, int)) else str(value)
    if not text.strip() or CONTROL.search(text):
        raise ValueError("text or an integer, in UTF-8, without control characters")
    return text


def id_text(value: object) -> str:
    """Return an id as text; ValueError says what is expected."""
    text = title_text(value)
    if _UNCLEAR.search(text):
        raise ValueError("no spaces at its ends, no invisible characters, and 1 in place of 1.0")
    return text


def _warn_of_look_alikes(names: Iterable[str], where: str) -> None:
    """Warn of different ids that look alike, such as A and a, 1 and 01."""
    first: dict[str, str] = {}
    pairs = []
    for name in names:
        key = " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())
        key = key.lstrip("0") if key.isdecimal() else re.sub("[\ufe00-\ufe0f]", "", key)
        if (other := first.setdefault(key, name)) != name:
            pairs.append(f"{brief(other)} and {brief(name)}")
    missing = {"nan", "null", "none", "na", "n/a", "#n/a", "<na>", "nat"} & {*first}
    if missing:
        LOG.warning("%s: ids that look like missing values: %s", where, ", ".join(sorted(missing)))
    if pairs:
        shown = f"pairs: {len(pairs)}, such as {', '.join(pairs[:5])}"
        LOG.warning("%s: ids that look alike, taken as different; %s", where, shown)


def read_ratings_table(table: RatingsTable) -> RatingCounts:
    """Count the ratings of every item of a table, which the section describes.

    - A ``.csv`` file is UTF-8 with commas, a header and a row in each line; other columns do not
      matter, so that the ``ratings.csv`` of MovieLens 25M and 32M are read as they are.
    - Users, items and titles are text or integers; without titles the item ids serve.
    - Ratings are numbers from 0 up; the 2 to 1001 different ones become the levels.

    Raises DatasetError if the file or a column is missing, a value is missing or senseless, an item
    has two titles, a user rates an item twice (it cannot be known which rating counts), or the
    ratings make no rewards. The message names the file, the line of a CSV file or the row of a
    Parquet file, the column and the value.
    """
    path = Path(table.path)
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise DatasetError(f"{path}: suffix {path.suffix!r}; expected .csv or .parquet")
    is_csv = path.suffix.lower() == ".csv"
    with readable(path):
        names, lines = _header_and_lines(path) if is_csv else (read_schema(path).names, 0)
        for column in table.columns:
            if names.count(column) != 1:
                raise DatasetError(
                    f"{path}: {names.count(column)} columns {column!r}, expected 1; it has "
                    + ", ".join(repr(name)[:40] for name in names[:40])
                )
        if not is_csv:
            rows = Rows(_parquet(path, table.columns), f"{path}", "row")
            return count_ratings(rows, table.columns)
        with path.open(**UTF8) as file:
            rows = Rows(text_chunks(file, nrows=lines - 1), f"{path}", first=2)
            return count_ratings(rows, table.columns)


def _header_and_lines(path: Path) -> tuple[list[str], int]:
    """Return the header of a CSV file, and its number of lines without blank ones at its end.

    Each must be a row: a quote that is not closed would join all lines up to the next quote.
    """
    names: list[str] = []
    last = 0
    with path.open(**UTF8) as lines:
        for number, line in enumerate(lines, 1):
            if number == 1 and "\0" in line:
                raise ValueError("UTF-16 or no text; save it as UTF-8")
            if number == 1 and "," not in line and (sign := re.search("[;\t|]", line)):
                raise ValueError(f"separator is {sign[0]!r}; save it with ',' (and '.' in numbers)")
            if line == "\n":
                continue
            last += 1
            try:
                row = next(csv.reader([line], strict=True)) if '"' in line else line.split(",")
            except csv.Error:
                row = []
            names = names or [name.rstrip("\n") for name in row]
            if number != last or not row or len(row) != len(names):
                raise DatasetError(
                    f"{path}: line {last}: expected as many fields as in the header, {len(names)}, "
                    "with all quotes closed and no line breaks in values"
                )
    return names, last


@contextmanager
def readable(file: object) -> Iterator[None]:
    """Raise what the readers of files raise as DatasetError, with the file's name."""
    try:
        yield
    except DatasetError:
        raise
    except (OSError, ArrowException, ValueError) as error:
        problem = " ".join(str(error).split())[:200]
        raise DatasetError(f"{file}: cannot be read: {problem}") from error


def text_chunks(source: Path | IO[bytes], **how: Any) -> Iterator[pd.DataFrame]:
    """Yield the rows of a delimited file, each value as the text that it is.

    Raises ValueError if a row has more fields than the first one; missing ones are empty.
    """
    with pd.read_csv(
        source, dtype=str, na_filter=False, skip_blank_lines=False, chunksize=CHUNK, **how
    ) as chunks:
        for chunk in chunks:
            if not isinstance(chunk.index, pd.RangeIndex):
                raise ValueError("the first row has more fields than there are columns")
            yield chunk


def _parquet(path: Path, columns: list[str]) -> Iterator[pd.DataFrame]:
    frame = pd.read_parquet(path, columns=columns, dtype_backend="numpy_nullable")
    if set(frame.index.names) & set(columns):
        frame = frame.reset_index()
    yield frame.set_axis(pd.RangeIndex(len(frame)))


def count_ratings(
    rows: Rows,
    columns: Sequence[str],
    levels: Sequence[float] | None = None,
    titles: dict[str, str] | None = None,
) -> RatingCounts:
    """Count how often each item was given each rating, with 10 bytes of memory a rating.

    - ``columns``: those of user, item, rating and, if there is a fourth, title.
    - ``levels``: the ratings that there may be; by default those that occur.
    - ``titles``: the title of each item that there may be; by default ``columns`` decides.

    Raises DatasetError as in ``read_ratings_table``, and for a rating or an item that may not be.
    """
    user, item, rating, *title = columns
    users: dict[str, int] = {}
    items: dict[str, int] = {}
    ratings: dict[float, int] = {level: code for code, level in enumerate(levels or ())}
    known = titles or {}
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]]] = []

    def parse_item(value: object) -> str:
        text = id_text(value)
        if titles is not None and text not in titles:
            raise ValueError("an item that has a title")
        return text

    def parse_rating(value: Any) -> float:
        if not _NUMBER.fullmatch(str(value)):
            raise ValueError("a number from 0 up, such as 4 or 3.5")
        if levels is not None and float(value) not in levels:
            raise ValueError(f"one of {', '.join(f'{level:g}' for level in levels)}")
        return float(value)

    for chunk in rows.chunks:
        user_codes = rows.codes(chunk[user], users, id_text).astype(np.int32)
        item_codes = rows.codes(chunk[item], items, parse_item).astype(np.int32)
        # More levels than 16 bits hold are an error in the end.
        rating_codes = rows.codes(chunk[rating], ratings, parse_rating).astype(np.int16)
        parts.append((user_codes, item_codes, rating_codes))
        for column in title:
            rows.codes(chunk[column], {}, title_text)
            for row, *pair in chunk[[item, column]].drop_duplicates().itertuples():
                name, text = map(str, pair)
                if known.setdefault(name, text) != text:
                    problem = f"column {column}: {brief(text)}; expected {brief(known[name])}"
                    raise rows.fault(row, f"{problem}, which {brief(name)} is called before")
    if not users:
        raise DatasetError(f"{rows.file}: no rows; expected one rating per row")
    _warn_of_look_alikes(users, f"{rows.file}: column {user}")
    _warn_of_look_alikes(items, f"{rows.file}: column {item}")
    scale, where = sorted(ratings), f"{rows.file}: column {rating}: "
    if not 2 <= len(scale) <= MAX_LEVELS:
        only = f" ({scale[0]:g})" if len(scale) == 1 else ""
        expected = f"expected 2 to {MAX_LEVELS}, such as 1 to 5"
        raise DatasetError(f"{where}{len(scale)} different ratings{only}; {expected}")
    for level in scale:
        # They make rewards, and names of columns.
        if not np.isfinite(level) or float(f"{level:g}") != level:
            expected = "expected a finite number of at most six digits; round it"
            raise DatasetError(f"{where}rating level {level!r}: {expected}")
    of_users, of_items, of_ratings = map(np.concatenate, zip(*parts, strict=True))
    pairs = of_users.astype(np.int64) * len(items) + of_items
    if (np.diff(np.sort(pairs)) == 0).any():  # np.unique takes three times the memory
        row = int(pd.Series(pairs).duplicated().to_numpy().argmax())
        raise rows.fault(row, "this user rates this item again; drop all but the one that counts")
    level_of = np.array([scale.index(level) for level in ratings])
    cells = of_items.astype(np.intp) * len(scale) + level_of[of_ratings]
    counts = np.bincount(cells, minlength=len(items) * len(scale)).reshape(len(items), -1)
    names = [known.get(name, name) for name in items]
    return RatingCounts(counts_table(item_ids(list(items)), names, counts, scale), tuple(scale))
