"""Replicate-level results as Parquet: written run by run, read back whole or not at all.

One row for each replicate and arm, one row group for each run and horizon, so a reader
needs memory for one run only.  Parts are an experiment's replicates, split between jobs.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.files import whole_file
from penalized_bandits.common.typing import FloatArray, PullArray
from penalized_replication.common.errors import ResultsError
from penalized_replication.common.section import brief, leaves
from penalized_replication.storage.cases import CaseInfo

METADATA_KEY = b"penalized_bandits"
CASES_KEY = b"penalized_bandits.cases"
"""Key of the cases in a file's metadata: a JSON list of their fields."""

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


@dataclass(frozen=True, eq=False)
class Outcome:
    """One run at one horizon: R replicates of K arms."""

    info: CaseInfo
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

    @property
    def case(self) -> str:
        """Id of the case."""
        return self.info.id

    @property
    def bandits(self) -> Instance:
        """The bandits of the replicates; rates are 0 where none is defined, rewards the means."""
        rates = 0.0 if self.penalties is None else self.penalties
        law, ceilings = Deterministic(), self.info.ceilings
        return Instance(self.means, self.fairness, rates, law, **ceilings)

    @property
    def run(self) -> tuple[Any, ...]:
        """The key of the run among all runs of the experiment."""
        return (self.case, self.policy, self.scale, self.tuning, self.horizon)


# Not ``pa.array``, which imports pandas: it takes longer than many a job's own work.
def _column(value: Any, kind: pa.DataType, size: int) -> pa.Array:
    """Return a column of so many rows: a value for each, or those that they repeat."""
    if value is None:
        return pa.nulls(size, kind)
    if isinstance(value, str):
        text = value.encode()
        buffers = [None, pa.py_buffer(np.array([0, len(text)], np.int32)), pa.py_buffer(text)]
        names = pa.Array.from_buffers(pa.string(), 1, buffers)
        return pa.DictionaryArray.from_arrays(_column(0, pa.int32(), size), names)
    rows = np.resize(np.asarray(value, kind.to_pandas_dtype()), size)
    return pa.Array.from_buffers(kind, size, [None, pa.py_buffer(rows)])


