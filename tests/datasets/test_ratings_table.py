"""Counts of one's own table of ratings."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from datasets_helpers import rows
from penalized_bandits import Categorical, Instance, simulate
from penalized_bandits.datasets.counts import RatingCounts, reward_distributions
from penalized_bandits.datasets.counts_csv import read_counts_csv, write_counts_csv
from penalized_bandits.datasets.errors import DatasetConfigError, RatingsFormatError
from penalized_bandits.datasets.ratings_table import read_ratings_table

HEADER = "who,what,stars,name\n"
GOOD = HEADER + "a,x,1,X one\na,y,3.5,Y\nb,x,3.50,X one\nc,x,1.0,X one\n"


def read(path: Path, text: str, title: str | None = "name") -> RatingCounts:
    path.write_text(text, encoding="utf-8")
    return read_ratings_table(path, "who", "what", "stars", title)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r.csv"


def test_csv(path: Path) -> None:
    counts = read(path, GOOD)
    assert (counts.levels, counts.n_users, counts.n_ratings) == ((1.0, 3.5), 3, 4)
    columns = ["movie_id", "title", "n_ratings", "count_1", "count_3.5"]
    assert list(counts.table.columns) == columns
    assert rows(counts) == [["x", "X one", 3, 2, 1], ["y", "Y", 1, 0, 1]]
    # Without titles ids serve; spreadsheets begin a file with a byte order mark.
    assert read(path, "\ufeff" + GOOD, None).table["title"].tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("items", "ids"),
    [
        (("10", "9"), [9, 10]),  # integers, in numeric order
        (("7", "007"), ["007", "7"]),
        (("x", "NA"), ["NA", "x"]),
    ],
)
def test_ids_keep_type_and_order_in_their_file(
    path: Path, items: tuple[str, str], ids: list[object]
) -> None:
    first, second = items
    counts = read(path, f"who,what,stars\n1,{first},2\n1,{second},4\n", None)
    assert counts.table["movie_id"].tolist() == ids
    target = path.with_suffix(".parquet")
    pd.DataFrame({"who": [1, 1], "what": list(items), "stars": [2, 4]}).to_parquet(target)
    assert rows(read_ratings_table(target, "who", "what", "stars")) == rows(counts)
    write_counts_csv(counts, path)
    pd.testing.assert_frame_equal(read_counts_csv(path).table, counts.table)


@pytest.mark.parametrize("category", [False, True])
def test_parquet_gives_what_csv_gives(path: Path, category: bool) -> None:
    expected = read(path, GOOD)
    frame = pd.read_csv(path, dtype={"stars": "float64"})
    if category:
        frame["what"] = frame["what"].astype("category")
    target = path.with_suffix(".parquet")
    frame.to_parquet(target)
    found = read_ratings_table(target, "who", "what", "stars", "name")
    pd.testing.assert_frame_equal(found.table, expected.table)
    assert found.levels == expected.levels


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (HEADER, "no rows"),
        (GOOD + "d,x,many,X one\n", r"row 5: column stars: 'many'; expected a finite number"),
        (GOOD + "d,x,nan,X one\n", r"row 5: column stars: 'nan'"),
        (GOOD + "d,x,inf,X one\n", r"row 5: column stars: 'inf'"),
        (GOOD + "d,x,1e999,X one\n", r"row 5: column stars: '1e999'"),
        (GOOD + "d,x, 4,X one\n", r"row 5: column stars: ' 4'"),
        (GOOD + "d,x,1_0,X one\n", r"row 5: column stars: '1_0'"),
        (GOOD + "d,x,４,X one\n", r"row 5: column stars: '４'"),
        (GOOD + "d,x,,X one\n", r"row 5: column stars: ''"),
        (GOOD + ",x,4,X one\n", r"row 5: column who: ''; expected text, not empty"),
        (GOOD + "d,,4,X one\n", r"row 5: column what: ''"),
        (GOOD + "d,x,4,\n", r"row 5: column name: ''"),
        (GOOD + 'd,"x\ny",4,X one\n', r"row 5: column what: 'x\\ny'"),
        (GOOD + "d,x,4\n", r"Row #6: Expected 4 columns, got 3"),
        (GOOD + "d,x,4,X one,5\n", r"Row #6: Expected 4 columns, got 5"),
        (GOOD.replace("a,y,3.5,Y\n", "a,y,3.5,Y,\n"), r"Row #3: Expected 4 columns, got 5"),
        (GOOD + "\nd,x,4,X one\n", r"row 5: column who: ''"),
        (GOOD + "d,x,4,X two\n", r"row 5: column name: item 'x' has the title 'X two'"),
        (GOOD + "b,x,4,X one\n", r"row 5: user 'b' rates item 'x' again"),
        (GOOD + "d,x,0.3333333,X one\n", r"column stars: .*six digits.*round"),
        (HEADER + "".join(f"{n},x,{n},X\n" for n in range(1002)), r"1002 different ratings"),
        (HEADER + "a,x,4,X\nb,x,4.0,X\n", r"column stars: 1 different ratings \(4\); expected 2"),
        (GOOD + "d,x,-2,X one\n", r"column stars: ratings from -2 to 3.5; .*: add 2 to each"),
        (GOOD + 'd,"x,4,X one\n', r"not a readable \.csv file"),
    ],
)
def test_faulty_csv(path: Path, text: str, fault: str) -> None:
    with pytest.raises(RatingsFormatError, match=rf"r\.csv: .*{fault}"):
        read(path, text)


def test_scales_up_to_100_are_allowed(path: Path) -> None:
    levels = tuple(round(n / 10, 1) for n in range(1001))
    rated = [
        f"{user},{item},{rating:g},{item}\n" for user, rating in enumerate(levels) for item in "xy"
    ]
    counts = read(path, HEADER + "".join(rated))
    assert counts.levels == levels
    write_counts_csv(counts, path)
    again = read_counts_csv(path)
    pd.testing.assert_frame_equal(again.table, counts.table)
    movies = reward_distributions(again, 1)
    rewards = Categorical(movies.support, movies.probabilities)
    np.testing.assert_allclose(movies.support, np.array(levels) / 100)
    run = simulate("ucb1", Instance(rewards.means, 0.1, 0.2, rewards), 2000, replicates=16)
    # Every level is drawn with its probability: the mean over some 32,000 pulls.
    assert run.reward_sums.sum() / 32_000 == pytest.approx(rewards.means[0], abs=0.01)


@pytest.mark.parametrize(
    ("frame", "fault"),
    [
        (
            {"who": pd.array([1, None], dtype="Int64"), "what": [1, 2], "stars": [1, 2]},
            r"row 2: column who: nothing",
        ),
        ({"who": [1, 2], "what": [1.5, 2], "stars": [1, 2]}, r"column what: type Float64"),
        ({"who": [1, 2], "what": [1, 2], "stars": [1.0, None]}, r"row 2: column stars: nothing"),
        ({"who": [1, 2], "what": [1, 2], "stars": [True, False]}, r"column stars: true or false"),
        (
            {"who": [1, 2], "what": [1, 2], "stars": [pd.Timestamp(0), pd.Timestamp(1)]},
            r"row 1: column stars",
        ),
    ],
)
def test_faulty_parquet(tmp_path: Path, frame: dict[str, Any], fault: str) -> None:
    path = tmp_path / "r.parquet"
    pd.DataFrame(frame).to_parquet(path)
    with pytest.raises(RatingsFormatError, match=rf"r\.parquet: {fault}"):
        read_ratings_table(path, "who", "what", "stars")


def test_files_that_are_not_what_they_are_called(path: Path) -> None:
    target = path.with_suffix(".parquet")
    target.write_bytes(b"who,what,stars\n")
    with pytest.raises(RatingsFormatError, match=r"r\.parquet: not a readable \.parquet"):
        read_ratings_table(target, "who", "what", "stars")
    path.write_bytes(GOOD.replace("Y", "É").encode("latin-1"))
    with pytest.raises(RatingsFormatError, match=r"r\.csv: not a readable \.csv file"):
        read_ratings_table(path, "who", "what", "stars", "name")
    with pytest.raises(DatasetConfigError, match=r"suffix '.xlsx'; expected .csv or .parquet"):
        read_ratings_table(path.with_suffix(".xlsx"), "a", "b", "c")
    with pytest.raises(DatasetConfigError, match=r"none\.csv: no such file"):
        read_ratings_table(path.with_name("none.csv"), "a", "b", "c")


def test_columns_that_are_not_there_or_there_twice(path: Path) -> None:
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(
        DatasetConfigError,
        match=r"r\.csv: no column 'film'; it has 'who', 'what', 'stars', 'name'",
    ):
        read_ratings_table(path, "who", "film", "stars")
    pd.read_csv(path).to_parquet(path.with_suffix(".parquet"))
    with pytest.raises(DatasetConfigError, match=r"r\.parquet: no column 'film'; it has 'who'"):
        read_ratings_table(path.with_suffix(".parquet"), "who", "film", "stars")
    with pytest.raises(DatasetConfigError, match="a different column for each"):
        read_ratings_table(path, "who", "who", "stars")
    path.write_text("who,what,what,stars\n1,2,3,4\n", encoding="utf-8")
    with pytest.raises(DatasetConfigError, match="more than one column 'what'"):
        read_ratings_table(path, "who", "what", "stars")
