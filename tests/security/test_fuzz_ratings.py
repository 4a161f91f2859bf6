"""Tables of ratings under fuzzing: the counts of a reference implementation, or an error."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz_helpers import fuzz, outcome_of
from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets.counts import RatingCounts
from penalized_replication.datasets.ratings_table import read_ratings_table
from penalized_replication.datasets.section import RatingsTable

BITS = st.one_of(
    st.binary(max_size=3),
    st.sampled_from([b"\n", b"\r\n", b":", b"::", b",", b"\t", b" ", b'"', b"'", b"\\"]),
    st.sampled_from([b"0", b"00", b"1", b"5", b"9" * 19, b"1e3", b"4.5", b"-", b"+"]),
    st.sampled_from([b"\x00", b"\x1a", b"\xc2\x85", b"\xe2\x80\xa8", b"\xff\xfe", b"nan", b"."]),
)


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """Draw changes of some bytes: put in, taken out, replaced, doubled, cut off, one bit."""
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.integers(0, 12)))
        other = bytes(byte ^ 1 << draw(st.integers(0, 7)) for byte in data[at : at + 1])
        ends = [data[at:], data[to:], draw(BITS) + data[at:], draw(BITS) + data[to:]]
        ends += [data[at:to] + data[at:], b"", other + data[at + 1 :]]
        data = data[:at] + draw(st.sampled_from(ends))
    return data


def check(path: Path, read: Callable[[], RatingCounts]) -> RatingCounts | None:
    """Return the counts; None after an error that names the file and is not too long."""
    counts, message = outcome_of(read, DatasetError)
    assert message is None or message.startswith(f"{path}: ")
    assert message is None or len(message) < 3000
    return counts


IDS = st.one_of(st.integers(0, 6).map(str), st.sampled_from(["a", "b c", "ä", 'q"q', "x,y", "01"]))
STARS = st.one_of(
    st.integers(1, 5).map(str),
    st.sampled_from(["3.5", "4.0", "-1", "1e2", "nan", "inf", "", " 4", "0x1", "1_0", "４"]),
)
TABLE: dict[str, str] = {"user": "who", "item": "what", "rating": "stars"}


def reference_counts(text: str) -> dict[tuple[str, float], int] | None:
    """Count (item, rating) with Python's csv module; None if a row is invalid."""
    header, *rows = list(csv.reader(io.StringIO(text.rstrip("\r\n"), newline="")))
    places = [header.index(name) for name in TABLE.values()]
    counts: Counter[tuple[str, float]] = Counter()
    seen = set()
    for row in rows:
        user, item, stars = (row[place] for place in places)
        if not re.fullmatch(r"\d+(\.\d+)?", stars, re.ASCII) or (user, item) in seen:
            return None
        seen.add((user, item))
        counts[item, float(stars)] += 1
    return dict(counts) if len({value for _, value in counts}) > 1 else None


def counts_of(counts: RatingCounts) -> dict[tuple[str, float], int]:
    return {
        (str(row["movie_id"]), level): int(row[column])
        for _, row in counts.table.iterrows()
        for level, column in zip(counts.levels, counts.count_columns, strict=True)
        if row[column]
    }


@fuzz(40)
@given(rows=st.lists(st.tuples(IDS, IDS, STARS), max_size=7), end=st.sampled_from(["\n", "\r\n"]))
def test_tables(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], end: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "table.csv"
    made = io.StringIO()
    csv.writer(made, lineterminator=end).writerows([list(TABLE.values()), *rows])
    path.write_bytes(made.getvalue().encode())
    table = RatingsTable(path=str(path), **TABLE)
    counts = check(path, lambda: read_ratings_table(table))
    assert (counts and counts_of(counts)) == reference_counts(made.getvalue())


@fuzz(40)
@given(data=st.data())
def test_damaged_tables(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.csv"
    good = b'who,what,stars\na,"x,y",1\na,y,3.5\nb,"x,y",3.50\nc,y,1.0\n'
    path.write_bytes(data.draw(mutated(good)))
    table = RatingsTable(path=str(path), **TABLE)
    counts = check(path, lambda: read_ratings_table(table))
    if counts is not None:
        assert counts_of(counts) == reference_counts(path.read_text("utf-8-sig"))
