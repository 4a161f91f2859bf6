"""Draw a figure from its tables and save it with its caption, the same bytes each time."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure as Drawing
from PIL import Image

from penalized_bandits.bandit.instances import Instance
from penalized_bandits.bandit.rewards import Deterministic
from penalized_bandits.common.files import whole_file, write_text
from penalized_bandits.statistics.summaries import CEILINGS
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import ClaimResult, read_results
from penalized_replication.figures import Figure
from penalized_replication.figures.style import use_style
from penalized_replication.storage.tables import read_table

Tables = Mapping[str, Any]  # paths by the names of `figures.tables_of`, of replicates every part's
Values = dict[str, Any]  # what the template of a caption is given, or matplotlib of a look
_LEFT_OUT = {"png": (), "svg": ("Date", "Creator"), "pdf": ("CreationDate", "Producer", "Creator")}
"""Metadata of each format by which every file would differ from the last: dates and versions."""


def module_of(figure: Figure) -> ModuleType:
    """Return the module of a figure, with its function ``draw``."""
    return import_module(f"{figure.package}.figures.{figure.id}")


def draw_figure(figure: Figure, tables: Tables, *, column: bool = False) -> Drawing:
    """Draw a figure from its tables; or its form of one column."""
    use_style()
    return module_of(figure).draw(tables, column=column)


def write_drawing(drawn: Drawing, *paths: Path) -> None:
    """Write a drawing to PDF, PNG or SVG files, each whole or not at all, and close it."""
    # Lay out once, not once for each format.
    if engine := drawn.get_layout_engine():
        engine.execute(drawn)
    drawn.set_layout_engine(None)
    drawn.set_dpi(plt.rcParams["savefig.dpi"])
    for path in paths:
        # Not to the disk as it is drawn: on a full one matplotlib ends in an error of its own.
        file, kind = BytesIO(), path.suffix.lower().removeprefix(".")
        drawn.savefig(file, format=kind, metadata=dict.fromkeys(_LEFT_OUT[kind]))
        if kind == "png":
            # 256 colours are a third of the size, and no eye sees it.
            pixels, file = Image.open(file).convert("RGB"), BytesIO()
            few = pixels.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            few.save(file, "PNG", dpi=(drawn.dpi, drawn.dpi))
        with whole_file(path) as temporary:
            temporary.write_bytes(file.getvalue())
    plt.close(drawn)


def save_figure(figure: Figure, tables: Tables, caption: str, target: Path) -> None:
    """Draw a figure as PDF, SVG and PNG, and its form of one column as SVG; write its caption.

    ``target`` is the path of the files without their suffix.
    """
    files = (target.with_suffix(f".{suffix}") for suffix in _LEFT_OUT)
    write_drawing(draw_figure(figure, tables), *files)
    column = target.with_name(f"{target.name}_column.svg")
    write_drawing(draw_figure(figure, tables, column=True), column)
    write_text(target.with_suffix(".md"), f"{caption}\n")


def select(table: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    """Return the rows whose columns have the wanted values."""
    for column, value in wanted.items():
        table = table[table[column] == value]
    return table


def summary_of(tables: Tables, *names: str, **wanted: Any) -> pd.DataFrame:
    """Return a figure's summary table, or those of some studies; of them the wanted rows."""
    every = [select(read_table(tables[name]), **wanted) for name in names or ("summary",)]
    return pd.concat(every, ignore_index=True)


def worst(rows: pd.DataFrame, *by: str) -> pd.DataFrame:
    """Return the row of the largest mean for each value of some columns, the largest first."""
    return rows.sort_values("mean", ascending=False, kind="stable").drop_duplicates([*by])


def ends_of(values: Iterable[float], form: str) -> list[str]:
    """Return the least and the largest of some values, written in a form; nothing without any."""
    ordered = sorted(values)
    return [format(value, form) for value in (*ordered[:1], *ordered[-1:])]


def bandit_of(rows: pd.DataFrame) -> Instance:
    """Return the instance behind the rows of one run; its means are less the best, shape (K,)."""
    arms = rows[rows["arm"].notna()].drop_duplicates("arm").sort_values("arm")
    # Gaps are differences of means given with few decimals: the rest is rounding.
    gaps, rates = arms["gap"].round(12), arms["penalty_rate"].round(12)
    # A table without ceilings lacks these columns, a run without has nothing in them.
    limits = arms.filter(CEILINGS).dropna(axis="columns").to_numpy().T
    return Instance(-gaps, arms["fairness_fraction"], rates, Deterministic(), *limits)


def claims_of(tables: Tables) -> list[ClaimResult]:
    """Return the measured claims that a figure shows."""
    return read_results(*(path for name, path in tables.items() if name.endswith("_claims")))


def comparisons_of(tables: Tables, claim: str) -> tuple[Comparison, ...]:
    """Return the comparisons of a measured claim; none if it is not there."""
    return next((found.comparisons for found in claims_of(tables) if found.id == claim), ())
