"""Draw a figure from its tables and save it, with its caption, the same bytes each time."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from penalized_bandits.figures import Figure
from penalized_bandits.figures.style import use_style
from penalized_bandits.files import whole_file, write_text
from penalized_bandits.summaries import read_summary

# Dates and program versions would make every file differ from the last.
_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


def save_figure(figure: Figure, tables: Mapping[str, str], target: Path) -> None:
    """Draw a figure and write it as PDF, SVG and PNG, and its caption as Markdown.

    Parameters
    ----------
    figure
        Which figure.
    tables
        Paths of its tables by name: ``summary``, and where it needs them ``frontier``
        and ``provenance``.
    target
        Path of the files without their suffix.
    """
    module = import_module(f"penalized_bandits.figures.{figure.id}")
    use_style()
    drawn = module.draw(tables)
    for suffix, metadata in _METADATA.items():
        with whole_file(target.with_suffix(f".{suffix}")) as temporary:
            drawn.savefig(temporary, format=suffix, metadata=metadata)
    plt.close(drawn)
    write_text(target.with_suffix(".md"), module.caption(tables).rstrip() + "\n")


def select(table: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    """Return the rows whose columns have the wanted values."""
    for column, value in wanted.items():
        table = table[table[column] == value]
    return table


def summary_of(tables: Mapping[str, str]) -> pd.DataFrame:
    """Read a figure's summary table."""
    return read_summary(tables["summary"])


def replicates_of(table: pd.DataFrame) -> int:
    """Return the number of replicates behind a table."""
    counts = table["n_replicates"].unique()
    if len(counts) != 1:
        raise ValueError(f"the table mixes {sorted(counts)} replicates")
    return int(counts[0])


def in_order(values: pd.Series) -> list[Any]:
    """Return distinct values in the order of the table."""
    return list(dict.fromkeys(values.tolist()))
