"""The file ``rating_counts.csv``: written whole, read strictly."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from penalized_bandits.datasets.counts import ID_COLUMNS, RatingCounts, count_column
from penalized_bandits.datasets.errors import CountsFormatError
from penalized_bandits.storage.files import write_text

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_COUNT = re.compile(r"0|[1-9][0-9]{0,17}")


def item_ids(texts: Sequence[str]) -> pd.Series:
    """Return item ids as integers if all of them are, else as text.

    Every reader decides by this rule, so that ids keep their type and their order
    from a ratings table through the table of counts and back.
    """
    if all(_INTEGER.fullmatch(text) for text in texts):
        return pd.Series([int(text) for text in texts], dtype="int64")
    return pd.Series(list(texts), dtype="str")


def write_counts_csv(counts: RatingCounts, path: Path) -> None:
    r"""Write counts as CSV, whole or not at all: UTF-8, ``\n`` line ends, without ``n_users``.

    Raises OSError if the file cannot be written; an existing file is then unchanged.
    """
    write_text(path, counts.table.to_csv(index=False, lineterminator="\n"))


def read_counts_csv(path: Path) -> RatingCounts:
    """Read the file that ``write_counts_csv`` writes; the column names tell the levels.

    Raises CountsFormatError if the file is missing, not UTF-8, or breaks a rule: columns, counts
    that are not plain digits, counts that do not add up, order, repeated items. The message names
    the file and the line or row.
    """
    try:
        text = Path(path).read_text("utf-8")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        if not rows:
            raise CountsFormatError("empty; expected a header line")
        header, *body = rows
        levels = _levels(header)
        return RatingCounts(_table(header, body), levels)
    except OSError as error:
        raise CountsFormatError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise CountsFormatError(f"{path}: not UTF-8 at byte {error.start + 1}") from error
    except csv.Error as error:
        raise CountsFormatError(f"{path}: not CSV: {error}") from error
    except CountsFormatError as error:
        raise CountsFormatError(f"{path}: {error}") from error


def _levels(header: list[str]) -> tuple[float, ...]:
    ids, names = tuple(header[: len(ID_COLUMNS)]), header[len(ID_COLUMNS) :]
    expected = f"line 1: expected {','.join(ID_COLUMNS)} and count_<rating> columns"
    if ids != ID_COLUMNS or not names:
        raise CountsFormatError(f"{expected}, got {','.join(header)[:200]!r}")
    levels = []
    for name in names:
        try:
            levels.append(float(name.removeprefix("count_")))
        except ValueError:
            levels.append(float("nan"))
        if name != count_column(levels[-1]):
            raise CountsFormatError(f"{expected}, got the column {name[:40]!r}")
    return tuple(levels)


def _table(header: list[str], body: list[list[str]]) -> pd.DataFrame:
    for line, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise CountsFormatError(f"line {line}: {len(row)} fields; expected {len(header)}")
        for column, value in zip(header[2:], row[2:], strict=True):
            if not _COUNT.fullmatch(value):
                raise CountsFormatError(
                    f"line {line}: {column} is {value[:40]!r}; expected a count in plain digits"
                )
    columns = list(zip(*body, strict=True)) if body else [()] * len(header)
    titles = pd.Series(list(columns[1]), dtype="str")
    numbers = (pd.Series([int(n) for n in values], dtype="int64") for values in columns[2:])
    return pd.concat([item_ids(columns[0]), titles, *numbers], axis=1, keys=header)
