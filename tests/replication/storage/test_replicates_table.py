"""Tables of replicates: what goes in comes out, or an error names the file."""

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import outcome_factories
from fuzz_helpers import outcome_of
from outcome_factories import BY_REPLICATE, info_of, part
from penalized_bandits.bandit import rewards
from penalized_replication.common.errors import ResultsError
from penalized_replication.experiments.base import Case
from penalized_replication.storage import replicates as stored

HORIZON = 1000


def outcome(
    seed: int = 0,
    replicates: int = 12,
    n_arms: int = 4,
    *,
    case: str = "K4_tau0.2",
    penalized: bool = True,
    **what: Any,
) -> stored.Outcome:
    rng = np.random.default_rng(seed)
    pulls = rng.multinomial(HORIZON, np.full(n_arms, 1 / n_arms), replicates).astype(float)
    means, rates, max_deficit = rng.random((3, replicates, n_arms))
    bandit = means, rng.random(n_arms) / n_arms, rates if penalized else None
    info = info_of(case, np.full(n_arms, 0.05), label="K = 4")
    given: dict[str, Any] = {"case": info, "tuning": 0.3, "max_deficit": max_deficit}
    return replace(outcome_factories.outcome(pulls[:, 1:], HORIZON, *bandit, **given), **what)


def assert_same(one: stored.Outcome, other: stored.Outcome) -> None:
    np.testing.assert_equal(asdict(one), asdict(other))
    for name in ("fairness", *BY_REPLICATE):
        kinds = {getattr(getattr(outcome, name), "dtype", None) for outcome in (one, other)}
        assert len(kinds) == 1, name


