"""Tables of replicates: what goes in comes out, or an error names the file."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
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


def of_case(found: stored.Outcome, identifier: str) -> stored.Outcome:
    return replace(found, info=replace(found.info, id=identifier))


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
    for path, outcomes in zip(paths, parts, strict=True):
        stored.write_replicates(path, outcomes, {"parts": len(parts)})
    return paths


@pytest.mark.parametrize("parts", [1, 3, 12])
def test_parts_are_joined_without_loss(tmp_path: Path, parts: int) -> None:
    of_parts = ([part(whole, p, parts) for whole in OUTCOMES] for p in range(1, parts + 1))
    paths = write_parts(tmp_path, *of_parts)
    for one, other in zip(stored.read_replicates(paths), OUTCOMES, strict=True):
        assert_same(one, other)
    assert stored.read_metadata(paths[0]) == {"parts": parts}


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    paths = [tmp_path / f"{p}of2.parquet" for p in (1, 2)]
    for p, path in enumerate(paths, 1):
        stored.write_replicates(path, [part(OUTCOMES[0], p, 2)], {"part": p, "parts": 2})
    list(stored.read_replicates(paths))
    with pytest.raises(ResultsError, match=r"1of2.*: 1 of its 2 parts were given"):
        list(stored.read_replicates(paths[:1]))


def read_all(*paths: Path) -> None:
    list(stored.read_replicates(paths))


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.999])
def test_file_cut_short(table: Path, keep: float) -> None:
    data = table.read_bytes()
    table.write_bytes(data[: int(keep * len(data))])
    with pytest.raises(ResultsError, match=r"replicates\.parquet.*run again"):
        read_all(table)
    with pytest.raises(ResultsError, match=r"replicates\.parquet"):
        stored.read_metadata(table)
    table.unlink()
    with pytest.raises(ResultsError, match=r"replicates\.parquet.*run again"):
        read_all(table)


def test_flipped_bytes_never_pass(table: Path) -> None:
    """A byte wrong anywhere: an error that names the file, or the data as they were."""
    data = table.read_bytes()
    for position in range(4, len(data), 29):
        table.write_bytes(data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :])
        back, message = outcome_of(lambda: list(stored.read_replicates([table])), ResultsError)
        assert message is None or table.name in message, position
        if message is None:
            for one, other in zip(back or [], OUTCOMES, strict=True):
                assert_same(one, other)


def test_file_without_metadata(table: Path) -> None:
    pq.write_table(pq.read_table(table).replace_schema_metadata(None), table)
    with pytest.raises(ResultsError, match=r"replicates\.parquet: b'penalized_bandits'"):
        stored.read_metadata(table)


def rewrite(path: Path, change: Any) -> None:
    rows = change(pq.ParquetFile(path).read_row_group(0))
    pq.write_table(rows, path, row_group_size=max(rows.num_rows, 1))


def set_value(column: str, row: int, value: Any) -> Any:
    def change(rows: pa.Table) -> pa.Table:
        values = rows.column(column).to_pylist()
        values[row] = value
        kind = stored.SCHEMA.field(column).type
        at = stored.SCHEMA.get_field_index(column)
        return rows.set_column(at, stored.SCHEMA.field(column), pa.array(values).cast(kind))

    return change


CHANGES: dict[str, Any] = {
    "last row missing": lambda rows: rows.slice(0, rows.num_rows - 1),
    "rows swapped": lambda rows: rows.take(pa.array([1, 0, *range(2, rows.num_rows)])),
    "row twice": lambda rows: rows.take(pa.array([0, *range(rows.num_rows)])),
    "replicate missing": lambda rows: pa.concat_tables([rows.slice(0, 8), rows.slice(12)]),
    "no rows": lambda rows: rows.slice(0, 0),
    "column missing": lambda rows: rows.drop_columns(["max_deficit"]),
    "pulls do not add up": set_value("pulls", 5, 0),
    "two horizons": set_value("horizon", 5, 999),
    "tuning missing": set_value("tuning", 5, None),
    "two fairness fractions of an arm": set_value("fairness_fraction", 5, 0.9),
    "a penalty rate missing": set_value("penalty_rate", 5, None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_rows_that_are_not_a_whole_run(table: Path, change: Any) -> None:
    rewrite(table, lambda rows: rows)
    read_all(table)
    rewrite(table, change)
    with pytest.raises(ResultsError, match=r"replicates\.parquet"):
        read_all(table)


WHOLE = outcome(0)
FIRST, SECOND = part(WHOLE, 1, 2), part(WHOLE, 2, 2)

BEGINS_LATE = r"part_1\.parquet holds replicates from 6 "
MISFITS: dict[str, tuple[list[stored.Outcome], list[stored.Outcome], str]] = {
    "out of order": ([SECOND], [FIRST], BEGINS_LATE),
    "without the first": ([SECOND], [SECOND], BEGINS_LATE),
    "twice": ([FIRST], [FIRST], "holds replicates from 0 "),
    "gap": ([FIRST], [replace(SECOND, first_replicate=7)], ""),
    "policy": ([FIRST], [replace(SECOND, policy="lfg")], ""),
    "no tuning": ([FIRST], [replace(SECOND, tuning=None)], ""),
    "fields of a case": ([FIRST], [replace(SECOND, info=replace(SECOND.info, law="beta"))], ""),
    "arms": ([FIRST], [outcome(3, 6, 5, first_replicate=6)], ""),
    "number of runs": ([FIRST, FIRST], [SECOND], "group"),
    "order of runs": ([FIRST, of_case(FIRST, "b")], [of_case(SECOND, "b"), SECOND], ""),
}


@pytest.mark.parametrize(("first", "second", "said"), MISFITS.values(), ids=MISFITS)
def test_parts_that_do_not_fit(
    tmp_path: Path, first: list[stored.Outcome], second: list[stored.Outcome], said: str
) -> None:
    read_all(*write_parts(tmp_path, [FIRST], [SECOND]))
    paths = write_parts(tmp_path, first, second)
    culprit = said if said == BEGINS_LATE else rf"part_2\.parquet.*{said}"
    with pytest.raises(ResultsError, match=culprit):
        read_all(*paths)
