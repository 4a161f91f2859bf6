"""Tables of results as CSV: written whole, read back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from penalized_bandits.common.files import whole_file


def write_csv(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table as CSV, whole or not at all, numbers in full precision."""
    with whole_file(path) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")


def read_table(path: Path | str, columns: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Read a CSV of the workflow back; ``columns`` gives types that cannot be inferred."""
    return pd.read_csv(path, dtype=columns, low_memory=False)


def read_summary(path: str) -> pd.DataFrame:
    """Read a summary back."""
    return read_table(path, {"arm": "Int64"})
