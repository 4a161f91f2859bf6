"""Tables of results: on the terminal, as CSV, as Markdown; and goals, met or missed."""

import csv
import io
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from benchmarks.timing import Spread, number
from penalized_bandits.storage.files import write_text

Value: TypeAlias = str | int | float | Spread
Row: TypeAlias = dict[str, Value]


@dataclass(frozen=True)
class Goal:
    """Something that a table should show, and whether it does."""

    text: str
    limit: float
    measured: float
    spread: str
    at_least: bool = True
    """Whether the limit is a lower one."""

    @property
    def met(self) -> bool:
        """Whether the measured median keeps to the limit."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def row(self) -> Row:
        """Return the goal as a row of the table of goals."""
        return {
            "goal": f"{self.text}: at {'least' if self.at_least else 'most'} {self.limit:,g}",
            "measured": self.spread if self.met else f"{self.spread} **missed**",
        }


@dataclass
class Table:
    """What a benchmark found."""

    name: str
    title: str
    note: str
    """What the numbers are, and how they were taken."""
    rows: list[Row] = field(default_factory=list)
    """One row for each measurement: the CSV, where a spread is three columns."""
    view: list[Row] = field(default_factory=list)
    """The table that people read."""
    goals: list[Goal] = field(default_factory=list)

    def markdown(self) -> str:
        """Return the table, with its note, as Markdown."""
        note = textwrap.fill(" ".join(self.note.split()), 100, break_on_hyphens=False)
        return f"{markdown_table(self.view)}\n{note}\n"


def markdown_table(rows: Sequence[Row]) -> str:
    """Lay rows out as a Markdown table, numbers to the right."""
    columns = _columns(rows)
    cells = [[str(row.get(c, "")) for c in columns] for row in rows]
    widths = [max(len(c), 3, *(len(line[i]) for line in cells)) for i, c in enumerate(columns)]
    right = [
        all(line[i][:1].isdigit() or not line[i] for line in cells) for i in range(len(widths))
    ]
    lines = [columns, *cells]
    out = [
        "| "
        + " | ".join(
            cell.rjust(width) if r else cell.ljust(width)
            for cell, width, r in zip(line, widths, right, strict=True)
        )
        + " |"
        for line in lines
    ]
    rules = ("-" * (w - 1) + ":" if r else "-" * w for w, r in zip(widths, right, strict=True))
    out.insert(1, "| " + " | ".join(rules) + " |")
    return "\n".join(out) + "\n"


def headed(rows: Iterable[Row], headings: Mapping[str, str]) -> list[Row]:
    """Return some columns of rows as people read them, under other headings."""
    return [{heading: _cell(row[name]) for name, heading in headings.items()} for row in rows]


def _cell(value: Value) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return number(value) if isinstance(value, float) else str(value)


def median(value: Value) -> str:
    """Return a spread without its quartiles, or any other value, for people to read."""
    return _cell(value.median if isinstance(value, Spread) else value)


def pivot(
    rows: Iterable[Row], index: Sequence[str], column: str, cell: Callable[[Row], str]
) -> list[Row]:
    """Turn rows into a wide table: a row for each ``index``, a column for each ``column``."""
    wide: dict[tuple[Value, ...], Row] = {}
    for row in rows:
        key = tuple(row[name] for name in index)
        line = wide.setdefault(key, {name: row[name] for name in index})
        line[str(row[column])] = cell(row)
    return list(wide.values())


def save(table: Table, folder: Path, processor: str) -> None:
    """Write a table's rows and its Markdown, and its goals beside those of other processors."""
    write_text(folder / f"{table.name}.csv", _csv(table.rows))
    write_text(folder / f"{table.name}.md", table.markdown())
    if table.goals:
        goals = _csv([goal.row() for goal in table.goals])
        write_text(folder / "goals" / processor / f"{table.name}.csv", goals)


def goals_table(folder: Path, names: Iterable[str]) -> str:
    """Return the goals of all tables that were saved: processors with most tables first."""
    wide: dict[str, Row] = {}
    counts: list[str] = []
    folders = [path for path in sorted((folder / "goals").glob("*")) if path.is_dir()]
    folders.sort(key=lambda path: -len([*path.iterdir()]))
    for processor in folders:
        rows: list[dict[str, str]] = []
        for path in (processor / f"{name}.csv" for name in names):
            if path.is_file():
                with path.open(encoding="utf-8", newline="") as file:
                    rows.extend(csv.DictReader(file))
        for row in rows:
            wide.setdefault(row["goal"], {"goal": row["goal"]})[processor.name] = row["measured"]
        met = sum("missed" not in row["measured"] for row in rows)
        counts.append(f"{met} of {len(rows)} on {processor.name}")
    table = markdown_table(
        [
            {column: row.get(column, "") for column in ("goal", *(p.name for p in folders))}
            for row in wide.values()
        ]
    )
    return f"{table}\nMedians [quartiles]. Goals met: {', '.join(counts)}.\n"


def _columns(rows: Sequence[Row]) -> list[str]:
    """Return all names of columns, in order of appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _csv(rows: Sequence[Row]) -> str:
    text, flat = io.StringIO(), [_flat(row) for row in rows]
    writer = csv.DictWriter(text, _columns(flat), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return text.getvalue()


def _flat(row: Row) -> Row:
    """Return a row with the three columns of each spread."""
    flat: Row = {}
    for name, value in row.items():
        flat |= value.fields(name) if isinstance(value, Spread) else {name: value}
    return flat
