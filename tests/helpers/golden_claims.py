"""What small runs measure of each claim, and the committed files of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from config_helpers import ROOT

FOLDER = ROOT / "tests/helpers/golden"
KEYS = ("id", "verdict", "estimate", "ci_low", "ci_high", "parts", "facts", "missing", "mended")
"""Of a claim's row; wording and digests are left out."""
RUNS = {
    "paper": "claims/measured/*.json",
    "extended": "scenarios/extended/claims/claims.json",
    "sharp": "scenarios/sharp/claims/claims.json",
}
"""Claims of small runs: as the smoke run measures them, and as its scenarios decide them."""


def measured_in(project: Path, run: str) -> dict[str, Any]:
    """Return what a run in a folder measured, as plain values by the ids of claims."""
    paths = (project / "results").glob(RUNS[run])
    rows = [row for path in paths for row in json.loads(path.read_text("utf-8"))]
    rows = [{key: row[key] for key in KEYS if key in row} for row in rows]
    return {row["id"]: row for row in sorted(rows, key=lambda row: row["id"])}


def committed(run: str) -> dict[str, Any]:
    """Return the rows of a run's committed file by the ids of claims."""
    rows = map(json.loads, (FOLDER / f"{run}.jsonl").read_text("utf-8").splitlines())
    return {row["id"]: row for row in rows}


def about(row: Any) -> Any:
    """Return a row with room for the last digits, which may differ between machines."""
    if isinstance(row, dict):
        return {key: about(value) for key, value in row.items()}
    if isinstance(row, list):
        return [about(value) for value in row]
    is_number = isinstance(row, float | int) and not isinstance(row, bool)
    return pytest.approx(row, rel=1e-6, abs=1e-9) if is_number else row
