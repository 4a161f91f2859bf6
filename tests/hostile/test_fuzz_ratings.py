"""Readers of ratings under fuzzing: the counts that a slow reader finds, or a clear error.

The slow readers here share nothing with the package's: they go through a file byte by
byte or field by field, and hold what they find in dictionaries.
"""

import csv
import io
import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets_helpers import make_archive, mutated, toy_dataset
from fuzz_helpers import fuzz, outcome_of
from penalized_bandits.datasets import movielens
from penalized_bandits.datasets.archive import member_blocks
from penalized_bandits.datasets.counts import RatingCounts
from penalized_bandits.datasets.counts_csv import read_counts_csv
from penalized_bandits.datasets.errors import (
    CountsFormatError,
    DatasetError,
    RatingsFormatError,
)
from penalized_bandits.datasets.ratings_table import read_ratings_table

BITS = st.one_of(
    st.binary(max_size=3),
    st.sampled_from([b"\n", b"\r", b"\r\n", b":", b"::", b",", b"\t", b" ", b'"', b"'", b"\\"]),
    st.sampled_from([b"0", b"00", b"1", b"5", b"9" * 18, b"9" * 19, b"1e3", b"4.5", b"-", b"+"]),
    st.sampled_from([b"\x00", b"\x1a", b"\x0b", b"\x0c", b"\xc2\x85", b"\xe2\x80\xa8", b"#"]),
    st.sampled_from([b"\xef\xbb\xbf", b"\xff\xfe", b"nan", b"."]),
)


# --- Archives ----------------------------------------------------------------------


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
) -> tuple[list[tuple[int, int, str]], int | None]:
    """Read user, movie and level of each line, up to the one that is faulty, if any."""
    lines = lines_of(data)
    found: list[tuple[int, int, str]] = []
    if header is not None and lines and lines[0] != header.encode():
        return found, 1
    for number, line in enumerate(lines, start=1):
        if header is not None and number == 1:
            continue
        fields = line.split(separator.encode())
        spelled = [level for level in levels if len(fields) == 4 and fields[2] == level.encode()]
        if not spelled or not all(is_number(fields[i]) for i in (0, 1, 3)):
            return found, number
        found.append((int(fields[0]), int(fields[1]), spelled[0]))
    return found, None if found else 1


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
    # Latin-1 takes any bytes: what is UTF-8 there is refused as well.
    decodes = "\ufffd" not in data.decode(errors="replace")
    is_utf8 = encoding == "latin-1" and decodes and not data.isascii()
    return None if is_utf8 else titles or None


def faults_of(read: list[tuple[int, int, str]], known: dict[int, str], first: int) -> list[str]:
    """Return what may be said of ratings that are spelled well."""
    pairs = [row[:2] for row in read]
    unknown = [
        f"line {number}: movie {movie} is not in"
        for number, (_, movie) in enumerate(pairs, start=first)
        if movie not in known
    ]
    repeated = [
        f"line {number + first}: user {user} rates movie {movie} again"
        for number, (user, movie) in enumerate(pairs)
        if (user, movie) in pairs[:number]
    ]
    return unknown[:1] + repeated[:1]


# Separator, levels and header; separator, encoding and number of fields.
RATINGS: list[tuple[str, tuple[str, ...], str | None]] = [
    ("::", ("1", "2", "3", "4", "5"), None),
    ("\t", ("1", "2", "3", "4", "5"), None),
    ("::", ("0.5", "1", "1.5", "5"), None),
    (",", ("0.5", "1.0", "4.5", "5.0"), "userId,movieId,rating,timestamp"),
]
MOVIES = [("::", "latin-1", 3), ("|", "latin-1", 4), ("::", "utf-8", 3)]
TITLES = st.sampled_from(["Heat (1995)", "Misérables, Les", "Toy, The", '"', "{x}", "<b>"])
IDS_OF_ARCHIVES = st.one_of(st.integers(0, 5), st.sampled_from([10**17, 10**18 - 1, 2**53 + 1]))


@fuzz("rating archives")
@given(data=st.data())
def test_archives_of_ratings(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.zip"
    end = data.draw(st.sampled_from(["\n", "\n", "\r\n"]))
    split, encoding, fields = data.draw(st.sampled_from(MOVIES))
    titles = data.draw(st.dictionaries(IDS_OF_ARCHIVES, TITLES, min_size=1, max_size=4))
    rest = split.join(["x"] * (fields - 2))
    lines = "".join(f"{i}{split}{title}{split}{rest}{end}" for i, title in titles.items())
    movies = data.draw(mutated(lines.encode(encoding), BITS, 1))
    known = slow_titles(movies, split, encoding, fields)

    separator, levels, header = data.draw(st.sampled_from(RATINGS))
    movie, level = st.sampled_from(list(titles)), st.sampled_from(levels)
    rows = st.tuples(IDS_OF_ARCHIVES, movie, level, IDS_OF_ARCHIVES)
    some = data.draw(st.lists(rows, max_size=8, unique_by=lambda row: row[:2]))
    lines = [] if header is None else [header]
    lines += [separator.join(map(str, row)) for row in some]
    ratings = data.draw(mutated("".join(f"{line}{end}" for line in lines).encode(), BITS, 3))
    read, faulty = slow_ratings(ratings, separator, levels, header)

    make_archive(path, ratings, movies)
    entry = toy_dataset(
        levels=levels,
        ratings={"member": "ml-1m/ratings.dat", "separator": separator, "header": header},
        movies={
            "member": "ml-1m/movies.dat", "separator": split, "encoding": encoding,
            "fields": fields,
        },
    )  # fmt: skip
    cut = partial(member_blocks, block_bytes=data.draw(st.integers(1, 50)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(movielens, "member_blocks", cut)
        counts, said = outcome_of(
            lambda: movielens.read_rating_counts(path, entry), RatingsFormatError
        )
    if said is not None:
        assert re.match(rf"{path}: ml-1m/(ratings|movies)\.dat: line [1-9]\d*: ", said)
        assert len(said) < 600 + len(str(path))
    if known is None:
        assert "movies.dat: line " in (said or "")
        return
    # Block by block, what is spelled badly comes before what the lines are about.
    faults = faults_of(read, known, first=1 if header is None else 2)
    if faulty is not None:
        faults.append(f"ratings.dat: line {faulty}: ")
    if faults:
        assert any(fault in (said or "") for fault in faults), said
    else:
        assert counts is not None, said
        assert counts.n_users == len({user for user, _, _ in read})
        assert set(counts.table["title"]) == {known[movie] for _, movie, _ in read}
        expected = Counter((str(movie), float(level)) for _, movie, level in read)
        assert found_in(counts) == expected


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
    content = data.draw(mutated(made.getvalue().encode(), BITS, 3))
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


def test_columns_and_rows_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "odd.parquet"
    for stars in ([[1], [2]], [{"a": 1}, {"a": 2}]):
        pd.DataFrame({"who": [1, 2], "what": [1, 2], "stars": stars}).to_parquet(path)
        with pytest.raises(RatingsFormatError, match=r"odd\.parquet: row 1: column stars: nested"):
            read_ratings_table(path, *NAMES)
    monkeypatch.setattr("penalized_bandits.datasets.ratings_table.MAX_ROWS", 1)
    with pytest.raises(RatingsFormatError, match=r"odd\.parquet: 2 rows; expected at most 1"):
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
    content = data.draw(mutated(good, BITS))
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
