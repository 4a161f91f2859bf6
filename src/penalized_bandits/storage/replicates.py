"""Replicate-level results as Parquet: written run by run, read back whole or not at all.

One row for each replicate and arm, one row group for each run and horizon, so a reader
needs memory for one run only.  Parts of an experiment (its replicates split between jobs) are
put together in the order of replicates, without loss.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from penalized_bandits.common.errors import ReplicatesError
from penalized_bandits.common.typing import FloatArray, PullArray
from penalized_bandits.storage.cases import CaseInfo, cases_from_json, cases_to_json
from penalized_bandits.storage.files import whole_file

METADATA_KEY = b"penalized_bandits"
CASES_KEY = b"penalized_bandits.cases"
"""Key of the cases in a file's metadata: a JSON list of their fields."""
_DAMAGE = (pa.ArrowException, OSError, ValueError)

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("case", _NAME),
        ("policy", _NAME),
        ("scale", pa.float64()),
        ("tuning", pa.float64()),
        ("horizon", pa.int64()),
        ("replicate", pa.int32()),
        ("arm", pa.int32()),
        ("pulls", pa.int32()),
        ("max_deficit", pa.float64()),
        ("mean_reward", pa.float64()),
        ("fairness_fraction", pa.float64()),
        ("penalty_rate", pa.float64()),
    ]
)
_BY_READING = SCHEMA.insert(0, pa.field("reading", _NAME))
"""Columns of a table that has the replicates under each alternative reading."""