def _table(outcome: Outcome) -> pa.Table:
    n_replicates, n_arms = outcome.pulls.shape
    values = [
        *(outcome.case, outcome.policy, outcome.scale, outcome.tuning, outcome.horizon),
        np.repeat(np.arange(n_replicates) + outcome.first_replicate, n_arms),
        np.arange(1, n_arms + 1),
        *(outcome.pulls, outcome.max_deficit, outcome.means, outcome.fairness, outcome.penalties),
    ]
    kinds = zip(values, SCHEMA.types, strict=True)
    columns = [_column(value, kind, outcome.pulls.size) for value, kind in kinds]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def write_replicates(
    path: Path | str, outcomes: Iterable[Outcome], metadata: dict[str, Any]
) -> None:
    """Write outcomes to a Parquet file, whole or not at all.

    ``metadata`` (JSON: seed, interpretations, section of the config) is kept in the file's schema.
    """
    text = json.dumps(metadata, sort_keys=True)
    schema = SCHEMA.with_metadata({METADATA_KEY: text.encode()})
    with (
        whole_file(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        cases: list[CaseInfo] = []
        for outcome in outcomes:
            table = _table(outcome)
            writer.write_table(table, row_group_size=table.num_rows)
            cases.append(outcome.info)
        fields = [case.fields() for case in dict.fromkeys(cases)]
        writer.add_key_value_metadata({CASES_KEY: json.dumps(fields).encode()})


@contextmanager
def _naming(path: Path | str) -> Iterator[None]:
    """Raise errors of reading a file as ResultsError, with its path."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError) as error:
        raise ResultsError(f"{path}: {error}; delete it and run again") from None


def _open(path: Path | str) -> tuple[pq.ParquetFile, dict[str, Any], dict[str, CaseInfo]]:
    """Open a table of replicates, its metadata and its cases; pages are verified when read."""
    with _naming(path):
        file = pq.ParquetFile(path, page_checksum_verification=True)
        if not file.schema_arrow.equals(SCHEMA):
            raise ValueError("other columns than expected")
        texts = file.metadata.metadata or {}
        metadata, cases = (json.loads(texts[key]) for key in (METADATA_KEY, CASES_KEY))
        return file, metadata, {fields["id"]: CaseInfo(**fields) for fields in cases}


def read_metadata(path: Path | str) -> dict[str, Any]:
    """Return the metadata of a table of replicates: seed, interpretations, config section."""
    return _open(path)[1]


def check_made_with(
    replicates: Mapping[str, Sequence[Path | str]], seed: int, sections: Mapping[str, Any]
) -> None:
    """Raise ResultsError for a table of replicates, by experiment, that another config made.

    Snakemake knows it too, unless its records (``.snakemake``) are gone.
    """
    for name, paths in replicates.items():
        now = dict(leaves({"seed": seed, "section": sections[name]}))
        for path in paths:
            before = dict(leaves(read_metadata(path)))
            for key in [key for key in now if before.get(key) != now[key]]:
                raise ResultsError(
                    f"{path} was made with {key} {brief(before.get(key))}, the config has "
                    f"{brief(now[key])}: delete it and run again"
                )


def _read_group(file: pq.ParquetFile, group: int, cases: Mapping[str, CaseInfo]) -> Outcome:
    """Turn the rows of one row group back into arrays; raise ValueError if rows are missing."""
    table = file.read_row_group(group, use_threads=False)
    table.validate(full=True)
    (first,) = table.slice(0, 1).to_pylist()
    info = cases[first["case"]]

    def grid(name: str) -> Any:
        column = table.column(name)
        if column.null_count:
            raise ValueError(f"column {name} has {column.null_count} missing values")
        return np.from_dlpack(column.combine_chunks()).reshape(-1, info.n_arms)

    outcome = Outcome(
        info=info,
        **{name: first[name] for name in ("policy", "scale", "tuning", "horizon")},
        first_replicate=first["replicate"],
        pulls=grid("pulls"),
        max_deficit=grid("max_deficit"),
        means=grid("mean_reward"),
        fairness=grid("fairness_fraction")[0],
        penalties=None if first["penalty_rate"] is None else grid("penalty_rate"),
    )
    whole = (outcome.pulls.sum(axis=1) == outcome.horizon).all()
    if not (whole and _table(outcome).equals(table)):
        raise ValueError(f"the rows of row group {group} are not those of a whole run")
    return outcome


def read_replicates(paths: Sequence[Path | str]) -> Iterator[Outcome]:
    """Yield the outcomes of an experiment from the files of its parts, in order.

    Raises ResultsError if a part is missing or a file has other rows than those of whole runs.
    """
    opened = [_open(path) for path in paths]
    first = opened[0][1]
    if (parts := first.get("parts", len(paths))) != len(paths):
        raise ResultsError(f"{paths[0]}: {len(paths)} of its {parts} parts were given")
    for path, (_, metadata, _) in zip(paths, opened, strict=True):
        if metadata | {"part": 0} != first | {"part": 0}:
            raise ResultsError(f"{path} comes from another config than {paths[0]}: delete it")
    # A part with fewer groups than another raises an error.
    for group in range(max(file.num_row_groups for file, _, _ in opened)):
        parts: list[Outcome] = []
        expected = 0
        for path, (file, _, cases) in zip(paths, opened, strict=True):
            with _naming(path):
                part = _read_group(file, group, cases)
            parts.append(part)
            run, info = parts[0].run, parts[0].info
            if (part.run, part.info, part.first_replicate) != (run, info, expected):
                held, due = f"{part.first_replicate} of {part.run}", f"{expected} of {run}"
                raise ResultsError(f"{path} holds replicates from {held}; expected from {due}")
            expected += len(part.pulls)
        rates = [] if parts[0].penalties is None else ["penalties"]
        names = ["pulls", "max_deficit", "means", *rates]
        grids = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        yield replace(parts[0], **grids)