OUTCOMES = [
    outcome(0),
    outcome(1, scale=0.25, tuning=None, policy="ucb1", penalized=False),
    outcome(2, n_arms=1, case="m0_2500", max_deficit=np.full((12, 1), 5e-324)),
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "replicates.parquet"
    stored.write_replicates(path, OUTCOMES, {"seed": 1})
    return path


TENTHS = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
THIRDS = rewards.Gaussian(1 / 3), rewards.Categorical(np.array([0.0, 1 / 3, 1.0]), TENTHS)


@pytest.mark.parametrize("law", [*rewards.EXAMPLES.values(), *THIRDS], ids=lambda law: law.id)
def test_a_law_comes_back_with_its_parameters(tmp_path: Path, law: rewards.RewardFamily) -> None:
    case = Case("a", np.array([0.5, 0.4]), np.array([0.2, 0.2]), law)
    path = tmp_path / "replicates.parquet"
    stored.write_replicates(path, [outcome(n_arms=2, info=case.info)], {})
    (found,) = stored.read_replicates([path])
    assert type(found.info.rewards) is type(law)
    np.testing.assert_equal(vars(found.info.rewards), vars(law))


def test_columns(table: Path) -> None:
    rows = pq.read_table(table).to_pandas()
    assert list(rows.columns) == stored.SCHEMA.names
    # Replicates from 0, arms from 1; one row each.
    first = rows.iloc[:48]
    assert first["replicate"].tolist() == np.repeat(np.arange(12), 4).tolist()
    assert first["arm"].tolist() == np.tile([1, 2, 3, 4], 12).tolist()
    np.testing.assert_array_equal(first["pulls"], OUTCOMES[0].pulls.ravel())


def write_parts(folder: Path, *parts: list[stored.Outcome]) -> list[Path]:
    paths = [folder / f"part_{i}.parquet" for i in range(1, len(parts) + 1)]
    for i, outcomes in enumerate(parts):
        stored.write_replicates(paths[i], outcomes, {"part": i + 1, "parts": len(parts)})
    return paths


def read_all(*paths: Path) -> list[stored.Outcome]:
    return list(stored.read_replicates(paths))


@pytest.mark.parametrize("parts", [1, 3, 12])
def test_parts_are_joined_without_loss(tmp_path: Path, parts: int) -> None:
    of_parts = ([part(whole, p, parts) for whole in OUTCOMES] for p in range(1, parts + 1))
    paths = write_parts(tmp_path, *of_parts)
    for one, other in zip(read_all(*paths), OUTCOMES, strict=True):
        assert_same(one, other)
    assert stored.read_metadata(paths[-1]) == {"part": parts, "parts": parts}


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change the rows of the first run, the only one that stays."""
    rows = change(pq.ParquetFile(path).read_row_group(0))
    pq.write_table(rows, path, row_group_size=max(rows.num_rows, 1))


def rows_changed(change: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable[[Path], None]:
    def corrupt(path: Path) -> None:
        rewrite(path, lambda rows: pa.Table.from_pandas(change(rows.to_pandas()), rows.schema))

    return corrupt


def value_changed(column: str, value: float | None) -> Callable[[Path], None]:
    return rows_changed(lambda rows: rows.assign(**{column: rows[column].where(PLACE, value)}))


PLACE = np.arange(48) != 5
NOT_WHOLE = "rows of row group 0 are not those of a whole run"
CORRUPTIONS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (Path.unlink, "No such file"),
    "empty": (lambda path: path.write_bytes(b""), "Parquet file size is 0 bytes"),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[:-9]), "Parquet magic bytes not"),
    "no metadata": (lambda path: rewrite(path, pa.Table.replace_schema_metadata), "b'penalized_"),
    "no column": (lambda path: rewrite(path, lambda t: t.drop_columns(["arm"])), "other columns"),
    "no rows": (rows_changed(lambda rows: rows[:0]), "not enough values to unpack"),
    "last row missing": (rows_changed(lambda rows: rows[:-1]), "cannot reshape"),
    "rows swapped": (rows_changed(lambda rows: rows.iloc[[1, 0, *range(2, 48)]]), NOT_WHOLE),
    "row twice": (rows_changed(lambda rows: rows.iloc[[0, *range(48)]]), "cannot reshape"),
    "replicate missing": (rows_changed(lambda rows: rows.drop(index=range(8, 12))), NOT_WHOLE),
    "pulls do not add up": (value_changed("pulls", 0), NOT_WHOLE),
    "two horizons": (value_changed("horizon", 999), NOT_WHOLE),
    "tuning missing": (value_changed("tuning", None), NOT_WHOLE),
    "two fractions of an arm": (value_changed("fairness_fraction", 0.9), NOT_WHOLE),
    "a rate missing": (value_changed("penalty_rate", None), "penalty_rate has 1 missing values"),
}


@pytest.mark.parametrize(("corrupt", "said"), CORRUPTIONS.values(), ids=CORRUPTIONS)
def test_a_corrupted_table_is_named(
    table: Path, corrupt: Callable[[Path], object], said: str
) -> None:
    rewrite(table, lambda rows: rows)
    read_all(table)
    corrupt(table)
    with pytest.raises(ResultsError, match=rf"replicates\.parquet: .*{said}.*; delete it and run"):
        read_all(table)


def test_flipped_bytes_never_pass(table: Path) -> None:
    """A byte wrong anywhere: an error that names the file, or the data as they were."""
    data = table.read_bytes()
    for position in range(4, len(data), 29):
        table.write_bytes(data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :])
        back, message = outcome_of(lambda: read_all(table), ResultsError)
        assert message is None or table.name in message, position
        if message is None:
            for one, other in zip(back or [], OUTCOMES, strict=True):
                assert_same(one, other)


FIRST, SECOND = part(OUTCOMES[0], 1, 2), part(OUTCOMES[0], 2, 2)
OTHER_LAW = replace(SECOND, info=replace(SECOND.info, law="beta"))
MISFITS: dict[str, tuple[list[stored.Outcome], list[stored.Outcome], str]] = {
    "out of order": ([SECOND], [FIRST], r"part_1\.parquet holds replicates from 6 "),
    "twice": ([FIRST], [FIRST], r"part_2\.parquet holds replicates from 0 "),
    "policy": ([FIRST], [replace(SECOND, policy="lfg")], r"part_2\.parquet holds .*'lfg'"),
    "fields of a case": ([FIRST], [OTHER_LAW], r"part_2\.parquet holds "),
    "number of runs": ([FIRST, FIRST], [SECOND], r"part_2\.parquet.*group"),
}


@pytest.mark.parametrize(("first", "second", "said"), MISFITS.values(), ids=MISFITS)
def test_parts_that_do_not_fit(
    tmp_path: Path, first: list[stored.Outcome], second: list[stored.Outcome], said: str
) -> None:
    read_all(*write_parts(tmp_path, [FIRST], [SECOND]))
    with pytest.raises(ResultsError, match=said):
        read_all(*write_parts(tmp_path, first, second))


def test_parts_that_are_missing_or_of_another_config(tmp_path: Path) -> None:
    paths = write_parts(tmp_path, [FIRST], [SECOND])
    with pytest.raises(ResultsError, match=r"part_1.*: 1 of its 2 parts were given"):
        read_all(*paths[:1])
    stored.write_replicates(paths[1], [SECOND], {"part": 2, "parts": 2, "seed": 2})
    with pytest.raises(ResultsError, match=r"part_2.* comes from another config than .*part_1"):
        read_all(*paths)
