"""Configs and tables of ratings under fuzzing: an error that names the place, or what is right."""

import csv
import io
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz_helpers import Edits, changed, changes, fuzz, outcome_of
from judged_helpers import Tables, judged
from judged_helpers import unchanged_fixture as unchanged_fixture
from penalized_bandits.common.errors import UserError
from penalized_replication.common.errors import ConfigError, DatasetError
from penalized_replication.config.model import BaseConfig, parse_config
from penalized_replication.datasets.counts import RatingCounts
from penalized_replication.datasets.ratings_table import read_ratings_table
from penalized_replication.datasets.section import RatingsTable
from penalized_replication.experiments.catalogue import EXPERIMENTS


def _largest(value: Any) -> float:
    if isinstance(value, dict):
        return max([_largest(inner) for inner in value.values()], default=0)
    if isinstance(value, list):
        return max([len(value), *(_largest(inner) for inner in value)])
    return value if isinstance(value, int) else 0


def is_small(config: BaseConfig, experiment: str) -> bool:
    values = config.section(experiment).model_dump()
    # Thresholds choose among the arms there are.
    values.pop("m0", None)
    return values["replicates"] <= 10 and _largest(values) <= 500


@fuzz(120)
@given(changes(most=1))
def test_a_valid_config_can_be_judged_and_drawn(
    tmp_path_factory: pytest.TempPathFactory, unchanged: Tables, edits: Edits
) -> None:
    if outcome_of(lambda: parse_config(changed(edits)), ConfigError)[1] is not None:
        return
    config, folder = parse_config(changed(edits)), tmp_path_factory.mktemp("judged")
    edited = {path[0] for path, _ in edits}
    names = [name for name in EXPERIMENTS if name in edited and is_small(config, name)]
    try:
        judged(config, names, unchanged, folder)
    except UserError as error:
        # The ratings decide which thresholds are possible.
        if "m0" not in str(error):
            raise
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("log_laws.instances.two_arms.fairness", [0.0, 0.3]),
        ("setting_2.cases.case_1.fairness", [0.0, *[0.0625] * 7]),
        ("worst_case.fairness", 0.75),
    ],
)
def test_fractions_at_an_edge(tmp_path: Path, unchanged: Tables, key: str, value: Any) -> None:
    config, name = parse_config(changed([(tuple(key.split(".")), value)])), key.partition(".")[0]
    assert judged(config, [name], unchanged, tmp_path).results


def test_cases_of_different_sizes_and_no_regret(tmp_path: Path, unchanged: Tables) -> None:
    edits: Edits = [
        (("setting_2", "cases", "few"), {"means": [1.0], "fairness": [0.25]}),
        (("crossover", "cases", "alike"), {"means": [0.5, 0.5], "fairness": [0.0, 0.0]}),
        (("crossover", "horizons"), [20]),
        # A lower bound of 0, and tunings from 0 to 0.
        (("deterministic", "theorem_4_6", "fairness"), 0.0),
        (("setting_3", "fairness"), 0.0),
    ]
    names = ["setting_2", "crossover", "deterministic", "setting_3"]
    done = judged(parse_config(changed(edits)), names, unchanged, tmp_path)
    assert {"figure_2", "figure_3", "theory_crossover"} <= set(done.captions)
    assert {"C16", "C19", "C26", "C28"} <= set(done.results)


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
    counts, message = outcome_of(lambda: read_ratings_table(table), DatasetError)
    assert message is None or message.startswith(f"{path}: ")
    assert message is None or len(message) < 3000
    assert (counts and counts_of(counts)) == reference_counts(made.getvalue())
