"""Readers of ratings under fuzzing: the counts that a slow reader finds, or a clear error.

The slow readers here share nothing with the package's: they go through a file byte by
byte or field by field, and hold what they find in dictionaries.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets_helpers import make_archive, read_ratings, toy_dataset
from fuzz_helpers import fuzz, outcome_of
from penalized_bandits.datasets.counts_csv import read_counts_csv, write_counts_csv
from penalized_bandits.datasets.errors import (
    CountsFormatError,
    DatasetError,
    RatingsFormatError,
)
from penalized_bandits.datasets.manifest import MoviesLayout
from penalized_bandits.datasets.movie_titles import read_titles
from penalized_bandits.datasets.movielens import read_rating_counts
from penalized_bandits.datasets.ratings_table import read_ratings_table

if TYPE_CHECKING:
    from pathlib import Path

    from penalized_bandits.datasets.counts import RatingCounts

# Separator, levels and header of every layout there is.
LAYOUTS: list[tuple[str, tuple[str, ...], str | None]] = [
    ("::", ("1", "2", "3", "4", "5"), None),
    ("\t", ("1", "2", "3", "4", "5"), None),
    ("::", ("0.5", "1", "1.5", "5"), None),
    (",", ("0.5", "1.0", "4.5", "5.0"), "userId,movieId,rating,timestamp"),
]
BITS = st.one_of(
    st.binary(max_size=3),
    st.sampled_from([b"\n", b"\r", b"\r\n", b":", b"::", b",", b"\t", b" ", b'"', b"'", b"\\"]),
    st.sampled_from([b"0", b"00", b"1", b"5", b"9" * 18, b"9" * 19, b"1e3", b"4.5", b"-", b"+"]),
    st.sampled_from([b"\x00", b"\x1a", b"\x0b", b"\x0c", b"\xc2\x85", b"\xe2\x80\xa8", b"#"]),
    st.sampled_from([b"\xef\xbb\xbf", b"\xff\xfe", b"nan", b"."]),
)


@st.composite
def mutated(draw: st.DrawFn, data: bytes, most: int = 4) -> bytes:
    """Draw changes of some bytes: put in, taken out, replaced, moved, cut off."""
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.integers(0, 12)))
        how = draw(st.sampled_from(["put", "take", "replace", "double", "cut", "flip"]))
        if how == "put":
            data = data[:at] + draw(BITS) + data[at:]
        elif how == "take":
            data = data[:at] + data[to:]
        elif how == "replace":
            data = data[:at] + draw(BITS) + data[to:]
        elif how == "double":
            data = data[:to] + data[at:]
        elif how == "cut":
            data = data[:at]
        elif at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :]
    return data


# --- Lines -------------------------------------------------------------------------


def is_number(field: bytes) -> bool:
    """Say whether a field is a whole number as the readers want it."""
    digits = b"0123456789"
    plain = 1 <= len(field) <= 18 and all(byte in digits for byte in field)
    return plain and (field == b"0" or field[0] != digits[0])


def lines_of(data: bytes) -> list[bytes]:
    """Cut data into lines; a last one without its end counts."""
    lines, line = [], bytearray()
    for byte in data:
        if byte == 10:
            lines.append(bytes(line))
            line.clear()
        else:
            line.append(byte)
    lines += [bytes(line)] if line else []
    return [one[:-1] if one.endswith(b"\r") else one for one in lines]


def slow_ratings(
    data: bytes, separator: str, levels: tuple[str, ...], header: str | None
) -> list[tuple[int, int, str]] | None:
    """Read user, movie and level of each line; None if a line is not as it should be."""
    lines = lines_of(data)
    if header is not None and (not lines or lines.pop(0) != header.encode()):
        return None
    found = []
    for line in lines:
        fields = line.split(separator.encode())
        spelled = [level for level in levels if len(fields) == 4 and fields[2] == level.encode()]
        if not spelled or not all(is_number(fields[i]) for i in (0, 1, 3)):
            return None
        found.append((int(fields[0]), int(fields[1]), spelled[0]))
    return found or None


@st.composite
def rating_files(draw: st.DrawFn) -> tuple[bytes, tuple[str, tuple[str, ...], str | None]]:
    """Draw a file of ratings in some layout, good or with bytes changed."""
    layout = draw(st.sampled_from(LAYOUTS))
    separator, levels, header = layout
    ids = st.one_of(st.integers(0, 9), st.sampled_from([10**17, 10**18 - 1, 2**53 + 1]))
    rows = draw(st.lists(st.tuples(ids, ids, st.sampled_from(levels), ids), max_size=6))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    lines = [*([] if header is None else [header])]
    lines += [separator.join(map(str, row)) for row in rows]
    return draw(mutated("".join(f"{line}{end}" for line in lines).encode())), layout


@fuzz("rating lines")
@given(rating_files(), st.integers(1, 50))
def test_rating_lines(
    file: tuple[bytes, tuple[str, tuple[str, ...], str | None]], size: int
) -> None:
    data, (separator, levels, header) = file
    expected = slow_ratings(data, separator, levels, header)
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    how: dict[str, Any] = {"separator": separator, "levels": levels, "header": header}
    read, said = outcome_of(
        lambda: read_ratings(blocks, place="a.zip: member", **how), RatingsFormatError
    )
    if read is None:
        assert expected is None, said
        assert re.match(r"a\.zip: member: line [1-9]\d*: ", said or "")
        assert len(said or "") < 600
        return
    names = [levels[code] for code in read.level_codes]
    found = list(zip(read.users.tolist(), read.movies.tolist(), names, strict=True))
    assert found == expected


# --- Titles ------------------------------------------------------------------------

PLAIN = [("::", "latin-1", 3), ("|", "latin-1", 4), ("::", "utf-8", 3)]


def slow_titles(data: bytes, separator: str, encoding: str, fields: int) -> dict[int, str] | None:
    """Read titles; None if a line is not as it should be."""
    titles: dict[int, str] = {}
    for line in lines_of(data):
        marks = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
        parts = line.split(separator.encode())
        if any(line.startswith(mark) for mark in marks) or len(parts) != fields:
            return None
        if not is_number(parts[0]) or int(parts[0]) in titles:
            return None
        try:
            text = [part.decode(encoding) for part in parts]
        except UnicodeDecodeError:
            return None
        control = any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" for c in text[1])
        if control or b"\0" in line or not text[1].strip():
            return None
        titles[int(parts[0])] = text[1]
    return titles or None


@fuzz("titles")
@given(data=st.data())
def test_titles(data: st.DataObject) -> None:
    separator, encoding, fields = data.draw(st.sampled_from(PLAIN))
    titles = st.sampled_from(["Heat (1995)", "Misérables, Les", "Toy, The", '"', "{x}", "<b>"])
    rows = data.draw(st.lists(st.tuples(st.integers(0, 20), titles), max_size=5))
    rest = separator.join(["x"] * (fields - 2))
    text = "".join(f"{i}{separator}{title}{separator}{rest}\n" for i, title in rows)
    content = data.draw(mutated(text.encode(encoding)))
    layout = MoviesLayout.model_validate(
        {"member": "m", "separator": separator, "encoding": encoding, "fields": fields}
    )
    expected = slow_titles(content, separator, encoding, fields)
    read, said = outcome_of(lambda: read_titles(content, layout, "a.zip: m"), RatingsFormatError)
    if said is None:
        assert read == expected
        return
    assert re.match(r"a\.zip: m: line [1-9]\d*: ", said)
    # Latin-1 takes any bytes: what is UTF-8 there is refused as well.
    as_utf8 = encoding == "latin-1" and not content.isascii()
    assert expected is None or (as_utf8 and "UTF-8; expected Latin-1" in said)


# --- Archives ----------------------------------------------------------------------


def counts_of(table: pd.DataFrame, columns: list[str]) -> dict[Any, tuple[int, ...]]:
    return {
        row["movie_id"]: tuple(int(row[column]) for column in columns)
        for _, row in table.iterrows()
    }


@fuzz("rating archives")
@given(data=st.data())
def test_counts_of_archives(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.zip"
    levels = ("1", "2", "3", "4", "5")
    few = st.tuples(st.integers(1, 5), st.integers(1, 4), st.sampled_from(levels))
    rows = data.draw(st.lists(few, max_size=8, unique_by=lambda row: row[:2]))
    ratings = data.draw(mutated("".join(f"{u}::{m}::{r}::0\n" for u, m, r in rows).encode(), 2))
    movies = data.draw(mutated(b"1::One::x\n2::Two::x\n3::Three::x\n4::Four::x\n", 1))
    read, titles = (
        slow_ratings(ratings, "::", levels, None),
        slow_titles(movies, "::", "latin-1", 3),
    )
    expected: dict[int, tuple[int, ...]] | None = None
    if read and titles:
        once = len({row[:2] for row in read}) == len(read)
        if once and all(movie in titles for _, movie, _ in read):
            found = Counter((movie, level) for _, movie, level in read)
            expected = {m: tuple(found[m, level] for level in levels) for _, m, _ in read}
    make_archive(path, ratings, movies)
    counts, said = outcome_of(lambda: read_rating_counts(path, toy_dataset()), RatingsFormatError)
    if counts is None:
        assert said is not None
        assert said.startswith(f"{path}: ml-1m/")
        assert expected is None or "UTF-8; expected Latin-1" in said
        return
    assert counts_of(counts.table, counts.count_columns) == expected
    assert counts.n_ratings == len(read or ())


# --- Tables of one's own -----------------------------------------------------------

NAMES = ("who", "what", "stars")
IDS = st.one_of(st.integers(0, 6).map(str), st.sampled_from(["a", "b c", "ä", 'q"q', "x,y", "01"]))
STARS = st.one_of(
    st.integers(1, 5).map(str), st.sampled_from(["3.5", "4.0", "-1", "1e2", "nan", "", " 4", "0x1"])
)


def slow_table(text: str) -> dict[tuple[str, float], int] | None:
    """Count (item, rating) in a CSV file; None where a row makes no sense."""
    header, *rows = list(csv.reader(io.StringIO(text, newline="")))
    if any(len(row) != len(header) for row in rows) or not rows:
        return None
    places = [header.index(name) for name in NAMES]
    counts: Counter[tuple[str, float]] = Counter()
    seen = set()
    for row in rows:
        user, item, stars = (row[place] for place in places)
        try:
            value = float(stars)
        except ValueError:
            return None
        if (user, item) in seen or value != value or abs(value) == float("inf"):
            return None
        seen.add((user, item))
        counts[item, value] += 1
    levels = {value for _, value in counts}
    return dict(counts) if len(levels) > 1 and min(levels) >= 0 else None


def found_in(counts: RatingCounts) -> dict[tuple[str, float], int]:
    return {
        (str(row["movie_id"]), level): int(row[column])
        for _, row in counts.table.iterrows()
        for level, column in zip(counts.levels, counts.count_columns, strict=True)
        if row[column]
    }


@fuzz("ratings tables")
@given(data=st.data())
def test_tables_of_ones_own(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.csv"
    rows = data.draw(st.lists(st.tuples(IDS, IDS, STARS), max_size=7))
    made = io.StringIO()
    csv.writer(made, lineterminator=data.draw(st.sampled_from(["\n", "\r\n"]))).writerows(
        [NAMES, *rows]
    )
    content = data.draw(mutated(made.getvalue().encode(), 3))
    path.write_bytes(content)
    untouched = content == made.getvalue().encode()
    expected = slow_table(made.getvalue()) if untouched else None
    counts, said = outcome_of(lambda: read_ratings_table(path, *NAMES), DatasetError)
    if counts is None:
        assert said is not None
        assert said.startswith(f"{path}: ")
        assert len(said) < 3000
        # Python reads " 4" as a number, where a table should hold none.
        strange = any(" 4" in row for row in rows)
        assert not untouched or expected is None or strange, said
        return
    assert found_in(counts) == slow_table(content.decode("utf-8-sig"))


COLUMNS = st.one_of(
    st.lists(st.integers(0, 4), min_size=4, max_size=4),
    st.lists(st.sampled_from("abc"), min_size=4, max_size=4),
    st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=4, max_size=4),
    st.lists(st.lists(st.integers(0, 4), max_size=2), min_size=4, max_size=4),
    st.lists(st.floats(), min_size=4, max_size=4),
    st.lists(st.binary(max_size=2), min_size=4, max_size=4),
    st.lists(st.dates(), min_size=4, max_size=4),
    st.lists(st.decimals(-9, 9, places=2), min_size=4, max_size=4),
    st.lists(st.just({"a": 1}), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
)


@fuzz("ratings tables")
@given(users=COLUMNS, items=COLUMNS, stars=COLUMNS, category=st.booleans())
def test_parquet_tables(
    tmp_path_factory: pytest.TempPathFactory,
    users: list[Any],
    items: list[Any],
    stars: list[Any],
    category: bool,
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.parquet"
    frame = pd.DataFrame({"who": users, "what": items, "stars": stars})
    if category and all(isinstance(item, str) for item in items):
        frame["what"] = frame["what"].astype("category")
    frame.to_parquet(path)
    counts, said = outcome_of(lambda: read_ratings_table(path, *NAMES), DatasetError)
    if counts is None:
        assert (said or "").startswith(f"{path}: ")
        return
    expected = Counter((str(i), float(s)) for i, s in zip(items, stars, strict=True))
    assert found_in(counts) == expected
    assert counts.n_users == len(set(users))


@pytest.mark.parametrize("stars", [[[1], [2]], [{"a": 1}, {"a": 2}]])
def test_nested_columns_are_refused(tmp_path: Path, stars: list[Any]) -> None:
    path = tmp_path / "nested.parquet"
    pd.DataFrame({"who": [1, 2], "what": [1, 2], "stars": stars}).to_parquet(path)
    with pytest.raises(RatingsFormatError, match=r"nested\.parquet: row 1: column stars: nested"):
        read_ratings_table(path, *NAMES)


def test_more_rows_than_a_table_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.parquet"
    pd.DataFrame({"who": [1, 2, 3], "what": [1, 2, 3], "stars": [1, 2, 3]}).to_parquet(path)
    monkeypatch.setattr("penalized_bandits.datasets.table_columns.MAX_ROWS", 2)
    with pytest.raises(RatingsFormatError, match=r"long\.parquet: 3 rows; expected at most 2"):
        read_ratings_table(path, *NAMES)


# --- The table of counts -----------------------------------------------------------


@fuzz("counts")
@given(data=st.data())
def test_tables_of_counts(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed_counts.csv"
    good = (
        "movie_id,title,n_ratings,count_1,count_4.5\n"
        '10,"Toy, The (1995)",3,1,2\n20,"Misérables, ""Les""",3,0,3\n7,Heat,1,1,0\n'
    ).encode()
    content = data.draw(mutated(good))
    path.write_bytes(content)
    counts, said = outcome_of(lambda: read_counts_csv(path), CountsFormatError)
    if counts is None:
        assert (said or "").startswith(f"{path}: ")
        assert content != good
        return
    header, *rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    assert counts.count_columns == header[3:]
    found = [[str(value) for value in row] for row in counts.table.to_numpy().tolist()]
    assert found == rows
    assert all(int(row[2]) == sum(map(int, row[3:])) for row in rows)
    # And written as it was read, up to the quotes that nobody needs.
    write_counts_csv(counts, path)
    assert read_counts_csv(path).table.equals(counts.table)
