"""What the smoke run measures of each claim, and the committed file of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from config_helpers import ROOT

FILE = ROOT / "tests/helpers/golden/measured.jsonl"


def measured_in(project: Path) -> dict[str, Any]:
    """Return the measured results of a run, as plain values by the ids of their claims."""
    paths = (project / "results/claims/measured").glob("*.json")
    rows = (row for path in paths for row in json.loads(path.read_text("utf-8")))
    return {row["id"]: row for row in sorted(rows, key=lambda row: row["id"])}


def committed() -> dict[str, Any]:
    """Return the rows of the committed file by the ids of their claims."""
    rows = map(json.loads, FILE.read_text("utf-8").splitlines())
    return {row["id"]: row for row in rows}


def values_of(row: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the numbers and texts of a row with their places in it."""
    if isinstance(row, dict | list):
        for key, value in row.items() if isinstance(row, dict) else enumerate(row):
            yield from values_of(value, f"{place}/{key}")
    else:
        yield place, row
