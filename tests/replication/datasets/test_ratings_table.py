"""Counts of one's own table of ratings, and the table of counts."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets import counts as counting
from penalized_replication.datasets.ratings_table import read_ratings_table
from penalized_replication.datasets.section import RatingsTable
from penalized_replication.experiments.base import Context, Interpretations
from penalized_replication.experiments.movies import movie_bandit
from penalized_replication.storage.tables import write_csv

HEADER = "who,what,stars,name,time\n"
GOOD = HEADER + "a,x,1,X one,7\na,y,3.5,Y,7\nb,x,3.50,X one,8\nc,x,1.0,X one,9\n"


def rows(counts: counting.RatingCounts) -> list[list[object]]:
    return counts.table.to_numpy().tolist()


def read(path: Path, title: str | None = "name", **columns: str) -> counting.RatingCounts:
    names = {"user": "who", "item": "what", "rating": "stars", "title": title, **columns}
    return read_ratings_table(RatingsTable(path=str(path), **names))  # pyright: ignore[reportArgumentType]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "r.csv"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_csv(path: Path) -> None:
    counts = read(path)
    assert (counts.levels, counts.n_ratings) == ((1.0, 3.5), 4)
    columns = ["movie_id", "title", "n_ratings", "count_1", "count_3.5"]
    assert list(counts.table.columns) == columns
    assert rows(counts) == [["x", "X one", 3, 2, 1], ["y", "Y", 1, 0, 1]]


def test_quotes_are_written_twice(path: Path) -> None:
    path.write_text(GOOD.replace("Y", '"The ""Y"" \\""of"" z"'), encoding="utf-8")
    assert rows(read(path))[1][1] == 'The "Y" \\"of" z'


@pytest.mark.parametrize(
    ("items", "ids"),
    [
        (("10", "9"), [9, 10]),  # integers, in numeric order
        (("7", "007"), ["007", "7"]),
        (("x", "NA"), ["NA", "x"]),
    ],
)
def test_ids_keep_type_and_order(path: Path, items: tuple[str, str], ids: list[object]) -> None:
    first, second = items
    path.write_text(f"who,what,stars\n1,{first},2\n1,{second},4\n", encoding="utf-8")
    counts = read(path, None)
    assert counts.table["movie_id"].tolist() == ids
    write_csv(counts.table, path)
    pd.testing.assert_frame_equal(counting.read_counts_csv(path).table, counts.table)


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame,
        lambda frame: frame.astype({"what": "category"}),
        lambda frame: frame.set_index("who"),
    ],
    ids=["plain", "categories", "an index"],
)
def test_parquet_gives_what_csv_gives(path: Path, change: Any) -> None:
    expected = read(path)
    target = path.with_suffix(".parquet")
    change(pd.read_csv(path)).to_parquet(target)
    found = read(target)
    pd.testing.assert_frame_equal(found.table, expected.table)
    assert found.levels == expected.levels


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (HEADER, "no rows"),
        ("", "Empty CSV file"),
        (GOOD + "d,x,many,X one,1\n", r"row 6: column stars: 'many'; expected a number from 0"),
        (GOOD + "d,x,-2,X one,1\n", r"row 6: column stars: '-2'; expected a number .*\(add"),
        *(
            (GOOD + f"d,x,{stars},X one,1\n", f"row 6: column stars: {stars!r}")
            for stars in ("", "nan", "inf", "1e2", " 4", "0x1", "1_0", "４")
        ),
        (GOOD + ",x,4,X one,1\n", r"row 6: column who: ''; expected text or an integer"),
        (GOOD + "d,x,4,,1\n", r"row 6: column name: ''"),
        (GOOD + "d,x\n", "Row #6: Expected 5 columns, got 2"),
        (HEADER + "a,x,3,5,X,7\na,y,3,5,Y,7\n", "Row #2: Expected 5 columns, got 6"),
        (GOOD + HEADER, "row 6: column stars: 'stars'"),
        (GOOD + "d,x,4,X two,1\n", r"row 6: column name: 'X two'; expected 'X one', which 'x'"),
        (GOOD + "b,x,4,X one,1\n", "row 6: column what: user 'b' rates 'x' again, first in row 4"),
        (GOOD + 'd,x,4,"The \\"Best\\"",1\n', r'line 6 has \\"; write a quote in a value as ""'),
        (GOOD + "d,x,0.3333333,X one,1\n", r"column stars: .*six digits.*round"),
        (HEADER + "".join(f"{n},x,{n},X,1\n" for n in range(1002)), r"1002 different .*; round"),
        (HEADER + "a,x,4,X,1\nb,x,4.0,X,1\n", "column stars: 1 different ratings"),
        (GOOD.replace(",", ";"), "separator is ';'; save it with"),
        (GOOD.replace("\nb", "\n\n\nb"), "line 4 is blank"),
        (GOOD + "d,x,4,X one,1,\x1b[31m\n", r"got 6: d,x,4,X one,1, \[31m$"),
    ],
)
def test_faulty_csv(path: Path, text: str, fault: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=rf"r\.csv: .*{fault}"):
        read(path)


LINES = [f"u{n // 5},i{n % 5},{1 + n % 5},N{n % 5},7" for n in range(300)]


@pytest.mark.parametrize("column", range(5))
@pytest.mark.parametrize("wrong", ['"great', '"a\nb"', '"a\rb"', '"a\r\nb"'])
def test_rows_that_are_not_one_line_are_refused(path: Path, column: int, wrong: str) -> None:
    """Two such quotes would take all rows between them for one value."""
    lines = list(LINES)
    for row in (4, 249):
        fields = lines[row].split(",")
        lines[row] = ",".join([*fields[:column], wrong, *fields[column + 1 :]])
    path.write_text(HEADER + "\n".join(lines), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"30[02] lines below the header make"):
        read(path)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("blank", [0, 1, 2, 5000])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_line_ends_and_byte_order_marks(path: Path, end: str, blank: int, encoding: str) -> None:
    expected = rows(read(path))
    path.write_bytes((GOOD.strip().replace("\n", end) + blank * end).encode(encoding))
    assert rows(read(path)) == expected


INVISIBLE = (
    "\0\t\x7f\x85\xa0\xad\u061c\u180e\u2007\u200b\u200d\u200f\u2028\u2060\u2800\u3000\u3164\ufeff"
)


@pytest.mark.parametrize("column", ["who", "what"])
@pytest.mark.parametrize("kind", [".csv", ".parquet"])
def test_ids_are_what_they_seem(tmp_path: Path, column: str, kind: str) -> None:
    target = tmp_path / f"r{kind}"
    row = 3 if kind == ".csv" else 2
    unclear = [" A", "A ", "1.0", "-2.", "1.5e+16", "9.78E+12", "1E+05", ".5", "1,0"]
    for wrong in [*unclear, *(f"A{sign}B" for sign in INVISIBLE)]:
        frame = pd.DataFrame({"who": ["A", "b"], "what": ["A", "A"], "stars": ["1", "2"]})
        frame.loc[1, column] = wrong
        frame.to_csv(target, index=False) if kind == ".csv" else frame.to_parquet(target)
        said = rf"r\{kind}: row {row}: column {column}: .*; expected"
        with pytest.raises(DatasetError, match=said):
            read(target, None)


def test_other_encodings_are_refused(path: Path) -> None:
    path.write_bytes(GOOD.replace("y", "é").encode("latin-1"))
    with pytest.raises(DatasetError, match=r"r\.csv: .*(UTF8|UTF-8)"):
        read(path)
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        path.write_text(GOOD, encoding=encoding)
        with pytest.raises(DatasetError, match=r"r\.csv: .*UTF-16 or no text; save it as UTF-8"):
            read(path)


@pytest.mark.parametrize(
    ("frame", "fault"),
    [
        ({"who": pd.array([1, None], dtype="Int64")}, r"row 2: column who: None"),
        ({"what": [1.5, 2]}, r"row 1: column what: 1.5; expected text or an integer"),
        ({"who": [1.0, 2.0]}, r"row 1: column who: 1.0; expected text or an integer"),
        ({"who": [b"1", b"2"]}, r"row 1: column who: b'1'; expected text or an integer"),
        ({"who": [True, False]}, r"row 1: column who: True; expected text or an integer"),
        ({"stars": [1, np.inf]}, r"row 2: column stars: inf"),
        ({"stars": ["3", "3,5"]}, r"row 2: column stars: '3,5'"),
        ({"stars": [1.0, None]}, r"row 2: column stars: None"),
        ({"stars": [True, False]}, r"row 1: column stars: True"),
        ({"stars": [[1], [2]]}, r"cannot be read: .*list"),
        ({"stars": [pd.Timestamp(0), pd.Timestamp(1)]}, r"row 1: column stars: Timestamp"),
    ],
)
def test_faulty_parquet(tmp_path: Path, frame: dict[str, Any], fault: str) -> None:
    path = tmp_path / "r.parquet"
    pd.DataFrame({"who": [1, 2], "what": [1, 2], "stars": [1, 2], **frame}).to_parquet(path)
    with pytest.raises(DatasetError, match=rf"r\.parquet: {fault}"):
        read(path, None)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("r.parquet", "who,what,stars\n", r"r\.parquet: cannot be read: .*[Pp]arquet"),
        ("r.xlsx", "", r"r\.xlsx: .*suffix '.xlsx'; expected .csv or .parquet"),
        ("r.csv", "who,what,what,stars\n1,2,3,4\n", r"2 columns 'what', expected 1"),
        ("r.csv", "who,film,stars\n1,2,3\n", r"0 columns 'what', .* has 'who', 'film', 'stars'"),
    ],
)
def test_wrong_files_and_columns(tmp_path: Path, name: str, content: str, fault: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DatasetError, match=fault):
        read(tmp_path / name, None)


def make(
    counts: Sequence[Sequence[int]], levels: tuple[float, ...] = (1, 2, 3, 4, 5)
) -> counting.RatingCounts:
    items = np.arange(1, len(counts) + 1)
    return counting.counts_of(items, [f"T{i}" for i in items], np.array(counts), levels)


@pytest.mark.parametrize(
    ("scale", "levels", "support"),
    [
        ("unit", (1, 2, 3, 4, 5), [0, 0.25, 0.5, 0.75, 1]),
        ("unit", (2, 4.5, 7, 9.5, 12), [0, 0.25, 0.5, 0.75, 1]),
        ("fraction", (0.5, 1, 1.5, 4.5, 5), [0.1, 0.2, 0.3, 0.9, 1]),
    ],
)
def test_rewards(scale: counting.Scale, levels: tuple[float, ...], support: list[float]) -> None:
    counts = make([[1, 0, 0, 0, 3], [1, 1, 0, 0, 0]], levels)
    found = counting.reward_distributions(counts, 1, scale)
    assert found.support.tolist() == support
    assert found.probabilities.tolist() == [[0.25, 0, 0, 0, 0.75], [0.5, 0.5, 0, 0, 0]]
    one = counting.reward_distributions(counts, 2, scale)
    assert one.probabilities.tolist() == [[0.25, 0, 0, 0, 0.75]]


def test_csv_round_trip(tmp_path: Path) -> None:
    titles = ["a", 'Ç, "乱"', "'", "\u3000", "<b>{x}$", "NA", "1", "\ufeff"]
    ids = [5, -(10**17), 0, 3, 10**17, 4, 7, 9]
    numbers = [10**6, 7, 7, 7, 7, 2, 1, 0]
    table = pd.DataFrame({"movie_id": ids, "title": pd.Series(titles, dtype="str")})
    columns = {"n_ratings": numbers, "count_0.5": numbers, "count_1": 0, "count_1.5": 0}
    table = table.assign(**columns).sort_values(["n_ratings", "movie_id"], ascending=[False, True])
    counts = counting.RatingCounts(table.reset_index(drop=True), (0.5, 1.0, 1.5))
    path = tmp_path / "round.csv"
    write_csv(counts.table, path)
    data = path.read_bytes()
    assert b"\r" not in data
    again = counting.read_counts_csv(path)
    pd.testing.assert_frame_equal(again.table, counts.table)
    assert again.levels == counts.levels
    write_csv(again.table, path)
    assert path.read_bytes() == data


def test_thresholds_that_the_table_is_not_for_are_refused(tmp_path: Path) -> None:
    """The table has what the config's own experiments need."""
    path = tmp_path / "rating_counts.csv"
    path.write_bytes(counting.BUNDLED_COUNTS.read_bytes())
    source = {"dataset": "movielens_1m", "config": {"least": 300}}
    path.with_name("provenance.json").write_text(json.dumps(source), encoding="utf-8")
    context = Context(1, Interpretations(), 0, 1, str(path))
    assert movie_bandit(context, 300, 0.5).means.size == 1053
    said = f"m0 = 200: {path} has only items with more than 300 ratings: give such an m0 to"
    with pytest.raises(DatasetError, match=re.escape(said)):
        movie_bandit(context, 200, 0.5)
    with pytest.raises(DatasetError, match=r"m0 = 3400: 1 of the 1053 items .* have 3428, 2991"):
        movie_bandit(context, 3400, 0.5)
