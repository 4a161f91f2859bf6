"""Tables of results as CSV: written whole, read back."""

from pathlib import Path

import pandas as pd

from penalized_bandits.common.files import whole_file


def write_csv(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table as CSV, whole or not at all, numbers in full precision."""
    with whole_file(path) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")


def read_table(path: Path | str) -> pd.DataFrame:
    """Read a CSV of the workflow back; an arm is a whole number, or missing."""
    return pd.read_csv(path, dtype={"arm": "Int64"}, low_memory=False)