_NUMBERS = ("replicate", "arm", "pulls", "max_deficit", "mean_reward", "fairness_fraction")
"""Columns of which every row has a value of its own."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """One run at one horizon: R replicates of K arms."""

    info: CaseInfo
    """The case that it is of."""
    policy: str
    scale: float | None
    tuning: float | None
    horizon: int
    first_replicate: int
    pulls: PullArray
    """N_k(T), shape (R, K)."""
    max_deficit: FloatArray
    """max over t of (tau_k t - N_k(t))_+, shape (R, K)."""
    means: FloatArray
    """mu, shape (R, K)."""
    fairness: FloatArray
    """tau, shape (K,)."""
    penalties: FloatArray | None
    """A, shape (R, K); None where none is defined."""
    reading: str = ""
    """The reading whose alternative was simulated; empty with the readings in force."""

    @property
    def case(self) -> str:
        """Id of the case."""
        return self.info.id

    @property
    def run(self) -> tuple[Any, ...]:
        """The key of the run among all runs of the experiment."""
        return (self.case, self.policy, self.scale, self.tuning, self.horizon)


# Numbers go to and from Arrow without ``pa.array`` and ``to_numpy``: these import pandas,
# which takes longer than many a job's own work.
_KINDS = {kind.to_pandas_dtype(): kind for kind in (pa.int32(), pa.int64(), pa.float64())}


def _array(values: np.ndarray) -> pa.Array:
    """Return the values of an array, in order, as Arrow has them."""
    flat = np.ascontiguousarray(values).ravel()
    return pa.Array.from_buffers(_KINDS[flat.dtype.type], flat.size, [None, pa.py_buffer(flat)])


def _values(table: pa.Table, name: str) -> np.ndarray:
    """Return a column of numbers; raise ValueError if some are missing."""
    column = table.column(name)
    if column.null_count:
        raise ValueError(f"column {name} has {column.null_count} missing values")
    return np.from_dlpack(column.combine_chunks())


def _table(outcome: Outcome) -> pa.Table:
    """Lay an outcome out in rows, replicate by replicate."""
    n_replicates, n_arms = outcome.pulls.shape
    size = n_replicates * n_arms

    def name(value: str) -> pa.Array:
        text = value.encode()
        buffers = [None, pa.py_buffer(np.array([0, len(text)], np.int32)), pa.py_buffer(text)]
        values = pa.Array.from_buffers(pa.string(), 1, buffers)
        return pa.DictionaryArray.from_arrays(_array(np.zeros(size, np.int32)), values)

    def constant(value: float | None) -> pa.Array:
        return pa.nulls(size, pa.float64()) if value is None else _array(np.full(size, value))

    replicates = np.arange(n_replicates, dtype=np.int32) + outcome.first_replicate
    penalties = outcome.penalties
    columns = [
        name(outcome.reading),
        name(outcome.case),
        name(outcome.policy),
        constant(outcome.scale),
        constant(outcome.tuning),
        _array(np.full(size, outcome.horizon, np.int64)),
        _array(np.repeat(replicates, n_arms)),
        _array(np.tile(np.arange(1, n_arms + 1, dtype=np.int32), n_replicates)),
        _array(outcome.pulls),
        _array(outcome.max_deficit),
        _array(outcome.means),
        _array(np.tile(outcome.fairness, n_replicates)),
        constant(None) if penalties is None else _array(penalties),
    ]
    return pa.Table.from_arrays(columns, schema=_BY_READING)


def write_replicates(
    path: Path | str,
    outcomes: Iterable[Outcome],
    metadata: dict[str, Any],
    *,
    by_reading: bool = False,
) -> None:
    """Write outcomes to a Parquet file, whole or not at all.

    ``metadata`` (JSON: seed, readings, section of the config) is kept in the file's schema.
    ``by_reading`` adds the column ``reading``, for outcomes under alternative readings.
    """
    text = json.dumps(metadata, sort_keys=True)
    columns = _BY_READING if by_reading else SCHEMA
    schema = columns.with_metadata({METADATA_KEY: text.encode()})
    with (
        whole_file(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        cases: list[CaseInfo] = []
        for outcome in outcomes:
            table = _table(outcome).select(columns.names)
            writer.write_table(table, row_group_size=max(table.num_rows, 1))
            cases.append(outcome.info)
        writer.add_key_value_metadata({CASES_KEY: json.dumps(cases_to_json(cases)).encode()})


def _open(path: Path | str) -> pq.ParquetFile:
    """Open a table of replicates; its pages are verified as they are read."""
    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
    except _DAMAGE as error:
        raise ReplicatesError(f"{path}: {error}; delete it and run again") from None
    if not any(map(file.schema_arrow.equals, (SCHEMA, _BY_READING))):
        raise ReplicatesError(f"{path} has other columns than expected: delete it, run again")
    return file


def read_metadata(path: Path | str) -> dict[str, Any]:
    """Return the metadata of a table of replicates: seed, readings, section of the config."""
    return _source(_open(path), path)


def _source(file: pq.ParquetFile, path: Path | str) -> dict[str, Any]:
    stored = (file.schema_arrow.metadata or {}).get(METADATA_KEY)
    if stored is None:
        raise ReplicatesError(f"{path} has no metadata: make it again")
    try:
        return json.loads(stored)
    except ValueError as error:
        raise ReplicatesError(f"{path}: {error}; delete it and run again") from None


def _cases(file: pq.ParquetFile, path: Path | str) -> dict[str, CaseInfo]:
    """Return the cases of a table of replicates by their ids."""
    stored = (file.metadata.metadata or {}).get(CASES_KEY)
    if stored is None:
        raise ReplicatesError(f"{path} lacks the fields of its cases: delete it and run again")
    try:
        return cases_from_json(json.loads(stored))
    except (ValueError, TypeError) as error:
        raise ReplicatesError(f"{path}: {error}; delete it and run again") from None


def _read_group(
    file: pq.ParquetFile, path: Path | str, group: int, cases: Mapping[str, CaseInfo]
) -> Outcome:
    try:
        table = file.read_row_group(group, use_threads=False)
        table.validate(full=True)
        columns = {name: _values(table, name) for name in _NUMBERS}
    except _DAMAGE as error:
        raise ReplicatesError(
            f"{path}, row group {group}: {error}; delete it and run again"
        ) from None
    return _outcome(table, columns, cases, path, group)


def _outcome(
    table: pa.Table,
    columns: dict[str, Any],
    cases: Mapping[str, CaseInfo],
    path: Path | str,
    group: int,
) -> Outcome:
    """Turn the rows of one row group back into arrays, checking that all are there."""

    def fail(problem: str) -> ReplicatesError:
        return ReplicatesError(f"{path}, row group {group}: {problem}; delete it and run again")

    n_arms = int(columns["arm"].max(initial=0))
    if n_arms == 0 or table.num_rows % n_arms:
        raise fail(f"{table.num_rows} rows are not a whole number of replicates")
    n_replicates = table.num_rows // n_arms
    first = int(columns["replicate"][0])
    replicates = np.repeat(np.arange(first, first + n_replicates), n_arms)
    arms = np.tile(np.arange(1, n_arms + 1), n_replicates)
    if (columns["replicate"] != replicates).any() or (columns["arm"] != arms).any():
        raise fail("replicates and arms are not in order")

    def grid(name: str) -> Any:
        return columns[name].reshape(n_replicates, n_arms)

    def only(name: str) -> Any:
        values = table.column(name).unique().to_pylist()
        if len(values) != 1:
            raise fail(f"column {name} holds {len(values)} values, not one")
        return values[0]

    horizon = only("horizon")
    if (grid("pulls").sum(axis=1) != horizon).any():
        raise fail(f"the pulls of a replicate do not sum to the horizon {horizon}")
    if (grid("fairness_fraction") != grid("fairness_fraction")[0]).any():
        raise fail("fairness fractions differ between replicates")
    missing = table.column("penalty_rate").null_count
    if missing not in (0, table.num_rows):
        raise fail(f"{missing} of {table.num_rows} penalty rates are missing")
    if (case := only("case")) not in cases:
        raise fail(f"the fields of its case {case} are missing")
    if (info := cases[case]).n_arms != n_arms:
        raise fail(f"{n_arms} arms where its case {case} has {info.n_arms}")
    return Outcome(
        info=info,
        policy=only("policy"),
        scale=only("scale"),
        tuning=only("tuning"),
        horizon=horizon,
        first_replicate=first,
        pulls=grid("pulls"),
        max_deficit=grid("max_deficit"),
        means=grid("mean_reward"),
        fairness=grid("fairness_fraction")[0],
        penalties=None if missing else _values(table, "penalty_rate").reshape(n_replicates, n_arms),
        reading=only("reading") if "reading" in table.column_names else "",
    )


def _joined(parts: Sequence[Outcome], paths: Sequence[Path | str]) -> Outcome:
    """Put the parts of one run together."""
    first = parts[0]
    expected = 0
    for part, path in zip(parts, paths, strict=True):
        if part.run != first.run:
            raise ReplicatesError(f"{path} holds run {part.run} where others hold {first.run}")
        if part.info != first.info:
            raise ReplicatesError(f"{path} has other fields of the case {first.case}")
        if not np.array_equal(part.fairness, first.fairness):
            raise ReplicatesError(f"{path} has other fairness fractions than the first part")
        if (part.penalties is None) != (first.penalties is None):
            raise ReplicatesError(f"{path}: penalty rates must be in all parts or in none")
        if part.first_replicate != expected:
            raise ReplicatesError(
                f"{path} begins with replicate {part.first_replicate}, not {expected}"
            )
        expected += len(part.pulls)
    grids = ["pulls", "max_deficit", "means"]
    if first.penalties is not None:
        grids.append("penalties")
    return replace(
        first,
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in grids},
    )


def read_replicates(paths: Sequence[Path | str]) -> Iterator[Outcome]:
    """Yield the outcomes of an experiment from the files of its parts, in order.

    Raises
    ------
    ReplicatesError
        If a part is missing, a file is cut short or its rows are not those of whole runs.
    """
    files = [_open(path) for path in paths]
    sources = [_source(file, path) for path, file in zip(paths, files, strict=True)]
    cases = [_cases(file, path) for path, file in zip(paths, files, strict=True)]
    for path, source in zip(paths, sources, strict=True):
        if {**source, "part": 0} != {**sources[0], "part": 0}:
            raise ReplicatesError(f"{path} comes from another config than {paths[0]}: delete it")
    if (parts := sources[0].get("parts", len(paths))) != len(paths):
        raise ReplicatesError(f"{paths[0]}: {len(paths)} of its {parts} parts were given")
    groups = [file.num_row_groups for file in files]
    if len(set(groups)) != 1:
        raise ReplicatesError(f"{[str(p) for p in paths]} hold {groups} runs: parts must agree")
    for group in range(groups[0]):
        parts = [
            _read_group(file, path, group, known)
            for path, file, known in zip(paths, files, cases, strict=True)
        ]
        yield _joined(parts, paths)
