"""Tables of results as CSV: written whole, read back."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from penalized_bandits.common.files import whole_file
from penalized_replication.common.errors import ResultsError


def write_csv(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table as CSV, whole or not at all, numbers in full precision."""
    with whole_file(path) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")


def read_table(
    path: Path | str, columns: Mapping[str, Any] | None = None, needed: Sequence[str] = ()
) -> pd.DataFrame:
    """Read a CSV of the workflow back.

    ``columns`` gives types that cannot be inferred.  Raises ResultsError if the file is no
    table, or lacks columns that are ``needed``.
    """
    try:
        table = pd.read_csv(path, dtype=columns, low_memory=False)
    except ValueError as error:
        raise ResultsError(f"{path} is no table ({error}): delete it and run again") from None
    if missing := [name for name in needed if name not in table.columns]:
        raise ResultsError(f"{path} lacks the columns {missing}: delete it and run again")
    return table
