"""The table of counts: its rules, its file, rewards and thresholds."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from penalized_replication.common.errors import DatasetError
from penalized_replication.datasets.counts import (
    RatingCounts,
    Scale,
    reward_distributions,
    thresholds,
)
from penalized_replication.datasets.counts_csv import BUNDLED_COUNTS, read_counts_csv
from penalized_replication.experiments.base import Context, Readings
from penalized_replication.experiments.movies import movie_bandit
from penalized_replication.storage.summaries import write_csv

HEADER = "movie_id,title,n_ratings,count_1,count_2,count_3,count_4,count_5\n"
GOOD = HEADER + '7,"A, ""b""",10,0,1,2,3,4\n3,Ç,4,4,0,0,0,0\n9,D,4,0,0,0,0,4\n'


def make(
    counts: Sequence[Sequence[int]], levels: tuple[float, ...] = (1, 2, 3, 4, 5)
) -> RatingCounts:
    """Items 1, 2, ... with these counts, already in order."""
    cells = np.array(counts, dtype=np.int64).reshape(len(counts), len(levels))
    table = pd.DataFrame({"movie_id": np.arange(1, len(counts) + 1)})
    table["title"] = pd.Series([f"T{i}" for i in table["movie_id"]], dtype="str")
    table["n_ratings"] = cells.sum(axis=1)
    for column, level in enumerate(levels):
        table[f"count_{level:g}"] = cells[:, column]
    return RatingCounts(table, levels)


@pytest.mark.parametrize(
    ("scale", "levels", "support"),
    [
        ("unit", (1, 2, 3, 4, 5), [0, 0.25, 0.5, 0.75, 1]),
        ("fraction", (1, 2, 3, 4, 5), [0.2, 0.4, 0.6, 0.8, 1]),
        ("unit", (2, 4.5, 7, 9.5, 12), [0, 0.25, 0.5, 0.75, 1]),
        ("fraction", (0.5, 1, 1.5, 4.5, 5), [0.1, 0.2, 0.3, 0.9, 1]),
    ],
)
def test_rewards(scale: Scale, levels: tuple[float, ...], support: list[float]) -> None:
    counts = make([[1, 0, 0, 0, 3], [1, 1, 0, 0, 0]], levels)
    found = reward_distributions(counts, 1, scale)
    assert found.titles == ["T1", "T2"]
    assert found.support.tolist() == support
    assert found.probabilities.tolist() == [[0.25, 0, 0, 0, 0.75], [0.5, 0.5, 0, 0, 0]]
    assert reward_distributions(counts, 2, scale).titles == ["T1"]


def test_senseless_rewards() -> None:
    counts = make([[1, 2]], (1, 2))
    with pytest.raises(DatasetError, match=r"m0 = 3: no item has more .* most rated has 3"):
        reward_distributions(counts, 3)


def test_csv_round_trip(tmp_path: Path) -> None:
    titles = ["a", 'Ç, "乱"', "'", "\u3000", "<b>{x}$", "NA", "1", "\ufeff"]
    ids = [5, -(10**17), 0, 3, 10**17, 4, 7, 9]
    numbers = [10**6, 7, 7, 7, 7, 2, 1, 0]
    table = pd.DataFrame({"movie_id": ids, "title": pd.Series(titles, dtype="str")})
    columns = {"n_ratings": numbers, "count_0.5": numbers, "count_1": 0, "count_1.5": 0}
    table = table.assign(**columns).sort_values(["n_ratings", "movie_id"], ascending=[False, True])
    counts = RatingCounts(table.reset_index(drop=True), (0.5, 1.0, 1.5))
    path = tmp_path / "round.csv"
    write_csv(counts.table, path)
    data = path.read_bytes()
    assert b"\r" not in data
    again = read_counts_csv(path)
    pd.testing.assert_frame_equal(again.table, counts.table)
    assert again.levels == counts.levels
    write_csv(again.table, path)
    assert path.read_bytes() == data


def test_no_file_of_counts(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    with pytest.raises(DatasetError, match=r"none\.csv: no table of rating counts"):
        read_counts_csv(tmp_path / "none.csv")
    path.write_bytes(GOOD.encode("latin-1"))
    with pytest.raises(DatasetError, match=r"c\.csv: .*utf-8"):
        read_counts_csv(path)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "No columns"),
        (GOOD.replace("movie_id", "id"), "movie_id"),
        (GOOD.replace("count_3,count_4", "count_4,count_3"), "expected to ascend"),
        (GOOD.replace("count_3", "count_x"), "could not convert string to float: 'x'"),
        (GOOD.replace("count_3", "count_3.0"), "columns .*: expected .*'count_3'"),
        (GOOD.replace("count_5", "count_inf"), "finite"),
        (GOOD.replace("count_1", "count_-2"), "from -2 to 5; expected none below 0: add 2 to each"),
        ("movie_id,title,n_ratings\n", "0 different ratings"),
        (GOOD.replace("0,1,2,3,4", "0,1,2,3"), "expected integers"),
        (GOOD.replace("0,1,2,3,4", "0,1,2,3,4,5"), "expected integers"),
        (GOOD.replace("0,1,2,3,4", "0,1,2,3,4.5"), "expected integers"),
        (GOOD.replace("0,1,2,3,4", "0,1,2,3,5"), "counts do not add up"),
    ],
)
def test_faulty_files(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "c.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=rf"c\.csv: .*({fault})"):
        read_counts_csv(path)


def test_thresholds_that_leave_the_papers_numbers_of_arms() -> None:
    # By twos: 13 cannot be had.
    counts = make([[500 - place // 2, 0] for place in range(200)], (1, 2))
    text = thresholds(counts)
    assert text == (
        "2 items have more than 499 ratings, 14 more than 493, 32 more than 484, 118 more than 441"
    )
    for found, m0 in re.findall(r"(\d+) (?:items have )?more than (\d+)", text):
        assert counts.n_above(int(m0)) == int(found)
    assert thresholds(make([[9, 0]] * 3, (1, 2))) == "3 items have more than 8 ratings"
    assert thresholds(make([[9, 0]], (1, 2))) == "items in all: 1"


def test_a_threshold_below_that_of_the_table_is_refused(tmp_path: Path) -> None:
    """The table has what the config's own experiments need."""
    path = tmp_path / "rating_counts.csv"
    path.write_bytes(BUNDLED_COUNTS.read_bytes())
    source = {"dataset": "movielens_1m", "config": {"least": 300}}
    path.with_name("provenance.json").write_text(json.dumps(source), encoding="utf-8")
    context = Context(1, Readings(), 0, 1, str(path))
    assert movie_bandit(context, 300, 0.5).means.size == 1053
    said = f"m0 = 200: {path} has only items with more than 300 ratings: give such an m0 to"
    with pytest.raises(DatasetError, match=re.escape(said)):
        movie_bandit(context, 200, 0.5)
